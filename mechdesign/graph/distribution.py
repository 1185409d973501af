"""Distributions over the categories: exact sequences, and point masses without storing their zeros."""

from collections.abc import Sequence
from fractions import Fraction
from typing import overload

from mechdesign.exact.numbers import over_common
from mechdesign.exact.text import brief
from mechdesign.graph.labels import Label


class PointMass(Sequence[Fraction]):
    """The distribution of a profile that always has the same category; of length d, without storing it.

    Examples
    --------
    >>> list(PointMass(1, 3))
    [Fraction(0, 1), Fraction(1, 1), Fraction(0, 1)]
    """

    def __init__(self, position: int, length: int) -> None:
        self.position = position
        self._length = length

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Fraction: ...
    @overload
    def __getitem__(self, index: slice) -> list[Fraction]: ...
    def __getitem__(self, index: int | slice) -> Fraction | list[Fraction]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._length))]
        return Fraction(range(self._length)[index] == self.position)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PointMass):
            return (self.position, self._length) == (other.position, other._length)
        return isinstance(other, Sequence) and list(self) == list(other)

    def __hash__(self) -> int:
        return hash((self.position, self._length))

    def __repr__(self) -> str:
        return f"PointMass({self.position}, {self._length})"


def support(distribution: Sequence[Fraction]) -> list[tuple[int, Fraction]]:
    """Return the possible categories as (position, probability > 0), in order.

    Examples
    --------
    >>> support([Fraction(1, 4), Fraction(0), Fraction(3, 4)])
    [(0, Fraction(1, 4)), (2, Fraction(3, 4))]
    """
    if isinstance(distribution, PointMass):
        return [(distribution.position, Fraction(1))]
    return [(position, mass) for position, mass in enumerate(distribution) if mass.numerator > 0]  # Fractions are slow


def counts_of(distribution: Sequence[Fraction]) -> tuple[list[int], int]:
    """Return a distribution as integers, and what these are over, which is the least.

    Examples
    --------
    >>> counts_of([Fraction(1, 4), Fraction(0), Fraction(3, 4)])
    ([1, 0, 3], 4)
    """
    used = support(distribution)
    integers, unit = over_common([mass for _, mass in used])
    counts = [0] * len(distribution)
    for (x, _), count in zip(used, integers, strict=True):
        counts[x] = count
    return counts, unit


def describe(distribution: Sequence[Fraction], categories: Sequence[Label]) -> str:
    """Return a distribution in words for people: "no 0.1, yes 0.9"; exact where short."""
    masses = [(categories[position], mass) for position, mass in support(distribution)]
    return ", ".join(f"{label} {brief(mass, 8, 4)}" for label, mass in masses)
