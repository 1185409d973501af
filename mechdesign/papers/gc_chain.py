"""[GC] on the chain of Table I: Figures 1(b) and 1(c), the optimum of (5), its many solutions, and small epsilons."""

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

import networkx as nx
import numpy as np
import scipy.sparse as sp
from scipy.optimize import brentq

from mechdesign.arrays import Floats
from mechdesign.designer.baseline import baseline, category_costs
from mechdesign.designer.design import design
from mechdesign.designer.method import Method
from mechdesign.formulas.find import formula
from mechdesign.formulas.formula import Formula
from mechdesign.formulas.pieces import nats
from mechdesign.graph.graph_file import read_graph
from mechdesign.objective import LargestCost, MaxOffDiagonal
from mechdesign.papers.derived import NOTHING, Form, derived
from mechdesign.papers.gc_losses import worst_ratio
from mechdesign.papers.published import Claim
from mechdesign.privacy.requirement import requirements
from mechdesign.problem import Problem, near_optimal
from mechdesign.program.program import Program
from mechdesign.program.transport import transport_program
from mechdesign.solver.minimise import Wanted, minimise

FORMS = (
    Form([4, 0, -1], [12, 0, 9], Fraction(4, 3)),
    Form([3, -1], [9, 9], Fraction(3)),
    NOTHING,
)
"""Of the optimum of (5), by hand."""
INFORMATIVE = (3, 1, 0, 2)
"""The categories by how much their probability differs between the profiles: by 0, 0.1, 0.2, 0.3."""
TIE = 1e-9
"""Costs this close are equal."""


def chain() -> nx.Graph:
    """Return the profiles of Table I, P1 - P2 - P3."""
    return read_graph("categorical-chain")


def figure_1b() -> Iterator[Claim]:
    """The costs (6) of k-ary randomised response."""
    for epsilon in ("0", "1/20", "1/4", "1/2", "3/4", "1"):
        for category, cost in enumerate(response_costs(Fraction(epsilon)), start=1):
            yield Claim(f"cost of category {category}, epsilon {epsilon}", cost)
    largest = [float(max(response_costs(Fraction(step, 10)))) for step in range(21)]
    off = max(abs(cost - response_cost(step / 10)) for step, cost in enumerate(largest))
    yield Claim("distance from 0.6/(e^eps + 3), epsilon 0 to 2", off)


def response_costs(epsilon: Fraction) -> list[Fraction]:
    """Return the cost (6) of each category under k-ary randomised response, computed from its matrix.

    Examples
    --------
    >>> response_costs(Fraction(0))[0]
    Fraction(3, 20)
    """
    graph, delta = chain(), Fraction(0)
    response = baseline(graph, requirements(graph, epsilon, delta), MaxOffDiagonal(), epsilon, delta)
    costs = category_costs(response)
    assert costs is not None
    return costs


def response_cost(epsilon: float) -> float:
    """Return 0.6 / (e^epsilon + 3), the cost (6) of every category under k-ary response."""
    return 0.6 / (math.exp(epsilon) + 3)


def figure_1c() -> Iterator[Claim]:
    """The costs (6) of the optimum that `design` returns, and whether they lie among those of all optima."""
    for epsilon in ("0", "1/10", "1/4", "19/50", "1/2", "3/4", "1"):
        level = Fraction(epsilon)
        exact = smooth_costs(level)
        for category, cost in enumerate(exact, start=1):
            yield Claim(f"cost of category {category}, epsilon {epsilon}", cost)
        costs, ranges = [float(cost) for cost in exact], cost_ranges(level)
        inside = all(low - TIE <= cost <= high + TIE for cost, (low, high) in zip(costs, ranges, strict=True))
        possible = _ascending(costs) or _ascending(least_squares_costs(level))
        worse = max(costs) < response_cost(float(level))
        yield Claim(f"they are costs of an optimum of (5), epsilon {epsilon}", inside)
        yield Claim(f"less informative categories cost less, epsilon {epsilon}", possible)
        yield Claim(f"so for the optimum chosen here, epsilon {epsilon}", _ascending(costs))
        yield Claim(f"k-ary response costs more in each category, epsilon {epsilon}", worse)


def _ascending(costs: list[float]) -> bool:
    """Return whether categories that tell less of the profile cost no more."""
    return all(costs[low] <= costs[high] + TIE for low, high in pairwise(INFORMATIVE))


def smooth_costs(epsilon: Fraction) -> list[Fraction]:
    """Return the cost (6) of each category under the optimum that `design` returns, exactly."""
    costs = design(chain(), epsilon=epsilon).category_costs
    assert costs is not None
    return costs


