import math
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.divergence import assert_private, released
from strategies import drawn_objectives, profile_graphs

from mechdesign import (
    ExpectedLoss,
    InputError,
    MaxOffDiagonal,
    WorstLoss,
    counting_graph,
    design,
    mechanism_from_matrix,
    profile_graph,
    read_graph,
    value_graph,
)
from mechdesign.graph.checks import checked
from mechdesign.graph.distribution import PointMass
from mechdesign.objective import Objective
from mechdesign.stopwatch import announced_to

CHAIN = read_graph("categorical-chain")
LP_METHODS = ["structured", "highs", "reference"]


def closed_form(epsilon: float) -> float:
    """The least largest off-diagonal entry on the chain of [GC] Table I."""
    E = math.exp(epsilon)
    return max(0.0, (3 - E) / (9 * (1 + E)), (4 - E * E) / (12 + 9 * E * E))


class TestChain:
    """[GC] Table I: t*(eps) = max{0, (3-E)/(9(1+E)), (4-E^2)/(12+9E^2)}, E = e^eps."""

    @pytest.mark.parametrize("epsilon", ["0", "0.25", "0.28", "0.29", "0.5", "1", "1.0986", "1.0987", "3"])
    def test_the_closed_form(self, epsilon: str) -> None:
        """The branches meet at ln(4/3) = 0.287682; from ln 3 = 1.098612 on the truth is private."""
        result = design(CHAIN, epsilon=epsilon)
        assert float(result.value) == pytest.approx(closed_form(float(epsilon)), abs=1e-9)
        assert_private(result.mechanism, CHAIN, Fraction(epsilon))

    @pytest.mark.parametrize("epsilon", ["1.0986122886681098", "2", "inf"])
    def test_the_truth_is_told_where_it_is_private(self, epsilon: str) -> None:
        result = design(CHAIN, epsilon=epsilon)
        assert result.value == 0
        assert all(result.mechanism.matrix(profile).tolist() == np.eye(4).tolist() for profile in CHAIN)

    @pytest.mark.parametrize("method", LP_METHODS)
    def test_what_is_released_at_one_half(self, method: str) -> None:
        """Between ln of the golden ratio and ln 3 the nearest design is explicit, whichever solver began."""
        mechanism = design(CHAIN, epsilon="0.5", method=method).mechanism
        t = closed_form(0.5)
        assert mechanism.released("P1") == CHAIN.nodes["P1"]["distribution"]  # exactly
        formula = {
            "P2": [0.3 + 0.3 * t, 0.3 + 0.3 * t, 0.3 - 0.9 * t, 0.1 + 0.3 * t],
            "P3": [0.4 - 0.3 * t, 0.4 - 0.3 * t, 0.1 + 0.9 * t, 0.1 - 0.3 * t],
        }
        for profile, expected in formula.items():
            after = [float(mass) for mass in mechanism.released(profile)]
            assert after == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("epsilon", ["0.1", "1", "4"])
@pytest.mark.parametrize("k", [2, 3, 8, 30])
def test_values_alone_give_randomised_response(k: int, epsilon: str) -> None:
    """Every pair of values an edge: k-RR, 1/(e^eps + k - 1) off the diagonal, and nothing else."""
    result = design(value_graph(range(k)), epsilon=epsilon, method="structured")
    alpha = 1 / (math.exp(float(epsilon)) + k - 1)
    assert float(result.value) == pytest.approx(alpha, abs=1e-9)
    expected = np.full((k, k), alpha) + np.diag(np.full(k, 1 - k * alpha))
    assert result.mechanism.matrix(0) == pytest.approx(expected, abs=1e-8)


class TestEveryDesign:
    """What `design` promises on any graph: private exactly, its value exact, bound <= value, never worse than k-RR."""

    @settings(max_examples=30)
    @given(st.data(), profile_graphs(), st.fractions(Fraction(1, 50), 4, max_denominator=50))
    def test_never_worse_than_randomised_response(
        self, data: st.DataObject, graph: nx.Graph, epsilon: Fraction
    ) -> None:
        """[GC] Theorem 8: k-RR is private for every profile graph, so the optimum is at most its value."""
        objective = data.draw(drawn_objectives(len(graph.graph["categories"]), square=True))
        result = design(graph, epsilon=epsilon, objective=objective)
        assert float(result.value - result.baseline) <= 1e-8 * max(1, float(result.baseline))


CASES: dict[str, tuple[dict[str, Sequence[Any]], list[tuple[str, str]]]] = {
    "one profile": ({"a": ["0.2", "0.8"]}, []),
    "one category": ({"a": [1], "b": [1]}, [("a", "b")]),
    "isolated": ({"a": ["0.2", "0.8"], "b": [1, 0], "c": ["0.5", "0.5"]}, []),
    "identical": ({name: ["0.2", "0.3", "0.5"] for name in "abcd"}, [("a", "b"), ("b", "c"), ("c", "d")]),
}


