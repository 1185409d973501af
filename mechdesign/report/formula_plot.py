"""A picture of a formula: the optimum over epsilon, or over delta, with its breakpoints."""

from fractions import Fraction

from matplotlib.figure import Figure

from mechdesign.formulas import Formula
from mechdesign.formulas.pieces import nats
from mechdesign.report.plots import AFTER, INK, OF_OWN

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

    Examples
    --------
    >>> import mechdesign as md
    >>> figure = plot_formula(md.formula("categorical-chain"))
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['0.288', '1.1']
    """
    terms = formula.terms
    of_epsilon = terms.parameter == "epsilon"
    breaks = [nats(end, terms.root) if of_epsilon else float(end) for end in formula.breakpoints]
    low = float(formula.low)
    high = float(formula.high) if formula.high is not None else low + BEYOND * ((breaks or [low + USUAL])[-1] - low)
    figure = Figure(figsize=(5.4, 3.4), layout="constrained")
    axes = figure.add_subplot()
    inner = [low + (high - low) * step / POINTS for step in range(POINTS + 1)]
    least = 0.0
    for piece in formula.pieces:
        first = nats(piece.low, terms.root) if of_epsilon else float(piece.low)
        last = high if piece.high is None else nats(piece.high, terms.root) if of_epsilon else float(piece.high)
        points = sorted({max(low, first), *(x for x in inner if first < x < last), min(high, last)})
        values = [_value(formula, x) for x in points]
        least = min(least, *values)
        axes.plot(points, values, color=AFTER)
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
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def _value(formula: Formula, x: float) -> float:
    top = float("inf") if formula.high is None else formula.high
    return formula(min(max(Fraction(x), formula.low), top))
