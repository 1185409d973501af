"""Connected components: separate problems, each solved to its own optimum."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial, reduce
from operator import attrgetter

import networkx as nx
import numpy as np

from mechdesign.certificate.bound import Bound, proved
from mechdesign.errors import SolverError
from mechdesign.objective import Objective, profile_weights
from mechdesign.privacy import Requirement, connected
from mechdesign.problem import Problem, Solution
from mechdesign.rounding.exact_rows import as_good, exact_rows
from mechdesign.rounding.realise import NoisyRows
from mechdesign.solver.canonical import canonical
from mechdesign.solver.command import solve_command
from mechdesign.solver.full import solve_full, solve_shared
from mechdesign.solver.pdlp import solve_pdlp
from mechdesign.solver.reference import solve_reference
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
    COMMAND = "command"


FEW = 10_000
"""Transition probabilities up to which another solver is asked where the usual one fails or leaves a gap."""

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
    proof
        a bound with its exact multipliers.
    noise
        whether any noise is needed.
    canonical
        whether `rows` are those of the canonical optimum.
    value
        the objective with these rows, in doubles, over the problem's `loss_unit`; infinite without them.
    seconds
        how long each phase took.
    """

    rows: NoisyRows
    proof: Bound
    noise: bool
    canonical: bool
    value: float
    seconds: dict[str, float]


def components(
    graph: nx.Graph, required: Sequence[Requirement], objective: Objective, *, shared: bool
) -> list[Component]:
    """Return the components of a checked graph under the given requirements."""
    distributions = [attributes["distribution"] for attributes in graph.nodes.values()]
    labels, weights = graph.graph["categories"], profile_weights(graph)
    total = sum(weights, Fraction(0))
    groups = connected(len(distributions), required)
    place = {i: (number, position) for number, group in enumerate(groups) for position, i in enumerate(group)}
    own: list[list[Requirement]] = [[] for _ in groups]
    for edge in required:
        number, first = place[edge.first]
        own[number].append(replace(edge, first=first, second=place[edge.second][1]))
    result = []
    for members, edges in zip(groups, own, strict=True):
        prior = tuple(weights[i] / total for i in members)
        exact = [distributions[i] for i in members]
        problem = Problem(exact, tuple(edges), objective, np.array([float(w) for w in prior]), shared, labels)
        result.append(Component(members, problem, prior))
    return result


def solve_component(
    component: Component, method: Method, *, any_optimum: bool = False, command: str | None = None
) -> Answer:
    """Return the canonical optimum of a component, exactly private, with the multipliers that prove it near-optimal.

    Where the usual solver fails or leaves value and bound apart, `highs` may do better. With `any_optimum` the second
    stage, which finds the canonical one, is left out. With method "one-bit-cluster" there are no rows, only the
    multipliers. Method "command" runs the `command`.

    Raises
    ------
    SolverError
        if no solver gives an answer that can be made private.
    """
    problem = component.problem
    if problem.needs_no_noise:
        return Answer([], proved(problem, None, component.prior), False, True, math.inf, {})
    several = method == Method.AUTO and not problem.shared and problem.profiles.size * problem.outputs <= FEW
    found: list[Answer] = []
    failed = SolverError()
    for way in (method, Method.HIGHS) if several else (method,):
        try:
            answer = _solved(component, way, any_optimum, command)
        except SolverError as error:
            failed = error
            continue
        found.append(answer)
        if as_good(answer.value, _least(problem, answer.proof)):
            break
    if not found:
        raise failed
    return reduce(_better, found)


def _better(first: Answer, other: Answer) -> Answer:
    """Return the first answer with the better proof; with the other's rows, if these are better by more than noise."""
    timed = Stopwatch()
    timed.add(first.seconds)
    timed.add(other.seconds)
    kept = first if as_good(first.value, other.value) else other
    proof = max(first.proof, other.proof, key=attrgetter("least"))
    return replace(kept, proof=proof, seconds=timed.seconds)


def _least(problem: Problem, proof: Bound) -> float:
    """Return a bound in doubles, over the problem's `loss_unit`."""
    return float(proof.least / problem.loss_unit)


def _solved(component: Component, method: Method, any_optimum: bool, command: str | None) -> Answer:
    problem, timed = component.problem, Stopwatch()
    usual = solve_shared if problem.shared else solve_structured
    asked = SOLVERS.get(method, usual) if command is None else partial(solve_command, command=command)
    in_stages = problem.objective.by_cuts and not any_optimum and method != Method.ONE_BIT_CLUSTER
    for solve in _ways(asked, in_stages):
        with timed("solve"):
            optimum = solve(problem)
            multipliers = optimum.multipliers or usual(problem).multipliers
        if method == Method.ONE_BIT_CLUSTER:
            break
        with timed("canonical"):
            chosen = None if any_optimum else canonical(problem, optimum)
        if chosen is not None:
            break
    with timed("bound"):
        proof = proved(problem, multipliers, component.prior)
    if method == Method.ONE_BIT_CLUSTER:
        return Answer([], proof, True, True, math.inf, timed.seconds)
    with timed("repair"):
        goal = max(optimum.value, _least(problem, proof))
        value, rows = exact_rows(problem, chosen or optimum, goal)
        if chosen is not None and not as_good(value, goal):  # the second stage may cost more digits than noise
            other = exact_rows(problem, optimum, goal)
            if not as_good(value, other[0]):
                (value, rows), chosen = other, None
    if not rows:
        raise SolverError("the solver's answer could not be made exactly private")
    return Answer(rows, proof, True, chosen is not None, value, timed.seconds)


def _ways(solve: Solve, in_stages: bool) -> Iterator[Solve]:
    """Yield how to solve: before a second stage roughly will do, as a rule; that fails if the value was not settled."""
    if solve is solve_structured and in_stages:
        yield partial(solve_structured, roughly=True)
    yield solve
