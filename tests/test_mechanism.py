import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.divergence import released
from strategies import distributions

import mechdesign as md
from mechdesign import Mechanism, mechanism_from_matrix, profile_graph, read_mechanism, write_mechanism
from mechdesign.errors import InputError
from mechdesign.files.kinds import MECHANISM
from mechdesign.mechanism.mechanism_file import mechanism_document, mechanism_of
from mechdesign.mechanism.probabilities import integer_rows

WARNER = [["3/4", "1/4"], ["1/4", "3/4"]]


def two_profiles() -> Mechanism:
    """Two profiles that share their second row."""
    graph = profile_graph({"a": ["0.2", "0.8"], "b": ["1/3", "2/3"]}, edges="all", categories=["no", "yes"])
    weights = np.array([[1, 0], [1, 3], [2, 1]], dtype=object)
    return Mechanism(graph, ("no", "yes"), weights, np.array([[0, 1], [2, 1]]), {"epsilon": "1/2"})


@st.composite
def mechanisms(draw: st.DrawFn) -> Mechanism:
    d, m, k = draw(st.integers(1, 4)), draw(st.integers(1, 4)), draw(st.integers(1, 3))
    graph = profile_graph(
        {f"p{i}": draw(distributions(d)) for i in range(k)}, edges=[], categories=[f"c{x}" for x in range(d)]
    )
    count = draw(st.integers(1, 5))
    row = st.lists(st.integers(0, 2**70), min_size=m, max_size=m).filter(any)
    weights = np.array(draw(st.lists(row, min_size=count, max_size=count)), dtype=object)
    index = draw(st.lists(st.lists(st.integers(0, count - 1), min_size=d, max_size=d), min_size=k, max_size=k))
    return Mechanism(graph, tuple(range(m)), weights, np.array(index))


def same(first: Mechanism, second: Mechanism) -> bool:
    if (first.profiles, first.categories, first.outputs) != (second.profiles, second.categories, second.outputs):
        return False
    return all(
        first.row(profile, category) == second.row(profile, category)
        for profile in first.profiles
        for category in first.categories
    )


def test_rows_and_matrices() -> None:
    mechanism = two_profiles()
    assert mechanism.profiles == ("a", "b")
    assert mechanism.inputs == mechanism.categories == ("no", "yes")
    assert mechanism.row("b", "no") == (Fraction(2, 3), Fraction(1, 3))
    assert mechanism.matrix("b").tolist() == [[2 / 3, 1 / 3], [0.25, 0.75]]
    assert mechanism.matrix("b").dtype == np.float64


@pytest.mark.parametrize(("profile", "category"), [("c", "no"), ("a", "maybe")])
def test_unknown_profiles_and_categories(profile: str, category: str) -> None:
    with pytest.raises(KeyError):
        two_profiles().row(profile, category)


def test_unknown_profile_has_no_matrix_and_releases_nothing() -> None:
    with pytest.raises(KeyError):
        two_profiles().matrix("c")
    with pytest.raises(KeyError):
        two_profiles().released("c")


def test_weights_beyond_doubles_still_give_a_matrix() -> None:
    graph = profile_graph({"a": [1]}, edges=[], categories=["x"])
    mechanism = Mechanism(graph, (0, 1), np.array([[10**400, 3 * 10**400]], dtype=object), np.array([[0]]))
    assert mechanism.matrix("a").tolist() == [[0.25, 0.75]]


@given(mechanisms())
def test_what_is_released_is_the_mean_of_the_rows(mechanism: Mechanism) -> None:
    for profile, one in zip(mechanism.profiles, mechanism.all_released(), strict=True):
        assert list(mechanism.released(profile)) == released(mechanism, profile)
        assert sum(mechanism.released(profile)) == 1
        assert one.fractions() == mechanism.released(profile)
        assert sum(one.weights) == one.total


@given(mechanisms(), st.data())
def test_then_multiplies_by_the_channel(mechanism: Mechanism, data: st.DataObject) -> None:
    """[GC] Observation 3: A followed by C is A C."""
    size = data.draw(st.integers(1, 3))
    channel: Any = [data.draw(distributions(size)) for _ in mechanism.outputs]
    both = mechanism.then(channel, outputs=[f"z{y}" for y in range(size)])
    assert both.outputs == tuple(f"z{y}" for y in range(size))
    for profile in mechanism.profiles:
        for category in mechanism.categories:
            row = mechanism.row(profile, category)
            assert both.row(profile, category) == tuple(
                sum(entry * channel[y][z] for y, entry in enumerate(row)) for z in range(size)
            )


