"""The smallest epsilon for a tolerated loss: held against closed forms and the formula, and what is refused."""

import math
from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import Any

import cvxpy as cp
import networkx as nx
import pytest
from command import answer, refused
from hypothesis import given, settings
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.designer import smallest_epsilon as module
from mechdesign.designer.smallest_epsilon import _by_value

APART = Fraction(1, 10**6)


def ends(found: md.SmallestEpsilon) -> tuple[float, float]:
    """Return both ends, which are near each other."""
    assert found.too_small is not None
    low, high = found.too_small.epsilon, found.epsilon
    assert 0 < high - low <= APART
    return float(low), float(high)


def test_the_seconds_are_those_of_all_designs_that_were_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def designed(*given: Any, **options: Any) -> md.Design:
        made.append(md.design(*given, **options))
        made[-1].stats["seconds"] = 1
        return made[-1]

    monkeypatch.setattr(module, "design", designed)
    found = md.smallest_epsilon("bernoulli-couplet", "0.1")
    assert found.design.stats["seconds"] == len(made) > 2


@pytest.mark.parametrize("loss", ["0.3", "0.05", "0.0001"])
def test_it_is_that_of_randomised_response(loss: str) -> None:
    """Of k values, all as likely, k-ary randomised response errs in (k - 1) / (k - 1 + e^epsilon) of all cases."""
    graph = md.value_graph(list("abcd"))
    found = md.smallest_epsilon(graph, loss, objective=md.ExpectedLoss())
    low, high = ends(found)
    assert low <= math.log(3 * (1 / float(loss) - 1)) + 1e-9
    assert high >= math.log(3 * (1 / float(loss) - 1)) - 1e-9
    assert found.proved
    assert found.design.value <= Fraction(loss)


def test_a_value_between_the_two_ends_of_a_proof_is_refused_by_none() -> None:
    """Of a design whose value is above what is tolerated, and whose bound is not: another may be good enough."""
    made = md.design("categorical-chain", epsilon=Fraction(1, 2))
    assert made.bound < made.value
    between = _by_value((made.bound + made.value) / 2, made)
    assert (between.enough, between.refused) == (False, False)
    below, at = _by_value(made.bound - Fraction(1, 10**12), made), _by_value(made.value, made)
    assert (below.enough, below.refused) == (False, True)
    assert (at.enough, at.refused) == (True, False)


@pytest.mark.slow
@settings(max_examples=4)
@given(st.fractions(0, Fraction("0.09"), max_denominator=1000))
def test_it_is_where_the_formula_has_that_value(most: Fraction) -> None:
    """The value of the nearest design is at most what was asked, exactly; the formula is above it at the other end."""
    found = md.smallest_epsilon("categorical-chain", most)
    assert found.design.value <= most
    formula = md.formula("categorical-chain")
    low, high = ends(found)
    assert formula(high) <= most + Fraction(1, 10**8)
    assert formula(low) >= most - Fraction(1, 10**8)
    assert found.too_small is not None
    assert found.too_small.bound > most


