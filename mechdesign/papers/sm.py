"""[SM] Tables 1 to 4: noise scaled to the data, as the provider and as the intruder see it."""

import math
import statistics
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from mechdesign.audit import (
    Audit,
    Linked,
    Mended,
    audit_query,
    laplace_delta,
    laplace_epsilon,
    laplace_quantile,
    linked_query,
)
from mechdesign.closed_form.k_ary import k_ary
from mechdesign.closed_form.product_sanitisation import ProductSanitisation
from mechdesign.papers.published import Claim, Value

CLAIMS = (
    "9.91", "9.16", "10.59", "11.27", "10.50", "11.89", "10.62", "12.54", "9.29", "8.92",
    "13.37", "8.55", "11.18", "9.45", "12.65", "9.49", "11.24", "8.69", "9.97", "10.64",
    "7.09", "10.68", "9.96", "9.69", "9.33", "10.08", "10.38", "12.32", "9.92", "100.00",
)  # fmt: skip
"""Table 1, in thousands of dollars; the last one is Terry Gross's."""

EPSILON = 2

TERRY = 29
"""Her position."""

MISPRINT = 5239083064

SHIFTS = (0, 100, 50000)
"""Table 4 is of the numbers from one more than this on, ten of them."""


@cache
def claims_audit(last: Any = CLAIMS[TERRY]) -> Audit:
    """Return the audit of the mean at u = 0.75, where Terry Gross claims the last.

    Examples
    --------
    >>> round(claims_audit().response, 3)
    14.348
    """
    return audit_query([*CLAIMS[:TERRY], last], "mean", EPSILON)


def table_2() -> Iterator[Claim]:
    """The numbers of the illustration, and Table 2."""
    audit, rest = claims_audit(), audit_query(CLAIMS[:TERRY], "mean", EPSILON)
    found, e2 = audit.records, math.exp(EPSILON)
    most = int(abs(rest.records.answers - float(rest.exact_answer)).argmax())
    yield Claim("f_n", audit.exact_answer)
    yield Claim("f_{n-1}", float(found.answers[TERRY]))
    yield Claim("Delta f_n", audit.sensitivity)
    yield Claim("b_n", audit.scale)
    yield Claim("f_{n-2}", float(rest.records.answers[most]))
    yield Claim("Delta f_{n-1}", float(found.sensitivities[TERRY]))
    yield Claim("b_{n-1}", float(found.scales[TERRY]))
    yield Claim("the next most influential observation", most + 1)
    yield Claim("noise at u = 0.75", float(laplace_quantile(0.75, 0, float(audit.scale))))
    yield Claim("response", audit.response)
    yield Claim("p1", audit.p1)
    yield Claim("p2", float(found.p2[TERRY]))
    yield Claim("p1/p2", float(found.ratio_provider[TERRY]), reference=e2, note="exactly e^2")
    yield Claim("Exp(2)", e2)
    yield Claim("0.70/0.10 is within Exp(2)", Fraction(70, 10) <= e2)
    yield Claim("p3, in 10^-31", float(found.p3[TERRY]) * 1e31)
    yield Claim("p1/p3 exceeds Exp(2)", bool(found.ratio_intruder[TERRY] > e2))
    percentile = float(laplace_quantile(0.9999, found.answers[TERRY], found.scales[TERRY]))
    yield Claim("the intruder's 99.99th percentile", percentile)
    yield Claim("her claim is at least", float(found.inferred[TERRY]))
    for place, ratio in enumerate(found.ratio_intruder[:TERRY], start=1):
        yield Claim(f"p1/p3 without observation {place}", float(ratio))
    large = float(found.ratio_intruder[TERRY])
    yield Claim("p1/p3 without observation 30 exceeds 99999999", large > 99999999)
    yield Claim("it is, in 10^29", large / 1e29)


