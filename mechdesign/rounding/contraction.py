"""Contraction: profiles joined by edges of epsilon = delta = 0 must release the same, and become one profile.

Mixing needs room between two distributions, and an equation leaves none: whatever is rounded breaks it. The contracted
problem has no equations left, and whatever is private for it is private for the whole one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.privacy.released import Released
from mechdesign.privacy.requirement import connected
from mechdesign.problem import Kept, Problem


@dataclass(frozen=True, eq=False)
class Contracted:
    """A problem with one profile for each group that must release the same; its distribution is the group's mean.

    Attributes
    ----------
    whole
        the problem of all profiles.
    problem
        the contracted one, whose profiles are the groups.
    groups
        the members of each group, as positions in the whole problem.
    """

    whole: Problem
    problem: Problem
    groups: list[list[int]]

    def mean(self, released: Floats) -> Floats:
        """Return what each group releases: the mean of its members, which solvers leave apart by their errors."""
        if self.problem is self.whole:
            return released
        kept = self.whole.kept
        if kept is None:
            return np.array([released[g].mean(axis=0) for g in self.groups])
        shares = np.array([kept.shares], dtype=released.dtype).T
        return np.array([(shares[g] * released[g]).sum(axis=0) / shares[g].sum() for g in self.groups])

    def each(self, released: Sequence[Released]) -> list[Released]:
        """Return what each profile releases, its group's distribution.

        The total is a multiple of the common denominator of the profile's own distribution, as transport plans need it.
        """
        if self.problem is self.whole:
            return list(released)
        result = {}
        for group, unit, one in zip(self.groups, self.problem.counts[1], released, strict=True):
            # A group's total is a multiple of the denominator of its mean, which is long; no member needs that factor.
            common = math.gcd(unit, one.total, *one.weights)
            weights, total = one.weights // common, one.total // common
            for i in group:
                factor = math.lcm(total, self.whole.counts[1][i]) // total
                result[i] = Released(weights * factor, total * factor)
        return [result[i] for i in range(len(result))]


def contracted(problem: Problem) -> Contracted:
    """Return the problem with each group of profiles made one that edges of epsilon = delta = 0 join.

    Examples
    --------
    >>> from mechdesign import MaxOffDiagonal
    >>> from mechdesign.privacy.requirement import Requirement
    >>> edges = [Requirement(0, 1, Fraction(0), Fraction(0)), Requirement(1, 2, Fraction(1), Fraction(0))]
    >>> distributions = [[Fraction(n, 6), Fraction(6 - n, 6)] for n in (1, 3, 5)]
    >>> contracted(Problem(distributions, tuple(edges), MaxOffDiagonal(), np.ones(3), False)).problem.exact
    [[Fraction(1, 3), Fraction(2, 3)], [Fraction(5, 6), Fraction(1, 6)]]
    """
    equal = [edge for edge in problem.required if edge.epsilon == 0 and edge.delta == 0]
    groups = connected(len(problem.exact), equal)
    if not equal:
        return Contracted(problem, problem, groups)
    place = {i: number for number, group in enumerate(groups) for i in group}
    required = []
    for edge in problem.required:
        first, second = sorted((place[edge.first], place[edge.second]))
        if first != second:
            required.append(replace(edge, first=first, second=second))
    kept = problem.kept
    shares = [Fraction(1)] * len(problem.exact) if kept is None else kept.shares
    exact = [_mean([problem.exact[i] for i in group], [shares[i] for i in group]) for group in groups]
    if kept is not None:
        kept = replace(kept, shares=tuple(sum((shares[i] for i in group), Fraction(0)) for group in groups))
    weights = np.array([problem.weights[group].sum() for group in groups])
    fewer = replace(problem, exact=exact, required=tuple(dict.fromkeys(required)), weights=weights, shared=False)
    fewer = replace(fewer, kept=kept)
    return Contracted(problem, fewer, groups)


def _mean(distributions: Sequence[Sequence[Fraction]], shares: Sequence[Fraction]) -> list[Fraction]:
    return [total / sum(shares) for total in Kept.of(shares, distributions).totals]
