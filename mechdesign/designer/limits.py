"""Refusing designs that would not fit in memory."""

from collections.abc import Sequence

import networkx as nx

from mechdesign.designer.component import Component
from mechdesign.graph.distribution import support
from mechdesign.size import check_size

MOST_NUMBERS = 20_000_000
"""Transition or released probabilities of a design: 1,000 profiles over 50 categories have 2,500,000, in 0.7 GB."""

MOST_LIMITS = 10_000_000
"""Pairs of neighbours that are not in a clique, times outputs: 2,000,000 take 2 GB."""


def check_probabilities(graph: nx.Graph, m: int) -> None:
    """Raise an InputError if the mechanism of m outputs, or what leads to it, would be too large."""
    d = len(graph.graph["categories"])
    rows = sum(len(support(distribution)) for _, distribution in graph.nodes(data="distribution"))
    largest = max(max(d, rows) * m, len(graph) * max(d, m))
    sizes = f"{len(graph):,} profiles, {d:,} categories and {m:,} outputs make {{}} probabilities"
    remedy = "merge categories, or design parts of the graph that no edge joins one by one"
    check_size(largest, MOST_NUMBERS, sizes, remedy)


def check_limits(parts: Sequence[Component]) -> None:
    """Raise an InputError if a component's pairs of neighbours are too many to be solved.

    Where all are alike and delta is 0, as in local privacy, or one follows from others, as on a line, they are few.
    """
    for problem in (part.problem for part in parts):
        if len(problem.cover.pairs) * problem.outputs > MOST_LIMITS:
            pairs = len(problem.independent_pairs)
            sizes = f"{pairs:,} edges with limits of their own on {problem.outputs:,} outputs make {{}} limits"
            check_size(pairs * problem.outputs, MOST_LIMITS, sizes, "merge categories or profiles")
