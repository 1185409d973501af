"""The requirements as arrays: each in its two directions, with a number for what it asks."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Integers
from mechdesign.privacy.requirement import Requirement


@dataclass(frozen=True, eq=False)
class Edges:
    """Directed requirements, sorted by `first`.

    Attributes
    ----------
    first, second
        profiles by position.
    label
        the number of what is asked, a position in `asked`.
    asked
        epsilon and delta, exactly.
    start
        those of profile i are numbers start[i] to start[i + 1].
    """

    first: Integers
    second: Integers
    label: Integers
    asked: list[tuple[Fraction, Fraction]]
    start: Integers

    @property
    def loose(self) -> npt.NDArray[np.bool_]:
        """Which of them have a positive delta."""
        return np.array([delta > 0 for _, delta in self.asked], dtype=bool)[self.label]

    def of(self, profiles: Integers) -> Integers:
        """Return the numbers of the edges that start in one of these profiles, one profile after the other."""
        return np.concatenate([np.arange(self.start[i], self.start[i + 1]) for i in profiles.tolist()])


def directed_edges(required: Sequence[Requirement], profiles: int) -> Edges:
    """Return the requirements in both directions.

    Examples
    --------
    >>> edges = directed_edges([Requirement(0, 1, Fraction(1), Fraction(0))], 2)
    >>> edges.first.tolist(), edges.second.tolist(), edges.asked
    ([0, 1], [1, 0], [(Fraction(1, 1), Fraction(0, 1))])
    """
    numbers: dict[tuple[tuple[int, int], tuple[int, int]], int] = {}  # Fractions are slow to hash
    asked = []
    label = np.empty((2, len(required)), dtype=np.int64)
    for place, edge in enumerate(required):
        key = edge.epsilon.as_integer_ratio(), edge.delta.as_integer_ratio()
        if key not in numbers:
            numbers[key] = len(numbers)
            asked.append((edge.epsilon, edge.delta))
        label[:, place] = numbers[key]
    a, b = (np.array([getattr(edge, end) for edge in required], dtype=np.int64) for end in ("first", "second"))
    first, second = np.concatenate([a, b]), np.concatenate([b, a])
    order = np.lexsort((second, first))
    start = np.searchsorted(first[order], np.arange(profiles + 1))
    return Edges(first[order], second[order], label.ravel()[order], asked, start)


def joined(edges: Edges, factors: npt.NDArray[Any], table: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return, for each profile i, the sum over its edges of their factor times the other profile's row; modulo 2^64.

    Examples
    --------
    >>> edges = directed_edges([Requirement(0, 1, Fraction(1), Fraction(0))], 2)
    >>> joined(edges, np.array([2, 3]), np.array([[1, 1], [5, 7]])).tolist()
    [[10, 14], [3, 3]]
    """
    k = len(table)
    if 2 * len(edges.first) <= k * k:
        shape = sp.csr_matrix((factors, edges.second, edges.start), shape=(k, k))
        return np.asarray(shape @ table)
    # Nearly all are neighbours, most with the same factor: what differs from that has few entries.
    dense = np.zeros((k, k), dtype=factors.dtype)
    dense[edges.first, edges.second] = factors
    values, counts = np.unique(factors, return_counts=True)
    usual = values[counts.argmax() :][:1]
    found: npt.NDArray[Any] = sp.csr_matrix(dense - usual) @ table + usual * table.sum(axis=0)
    return found
