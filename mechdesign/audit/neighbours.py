"""The databases that lack one record, each beside the whole one: what the provider, the intruder and the law see.

The audited mechanism answers f(X) + Lap(b(X)) with b(X) = Delta f(X)/epsilon, the noise computed from the data. Whether
two scales are equal is decided in integers, and what cancels is subtracted in integers, not in doubles; distances are
counted in scales of the noise, so that the unit of the records plays no part.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats, Integers
from mechdesign.audit.divergence import hockey_stick, log_quotient
from mechdesign.audit.exact_columns import quotients
from mechdesign.audit.laplace import laplace_quantile, standard_log_tail
from mechdesign.audit.queries import Answers

LEVEL = 0.9999
"""What the intruder holds for certain: the quantile of [SM]."""

DEEP = 30
"""Where a response lies so many scales above both centres, the ratio of two tails is computed from integers."""


@dataclass(frozen=True, eq=False)
class Neighbours:
    """One entry per record left out, in the order of the records.

    Attributes
    ----------
    answers, sensitivities, scales
        f_{n-1}, Delta f_{n-1} and b_{n-1} = Delta f_{n-1}/epsilon.
    same_scale
        whether b_{n-1} = b_n, exactly.
    p1, p2, p3
        P[answer >= response] with all records, from f_n and b_n; and from f_{n-1}, with the scale b_n of all records
        (the provider's view), and with b_{n-1} (the intruder's).
    ratio_provider, ratio_intruder
        p1/p2 and p1/p3.
    delta_with, delta_without
        the least delta with which epsilon holds: with the record over without it, and the other way.
    loss_with, loss_without
        the largest log ratio of the two densities, in nats, those ways; infinite where the first scale is larger.
    inferred
        the record that moves the answer to the `LEVEL` quantile of the intruder's law where the response lies beyond it
        (to the quantile as far below where it lies below that): [SM]'s intruder concludes that the record is at least
        (at most) this. NaN where the response is within, or no record does that.
    """

    answers: Floats
    sensitivities: Floats
    scales: Floats
    same_scale: npt.NDArray[np.bool_]
    p1: float
    p2: Floats
    p3: Floats
    ratio_provider: Floats
    ratio_intruder: Floats
    delta_with: Floats
    delta_without: Floats
    loss_with: Floats
    loss_without: Floats
    inferred: Floats

    @property
    def delta(self) -> Floats:
        """The least delta both ways."""
        return np.maximum(self.delta_with, self.delta_without)

    def worst_first(self) -> Integers:
        """Return the positions of the records by delta, then by how far the intruder's ratio is from 1."""
        with np.errstate(divide="ignore"):
            return np.lexsort((-np.abs(np.log(self.ratio_intruder)), -self.delta))


