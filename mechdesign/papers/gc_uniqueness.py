"""The optimum of [GC] (5) is not unique: what each category may cost (6) among all optima on the chain."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.designer.design import design
from mechdesign.papers.drawing import COLOURS, panels
from mechdesign.papers.gc import PAPER, categorical_chain, smooth_categorical
from mechdesign.papers.gc_optimum import optimum
from mechdesign.papers.result import Claim, Result
from mechdesign.problem import HELD, near_optimal
from mechdesign.program.program import Program
from mechdesign.program.transport import transport_program
from mechdesign.solver.minimise import Wanted, minimise

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORDS = """\
The paper defines Smooth Categorical as "the process that solves the optimization (5)" and plots its costs \
(6). ERR-3.5: (5) has many optima, and (6) differs among them, so the figure depends on the solver: \
category 1 may cost anything from 0 to 0.068 at epsilon 0.5. mechdesign returns one by rule, of those within a \
billionth of the optimum that whose released distributions are closest to the profiles (least sum \
of squares). Another rule that picks one, the least sum of squared off-diagonal entries, is shown beside it."""

RANGES = {
    "0": "0.100000 0.171429  0.050000 0.128571  0.171429 0.171429  0.028571 0.100000",
    "1/10": "0.070100 0.145017  0.032515 0.145017  0.145017 0.145017  0.024169 0.108763",
    "1/2": "0.000000 0.068022  0.000000 0.068022  0.051016 0.068022  0.005668 0.051016",
    "1": "0.000000 0.010102  0.000000 0.010102  0.007577 0.010102  0.000842 0.007577",
}
LEAST_SQUARES = {
    "0": "0.115690 0.063704 0.171429 0.050823",
    "1/10": "0.072750 0.055474 0.145017 0.045911",
    "1/4": "0.042652 0.039050 0.105130 0.034283",
    "1/2": "0.022674 0.022674 0.051016 0.017005",
    "3/4": "0.012590 0.012590 0.028329 0.009443",
    "1": "0.003367 0.003367 0.007577 0.002526",
}
CURVE = [Fraction(step, 20) for step in range(23)]
"""The epsilons at which the curves are computed."""


def reproduce() -> Result:
    """Return the least and largest cost of each category among the optima, and the costs under a second rule.

    References
    ----------
    [GC] (5), (6), Figure 1(c).
    """
    rows = []
    for epsilon, references in RANGES.items():
        ends = [end for both in cost_ranges(categorical_chain(), Fraction(epsilon)) for end in both]
        for place, (end, reference) in enumerate(zip(ends, references.split(), strict=True)):
            what = f"{('least', 'largest')[place % 2]} cost of category {place // 2 + 1}, epsilon {epsilon}"
            rows.append(Claim(what, end, reference=reference))
    for epsilon, references in LEAST_SQUARES.items():
        costs = least_squares_costs(categorical_chain(), Fraction(epsilon))
        for category, (cost, reference) in enumerate(zip(costs, references.split(), strict=True), start=1):
            what = f"cost of category {category}, least squared off-diagonals, epsilon {epsilon}"
            rows.append(Claim(what, cost, reference=reference))
    return Result("gc-uniqueness", "Categorical-Chain: the optima of (5)", PAPER, tuple(rows), WORDS, draw)


def cost_ranges(graph: nx.Graph, epsilon: Fraction) -> list[tuple[float, float]]:
    """Return, for each category of the chain, the least and the largest cost (6) of an optimum of (5).

    Parameters
    ----------
    graph
        the chain of Table I.
    epsilon
        in nats.

    Examples
    --------
    >>> [[round(end, 6) for end in ends] for ends in cost_ranges(categorical_chain(), Fraction(1, 2))][2:]
    [[0.051016, 0.068022], [0.005668, 0.051016]]
    """
    problem = smooth_categorical(graph, epsilon)
    program, layout = transport_program(problem, level=optimum(float(epsilon)))
    released, m = layout.released(problem), problem.outputs
    ranges = []
    for y in range(m):
        moves = list(_moves(released[y::m], problem.profiles[:, y]))
        largest = max(bound - _least(program, -row) for row, bound in moves)
        ranges.append((max(0.0, _least_of_largest(program, moves)), largest))
    return ranges


def _moves(released: sp.csr_matrix, masses: Floats) -> Iterator[tuple[Floats, float]]:
    """Yield (row, bound) such that row · x + bound is q^i_y - P_i(y), and the same for P_i(y) - q^i_y."""
    for row, mass in zip(released.toarray(), masses, strict=True):
        yield row, -float(mass)
        yield -row, float(mass)


def _least(program: Program, row: Floats) -> float:
    """Minimise row · x over the face."""
    cost = np.zeros(len(program.cost))
    cost[: len(row)] = row
    entries = minimise(replace(program, cost=cost, curvature=None), Wanted.VERTEX).columns
    return float(cost @ entries)


def _least_of_largest(program: Program, moves: list[tuple[Floats, float]]) -> float:
    """Minimise z over the face, subject to row · x + bound <= z for each move.

    z takes the program's level column, the first after the entries, which is idle when the level is given.
    """
    entries, columns = len(moves[0][0]), len(program.cost)
    block = np.zeros((len(moves), columns))
    block[:, :entries] = [row for row, _ in moves]
    block[:, entries] = -1.0
    cost = np.zeros(columns)
    cost[entries] = 1.0
    matrix = sp.vstack([program.matrix, sp.csr_matrix(block)], format="csr")
    lower = np.concatenate([program.lower, np.full(len(moves), -np.inf)])
    upper = np.concatenate([program.upper, [-bound for _, bound in moves]])
    bounded = replace(program, cost=cost, matrix=matrix, lower=lower, upper=upper, curvature=None)
    return float(minimise(bounded, Wanted.VERTEX).columns[entries])


def least_squares_costs(graph: nx.Graph, epsilon: Fraction) -> list[float]:
    """Return the costs (6) of the chain's optimum with the least sum of squared off-diagonal entries.

    Parameters
    ----------
    graph
        the chain of Table I.
    epsilon
        in nats.

    Examples
    --------
    >>> [round(cost, 6) for cost in least_squares_costs(categorical_chain(), Fraction(1, 2))]
    [0.022674, 0.022674, 0.051016, 0.017005]
    """
    problem = smooth_categorical(graph, epsilon)
    program, layout = transport_program(problem, level=near_optimal(optimum(float(epsilon)), HELD))
    entries = minimise(program).columns[: layout.entries]
    moved = (layout.released(problem) @ entries).reshape(problem.profiles.shape) - problem.profiles
    return [float(cost) for cost in np.abs(moved).max(axis=0)]


def draw() -> "Figure":
    """Return, for each category, the range of its cost among all optima, and the cost of the one returned."""
    graph = categorical_chain()
    levels = [float(level) for level in CURVE]
    ranges = np.array([cost_ranges(graph, level) for level in CURVE])
    chosen = np.array([design(graph, epsilon=level).category_costs for level in CURVE], dtype=np.float64)
    titles = [f"category {y + 1}" for y in range(len(COLOURS))]
    figure, axes = panels(titles, across="privacy level ε", up="maximum absolute error (6)", width=2.5)
    for y, (one, colour) in enumerate(zip(axes, COLOURS, strict=True)):
        low, high = ranges[:, y].T
        one.fill_between(levels, low, high, color=colour, alpha=0.2, linewidth=0, label="all optima of (5)")
        one.plot(levels, chosen[:, y], color=colour, label="the optimum returned")
        one.set(xlim=(0, 1.1), ylim=(0, 0.18))
        one.legend(fontsize=8, frameon=False)
    return figure
