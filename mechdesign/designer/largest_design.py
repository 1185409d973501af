"""How large a design may be: what is known not to fit in memory is refused before anything is solved."""

from collections.abc import Callable, Sequence

from mechdesign.graph.distribution import support
from mechdesign.problem import Problem
from mechdesign.size import check_size

MOST_NUMBERS = 20_000_000
"""Transition or released probabilities of a design: 1,000 profiles over 50 categories have 2,500,000, in 0.7 GB."""

MOST_LIMITS = 10_000_000
"""Pairs of neighbours that are not in a clique, times outputs: 2,000,000 take 2 GB."""

MOST_UNCERTAIN = 100_000
"""Transition probabilities of a component whose profiles are known only within bounds: all of them are unknowns there.
20,000 take about 10 s."""


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
