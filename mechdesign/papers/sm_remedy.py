"""[SM] Figure 1, "A statistical perspective", and what is to be done: bounds and global sensitivity, microdata."""

import math
import statistics
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from mechdesign.audit import Mended, audit_query, laplace_delta, laplace_epsilon, laplace_quantile
from mechdesign.closed_form import ProductSanitisation, k_ary
from mechdesign.papers.published import Claim
from mechdesign.papers.sm import CLAIMS, EPSILON, TERRY, claims_audit


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