def neighbours_of(
    whole: Answers,
    without: Answers,
    epsilon: Fraction,
    response: Fraction,
    missing: Callable[[Any, Any, int], Any] | None,
) -> Neighbours:
    """Return what differs without each record.

    Parameters
    ----------
    whole, without
        of the database of all n records, and of those that lack one.
    epsilon
        in nats, > 0.
    response
        the noisy answer that is looked at.
    missing
        as in `Query`.

    References
    ----------
    [SM] Tables 2 and 3, Figure 1; theory.md 4.1 and 4.3.

    Examples
    --------
    >>> from mechdesign.audit.queries import QUERIES, with_and_without
    >>> from mechdesign.audit.exact_columns import parse_records
    >>> answers = (QUERIES["sum"].answers(some) for some in with_and_without(parse_records([1, 2, 4])))
    >>> neighbours_of(*answers, Fraction(1), Fraction(9), None).same_scale
    array([ True,  True, False])
    """
    unit = math.lcm(whole.denominator, without.denominator)
    (f_n, s_n), (f, s) = (
        (part.values * (unit // part.denominator), part.sensitivities * (unit // part.denominator))
        for part in (whole, without)
    )
    answers, scales = quotients(f, unit), quotients(s * epsilon.denominator, unit * epsilon.numerator)
    # response - answer, and scales: all times unit x epsilon.numerator x response.denominator, which makes them whole
    top, times = epsilon.numerator * response.numerator * unit, epsilon.numerator * response.denominator
    far_n, far = (top - part * times for part in (f_n, f))
    wide_n, wide = (part * (epsilon.denominator * response.denominator) for part in (s_n, s))
    everything, provider, intruder = _Tail(far_n, wide_n), _Tail(far, wide_n), _Tail(far, wide)
    (delta_with, loss_with), (delta_without, loss_without) = _both_ways(abs(f_n - f), s_n, s, epsilon)
    return Neighbours(
        answers=answers,
        sensitivities=quotients(s, unit),
        scales=scales,
        same_scale=np.asarray(s == s_n, dtype=bool),
        p1=float(np.exp(everything.logs)[0]),
        p2=np.exp(provider.logs),
        p3=np.exp(intruder.logs),
        ratio_provider=_ratio(everything, provider),
        ratio_intruder=_ratio(everything, intruder),
        delta_with=delta_with,
        delta_without=delta_without,
        loss_with=loss_with,
        loss_without=loss_without,
        inferred=np.full(len(f), np.nan) if missing is None else _inferred(answers, scales, intruder, missing),
    )


@dataclass(frozen=True)
class _Tail:
    """P[noisy answer >= response], by response - answer and the scale of the noise: integers over one denominator."""

    distance: Any
    scale: Any

    @cached_property
    def z(self) -> Floats:
        """The distance in scales; -inf where an answer without noise meets the response."""
        met = np.asarray((self.scale == 0) & (self.distance == 0), dtype=bool)
        return np.where(met, -np.inf, quotients(self.distance, self.scale))

    @cached_property
    def logs(self) -> Floats:
        """The logarithms of the probabilities."""
        return standard_log_tail(self.z)


def _ratio(over: _Tail, under: _Tail) -> Floats:
    """Return the ratio of the two probabilities; 0/0 is 1."""
    with np.errstate(invalid="ignore", over="ignore"):
        logs = over.logs - under.logs
        deep = np.minimum(over.z, under.z) > DEEP  # there the logs differ by the difference of the z, which cancels
        x, b, y, c = (
            part[deep] for part in np.broadcast_arrays(over.distance, over.scale, under.distance, under.scale)
        )
        logs[deep] = quotients(y * b - x * c, b * c)
        return np.asarray(np.exp(logs))


def _both_ways(shift: Any, s_n: Any, s: Any, epsilon: Fraction) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """Return (delta, largest log ratio) with the record over without it, and back; the scales are s_n and s/epsilon."""
    same = np.asarray(s == s_n, dtype=bool)
    bare = np.asarray((s == 0) | (s_n == 0), dtype=bool)  # without noise the answer gives itself away

    def in_scales(distance: Any, sensitivity: Any) -> Floats:
        return quotients(epsilon.numerator * distance, epsilon.denominator * sensitivity)

    def one_way(first: Any, second: Any, apart: Floats, apart_back: Floats, logs: Floats) -> tuple[Floats, Floats]:
        delta = hockey_stick(apart, in_scales(shift - second, second), logs, float(epsilon))
        with np.errstate(invalid="ignore"):
            loss = np.where(np.asarray(first > second, dtype=bool), np.inf, logs + apart_back)
        return np.where(bare, ~same, delta), np.where(bare, np.where(same, 0, np.inf), loss)

    apart_n, apart, logs = in_scales(shift, s_n), in_scales(shift, s), log_quotient(s, s_n, quotients)
    return one_way(s_n, s, apart_n, apart, logs), one_way(s, s_n, apart, apart_n, -logs)


def _inferred(answers: Floats, scales: Floats, tail: _Tail, missing: Callable[[Any, Any, int], Any]) -> Floats:
    farthest = float(laplace_quantile(LEVEL))
    record = missing(answers, np.sign(tail.z) * scales * farthest, len(answers))
    return np.where((np.abs(tail.z) > farthest) & (tail.distance != 0), record, np.nan)
