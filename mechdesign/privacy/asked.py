"""Which pairs of profiles must not be told apart, and who is protected from whom: in words and as JSON.

Pairs are asked for in three ways: by the edges of a graph, by those that a mechanism's file carries, and as every pair.
"""

import math
from collections.abc import Sequence, Sized
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.bounds import digits_above, printed_above
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import brief
from mechdesign.graph.labels import Label
from mechdesign.graph.properties import check_all_own, own_epsilons
from mechdesign.graph.uncertainty import is_robust, nominal
from mechdesign.privacy.paths import along_paths
from mechdesign.privacy.requirement import AllPairs, Requirement, connected, requirements
from mechdesign.words import counted

UNBOUNDED = "The profiles are taken to be as their distributions say; nothing is said of others within their bounds."
"""What does not hold of a design or verdict for distributions alone, where profiles have bounds."""


class Source(StrEnum):
    """Where it is said which pairs must not be told apart."""

    GRAPH = "graph"
    MECHANISM = "mechanism"
    EVERY_PAIR = "every pair"


@dataclass(frozen=True, eq=False)
class Asked:
    """Which pairs of profiles must not be told apart, and at which epsilon and delta where these are their own.

    Attributes
    ----------
    profiles
        a checked profile graph, whose distributions and bounds count; and whose edges, unless every pair is asked for.
    source
        where it is said.
    unbounded
        whether bounds around the distributions are left out.
    """

    profiles: nx.Graph
    source: Source = Source.GRAPH
    unbounded: bool = False

    @property
    def every_pair(self) -> bool:
        """Whether every pair is asked for, whatever edges there are."""
        return self.source == Source.EVERY_PAIR

    @property
    def names(self) -> list[Label]:
        """The profiles."""
        return list(self.profiles)

    @property
    def edges(self) -> int:
        """How many pairs there are."""
        return math.comb(len(self.profiles), 2) if self.every_pair else self.profiles.number_of_edges()

    @property
    def robust(self) -> bool:
        """Whether profiles are known only within bounds."""
        return is_robust(self.profiles)

    def at_nominal(self) -> "Asked":
        """Return the same of each profile's distribution alone."""
        return replace(self, profiles=nominal(self.profiles), unbounded=True) if self.robust else self

    def every(self) -> "Asked":
        """Return every pair of these profiles."""
        return replace(self, source=Source.EVERY_PAIR)

    def own_epsilons(self) -> list[Epsilon]:
        """Return the epsilons of the edges that have one of their own."""
        return [] if self.every_pair else own_epsilons(self.profiles)

    def check_all_own(self) -> None:
        """Raise an InputError unless every pair has an epsilon of its own, so that all can be scaled."""
        if self.every_pair:
            raise InputError("only epsilons of the edges' own can be scaled: every pair of profiles have none")
        check_all_own(self.profiles)

    def graph(self) -> nx.Graph:
        """Return the profile graph with an edge for each pair."""
        if not self.every_pair:
            return self.profiles
        found = nx.create_empty_copy(self.profiles)
        names = self.names
        found.add_edges_from((a, b) for i, a in enumerate(names) for b in names[i + 1 :])
        return found

    def requirements(self, epsilon: Epsilon, delta: Fraction) -> Sequence[Requirement]:
        """Return what is required of each pair at (epsilon, delta); an infinite epsilon requires nothing."""
        if self.every_pair:
            return AllPairs(len(self.profiles), epsilon, delta)
        return requirements(self.profiles, epsilon, delta)

    def protected(self, epsilon: Epsilon, delta: Fraction) -> "Protected":
        """Return who is protected from whom at (epsilon, delta); where epsilon is infinite, not at which."""
        infinite = epsilon == math.inf
        required = self.requirements(Fraction(0) if infinite else epsilon, delta)
        found = protected(len(self.profiles), required)
        return replace(found, ends=None, epsilon=None, delta=None) if infinite else found

    def words(self, where: str = "") -> str:
        """Return which pairs these are; `where` is the name of the graph, if one was given.

        Examples
        --------
        >>> import mechdesign as md
        >>> md.design("categorical-chain", epsilon=1).mechanism.asked.words()
        "the mechanism's edges"
        """
        if self.every_pair:
            return "every pair of profiles" + (f" of {where}" if where else "")
        return f"the edges of {where}" if where else f"the {self.source}'s edges"

    def said(self, found: "Protected", where: str = "") -> str:
        """Return which pairs these are with how many, of how many, and what follows for the others."""
        return found.words() if self.every_pair else f"{self.words(where)}: {found.words()}"


def unprotected(asked: Asked, required: Sized) -> str | None:
    """Return that nothing is protected, in words, where the pairs asked about require nothing; else None.

    Examples
    --------
    >>> import mechdesign as md
    >>> unprotected(Asked(md.profile_graph({"a": [1, 0], "b": [0, 1]}, edges=[], categories=["no", "yes"])), [])
    'Nothing is protected: the graph has no edges.'
    """
    if len(required):
        return None
    if asked.every_pair:
        return "Nothing is protected: there is one input only, or epsilon is infinite."
    if not asked.edges:
        return "Nothing is protected: the graph has no edges."
    return "Nothing is protected: no edge requires anything, as every epsilon is infinite."


