"""`sweep`: one design for each of several epsilons, the privacy-utility curve."""

import math
import os
import pickle
import re
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from fractions import Fraction
from typing import Any

import networkx as nx

from mechdesign.designer.design import design
from mechdesign.designer.result import Design
from mechdesign.designer.solving import Progress
from mechdesign.designer.swept import Sweep
from mechdesign.errors import InputError, SolverError
from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import Epsilon, Number, parse_epsilon
from mechdesign.exact.text import format_number, shown
from mechdesign.graph.graph_file import as_graph
from mechdesign.objective import Goal, checked_objective
from mechdesign.parallel import run_each

MOST = 10_000
"""No range has more epsilons than this."""

_DECIMAL = re.compile(r"[\d.]+(e[+-]?\d+)?", re.IGNORECASE)


def parse_epsilons(text: str) -> list[Epsilon]:
    """Return the epsilons in a text, each once, in ascending order: `0.1,0.5,inf`, or from:to:count, or both.

    A range is evenly spaced, exactly, and has both its ends.

    Raises
    ------
    InputError
        naming the part that cannot be used.

    Examples
    --------
    >>> [str(epsilon) for epsilon in parse_epsilons("0.1:0.3:3, 2")]
    ['1/10', '1/5', '3/10', '2']
    """
    return list(spelled_epsilons(text))


def spelled_epsilons(text: str) -> dict[Epsilon, str]:
    """Return the epsilons in a text as `parse_epsilons` does, each with its spelling, which can be in a file's name.

    That is the one in the text; a fraction, and what a range yields, is a decimal if it is a short one, else p_q.

    Raises
    ------
    InputError
        naming the part that cannot be used.

    Examples
    --------
    >>> list(spelled_epsilons("0:1:4, 1e-3, 1/3, 3/2, .50").values())
    ['0', '1e-3', '1_3', '.50', '2_3', '1', '1.5']
    """
    found: dict[Epsilon, str] = {}
    for part in text.split(","):
        if ":" in part:
            found |= {epsilon: _spelled(epsilon) for epsilon in _range(part) if epsilon not in found}
        else:
            epsilon = parse_epsilon(part)
            found.setdefault(epsilon, part.strip() if _DECIMAL.fullmatch(part.strip()) else _spelled(epsilon))
    return dict(sorted(found.items()))


def _spelled(epsilon: Epsilon) -> str:
    return format_number(epsilon).replace("/", "_") if isinstance(epsilon, Fraction) else "inf"


def _range(text: str) -> set[Epsilon]:
    wanted = InputError(f"epsilon: expected from:to:count such as 0.1:2:20, count 2 to {MOST}, found {shown(text)}")
    try:
        first, last, count = text.split(":")
        low, high, steps = parse_epsilon(first), parse_epsilon(last), int(count) - 1
    except ValueError:  # not three parts, or one that is no number
        raise wanted from None
    if low >= high:
        raise InputError(f"epsilon: expected from:to:count with from below to, such as 0.1:2:20, found {shown(text)}")
    if not (isinstance(low, Fraction) and isinstance(high, Fraction) and 0 < steps < MOST):
        raise wanted
    return {low + (high - low) * step / steps for step in range(steps + 1)}


@with_flags
def sweep(
    graph: nx.Graph | str | os.PathLike[str],
    epsilons: str | Number | Iterable[Number],
    *,
    delta: Number = 0,
    objective: Goal | None = None,
    method: str = "auto",
    shared: bool = False,
    any_optimum: bool = False,
    scale_own: bool = False,
    command: str | None = None,
    nominal: bool = False,
    keep_shares: bool = False,
    executor: Executor | None = None,
    progress: Progress | None = None,
    done: Callable[[Design], object] | None = None,
) -> Sweep:
    """Return the design for each epsilon, in the order given: the price of privacy.

    Parameters
    ----------
    graph
        as for `design`.
    epsilons
        in nats, or a single one; or text, as on the command line: "0.1,0.5,1", or "0.1:2:20" for 20 evenly spaced ones.
    delta, objective, method, shared, any_optimum, scale_own, command, nominal, keep_shares
        as for `design`.
    executor
        where whole designs are made, several at once: a process pool, `dask.distributed.Client().get_executor()`, ...;
        here, one after the other, if None. A single epsilon's components are solved there.
    progress
        called with (designs done, designs).
    done
        called here with each design as soon as it is there, in whatever order they end, so that it can be stored.

    Raises
    ------
    InputError
        if an argument cannot be used.
    SolverError
        if no solver gave an answer; it names the epsilon.

    Examples
    --------
    >>> import mechdesign as md
    >>> curve = md.sweep(md.read_graph("categorical-chain"), "0.5:1.5:3")
    >>> [f"{float(point.value):.6f}" for point in curve]
    ['0.056685', '0.008418', '0.000000']
    """
    if isinstance(epsilons, str):
        asked = parse_epsilons(epsilons)
    else:
        asked = [parse_epsilon(one) for one in (epsilons if isinstance(epsilons, Iterable) else [epsilons])]
    options = {
        "delta": delta,
        "objective": objective,
        "method": method,
        "shared": shared,
        "any_optimum": any_optimum,
        "scale_own": scale_own,
        "command": command,
        "nominal": nominal,
        "keep_shares": keep_shares,
        "executor": executor if len(asked) == 1 else None,
    }
    found: dict[int, Design] = {}

    def take(position: int, result: Design) -> None:
        found[position] = result
        if done is not None:
            done(result)
        if progress is not None:
            progress(len(found), len(asked))

    graph = as_graph(graph)
    if objective is not None:  # a function may not travel to another process; its table does
        options["objective"] = checked_objective(objective).settled(graph.graph["categories"])
    points = [(graph, epsilon, options) for epsilon in asked]
    try:
        run_each(_point, points, executor if len(asked) > 1 else None, take)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        if repr(error) != repr(_unsendable(options.get("objective"))):
            raise
        remedy = "define it by def in a module that they can import, or sweep without an executor"
        raise InputError(f"objective: its function cannot be sent to other processes; {remedy}") from error
    return Sweep(found[position] for position in range(len(asked)))


def _unsendable(objective: object) -> Exception | None:
    """Return what pickle says of an objective that it does not take; its words are not the same in each Python."""
    try:
        pickle.dumps(objective)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        return error
    return None


def _point(task: tuple[nx.Graph, Epsilon, dict[str, Any]]) -> Design:
    graph, epsilon, options = task
    try:
        return design(graph, epsilon=epsilon, **options)
    except SolverError as error:
        where = "inf" if epsilon == math.inf else format_number(Fraction(epsilon))
        raise SolverError(f"epsilon {where}: {error}") from None
