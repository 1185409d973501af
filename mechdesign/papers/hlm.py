"""What the results of [HLM] share: the source, and the exact delta of a mechanism on its databases."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import networkx as nx

from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.gaps import hockey_stick
from mechdesign.privacy.released import Released

PAPER = "[HLM] Holohan, Leith and Mason, arXiv:1505.07254"


def distance(d: Any, a: Any) -> int:
    """Return the Hamming distance, how many rows differ, (1).

    Parameters
    ----------
    d, a
        databases (tuples, or text) of equally many rows.

    Examples
    --------
    >>> distance("cars", "cats")
    1
    """
    return sum(x != y for x, y in zip(d, a, strict=True))


def least_delta(mechanism: Mechanism, graph: nx.Graph, ratio: Fraction) -> Fraction:
    """Return the least delta with which (5) holds on every edge, both ways, by the definition.

    Parameters
    ----------
    mechanism
        with the profiles of the graph.
    graph
        its edges join neighbours.
    ratio
        e^epsilon.

    Examples
    --------
    >>> from mechdesign.closed_form import k_ary
    >>> from mechdesign.graph.values import value_graph
    >>> least_delta(k_ary("ab", ratio=3), value_graph("ab"), Fraction(2))
    Fraction(1, 4)
    """
    released = dict(zip(mechanism.profiles, mechanism.all_released(), strict=True))
    pairs = [pair for a, b in graph.edges for pair in ((a, b), (b, a))]
    return max(hockey_stick(released[a], released[b], ratio) for a, b in pairs)


def expected_changes(mechanism: Mechanism) -> list[Fraction]:
    """Return the expected number of rows that change, for each database, by the definition (16).

    Parameters
    ----------
    mechanism
        from databases to databases.

    Examples
    --------
    >>> from mechdesign.papers.hlm_hamming import hamming_mechanism
    >>> set(expected_changes(hamming_mechanism("ab", 3, Fraction(1, 2))))
    {Fraction(1, 1)}
    """
    rows = zip(mechanism.profiles, mechanism.all_released(), strict=True)
    return [Fraction(sum(_changes(d, row, mechanism.outputs)), row.total) for d, row in rows]


def _changes(d: Label, row: Released, outputs: Sequence[Label]) -> Iterator[int]:
    return (int(weight) * distance(d, a) for weight, a in zip(row.weights, outputs, strict=True))