@pytest.mark.parametrize("objective", [MaxOffDiagonal(), ExpectedLoss(), WorstLoss("absolute")], ids=lambda o: o.name)
@pytest.mark.parametrize("epsilon", ["0", "1e-9", "1e400"])
@pytest.mark.parametrize("name", CASES)
def test_where_nothing_distinguishes_nothing_is_changed(name: str, epsilon: str, objective: Objective) -> None:
    distributions, edges = CASES[name]
    d = len(next(iter(distributions.values())))
    graph = profile_graph(distributions, edges=edges, categories=list(range(d)))
    result = design(graph, epsilon=epsilon, objective=objective)
    assert result.value == result.bound == 0
    assert all((result.mechanism.matrix(profile) == np.eye(d)).all() for profile in graph)


@pytest.mark.parametrize("epsilon", ["700", "1e400"])
@pytest.mark.parametrize("method", LP_METHODS)
def test_a_huge_epsilon_still_forbids_the_impossible(method: str, epsilon: str) -> None:
    """A category that only one of two neighbours has must still be released by both, however rarely."""
    graph = profile_graph({"a": [1, 0], "b": ["0.5", "0.5"]}, edges="all", categories=["no", "yes"])
    result = design(graph, epsilon=epsilon, method=method)
    assert_private(result.mechanism, graph, Fraction(700))
    assert result.mechanism.released("a")[1] > 0 or result.mechanism.released("b")[1] == 0
    assert result.value < Fraction(1, 10**6)
    assert design(graph, epsilon="inf", method=method).value == 0


def test_a_category_that_nobody_has_is_never_released() -> None:
    graph = profile_graph(
        {"a": ["0.5", 0, "0.5"], "b": ["0.1", 0, "0.9"]}, edges="all", categories=["no", "never", "yes"]
    )
    mechanism = design(graph, epsilon="0.1", objective=ExpectedLoss()).mechanism
    assert mechanism.released("a")[1] == mechanism.released("b")[1] == 0
    assert_private(mechanism, graph, Fraction(1, 10))


@pytest.mark.parametrize("objective", [MaxOffDiagonal(), ExpectedLoss(), WorstLoss()], ids=lambda o: o.name)
def test_components_do_not_pay_for_each_other(objective: Objective) -> None:
    """The chain is designed the same way when a costlier component stands beside it."""
    two = nx.Graph(CHAIN)
    two.add_node("sure", distribution=[1, 0, 0, 0])
    two.add_node("other", distribution=[0, 0, 0, 1])
    two.add_edge("sure", "other")
    alone, beside = (design(graph, epsilon="0.5", objective=objective).mechanism for graph in (CHAIN, two))
    for profile in CHAIN:
        assert beside.matrix(profile) == pytest.approx(alone.matrix(profile), abs=1e-9)
    assert beside.released("sure") != two.nodes["sure"]["distribution"]


@pytest.mark.parametrize("method", ["auto", "highs", "reference"])
@pytest.mark.parametrize("objective", [MaxOffDiagonal(), ExpectedLoss("absolute"), WorstLoss()], ids=lambda o: o.name)
def test_one_matrix_for_each_component(objective: Objective, method: str) -> None:
    two = nx.Graph(CHAIN)
    two.add_node("alone", distribution=[1, 0, 0, 0])
    result = design(two, epsilon="0.5", objective=objective, shared=True, method=method)
    rows = {profile: [result.mechanism.row(profile, x) for x in result.mechanism.categories] for profile in two}
    assert rows["P1"] == rows["P2"] == rows["P3"] != rows["alone"]
    assert_private(result.mechanism, checked(two), Fraction(1, 2))
    assert float(result.value) >= float(design(two, epsilon="0.5", objective=objective).value) - 1e-9
    assert result.value <= result.baseline


def test_the_mechanism_is_independent_of_the_graph_given() -> None:
    """A caller who changes the graph afterwards changes nothing that was designed."""
    graph = profile_graph({"a": [1, 0], "b": [0, 1]}, edges="all", categories=["no", "yes"])
    result = design(graph, epsilon=1)
    before = released(result.mechanism, "a")
    graph.nodes["a"]["distribution"] = (Fraction(0), Fraction(1))
    assert released(result.mechanism, "a") == before


def test_the_same_question_has_the_same_answer() -> None:
    first, second = (design(CHAIN, epsilon="0.3").mechanism for _ in range(2))
    assert (first.weights == second.weights).all()
    assert (first.index == second.index).all()


def test_row_totals_fit_in_64_bits() -> None:
    """A double may have 2^55 below the line; the mean of twenty profiles that must release the same far more."""
    floats = profile_graph({"a": [0.1, 0.9], "b": [0.3, 0.7], "c": [1 / 3, 2 / 3]}, edges="all", categories=[0, 1])
    rows = {n: [Fraction(1, n), 1 - Fraction(1, n)] for n in range(500, 520)}
    same = profile_graph(rows, edges=[(n, n + 1) for n in range(500, 519)], categories=[0, 1])
    cases = [(graph, "0.5") for graph in (CHAIN, value_graph(range(5)), counting_graph(10), floats)]
    for graph, epsilon in [*cases, (same, "0")]:
        assert max(design(graph, epsilon=epsilon).mechanism.totals) <= 2**62


