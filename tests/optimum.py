"""The optimum of a design as one linear program straight from the definition, in doubles; nothing of the package's."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog

Edge: TypeAlias = tuple[int, int, float, float]
"""(i, j, epsilon, delta)."""


def optimum(
    profiles: npt.ArrayLike | Sequence[Sequence[Fraction]],
    edges: Sequence[Edge],
    groups: Sequence[Sequence[int]],
    *,
    outputs: int,
    loss: npt.ArrayLike | None = None,
    weights: Sequence[float] | None = None,
) -> float:
    """Return the least largest off-diagonal entry; with a loss, its least weighted mean, or without weights its worst.

    Unknowns: one d x m matrix for each group, the parts s_y of delta for each edge and direction, and t.
    """
    P = np.array(profiles, dtype=float)
    (k, d), m = P.shape, outputs
    table = None if loss is None else np.array(loss, dtype=float)
    group_of = {i: g for g, group in enumerate(groups) for i in group}
    parts = len(groups) * d * m
    directed = [pair for i, j, e, delta in edges for pair in ((i, j, e, delta), (j, i, e, delta))]
    n = parts + len(directed) * m + 1

    def place(g: int, x: int, y: int) -> int:
        return int((g * d + x) * m + y)

    above: list[npt.NDArray[np.float64]] = []
    limits: list[float] = []

    def at_most(row: npt.NDArray[np.float64], limit: float) -> None:
        above.append(row)
        limits.append(limit)

    for number, (i, j, epsilon, delta) in enumerate(directed):
        scale = math.exp(-min(epsilon, 700.0))  # q^i e^-epsilon - q^j <= s e^-epsilon
        total = np.zeros(n)
        for y in range(m):
            row, slack = np.zeros(n), parts + number * m + y
            for x in range(d):
                row[place(group_of[i], x, y)] += P[i, x] * scale
                row[place(group_of[j], x, y)] -= P[j, x]
            row[slack], total[slack] = -scale, 1
            at_most(row, 0)
        at_most(total, delta)
    equal = np.zeros((len(groups) * d, n))
    for g in range(len(groups)):
        for x in range(d):
            equal[g * d + x, [place(g, x, y) for y in range(m)]] = 1
            for y in range(m) if table is None else ():
                if x != y:
                    row = np.zeros(n)
                    row[place(g, x, y)], row[-1] = 1, -1
                    at_most(row, 0)
    costs = np.zeros((k, n))
    if table is not None:
        for i in range(k):
            for x in range(d):
                for y in range(m):
                    costs[i, place(group_of[i], x, y)] = P[i, x] * table[x, y]
        for i in range(k) if weights is None else ():
            row = costs[i].copy()
            row[-1] = -1
            at_most(row, 0)
    goal = np.zeros(n)
    if table is not None and weights is not None:
        goal = np.array(weights, dtype=float) @ costs / sum(weights)
    else:
        goal[-1] = 1
    lower: list[tuple[float | None, float | None]] = [(0.0, None)] * (n - 1) + [(0.0 if table is None else None, None)]
    if table is not None and weights is not None:
        lower[-1] = (0.0, 0.0)
    found = linprog(
        goal, A_ub=np.array(above) if above else None, b_ub=limits or None, A_eq=equal, b_eq=np.ones(len(equal)),
        bounds=lower, method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )  # fmt: skip
    assert found.status == 0, found.message
    return float(found.fun)


def optimum_on_path(loss: npt.ArrayLike, epsilons: Sequence[float], weights: Sequence[float] | None = None) -> float:
    """Return that of the values along a path, one epsilon a step: the least weighted mean of their losses, or worst."""
    n, m = np.shape(loss)
    steps = [(i, i + 1, epsilon, 0.0) for i, epsilon in enumerate(epsilons)]
    return optimum(np.identity(n), steps, [range(n)], outputs=m, loss=loss, weights=weights)
