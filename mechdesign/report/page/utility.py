"""What privacy costs over epsilon: the curve of designs that a sweep keeps in a file."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from mechdesign.exact.bounds import digits_above
from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.exact.numbers import Epsilon
from mechdesign.report.page.cost import OBJECTIVES
from mechdesign.report.page.numbers import allowed, at_least, at_most, near, ratio
from mechdesign.show.blocks import Block, Picture, Section, Table, Text

if TYPE_CHECKING:
    from mechdesign.report.figure import Figure

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
        the value of what it is compared with, rounded up; None if it is compared with nothing.
    """

    epsilon: Epsilon
    value: Fraction
    bound: Fraction
    proved: bool
    baseline: Fraction | None


@dataclass(frozen=True)
class Sweep:
    """A curve of designs: what all answer, and the points by epsilon.

    Attributes
    ----------
    rivals
        which mechanisms the bounds are about; "" where that is not known.
    baseline
        what the designs are compared with; "" for nothing.
    """

    objective: str
    loss: bool
    own: bool
    rivals: str
    baseline: str
    points: Sequence[Point]


def words_of(objective: str) -> tuple[str, str]:
    """Return what an objective is called, and what it means if that is known here."""
    name, meaning = OBJECTIVES.get(objective, (objective, ""))
    return name, meaning


def in_short(sweep: Sweep) -> list[Block]:
    """Return what a sweep shows, in sentences."""
    name, meaning = words_of(sweep.objective)
    first, last = sweep.points[0], sweep.points[-1]
    what = "multiple of the links' own epsilons" if sweep.own else "epsilon"
    words = f"The smaller the {what}, the less a released value tells of the profile, and the more is changed. "
    if len(sweep.points) > 1:
        words += (
            f"From {what} {near(first.epsilon)} to {near(last.epsilon)} the {name} of these designs falls from "
            f"{at_most(first.value)} to {at_most(last.value)} (rounded up)."
        )
    blocks: list[Block] = [Text(words, "good")]
    if meaning:
        blocks.append(Text(f"The {name} is {meaning}." + (" The losses are in the file." if sweep.loss else "")))
    if (free := needless(sweep)) is not None:
        blocks.append(
            Text(f"From {what} {near(free)} on no noise is needed: the profiles themselves are as close as that.")
        )
    return blocks


def needless(sweep: Sweep) -> Epsilon | None:
    """Return the least epsilon of the points for which no noise is needed; None if it is needed for all."""
    return next((point.epsilon for point in sweep.points if point.value == 0), None)


def section(sweep: Sweep) -> Section:
    """Return the points as a picture and a table."""
    name, _ = words_of(sweep.objective)
    what = "times the own epsilons" if sweep.own else "epsilon"
    finite = [point for point in sweep.points if point.epsilon <= MAX_EPSILON and 0 <= point.value <= LARGEST_DRAWN]
    rows = [
        [
            allowed(point.epsilon),
            *([] if sweep.own else [ratio(point.epsilon)]),
            at_most(point.value),
            at_least(point.bound),
            digits_above(point.value - point.bound, 3),
            *([] if point.baseline is None else [at_most(point.baseline)]),
        ]
        for point in sweep.points
    ]
    headings = [
        what,
        *([] if sweep.own else ["ratio e^epsilon (rounded up)"]),
        "value (rounded up)",
        "bound (rounded down)",
    ]
    headings += ["gap (rounded up)", *([f"{sweep.baseline} (rounded up)"] if sweep.baseline else [])]
    note = f"No {sweep.rivals} is below the bound."
    if not sweep.rivals:
        note = "Of which mechanisms the bounds are, the file does not say."
    elif not all(point.proved for point in sweep.points):
        note = "Not all bounds are proved: some are the solver's word, as the file says (bound_by)."
    table = Table("Value, bound and gap at each epsilon", headings, rows, folded=len(rows) > 40, note=note)
    if not finite:
        return Section("Privacy against distortion", [table])
    points = [
        (float(one.epsilon), float(one.value), None if one.baseline is None else float(one.baseline)) for one in finite
    ]

    def draw() -> "Figure":
        from mechdesign.report.plots import plot_utility  # matplotlib loads slowly

        return plot_utility(points, name, sweep.baseline, of_own=sweep.own)

    compared = f", of these designs and of {sweep.baseline}" if sweep.baseline else ", of these designs"
    return Section(
        "Privacy against distortion", [Picture(f"The {name} over {what}", f"{name} over {what}{compared}", draw, table)]
    )
