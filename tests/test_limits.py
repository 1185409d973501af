"""Limits as rows over what is released alone: each holds where all do, and names what breaks it."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from mechdesign import ExpectedLoss, MaxOffDiagonal, WorstLoss
from mechdesign.arrays import Floats
from mechdesign.bench.families import graph_of_family
from mechdesign.designer.component import components
from mechdesign.objective import Objective
from mechdesign.objective.by_loss import ByLoss
from mechdesign.objective.reachability import reach_excess
from mechdesign.privacy.requirement import requirements
from mechdesign.problem import Problem
from mechdesign.solver.limits import Limits

CONVEX = {
    "squares": [[(x - y) ** 2 for y in range(4)] for x in range(4)],
    "uneven": [[abs(x - y) for y in (0, 1, 4, 5)] for x in (0, 1, 4, 5)],
    "steep": [[(x - y) ** 2 if x > y else 3 * (y - x) for y in (0, 1, 2, 9)] for x in (0, 1, 2, 9)],
}
"""Convex distances on a line."""


def problem_of(objective: Objective, delta: str) -> Problem:
    graph = graph_of_family("ring", 6, 4, 1)
    return components(graph, requirements(graph, Fraction(1, 2), Fraction(delta)), objective, shared=False)[0].problem


def random_distributions(seed: int, k: int = 6, m: int = 4) -> Floats:
    return np.random.default_rng(seed).dirichlet(np.ones(m), k)


def excess(problem: Problem, released: Floats, level: float) -> float:
    """Return how far the worst limit of the largest entry is exceeded, from the definitions."""
    return max(private_excess(problem, released), float(reach_excess(problem.profiles, released, level)[0].max()))


def private_excess(problem: Problem, released: Floats) -> float:
    """Return how far the worst limit of privacy is exceeded, from the definition."""
    found = [-1.0]
    for edge in problem.required:
        for a, b in edge.directions():
            gaps = released[a] - np.exp(float(edge.epsilon)) * released[b]
            broken = np.maximum(gaps, 0).sum() - float(edge.delta) if edge.delta else gaps.max()
            found.append(float(broken / np.exp(float(edge.epsilon))))
    return max(found)


def above(limits: Limits, released: Floats) -> float:
    """Return how far the worst row is above its bound, with the slacks that are the least."""
    matrix, bounds = limits.rows()
    values, slacks = matrix[:, : released.size], matrix[:, released.size :].tocsc()
    gaps = values @ released.ravel() - bounds
    least = [
        max(0.0, gaps[slacks.indices[slacks.indptr[j] : slacks.indptr[j + 1]].min()]) for j in range(slacks.shape[1])
    ]
    return float((gaps + slacks @ np.array(least)).max(initial=-1.0))


def are_met(limits: Limits, released: Floats, tolerance: float) -> bool:
    """Return whether there are columns of the rows' own with which none is above its bound by more."""
    matrix, bounds = limits.rows()
    values, own = matrix[:, : released.size], matrix[:, released.size :]
    room = bounds - values @ released.ravel() + tolerance
    return bool(linprog(np.zeros(own.shape[1]), own, room).status == 0) if own.shape[1] else bool((room >= 0).all())


@given(st.sampled_from(["0", "1/20"]), st.integers(0, 10**6))
def test_rows_are_found_where_a_limit_is_exceeded_and_only_there(delta: str, seed: int) -> None:
    problem = problem_of(MaxOffDiagonal(), delta)
    released, other, limits = random_distributions(seed), random_distributions(seed + 1), Limits(problem, 0.2)
    limits.leave_out(np.full(released.size, 1 / released.shape[1]))
    assert len(limits) == 0  # where all release the same nothing nearly binds
    worst = excess(problem, released, 0.2)
    found = limits.add_violated(released.ravel())
    assert bool(found) == (worst > 1e-9)
    while found:
        found = limits.add_violated(released.ravel())
    if worst > 1e-9:
        assert above(limits, released) == pytest.approx(worst)
    assert above(limits, other) <= max(0.0, excess(problem, other, 0.2)) + 1e-12


def nearly_alike(seed: int, k: int = 6, m: int = 4) -> Floats:
    """Return distributions of which none has a probability more than 1.5 times that of another."""
    middle = (1 / m + np.random.default_rng(seed).dirichlet(np.ones(m))) / 2
    return 0.95 * middle + 0.05 * random_distributions(seed, k, m)


def cheapest(profile: Floats, released: Floats, loss: Floats) -> float:
    """Return the least cost of a plan from a profile to what it releases, by its definition."""
    (d, m), shape = loss.shape, loss.size
    sums = [np.kron(np.eye(d), np.ones(m)), np.kron(np.ones(d), np.eye(m))[1:]]
    found = linprog(loss.ravel(), A_eq=np.vstack(sums), b_eq=np.concatenate([profile, released[1:]]))
    assert len(found.x) == shape
    return float(found.fun)


def costs_of(problem: Problem, released: Floats) -> Floats:
    assert problem.loss is not None
    return np.array([cheapest(p, q, problem.loss) for p, q in zip(problem.profiles, released, strict=True)])


