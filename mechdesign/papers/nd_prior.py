"""[ND] Section 3: how much the prior tells, in the paper's own example and in its experiments."""

import math

from mechdesign.papers.nd import PAPER, exact
from mechdesign.papers.result import Claim, Result

WORDS = """\
ERR-0.5: for n = 10,000, p = 0.3 and epsilon = 0.1 the paper compares the widths 2 sqrt(n p (1 - p)) = 91.65 and 2 \
sqrt(2)/epsilon = 28.28, cut off as 91.6 and 28.2, and concludes that knowing p says little of the count. ERR-0.6: \
that is right for this example, where the posterior mean gains 1.8%, and wrong for the paper's own experiments: \
for n = 100 the prior is three times as narrow as the noise, and the constant np beats the answer by far. ERR-0.2: \
Section 3 says "Laplacian noise with parameter b = epsilon"; read b = 1/epsilon, as in Section 2, since noise of \
scale b gives privacy level 1/b. ERR-0.3: Section 4.2 refers to Section 3.2 for a metric that (13) in Section 4.1 \
defines."""


def reproduce() -> Result:
    """Return the widths of prior and noise, and what the prior gains.

    References
    ----------
    [ND] Sections 3 and 3.2, (7).

    Examples
    --------
    >>> result = reproduce()
    >>> f"{float(result.rows[0].computed):.6f}", result.rows[0].published
    ('91.651514', '91.6')
    """
    large, small = exact(10_000, 0.3, 0.1), exact(100, 0.3, 0.1)
    deviation = math.sqrt(small.squared.constant)
    noise = math.sqrt(small.squared.naive)
    rows = (
        Claim("n 10000: width of the prior", 2 * math.sqrt(large.squared.constant), "91.6", "91.651514", "ERR-0.5"),
        Claim("n 10000: width of the noise", 2 * math.sqrt(large.squared.naive), "28.2", "28.284271", "ERR-0.5"),
        Claim("n 10000: error of the answer", large.absolute.naive, "10", note="for any n"),
        Claim("n 10000: error of the posterior mean", large.absolute.mean, reference="9.82", note="a gain of 1.8%"),
        Claim("n 10000: P(mean is nearer)", large.probability_better, reference=".513"),
        Claim("n 100: standard deviation of the prior", deviation, reference="4.582576", note="ERR-0.6"),
        Claim("n 100: standard deviation of the noise", noise, reference="14.142136", note="ERR-0.6"),
        Claim("n 100: error of the answer", small.absolute.naive, reference=10.0),
        Claim("n 100: error of the constant np", small.absolute.constant, reference="3.644922", note="ERR-0.6"),
        Claim("n 100: error of the posterior mean", small.absolute.mean, reference="3.397283"),
        Claim("variance of the noise for b = 1/epsilon = 10, (7)", small.squared.naive, claimed=200),
        Claim("for b = epsilon it would be", small.squared.naive * 0.1**4, reference="0.02", note="ERR-0.2"),
    )
    return Result("nd-prior", "What the prior tells", PAPER, rows, WORDS)
