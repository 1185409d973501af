"""Exactly private distributions near a solver's, by adding the same to all of them: the one way to round.

A solver's answer violates its constraints in the last digits, and rounding it does so again. Let all distributions be
weights w of one total T, and c_y >= 0 an integer for each output.

Lemma. With E = e^epsilon and w + c in place of w, of T + sum c in all, each w^i_y - E w^j_y falls by (E - 1) c_y.

Overall shares that are kept add up to the totals before and after: `keeping` returns the least such c above the room.

So one c makes room for whatever is exceeded, on all edges at once, and is found without a search: the least that does
so where delta = 0; then, edge by edge, what is exceeded in all beyond delta is shared out over its outputs.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Integers
from mechdesign.privacy.cover import Cover
from mechdesign.privacy.gaps import TOGETHER, surely_at_most
from mechdesign.privacy.requirement import Directed, Requirement, both_ways, ratios_below
from mechdesign.problem import Kept

Flags = npt.NDArray[np.bool_]


TOO_SMALL = "an epsilon is too small to make room for rounding"
"""Its rational bound is 1, or hardly more."""


def room_for(required: Cover, low: Exact, high: Exact, totals: Exact, chosen: Flags, of: Integers) -> Exact | str:
    """Return the integers c, for each part one for each output, that make room on all edges between profiles chosen.

    Or why there are none.

    Parameters
    ----------
    low, high
        k x m integers between which the weights are; they need not be integers.
    totals
        of the weights of each part.
    of
        the part of each profile.
    """
    room = np.zeros((len(totals), low.shape[1]), dtype=object)
    for clique in required.cliques:
        members = [i for i in clique.members if chosen[i]]
        if len(members) > 1:
            ratio = clique.ratio_below
            gaps = high[members].max(axis=0) * ratio.denominator - low[members].min(axis=0) * ratio.numerator
            gain = np.full(len(gaps), ratio.numerator - ratio.denominator, dtype=object)
            part, needed = of[members[0]], _shares(gaps, gain)
            if isinstance(needed, str):
                return needed
            room[part] = np.maximum(room[part], needed)
    pairs = [one for one in both_ways(required.pairs) if chosen[one[0]] and chosen[one[1]]]
    strict, of_each = [one for one in pairs if one[2].delta == 0], totals[of][:, None]
    for profiles, outputs, needed in _strict_needs(strict, low, high, of_each):
        if isinstance(needed, str):
            return needed
        np.maximum.at(room, (of[profiles], outputs), needed)
    for a, b, edge in pairs:
        if edge.delta:
            room[of[a]] += _more(edge, high[a], low[b], room[of[a]], totals[of[a]])
    return room


def keeping(kept: Kept, room: Exact, weights: Exact, targets: Exact, total: int, chosen: Flags) -> Exact | str:
    """Return the least c above the room, of whole total, with which the profiles chosen keep the overall shares.

    The others release their targets. With t and r the means of targets and weights over those chosen, by their shares,
    they keep them if r + c = (T + sum c) t, which is true of c = (T + C) t - r for any C; but not if some of them
    release an output that none of their targets has.
    """
    shares = np.array(kept.shares, dtype=object) * chosen
    target, mean = (shares @ table / shares.sum() for table in (targets, weights))
    if ((target == 0) & (mean + room > 0)).any():
        return "an output is released that no profile has"
    least = (math.ceil((more + r) / t) - total for more, r, t in zip(room, mean, target, strict=True) if t)
    return np.array((total + max(0, *least)) * target - mean, dtype=object)


def _shares(gaps: Exact, gain: Exact) -> Exact | str:
    """Return what each gap takes, rounded up, if one unit closes so much of it."""
    if ((gain <= 0) & (gaps > 0)).any():
        return TOO_SMALL
    return np.array(np.maximum(0, -(-gaps // np.maximum(gain, 1))), dtype=object)


def _strict_needs(
    pairs: Sequence[Directed], low: Exact, high: Exact, totals: Exact
) -> Iterator[tuple[Integers, Integers, Exact | str]]:
    """Yield profiles, outputs, and how much room these need on some edges; only where doubles leave any doubt."""
    least, most = (np.array(table / totals, dtype=np.float64) for table in (low, high))
    for start in range(0, len(pairs), TOGETHER):
        some = pairs[start : start + TOGETHER]
        first, second = np.array([(a, b) for a, b, _ in some]).T
        ratios, doubles = ratios_below(some)
        edge, y = np.nonzero(~surely_at_most(most[first], least[second], doubles[:, None]))
        over, under = ratios[edge].T
        yield first[edge], y, _shares(high[first[edge], y] * under - low[second[edge], y] * over, over - under)


def _more(edge: Requirement, above: Exact, below: Exact, room: Exact, total: int) -> Exact:
    """Return how much more room an edge with a delta needs, each output in proportion to what it exceeds."""
    ratio = edge.ratio_below
    gain = ratio.numerator - ratio.denominator
    beyond = np.maximum(0, above * ratio.denominator - below * ratio.numerator - gain * room)
    left = beyond.sum() - edge.delta * (total + room.sum()) * ratio.denominator
    if left <= 0:
        return np.zeros(len(room), dtype=object)
    share = left / (beyond.sum() * (gain + edge.delta * ratio.denominator))
    return np.array(-(-(beyond * share.numerator) // share.denominator), dtype=object)
