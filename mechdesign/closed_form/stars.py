"""What the best star of profiles asks for: a bound of the largest off-diagonal entry, at least that of the best pair.

A star has a centre i, disjoint sets S_j of outputs for some others j, and U, the union of these. With D_j the length of
a path between i and j (the total of its epsilons), and L_j that of its deltas as
in `mechdesign.closed_form.best_pair`,

    inward     sum_j (q^j(S_j) - L_j) / e^D_j <= q^i(U),     outward     q^i(U) <= sum_j (e^D_j q^j(S_j) + L_j).

With entries off the diagonal of t at most, a profile keeps q(S) >= P(S) - t (m - |S|) P(S), and has no more than
q(S) <= P(S) + t |S| (1 - P(S)); all outputs together have 1. So each star asks for a t. A pair is a star with one set.

Stars do not suffice, not even on chains with one E for all edges. With E = 4/3, in sixths: (2, 2, 1, 1), (1, 4, 1, 0),
(1, 2, 2, 1) need 5/54 and the best star asks for 1/11; (0, 4, 2), (2, 4, 0), (1, 1, 4), (6, 0, 0) need 14/55, the best
star asks for 1/4.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import networkx as nx

from mechdesign.closed_form.best_pair import along, limited
from mechdesign.closed_form.two_profiles import asked_by
from mechdesign.privacy.requirement import Requirement

NOBODY = -1
"""Stands for the other profile of an output that is in none of the sets."""

Assignment: TypeAlias = tuple[int, ...]
"""For each output the j in whose S_j it is, or NOBODY."""


@dataclass(frozen=True)
class Star:
    """What a star asks for.

    Attributes
    ----------
    level
        no private mechanism has a smaller largest off-diagonal entry.
    centre
        its position among the profiles.
    sets
        the outputs S_j of each other profile j that has some.
    outward
        whether it is the centre's mass that is bounded above.
    """

    level: Fraction
    centre: int
    sets: dict[int, tuple[int, ...]]
    outward: bool


@dataclass(frozen=True)
class _Reach:
    """The others as a centre sees them: e^D_j and L_j on the way from it (outward), or to it."""

    ratios: Mapping[int, Any]
    lost: Mapping[int, Any]


def best_star(exact: Sequence[Sequence[Fraction]], required: Sequence[Requirement]) -> Star:
    """Return a star that asks for much: the best that moving one output at a time finds, from every pair of profiles.

    It is for small graphs: each profile is tried as a centre, with all that it is connected with. What the star asks
    for is exact, and a bound of the optimum, whether or not there is a better one.

    Parameters
    ----------
    exact
        k distributions over the same m categories.
    required
        the requirements, by positions among them.

    References
    ----------
    A theorem of this project, proved in `mechdesign.closed_form.stars`.

    Examples
    --------
    >>> masses = [[Fraction(x, 6) for x in row] for row in ([0, 1, 5], [1, 2, 3], [1, 3, 2])]
    >>> chain = [Requirement(i, i + 1, Fraction(1, 4), Fraction(0)) for i in range(2)]
    >>> star = best_star(masses, chain)
    >>> star.centre, star.sets, star.outward, f"{float(star.level):.6f}"
    (1, {0: (0, 1), 2: (2,)}, True, '0.119486')
    """
    edges, graph = limited(required), nx.Graph()
    graph.add_weighted_edges_from((i, j, one.epsilon) for (i, j), one in edges.items())
    best = Star(Fraction(0), 0, {}, False)
    for centre, paths in nx.all_pairs_dijkstra_path(graph):
        for outward in (True, False):
            ways = {j: along(path if outward else path[::-1], edges) for j, path in paths.items() if j != centre}
            reach = _Reach(*({j: way[part] for j, way in ways.items()} for part in (0, 1)))
            for start in ways:
                best = max(best, _climbed(exact, centre, start, reach, outward), key=lambda star: star.level)
    return best


def _climbed(exact: Sequence[Sequence[Fraction]], centre: int, start: int, reach: _Reach, outward: bool) -> Star:
    """Return the star that is left when moving one output helps no more, from what the pair (centre, start) asks for.

    Doubles say which is better.
    """
    profiles = [list(map(float, masses)) for masses in exact]
    near = _Reach(*({j: float(x) for j, x in part.items()} for part in (reach.ratios, reach.lost)))
    ends = (centre, start) if outward else (start, centre)
    m, level = len(profiles[0]), -math.inf
    pair = asked_by(exact[ends[0]], exact[ends[1]], reach.ratios[start], reach.lost[start]).outputs or (0,)
    now: Assignment = tuple(start if y in pair else NOBODY for y in range(m))
    while (found := _level(profiles, centre, now, near, outward)) > level:
        level = found
        moved = [(*now[:y], j, *now[y + 1 :]) for y in range(m) for j in (NOBODY, *near.ratios)]
        now = max(now, *moved, key=lambda assigned: _level(profiles, centre, assigned, near, outward))
    sets = {j: tuple(y for y in range(m) if now[y] == j) for j in sorted(set(now) - {NOBODY})}
    return Star(max(Fraction(0), _level(exact, centre, now, reach, outward)), centre, sets, outward)


def _level(profiles: Any, centre: int, assigned: Assignment, reach: _Reach, outward: bool) -> Any:
    """Return what a star asks for, in the numbers that it is given, or minus infinity."""
    m, above, slope = len(assigned), 0, 0
    for j in set(assigned) - {NOBODY}:
        outputs = [y for y in range(m) if assigned[y] == j]
        mass, ratio = sum(profiles[j][y] for y in outputs), reach.ratios[j]
        if outward:
            above -= ratio * mass + reach.lost[j]
            slope += ratio * len(outputs) * (1 - mass)
        else:
            above += (mass - reach.lost[j]) / ratio
            slope += (m - len(outputs)) * mass / ratio
    union = [y for y in range(m) if assigned[y] != NOBODY]
    if len(union) == m:  # the centre has 1 there, whatever t is
        above += 1 if outward else -1
    else:
        mass = sum(profiles[centre][y] for y in union)
        above += mass if outward else -mass
        slope += (m - len(union)) * mass if outward else len(union) * (1 - mass)
    return above / slope if union and slope > 0 else -math.inf
