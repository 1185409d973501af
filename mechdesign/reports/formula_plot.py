"""A picture of a formula: the optimum over epsilon, or over delta, with its breakpoints."""

from fractions import Fraction

from mechdesign.formulas.formula import Formula
from mechdesign.formulas.pieces import nats
from mechdesign.formulas.polynomials import End
from mechdesign.reports.figure import AFTER, INK, Figure, chart
from mechdesign.reports.privacy_plots import OF_OWN

POINTS = 240
"""Of the curve, breakpoints besides."""

BEYOND = 1.25
"""Where a range has no end the picture goes so much farther than the last breakpoint."""

USUAL = 5.0
"""How far it goes where there is none."""

MOST_LABELLED = 12
"""Breakpoints that are written beside their lines."""


def plot_formula(formula: Formula) -> Figure:
    """Return the optimum as a curve, with a line at each breakpoint; gaps where it is not settled.

    Parameters
    ----------
    formula
        what `formula` returned.

    Examples
    --------
    >>> import mechdesign as md
    >>> figure = plot_formula(md.formula("categorical-chain"))
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['0.288', '1.1']
    """
    terms = formula.terms
    breaks, low, high = _range(formula)
    figure, axes = chart()
    least = 0.0
    for points in points_of(formula, POINTS):
        least = min(least, *(y for _, y in points))
        axes.plot(*zip(*points, strict=True), color=AFTER)
    for number, x in enumerate(breaks):
        axes.axvline(x, color=INK, linewidth=0.7, linestyle=":")
        if len(breaks) <= MOST_LABELLED:
            height = 0.98 - 0.07 * (number % 2)
            axes.text(x, height, f"{x:.3g}", transform=axes.get_xaxis_transform(), fontsize=7, color=INK, va="top")
    what = OF_OWN if terms.scale_own else terms.parameter
    words = terms.objective.words
    axes.set(xlabel=what, ylabel=words, xlim=(low, high))
    if least == 0:
        axes.set_ylim(0, None)
    return figure


def points_of(formula: Formula, count: int) -> list[list[tuple[float, float]]]:
    """Return for each piece points of the optimum over epsilon, or delta: its ends, and those of so many within.

    Examples
    --------
    >>> import mechdesign as md
    >>> [[(round(x, 3), round(y, 3)) for x, y in piece] for piece in points_of(md.formula("categorical-chain"), 1)]
    [[(0.0, 0.143), (0.288, 0.079)], [(0.288, 0.079), (1.099, 0.0)], [(1.099, 0.0), (1.373, 0.0)]]
    """
    _, low, high = _range(formula)
    inner = [low + (high - low) * step / count for step in range(count + 1)]
    found = []
    for piece in formula.pieces:
        first = _place(formula, piece.low)
        last = high if piece.high is None else _place(formula, piece.high)
        points = sorted({max(low, first), *(x for x in inner if first < x < last), min(high, last)})
        found.append([(x, _value(formula, x)) for x in points])
    return found


def _range(formula: Formula) -> tuple[list[float], float, float]:
    """Return the breakpoints, and from where to where a picture goes."""
    breaks, low = [_place(formula, end) for end in formula.breakpoints], float(formula.low)
    high = float(formula.high) if formula.high is not None else low + BEYOND * ((breaks or [low + USUAL])[-1] - low)
    return breaks, low, high


def _place(formula: Formula, end: End) -> float:
    """Return an end in nats, or as delta."""
    return nats(end, formula.terms.root) if formula.terms.parameter == "epsilon" else float(end)


def _value(formula: Formula, x: float) -> float:
    top = float("inf") if formula.high is None else formula.high
    at = min(max(Fraction(x), formula.low), top)
    if at == 1 and formula.terms.parameter == "delta":  # nothing is designed there, but the last piece has an end
        return float(formula.pieces[-1](Fraction(1)))
    return formula(at)
