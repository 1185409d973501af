"""Pictures of noisy counts: the posterior, and the errors of all estimates over epsilon."""

from collections.abc import Callable
from dataclasses import asdict

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.count.averages import most_records
from mechdesign.count.bayes import Posterior
from mechdesign.count.laws import Prior, masses_of
from mechdesign.count.metrics import errors
from mechdesign.count.noise import LEAST_EPSILON
from mechdesign.count.prior import PriorLike, prior_of
from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.reports.figure import AFTER, BEFORE, INK, Figure, chart
from mechdesign.reports.plots import COLOURS

STYLES = {
    "naive": ("naive", INK, "-"),
    "clipped": ("clipped", COLOURS[3], "-"),
    "constant": ("constant n p", BEFORE, "-"),
    "mean": ("posterior mean", COLOURS[1], "-"),
    "median": ("posterior median", AFTER, "-"),
}
EPSILONS = 25
"""Points of each curve."""
FINEST = 4000
"""More points than that of a law of a count do not show."""


def plot_posterior(posterior: Posterior, n: int, p: PriorLike) -> Figure:
    """Return the law of the true count before and after the answer, with the estimates."""
    prior = prior_of(n, p)
    x, log_ratios = prior.window(*prior.reach(0), 0)
    before = masses_of(log_ratios)
    figure, axes = chart(6, 3.4)
    axes.fill_between(*_thinned(x, before), step="mid", color=BEFORE, label="before")
    axes.step(*_thinned(posterior.x, posterior.masses), where="mid", color=AFTER, label="after")
    axes.axvline(posterior.mean, color=AFTER, linestyle="--", linewidth=1, label=f"posterior mean {posterior.mean:.6g}")
    shown = [x[before > 1e-4 * before.max()], posterior.x[posterior.masses > 1e-4 * posterior.masses.max()]]
    low, high = min(points[0] for points in shown) - 1, max(points[-1] for points in shown) + 1
    margin = 0.25 * (high - low)
    if low - margin <= posterior.noisy <= high + margin:
        axes.axvline(posterior.noisy, color=INK, linestyle=":", label=f"answer {posterior.noisy:.6g}")
        low, high = min(low, posterior.noisy), max(high, posterior.noisy)
    axes.set(xlabel="true count", ylabel="probability", xlim=(low, high), ylim=(0, None))
    axes.legend(fontsize=8, frameon=False)
    return figure


def _thinned(x: Floats, masses: Floats) -> tuple[Floats, Floats]:
    """Return the points that a picture shows, with a neighbour at each end, and their masses."""
    seen = np.flatnonzero(masses > 1e-4 * masses.max())
    points = slice(max(seen[0] - 1, 0), seen[-1] + 2, len(seen) // FINEST + 1)
    return x[points], masses[points]


def plot_errors(
    n: int,
    p: PriorLike,
    epsilon: float,
    *,
    noise: str = "laplace",
    progress: Callable[[int, int], None] = lambda done, everything: None,
) -> Figure:
    """Return the mean absolute error of each estimate for epsilons from a thirtieth to thirty times the given one.

    Of these it leaves out those that `errors` does not take.
    """
    levels = _levels(prior_of(n, p), epsilon)
    found = []
    for done, level in enumerate(levels, start=1):
        found.append(errors(n, p, level, noise=noise))
        progress(done, len(levels))
    figure, axes = chart(6, 4)
    for name, (label, colour, style) in STYLES.items():
        curve = [asdict(one.absolute)[name] for one in found]
        axes.plot(levels, curve, color=colour, linestyle=style, label=label)
    axes.plot(levels, [one.optimal for one in found], color=COLOURS[2], linestyle="--", label="no mechanism below")
    axes.axvline(epsilon, color=BEFORE, linestyle=":")
    axes.set(xscale="log", yscale="log", xlabel="epsilon", ylabel="mean absolute error")
    axes.legend(fontsize=8, frameon=False)
    return figure


def _levels(prior: Prior, epsilon: float) -> list[float]:
    ends = max(epsilon / 30, LEAST_EPSILON), min(epsilon * 30, float(MAX_EPSILON))
    return [level for level in np.geomspace(*ends, EPSILONS).tolist() if prior.n <= most_records(prior, level)]