def test_a_nearest_design_that_is_not_good_enough_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be a little above the optimum; what is said to be enough is, and both ends stay near each other."""

    def poorer(graph: nx.Graph, *, epsilon: Any, any_optimum: bool, **options: Any) -> md.Design:
        less = Fraction(0) if any_optimum else Fraction(1, 1000)
        return md.design(graph, epsilon=epsilon - less, any_optimum=any_optimum, **options)

    monkeypatch.setattr("mechdesign.designer.smallest_epsilon.design", poorer)
    found = md.smallest_epsilon("categorical-chain", "0.05")
    ends(found)
    assert found.design.value <= Fraction("0.05")


def test_no_distortion_at_all() -> None:
    """The profiles of the chain are ln 3 apart."""
    low, high = ends(md.smallest_epsilon("categorical-chain", 0))
    assert low < math.log(3) <= high


def test_nothing_is_needed() -> None:
    found = md.smallest_epsilon("categorical-chain", 1)
    assert (found.epsilon, found.too_small) == (0, None)
    assert found.facts()[-1].words == "Epsilon 0 is enough for a value of at most 1."


def test_a_bound_is_written_above_what_is_tolerated() -> None:
    """Both ends may be so near to the root that nine digits of the bound are those of the tolerated value."""
    half = Fraction(1, 2)
    assert module._above(half + Fraction(34, 10**9), half) == "0.500000034"
    assert module._above(half + Fraction(1, 10**11), half) == "0.50000000001"


@pytest.mark.slow
def test_so_many_rows_are_enough() -> None:
    """One epsilon lower they are not, by the plan of the design there."""
    asked: dict[str, Any] = {"objective": md.ExpectedLoss(), "shared": True}
    found = md.smallest_epsilon("counting-10", rows=100_000, margin="0.01", **asked)
    ends(found)
    assert found.too_small is not None
    enough, others = (md.plan_rows(one.mechanism, "0.01").rows for one in (found.design, found.too_small))
    assert enough is not None
    assert others is None or enough <= 100_000 < others
    assert not found.proved


@pytest.mark.parametrize(
    "options",
    [
        {"delta": "0.01"},
        {"shared": True},
        {"objective": md.WorstLoss("absolute")},
        {"objective": md.LargestCost()},
        {"method": "highs"},
    ],
    ids=str,
)
def test_other_designs(options: dict[str, Any]) -> None:
    """The optimum at both ends is on either side of what was asked, by a design with no search."""
    found = md.smallest_epsilon("commutes", "0.02", **options)
    low, high = ends(found)
    made = [md.design("commutes", epsilon=one, **options) for one in (low, high)]
    assert made[0].bound > Fraction(1, 50) >= made[1].value - Fraction(1, 10**10)


def test_a_multiple_of_the_edges_own() -> None:
    graph = md.profile_graph(
        {"a": ["0.1", "0.9"], "b": ["0.3", "0.7"]}, edges=[("a", "b", {"epsilon": 2})], categories=["no", "yes"]
    )
    plain = md.profile_graph({"a": ["0.1", "0.9"], "b": ["0.3", "0.7"]}, edges=[("a", "b")], categories=["no", "yes"])
    multiple, epsilon = md.smallest_epsilon(graph, "0.05", scale_own=True), md.smallest_epsilon(plain, "0.05")
    assert abs(2 * Fraction(multiple.epsilon) - Fraction(epsilon.epsilon)) <= 2 * APART


def test_an_objective_of_ones_own() -> None:
    """Its bound is the solver's word, which is said."""

    def squares(matrices: Mapping[Hashable, cp.Variable], graph: nx.Graph) -> cp.Expression:
        assert len(graph) == len(matrices)
        return sum(cp.sum_squares(matrix - cp.diag(cp.diag(matrix))) for matrix in matrices.values())

    found = md.smallest_epsilon("bernoulli-couplet", "0.01", objective=md.Convex(squares))
    assert found.facts()[-1].words.endswith("by the solver's word.")


def test_the_command_designs_at_it() -> None:
    said = answer("design", "categorical-chain", "--at-most", "0.05")
    assert said["epsilon"] == said["smallest"]["epsilon"] > said["smallest"]["too_small"]
    assert said["value"] <= 0.05
    assert said["smallest"]["proved"]


def test_the_command_refuses_before_it_looks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be shown of any design costs no search."""

    def never(*_: object, **__: object) -> None:
        raise AssertionError("looked for")

    monkeypatch.setattr("mechdesign.cli.run_design.smallest_epsilon", never)
    line = ["--at-most", "0.05", "--method", "one-bit-cluster", "--prices"]
    assert "--prices" in refused("design", "categorical-chain", *line)


def test_a_value_below_zero_may_be_tolerated_of_a_loss_that_reaches_there() -> None:
    """Where the loss has no entry below 0 it is refused, as no epsilon is enough."""
    graph = md.value_graph("abc")
    found = md.smallest_epsilon(graph, "-0.2", objective=md.ExpectedLoss([[0, 1, 5], [1, 0, 1], [5, -1, 0]]))
    ends(found)
    assert found.proved
    assert found.design.value <= Fraction("-0.2")
    earned = md.Convex(lambda matrices, graph: cp.sum([-cp.trace(matrix) for matrix in matrices.values()]))
    assert md.smallest_epsilon(graph, -4, objective=earned).design.value <= -4
    for objective in (md.ExpectedLoss(), md.MaxOffDiagonal(), md.MutualInformation(1)):
        with pytest.raises(md.InputError, match="at_most: expected a value >= 0 of the objective"):
            md.smallest_epsilon(graph, "-0.2", objective=objective)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("", "--epsilon: give one, or --at-most a value"),
        ("--at-most 0.1 --epsilon 1", "--epsilon: is what --at-most asks for"),
        ("--at-most -1", "--at-most: expected a value >= 0 of the objective, found '-1'"),
        ("--rows 10", "say rows and margin"),
        ("--at-most 0.1 --rows 10", "in place of rows and margin"),
        ("--rows 0 --margin 0.1", "--rows: expected a positive integer, found 0"),
        ("--rows 10 --margin 2", "--margin: expected a number between 0 and 1"),
        ("--rows 10 --margin 0.01", "no epsilon is enough for 95 % intervals of 0.01"),
    ],
)
def test_what_is_refused(line: str, fault: str) -> None:
    assert fault in refused("design", "categorical-chain", *line.split())
