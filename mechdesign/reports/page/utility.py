"""What privacy costs over epsilon: the curve of designs that a sweep keeps in a file."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from mechdesign.exact.bounds import digits_above
from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.exact.numbers import Epsilon
from mechdesign.objective import OBJECTIVES
from mechdesign.reports.page.written_numbers import limit, ratio
from mechdesign.show.blocks import Block, Cell, Picture, Section, Table, Text
from mechdesign.show.fact_numbers import Down, Exact, Up
from mechdesign.show.language import Language

if TYPE_CHECKING:
    from mechdesign.reports.figure import Figure

FOLDED = 40
"""Points up to which the table is not folded."""
LARGEST_DRAWN = 10**300
"""Doubles end soon after it; values below 0 are not drawn either."""


@dataclass(frozen=True)
class Point:
    """One design of a sweep.

    Attributes
    ----------
    epsilon
        that was asked for.
    value, bound
        exactly.
    proved
        whether the bound is proved by duality, or is the solver's word.
    baseline
        the value of what it is compared with, rounded up.
    """

    epsilon: Epsilon
    value: Fraction
    bound: Fraction
    proved: bool
    baseline: Fraction


@dataclass(frozen=True)
class Sweep:
    """A curve of designs: what all answer, and the points by epsilon.

    Attributes
    ----------
    rivals
        which mechanisms the bounds are about; "" where that is not known.
    baseline
        what the designs are compared with.
    """

    objective: str
    loss: bool
    own: bool
    rivals: str
    baseline: str
    points: Sequence[Point]


def words_of(objective: str, say: Language) -> str:
    """Return what an objective is called."""
    return say(f"objective.{objective}.name") if objective in OBJECTIVES else objective


def in_short(sweep: Sweep, say: Language) -> Section:
    """Return what a sweep shows, in sentences."""
    name, what = words_of(sweep.objective, say), _over(sweep, say)
    first, last = sweep.points[0], sweep.points[-1]
    blocks: list[Block] = [Text(say("sweep.words", what=what))]
    if len(sweep.points) > 1:
        ends = {
            "low": limit(first.epsilon),
            "high": limit(last.epsilon),
            "most": Up(first.value),
            "least": Up(last.value),
        }
        blocks.append(Text(say("sweep.falls", what=what, name=name, **ends)))
    if sweep.objective in OBJECTIVES:
        blocks.append(Text(say(f"objective.{sweep.objective}.designed")))
    if (free := needless(sweep)) is not None:
        blocks.append(Text(say("sweep.needless", what=what, epsilon=limit(free))))
    return Section(say("sweep.title"), blocks)


def _over(sweep: Sweep, say: Language) -> str:
    return say("curve.multiple") if sweep.own else "epsilon"


def needless(sweep: Sweep) -> Epsilon | None:
    """Return the least epsilon of the points for which no noise is needed; None if it is needed for all."""
    return next((point.epsilon for point in sweep.points if point.value == 0), None)


def section(sweep: Sweep, say: Language) -> Section:
    """Return the points as a picture and a table."""
    name, what, title = words_of(sweep.objective, say), _over(sweep, say), say("sweep.curve")
    finite = [point for point in sweep.points if point.epsilon <= MAX_EPSILON and 0 <= point.value <= LARGEST_DRAWN]
    headings = [what, *([] if sweep.own else [say("sweep.ratio")]), say("sweep.value"), say("sweep.bound")]
    headings += [say("sweep.gap"), say.known("figure", sweep.baseline)]
    rivals = say.known("rivals", sweep.rivals)
    note = say("sweep.proved", rivals=rivals) if all(one.proved for one in sweep.points) else say("sweep.unproved")
    note = note if sweep.rivals else say("sweep.unnamed")
    rows = [_row(sweep, point) for point in sweep.points]
    table = Table(say("sweep.caption"), headings, rows, folded=len(rows) > FOLDED, note=note)
    if not finite:
        return Section(title, [table])
    points = [(float(one.epsilon), float(one.value), float(one.baseline)) for one in finite]

    def draw() -> "Figure":
        from mechdesign.reports.plots import plot_utility  # matplotlib loads slowly

        return plot_utility(points, name, sweep.baseline, of_own=sweep.own)

    return Section(title, [Picture(say("sweep.picture", name=name, what=what), say("sweep.best"), draw, table)])


def _row(sweep: Sweep, point: Point) -> list[Cell]:
    return [
        limit(point.epsilon),
        *([] if sweep.own else [ratio(point.epsilon)]),
        Up(point.value),
        Down(point.bound),
        Exact(point.value - point.bound, digits_above(point.value - point.bound, 3)),
        Up(point.baseline),
    ]