def optima() -> Iterator[Claim]:
    """The optimum as a formula that is derived, its values, and what each method of `design` finds."""
    graph, found = chain(), _formula()
    yield from derived("t*", found, FORMS)
    values = {
        epsilon: optimum(float(Fraction(epsilon)))
        for epsilon in ("0", "1/20", "1/10", "1/4", "1/2", "3/4", "1", "21/20")
    }
    for epsilon, t in values.items():
        yield Claim(f"t*, epsilon {epsilon}", t)
    for epsilon, t in values.items():
        for method in (Method.STRUCTURED, Method.HIGHS, Method.REFERENCE):
            made = design(graph, epsilon=epsilon, method=method)
            yield Claim(f"by {method}, epsilon {epsilon}", made.value, reference=t)
            yield Claim(f"proved bound by {method}, epsilon {epsilon}", made.bound, reference=t)
    yield Claim("epsilon where the edge P2-P3 takes over from the path", nats(found.breakpoints[0], 1))
    masses = [graph.nodes[profile]["distribution"] for profile in graph]
    yield Claim("epsilon of the profiles as they are", math.log(worst_ratio(pairwise(masses))))


def optimum(epsilon: float) -> float:
    """Return t*(epsilon), the least maximum off-diagonal entry on the chain."""
    return _formula()(epsilon)


@cache
def _formula() -> Formula:
    return formula(chain())


def uniqueness() -> Iterator[Claim]:
    """The least and largest cost of each category among the optima, and the costs under a second rule."""
    for epsilon in ("0", "1/10", "1/2", "1"):
        for category, ends in enumerate(cost_ranges(Fraction(epsilon)), start=1):
            for which, end in zip(("least", "largest"), ends, strict=True):
                yield Claim(f"{which} cost of category {category}, epsilon {epsilon}", end)
    for epsilon in ("0", "1/10", "1/4", "1/2", "3/4", "1"):
        for category, cost in enumerate(least_squares_costs(Fraction(epsilon)), start=1):
            yield Claim(f"cost of category {category}, least squared off-diagonals, epsilon {epsilon}", cost)


def smooth_categorical(epsilon: Fraction) -> Problem:
    """Return (5) on the chain, as the programs take it."""
    graph = chain()
    exact = [attributes["distribution"] for attributes in graph.nodes.values()]
    required = tuple(requirements(graph, epsilon, Fraction(0)))
    return Problem(exact, required, MaxOffDiagonal(), np.full(len(exact), 1 / len(exact)), shared=False)


def cost_ranges(epsilon: Fraction) -> list[tuple[float, float]]:
    """Return, for each category of the chain, the least and the largest cost (6) of an optimum of (5)."""
    problem = smooth_categorical(epsilon)
    program, layout = transport_program(problem, level=optimum(float(epsilon)))
    released, m = layout.released(problem), problem.outputs
    ranges = []
    for y in range(m):
        moves = list(_moves(released[y::m], problem.profiles[:, y]))
        largest = max(-_least_of_largest(program, [(-row, -bound)]) for row, bound in moves)
        ranges.append((max(0.0, _least_of_largest(program, moves)), largest))
    return ranges


def _moves(released: sp.csr_matrix, masses: Floats) -> Iterator[tuple[Floats, float]]:
    """Yield (row, bound) such that row · x + bound is q^i_y - P_i(y), and the same for P_i(y) - q^i_y."""
    for row, mass in zip(released.toarray(), masses, strict=True):
        yield row, -float(mass)
        yield -row, float(mass)


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


def least_squares_costs(epsilon: Fraction) -> list[float]:
    """Return the costs (6) of the chain's optimum with the least sum of squared off-diagonal entries."""
    problem = smooth_categorical(epsilon)
    program, layout = transport_program(problem, level=near_optimal(optimum(float(epsilon))))
    entries = minimise(program).columns[: layout.entries]
    moved = (layout.released(problem) @ entries).reshape(problem.profiles.shape) - problem.profiles
    return [float(cost) for cost in np.abs(moved).max(axis=0)]


def small_epsilon() -> Iterator[Claim]:
    """Where the baseline wins, and the least possible largest cost."""
    root = float(brentq(lambda epsilon: 1.2 * optimum(epsilon) - response_cost(epsilon), 0.0, 0.25, xtol=1e-14))
    E = math.exp(root)
    yield Claim("epsilon below which k-ary response costs less", root)
    yield Claim("2 E^3 + 15 E^2 - 8 E - 12 there", 2 * E**3 + 15 * E**2 - 8 * E - 12)
    for epsilon in ("0", "1/20"):
        least, response = cost_ranges(Fraction(epsilon))[2][0], response_cost(float(Fraction(epsilon)))
        yield Claim(f"least cost of category 3 among the optima, epsilon {epsilon}", least)
        yield Claim(f"its cost under k-ary response, epsilon {epsilon}", response)
        yield Claim(f"k-ary response is worse, epsilon {epsilon}", response > least)
    for epsilon in ("0", "1/20", "1/10", "1/4", "1/2", "3/4", "1"):
        cost = least_largest_cost(Fraction(epsilon))
        yield Claim(f"least possible largest cost, epsilon {epsilon}", cost)
        no_better = response_cost(float(Fraction(epsilon))) >= cost - TIE
        yield Claim(f"k-ary response is no better than that, epsilon {epsilon}", no_better)


def least_largest_cost(epsilon: Fraction) -> float:
    """Return the least max_j cost_j, (6), that any profile-private mechanism has on the chain."""
    return float(design(chain(), epsilon=epsilon, objective=LargestCost(), any_optimum=True).value)
