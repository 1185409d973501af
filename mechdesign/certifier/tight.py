"""`tight_epsilons`: what each pair of neighbours needs, not only the worst; and which of them fail."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

import networkx as nx
import numpy as np

from mechdesign.certifier.applied import ranges_under, to_judge
from mechdesign.certifier.ranges import Bounds, Ranges
from mechdesign.certifier.shortlist import log_ratios
from mechdesign.errors import InputError
from mechdesign.exact.bounds import at_most_kept, largest_double
from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import Epsilon, Number, parse_delta, parse_epsilon
from mechdesign.graph.labels import Label
from mechdesign.mechanism.given import AskedBy, Given
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Asked
from mechdesign.privacy.released import ROOM
from mechdesign.privacy.requirement import Requirement, allows_delta, epsilon_of, every

Edge: TypeAlias = tuple[Label, Label]
Ends: TypeAlias = tuple[int, int]

MOST_EXACT = 300_000
"""Up to this many entries, those of every directed edge counted, edges are compared exactly: some five seconds."""

MOST_PAIRS = 1_000_000
"""More directed edges than this are not listed: those of 1,000 profiles, all pairs, take 600 MB."""

FEWER = "give a graph with fewer edges, or certify without listing the pairs"


@dataclass(frozen=True)
class Pair:
    """A directed edge: what it needs, and what is required of it.

    Attributes
    ----------
    edge
        (i, j): q^i(S) is compared with e^epsilon q^j(S) + delta, for every set S of outputs.
    needs
        (lower, upper) around the least epsilon for which that holds.
    required
        the epsilon required of the edge; None if none is.
    met
        whether that is met, exactly; None if nothing is required, or if neither is proved.
    refuted_at_each
        whether it fails at every distribution within the bounds, exactly; None where profiles are known, where nothing
        is required, and where there are too many pairs to compare exactly.
    """

    edge: Edge
    needs: Bounds
    required: Epsilon | None
    met: bool | None
    refuted_at_each: bool | None = None

    @property
    def beyond(self) -> float:
        """How far it is beyond what is required, nearly; only to put the worst first."""
        if self.required == math.inf:
            return -math.inf
        return self.needs[1] - float(min(Fraction(self.required or 0), MAX_EPSILON))


@with_flags
def tight_epsilons(
    mechanism: Given,
    graph: AskedBy = None,
    *,
    delta: Number = 0,
    nominal: bool = False,
    all_pairs: bool = False,
) -> dict[Edge, tuple[float, float]]:
    """Return, for each edge and direction, (lower, upper) around the least epsilon that holds there, at its delta.

    They differ in the last digits; by up to 2e-12 (1 + epsilon) where the edges have more than 300,000 entries in all;
    by more where a delta > 0 is asked for and profiles are known only within bounds.

    Parameters
    ----------
    mechanism, graph, delta, nominal, all_pairs
        as for `certify`; the epsilons are the edges' as they are, whatever epsilon or distance is given for them.

    Raises
    ------
    InputError
        if the graph does not fit, delta cannot be used, or there are too many entries to compare for a delta > 0.

    Examples
    --------
    >>> import mechdesign as md
    >>> coin = md.mechanism_from_matrix([["3/4", "1/4"], ["1/2", "1/2"]])
    >>> {edge: round(upper, 4) for edge, (_, upper) in md.tight_epsilons(coin).items()}
    {(0, 1): 0.4055, (1, 0): 0.6931}
    """
    return {
        pair.edge: pair.needs for pair in pairs(mechanism, graph, delta=delta, nominal=nominal, all_pairs=all_pairs)
    }


def furthest(mechanism: Mechanism, asked: Asked, number: int) -> list[tuple[Edge, float]]:
    """Return the edges that need most either way, at delta 0 or their own, with upper bounds of what each needs.

    Doubles say which of many may be among them; these alone are measured exactly.

    Examples
    --------
    >>> import mechdesign as md
    >>> rows = md.mechanism_from_matrix([["3/4", "1/4"], ["1/2", "1/2"], ["1/4", "3/4"]])
    >>> [(edge, round(upper, 4)) for edge, upper in furthest(rows, rows.asked, 1)]
    [((0, 2), 1.0986)]
    """
    names, ranges = ranges_under(mechanism, asked)
    measured, _ = _edges(asked, None, Fraction(0))
    near = {} if allows_delta(measured) else _around(ranges, measured)
    low: dict[frozenset[Label], float] = {}
    high = dict(low)
    for (i, j), (least, most) in near.items():
        edge = frozenset((names[i], names[j]))
        low[edge], high[edge] = max(least, low.get(edge, 0.0)), max(most, high.get(edge, 0.0))
    enough = sorted(low.values(), reverse=True)[number - 1] if len(low) > number else 0.0
    graph = nx.create_empty_copy(asked.profiles)
    every_edge = asked.graph().edges(data=True)
    graph.add_edges_from(one for one in every_edge if high.get(frozenset(one[:2]), math.inf) >= enough)
    needs = tight_epsilons(mechanism, Asked(graph))
    worst = [(edge, max(needs[edge][1], needs[edge[::-1]][1])) for edge in graph.edges]
    return sorted(worst, key=lambda one: -one[1])[:number]


def pairs(
    mechanism: Given,
    graph: AskedBy = None,
    *,
    epsilon: Number | None = None,
    delta: Number = 0,
    nominal: bool = False,
    all_pairs: bool = False,
) -> list[Pair]:
    """Return what each edge needs in each direction, and whether it meets what is required of it.

    Raises
    ------
    InputError
        as `tight_epsilons`; also if too many edges are too close to what is required to decide each exactly.

    Examples
    --------
    >>> from mechdesign.mechanism.from_matrix import mechanism_from_matrix
    >>> coin = mechanism_from_matrix([["3/4", "1/4"], ["1/2", "1/2"]])
    >>> [(pair.edge, pair.met) for pair in pairs(coin, epsilon="0.5")]
    [((0, 1), True), ((1, 0), False)]
    """
    claim, allowed = None if epsilon is None else parse_epsilon(epsilon), parse_delta(delta)
    mechanism, asked = to_judge(mechanism, graph, at_nominal=nominal, all_pairs=all_pairs)
    names, ranges = ranges_under(mechanism, asked)
    measured, required = _edges(asked, claim, allowed)
    outputs = len(mechanism.outputs)
    size = f"{2 * len(measured):,} ordered pairs of profiles with {outputs:,} outputs each"
    if 2 * len(measured) > MOST_PAIRS:
        raise InputError(f"{size} are too many to list, at most {MOST_PAIRS:,}; {FEWER}")
    if 2 * len(measured) * outputs > MOST_EXACT:
        return _in_doubles(ranges, names, measured, required, size)
    found = [_exactly(ranges, names, i, j, one, required[one.first, one.second]) for i, j, one in every(measured)]
    return _told_of_each(found, ranges, measured) if asked.robust else found


def _edges(
    asked: Asked, epsilon: Epsilon | None, delta: Fraction
) -> tuple[Sequence[Requirement], dict[Ends, Epsilon | None]]:
    """Return each edge with its delta, as if epsilon 0 were required, and the epsilon that is; None if none is."""
    if asked.every_pair:
        return asked.requirements(Fraction(0), delta), defaultdict(lambda: epsilon)
    position = {profile: index for index, profile in enumerate(asked.profiles)}
    measured, required = [], {}
    for a, b, attributes in asked.profiles.edges(data=True):
        measured.append(Requirement(position[a], position[b], Fraction(0), attributes.get("delta", delta)))
        nothing = epsilon is None and "epsilon" not in attributes
        required[position[a], position[b]] = None if nothing else epsilon_of(attributes, epsilon or Fraction(0))
    return measured, required


def _exactly(ranges: Ranges, names: Sequence[Label], i: int, j: int, one: Requirement, epsilon: Epsilon | None) -> Pair:
    """Return a directed edge with what it needs, by a set and by what is enough."""
    free = epsilon is None or epsilon == math.inf
    place = ranges.place(replace(one, epsilon=Fraction(0 if free else epsilon or 0)), i, j, free)
    return _pair((names[i], names[j]), place.over(Fraction(1)), epsilon, None if epsilon is None else place.verdict)


def _told_of_each(found: Sequence[Pair], ranges: Ranges, measured: Sequence[Requirement]) -> list[Pair]:
    """Return the pairs with whether each fails at every distribution within the bounds."""
    mild, told = ranges.at_each_distribution(), []
    for pair, (i, j, one) in zip(found, every(measured), strict=True):
        fails: bool | None = None if pair.required is None else False
        if pair.met is False and pair.required is not None:
            fails = mild.place(replace(one, epsilon=Fraction(pair.required)), i, j, free=False).refuted
        told.append(replace(pair, refuted_at_each=fails))
    return told


def _pair(edge: Edge, needs: Bounds, required: Epsilon | None, met: bool | None) -> Pair:
    """Return a directed edge, of which a requirement that is met is a bound too."""
    low, high = needs
    return Pair(edge, (low, at_most_kept(high, required) if met and required is not None else high), required, met)


def _in_doubles(
    ranges: Ranges,
    names: Sequence[Label],
    measured: Sequence[Requirement],
    required: dict[Ends, Epsilon | None],
    size: str,
) -> list[Pair]:
    """Return the same of many edges, in doubles with room for their errors; exactly whether each is met."""
    if allows_delta(measured):
        raise InputError(f"{size} are too many to list for delta > 0; {FEWER}")
    needs = _around(ranges, measured)
    if not needs:
        raise InputError(f"{size}, some too small for doubles, are too many to compare exactly; {FEWER}")
    found: dict[Ends, bool | None] = {}
    doubtful = []
    for i, j, one in every(measured):
        epsilon, (low, high) = required[one.first, one.second], needs[i, j]
        if epsilon is None:
            found[i, j] = None
        elif high <= (limit := _in_double(epsilon)) or low > limit:
            found[i, j] = high <= limit
        else:
            doubtful.append((i, j, one, epsilon))
    if len(doubtful) * len(ranges.most[0].weights) > MOST_EXACT:
        raise InputError(
            f"{len(doubtful):,} ordered pairs of profiles are within 1e-12 of the epsilon required, too many to decide "
            "each exactly; certify decides them together, and without an epsilon they are listed"
        )
    found |= {(i, j): _exactly(ranges, names, i, j, one, epsilon).met for i, j, one, epsilon in doubtful}
    return [
        _pair((names[i], names[j]), needs[i, j], required[one.first, one.second], found[i, j])
        for i, j, one in every(measured)
    ]


def _around(ranges: Ranges, measured: Sequence[Requirement]) -> dict[Ends, Bounds]:
    """Return (lower, upper) around each directed edge's tight epsilon at delta 0; nothing if doubles cannot tell."""
    found: dict[Ends, Bounds] = {}
    for i, j, logs in log_ratios(ranges.most, ranges.least, measured):
        room = ROOM * (1 + np.where(np.isinf(logs), 0.0, logs))
        bounds = zip((logs - room).clip(min=0.0).tolist(), (logs + room).tolist(), strict=True)
        found.update(zip(zip(i.tolist(), j.tolist(), strict=True), bounds, strict=True))
    return found


@lru_cache(maxsize=1024)
def _in_double(epsilon: Epsilon) -> float:
    """Return the largest double that is not above epsilon; doubles compare with it as with epsilon, and faster."""
    return math.inf if epsilon == math.inf else largest_double(Fraction(epsilon))
