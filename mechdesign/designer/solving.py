"""Solving the components of a graph, here or by an executor."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import TypeAlias, TypeVar

from mechdesign.designer.component import Component
from mechdesign.designer.largest_design import check_sizes
from mechdesign.parallel import batches, run_each
from mechdesign.solver.stopping import OPTIMUM, Until
from mechdesign.solver.together import Both, solve_together, suited_together

Progress = Callable[[int, int], object]

Answer = TypeVar("Answer")
"""What is found for a component."""

Together: TypeAlias = Callable[[Sequence[Component], Until], list[Both | None]]
"""What many small components have for their optimum and nearest design; None where they go other ways."""

BATCH, TOGETHER, TASKS = 100, 32_000, 4
"""Components of fewer probabilities P_i(x) than the first are sent to an executor together: to send them one by one
would take about as long as to solve them. Where they may be solved together, it is those of fewer than the second, if
that leaves so many tasks."""


def solved(
    parts: Sequence[Component],
    solve: Callable[..., Answer],
    executor: Executor | None,
    progress: Progress | None,
    *,
    until: Until = OPTIMUM,
    by_classes: bool = False,
    together: Together | None = None,
) -> list[Answer]:
    """Return each component's answer, in order; what needs no noise stays here, small ones travel together.

    `solve` takes a component and until when it is solved; one after the other, here, each has its share of the time, by
    its size. `by_classes` says whether it works with those of a component that has few. What is found for several
    `together` it takes as what is `found`.

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
    solve: Callable[..., Answer], together: Together | None, until: Until, parts: Sequence[Component]
) -> list[Answer]:
    if together is None:
        return [solve(part, until) for part in parts]
    return [solve(part, until, found=found) for part, found in zip(parts, together(parts, until), strict=True)]


def found_together(parts: Sequence[Component], until: Until) -> list[Both | None]:
    """Return what is found together for components without classes, see `solve_together`."""
    found: list[Both | None] = [None] * len(parts)
    plain = [i for i, part in enumerate(parts) if part.remap is None and part.by_classes is None]
    chosen = [plain[place] for place in suited_together([parts[i].problem for i in plain])]
    if chosen:
        for i, both in zip(chosen, solve_together([parts[i].problem for i in chosen], until.over), strict=True):
            found[i] = both
    return found
