"""The methods by name."""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

from mechdesign.bench.peers import Peer, clipped, cvxpy_with, highs_with, libqif, outside, scipy_linprog
from mechdesign.bench.task import Found, Task
from mechdesign.designer.design import design
from mechdesign.errors import InputError
from mechdesign.stopwatch import Stopwatch
from mechdesign.words import expected_one_of


def by_two_workers(task: Task, timed: Stopwatch) -> Found:
    """Return what `design` returns, its components solved by two processes; to start these counts too."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        return designed(task, timed, executor=pool)


def designed(task: Task, timed: Stopwatch, *, any_optimum: bool = False, executor: Executor | None = None) -> Found:
    """Return what `design` returns: the nearest design, or any optimum, exact and proved."""
    result = design(
        task.graph,
        epsilon=task.epsilon,
        delta=task.delta,
        objective=task.objective,
        method="structured",
        any_optimum=any_optimum,
        executor=executor,
    )
    timed.add(result.stats["phases"])
    return Found(result.mechanism, result.value, result.bound, lambda: result.certificate)


@dataclass(frozen=True)
class Method:
    """A way to solve a task.

    Attributes
    ----------
    words
        what it is.
    solve
        answers a task, timing its phases.
    module, needs
        of another package: what is loaded before the clock starts, and what pip calls it.
    """

    words: str
    solve: Callable[[Task, Stopwatch], Found]
    module: str = ""
    needs: str = ""


def _peer(words: str, peer: Peer, module: str, needs: str) -> Method:
    return Method(words, clipped(peer), module, needs)


COMMAND = "command"
"""The method that runs a program from outside."""

METHODS: dict[str, Method] = {
    "structured": Method("mechdesign: the nearest design, exact and proved", designed),
    "structured-any": Method("mechdesign: any optimum, exact and proved", partial(designed, any_optimum=True)),
    "structured-by-two": Method("mechdesign: the nearest design, components solved by two processes", by_two_workers),
    "highs-simplex": _peer("HiGHS, simplex", highs_with("simplex"), "highspy", "highspy>=1.14"),
    "highs-ipm": _peer("HiGHS, interior point", highs_with("ipm"), "highspy", "highspy>=1.14"),
    "highs-pdlp": _peer("HiGHS, PDLP", highs_with("pdlp"), "highspy", "highspy>=1.14"),
    "cvxpy-clarabel": _peer("cvxpy with Clarabel", cvxpy_with("CLARABEL"), "cvxpy", "cvxpy>=1.9"),
    "cvxpy-highs": _peer("cvxpy with HiGHS", cvxpy_with("HIGHS"), "cvxpy", "cvxpy>=1.9"),
    "scipy": _peer("scipy.optimize.linprog", scipy_linprog, "scipy.optimize", "scipy>=1.17"),
    "libqif": _peer("libqif", libqif, "qif", "qif>=1.6"),
    COMMAND: Method("a program from outside, on the textbook program as MPS", clipped(outside)),
}


def method(name: str) -> Method:
    """Return the method of that name.

    Raises
    ------
    InputError
        naming those that there are.
    """
    if name not in METHODS:
        raise InputError(f"methods: {expected_one_of(METHODS, name, one='some')}")
    return METHODS[name]
