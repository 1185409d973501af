"""mechdesign's own structured solution."""

import multiprocessing
from concurrent.futures import Executor, ProcessPoolExecutor

from mechdesign.bench.task import Found, Task
from mechdesign.designer.design import design
from mechdesign.stopwatch import Stopwatch


def canonical(task: Task, timed: Stopwatch) -> Found:
    """Return what `design` returns: the nearest design, exact and proved."""
    return _designed(task, timed, "structured", any_optimum=False)


def by_two_workers(task: Task, timed: Stopwatch) -> Found:
    """Return what `design` returns, its components solved by two processes; to start these counts too."""
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        return _designed(task, timed, "structured", any_optimum=False, executor=pool)


def any_optimum(task: Task, timed: Stopwatch) -> Found:
    """Return any optimum, exact and proved all the same."""
    return _designed(task, timed, "structured", any_optimum=True)


def _designed(
    task: Task, timed: Stopwatch, method: str, *, any_optimum: bool, executor: Executor | None = None
) -> Found:
    result = design(
        task.graph,
        epsilon=task.epsilon,
        delta=task.delta,
        objective=task.objective,
        method=method,
        any_optimum=any_optimum,
        executor=executor,
    )
    timed.add(result.stats["phases"])
    return Found(result.mechanism, result.value, result.bound, lambda: result.certificate)
