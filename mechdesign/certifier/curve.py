"""The privacy curve: how large a delta a mechanism needs at each epsilon."""

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from mechdesign.certifier.applied import ranges_under, to_judge
from mechdesign.errors import InputError
from mechdesign.exact.bounds import float_below
from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import Epsilon, Number, parse_epsilon
from mechdesign.exact.text import shown
from mechdesign.mechanism.given import AskedBy, Given
from mechdesign.privacy.requirement import Requirement

STEPS = 40
"""A curve has about so many points, up to twice as many."""

LARGEST_DOUBLE = Fraction(sys.float_info.max)
"""Stands in a curve for a larger epsilon that is finite."""


@with_flags
def privacy_curve(
    mechanism: Given,
    graph: AskedBy,
    epsilons: Sequence[Number],
    *,
    scale_own: bool = False,
    nominal: bool = False,
    all_pairs: bool = False,
    progress: Callable[[int, int], object] = lambda done, everything: None,
) -> list[tuple[float, float, float]]:
    """Return (epsilon, delta lower, delta upper) for each epsilon: the tight delta there, rounded outward.

    Parameters
    ----------
    mechanism, graph
        as for `certify`.
    epsilons
        in nats; edges that have their own keep it.
    scale_own
        the epsilons are factors of the edges' own instead; then every edge must have its own.
    nominal, all_pairs
        as for `certify`.
    progress
        called with (points done, points).

    Raises
    ------
    InputError
        if the graph does not fit, an epsilon cannot be used, or an edge has no epsilon to be scaled.

    Examples
    --------
    >>> import mechdesign as md
    >>> coin = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> [upper for _, _, upper in md.privacy_curve(coin, None, [0, "1.1"])]
    [0.5, 0.0]
    """
    if isinstance(epsilons, str) or not isinstance(epsilons, Iterable):
        raise InputError(f"epsilons: expected several numbers, such as [0, 1], found {shown(epsilons)}")
    epsilons = list(epsilons)
    mechanism, pairs = to_judge(mechanism, graph, at_nominal=nominal, all_pairs=all_pairs)
    _, ranges = ranges_under(mechanism, pairs)
    if scale_own:
        pairs.check_all_own()
    own = pairs.requirements(Fraction(0), Fraction(0)) if scale_own else []
    curve = []
    for number, epsilon in enumerate(epsilons):
        progress(number, len(epsilons))
        asked = parse_epsilon(epsilon)
        required = _times(own, asked) if scale_own else pairs.requirements(asked, Fraction(0))
        point = math.inf if asked == math.inf else float(min(asked, LARGEST_DOUBLE))
        low, high, _ = ranges.largest_delta(required)
        curve.append((point, low, high))
    return _falling(curve)


def _falling(curve: Sequence[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    """Return the points with what is needed at a larger epsilon as what is needed at least at a smaller one too."""
    least, found = 0.0, list(curve)
    for at in sorted(range(len(curve)), key=lambda at: curve[at][0], reverse=True):
        epsilon, low, high = curve[at]
        least = max(least, low)
        found[at] = epsilon, least, high
    return found


def curve_places(tight: float, asked: Fraction | None, *, steps: int = STEPS) -> list[Fraction]:
    """Return evenly spaced epsilons with few digits, and the one asked for unless it is much larger than the tight one.

    Examples
    --------
    >>> [str(place) for place in curve_places(1.0986, Fraction(1, 3))[:4]], str(curve_places(1.0986, None)[-1])
    (['0', '1/50', '1/25', '3/50'], '61/50')
    """
    known = Fraction(tight) if 0 < tight < math.inf else Fraction(0)
    claim = asked if asked is not None and (not known or asked <= 10 * known) else Fraction(0)
    end = Fraction(11, 10) * max(known, min(claim, Fraction(100))) or Fraction(5)
    step = Fraction(10) ** math.floor(math.log10(float_below(end / steps)))
    step *= next(times for times in (5, 2, 1) if times * step <= end / steps)
    places = {step * number for number in range(math.ceil(end / step) + 1)}
    return sorted(places | ({claim} if claim <= end else set()))


def _times(own: Sequence[Requirement], factor: Epsilon) -> list[Requirement]:
    """Return what edges require whose epsilons are multiplied: none that becomes infinite; see `graph.scaled`."""
    if factor == math.inf:
        return [one for one in own if one.epsilon == 0]
    return [replace(one, epsilon=one.epsilon * Fraction(factor)) for one in own]
