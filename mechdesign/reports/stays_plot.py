"""How many values stay as they are, as bars."""

from collections.abc import Mapping
from fractions import Fraction

from mechdesign.exact.text import cut
from mechdesign.graph.labels import Label
from mechdesign.reports.figure import AFTER, BEFORE, INK, Figure

MOST_NAMED, LONGEST = 16, 14
"""Values whose names stand below the bars, and the letters of a name that are shown."""


def plot_stays(stays: Mapping[Label, Fraction]) -> Figure:
    """Return for each value a bar of how many of 100 stay as they are, before a bar of all 100."""
    figure = Figure(figsize=(6.6, 1.5), layout="constrained")
    axes = figure.add_subplot()
    places, shares = range(len(stays)), [float(100 * share) for share in stays.values()]
    axes.bar(places, [100] * len(shares), 0.7, color=BEFORE)
    axes.bar(places, shares, 0.7, color=AFTER)
    axes.set(ylim=(0, 100), yticks=(0, 50, 100), xlim=(-0.6, max(len(shares), 6) - 0.4))
    axes.set_xticks([])
    if len(shares) <= MOST_NAMED:
        names = [cut(str(name), LONGEST) for name in stays]
        axes.set_xticks(places, names)
        for place, share in zip(places, shares, strict=True):
            axes.text(
                place, 3, f"{int(share)}", ha="center", va="bottom", fontsize=8, color="white" if share > 15 else INK
            )
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    return figure
