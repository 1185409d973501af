"""Connected components: separate problems, each solved to its own optimum."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial

import networkx as nx
import numpy as np

from mechdesign.certificate.bound import Bound, proved
from mechdesign.designer.method import Method
from mechdesign.designer.search import Search
from mechdesign.designer.stages import SOLVERS, Solve, by_remap, in_stages, usual
from mechdesign.errors import SolverError
from mechdesign.graph.uncertainty import is_robust, is_single, uncertainty_of
from mechdesign.objective import Goal, Objective, WorstLoss, profile_shares
from mechdesign.privacy.requirement import Requirement, connected
from mechdesign.privacy.spanner import spanner
from mechdesign.problem import Kept, Multipliers, Problem
from mechdesign.rounding.exact_rows import as_good, exact_rows
from mechdesign.rounding.realise import NO_ROWS, NoisyRows
from mechdesign.solution import Solution
from mechdesign.solver.by_outputs import suits
from mechdesign.solver.command import solve_command
from mechdesign.solver.detours import solve_with_detours
from mechdesign.solver.geometric_remap import Remap, solve_path
from mechdesign.solver.path_deltas import has_chains
from mechdesign.solver.stopping import Stopped, Until
from mechdesign.solver.structured import solve_structured
from mechdesign.stopwatch import Stopwatch
from mechdesign.symmetry.by_classes import by_classes

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

    @property
    def has_few_limits(self) -> bool:
        """Whether what the structured solver does takes little memory, however many limits there are."""
        return self.by_classes is not None or suits(self.problem)

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
    ended
        why the search for them ended early, in a word; nothing if it did not.
    searched
        whether it had found anything by then.
    detours
        on how many edges it was designed, and the longest detour that makes up for one of the others; None if on all.
    """

    rows: NoisyRows
    proof: Bound
    noise: bool
    canonical: bool
    value: float
    seconds: dict[str, float]
    own_multipliers: bool = False
    way: str = ""
    ended: str = ""
    searched: bool = True
    detours: tuple[int, float] | None = None


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
    component: Component,
    until: Until,
    method: Method,
    *,
    any_optimum: bool = False,
    command: str | None = None,
    detours: Fraction | None = None,
) -> Answer:
    """Return the nearest design of a component, exactly private, with the multipliers that prove it near-optimal.

    Or the best that is found `until` then. `any_optimum` leaves out the second stage, which finds the nearest of the
    nearly optimal. Method "command" runs the `command`. With `detours` it is any design, on fewer edges if there are
    such.

    Raises
    ------
    SolverError
        if there is no answer, or none that can be made private.
    """
    problem = component.problem
    if problem.needs_no_noise:
        return _without_noise(component)
    timed, by = Stopwatch(), None
    if detours is not None:
        with timed("solve"):
            by = spanner(problem.required, len(problem.exact), float(detours))
    fewer = by is not None and by.longest > 1
    if method in BY_CLASSES and not fewer:
        with timed("solve"):
            along_path = component.remap is not None or has_chains(problem)
            coarse = None if along_path else component.by_classes
        if coarse is not None:
            return _answered(component, coarse, solve_structured, any_optimum, timed, until)
    solve = SOLVERS.get(method, usual(problem))
    if command is not None:
        others = set(range(component.whole)) - set(component.members)
        solve = partial(solve_command, command=command, members=component.members, others=others)
    if by is not None and fewer:
        along = partial(solve_with_detours, solve=solve, by=by)
        answer = _answered(component, problem, along, True, timed, until)
        return replace(answer, detours=(len(by.kept), by.longest))
    return _answered(component, problem, solve, any_optimum, timed, until)


def _without_noise(component: Component) -> Answer:
    """Return no rows: every category keeps its free output."""
    problem = component.problem
    proof = proved(problem, None, component.prior)
    return Answer(NO_ROWS, proof, False, True, _in_doubles(problem, proof), {}, way="no noise needed")


def _in_doubles(problem: Problem, proof: Bound) -> float:
    """Return a bound in doubles, over the problem's `loss_unit`."""
    return float(proof.least / problem.loss_unit)


def _answered(
    component: Component, problem: Problem, solve: Solve, any_optimum: bool, timed: Stopwatch, until: Until
) -> Answer:
    """Solve, choose the nearest design, prove a bound, make the rows exact: of a component, or of its classes."""
    search = Search(problem, component.prior, until)
    try:
        with search.followed():
            with timed("solve"):
                remap = component.remap if solve is solve_structured else None
            if remap is not None:
                optimum, chosen = by_remap(problem, remap, any_optimum, timed)
            else:
                optimum, chosen = in_stages(search, solve, any_optimum, timed)
            with timed("solve"):
                multipliers = optimum.multipliers or usual(problem)(problem).multipliers
    except (Stopped, SolverError):
        if not search.why():
            raise
        return _ended(search, timed)
    return _finished(component, problem, optimum, chosen, multipliers, timed)


def _finished(
    component: Component,
    problem: Problem,
    optimum: Solution,
    chosen: Solution | None,
    multipliers: Multipliers | None,
    timed: Stopwatch,
) -> Answer:
    """Prove a bound with the multipliers of an optimum, and make rows exact, of the nearest design if it is found."""
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


def _ended(search: Search, timed: Stopwatch) -> Answer:
    """Return the best that an ended search has."""
    why, problem = search.why(), search.problem
    with timed("repair"):
        search.end()
    assert search.proof is not None
    return Answer(
        search.rows,
        search.proof,
        noise=True,
        canonical=False,
        value=search.value,
        seconds=timed.seconds,
        way="classes; " * (problem.alike is not None) + f"{search.way}; any optimum",
        ended=why,
        searched=search.searched,
    )


def _way(optimum: Solution, chosen: Solution | None) -> str:
    """Return in words how an optimum was found, and the nearest of the nearly optimal."""
    if chosen is None:
        return f"{optimum.way}; any optimum"
    return chosen.way if chosen is optimum else f"{optimum.way}; {chosen.way}"


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
