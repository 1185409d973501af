"""The exact rows of one component: repair what is released, then move each profile's mass there by integer plans."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact
from mechdesign.exact.numbers import round_to_total
from mechdesign.graph.distribution import support
from mechdesign.privacy.cover import met
from mechdesign.privacy.released import Released, released_through
from mechdesign.problem import Problem
from mechdesign.rounding.mixing import ROW_BITS, repaired_shared
from mechdesign.rounding.transport_plans import Plan, capped, cheapest, monotone, proportional

NoisyRows: TypeAlias = list[tuple[Sequence[int], int, Exact]]
"""(profiles, category, integer weights): the row that these profiles use at this category."""


def realised(problem: Problem, released: Sequence[Released]) -> NoisyRows:
    """Return rows through which the profiles release just this, or so nearly that it is still private.

    By the transport plans that are cheapest for the objective.
    """
    shares = np.array([one.weights / one.total for one in released], dtype=np.float64)
    level = problem.objective.level(problem.profiles, shares)
    rows: NoisyRows = []
    for i, one in enumerate(released):
        possible = support(problem.exact[i])
        plan = {possible[0][0]: one.weights} if len(possible) == 1 else _plan(problem, i, one, level)
        rows += [([i], x, plan[x]) for x, _ in possible]
    return _shortened(problem, rows)


def realised_shared(problem: Problem, matrix: npt.NDArray[np.object_]) -> NoisyRows:
    """Return the rows of one matrix for all profiles, near the given one (d x m) and exactly private.

    Raises
    ------
    SolverError
        if it cannot be made private.
    """
    table = repaired_shared(problem, matrix)
    everyone = range(len(problem.exact))
    return [(everyone, x, row) for x, row in enumerate(table) if problem.profiles[:, x].any()]


def reached(problem: Problem, rows: NoisyRows) -> float:
    """Return the component's objective with these rows, in doubles, over the problem's `loss_unit`."""
    table = np.array([row for _, _, row in rows], dtype=object)
    shares = (table / table.sum(axis=1, keepdims=True)).astype(float)
    return problem.objective.reached(problem, [(who, x) for who, x, _ in rows], shares)


def _plan(problem: Problem, i: int, released: Released, level: float) -> Plan:
    supply = [int(mass * released.total) for mass in problem.exact[i]]
    demand = list(released.weights)
    match problem.objective.plan:
        case "capped":
            return capped(supply, demand, level)
        case "proportional":
            return proportional(supply, demand)
        case "monotone":
            return monotone(supply, demand)
    assert problem.loss is not None
    return cheapest(supply, demand, problem.loss)


def _shortened(problem: Problem, rows: NoisyRows) -> NoisyRows:
    """Round rows of totals above 2^62 to that total if the result is still private; else leave them as they are."""
    limit = 2**ROW_BITS
    short = [(who, x, _over(row, np.gcd.reduce(row))) for who, x, row in rows]
    if all(row.sum() <= limit for _, _, row in short):
        return short
    short = [(who, x, row if row.sum() <= limit else _rounded(row, limit)) for who, x, row in short]
    parts: list[list[tuple[int, Exact]]] = [[] for _ in problem.exact]
    for (i,), x, row in short:
        parts[i].append((x, row))
    released = [released_through((problem.exact[i][x], row) for x, row in own) for i, own in enumerate(parts)]
    return short if met(released, problem.cover) else rows


def _over(row: Exact, common: int) -> Exact:
    """Return weights over a common factor; as they are where that is 1, for classes share millions of them."""
    return row if common == 1 else row // common


def _rounded(row: Exact, total: int) -> Exact:
    return np.array(round_to_total(list(row), total), dtype=object)
