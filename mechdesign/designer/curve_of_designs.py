"""What a sweep found, as a terminal, a notebook and a page in any language show it: one table."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from mechdesign.exact.bounds import digits_above
from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import short
from mechdesign.objective import OBJECTIVES
from mechdesign.show.answer import Column, Table
from mechdesign.show.fact_numbers import Down, Exact, Near, Up
from mechdesign.show.language import ENGLISH, Language


@dataclass(frozen=True)
class Point:
    """One design of a sweep.

    Attributes
    ----------
    epsilon
        that was asked for.
    value, bound
        exactly.
    class_bound
        the bound of mechanisms of the method's own class.
    proved
        whether the bound is proved by duality, or is the solver's word.
    baseline
        the value of what it is compared with, rounded up; None where nothing is required.
    """

    epsilon: Epsilon
    value: Fraction
    bound: Fraction
    class_bound: Fraction
    proved: bool
    baseline: Fraction | None
    seconds: float


@dataclass(frozen=True)
class Curve:
    """A curve of designs: what all answer, and the points by epsilon.

    Attributes
    ----------
    objective, words
        its name, and what it is called in English.
    own
        whether each epsilon is a multiple of the edges' own.
    rivals
        which mechanisms the bounds are about; "" where that is not known.
    baseline
        what the designs are compared with.
    """

    objective: str
    words: str
    own: bool
    rivals: str
    baseline: str
    method: str
    points: Sequence[Point]

    def name(self, say: Language) -> str:
        """Return what the objective is called."""
        return say(f"objective.{self.objective}.name") if self.objective in OBJECTIVES else self.words

    def over(self, say: Language) -> str:
        """Return what the designs differ in."""
        return say("curve.multiple") if self.own else "epsilon"

    def needless(self) -> Epsilon | None:
        """Return the least epsilon for which no noise is needed; None if it is needed for all."""
        return next((point.epsilon for point in self.points if point.value == 0), None)

    def drawn(self) -> list[tuple[float, float, float | None]]:
        """Return (epsilon, value, baseline) of the points that have a place on an axis."""
        there = [one for one in self.points if one.epsilon <= MAX_EPSILON and abs(one.value) <= sys.float_info.max]
        return [
            (float(one.epsilon), float(one.value), None if one.baseline is None else float(one.baseline))
            for one in there
        ]

    def table(self, say: Language = ENGLISH) -> Table:
        """Return the points for people."""
        rows = [_row(point) for point in self.points]
        headings = [say("sweep.own") if self.own else "epsilon"]
        headings += [say(f"sweep.{key}") for key in ("value", "bound", "gap", "class_bound")]
        headings += [say.known("figure", self.baseline), say("sweep.ratio"), say("sweep.seconds")]
        name = self.name(say)
        title = say("sweep.caption", name=name[0].upper() + name[1:])
        return Table("", title, [Column(words=one) for one in headings], rows, note=" ".join(self._notes(say)))

    def _notes(self, say: Language) -> list[str]:
        proved = all(one.proved for one in self.points)
        rivals = say.known("rivals", self.rivals)
        said = "unnamed" if not self.rivals else "proved" if proved else "unproved"
        notes = [say("sweep.proved", rivals=rivals) if said == "proved" else say(f"sweep.{said}")]
        if any(is_above(one.class_bound, one.bound) for one in self.points):
            notes.append(say("sweep.proved_of_class", method=self.method))
        return notes


def is_above(class_bound: Fraction, bound: Fraction) -> bool:
    """Return whether the bound of a method's own class says more than that of all mechanisms, to nine digits."""
    return class_bound - bound > abs(bound) / 10**9


def _row(point: Point) -> list[object]:
    gap, usual = point.value - point.bound, point.baseline
    ratio = usual / point.value if usual is not None and min(usual, point.value) > 0 else None
    return [
        Exact(point.epsilon, short(point.epsilon)),
        Up(point.value),
        Down(point.bound),
        Exact(gap, digits_above(gap, 3)),
        Down(point.class_bound) if is_above(point.class_bound, point.bound) else None,
        None if usual is None else Up(usual),
        Near(ratio, digits=3),
        Near(point.seconds, 2),
    ]
