"""Pictures of what privacy is: the privacy curve, the tight epsilon of each edge; and of what it costs over epsilon."""

import math
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mechdesign.errors import InputError
from mechdesign.exact.flags import with_flags
from mechdesign.exact.text import shown
from mechdesign.graph.labels import Label
from mechdesign.reports.figure import AFTER, BEFORE, CLAIM, INK, Figure, chart, named
from mechdesign.reports.plots import LARGEST_ANNOTATED

OF_OWN = "multiple of each edge's own epsilon"
MOST_NAMED = 40
"""Up to so many profiles have their names beside a heat map."""


@with_flags
def plot_curve(
    curve: Sequence[tuple[float, float, float]],
    *,
    tight: float | None = None,
    delta: float = 0.0,
    asked: tuple[float, float] | None = None,
    of_own: bool = False,
) -> Figure:
    """Return the privacy curve: the tight delta at each epsilon, from `privacy_curve`.

    Parameters
    ----------
    curve
        (epsilon, delta at least, delta at most) each, as `privacy_curve` returns them.
    tight, delta
        the tight epsilon at this delta, marked by a line; not if None or infinite.
    asked
        the claim (epsilon, delta), marked by a point: on or above the curve it holds.
    of_own
        whether the curve is over multiples of the edges' own epsilons.

    Raises
    ------
    InputError
        if it is a sweep, which `plot_utility` draws.

    Examples
    --------
    >>> import mechdesign as md
    >>> result = md.design("categorical-chain", epsilon=0.5)
    >>> figure = plot_curve(md.privacy_curve(result.mechanism, result.graph, [0, 0.25, 0.5]), asked=(0.5, 0.0))
    >>> figure.axes[0].get_ylabel()
    'tight delta'
    """
    if any(hasattr(point, "objective") for point in curve):
        raise InputError("expected the privacy curve of one mechanism, from privacy_curve; plot_utility draws a sweep")
    figure, axes = chart()
    axes.plot([epsilon for epsilon, _, _ in curve], [upper for _, _, upper in curve], color=AFTER)
    what = "scale" if of_own else "epsilon"
    if tight is not None and tight < math.inf:
        label = f"tight {what} {tight:.6g} at delta {delta:.3g}"
        axes.axvline(tight, color=INK, linewidth=0.9, linestyle="--", label=label)
    if asked is not None:
        epsilon, allowed = asked
        label = f"asked: {what} {epsilon:.6g}, delta {allowed:.3g}"
        axes.plot([epsilon], [allowed], "o", color=CLAIM, markersize=5, clip_on=False, zorder=3, label=label)
    axes.set(xlabel=OF_OWN if of_own else "epsilon", ylabel="tight delta", xlim=(0, None), ylim=(0, None))
    if axes.get_legend_handles_labels()[0]:
        axes.legend(frameon=False, fontsize=8)
    return figure


