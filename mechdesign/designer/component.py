"""Connected components: separate problems, each solved to its own optimum."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial

import networkx as nx
import numpy as np

from mechdesign.certificate.bound import Bound, proved
from mechdesign.designer.method import Method
from mechdesign.errors import SolverError
from mechdesign.graph.uncertainty import is_robust, is_single, uncertainty_of
from mechdesign.objective import Goal, Objective, WorstLoss, profile_shares
from mechdesign.privacy.requirement import Requirement, connected
from mechdesign.problem import Kept, Problem
from mechdesign.program.tolerances import MOST_PROJECTED
from mechdesign.rounding.exact_rows import as_good, exact_rows
from mechdesign.rounding.realise import NoisyRows
from mechdesign.solution import Solution
from mechdesign.solver.canonical import canonical
from mechdesign.solver.command import solve_command
from mechdesign.solver.decisive_pairs import solve_and_project, solve_decisive
from mechdesign.solver.full import solve_full
from mechdesign.solver.geometric_remap import Remap, solve_path, vertex_of
from mechdesign.solver.reference import solve_reference
from mechdesign.solver.structured import solve_structured
from mechdesign.solver.worst_distributions import solve_robust
from mechdesign.stopwatch import Stopwatch
from mechdesign.symmetry.by_classes import by_classes

Solve = Callable[[Problem], Solution]

SOLVERS: dict[Method, Solve] = {
    Method.STRUCTURED: solve_structured,
    Method.HIGHS: solve_full,
    Method.REFERENCE: solve_reference,
}

BY_CLASSES = (Method.AUTO, Method.STRUCTURED)
"""The methods that solve for classes of probabilities in place of single ones, where there are few."""


@dataclass(frozen=True, eq=False)
class Component:
    """Profiles that edges connect, with their problem.

    `members` are positions among the profiles of the graph, of which there are `whole`, `prior` shares of it.
    """

    members: list[int]
    problem: Problem
    prior: tuple[Fraction, ...]
    whole: int

    @cached_property
    def by_classes(self) -> Problem | None:
        """The problem with a variable for each class of what is alike, where these are few."""
        return by_classes(self.problem, self.prior)

    @cached_property
    def remap(self) -> Remap | None:
        """The geometric mechanism's best remap of values on a path, where it is an optimum."""
        return solve_path(self.problem)


@dataclass(frozen=True, eq=False)
class Answer:
    """What was found for a component.

    Attributes
    ----------
    rows
        the rows that differ from those used where no noise is needed.
    proof
        a bound with its exact multipliers.
    noise
        whether any noise is needed.
    canonical
        whether `rows` are those of the nearest design.
    value
        the objective with these rows, in doubles, over the problem's `loss_unit`.
    seconds
        how long each phase took.
    own_multipliers
        whether the usual solver's multipliers prove the bound, since the one that was asked gave none.
    way
        how the rows were found, in words.
    """

    rows: NoisyRows
    proof: Bound
    noise: bool
    canonical: bool
    value: float
    seconds: dict[str, float]
    own_multipliers: bool = False
    way: str = ""


def components(
    graph: nx.Graph, required: Sequence[Requirement], objective: Goal, *, shared: bool, keep_shares: bool = False
) -> list[Component]:
    """Return the components of a checked graph under the given requirements; one, if the overall shares are kept.

    Of a goal that is no `Objective`, whose value is not made up of theirs, they are problems of privacy alone.
    """
    if not isinstance(objective, Objective):
        objective = WorstLoss([[0] * len(graph.graph["categories"])] * len(graph.graph["categories"]))
    distributions = [attributes["distribution"] for attributes in graph.nodes.values()]
    sets = [uncertainty_of(attributes) for attributes in graph.nodes.values()] if is_robust(graph) else None
    labels, shares = graph.graph["categories"], profile_shares(graph)
    groups = [list(range(len(distributions)))] if keep_shares else connected(len(distributions), required)
    place = {i: (number, position) for number, group in enumerate(groups) for position, i in enumerate(group)}
    inside: list[list[Requirement]] = [[] for _ in groups] if len(groups) > 1 else [list(required)]
    for edge in required if len(groups) > 1 else ():
        number, first = place[edge.first]
        inside[number].append(replace(edge, first=first, second=place[edge.second][1]))
    result = []
    for members, edges in zip(groups, inside, strict=True):
        prior = tuple(shares[i] for i in members)
        exact = [distributions[i] for i in members]
        uncertain = None if sets is None else [sets[i] for i in members]
        if uncertain is not None and all(map(is_single, uncertain)):
            uncertain = None
        doubles = np.array([float(w) for w in prior])
        kept = Kept.of(prior, exact) if keep_shares else None
        problem = Problem(exact, tuple(edges), objective, doubles, shared, labels, uncertain, kept=kept)
        result.append(Component(members, problem, prior, len(distributions)))
    return result


