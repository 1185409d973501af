"""What profiles release under an optimum, as rational functions: the mechanism in closed form."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mechdesign.formulas.lifted import released_of, side_of
from mechdesign.formulas.pieces import signed
from mechdesign.formulas.polynomials import Quotient
from mechdesign.formulas.solved import Solved
from mechdesign.formulas.stretch import Stretch

Function = tuple[tuple[int, ...], tuple[int, ...]]
"""Whole coefficients of numerator and denominator, in ascending powers."""


@dataclass(frozen=True, eq=False)
class Released:
    """What each profile releases on an interval.

    Attributes
    ----------
    stretch
        the interval.
    profiles
        for each profile and output, the probability as a function.
    """

    stretch: Stretch
    profiles: Sequence[Sequence[Function]]


def released_by(stages: Iterable[Solved]) -> list[Released]:
    """Return what each profile releases under the solutions found, one range after another."""
    found: list[tuple[Stretch, list[list[Quotient]]]] = []
    for solved in stages:
        for part in solved.found.primal:
            side = side_of(part)
            functions = [[Quotient(mass, side.denominator) for mass in row] for row in released_of(solved, side)]
            if found and found[-1][1] == functions and found[-1][0].high == part.stretch.low:
                found[-1] = Stretch(found[-1][0].low, part.stretch.high), functions
            else:
                found.append((part.stretch, functions))
    return [Released(stretch, [[signed(one, stretch) for one in row] for row in rows]) for stretch, rows in found]
