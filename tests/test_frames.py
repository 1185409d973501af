"""Tables in memory: their labels count, in whatever order they are; labels that do not fit are refused."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pyarrow.interchange
import pytest

import mechdesign as md
from mechdesign.graph.checks import checked

F = Fraction
LABELS = ["none", "some", "much"]
TABLE = pd.DataFrame(
    [["0.5", "0.3", "0.2"], ["0.3", "0.4", "0.3"]], index=pd.Index(["young", "old"], name="age"), columns=LABELS
)
GRAPH = md.profile_graph(TABLE, edges="all")
MATRIX = pd.DataFrame([[0.5, 0.25, 0.25], [0.25, 0.625, 0.125], [0, 0.25, 0.75]], index=LABELS, columns=LABELS)
OTHER_ORDER = ["much", "none", "some"]


def shares(graph: Any) -> list[Any]:
    return [attributes["distribution"] for attributes in graph.nodes.values()]


@pytest.mark.parametrize(
    "given",
    [
        TABLE[OTHER_ORDER],
        TABLE.to_dict("index"),
        {profile: row[OTHER_ORDER] for profile, row in TABLE.iterrows()},
        TABLE.set_axis(range(3), axis=1),
        {profile: row.reset_index(drop=True) for profile, row in TABLE.iterrows()},
    ],
    ids=["other order", "mappings", "series", "numbered", "numbered series"],
)
def test_what_is_labelled_goes_by_its_labels(given: Any) -> None:
    assert shares(md.profile_graph(given, edges="all", categories=LABELS)) == shares(GRAPH)


def test_bounds_and_weights_may_be_tables_too() -> None:
    numbers = TABLE.astype(float)
    graph = md.profile_graph(
        TABLE,
        edges="all",
        lower=(numbers - 0.125)[OTHER_ORDER],
        upper=numbers + 0.125,
        weights=pd.Series({"old": 3, "young": 1}),
    )
    assert graph.nodes["old"]["weight"] == 3
    assert graph.nodes["young"]["lower"] == tuple(F(float(share)) - F(1, 8) for share in ("0.5", "0.3", "0.2"))
    radii = md.profile_graph(TABLE, edges="all", radius=pd.Series({"old": "0.1", "young": "0.2"}))
    assert [attributes["radius"] for attributes in radii.nodes.values()] == [F(2, 10), F(1, 10)]


def test_a_series_of_a_graph_that_was_made_by_hand_goes_by_its_labels() -> None:
    graph = GRAPH.copy()
    graph.nodes["old"]["distribution"] = TABLE.loc["old", OTHER_ORDER]
    assert shares(checked(graph)) == shares(GRAPH)
    graph.nodes["old"]["distribution"] = TABLE.loc["old"].set_axis(["a", "b", "c"])
    with pytest.raises(md.InputError, match=r"nodes\[1\] \('old'\)\.distribution: expected the categories .*'a'"):
        checked(graph)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: md.profile_graph(TABLE.to_dict("index"), edges="all"), "categories: expected the labels of what is"),
        (lambda: md.profile_graph(TABLE.to_numpy(), edges="all", categories=LABELS), "distributions: expected a map"),
        (lambda: md.profile_graph(TABLE, edges="all", categories=["x", "y", "z"]), "as columns, found the columns"),
        (
            lambda: md.profile_graph(TABLE.reset_index(drop=True), edges=[("young", "old")]),
            r"'old' is not a profile\n  edges: the profiles are \(0, 1\)",
        ),
        (
            lambda: md.profile_graph(TABLE.T, edges="all", categories=LABELS),
            r"its rows are the categories: give it transposed, \.T$",
        ),
        (lambda: md.profile_graph({"a": {"x": 1}}, edges="all", categories=LABELS), "distributions, 'a': expected the"),
        (lambda: md.profile_graph(pd.concat([TABLE, TABLE]), edges="all"), "distributions, rows: 'young' is given 2"),
        (lambda: md.mechanism_from_matrix(pd.concat([MATRIX, MATRIX])), "rows: 'none' is given 2 times"),
        (lambda: md.mechanism_from_matrix(MATRIX, inputs=["x", "y", "z"]), "as labels of the rows, found 'none'"),
        (lambda: md.mechanism_from_matrix(MATRIX, outputs=OTHER_ORDER), "outputs: expected these labels of the colu"),
        (lambda: md.certify(MATRIX.set_axis(["x", "y", "z"]), GRAPH), "as labels of the rows, found 'x', 'y', 'z'"),
        (
            lambda: md.design(GRAPH, epsilon=1, objective=md.ExpectedLoss(MATRIX.set_axis(["x", "y", "z"]))),
            "loss: expected the categories .* as labels of the rows, found 'x', 'y', 'z'",
        ),
        (
            lambda: md.design(GRAPH, epsilon=1, objective=md.WorstLoss(MATRIX.set_axis(["x", "y", "z"], axis=1))),
            "loss: expected the categories .* as labels of the columns",
        ),
    ],
)
def test_what_does_not_fit_is_refused(make: Callable[[], object], words: str) -> None:
    with pytest.raises(md.InputError, match=words):
        make()


def test_the_labels_of_a_matrix_are_its_inputs_and_outputs() -> None:
    mechanism = md.mechanism_from_matrix(MATRIX)
    assert mechanism.categories == mechanism.outputs == tuple(LABELS)
    assert mechanism.to_frame().equals(MATRIX.rename_axis("category"))
    assert md.mechanism_from_matrix(MATRIX.reset_index(drop=True)).categories == tuple(LABELS)
    assert md.mechanism_from_matrix(MATRIX.to_numpy()).categories == (0, 1, 2)
    named = MATRIX.set_axis(["x", "y", "z"], axis=1)
    assert md.mechanism_from_matrix(named).outputs == ("x", "y", "z")
    assert md.mechanism_from_matrix(named, outputs=["x", "y", "z"]).categories == tuple(LABELS)


@pytest.mark.parametrize("shuffled", [MATRIX.loc[OTHER_ORDER], MATRIX.loc[OTHER_ORDER, OTHER_ORDER]])
def test_a_verdict_is_on_the_rows_that_the_labels_say(shuffled: pd.DataFrame) -> None:
    told = md.certify(MATRIX.to_numpy(), GRAPH, epsilon="0.1")
    assert md.certify(MATRIX, GRAPH, epsilon="0.1") == told
    assert md.certify(shuffled, GRAPH, epsilon="0.1") == told
    assert md.certify(shuffled.to_numpy(), GRAPH, epsilon="0.1").epsilon != told.epsilon


@pytest.mark.parametrize("kind", [md.ExpectedLoss, md.WorstLoss, md.WeightedOffDiagonal])
def test_a_loss_goes_by_its_labels(kind: Callable[[Any], md.ExpectedLoss]) -> None:
    losses = pd.DataFrame([[0, 1, 4], [1, 0, 1], [8, 1, 0]], index=LABELS, columns=LABELS)
    told = md.design(GRAPH, epsilon="0.1", objective=kind(losses.to_numpy()))
    turned = losses.loc[OTHER_ORDER, OTHER_ORDER]
    numbered = turned.reset_index(drop=True)  # rows that nobody named are in the order of the columns
    for same in (losses, losses.loc[OTHER_ORDER], losses[OTHER_ORDER], turned, numbered):
        found = md.design(GRAPH, epsilon="0.1", objective=kind(same))
        assert found.value == told.value
        assert found.mechanism.to_frame().equals(told.mechanism.to_frame())


@pytest.mark.parametrize("labelled", [list, pd.RangeIndex], ids=["labels", "as pandas gives them"])
def test_numbers_that_are_the_categories_are_labels(labelled: Callable[[Any], Any]) -> None:
    """In another order they would be taken for places, and each profile turned round."""
    own = pd.DataFrame([["0.9", "0.1"], ["0.7", "0.3"]], index=["a", "b"], columns=labelled(range(2)))
    turned = [(F(1, 10), F(9, 10)), (F(3, 10), F(7, 10))]
    rows = {profile: pd.Series(row, index=labelled(range(2))) for profile, row in own.T.to_dict("list").items()}
    for given in (own, rows, own.T.to_dict()):
        assert shares(md.profile_graph(given, edges="all", categories=[1, 0])) == turned


class Stream:
    """A table of a library of which nothing is known but that it can be read as Arrow."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)


