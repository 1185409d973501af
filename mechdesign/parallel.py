"""Work handed to any `concurrent.futures.Executor`, and taken back as it ends."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, as_completed
from typing import TypeVar

from mechdesign.errors import SolverError

Key = TypeVar("Key")
Task = TypeVar("Task")
Result = TypeVar("Result")


def run_each(
    function: Callable[[Task], Result],
    tasks: Sequence[Task],
    executor: Executor | None,
    take: Callable[[int, Result], object],
) -> None:
    """Call `take` with each task's position and what `function` returns for it, as they end; in order and here if None.

    When anything fails, or on an interruption, what has not begun is cancelled.

    Raises
    ------
    SolverError
        if a worker process died; and whatever `function` or `take` raise.

    Examples
    --------
    >>> run_each(abs, [-1, -2], None, print)
    0 1
    1 2
    """
    if executor is None:
        for position, task in enumerate(tasks):
            take(position, function(task))
        return
    positions: dict[Future[Result], int] = {}
    try:
        for position, task in enumerate(tasks):
            positions[executor.submit(function, task)] = position
        for future in as_completed(positions):
            take(positions.pop(future), future.result())  # popped, so that results are not all kept until the end
    except BrokenExecutor as error:
        raise SolverError(f"a worker process died before its work was done; out of memory? ({error})") from None
    finally:
        for future in positions:
            future.cancel()


def batches(sizes: Mapping[Key, int], least: int) -> list[list[Key]]:
    """Return the keys in batches of at least `least` in size, the largest first, so that none of these ends last.

    Examples
    --------
    >>> batches({"a": 1, "b": 9, "c": 1, "d": 5, "e": 1}, 4)
    [['b'], ['d'], ['a', 'c', 'e']]
    """
    result: list[list[Key]] = []
    missing = 0
    for key in sorted(sizes, key=lambda key: -sizes[key]):
        if missing <= 0:
            result.append([])
            missing = least
        result[-1].append(key)
        missing -= sizes[key]
    return result
