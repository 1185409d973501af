"""Graphs that protect nothing, and losses that mean nothing: said, in Python and as the first line of a command."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command import answer, done

import mechdesign as md
from mechdesign.designer.caution import undetermined
from mechdesign.files.kinds import MECHANISM
from mechdesign.mechanism.mechanism_file import mechanism_of
from mechdesign.privacy.asked import UNBOUNDED

NO_EDGES = "Nothing is protected: the graph has no edges."
INFINITE = "Nothing is protected: no edge requires anything, as every epsilon is infinite."
MEANINGLESS = "The absolute loss counts steps between categories in the order agree, disagree, neutral, which nobody"
ANSWERS = ["agree", "disagree", "neutral"]


def written(folder: Path, edges: list[dict[str, Any]], **heading: Any) -> str:
    nodes = [{"id": "a", "distribution": ["0.5", "0.25", "0.25"]}, {"id": "b", "distribution": ["0.25", "0.25", "0.5"]}]
    document = {"graph": {"categories": ANSWERS, **heading}, "nodes": nodes, "edges": edges}
    (folder / "g.json").write_text(json.dumps(document))
    return str(folder / "g.json")


EDGE = {"source": "a", "target": "b"}
CASES = [
    ([], "1", NO_EDGES),
    ([EDGE], "inf", INFINITE),
    ([{**EDGE, "epsilon": "inf"}], "1", INFINITE),
    ([EDGE], "1", None),
    ([{**EDGE, "epsilon": 1}], "inf", None),
    ([{**EDGE, "distance": 0}], "inf", None),
]


@pytest.mark.parametrize(("edges", "epsilon", "warning"), CASES)
def test_it_is_said_that_nothing_is_protected(
    edges: list[dict[str, Any]], epsilon: str, warning: str | None, tmp_path: Path
) -> None:
    """Of a design, of several, and of a matrix, of which an infinite epsilon asks only what epsilon it has."""
    graph = md.read_graph(written(tmp_path, edges))
    design = md.design(graph, epsilon=epsilon)
    curve = md.sweep(graph, [epsilon])
    verdict = md.certify(md.mechanism_from_matrix([[1, 0, 0]] * 3, inputs=ANSWERS), graph, epsilon=epsilon)
    assert design.warning == warning
    assert [one.answer().warnings[:1] for one in (design, curve)] == [[warning] if warning else []] * 2
    assert epsilon == "inf" or verdict.warning == warning


def test_commands_say_it_first_and_call_nothing_private(tmp_path: Path) -> None:
    graph, joined, matrix = written(tmp_path, []), str(tmp_path / "joined.json"), tmp_path / "m.csv"
    matrix.write_text("0.5,0.25,0.25\n" * 3)
    md.write_graph(md.profile_graph({"a": [1, 0, 0], "b": [0, 0, 1]}, edges="all", categories=ANSWERS), joined)
    for command in (["design"], ["design", "--curve", str(tmp_path / "curve.json")], ["certify", str(matrix)]):
        for given, epsilon, warning in ((graph, "1", NO_EDGES), (joined, "inf", INFINITE)):
            asked = [*command, *(["--graph", given] if "certify" in command else [given]), "--epsilon", epsilon]
            assert done(*asked).startswith(warning)
            assert answer(*asked)["warning"] == warning
            (tmp_path / "curve.json").unlink(missing_ok=True)
    text = done("design", graph, "--epsilon", "1")
    assert "Nothing was required, so nothing is proved private." in text
    assert "Private in exact arithmetic" not in text
    assert "no noise is needed" not in text
    matrix.write_text("0.5,0.5\n")
    assert done("certify", str(matrix), "--epsilon", "1").startswith("Nothing is protected: there is one")


@pytest.mark.parametrize("objective", [md.ExpectedLoss, md.WorstLoss])
@pytest.mark.parametrize(
    ("loss", "heading", "warned"),
    [
        ("absolute", {}, True),
        ("absolute", {"ordered": False}, True),
        ("absolute", {"ordered": True}, False),
        ("absolute", {"categories": ["1", "2", "3"]}, False),
        ("absolute", {"categories": [3, 2, 1]}, False),
        ("hamming", {}, False),
    ],
)
def test_absolute_loss_without_an_order_is_warned_of(
    objective: Callable[[str], md.WorstLoss | md.ExpectedLoss],
    loss: str,
    heading: dict[str, Any],
    warned: bool,
    tmp_path: Path,
) -> None:
    graph = md.read_graph(written(tmp_path, [EDGE], **heading))
    warning = md.design(graph, epsilon=1, objective=objective(loss)).warning
    assert (warning is not None and warning.startswith(MEANINGLESS)) == warned


def test_a_table_of_losses_is_the_users_own(tmp_path: Path) -> None:
    graph = md.read_graph(written(tmp_path, [EDGE]))
    table = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    assert md.design(graph, epsilon=1, objective=md.ExpectedLoss(table)).warning is None


def test_both_are_said(tmp_path: Path) -> None:
    graph = md.read_graph(written(tmp_path, []))
    warning = md.design(graph, epsilon=1, objective=md.ExpectedLoss("absolute")).warning
    assert warning is not None
    assert warning.startswith(f"{NO_EDGES} {MEANINGLESS}")


class TestUndetermined:
    """One matrix for all profiles that hardly lets anything through: said at design, and no number of rows will do."""

    SENTENCE = "What is released does not determine the shares of Clinton and Dole: `estimate` has but bounds of these."
    HARDLY = ("vote-by-education", "--shared", "--objective", "expected-loss", "--epsilon")

    def test_it_is_said(self, tmp_path: Path) -> None:
        written = str(tmp_path / "m.json")
        assert answer("design", *self.HARDLY, "0.1", "-o", written)["warning"] == self.SENTENCE
        plan = md.plan_rows(written, "0.01")
        assert (plan.rows, dict(plan.undetermined)) == (None, {"all": ("Clinton", "Dole")})
        found = md.estimate(written, ["Clinton"] * 1_000)
        assert [(one.se, one.low, one.high) for one in found.profiles["all"].values()] == [(None, 0.0, 1.0)] * 2
        assert found.remarks[0].startswith("all: what is released does not determine the shares of Clinton, Dole;")

    def test_a_matrix_that_tells_is_passed_over(self) -> None:
        assert md.design("vote-by-education", epsilon=0.5, shared=True).warning is None

    def test_the_shares_of_single_values_are_asked_for_too(self) -> None:
        """The best guess of few sensitive topics may be harmless ones alone: no report ever names the others."""
        topics = md.value_graph("abcdefxy", metric=lambda one, two: 1 if {one, two} & {"x", "y"} else math.inf)
        made = md.design(topics, epsilon=0.5, objective=md.ExpectedLoss())
        assert made.warning is not None
        assert "the shares of a, b, c, d, e, f, x and y: `estimate` has but bounds" in made.warning
        assert md.plan_rows(made.mechanism, "0.01").rows is None
        assert md.design(md.value_graph(["a", "b"]), epsilon=1).warning is None

    def test_of_one_count_nobody_asks_shares(self) -> None:
        certain = md.count.prior_graph(2, "0")
        made = md.design(certain, epsilon=1, objective=md.ExpectedLoss())
        assert undetermined(made.mechanism) is not None
        assert made.warning is None

    def test_many_are_counted(self) -> None:
        """A matrix of which all rows are the same."""
        profiles = [{"id": name, "distribution": ["1/12"] * 12, "rows": [0] * 12} for name in "pq"]
        constant = {"categories": list("abcdefghijkl"), "outputs": ["x", "y"], "rows": [[1, 3]], "profiles": profiles}
        assert undetermined(mechanism_of({"format": MECHANISM.format, **constant})) == (
            "What is released does not determine the shares of a, b, c, d, e, f, g, h and 4 more:"
            " `estimate` has but bounds of these."
        )


def test_python_and_notebooks_say_what_the_commands_say() -> None:
    profiles = {"a": ["1/2", "1/2"], "b": ["1/4", "3/4"]}
    within = md.profile_graph(profiles, edges=[("a", "b")], categories=["no", "yes"], radius="0.01")
    design = md.design(within, epsilon=1, nominal=True)
    found = [design, md.sweep(within, [1, 2], nominal=True), md.certify(design, within, epsilon=1, nominal=True)]
    found.append(md.formula(within, nominal=True))
    for one in found:
        assert one.answer().warnings == [UNBOUNDED]
        assert UNBOUNDED in one._repr_html_()
    assert not md.certify(md.design(within, epsilon=1), within, epsilon=1).answer().warnings
    apart = md.profile_graph(profiles, edges=[], categories=["no", "yes"])
    assert md.certify(design, apart, epsilon=1).answer().warnings == [NO_EDGES]


def test_what_rounding_and_normalising_did_is_said_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "matrix.csv"
    path.write_text("0.75;0.25\n0.25;0.75\n")
    read, rounding = md.certify(path, epsilon="1.1").answer().warnings
    assert read == "Read with delimiter semicolon."
    assert rounding.startswith("The numbers have 2 decimals.")
    assert md.certify(path).answer().warnings == [read]
    assert md.compose(path, releases=2, epsilon="1.1").warnings == (read, f"{path}: {rounding}")


def test_of_a_largest_entry_it_is_said_that_distances_do_not_count() -> None:
    """Of values alone: profiles have no loss by distance."""
    near = md.value_graph(range(3), metric=lambda x, y: abs(x - y))
    laws = {"a": [1, 0], "b": ["1/2", "1/2"]}
    apart = md.profile_graph(laws, edges=[("a", "b", {"distance": 2})], categories=["no", "yes"])
    for graph, objective, said in (
        (near, md.MaxOffDiagonal(), True),
        (near, md.ExpectedLoss("absolute"), False),
        (md.value_graph("abc"), md.MaxOffDiagonal(), False),
        (apart, md.MaxOffDiagonal(), False),
    ):
        answer = md.design(graph, epsilon=1, objective=objective).answer()
        assert any("--loss distance" in fact.words for fact in answer.facts) == said