def plot_tight_epsilons(
    epsilons: Mapping[tuple[Label, Label], tuple[float, float]], profiles: Sequence[Label] | None = None
) -> Figure:
    """Return a heat map of the tight epsilons from `tight_epsilons`, rounded up: row i against column j.

    Infinite ones have a colour of their own; where there is no edge, the map is empty.

    Parameters
    ----------
    epsilons
        (i, j) -> (epsilon at least, at most), as `tight_epsilons` returns them.
    profiles
        those of the map, in order; by default those of the edges.

    Examples
    --------
    >>> import mechdesign as md
    >>> figure = plot_tight_epsilons(md.tight_epsilons([["3/4", "1/4"], ["1/4", "3/4"]]))
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['1.1', '1.1']
    """
    names = list(profiles or dict.fromkeys(end for edge in epsilons for end in edge))
    place = {name: index for index, name in enumerate(names)}
    table = np.full((len(names), len(names)), np.nan)
    for (i, j), (_, upper) in epsilons.items():
        table[place[i], place[j]] = upper
    side = min(8.0, 2.4 + 0.42 * len(names))
    figure = Figure(figsize=(side + 1.2, side), layout="constrained")
    axes = figure.add_subplot()
    finite = table[np.isfinite(table)]
    image = axes.imshow(
        np.where(np.isinf(table), np.nan, table), cmap="Blues", vmin=0, vmax=float(finite.max(initial=0.0)) or 1.0
    )
    axes.imshow(np.where(np.isinf(table), 1.0, np.nan), cmap="Reds", vmin=0, vmax=1.4)
    if len(names) <= MOST_NAMED:
        axes.set_xticks(range(len(names)), [named(name) for name in names], fontsize=7, rotation=90)
        axes.set_yticks(range(len(names)), [named(name) for name in names], fontsize=7)
    if len(names) <= LARGEST_ANNOTATED:
        for (i, j), value in np.ndenumerate(table):
            if not np.isnan(value):
                dark = math.isinf(value) or value > 0.55 * finite.max()
                text = "inf" if math.isinf(value) else f"{value:.3g}"
                axes.text(j, i, text, ha="center", va="center", fontsize=7, color="white" if dark else INK)
    axes.set_xlabel("against", fontsize=8)
    axes.set_ylabel("profile", fontsize=8)
    infinite = "; red: infinite" if np.isinf(table).any() else ""
    axes.set_title(f"tight epsilon of each edge, in each direction{infinite}", fontsize=9, color=INK)
    axes.spines[:].set_color(BEFORE)
    figure.colorbar(image, ax=axes, shrink=0.7, label="tight epsilon")
    return figure


@with_flags
def plot_utility(
    points: Sequence[Any], words: str | None = None, baseline: str | None = None, *, of_own: bool = False
) -> Figure:
    """Return the privacy-utility curve: an objective's value and the baseline's over epsilon.

    A line marks the least of these epsilons at which the value is 0, if it is not 0 at all: no noise is needed there.

    Parameters
    ----------
    points
        a sweep, or other designs; or numbers, (epsilon, value, baseline) each; None for no baseline.
    words
        what the objective is called; of designs known.
    baseline
        what the baseline is called, if there is one; of designs known.
    of_own
        whether each epsilon is a multiple of the edges' own; of designs known.

    Raises
    ------
    InputError
        if there are no designs, or of numbers it is not said what they are.

    Examples
    --------
    >>> import mechdesign as md
    >>> figure = plot_utility(md.sweep("categorical-chain", "0.5:1.5:3"))
    >>> [line.get_label() for line in figure.axes[0].get_lines()]
    ['k-ary randomised response', 'these designs', 'no noise needed from 1.5 on']
    >>> figure = plot_utility([(0.5, 0.06, 0.3), (1.0, 0.01, 0.2)], "largest entry", "k-ary response")
    """
    designs = [point for point in points if hasattr(point, "objective")]
    if designs and len(designs) == len(points):
        first = designs[0]
        words, of_own = words or first.objective.words, first.scale_own
        baseline = baseline or first.baseline_name
        finite = [one for one in designs if one.epsilon <= sys.float_info.max]  # others have no place on an axis
        points = sorted((float(one.epsilon), float(one.value), float(one.baseline)) for one in finite)
    usual = [(epsilon, other) for epsilon, _, other in points if other is not None]
    if words is None or (usual and baseline is None):
        expected = "a sweep or other designs, or numbers and what they are called: words and baseline"
        raise InputError(f"plot_utility: expected {expected}, found {shown(points)}")
    figure, axes = chart(5, 3.2)
    least = [(epsilon, value) for epsilon, value, _ in points]
    for curve, colour, label in ((usual, BEFORE, baseline), (least, AFTER, "these designs")):
        if curve:
            axes.plot(*zip(*curve, strict=True), "o-", markersize=3, color=colour, label=label)
    free = [epsilon for epsilon, value, _ in points if value == 0]
    if free and len(free) < len(points):
        label = f"no noise needed from {min(free):.4g} on"
        axes.axvline(min(free), color=INK, linewidth=0.9, linestyle="--", label=label)
    bottom = None if any(value < 0 for _, value in [*usual, *least]) else 0
    axes.set(xlabel=OF_OWN if of_own else "epsilon", ylabel=words, ylim=(bottom, None))
    axes.legend(frameon=False, fontsize=8)
    return figure
