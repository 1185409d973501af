"""Solving the components of a graph, here or by an executor."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import TypeAlias, TypeVar

from mechdesign.designer.component import Component
from mechdesign.graph.distribution import support
from mechdesign.parallel import batches, run_each
from mechdesign.problem import Problem
from mechdesign.size import check_size
from mechdesign.solver.stopping import OPTIMUM, Until

MOST_NUMBERS = 20_000_000
"""Transition or released probabilities of a design: 1,000 profiles over 50 categories have 2,500,000, in 0.7 GB."""

MOST_LIMITS = 10_000_000
"""Pairs of neighbours that are not in a clique, times outputs: 2,000,000 take 2 GB."""

MOST_UNCERTAIN = 100_000
"""Transition probabilities of a component whose profiles are known only within bounds: all of them are unknowns there.
20,000 take about 10 s."""

Progress = Callable[[int, int], object]

Answer = TypeVar("Answer")
"""What is found for a component."""

Together: TypeAlias = Callable[[Sequence[Component], Until], Sequence[Answer | None]]
"""What is found for many small components at once; None where they are solved one by one."""

BATCH, TOGETHER, TASKS = 100, 32_000, 4
"""Components of fewer probabilities P_i(x) than the first are sent to an executor together: to send them one by one
would take about as long as to solve them. Where they may be solved together, it is those of fewer than the second, if
that leaves so many tasks."""


def check_sizes(problems: Sequence[Problem], few_limits: Callable[[int], bool]) -> None:
    """Raise an InputError if a graph's problems, or the mechanism they lead to, would be too large.

    `few_limits` says of a problem's position whether it is solved by classes or by outputs, which look at few limits.
    There are few where all are alike and delta is 0, as in local privacy, or one follows from others, as on a line.
    """
    d, m = len(problems[0].categories), problems[0].outputs
    k = sum(len(problem.exact) for problem in problems)
    rows = sum(len(support(distribution)) for problem in problems for distribution in problem.exact)
    sizes = f"{k:,} profiles, {d:,} categories and {m:,} outputs make {{}} probabilities"
    remedy = "merge categories, or design parts of the graph that no edge joins one by one"
    check_size(max(max(d, rows) * m, k * max(d, m)), MOST_NUMBERS, sizes, remedy)
    for position, problem in enumerate(problems):
        if problem.uncertain is not None and not problem.needs_no_noise:
            count = int(problem.possible.sum()) * m
            sizes = "profiles known only within bounds, joined by edges, have {} transition probabilities to be found"
            check_size(count, MOST_UNCERTAIN, sizes, f"{remedy}, or take the distributions alone (--nominal)")
        if len(problem.cover.pairs) * m > MOST_LIMITS and not few_limits(position):
            pairs = len(problem.independent_pairs)
            sizes = f"{pairs:,} edges with limits of their own on {m:,} outputs make {{}} limits"
            check_size(pairs * m, MOST_LIMITS, sizes, "merge categories or profiles")


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
