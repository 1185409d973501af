"""mechdesign's own structured solution."""

from mechdesign.bench.task import Found, Task
from mechdesign.designer.design import design
from mechdesign.stopwatch import Stopwatch


def canonical(task: Task, timed: Stopwatch) -> Found:
    """Return what `design` returns: the canonical optimum, exact and proved."""
    return _designed(task, timed, "structured", any_optimum=False)


def any_optimum(task: Task, timed: Stopwatch) -> Found:
    """Return any optimum, exact and proved all the same."""
    return _designed(task, timed, "structured", any_optimum=True)


def on_gpu(task: Task, timed: Stopwatch) -> Found:
    """Return any optimum, found by a first-order method on a GPU; exact and proved all the same."""
    return _designed(task, timed, "pdlp", any_optimum=True)


def _designed(task: Task, timed: Stopwatch, method: str, *, any_optimum: bool) -> Found:
    result = design(task.graph, epsilon=task.epsilon, objective=task.objective, method=method, any_optimum=any_optimum)
    timed.add(result.stats["phases"])
    return Found(result.mechanism, result.value, result.bound, lambda: result.certificate)
