"""Solving the components of a graph, here or by an executor."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import TypeVar

from mechdesign.designer.component import Component
from mechdesign.designer.memory import check_sizes
from mechdesign.parallel import batches, run_each
from mechdesign.solver.stopping import OPTIMUM, Until

Progress = Callable[[int, int], object]

Answer = TypeVar("Answer")
"""What is found for a component."""

BATCH = 100
"""Components of fewer probabilities P_i(x) than this are sent to an executor together: to send them one by one would
take about as long as to solve them."""


def solved(
    parts: Sequence[Component],
    solve: Callable[[Component, Until], Answer],
    executor: Executor | None,
    progress: Progress | None,
    *,
    until: Until = OPTIMUM,
    by_classes: bool = False,
) -> list[Answer]:
    """Return each component's answer, in order; what needs no noise stays here, small ones travel together.

    Each is solved `until` then; one after the other, here, each has its share of the time, by its size. `by_classes`
    says whether `solve` works with those of a component that has few.

    Raises
    ------
    InputError
        before any is solved, if they would not fit in memory.
    """
    check_sizes([part.problem for part in parts], lambda i: by_classes and parts[i].has_few_limits)
    answers: dict[int, Answer] = {}

    def take(positions: Sequence[int], found: Sequence[Answer]) -> None:
        answers.update(zip(positions, found, strict=True))
        if progress is not None:
            progress(len(answers), len(parts))

    noisy = {i: part.problem.profiles.size for i, part in enumerate(parts) if not part.problem.needs_no_noise}
    away = {} if executor is None else noisy
    left = sum(noisy.values())
    for i, part in enumerate(parts):
        if i not in away:
            size = noisy.get(i, 0)
            take([i], [solve(part, until.share(size, left))])
            left -= size
    together = batches(away, BATCH)
    tasks = [[parts[i] for i in batch] for batch in together]
    run_each(partial(_solve_all, solve, until), tasks, executor, lambda number, found: take(together[number], found))
    return [answers[i] for i in range(len(parts))]


def _solve_all(solve: Callable[[Component, Until], Answer], until: Until, parts: Sequence[Component]) -> list[Answer]:
    return [solve(part, until) for part in parts]
