"""The databases that lack one record, each beside the whole one: what the provider, the intruder and the law see.

The audited mechanism answers f(X) + Lap(b(X)) with b(X) = Delta f(X)/epsilon, the noise computed from the data. Whether
two scales are equal is decided in integers; every double is computed from integers that have not cancelled.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from mechdesign.audit.divergence import Floats, hockey_stick
from mechdesign.audit.laplace import laplace_log_tail, laplace_quantile
from mechdesign.audit.queries import Answers
from mechdesign.audit.records import quotients

LEVEL = 0.9999
"""What the intruder holds for certain: the quantile of [SM]."""


@dataclass(frozen=True, eq=False)
class Neighbours:
    """One entry per record left out, in the order of the records.

    Attributes
    ----------
    answers, sensitivities, scales
        f_{n-1}, Delta f_{n-1} and b_{n-1} = Delta f_{n-1}/epsilon.
    same_scale
        whether b_{n-1} = b_n, exactly.
    p2, p3
        P[answer >= response] from f_{n-1}, with the scale b_n of all records (the provider's view), and with b_{n-1}
        (the intruder's).
    ratio_provider, ratio_intruder
        p1/p2 and p1/p3, p1 being the same probability from f_n and b_n.
    delta_with, delta_without
        the least delta with which epsilon holds: with the record over without it, and the other way.
    loss_with, loss_without
        the largest log ratio of the two densities, in nats, those ways; infinite where the first scale is larger.
    inferred
        what the record must at least be (at most, if the response lies below f_{n-1}) for the answer to come as near
        the response as `LEVEL` of the intruder's law; NaN where that says nothing.
    """

    answers: Floats
    sensitivities: Floats
    scales: Floats
    same_scale: npt.NDArray[np.bool_]
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

    def worst_first(self) -> npt.NDArray[np.int64]:
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
    >>> from mechdesign.audit.records import parse_records
    >>> answers = (QUERIES["sum"].answers(some) for some in with_and_without(parse_records([1, 2, 4])))
    >>> neighbours_of(*answers, Fraction(1), Fraction(9), None).same_scale
    array([ True,  True, False])
    """
    unit = math.lcm(whole.denominator, without.denominator)
    (f_n, s_n), (f, s) = (
        (part.values * (unit // part.denominator), part.sensitivities * (unit // part.denominator))
        for part in (whole, without)
    )
    answers, offset = quotients(f, unit), _distance(response, f, unit)
    scales, scale = (quotients(part * epsilon.denominator, unit * epsilon.numerator) for part in (s, s_n))
    p1, p2, p3 = (
        laplace_log_tail(*pair) for pair in ((_distance(response, f_n, unit), scale), (offset, scale), (offset, scales))
    )
    (delta_with, loss_with), (delta_without, loss_without) = _both_ways(abs(f_n - f), s_n, s, epsilon)
    return Neighbours(
        answers=answers,
        sensitivities=quotients(s, unit),
        scales=scales,
        same_scale=np.asarray(s == s_n, dtype=bool),
        p2=np.exp(p2),
        p3=np.exp(p3),
        ratio_provider=_ratio(p1, p2),
        ratio_intruder=_ratio(p1, p3),
        delta_with=delta_with,
        delta_without=delta_without,
        loss_with=loss_with,
        loss_without=loss_without,
        inferred=np.full(len(f), np.nan) if missing is None else _inferred(answers, scales, offset, missing),
    )


def _distance(response: Fraction, answers: Any, unit: int) -> Floats:
    """Return response - answer."""
    return quotients(response.numerator * unit - answers * response.denominator, response.denominator * unit)


def _ratio(over: Any, under: Any) -> Floats:
    """Return the ratio of two probabilities given by their logarithms; 0/0 is 1."""
    with np.errstate(invalid="ignore", over="ignore"):
        return np.asarray(np.nan_to_num(np.exp(over - under), nan=1.0, posinf=np.inf))


def _both_ways(shift: Any, s_n: Any, s: Any, epsilon: Fraction) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    """Return (delta, largest log ratio) with the record over without it, and back; the scales are s_n and s/epsilon."""
    asked, same = float(epsilon), np.asarray(s == s_n, dtype=bool)
    exact = np.asarray((s == 0) | (s_n == 0), dtype=bool)  # without noise the answer gives itself away
    gap = quotients(s - s_n, s_n)
    with np.errstate(divide="ignore"):
        log_ratio = np.where(np.abs(gap) < 0.5, np.log1p(gap), np.log(quotients(s, s_n)))

    def in_nats(numerators: Any, denominators: Any) -> Floats:
        return quotients(epsilon.numerator * numerators, epsilon.denominator * denominators)

    def one_way(first: Any, second: Any, log_ratio: Floats) -> tuple[Floats, Floats]:
        excess = in_nats(shift - second, second)
        delta = hockey_stick(in_nats(shift, first), excess, log_ratio, asked)
        with np.errstate(invalid="ignore"):
            loss = np.where(np.asarray(first > second, dtype=bool), np.inf, log_ratio + excess + asked)
        return np.where(exact, ~same, delta), np.where(exact, np.where(same, 0, np.inf), loss)

    return one_way(s_n, s, log_ratio), one_way(s, s_n, -log_ratio)


def _inferred(answers: Floats, scales: Floats, offset: Floats, missing: Callable[[Any, Any, int], Any]) -> Floats:
    farthest = scales * float(laplace_quantile(LEVEL))
    record = missing(answers + np.sign(offset) * farthest, answers, len(answers))
    return np.where(np.abs(offset) > farthest, record, np.nan)