@pytest.mark.parametrize(
    ("channel", "outputs"),
    [([[1]], ["x"]), ([[1], [1]], ["x", "y"]), ([[0.5, 0.4], [0.5, 0.5]], ["x", "y"]), ([[2, -1], [0, 1]], ["x", "y"])],
    ids=["too few rows", "too few columns", "total 0.9", "negative"],
)
def test_channels_that_do_not_fit(channel: Any, outputs: list[str]) -> None:
    with pytest.raises(InputError):
        two_profiles().then(channel, outputs=outputs)


def test_a_matrix_without_labels() -> None:
    square, wide = mechanism_from_matrix(WARNER), mechanism_from_matrix([[0.5, 0.25, 0.25]])
    assert (square.inputs, square.outputs, square.profiles) == ((0, 1), (0, 1), (0, 1))
    assert (wide.inputs, wide.outputs) == ((0,), (0, 1, 2))
    assert square.released(1) == (Fraction(1, 4), Fraction(3, 4))
    assert square.notes == {}


def test_floats_are_the_rationals_they_are() -> None:
    row = mechanism_from_matrix(np.array([[0.1, 0.9]])).row(0, 0)
    total = Fraction(0.1) + Fraction(0.9)
    assert total != 1
    assert row == (Fraction(0.1) / total, Fraction(0.9) / total)


def test_rows_a_little_off_are_normalised_and_named() -> None:
    mechanism = mechanism_from_matrix(
        [["0.5", "0.5000000009"], ["0.5", "0.5"], ["0.1", "0.8999999991"]], inputs=["a", "b", "c"], outputs=[0, 1]
    )
    assert mechanism.notes["normalised"] == ["a", "c"]
    assert sum(mechanism.row("a", "a")) == 1
    assert mechanism.row("c", "c")[0] == Fraction("0.1") / Fraction("0.9999999991")


@pytest.mark.parametrize(
    ("matrix", "fault"),
    [
        ([["0.5", "0.5000000011"]], "row 0: expected a total of 1"),
        ([[1, 0], [0.5, -0.5]], "row 1, column 1: expected a probability >= 0, found -0.5"),
        ([[1, 0], ["x", 1]], "row 1, column 0: expected a number"),
        ([[float("nan"), 1]], "row 0, column 0: expected a number"),
        ([[True, 0]], "row 0, column 0: expected a number"),
        ([], "expected a matrix"),
        ([[]], "expected a matrix"),
        ([1, 0], "expected a matrix"),
        ([[0, 0]], "row 0: expected a total of 1"),
    ],
    ids=str,
)
def test_matrices_that_are_none(matrix: Any, fault: str) -> None:
    with pytest.raises(InputError) as caught:
        mechanism_from_matrix(matrix)
    assert fault in str(caught.value)


def test_all_faults_of_a_matrix_are_reported_at_once() -> None:
    matrix: Any = [[-1, 2], [0.5, 0.6], ["no", 1]]
    with pytest.raises(InputError) as caught:
        mechanism_from_matrix(matrix)
    assert len(caught.value.faults) == 3


@pytest.mark.parametrize(
    ("labels", "fault"),
    [
        ({"inputs": ["a"]}, "inputs: expected 2 labels, one for each row, found 1"),
        ({"outputs": ["a"]}, "outputs: expected 2 labels, one for each column, found 1"),
        ({"inputs": ["a", "a"]}, "'a' is given 2 times"),
        ({"inputs": [1.5, 2]}, "as a label"),
    ],
    ids=str,
)
def test_labels_that_do_not_fit(labels: dict[str, Any], fault: str) -> None:
    with pytest.raises(InputError) as caught:
        mechanism_from_matrix(WARNER, **labels)
    assert fault in str(caught.value)


def test_only_mechanisms_are_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a Mechanism, found ndarray; mechanism_from_matrix makes one"):
        write_mechanism(np.eye(2), tmp_path / "m.json")  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_integer_rows_are_reduced() -> None:
    rows, normalised = integer_rows([["0.50", "0.50"], ["1/6", "5/6"]])
    assert rows.table().tolist() == [[1, 1], [1, 5]]
    assert normalised == {}


