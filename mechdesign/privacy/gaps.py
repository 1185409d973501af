"""What privacy requires of released distributions, and how far two of them are apart; all exact.

Profile i releases q^i. An edge (i, j) requires, both ways and for every set S of outputs,
q^i(S) <= e^epsilon q^j(S) + delta ([GC] (2), [HLM] (5)). The worst S is {y : q^i(y) > e^epsilon q^j(y)}, so the
requirement is that the hockey-stick divergence sum_y max(0, q^i(y) - e^epsilon q^j(y)) is at most delta.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Floats, Integers
from mechdesign.privacy.released import ROOM, TINY, Released
from mechdesign.privacy.requirement import Directed, Requirement, both_ways, ratios_below

Outputs: TypeAlias = tuple[int, ...]
"""A set of outputs, by their positions."""


MANY = 100
"""With more outputs than this each edge is looked at on its own, and with more doubtful ones the pairs of integers that
occur more than once are looked for: it takes as long as the products of so many."""

TOGETHER = 4_096
"""So many requirements, one way, are looked at together where outputs are few. At 20 outputs, 1,000 and 16,000 take as
long, and more takes memory."""


COUNTED = 4
"""Pairs are counted in a table of all that there can be, if it has no more entries than this for each output; sorting
them takes ten times as long where there are few."""


def hockey_stick(first: Released, second: Released, ratio: Fraction) -> Fraction:
    """Return sum_y max(0, first(y) - ratio * second(y)), exactly.

    Examples
    --------
    >>> import numpy as np
    >>> p, q = (Released(np.array(weights, dtype=object), 10) for weights in ([6, 4], [2, 8]))
    >>> hockey_stick(p, q, Fraction(2))
    Fraction(1, 5)
    """
    gaps, unit = _gaps(first, second, ratio)
    return Fraction(int(sum(gap for gap in gaps if gap > 0)), unit)


def _gaps(first: Released, second: Released, ratio: Fraction) -> tuple[Exact, int]:
    """Return first(y) - ratio * second(y) for each output y, as integers over a common positive one."""
    gaps = first.weights * (second.total * ratio.denominator) - second.weights * (first.total * ratio.numerator)
    return gaps, first.total * second.total * ratio.denominator


def worst_set(first: Released, second: Released, ratio: Fraction) -> Outputs:
    """Return A*(E) = {a : P(a) > ratio P'(a)}: the requirement holds on every set iff on this one.

    Parameters
    ----------
    first, second, ratio
        P, P' and e^epsilon.

    References
    ----------
    Sharper than [HLM] Theorem 2: max_A P(A) - E P'(A) is the sum of the positive P(a) - E P'(a).

    Examples
    --------
    >>> import numpy as np
    >>> p, q = (Released(np.array(weights, dtype=object), 10) for weights in ([5, 3, 2], [2, 2, 6]))
    >>> worst_set(p, q, Fraction(2))
    (0,)
    """
    gaps, _ = _gaps(first, second, ratio)
    return tuple(position for position, gap in enumerate(gaps) if gap > 0)


def excess(first: Released, second: Released, ratio: Fraction, outputs: Outputs) -> Fraction:
    """Return P(A) - ratio P'(A), which [HLM] (5) bounds by delta.

    Parameters
    ----------
    first, second
        P and P'.
    ratio
        e^epsilon.
    outputs
        A.

    Examples
    --------
    >>> import numpy as np
    >>> p, q = (Released(np.array(weights, dtype=object), 10) for weights in ([6, 4], [2, 8]))
    >>> excess(p, q, Fraction(2), (0,))
    Fraction(1, 5)
    """
    return _mass(first, outputs) - ratio * _mass(second, outputs)


def _mass(released: Released, outputs: Outputs) -> Fraction:
    return Fraction(sum(int(released.weights[position]) for position in outputs), released.total)


def surely_at_most(first: Floats, second: Floats, ratio: Floats | float) -> npt.NDArray[np.bool_]:
    """Return where first <= ratio second whatever rounding did: doubles nearest to rationals stand for these.

    False where doubles cannot tell; then rationals have to. It is never true of what doubles do not hold.

    Examples
    --------
    >>> surely_at_most(np.array([0.5, 0.5, 1e-320]), np.array([0.3, 0.25, 1.0]), 2.0).tolist()
    [True, False, False]
    """
    return np.array((first >= TINY) & (second >= TINY) & (first <= second * ratio * (1 - ROOM)), dtype=bool)


def unmet(
    most: Sequence[Released], required: Iterable[Requirement], least: Sequence[Released] | None = None
) -> Directed | None:
    """Return the first requirement not proved met, with its direction; None when all are met, see `exceeded`."""
    return next(exceeded(most, required, least), None)


def exceeded(
    most: Sequence[Released], required: Iterable[Requirement], least: Sequence[Released] | None = None
) -> Iterator[Directed]:
    """Yield the requirements that are not proved met, with their directions.

    e^epsilon is replaced by a rational below it, so that where there are none privacy is proved. Only those outputs are
    compared exactly for which doubles leave any doubt. Of profiles within bounds the least that they release of each
    output is not the most.
    """
    below = most if least is None else least
    directed = both_ways(required)
    if len(most) and len(most[0].weights) > MANY:
        yield from ((i, j, one) for i, j, one in directed if _is_exceeded(most[i], below[j], one))
    while some := list(islice(directed, TOGETHER)):
        yield from _exceeded_of(most, below, some)


def _exceeded_of(
    most: Sequence[Released], least: Sequence[Released], directed: Sequence[Directed]
) -> Iterator[Directed]:
    """Yield those of these requirements that are not proved met; all of them are looked at together."""
    (over, first), (under, second) = (
        np.unique(np.array([pair[side] for pair in directed]), return_inverse=True) for side in (0, 1)
    )
    above, below = [most[i] for i in over.tolist()], [least[j] for j in under.tolist()]
    shares, others = (np.array([one.doubles for one in side]) for side in (above, below))
    ratios, doubles = ratios_below(directed)
    occurs = np.array([one.occurs for one in above])
    edge, y = np.nonzero(occurs[first] & ~surely_at_most(shares[first], others[second], doubles[:, None]))
    if not len(edge):
        return
    (doubtful, here), (others, there) = (np.unique(side[edge], return_inverse=True) for side in (first, second))
    weights, totals = _exact([above[i] for i in doubtful.tolist()])
    fewer, units = _exact([below[j] for j in others.tolist()])
    gaps = weights[here, y] * (units[there] * ratios[edge, 1]) - fewer[there, y] * (totals[here] * ratios[edge, 0])
    positive = np.flatnonzero(gaps > 0)
    for one in map(int, np.unique(edge[positive])):
        i, j, requirement = directed[one]
        unit = most[i].total * least[j].total * ratios[one, 1]
        if Fraction(int(gaps[positive[edge[positive] == one]].sum()), unit) > requirement.delta:
            yield i, j, requirement


def _exact(released: Sequence[Released]) -> tuple[Exact, Exact]:
    """Return the weights, and their totals."""
    weights = np.array([one.weights for one in released], dtype=object)
    return weights, np.array([one.total for one in released], dtype=object)


def _is_exceeded(first: Released, second: Released, requirement: Requirement) -> bool:
    """Return whether a requirement is not proved met in this direction."""
    ratio = requirement.ratio_below
    sure = surely_at_most(first.doubles, second.doubles, float(ratio))
    places = np.flatnonzero(first.occurs & ~sure)
    return len(places) > 0 and _excess_on(first, second, ratio, places) > requirement.delta


def _excess_on(first: Released, second: Released, ratio: Fraction, places: Integers) -> Fraction:
    """Return the sum of max(0, first(y) - ratio * second(y)) over these outputs; the same pairs are counted."""
    counts: Any = 1
    if len(places) > MANY:
        places, counts = _distinct(first.codes[places], second.codes[places], places)
    one, other = (Released(side.weights[places], side.total) for side in (first, second))
    gaps, unit = _gaps(one, other, ratio)
    return Fraction(int((gaps * (gaps > 0) * counts).sum()), unit)


def _distinct(first: Integers, second: Integers, places: Integers) -> tuple[Integers, Exact]:
    """Return of outputs with the same pair of integers one each, and how many there are of them."""
    most = int(second.max()) + 1
    ends = first * most + second
    if (int(first.max()) + 1) * most > COUNTED * len(ends):
        _, chosen, counts = np.unique(ends, return_index=True, return_counts=True)
    else:
        found = np.bincount(ends)
        last = np.zeros(len(found), dtype=np.int64)
        last[ends] = np.arange(len(ends))
        counts, chosen = found[found > 0], last[found > 0]
    return places[chosen], counts.astype(object)
