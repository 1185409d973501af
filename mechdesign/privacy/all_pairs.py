"""Every pair of profiles as requirements, without storing them; and all requirements direction by direction."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon
from mechdesign.graph.checks import MOST_EDGES
from mechdesign.privacy.requirement import Directed, Requirement, both_ways


class AllPairs(Sequence[Requirement]):
    """Every pair of so many profiles under one epsilon and delta, without storing them."""

    def __init__(self, profiles: int, epsilon: Epsilon, delta: Fraction) -> None:
        self.profiles = profiles if epsilon != float("inf") else 0
        self.epsilon, self.delta = Fraction(epsilon) if self.profiles else Fraction(0), delta

    def __len__(self) -> int:
        return self.profiles * (self.profiles - 1) // 2

    def __iter__(self) -> Iterator[Requirement]:
        for i, j in combinations(range(self.profiles), 2):
            yield self.pair(i, j)

    def __getitem__(self, index: int | slice) -> "Requirement | list[Requirement]":  # type: ignore[override]
        return list(self)[index]

    def pair(self, i: int, j: int) -> Requirement:
        """Return what is required of one pair."""
        return Requirement(i, j, self.epsilon, self.delta)


def every(required: Sequence[Requirement]) -> list[Directed]:
    """Return all requirements, direction by direction.

    Raises
    ------
    InputError
        if every pair is required and they are too many to be looked at one by one, as a delta > 0 asks for.
    """
    if isinstance(required, AllPairs) and len(required) > MOST_EDGES:
        raise InputError(
            f"every pair of {required.profiles:,} profiles would have to be looked at by itself, and at most "
            f"{MOST_EDGES:,} pairs are; give a graph with the edges that matter, or delta = 0"
        )
    return list(both_ways(required))


def allows_delta(required: Sequence[Requirement]) -> bool:
    """Return whether some requirement has delta > 0."""
    return required.delta > 0 if isinstance(required, AllPairs) else any(one.delta for one in required)