def table_3() -> Iterator[Claim]:
    """The intruder's ratio as the last observation grows, its law, and the one number that is wrong."""
    for x in (14, 15, 16, 17, 18, 19, 20, 25, 30, 40):
        yield Claim(f"p1/p3, last observation {x}", ratio_of(x))
    yield Claim("2^51 / the misprint", 2**51 / MISPRINT)
    yield Claim("2^51 / the right number", 2**51 / ratio_of(40))
    for x in (50, 100):
        yield Claim(f"p1/p3, last observation {x}, exceeds 9999999999", ratio_of(x) > 9999999999)
    yield Claim("p1/p3, last observation 50, in 10^13", ratio_of(50) / 1e13)
    yield Claim("p1/p3, last observation 100, in 10^29", ratio_of(100) / 1e29)
    yield from _law()
    audit = audit_query([0] * 28 + [100, 100], "mean", EPSILON)
    ratio = float(audit.records.ratio_intruder[TERRY])
    most = Fraction(audit.records.sensitivities[TERRY])
    yield Claim("28 zeros, two hundreds: rho", float(audit.sensitivity / most))
    yield Claim("28 zeros, two hundreds: p1/p3", ratio)
    yield Claim("the most influential missing, p1/p3 exceeds Exp(2)", ratio > math.exp(EPSILON))


def ratio_of(x: Any) -> float:
    """Return p1/p3 where the last observation is x."""
    return float(claims_audit(x).records.ratio_intruder[TERRY])


def _law() -> Iterator[Claim]:
    whole = claims_audit(100)
    f, delta = Fraction(whole.records.answers[TERRY]), Fraction(whole.records.sensitivities[TERRY])
    rho, log_two = float(whole.sensitivity / delta), math.log(2)
    threshold = f + 30 * delta
    law = EPSILON * rho + (rho - 1) * log_two
    yield Claim("rho, last observation 100", rho)
    yield Claim("ln p1/p3 there, by the law", law, reference=math.log(ratio_of(100)))
    yield Claim("growth per unit of the last observation", ratio_of(26) / ratio_of(25))
    yield Claim("from here on the last is the most influential", threshold)
    yield Claim("p1/p3 there", ratio_of(float(threshold)), reference=math.exp(EPSILON), note="e^2")


def table_4() -> Iterator[Claim]:
    """The sum derived from a noisy mean; the variances and the ranges in the text; the remedy."""
    asked: dict[str, Any] = {"wanted": "sum", "answered": "mean", "epsilon": EPSILON}
    linked = {shift: linked_query(range(shift + 1, shift + 11), **asked) for shift in SHIFTS}
    for shift, one in linked.items():
        yield from _column(shift, one)
    small, shifted = linked[0], linked[100]
    scales = {
        "the sum": small.wanted.scale,
        "the mean": small.answered.scale,
        "10 x the mean": small.effective_scale,
        "the sum, (101, ..., 110)": shifted.wanted.scale,
    }
    for name, scale in scales.items():
        if "," not in name:
            yield Claim(f"variance of the noise of {name}", 2 * scale**2)
        percentile = float(laplace_quantile(0.9999, 0, float(scale)))
        yield Claim(f"99.99th percentile of the noise of {name}", percentile)
    yield Claim("effective b of the sum, in the text", shifted.effective_scale)
    yield Claim("effective epsilon is less than epsilon", shifted.effective_epsilon < EPSILON)
    total, mean = (audit_query(range(1, 11), query, EPSILON, bounds=(1, 10)).mended for query in ("sum", "mean"))
    assert total is not None
    assert mean is not None
    yield Claim("mended in [1, 10]: b of the sum", total.scale)
    yield Claim("mended in [1, 10]: 10 b of the mean", 10 * mean.scale)


def _column(shift: int, linked: Linked) -> Iterator[Claim]:
    name = f"({shift + 1}, ..., {shift + 10})"
    for audit in (linked.wanted, linked.answered):
        values: tuple[Value, ...] = audit.exact_answer, float(audit.records.answers[-1]), audit.sensitivity, audit.scale
        for what, value in zip(("f_n", "f_{n-1}", "Delta", "b"), values, strict=True):
            yield Claim(f"{what} of the {audit.query}, {name}", value)
    yield Claim(f"effective b, {name}", linked.effective_scale)
    yield Claim(f"effective epsilon, {name}", linked.effective_epsilon)


