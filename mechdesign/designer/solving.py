"""Solving the components of a graph, here or by an executor."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import TypeAlias, TypeVar

from mechdesign.designer.component import Component
from mechdesign.designer.largest_design import check_sizes
from mechdesign.parallel import batches, run_each
from mechdesign.solver.stopping import OPTIMUM, Until

Progress = Callable[[int, int], object]

Answer = TypeVar("Answer")
"""What is found for a component."""

Together: TypeAlias = Callable[[Sequence[Component], Until], Sequence[Answer | None]]
"""What is found for many small components at once; None where they are solved one by one."""

BATCH, TOGETHER, TASKS = 100, 32_000, 4
"""Components of fewer probabilities P_i(x) than the first are sent to an executor together: to send them one by one
would take about as long as to solve them. Where they may be solved together, it is those of fewer than the second, if
that leaves so many tasks."""


def solved(
    parts: Sequence[Component],
    solve: Callable[[Component, Until], Answer],
    executor: Executor | None,
    progress: Progress | None,
    *,
    until: Until = OPTIMUM,
    by_classes: bool = False,
    together: Together[Answer] | None = None,
) -> list[Answer]:
    """Return each component's answer, in order; what needs no noise stays here, small ones travel together.

    `solve` takes a component and until when it is solved; one after the other, here, each has its share of the time, by
    its size. `by_classes` says whether it works with those of a component that has few. Only what is not found for
    several `together` is solved so.

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
    sent = executor is not None or together is not None
    left = sum(noisy.values())
    for i, part in enumerate(parts):
        if not (sent and i in noisy):
            size = noisy.get(i, 0)
            take([i], [solve(part, until.share(size, left))])
            left -= size
    most = BATCH if together is None else TOGETHER
    batched = batches(noisy if sent else {}, max(BATCH, min(most, sum(noisy.values()) // TASKS)))
    tasks = [[parts[i] for i in batch] for batch in batched]
    run_each(
        partial(_solve_all, solve, together, until), tasks, executor, lambda number, found: take(batched[number], found)
    )
    return [answers[i] for i in range(len(parts))]


def _solve_all(
    solve: Callable[[Component, Until], Answer],
    together: Together[Answer] | None,
    until: Until,
    parts: Sequence[Component],
) -> list[Answer]:
    if together is None:
        return [solve(part, until) for part in parts]
    found = zip(parts, together(parts, until), strict=True)
    return [solve(part, until) if answer is None else answer for part, answer in found]
