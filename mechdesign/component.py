"""Connected components: separate problems, each solved to its own optimum."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from operator import itemgetter

import networkx as nx
import numpy as np

from mechdesign.certificate.bound import Weights, exact_weights
from mechdesign.certificate.realise import NoisyRows, no_noise_needed, reached_level, realised, realised_shared
from mechdesign.certificate.repair import nearest, repaired
from mechdesign.objective import Objective, profile_weights
from mechdesign.privacy import Requirement
from mechdesign.problem import Problem, Solution
from mechdesign.solver.canonical import canonical
from mechdesign.solver.full import solve_full, solve_shared
from mechdesign.solver.pdlp import solve_pdlp
from mechdesign.solver.reference import solve_reference
from mechdesign.solver.refine import refined
from mechdesign.solver.structured import solve_structured
from mechdesign.stopwatch import Stopwatch


class Method(StrEnum):
    """How a design is found."""

    AUTO = "auto"
    STRUCTURED = "structured"
    HIGHS = "highs"
    REFERENCE = "reference"
    ONE_BIT_CLUSTER = "one-bit-cluster"
    PDLP = "pdlp"


NEAR = 1e-9
"""How far a released probability may move to become exactly private, in units of the objective's value."""

TINY = Fraction(1, 10**12)
"""A delta below this is less than solvers' errors: what they find is made private without it, at about this cost."""

CLOSE = 1e-9
"""How far the largest off-diagonal entry may exceed the solver's before another way is tried."""

Solve = Callable[[Problem], Solution]

SOLVERS: dict[Method, Solve] = {
    Method.STRUCTURED: solve_structured,
    Method.HIGHS: solve_full,
    Method.REFERENCE: solve_reference,
    Method.PDLP: solve_pdlp,
}


@dataclass(frozen=True, eq=False)
class Component:
    """Profiles that edges connect, with their problem; `members` are positions in the graph, `prior` shares of it."""

    members: list[int]
    problem: Problem
    prior: tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class Answer:
    """What was found for a component.

    Attributes
    ----------
    rows
        the rows that differ from the free ones.
    weights
        exact multipliers, for the bound.
    noise
        whether any noise is needed.
    canonical
        whether `rows` are those of the canonical optimum.
    seconds
        how long each phase took.
    """

    rows: NoisyRows
    weights: Weights
    noise: bool
    canonical: bool
    seconds: dict[str, float]


def components(
    graph: nx.Graph, required: Sequence[Requirement], objective: Objective, *, shared: bool
) -> list[Component]:
    """Return the components of a checked graph under the given requirements."""
    distributions = [attributes["distribution"] for attributes in graph.nodes.values()]
    weights = profile_weights(graph)
    total = sum(weights, Fraction(0))
    joined = nx.Graph()
    joined.add_nodes_from(range(len(distributions)))
    joined.add_edges_from((edge.first, edge.second) for edge in required)
    groups = [sorted(group) for group in nx.connected_components(joined)]
    place = {i: (number, position) for number, group in enumerate(groups) for position, i in enumerate(group)}
    own: list[list[Requirement]] = [[] for _ in groups]
    for edge in required:
        number, first = place[edge.first]
        own[number].append(replace(edge, first=first, second=place[edge.second][1]))
    result = []
    for members, edges in zip(groups, own, strict=True):
        prior = tuple(weights[i] / total for i in members)
        exact = [distributions[i] for i in members]
        problem = Problem(exact, tuple(edges), objective, np.array([float(w) for w in prior]), shared)
        result.append(Component(members, problem, prior))
    return result


def solve_component(component: Component, method: Method, *, any_optimum: bool = False) -> Answer:
    """Return the canonical optimum of a component, exactly private, with the multipliers that prove it near-optimal.

    With `any_optimum` the second stage, which finds the canonical one, is left out. With method "one-bit-cluster" there
    are no rows, only the multipliers.

    Raises
    ------
    SolverError
        if no solver gives an answer that can be made private.
    """
    problem, timed = component.problem, Stopwatch()
    if no_noise_needed(problem):
        return Answer([], exact_weights(problem, None, component.prior), False, True, timed.seconds)
    usual = solve_shared if problem.shared else solve_structured
    in_stages = problem.loss is None and not any_optimum and method != Method.ONE_BIT_CLUSTER
    for solve in _ways(SOLVERS.get(method, usual), in_stages):
        with timed("solve"):
            optimum = solve(problem)
            multipliers = optimum.multipliers or usual(problem).multipliers
        with timed("bound"):
            weights = exact_weights(problem, multipliers, component.prior)
        if method == Method.ONE_BIT_CLUSTER:
            return Answer([], weights, True, True, timed.seconds)
        with timed("canonical"):
            chosen = None if any_optimum else canonical(problem, optimum)
        if chosen is not None:
            break
    with timed("repair"):
        rows = _exact_rows(problem, chosen or optimum)
    return Answer(rows, weights, True, chosen is not None, timed.seconds)


def _ways(solve: Solve, in_stages: bool) -> Iterator[Solve]:
    """Yield how to solve: before a second stage roughly will do, as a rule; that fails if the value was not settled."""
    if solve is solve_structured and in_stages:
        yield partial(solve_structured, roughly=True)
    yield solve


def _exact_rows(problem: Problem, answer: Solution) -> NoisyRows:
    """Return exactly private rows near a solver's answer; it is refined first if what is near will not do."""
    problem = _without_tiny_deltas(problem)
    if problem.shared:
        matrix = refined(problem, answer).matrix
        assert matrix is not None
        return realised_shared(problem, matrix)
    near = nearest(problem, answer.released, NEAR * abs(answer.value))
    found = near or repaired(problem, refined(problem, answer).released)
    if problem.loss is not None:
        return realised(problem, found)
    level = reached_level(problem, found)
    if level > answer.value + CLOSE:
        # To a solver 1e-10 is nothing; to a profile that nearly always has one of few categories it is much.
        mixed = repaired(problem, problem.target_in_doubles)
        level, found = min((level, found), (reached_level(problem, mixed), mixed), key=itemgetter(0))
    return realised(problem, found, level)


def _without_tiny_deltas(problem: Problem) -> Problem:
    if not any(0 < edge.delta < TINY for edge in problem.required):
        return problem
    required = (edge if edge.delta >= TINY else replace(edge, delta=Fraction(0)) for edge in problem.required)
    return replace(problem, required=tuple(required))
