"""Estimated shares with their intervals, one panel for each profile."""

import math
from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from mechdesign.exact.text import format_number
from mechdesign.graph.labels import Label
from mechdesign.release.estimates import Estimate, Estimates
from mechdesign.reports.drawable import check_bars
from mechdesign.reports.figure import AFTER, BEFORE, INK, Figure, legend_below, named, panels, without_frame
from mechdesign.reports.plots import MOST_RELEASED
from mechdesign.words import counted

MOST_LABELLED = 30
"""Categories have their names below the axis up to this many."""


def plot_estimates(found: Estimates) -> Figure:
    """Return a picture of the shares: a dot for each estimate, a line for its interval, all panels on one scale.

    Where the released data do not determine a share, there are its bounds alone. At most thirty profiles are drawn, and
    the title says so.

    Parameters
    ----------
    found
        what `estimate` returned.

    Raises
    ------
    InputError
        if there are too many categories to be drawn.

    Examples
    --------
    >>> import mechdesign as md
    >>> figure = plot_estimates(md.estimate([["3/4", "1/4"], ["1/4", "3/4"]], [0] * 70 + [1] * 30))
    >>> [axes.get_title() for axes in figure.axes]
    ['all (100 rows)']
    """
    profiles = list(found.profiles)[:MOST_RELEASED]
    categories = max(len(shares) for shares in found.profiles.values())
    check_bars(len(profiles), categories)
    columns = min(len(profiles), 3)
    lines = math.ceil(len(profiles) / columns)
    width = min(10.0, max(3.4, 0.34 * min(categories, MOST_LABELLED)))
    figure = Figure(figsize=(columns * width, lines * 2.2 + 0.6), layout="constrained")
    drawn = panels(figure, len(profiles), columns, sharey=True)
    for axes, profile in zip(drawn, profiles, strict=True):
        _draw(axes, found.profiles[profile], format_number(100 * found.level))
        axes.set_title(f"{profile} ({counted(found.rows[profile], 'row')})", fontsize=9, color=INK)
    drawn[0].set_ylim(0, None)  # of all, once all are drawn: it stops growing
    for axes in drawn[::columns]:
        axes.set_ylabel("share", fontsize=8)
    legend_below(figure, 3)
    if len(found.profiles) > MOST_RELEASED:
        figure.suptitle(f"the first {MOST_RELEASED} of {counted(len(found.profiles), 'profile')}", fontsize=9)
    return figure


def _draw(axes: Axes, shares: Mapping[Label, Estimate], percent: str) -> None:
    place, found = np.arange(len(shares)), list(shares.values())
    low, high = np.array([one.low for one in found]), np.array([one.high for one in found])
    bounded = np.array([one.bounded for one in found])
    for which, colour, words in (
        (~bounded, AFTER, f"{percent} % interval"),
        (bounded, BEFORE, f"bounds ({percent} %)"),
    ):
        if which.any():
            axes.vlines(place[which], low[which], high[which], color=colour, linewidth=2.5, alpha=0.7, label=words)
    dots = [(at, one.estimate) for at, one in zip(place, found, strict=True) if one.estimate is not None]
    if dots:
        axes.plot(*zip(*dots, strict=True), "o", color=INK, markersize=4, label="maximum likelihood")
    if len(place) <= MOST_LABELLED:
        names = [named(category) for category in shares]
        turned = 90 if max(map(len, names)) > 8 else 0
        axes.set_xticks(place, names, rotation=turned)
    axes.tick_params(labelsize=7)
    axes.set_xlim(-0.6, len(place) - 0.4)
    without_frame(axes)
