"""How many noisy counts a second: mechdesign beside the paper's direct sum, in one run: python benchmarks/count.py.

The direct sum ([ND] (11)) is vectorised over all counts, with the prior computed once; it takes one answer at a time.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
from scipy.stats import binom

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
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        found = estimate(y, n, p, epsilon)
        seconds.append(time.perf_counter() - start)
    return len(y) / min(seconds), found


def main() -> None:
    """Print one row for each privacy level."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=10**6)
    parser.add_argument("--p", type=float, default=0.3)
    parser.add_argument("--answers", type=int, default=10**6)
    parser.add_argument("--direct", type=int, default=20, help="answers for the direct sum")
    parser.add_argument("--epsilons", type=float, nargs="+", default=[1e-4, 0.01, 0.1, 1.0, 20.0])
    given = parser.parse_args()
    generator = np.random.default_rng(0)
    print("| epsilon | means a second | medians a second | direct sums a second | ratio | largest difference |")
    print("|---|---|---|---|---|---|")
    for epsilon in given.epsilons:
        truth = generator.binomial(given.n, given.p, given.answers)
        y = truth + generator.laplace(scale=1 / epsilon, size=given.answers)
        means, found = rate(posterior_mean, y, given.n, given.p, epsilon)
        medians, _ = rate(posterior_median, y, given.n, given.p, epsilon)
        direct, sums = rate(direct_means, y[: given.direct], given.n, given.p, epsilon)
        apart = np.max(np.abs(found[: given.direct] / sums - 1))
        print(f"| {epsilon:g} | {means:,.0f} | {medians:,.0f} | {direct:.1f} | {means / direct:,.0f} | {apart:.1e} |")


if __name__ == "__main__":
    main()