class Interchanged:
    """A table that has the protocol of interchange alone."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __dataframe__(self, *arguments: Any, **options: Any) -> object:
        return self.table.__dataframe__(*arguments, **options)


KINDS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pd.DataFrame,
    "polars": polars.DataFrame,
    "arrow": pa.table,
    "stream": lambda columns: Stream(pa.table(columns)),
    "interchange": lambda columns: Interchanged(pa.table(columns)),
}
OTHERS = [kind for kind in KINDS if kind != "pandas"]
COIN = {"no": [0.75, 0.25], "yes": [0.25, 0.75]}


@pytest.mark.parametrize("kind", KINDS)
class TestWhateverTable:
    def test_the_columns_of_a_matrix_are_its_outputs(self, kind: str) -> None:
        mechanism = md.mechanism_from_matrix(KINDS[kind](COIN))
        assert mechanism.categories == mechanism.outputs == ("no", "yes")
        with pytest.raises(md.InputError, match=r"outputs: expected these labels of the columns, \('no', 'yes'\)"):
            md.mechanism_from_matrix(KINDS[kind](COIN), outputs=["a", "b"])

    def test_records(self, kind: str) -> None:
        records = KINDS[kind]({"who": ["a", "a", "b"], "what": ["no", "yes", "no"]})
        pairs = KINDS[kind]({"one": ["a"], "other": ["b"], "epsilon": ["0.5"]})
        graph = md.graph_from_table(records, profile="who", value="what", edges=pairs)
        assert shares(graph) == [(F(1, 2), F(1, 2)), (F(1), F(0))]
        assert list(graph.edges(data=True)) == [("a", "b", {"epsilon": F(1, 2)})]

    def test_data(self, kind: str) -> None:
        swap = md.mechanism_from_matrix([[0, 1], [1, 0]], inputs=["no", "yes"])
        data = KINDS[kind]({"what": ["no", "yes", "no"], "year": [1, 2, 3]})
        assert pa.table(md.sanitise(swap, data, value="what"))["what"].to_pylist() == ["yes", "no", "yes"]
        assert md.estimate(swap, data, value="what").rows == {"all": 3}
        with pytest.raises(md.InputError, match="value: say which column"):
            md.sanitise(swap, data)


@pytest.mark.parametrize("kind", OTHERS)
class TestTablesWithoutLabelsOfTheirRows:
    """Their first column may have them, as in a file."""

    def test_a_matrix(self, kind: str) -> None:
        mechanism = md.mechanism_from_matrix(KINDS[kind]({"input": ["a", "b"], **COIN}))
        assert (mechanism.categories, mechanism.outputs) == (("a", "b"), ("no", "yes"))
        assert mechanism.row("b", "b") == (F(1, 4), F(3, 4))
        turned = md.mechanism_from_matrix(KINDS[kind]({"input": ["a", "b"], **COIN}), inputs=["b", "a"])
        assert turned.row("b", "b") == (F(1, 4), F(3, 4))

    def test_numbers_as_text_are_no_labels(self, kind: str) -> None:
        exact = {"no": ["3/4", "1/4"], "yes": ["1/4", "3/4"]}
        assert md.mechanism_from_matrix(KINDS[kind](exact)).row("no", "no") == (F(3, 4), F(1, 4))

    def test_a_loss(self, kind: str) -> None:
        loss = md.ExpectedLoss(KINDS[kind]({"true": ["no", "yes"], "yes": [1, 0], "no": [0, 1]}))
        graph = md.value_graph(["no", "yes"])
        assert (
            md.design(graph, epsilon=1, objective=loss).value
            == md.design(graph, epsilon=1, objective=md.ExpectedLoss("hamming")).value
        )

    @pytest.mark.parametrize("profiles", [["a", "b"], [1, 2]])
    def test_profiles(self, kind: str, profiles: list[Any]) -> None:
        rows = KINDS[kind]({"who": profiles, "no": ["0.1", "0.25"], "yes": ["0.9", "0.75"]})
        graph = md.profile_graph(rows, edges="all", categories=["yes", "no"])
        assert list(graph) == profiles
        assert shares(graph) == [(F(9, 10), F(1, 10)), (F(3, 4), F(1, 4))]
        lower = KINDS[kind]({"who": profiles, "no": [0, 0], "yes": ["0.5", "0.5"]})
        bounds = md.profile_graph(rows, edges="all", categories=["yes", "no"], lower=lower)
        assert bounds.nodes[profiles[0]]["lower"] == (F(1, 2), F(0))


NAME = "categorical-chain"
TAKES_A_GRAPH: dict[str, Callable[[Any], Any]] = {
    "scaled": lambda graph: list(md.scaled(graph, 2)),
    "private_exponential": lambda graph: md.private_exponential(graph, np.eye(4, dtype=int), epsilon=1).profiles,
    "plot_graph": lambda graph: len(md.plot_graph(graph).axes),
    "design": lambda graph: md.design(graph, epsilon=1).value,
    "sweep": lambda graph: md.sweep(graph, epsilons=[1]).to_frame().shape,
    "coarsened": lambda graph: list(md.coarsened(graph, profiles=[("P1", "P2")])),
    "certify": lambda graph: md.certify(np.full((4, 4), 0.25), graph, epsilon=0).private,
    "compose": lambda graph: md.compose(np.full((4, 4), 0.25), graph=graph).epsilon,
}


@pytest.mark.parametrize("name", TAKES_A_GRAPH)
def test_what_takes_a_graph_takes_its_name_and_its_path(name: str, tmp_path: Path) -> None:
    md.write_graph(NAME, tmp_path / "g.json")
    call = TAKES_A_GRAPH[name]
    expected = call(md.read_graph(NAME))
    assert call(NAME) == call(tmp_path / "g.json") == call(str(tmp_path / "g.json")) == expected


def test_a_profile_that_is_not_there_is_served_only_where_all_have_the_same_rows() -> None:
    own = md.design(NAME, epsilon=0.5).mechanism
    assert own.serving("P2") == 1
    with pytest.raises(KeyError, match="nobody"):
        own.serving("nobody")
    assert md.mechanism_from_matrix(MATRIX).serving("nobody") == 0
