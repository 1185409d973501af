"""[SM] "A statistical perspective", and the truncated Laplace law of its last section."""

import math
import statistics
from fractions import Fraction

from mechdesign.audit import audit_query, laplace_quantile
from mechdesign.papers.result import Claim, Result
from mechdesign.papers.sm import CLAIMS, EPSILON, PAPER, TERRY, claims_audit

WORDS = """\
The numbers are right. ERR-4.8: the argument compares the noisy response with the sampling distribution of the mean, \
leaves the noise out, and puts what is known before and after the release in the place of the release with and \
without her. That something is learnt about her from what is known of the population is not excluded by \
differential privacy, nor by anything else that lets the data be of use. ERR-4.6: that noise drawn from a Laplace \
law truncated to u* in (0.49999, 0.50001) "would still satisfy" differential privacy is false: the noise is at most \
3e-5, the answers are 3 apart, so that the supports are disjoint and delta is 1."""


def reproduce() -> Result:
    """Return the intruder's hypothesis test, and what truncated noise amounts to.

    References
    ----------
    [SM] "Differential Privacy - A Statistical Perspective" and its two conclusions; theory.md 4.1, ERR-4.6, ERR-4.8.

    Examples
    --------
    >>> result = reproduce()
    >>> f"{result.rows[3].computed:.3f}", result.rows[3].agrees
    ('15.740', True)
    """
    audit = claims_audit()
    known = [Fraction(claim) for claim in CLAIMS[:TERRY]]
    deviation = math.sqrt(audit_query(known, "variance", EPSILON).answer)
    error, mean = deviation / math.sqrt(len(known)), statistics.fmean(known)
    z = (14.348 - mean) / error
    half, shift = float(laplace_quantile(0.50001, 0, float(audit.scale))), float(audit.sensitivity)
    rows = (
        Claim("mean of the 29", mean, "10.32"),
        Claim("their standard deviation", deviation, "1.377", "1.377026"),
        Claim("standard error of the mean", error, "0.256", "0.255707"),
        Claim("z of the response 14.348", z, reference="15.740"),
        Claim("P[mean >= 14.348]", math.erfc(z / math.sqrt(2)) / 2, note="about, in the paper", claimed=0),
        Claim("largest truncated noise, in 10^-5", half * 1e5, reference="2.98926"),
        Claim("shift of the answer", shift, reference="2.98923"),
        Claim(
            "truncated noise satisfies differential privacy",
            2 * half >= shift,
            reference=False,
            note="ERR-4.6: delta = 1",
            claimed=True,
        ),
    )
    return Result("sm-statistics", "A statistical perspective", PAPER, rows, WORDS)