def two_scales() -> Iterator[Claim]:
    """The two laws of Figure 1: their delta over epsilon, both ways, and that of the other 29 neighbours."""
    whole, rest = law(None), law(TERRY)
    for epsilon in (0, 0.5, 1, 2, 3, 5, 10, 20, 40):
        with_her, without_her = laplace_delta(*whole, *rest, epsilon), laplace_delta(*rest, *whole, epsilon)
        yield Claim(f"delta({epsilon}), with over without her", float(with_her))
        yield Claim(f"delta({epsilon}), without her over with", float(without_her))
    yield Claim("with over without her: no epsilon holds", math.isinf(laplace_epsilon(*whole, *rest)))
    yield Claim("without her over with: largest log ratio", float(laplace_epsilon(*rest, *whole)))
    found = claims_audit().records
    others = found.answers[:TERRY], found.scales[:TERRY]
    both_ways = laplace_delta(*whole, *others, 0.1), laplace_delta(*others, *whole, 0.1)
    yield Claim("largest delta(2) of the other 29, in 10^-27", float(found.delta[:TERRY].max()) * 1e27)
    yield Claim("largest delta(0.1) of the other 29", float(np.max(both_ways)))
    yield Claim("any of the 30 neighbours has the same scale", bool(found.same_scale.any()))


def law(left_out: int | None) -> tuple[float, float]:
    """Return centre and scale of the noisy mean, without the record at this position.

    Examples
    --------
    >>> law(None)
    (13.312333333333333, 1.4946149425287356)
    """
    audit = claims_audit()
    if left_out is None:
        return float(audit.exact_answer), float(audit.scale)
    return float(audit.records.answers[left_out]), float(audit.records.scales[left_out])


def perspective() -> Iterator[Claim]:
    """The intruder's hypothesis test, and what truncated noise amounts to."""
    audit = claims_audit()
    known = [Fraction(claim) for claim in CLAIMS[:TERRY]]
    deviation = math.sqrt(audit_query(known, "variance", EPSILON).exact_answer)
    error, mean = deviation / math.sqrt(len(known)), statistics.fmean(known)
    z = (14.348 - mean) / error
    half, shift = float(laplace_quantile(0.50001, 0, float(audit.scale))), float(audit.sensitivity)
    yield Claim("mean of the 29", mean)
    yield Claim("their standard deviation", deviation)
    yield Claim("standard error of the mean", error)
    yield Claim("z of the response 14.348", z)
    yield Claim("P[mean >= 14.348]", math.erfc(z / math.sqrt(2)) / 2)
    yield Claim("largest truncated noise, in 10^-5", half * 1e5)
    yield Claim("shift of the answer", shift)
    yield Claim("truncated noise satisfies differential privacy", 2 * half >= shift)


def mending() -> Iterator[Claim]:
    """Scale, bias and privacy of the mended mean, and of sanitised microdata."""
    for high in (100, 20, 15):
        mended = mended_mean(high)
        yield Claim(f"scale in [0, {high}]", mended.scale)
        yield Claim(f"bias in [0, {high}]", mended.bias)
        yield Claim(f"delta(2) in [0, {high}]", mended.delta)
    mended = mended_mean(100)
    yield Claim("global sensitivity in [0, 100]", mended.public.sensitivity)
    yield Claim("her shift over the scale, [0, 100]", shift_over_scale(100))
    yield Claim("p1/p3 without her, [0, 100]", math.exp(shift_over_scale(100)))
    yield Claim("her shift over the scale, [0, 20]", shift_over_scale(20))
    yield Claim("scale of the paper", claims_audit().scale)
    both = sum((release.epsilon for release in mended.private_count), Fraction(0))
    yield Claim("epsilon of the noisy sum and the noisy count", both)
    bands = k_ary([f"{band}0s" for band in range(11)], epsilon=EPSILON)  # of ten thousand; each claim is one row
    microdata = ProductSanitisation(bands, len(CLAIMS)).is_private(epsilon=EPSILON)
    yield Claim("sanitised microdata are private at epsilon 2", microdata)


def mended_mean(high: int) -> Mended:
    """Return the mended mean in [0, high]."""
    mended = audit_query(CLAIMS, "mean", EPSILON, bounds=(0, high)).mended
    assert mended is not None
    return mended


def shift_over_scale(high: int) -> float:
    """Return by how many scales of the mended noise the clipped mean moves when the last record is left out."""
    clipped = [min(Fraction(claim), Fraction(high)) for claim in CLAIMS]
    shift = sum(clipped) / len(clipped) - sum(clipped[:TERRY]) / TERRY
    return float(shift / mended_mean(high).scale)
