"""How a design is found, by name."""

import time
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.numbers import Number, number, parse_share
from mechdesign.exact.text import shown
from mechdesign.graph.labels import Label
from mechdesign.graph.uncertainty import is_robust, uncertainty_of
from mechdesign.objective import Goal, Objective, checked_objective
from mechdesign.objective.by_model import ByModel
from mechdesign.problem import Problem
from mechdesign.solver.command import words_of
from mechdesign.solver.stopping import INTERRUPTED, Until
from mechdesign.words import word_of


class Method(StrEnum):
    """How a design is found."""

    AUTO = "auto"
    STRUCTURED = "structured"
    HIGHS = "highs"
    REFERENCE = "reference"
    ONE_BIT_CLUSTER = "one-bit-cluster"
    COMMAND = "command"


DESIGNED = {
    "smooth-categorical": "that is what auto designs, with a matrix for each profile, by whichever solver",
}
"""What papers call a design, where that is no method: what finds it."""


def checked_method(objective: object, method: str, shared: bool, command: str | None) -> Method:
    """Return the method that these arguments of `design` ask for.

    Raises
    ------
    InputError
        if they do not go together.
    """
    goal = checked_objective(objective)
    found = word_of(Method, "method", method, elsewhere=DESIGNED)
    if isinstance(goal, ByModel) and (command is not None or method not in (Method.AUTO, Method.REFERENCE)):
        asked = method if command is None else "command"
        raise InputError(f'the objective {goal.name} goes through cvxpy: method "auto" or "reference", found "{asked}"')
    if shared and method in (Method.STRUCTURED, Method.ONE_BIT_CLUSTER):
        raise InputError(f'{method} has no form for one shared matrix; use method "auto", "highs" or "reference"')
    if command is None and method == Method.COMMAND:
        raise InputError('method "command": expected a command too, such as "solver {mps} {solution}"')
    if command is None:
        return found
    if method not in (Method.AUTO, Method.COMMAND):
        raise InputError(f'a command is a method of its own; found the method "{method}" too')
    words_of(command)
    return Method.COMMAND


def until_of(gap: Number | None, seconds: Number | None, objective: object, method: Method) -> Until:
    """Return when a design ends at the latest, by these arguments of `design`.

    Raises
    ------
    InputError
        if they cannot be used, or a method has nothing before its end.
    """
    expected = "a share > 0 and < 1, such as 0.01 or 1%"
    wanted = None if gap is None else number("gap", gap, expected, above=0, below=1, parse=parse_share)
    if seconds is None:
        return Until(wanted, interruptible=INTERRUPTED.kept)
    most = number("seconds", seconds, "a number > 0", above=0)
    if isinstance(objective, ByModel) or method in (Method.REFERENCE, Method.COMMAND, Method.ONE_BIT_CLUSTER):
        asked = f"the objective {objective.name}" if isinstance(objective, ByModel) else f"method {method}"
        raise InputError(f"seconds: {asked} has nothing before it has ended; leave out seconds=")
    return Until(wanted, time.time() + float(most), INTERRUPTED.kept)


def checked_detours(
    detours: Number | None, objective: object, method: Method, graph: nx.Graph, delta: Fraction
) -> Fraction | None:
    """Return how long detours may be that make up for edges.

    Raises
    ------
    InputError
        if that cannot be used: with a delta, which paths do not simply add up, or a method that takes all edges.
    """
    if detours is None:
        return None
    found = number("detours", detours, "a number >= 1, such as 1.2", at_least=1)
    own = next((ends for *ends, one in graph.edges(data="delta") if one), None)
    fault = ""
    if delta or own is not None:
        where = (
            f"delta {shown(delta)} is asked for" if own is None else f"edge {' - '.join(map(shown, own))} has a delta"
        )
        fault = f"epsilons add up along a path, deltas to more than their sum, and {where}"
    elif isinstance(objective, ByModel):
        fault = f"the objective {objective.name} goes through cvxpy, with all edges"
    elif method == Method.ONE_BIT_CLUSTER:
        fault = f"method {method} takes all edges"
    if fault:
        raise InputError(f"detours: {fault}; leave out detours=")
    return found


def check_keeps(goal: Goal, method: Method, graph: nx.Graph, *, shared: bool) -> None:
    """Raise an InputError if the overall shares of a graph cannot be kept like this."""
    categories = graph.graph["categories"]
    weightless = [profile for profile, node in graph.nodes.items() if not node.get("weight", 1)]
    fault = ""
    if not isinstance(goal, Objective):
        fault = f"the objective {goal.name} goes through cvxpy: state it there, as a constraint"
    elif tuple(goal.output_labels(categories)) != tuple(categories):
        fault = "what is released must be the categories, found other outputs"
    elif stray := [x for x, y in enumerate(goal.free_outputs(categories)) if x != y]:
        fault = f"by the loss {shown(categories[stray[0]])} is best reported as another category, which keeps no shares"
    elif shared and not nx.is_connected(graph):
        fault = "one matrix is for profiles that are linked, but edges do not link all: leave out shared=True, --shared"
    elif method in (Method.ONE_BIT_CLUSTER, Method.COMMAND):
        fault = f"method {method} has no form for it; use auto, structured, highs or reference"
    elif weightless:
        fault = f"profile {shown(weightless[0])} has weight 0, so that nobody's share is kept by it: leave it out"
    elif unseen := _unseen(graph) if is_robust(graph) else []:
        fault = f"no profile has {shown(unseen[0])}, though bounds allow it; take nominal=True, --nominal"
    if fault:
        raise InputError(f"keep_shares, --keep-shares: {fault}")


def _unseen(graph: nx.Graph) -> list[Label]:
    """Return the categories that no profile has, but that some may have within its bounds."""
    given, most = Counter[int](), Counter[int]()
    for node in graph.nodes.values():
        given.update(x for x, mass in enumerate(node["distribution"]) if mass)
        most.update(x for x, mass in enumerate(uncertainty_of(node).limits[1]) if mass)
    return [category for x, category in enumerate(graph.graph["categories"]) if most[x] and not given[x]]


ROBUST = (Method.AUTO, Method.REFERENCE)
"""The methods for profiles known only within bounds."""


def check_robust(method: Method, problems: Iterable[Problem]) -> None:
    """Raise an InputError if a method cannot solve all of these problems: some know profiles only within bounds."""
    if method not in ROBUST and any(problem.uncertain is not None for problem in problems):
        raise InputError(
            f"method {method} has no form for profiles known only within bounds; use {' or '.join(ROBUST)}, or take "
            "their distributions alone (nominal=True)"
        )
