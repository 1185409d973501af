"""Profiles that must release just the same, made one: the repair then has no equations to keep."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import networkx as nx
import numpy as np

from mechdesign.privacy import Released, Requirement
from mechdesign.problem import Floats, Problem


@dataclass(frozen=True, eq=False)
class Merged:
    """A problem with one profile, of the mean distribution, for each group that releases the same.

    Attributes
    ----------
    problem
        of the groups.
    groups
        the members of each, by positions in the whole problem.
    """

    problem: Problem
    groups: list[list[int]]

    def mean(self, released: Floats) -> Floats:
        """Return what each group releases, from what its members do in a solver's answer."""
        return np.array([released[group].mean(axis=0) for group in self.groups])

    def each(self, whole: Problem, released: Sequence[Released]) -> list[Released]:
        """Return what each profile releases; its total is a multiple of the denominator of its own distribution."""
        result = {}
        for group, mean, one in zip(self.groups, self.problem.exact, released, strict=True):
            # The mean of many distributions has a long denominator; the total only has to stay as fine as it was.
            common = math.gcd(_denominator(mean), one.total, *one.weights)
            weights, total = one.weights // common, one.total // common
            for i in group:
                factor = math.lcm(total, _denominator(whole.exact[i])) // total
                result[i] = Released(weights * factor, total * factor)
        return [result[i] for i in range(len(result))]


def merged(problem: Problem) -> Merged:
    """Return the problem with the profiles made one that edges of no epsilon and no delta join.

    Examples
    --------
    >>> from mechdesign import MaxOffDiagonal
    >>> edges = [Requirement(0, 1, Fraction(0), Fraction(0)), Requirement(1, 2, Fraction(1), Fraction(0))]
    >>> distributions = [[Fraction(n, 6), Fraction(6 - n, 6)] for n in (1, 3, 5)]
    >>> merged(Problem(distributions, tuple(edges), MaxOffDiagonal(), np.ones(3), False)).problem.exact
    [[Fraction(1, 3), Fraction(2, 3)], [Fraction(5, 6), Fraction(1, 6)]]
    """
    same = nx.Graph()
    same.add_nodes_from(range(len(problem.exact)))
    same.add_edges_from((r.first, r.second) for r in problem.required if r.epsilon == 0 and r.delta == 0)
    groups = [sorted(group) for group in nx.connected_components(same)]
    if len(groups) == len(problem.exact):
        return Merged(problem, groups)
    place = {i: number for number, group in enumerate(groups) for i in group}
    required = {}
    for edge in problem.required:
        a, b = sorted((place[edge.first], place[edge.second]))
        if a != b:
            required[a, b, edge.epsilon, edge.delta] = Requirement(a, b, edge.epsilon, edge.delta, edge.distance)
    exact = [_mean([problem.exact[i] for i in group]) for group in groups]
    weights = np.array([problem.weights[group].sum() for group in groups])
    return Merged(Problem(exact, tuple(required.values()), problem.objective, weights, False), groups)


def _denominator(distribution: Sequence[Fraction]) -> int:
    return math.lcm(*(mass.denominator for mass in distribution))


def _mean(distributions: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    return [sum(masses, Fraction(0)) / len(distributions) for masses in zip(*distributions, strict=True)]