@dataclass(frozen=True)
class Protected:
    """Who is protected from whom: how many pairs of profiles directly, how many others through paths of these.

    Attributes
    ----------
    pairs
        of profiles.
    asked
        how many of them must not be told apart.
    through
        how many others paths of these join; for the rest nothing follows.
    epsilon, delta
        what follows at most for those that paths join; None where there are none, or that was not computed.
    ends
        the least and the largest epsilon of those asked; None where that was not computed.
    """

    pairs: int
    asked: int
    through: int = 0
    epsilon: Fraction | None = None
    delta: Fraction | None = None
    ends: tuple[Epsilon, Epsilon] | None = None

    @property
    def apart(self) -> int:
        """Of how many pairs nothing is proved."""
        return self.pairs - self.asked - self.through

    def counts(self) -> str:
        """Return how many pairs are asked for, of how many."""
        return f"{self.asked:,} of {self.pairs:,} pair{'s' if self.pairs != 1 else ''}"

    def words(self) -> str:
        """Return in words how many pairs are asked for, of how many, and what follows for the others.

        Examples
        --------
        >>> Protected(3, 3).words(), Protected(15, 3).words()
        ('all 3 pairs of profiles', '3 of 15 pairs of profiles; nothing is proved of the others')
        >>> Protected(15, 4, 2, Fraction(3, 2), Fraction(0)).words()
        '4 of 15 pairs of profiles; for 2 others epsilon 1.5 follows along paths; nothing is proved of the other 9'
        >>> Protected(10, 10, ends=(Fraction(1), Fraction(4))).words()
        'all 10 pairs of profiles, at epsilons 1 to 4'
        """
        ends = "" if self.ends is None else " to ".join(dict.fromkeys(map(_at_most, self.ends)))
        ends = f", at epsilons {ends}" if " to " in ends else ""
        if self.asked == self.pairs:
            few = {0: "no pair, as there is one profile", 1: "the only pair of profiles"}
            return few.get(self.pairs, f"all {self.pairs:,} pairs of profiles{ends}")
        direct = f"{self.counts()} of profiles{ends}"
        if not self.through:
            return f"{direct}; nothing is proved of the other{'s' if self.apart > 1 else ''}"
        rest = f"; nothing is proved of the other{f' {self.apart:,}' if self.apart > 1 else ''}" if self.apart else ""
        others = f"the other{'s' if self.through > 1 else ''}" if not self.apart else counted(self.through, "other")
        if self.epsilon is None or self.delta is None:
            return f"{direct}; for {others} no limit is stated{rest}"
        delta = f", delta {digits_above(self.delta, 3)}" if self.delta else ""
        return f"{direct}; for {others} epsilon {_at_most(self.epsilon)}{delta} follows along paths{rest}"

    def summary(self) -> dict[str, Any]:
        """Return the keys that JSON has of it."""
        return {
            "pairs": self.pairs,
            "pairs_asked": self.asked,
            "pairs_through_others": self.through,
            "epsilon_through_others": _in_json(self.epsilon),
            "delta_through_others": _in_json(self.delta),
        }


def _at_most(epsilon: Fraction | float) -> str:
    """Return an epsilon as text, rounded up."""
    exact = brief(epsilon, 6, 6)
    return exact if Fraction(exact) >= epsilon else digits_above(Fraction(epsilon))


def _in_json(number: Fraction | None) -> float | None:
    """Return a number as JSON has it, rounded up; None for what is not known, and beyond doubles."""
    return None if number is None or math.isinf(above := printed_above(number)) else above


def protected(profiles: int, required: Sequence[Requirement]) -> Protected:
    """Return who is protected from whom, of so many profiles, by what is required of some of their pairs.

    Examples
    --------
    >>> edges = [Requirement(0, 1, Fraction(1, 2), Fraction(0)), Requirement(1, 2, Fraction(1), Fraction(0))]
    >>> protected(4, edges).words()
    '2 of 6 pairs of profiles, at epsilons 0.5 to 1; for 1 other epsilon 1.5 follows along paths; nothing is ... 3'
    """
    pairs = math.comb(profiles, 2)
    if isinstance(required, AllPairs):
        return Protected(pairs, pairs if required.delta < 1 else 0, ends=(required.epsilon, required.epsilon))
    least: dict[tuple[int, int], Requirement] = {}
    for one in required:
        ends = min(one.first, one.second), max(one.first, one.second)
        if one.delta < 1 and (ends not in least or one.epsilon < least[ends].epsilon):
            least[ends] = one
    joined = sum(math.comb(len(group), 2) for group in connected(profiles, least.values()))
    through = joined - len(least)
    epsilon, delta = (along_paths(profiles, least) if through else None) or (None, None)
    nats = [one.epsilon for one in least.values()]
    return Protected(pairs, len(least), through, epsilon, delta, (min(nats), max(nats)) if nats else None)
