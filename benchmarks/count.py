"""How many noisy counts a second: mechdesign beside the paper's direct sum, in one run: python benchmarks/count.py.

The direct sum ([ND] (11)) is vectorised over all counts, with the prior computed once; it takes one answer at a time,
of which there are `--direct`.
"""

from collections.abc import Callable

import numpy as np
from scipy.stats import binom
from shared import Table, asked, fastest

from mechdesign.arrays import Floats
from mechdesign.count import posterior_mean, posterior_median


def direct_means(y: Floats, n: int, p: float, epsilon: float) -> Floats:
    """Return (11), summed over all n + 1 counts for each answer."""
    k = np.arange(n + 1.0)
    prior = binom.pmf(k, n, p)
    means = []
    for answer in y:
        distance = np.abs(answer - k)
        weights = prior * np.exp(-epsilon * (distance - distance.min()))
        means.append(float(weights @ k / weights.sum()))
    return np.array(means)


def rate(estimate: Callable[..., Floats], y: Floats, n: int, p: float, epsilon: float) -> tuple[float, Floats]:
    """Return answers a second, the best of three runs, and the estimates."""
    return len(y) / fastest(lambda: estimate(y, n, p, epsilon), 3).clock, estimate(y, n, p, epsilon)


def main() -> None:
    """Print one row for each privacy level."""
    given = asked(__doc__, n=10**6, p=0.3, answers=10**6, direct=20, epsilons=[1e-4, 0.01, 0.1, 1.0, 20.0])
    generator = np.random.default_rng(0)
    rates = ("means a second", "medians a second", "direct sums a second", "ratio", "largest difference")
    shown = Table("epsilon", *rates)
    for epsilon in given.epsilons:
        truth = generator.binomial(given.n, given.p, given.answers)
        y = truth + generator.laplace(scale=1 / epsilon, size=given.answers)
        means, found = rate(posterior_mean, y, given.n, given.p, epsilon)
        medians, _ = rate(posterior_median, y, given.n, given.p, epsilon)
        direct, sums = rate(direct_means, y[: given.direct], given.n, given.p, epsilon)
        apart = np.max(np.abs(found[: given.direct] / sums - 1))
        many = (f"{means:,.0f}", f"{medians:,.0f}", f"{direct:.1f}", f"{means / direct:,.0f}")
        shown.row(f"{epsilon:g}", *many, f"{apart:.1e}")


if __name__ == "__main__":
    main()
