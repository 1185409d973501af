"""The worst value's loss on a path: the geometric mechanism, randomly read, against the definition."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from oracles.optimum import optimum_on_path

import mechdesign as md
from mechdesign.certificate.bound import proved
from mechdesign.designer.component import Component, components
from mechdesign.errors import SolverError
from mechdesign.privacy.requirement import requirements
from mechdesign.solver import worst_remap
from mechdesign.solver.geometric_remap import solve_path

Table = list[list[int]]


def table(n: int, of: Any) -> Table:
    return [[of(abs(x - y)) for y in range(n + 1)] for x in range(n + 1)]


LOSSES = {
    "absolute": lambda far: far,
    "hamming": lambda far: int(far > 0),
    "squared": lambda far: far * far,
    "more than 2 off": lambda far: int(far > 2),
    "capped": lambda far: min(far, 3),
}


def component_of(n: int, loss: Any, epsilon: str, epsilons: list[float] | None = None) -> Component:
    graph = md.counting_graph(n)
    for i, own in enumerate(epsilons or []):
        graph.edges[i, i + 1]["epsilon"] = Fraction(own)
    required = requirements(graph, Fraction(epsilon), Fraction(0))
    (one,) = components(graph, required, md.WorstLoss(loss), shared=False)
    return one


def check(component: Component, loss: Table, epsilons: list[float], order: list[int] | None = None) -> None:
    remap = solve_path(component.problem)
    assert remap is not None, "not an optimum"
    unit, best = float(component.problem.loss_unit), optimum_on_path(loss, [Fraction(one) for one in epsilons])
    right = float(best)
    assert remap.solution.value * unit == pytest.approx(right, abs=1e-8)
    costs = (remap.solution.released * np.array(loss)[order or range(len(loss))]).sum(axis=1)
    assert costs.max() == pytest.approx(right, abs=1e-8)
    bound = proved(component.problem, remap.solution.multipliers, component.prior).least
    assert bound <= best
    assert best - bound <= Fraction(1, 10**9) * best + Fraction(1, 10**12) * component.problem.loss_unit


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(("n", "epsilon"), [(1, "0.5"), (4, "0.05"), (9, "3")])
def test_no_private_mechanism_is_better_where_the_loss_grows_with_the_distance(loss: str, n: int, epsilon: str) -> None:
    """Gupte and Sundararajan; here proved case by case, and held against the definition."""
    losses = table(n, LOSSES[loss])
    check(component_of(n, losses, epsilon), losses, [float(epsilon)] * n)


def test_edges_may_ask_for_different_epsilons() -> None:
    epsilons, losses = [0.25, 1.0, 0.5, 2.0], table(4, LOSSES["absolute"])
    check(component_of(4, "absolute", "1", epsilons), losses, epsilons)


def test_the_order_of_the_profiles_does_not_matter() -> None:
    masses = {i: [int(x == i) for x in range(5)] for i in (3, 0, 4, 2, 1)}
    graph = md.profile_graph(masses, edges=[(i, i + 1) for i in range(4)], categories=range(5))
    losses = [[(1 + x) * abs(x - y) for y in range(5)] for x in range(5)]  # not the same read backwards
    (one,) = components(graph, requirements(graph, Fraction(1), Fraction(0)), md.WorstLoss(losses), shared=False)
    check(one, losses, [1.0] * 4, list(masses))


def test_a_loss_for_which_it_is_no_optimum() -> None:
    """Both ends are best reported alike, and unlike what is between them."""
    losses = [[1, 3], [3, 1], [2, 1], [1, 3]]
    assert solve_path(component_of(3, losses, "0.5").problem) is None
    made = md.design(md.counting_graph(3), epsilon="0.5", objective=md.WorstLoss(losses))
    assert float(made.value) == pytest.approx(float(optimum_on_path(losses, [Fraction(1, 2)] * 3)), abs=1e-9)


@pytest.mark.parametrize("loss", ["absolute", "hamming"])
def test_of_long_paths_a_few_columns_are_enough(loss: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No program with a column for each probability, and few rounds of the one for the remap."""
    columns, solved = [], worst_remap._solved

    def counted(*arguments: Any) -> Any:
        columns.append(len(arguments[3]))
        return solved(*arguments)

    monkeypatch.setattr(worst_remap, "_solved", counted)
    made = md.design(md.counting_graph(80), epsilon="0.5", objective=md.WorstLoss(loss))
    assert made.value - made.bound < 1e-8
    assert made.stats["way"] == {"geometric mechanism; nearest on the optimal face": 1}
    assert len(columns) <= 3
    assert max(columns) <= 15 * 81


def test_where_the_projection_fails_the_whole_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any) -> None:
        raise SolverError("no answer")

    monkeypatch.setattr("mechdesign.solver.canonical.closest", failing)
    same = [[0, 0, 1], [1, 1, 0], [1, 1, 0]]  # two outputs that cost the same
    made = md.design(md.counting_graph(2), epsilon="0.5", objective=md.ExpectedLoss(same))
    assert made.stats["any_optimum"] == 0