@pytest.mark.parametrize("loss", ["hamming", "absolute", "circular", *CONVEX])
@pytest.mark.parametrize("seed", range(30))
def test_losses_above_the_level_are_found_and_no_others(loss: str, seed: int) -> None:
    """Of private distributions, so that nothing else is exceeded, whatever was added and left out before."""
    problem, released = problem_of(WorstLoss(CONVEX.get(loss, loss)), "0"), nearly_alike(seed)
    one_output, worst = np.tile(np.eye(4)[seed % 4], (len(released), 1)), costs_of(problem, released).max()
    points, random = [problem.profiles, one_output, released], np.random.default_rng(seed)
    for room in (-0.05, -0.01, 0.01):
        limits = Limits(problem, worst + room, problem.inequalities, range(len(problem.profiles)))
        limits.leave_out(points[0].ravel())
        for step, which in random.integers((2, 3), size=(random.integers(5), 2)):
            (limits.leave_out if step else limits.add_violated)(points[which].ravel())
        while limits.add_violated(released.ravel()):
            assert room < 0
        assert are_met(limits, released, 1e-7) == (room > 0)


@pytest.mark.parametrize("outputs", [2, 4, 6])
@pytest.mark.parametrize("seed", range(8))
def test_losses_by_a_table_above_the_level_are_found_and_no_others(outputs: int, seed: int) -> None:
    """By cuts that hold for whatever else a profile releases at the level, also where mass moves for nothing."""
    random = np.random.default_rng(seed)
    problem = problem_of(WorstLoss(random.integers(0, 4, (4, outputs)).tolist()), "0")
    assert problem.loss is not None
    released, others = nearly_alike(seed, m=outputs), random.dirichlet(np.ones(outputs), (20, 6))
    worst, *costs = (costs_of(problem, one) for one in (released, *others))
    for room in (-0.05, -0.01, 0.01):
        level, unit = worst.max() + room * problem.loss.max(), problem.loss.max()
        limits = Limits(problem, level, problem.inequalities, range(6))
        assert limits
        limits.leave_out(released.ravel())
        while limits.add_violated(released.ravel()):
            assert room < 0
        assert limits.rows()[0].shape[1] == released.size
        assert above(limits, released) == (pytest.approx(-room) if room < 0 else -1)
        for other, cost in zip(others, costs, strict=True):
            assert are_met(limits, other, 1e-9 + max(0.0, cost.max() - level) / unit)
        limits.leave_out(released.ravel())
        assert len(limits) == (worst > level).sum()


@pytest.mark.parametrize("seed", range(8))
def test_what_cost_little_may_cost_more_where_something_moved(seed: int) -> None:
    problem = problem_of(WorstLoss(np.random.default_rng(seed).integers(0, 4, (4, 5)).tolist()), "0")
    points = sorted((nearly_alike(seed + step, m=5) for step in (0, 8)), key=lambda one: costs_of(problem, one).max())
    low, high = (costs_of(problem, one).max() for one in points)
    limits = Limits(problem, (low + high) / 2, problem.inequalities, range(6))
    limits.leave_out(points[0].ravel())
    assert limits.add_violated(points[0].ravel()) == 0
    while limits.add_violated(points[1].ravel()):
        pass
    assert above(limits, points[1]) == pytest.approx((high - low) / 2)


@given(st.integers(0, 10**6))
def test_what_is_left_out_does_not_nearly_bind(seed: int) -> None:
    problem, released = problem_of(MaxOffDiagonal(), "1/20"), random_distributions(seed)
    limits = Limits(problem, 0.2)
    limits.leave_out(released.ravel())
    limits.add_violated(released.ravel())
    before = above(limits, released)
    limits.leave_out(released.ravel())
    assert above(limits, released) == pytest.approx(before) or before < 0


@given(st.integers(0, 10**6))
def test_outputs_that_are_clearly_above_count_without_a_slack(seed: int) -> None:
    released = random_distributions(seed)
    problem = problem_of(WorstLoss("absolute"), "1/20")
    limits = Limits(problem, 0.2, problem.inequalities)
    matrix, before = limits.rows()[0], above(limits, released)
    limits.leave_out(released.ravel())
    assert limits.rows()[0].shape[1] < matrix.shape[1]
    assert above(limits, released) == pytest.approx(before) or before < 0


@given(st.sampled_from([ExpectedLoss(), WorstLoss("absolute")]), st.integers(0, 10**6))
def test_each_profile_costs_what_transport_does(objective: ByLoss, seed: int) -> None:
    problem, released = problem_of(objective, "0"), random_distributions(seed)
    change = released - problem.profiles
    moved = (
        abs(np.cumsum(change, axis=1)).sum(axis=1) / 3 if objective.loss == "absolute" else abs(change).sum(axis=1) / 2
    )
    assert problem.loss is not None
    assert objective.priced is not None
    np.testing.assert_allclose(objective.priced.costs(change) * problem.loss[0, 1], moved, atol=1e-12)