def solve_component(
    component: Component, method: Method, *, any_optimum: bool = False, command: str | None = None
) -> Answer:
    """Return the nearest design of a component, exactly private, with the multipliers that prove it near-optimal.

    `any_optimum` leaves out the second stage, which finds the nearest of the nearly optimal. Method "command" runs the
    `command`.

    Raises
    ------
    SolverError
        if there is no answer, or none that can be made private.
    """
    problem = component.problem
    if problem.needs_no_noise:
        return _without_noise(component)
    timed = Stopwatch()
    if method in BY_CLASSES:
        with timed("solve"):
            coarse = component.by_classes if component.remap is None else None
        if coarse is not None:
            return _answered(component, coarse, solve_structured, any_optimum, timed)
    solve = SOLVERS.get(method, _usual(problem))
    if command is not None:
        others = set(range(component.whole)) - set(component.members)
        solve = partial(solve_command, command=command, members=component.members, others=others)
    return _answered(component, problem, solve, any_optimum, timed)


def _without_noise(component: Component) -> Answer:
    """Return no rows: every category keeps its free output."""
    problem = component.problem
    proof = proved(problem, None, component.prior)
    return Answer([], proof, False, True, _in_doubles(problem, proof), {}, way="no noise needed")


def _in_doubles(problem: Problem, proof: Bound) -> float:
    """Return a bound in doubles, over the problem's `loss_unit`."""
    return float(proof.least / problem.loss_unit)


def _answered(component: Component, problem: Problem, solve: Solve, any_optimum: bool, timed: Stopwatch) -> Answer:
    """Solve, choose the nearest design, prove a bound, make the rows exact: of a component, or of its classes."""
    with timed("solve"):
        remap = component.remap if solve is solve_structured else None
    if remap is not None:
        optimum, chosen = _by_remap(problem, remap, any_optimum, timed)
    else:
        optimum, chosen = _in_stages(problem, solve, any_optimum, timed)
    with timed("solve"):
        multipliers = optimum.multipliers or _usual(problem)(problem).multipliers
    with timed("bound"):
        proof = proved(problem, multipliers, component.prior)
    with timed("repair"):
        goal = max(optimum.value, _in_doubles(problem, proof))
        value, rows, canonically = _exactly(problem, optimum, chosen, goal)
    return Answer(
        rows,
        proof,
        noise=True,
        canonical=canonically,
        value=value,
        seconds=timed.seconds,
        own_multipliers=optimum.multipliers is None,
        way="classes; " * (problem.alike is not None) + _way(optimum, chosen if canonically else None),
    )


def _way(optimum: Solution, chosen: Solution | None) -> str:
    """Return in words how an optimum was found, and the nearest of the nearly optimal."""
    if chosen is None:
        return f"{optimum.way}; any optimum"
    return chosen.way if chosen is optimum else f"{optimum.way}; {chosen.way}"


def _usual(problem: Problem) -> Solve:
    """Return how a problem is solved unless another method is asked for."""
    if problem.uncertain is not None:
        return solve_robust
    return solve_full if problem.shared else solve_structured


def _by_remap(problem: Problem, remap: Remap, any_optimum: bool, timed: Stopwatch) -> tuple[Solution, Solution | None]:
    """Return the geometric mechanism's best remap, and the nearest design if it is wanted and found."""
    if remap.unique:
        return remap.solution, remap.solution
    if any_optimum or problem.profiles.size > MOST_PROJECTED:
        return remap.solution, None
    with timed("canonical"):
        vertex = vertex_of(problem, remap.solution)
        return remap.solution, canonical(problem, replace(remap.solution, vertex=vertex))


def _in_stages(problem: Problem, solve: Solve, any_optimum: bool, timed: Stopwatch) -> tuple[Solution, Solution | None]:
    """Return an optimum (stage 1), and the nearest design (stage 2) if it is wanted and found.

    Large problems are projected, where they can be. Where stage 2 follows, stage 1 of the structured solver may be that
    of the profiles which ask for most. If stage 2 fails, the others ask for more: both are then solved in full.
    """
    if solve is solve_structured and not any_optimum:
        with timed("canonical"):
            both = solve_and_project(problem)
        if both is not None:
            return both
        with timed("solve"):
            decisive = solve_decisive(problem)
        with timed("canonical"):
            chosen = None if decisive is None else canonical(problem, decisive)
        if decisive is not None and chosen is not None:
            return decisive, chosen
    with timed("solve"):
        optimum = solve(problem)
    with timed("canonical"):
        return optimum, None if any_optimum else canonical(problem, optimum)


def _exactly(
    problem: Problem, optimum: Solution, chosen: Solution | None, goal: float
) -> tuple[float, NoisyRows, bool]:
    """Return exact rows after their value, and whether they are those of the nearest design.

    Those of the nearest, unless making them exact costs more than the definition accepts and those of the optimum are
    better by more than that.

    Raises
    ------
    SolverError
        if neither can be made private.
    """
    canonically = chosen is not None
    value, rows = exact_rows(problem, chosen or optimum, goal)
    if canonically and not as_good(value, goal):
        other, others = exact_rows(problem, optimum, goal)
        if not as_good(value, other):
            value, rows, canonically = other, others, False
    if not rows:
        raise SolverError("the solver's answer could not be made exactly private")
    return value, rows, canonically