class TestFile:
    """`read_mechanism` gives back just what `write_mechanism` wrote."""

    @given(mechanisms())
    def test_round_trip(self, mechanism: Mechanism) -> None:
        document = json.loads(json.dumps(mechanism_document(mechanism)))
        assert same(mechanism_of(document), mechanism)

    def test_round_trip_through_a_file(self, tmp_path: Path) -> None:
        mechanism = two_profiles()
        write_mechanism(mechanism, tmp_path / "m.json")
        again = read_mechanism(tmp_path / "m.json")
        assert same(again, mechanism)
        assert again.notes == {"epsilon": "1/2"}
        write_mechanism(again, tmp_path / "again.json")
        assert (tmp_path / "m.json").read_bytes() == (tmp_path / "again.json").read_bytes()

    def test_points_of_a_grid_as_labels(self, tmp_path: Path) -> None:
        mechanism = mechanism_from_matrix(WARNER, inputs=[(0, 0), (0, 1)])
        write_mechanism(mechanism, tmp_path / "m.json")
        assert same(read_mechanism(tmp_path / "m.json"), mechanism)

    @pytest.mark.slow
    def test_many_point_masses_stay_short(self, tmp_path: Path) -> None:
        mechanism = mechanism_from_matrix(np.eye(250, dtype=int))
        write_mechanism(mechanism, tmp_path / "m.json")
        again = read_mechanism(tmp_path / "m.json")
        assert '"value": 249' in (tmp_path / "m.json").read_text()
        assert (again.weights == mechanism.weights).all()
        assert (again.index == mechanism.index).all()
        assert again.released(249) == mechanism.released(249)

    @pytest.mark.parametrize(
        ("change", "fault"),
        [
            ({"format": "mechdesign-mechanism/9"}, MECHANISM.format),
            ({"format": None}, MECHANISM.format),
            ({"categories": []}, "categories: expected a list of at least one category"),
            ({"categories": ["no", "no"]}, "'no' is given 2 times"),
            ({"outputs": []}, "at least one row and one output"),
            ({"outputs": None}, "at least one row and one output"),
            ({"outputs": ["no", "no"]}, "outputs: an output is given twice"),
            ({"outputs": ["no", 1.5]}, "outputs[1]: expected a label"),
            ({"rows": []}, "at least one row"),
            ({"rows": {"0": [1, 2]}}, "at least one row"),
            ({"rows": [[1, 0], [1], [2, 1]]}, "rows[1]: expected 2 integers"),
            ({"rows": [[1, 0], [1, -3], [2, 1]]}, "rows[1]: expected integers >= 0"),
            ({"rows": [[1, 0], [1, 0.5], [2, 1]]}, "rows[1]: expected integers >= 0"),
            ({"rows": [[1, 0], [1, True], [2, 1]]}, "rows[1]: expected integers >= 0"),
            ({"rows": [[1, 0], [1, "3"], [2, 1]]}, "rows[1]: expected integers >= 0"),
            ({"rows": [[1, 0], [0, 0], [2, 1]]}, "rows[1]: expected a positive total"),
            ({"profiles": []}, "at least one profile"),
            ({"profiles": None}, "\n  profiles: expected a list"),
            (
                {"profiles": [{"id": "a", "distribution": [1]}]},
                "m.json: profiles[0] ('a').distribution: expected 2 probabilities",
            ),
            ({"profiles": [{"id": "a", "distribution": [0.5, 0.4]}]}, "expected a total of 1"),
            ({"profiles": [{"id": "a", "distribution": [0, 1], "rows": [0]}]}, "profiles[0].rows"),
            ({"profiles": [{"id": "a", "distribution": [0, 1], "rows": [0, 3]}]}, "profiles[0].rows"),
            ({"profiles": [{"id": "a", "distribution": [0, 1], "rows": [0, -1]}]}, "profiles[0].rows"),
            ({"profiles": [{"id": "a", "distribution": [0, 1], "rows": [0, True]}]}, "profiles[0].rows"),
            ({"profiles": [{"id": "a", "distribution": [0, 1], "rows": "01"}]}, "profiles[0].rows"),
            ({"profiles": [{"id": "a", "value": "maybe"}]}, "expected one of the categories"),
        ],
        ids=str,
    )
    def test_every_fault_has_its_place(self, tmp_path: Path, change: dict[str, Any], fault: str) -> None:
        path = tmp_path / "m.json"
        path.write_text(json.dumps(mechanism_document(two_profiles()) | change))
        with pytest.raises(InputError) as caught:
            read_mechanism(path)
        assert fault in str(caught.value)
        assert str(caught.value).startswith(str(path))

    def test_a_list_is_no_mechanism(self, tmp_path: Path) -> None:
        (tmp_path / "m.json").write_text("[[1, 0], [0, 1]]")
        with pytest.raises(InputError, match="expected a mechanism, found a matrix; mechdesign certify"):
            read_mechanism(tmp_path / "m.json")


