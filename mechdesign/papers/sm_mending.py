"""What is to be done about [SM]: the same illustration with bounds and global sensitivity, and with microdata."""

import math
from fractions import Fraction

from mechdesign.audit import Mended, audit_query
from mechdesign.closed_form import ProductSanitisation, k_ary
from mechdesign.papers.result import Claim, Result
from mechdesign.papers.sm import CLAIMS, EPSILON, PAPER, TERRY, claims_audit

WORDS = """\
With bounds chosen without looking at the data, records clipped to them and n public, the mean needs noise of scale \
(U - L)/(n epsilon): private for every database, and for [0, 100] hardly more noise than the paper adds. Narrower \
bounds trade noise for bias. Where n is private as well, the mean of two records can move by (U - L)/2, so a noisy \
sum and a noisy count are released instead. Of unbounded data the mean has infinite global sensitivity: no Laplace \
noise will do, and mechanisms with delta > 0 (smooth sensitivity, propose-test-release) are needed. ERR-4.10: \
differential privacy does not preclude the release of microdata. Sanitising each record by itself is private, and \
any query on the result is post-processing ([HLM] Theorem 1)."""

BOUNDS = {100: ("1.666667", "0.000000"), 20: ("0.333333", "-2.666667"), 15: ("0.25", "-2.833333")}


def reproduce() -> Result:
    """Return scale, bias and privacy of the mended mean, and of sanitised microdata.

    References
    ----------
    theory.md 4.4; [SM] "Differential Privacy for Microdata Release".

    Examples
    --------
    >>> result = reproduce()
    >>> round(float(result.rows[0].computed), 6), result.rows[0].agrees
    (1.666667, True)
    """
    rows = []
    for high, (scale, bias) in BOUNDS.items():
        mended = mended_mean(high)
        rows += [
            Claim(f"scale in [0, {high}]", mended.scale, reference=scale),
            Claim(f"bias in [0, {high}]", mended.bias, reference=bias),
            Claim(f"delta(2) in [0, {high}]", mended.delta, reference="0"),
        ]
    rows += [
        Claim("global sensitivity in [0, 100]", mended_mean(100).public.sensitivity, reference="3.333333"),
        Claim("her shift over the scale, [0, 100]", shift_over_scale(100), reference="1.793538"),
        Claim("p1/p3 without her, [0, 100]", math.exp(shift_over_scale(100)), reference="6.0107", note="at most e^2"),
        Claim("her shift over the scale, [0, 20]", shift_over_scale(20), reference="0.967690"),
        Claim("scale of the paper", claims_audit().scale, reference="1.494615"),
        Claim("epsilon of the noisy sum and the noisy count", _both(mended_mean(100)), reference="2", note="n private"),
        Claim(
            "sanitised microdata are private at epsilon 2",
            _microdata_are_private(),
            reference=True,
            note="ERR-4.10",
            claimed=False,
        ),
    ]
    return Result("sm-mending", "The remedy", PAPER, tuple(rows), WORDS)


def mended_mean(high: int) -> Mended:
    """Return the mended mean in [0, high].

    Parameters
    ----------
    high
        the upper bound.

    Examples
    --------
    >>> mended_mean(15).scale
    Fraction(1, 4)
    """
    mended = audit_query(CLAIMS, "mean", EPSILON, bounds=(0, high)).mended
    assert mended is not None
    return mended


def shift_over_scale(high: int) -> float:
    """Return by how many scales of the mended noise the clipped mean moves when the last record is left out.

    Parameters
    ----------
    high
        the upper bound.

    Examples
    --------
    >>> round(shift_over_scale(100), 6)
    1.793538
    """
    clipped = [min(Fraction(claim), Fraction(high)) for claim in CLAIMS]
    shift = sum(clipped) / len(clipped) - sum(clipped[:TERRY]) / TERRY
    return float(shift / mended_mean(high).scale)


def _both(mended: Mended) -> Fraction:
    return sum((release.epsilon for release in mended.private_count), Fraction(0))


def _microdata_are_private() -> bool:
    """Return whether all claims, in bands of ten thousand and sanitised row by row, are private."""
    bands = k_ary([f"{band}0s" for band in range(11)], epsilon=EPSILON)
    return ProductSanitisation(bands, len(CLAIMS)).is_private(epsilon=EPSILON)