def test_progress_is_told_by_component() -> None:
    told: list[tuple[int, int]] = []
    graph = profile_graph({i: [1] for i in range(3)}, edges=[(0, 1)], categories=["x"])
    design(graph, epsilon=1, progress=lambda done, everything: told.append((done, everything)))
    assert told == [(1, 2), (2, 2)]


def test_phases_and_rounds_are_announced() -> None:
    """One component may take minutes: what is being done there can be followed."""
    told: list[str] = []
    with announced_to(told.append):
        design(CHAIN, epsilon="0.5")
    phases = list(dict.fromkeys(words.split(",")[0] for words in told))
    assert phases == ["build", "solve", "canonical", "bound", "repair", "check"]
    rounds = [words for words in told if words.startswith("solve, round ")]
    assert re.fullmatch(r"solve, round 1: \d+ rows", rounds[0])
    assert [words.split(":")[0][-1] for words in rounds] == [str(n) for n in range(1, len(rounds) + 1)]
    design(CHAIN, epsilon="0.5")
    assert told.count("build") == 1  # nobody listens any more


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"epsilon": -1}, "epsilon: expected a number >= 0"),
        ({"epsilon": [0.1, 0.5]}, "found [0.1, 0.5]; `sweep` takes several"),
        ({"delta": 1}, "delta: expected a number in [0, 1)"),
        ({"method": "simplex"}, "method: expected one of auto, structured, highs, reference, one-bit-cluster"),
        ({"method": "smooth-categorical"}, "found 'smooth-categorical'; that is what auto designs"),
        ({"method": None}, "method: expected one of"),
        ({"objective": "max-off-diagonal"}, "found 'max-off-diagonal'; in Python that is MaxOffDiagonal()"),
        ({"objective": MaxOffDiagonal}, "; call it: MaxOffDiagonal(...)"),
        pytest.param({"objective": lambda *_: 0}, "a function of one's own goes into Convex(...)", id="function"),
        ({"objective": ExpectedLoss([[0, 1], [1, 0]])}, "loss: expected one row per category, 4, found 2"),
        ({"shared": True, "method": "structured"}, "structured"),
        ({"shared": True, "method": "one-bit-cluster"}, "one-bit-cluster"),
        ({"method": "one-bit-cluster"}, "expected two categories, found 4"),
    ],
    ids=str,
)
def test_arguments_that_cannot_be_used(arguments: dict[str, Any], fault: str) -> None:
    with pytest.raises(InputError) as caught:
        design(CHAIN, **{"epsilon": 1, **arguments})
    assert fault in str(caught.value)


def test_foreign_matrices_are_not_private_by_being_written_down() -> None:
    """The independent check of these tests can fail."""
    truth = mechanism_from_matrix([[1, 0], [0, 1]], inputs=["no", "yes"])
    with pytest.raises(AssertionError):
        assert_private(truth, value_graph(["no", "yes"]), 5)
    assert_private(truth, value_graph(["no", "yes"]), math.inf)


@pytest.mark.parametrize("objective", [MaxOffDiagonal(), ExpectedLoss("absolute")])
@pytest.mark.parametrize("edges", [[], [(0, 1)]])
def test_a_design_that_does_not_fit_in_memory_is_refused_at_once(
    edges: list[tuple[int, int]], objective: Objective, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mechdesign.objective.by_loss.ByLoss.table", None)  # neither is made before
    monkeypatch.setattr("mechdesign.problem.Problem.profiles", None)
    graph = nx.Graph(categories=list(range(20_000)))
    for x in range(3):
        graph.add_node(x, distribution=PointMass(x, 20_000))
    graph.add_edges_from(edges)
    with pytest.raises(InputError) as caught:
        design(graph, epsilon=1, objective=objective)
    (fault,) = caught.value.faults
    assert fault.startswith(
        "too large: 3 profiles, 20,000 categories and 20,000 outputs make 400,000,000 probabilities, expected at most"
    )
    assert "merge categories" in fault


def test_whether_noise_is_needed_is_seen_without_a_table_of_all_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mechdesign.rounding.realise.np.identity", None)
    distributions = {"a": ["1/2", "1/2"], "b": ["1/3", "2/3"]}
    graph = profile_graph(distributions, edges="all", categories=["no", "yes"])
    assert design(graph, epsilon=1).value == 0


def test_more_limits_than_fit_in_memory_are_refused_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mechdesign.designer.largest_design.MOST_LIMITS", 40)
    near = value_graph(range(5), metric=lambda x, y: abs(x - y))  # all but the neighbours' follow from others
    assert design(near, epsilon=1).value > 0
    assert design(value_graph(range(7)), epsilon=1).value > 0  # one clique
    far = value_graph(range(5), metric=lambda x, y: abs(x - y) ** 0.5)
    with pytest.raises(
        InputError, match="10 edges with limits of their own on 5 outputs make 50 limits, expected at most 40"
    ):
        design(far, epsilon=1)
