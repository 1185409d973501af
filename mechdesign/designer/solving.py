"""Solving the components of a graph, here or by an executor."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import TypeVar

from mechdesign.designer.component import Component
from mechdesign.designer.memory import check_sizes
from mechdesign.parallel import batches, run_each

Progress = Callable[[int, int], object]

Answer = TypeVar("Answer")
"""What is found for a component."""

BATCH = 100
"""Components of fewer probabilities P_i(x) than this are sent to an executor together: to send them one by one would
take about as long as to solve them."""


def solved(
    parts: Sequence[Component],
    solve: Callable[[Component], Answer],
    executor: Executor | None,
    progress: Progress | None,
    *,
    by_classes: bool = False,
) -> list[Answer]:
    """Return each component's answer, in order; what needs no noise stays here, small ones travel together.

    `by_classes` says whether `solve` works with those of a component that has few.

    Raises
    ------
    InputError
        before any is solved, if they would not fit in memory.
    """
    check_sizes([part.problem for part in parts], lambda i: by_classes and parts[i].by_classes is not None)
    answers: dict[int, Answer] = {}

    def take(positions: Sequence[int], found: Sequence[Answer]) -> None:
        answers.update(zip(positions, found, strict=True))
        if progress is not None:
            progress(len(answers), len(parts))

    away = {}
    for i, part in enumerate(parts):
        if executor is None or part.problem.needs_no_noise:
            take([i], [solve(part)])
        else:
            away[i] = part.problem.profiles.size
    together = batches(away, BATCH)
    tasks = [[parts[i] for i in batch] for batch in together]
    run_each(partial(_solve_all, solve), tasks, executor, lambda number, found: take(together[number], found))
    return [answers[i] for i in range(len(parts))]


def _solve_all(solve: Callable[[Component], Answer], parts: Sequence[Component]) -> list[Answer]:
    return [solve(part) for part in parts]
