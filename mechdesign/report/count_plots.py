"""Pictures of noisy counts: the posterior, and the errors of all estimates over epsilon."""

from dataclasses import asdict

import numpy as np
from matplotlib.figure import Figure

from mechdesign.count.bayes import Posterior
from mechdesign.count.laws import masses_of
from mechdesign.count.metrics import errors
from mechdesign.count.prior import PriorLike, prior_of
from mechdesign.report.plots import AFTER, BEFORE, INK

STYLES = {
    "naive": ("naive", INK, "-"),
    "clipped": ("clipped", "#8e4a9e", "-"),
    "constant": ("constant n p", BEFORE, "-"),
    "mean": ("posterior mean", "#d9822b", "-"),
    "median": ("posterior median", AFTER, "-"),
}
EPSILONS = 25
"""Points of each curve."""


def plot_posterior(posterior: Posterior, n: int, p: PriorLike) -> Figure:
    """Return the law of the true count before and after the answer, with the estimates."""
    prior = prior_of(n, p)
    x, log_ratios = prior.window(*prior.reach(0), 0)
    before = masses_of(log_ratios)
    figure = Figure(figsize=(6, 3.4), layout="constrained")
    axes = figure.add_subplot()
    axes.fill_between(x, before, step="mid", color=BEFORE, label="before")
    axes.step(posterior.x, posterior.masses, where="mid", color=AFTER, label="after")
    axes.axvline(posterior.mean, color=AFTER, linestyle="--", linewidth=1, label=f"posterior mean {posterior.mean:.6g}")
    shown = [x[before > 1e-4 * before.max()], posterior.x[posterior.masses > 1e-4 * posterior.masses.max()]]
    low, high = min(points[0] for points in shown) - 1, max(points[-1] for points in shown) + 1
    margin = 0.25 * (high - low)
    if low - margin <= posterior.answer <= high + margin:
        axes.axvline(posterior.answer, color=INK, linestyle=":", label=f"answer {posterior.answer:.6g}")
        low, high = min(low, posterior.answer), max(high, posterior.answer)
    axes.set(xlabel="true count", ylabel="probability", xlim=(low, high), ylim=(0, None))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=8, frameon=False)
    return figure


def plot_errors(n: int, p: PriorLike, epsilon: float, *, noise: str = "laplace") -> Figure:
    """Return the mean absolute error of each estimate for epsilons from a thirtieth to thirty times the given one."""
    levels = np.clip(epsilon * np.geomspace(1 / 30, 30, EPSILONS), None, 700)
    found = [errors(n, p, float(level), noise=noise) for level in levels]
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.add_subplot()
    for name, (label, colour, style) in STYLES.items():
        curve = [asdict(one.absolute)[name] for one in found]
        axes.plot(levels, curve, color=colour, linestyle=style, label=label)
    axes.plot(levels, [one.optimal for one in found], color="#3b8f5a", linestyle="--", label="no mechanism below")
    axes.axvline(epsilon, color=BEFORE, linestyle=":")
    axes.set(xscale="log", yscale="log", xlabel="epsilon", ylabel="mean absolute error")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(fontsize=8, frameon=False)
    return figure