def value_document(d: int, rows: int, **own: list[int]) -> dict[str, Any]:
    """Return the file of a mechanism with two outputs on d values, each a profile; some have `rows` of their own."""
    profiles = [{"id": f"P{x}", "value": x} | ({"rows": own[f"P{x}"]} if f"P{x}" in own else {}) for x in range(d)]
    categories: list[int] = list(range(d))
    shape = {"format": MECHANISM.format, "categories": categories, "outputs": ["a", "b"], "rows": [[1, 1]] * rows}
    return {**shape, "profiles": profiles}


def test_what_every_profile_shares_is_not_written_out_for_each() -> None:
    mechanism = mechanism_of(value_document(3000, 3000))
    assert mechanism.one_matrix
    assert mechanism.index.strides[0] == 0  # no 3,000 x 3,000 positions in memory


def test_profiles_with_other_rows_share_no_matrix() -> None:
    document = value_document(2, 2, P1=[1, 0])
    assert not mechanism_of(document).one_matrix
    assert mechanism_document(mechanism_of(document))["profiles"][1]["rows"] == [1, 0]
    assert mechanism_of(value_document(2, 2, P0=[0, 1])).one_matrix


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("edgs", "edges"),
        ("Edges", "edges"),
        ("edge", "edges"),
        ("hidden_colunm", "hidden_column"),
    ],
)
def test_a_name_that_is_nearly_one_of_the_format_is_refused(name: str, meant: str) -> None:
    """Without its edges it would be judged by every pair."""
    with pytest.raises(InputError) as caught:
        mechanism_of(value_document(2, 2) | {name: []})
    assert caught.value.faults[0].startswith(f"'{name}': what a mechanism has is called format, categories, outputs, ")
    assert caught.value.faults[0].endswith(f"; did you mean {meant}? If it is something else, rename it")


def test_a_mechanism_may_have_what_has_nothing_to_do_with_it() -> None:
    document = value_document(2, 2) | {"owner": "the office", "version": 3, "note": "new", "weight": 1, "notes": {}}
    assert mechanism_of(document).outputs == ("a", "b")


def test_too_many_positions_of_rows_are_refused_before_the_memory_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mechdesign.mechanism.mechanism_file.MOST_POSITIONS", 3)
    with pytest.raises(InputError, match=r"at most 3 positions can be held, found 2 profiles x 2 categories"):
        mechanism_of(value_document(2, 2, P1=[1, 0]))
    assert mechanism_of(value_document(2, 2)).one_matrix


def test_profiles_without_rows_need_one_for_each_category() -> None:
    with pytest.raises(InputError) as caught:
        mechanism_of(value_document(3, 2, P0=[0, 0, 1]))
    assert caught.value.faults == [f"profiles[{i}].rows: expected 3 positions of rows, each below 2" for i in (1, 2)]


def test_a_matrix_of_long_unequal_denominators_is_refused_row_by_row() -> None:
    row = [f"1/{10**1499 + step}" for step in range(1, 4)]
    with pytest.raises(InputError) as caught:
        mechanism_from_matrix([row, ["1/3"] * 3, row])
    words = "these 3 probabilities need a common denominator of more than 2000 digits"
    assert [fault.partition(words)[0] for fault in caught.value.faults] == ["row 0: ", "row 2: "]


def test_a_file_says_for_whom_it_is_how_its_table_was_read_and_what_it_hides(tmp_path: Path) -> None:
    frame = {"who": ["a", "a", "b", "b", "c", "c"], "what": ["no", "yes", "yes", "", "no", "yes"]}
    graph = md.graph_from_table(frame, profile="who", value="what", missing="drop")
    graph.remove_edge("a", "b")
    written = md.design(graph, epsilon=1).mechanism
    md.write_mechanism(written, tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text())
    assert document["reading"] == {"missing": "drop"}
    assert (document["hidden_column"], len(document["edges"])) == ("who", 2)
    read = md.read_mechanism(tmp_path / "m.json")
    assert (read.reading, read.hidden_column, read.asked.edges) == (written.reading, "who", 2)
