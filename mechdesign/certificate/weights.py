"""Exact dual multipliers: of a solver's, as integers, those that a bound is computed from and a certificate carries.

A problem of classes of what is alike has one multiplier for all (a, b, y) of a class. They are expanded to all profiles
only when a certificate is written, since they may stand for millions.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from mechdesign.arrays import Exact, Floats, Integers
from mechdesign.certificate.within import within
from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.graph.uncertainty import is_single
from mechdesign.objective.multipliers import FINENESS, Multipliers, PrivacyMultipliers, integers, over_fineness
from mechdesign.privacy.alike import Alike
from mechdesign.privacy.gaps import TOGETHER
from mechdesign.privacy.inequalities import Inequalities
from mechdesign.privacy.requirement import Requirement, both_ways
from mechdesign.problem import Problem


@dataclass(frozen=True, eq=False)
class PrivacyWeights:
    """Multipliers of inequalities of privacy.

    Attributes
    ----------
    asked
        the inequalities, of pairs (profile i, output y), number i m + y, that have a multiplier; or of all classes.
    lam
        for each of them an integer over FINENESS.
    """

    asked: Inequalities
    lam: Exact

    @classmethod
    def of_pairs(
        cls, required: Sequence[Requirement], found: PrivacyMultipliers, m: int, unit: Fraction
    ) -> "PrivacyWeights":
        """Return multipliers of single pairs as exact ones, times a unit."""
        # Beyond MAX_EPSILON e^epsilon is not bounded from above, and does not matter.
        used = [
            edge
            for edge in required
            if edge.epsilon <= MAX_EPSILON and any(pair in found for pair in edge.directions())
        ]
        rows = [(number, found[a, b]) for number, (a, b, _) in enumerate(both_ways(used)) if (a, b) in found]
        parts = [_over_fineness(rows[start : start + TOGETHER], unit) for start in range(0, len(rows), TOGETHER)]
        edge, y, lam = map(np.concatenate, zip(_over_fineness([], unit), *parts, strict=True))
        return cls(Inequalities.on(used, m, edge, y), lam)

    @classmethod
    def of_classes(cls, asked: Inequalities, found: Floats, unit: Fraction) -> "PrivacyWeights":
        """Return multipliers of classes as exact ones, times a unit."""
        finite = np.array([epsilon <= MAX_EPSILON for epsilon, _ in asked.asked])[asked.asked_by]
        lam = np.zeros(len(found), dtype=object)
        for place, weight in integers(found * finite, unit):
            lam[place] = weight
        return cls(asked, lam)

    @property
    def used(self) -> Integers:
        """Which of the inequalities have a multiplier."""
        return np.flatnonzero(self.lam)


def _over_fineness(rows: Sequence[tuple[int, Floats]], unit: Fraction) -> tuple[Integers, Integers, Exact]:
    """Return numbers of edges, outputs, and multipliers times a unit as integers over FINENESS, where not 0."""
    if not rows:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0, dtype=object)
    places, whole = over_fineness(np.array([row for _, row in rows]), axis=1)
    lam = whole * unit.numerator // unit.denominator
    row, y = places[lam > 0].T
    return np.array([number for number, _ in rows])[row], y, lam[lam > 0]


@dataclass(frozen=True, eq=False)
class ByEdge(Mapping[tuple[int, int, int], int]):
    """(a, b, y) -> integer over FINENESS, where not 0, of single pairs, or of classes if they are `alike`.

    A table of all is made when one is read.
    """

    privacy: PrivacyWeights
    m: int
    alike: Alike | None

    @cached_property
    def _table(self) -> dict[tuple[int, int, int], int]:
        asked, lam = self.privacy.asked, self.privacy.lam
        if self.alike is None:
            a, y = np.divmod(asked.above, self.m)
            return dict(
                zip(zip(a.tolist(), (asked.below // self.m).tolist(), y.tolist(), strict=True), lam, strict=True)
            )
        found = {}
        for edge, (a, b) in enumerate(zip(self.alike.edges.first, self.alike.edges.second, strict=True)):
            of_edge = lam[self.alike.inequalities_of(edge)]
            found.update({(int(a), int(b), y): int(of_edge[y]) for y in np.flatnonzero(of_edge).tolist()})
        return found

    def __getitem__(self, key: tuple[int, int, int]) -> int:
        return self._table[key]

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        return iter(self._table)

    def __len__(self) -> int:
        """Return how many there are, without a table of them."""
        return int(self.privacy.asked.times[self.privacy.used].sum())


@dataclass(frozen=True, eq=False)
class Weights:
    """Exact multipliers of one component, or of its classes.

    Attributes
    ----------
    privacy
        lam, of the inequalities.
    entries
        z: a d x m table of integers over FINENESS for each matrix, of total 1 at most; None for a loss.
    profiles
        w: one weight for each profile; None for the largest off-diagonal entry.
    worst
        (i, y, 0 for P or 1 for P') -> d integers over its unit, where it is not the profile's own distribution.
    alike
        the classes, of which `entries` and `profiles` have one each; None where each profile has its own.
    kept
        nu: for each output an integer over FINENESS, of any sign; None where no overall shares are kept.
    """

    privacy: PrivacyWeights
    entries: Sequence[Exact] | None
    profiles: Sequence[Fraction] | None
    worst: dict[tuple[int, int, int], list[int]] = field(default_factory=dict)
    alike: Alike | None = None
    kept: Sequence[int] | None = None

    def by_edge(self, m: int) -> ByEdge:
        """Return lam of all profiles: (a, b, y) -> integer over FINENESS, where not 0."""
        return ByEdge(self.privacy, m, self.alike)

    def by_profile(self) -> Sequence[Fraction]:
        """Return w of all profiles; nothing where there are none."""
        if self.profiles is None or self.alike is None:
            return self.profiles or ()
        return [self.profiles[group] for group in self.alike.group.tolist()]

    def prices(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield (matrix, x, y, z) of all matrices, where z is not 0."""
        tables = self.entries or ()
        found = [(*np.nonzero(table), table[np.nonzero(table)]) for table in tables]
        groups = range(len(found)) if self.alike is None or not found else self.alike.group.tolist()
        for matrix, group in enumerate(groups):
            xs, ys, prices = found[group]
            if self.alike is not None:
                place = _categories(self.alike, matrix, group)
                xs, ys = place[xs], place[ys]
            for x, y, price in zip(xs.tolist(), ys.tolist(), prices, strict=True):
                yield matrix, x, y, int(price)


def _categories(alike: Alike, i: int, group: int) -> Integers:
    """Return which category of profile i is alike with each one of the profile that stands for its class."""
    place = np.empty(alike.classes.shape[1], dtype=np.int64)
    place[np.argsort(alike.variables[group], kind="stable")] = np.argsort(alike.classes[i], kind="stable")
    return place


def exact_weights(problem: Problem, multipliers: Multipliers | None, prior: Sequence[Fraction]) -> Weights:
    """Return a solver's multipliers as exact ones; without any, those of a component that needs no noise.

    `prior` are the exact prior weights of the component's profiles, shares of the whole graph's.
    """
    alike, m = problem.alike, problem.outputs
    prior = prior if alike is None else _summed(alike, prior)
    entries, profiles, unit = problem.objective.exact_multipliers(problem, multipliers, prior)
    found: PrivacyMultipliers = {} if multipliers is None else multipliers.privacy
    if alike is None:
        privacy = PrivacyWeights.of_pairs(problem.required, found, m, unit)
        worst = None if multipliers is None else multipliers.worst
        kept = None if problem.kept is None else _kept(multipliers, m, unit)
        return Weights(privacy, entries, profiles, _worst(problem, worst, privacy), kept=kept)
    copies, asked = alike.copies.tolist(), problem.inequalities
    return Weights(
        PrivacyWeights.of_classes(asked, found.get((0, 0), np.zeros(len(asked.above))), unit),
        None if entries is None else [table // count for table, count in zip(entries, copies, strict=True)],
        None if profiles is None else [share / count for share, count in zip(profiles, copies, strict=True)],
        alike=alike,
    )


def _kept(multipliers: Multipliers | None, m: int, unit: Fraction) -> list[int]:
    """Return exact multipliers of the shares that are kept, times a unit; 0 where there are none."""
    if multipliers is None or multipliers.kept is None:
        return [0] * m
    return [math.floor(Fraction(weight) * unit * FINENESS) for weight in multipliers.kept.tolist()]


def _summed(alike: Alike, prior: Sequence[Fraction]) -> list[Fraction]:
    """Return the exact weights of all profiles of each class together."""
    shares = [Fraction(0)] * len(alike.copies)
    for number, share in zip(alike.group.tolist(), prior, strict=True):
        shares[number] += share
    return shares


def _worst(problem: Problem, found: Floats | None, privacy: PrivacyWeights) -> dict[tuple[int, int, int], list[int]]:
    """Return exact distributions within the sets near those found, for every place that has a multiplier."""
    if found is None or problem.uncertain is None:
        return {}
    needed = dict.fromkeys(
        place for a, b, y in ByEdge(privacy, problem.outputs, None) for place in ((a, y, 0), (b, y, 1))
    )
    return {
        (i, y, side): within(problem.uncertain[i], found[side, i, y])
        for i, y, side in needed
        if found[side, i, y].any() and not is_single(problem.uncertain[i])
    }
