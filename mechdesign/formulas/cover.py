"""From bases at points to the whole range: pieces of the optimum, and proofs that cover it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor, log10

from mechdesign.formulas.bases import UnsettledError
from mechdesign.formulas.classes import Classes
from mechdesign.formulas.ends import End
from mechdesign.formulas.optimal import Solver
from mechdesign.formulas.polynomials import Quotient
from mechdesign.formulas.sides import Side
from mechdesign.formulas.stretch import Stretch, below, least
from mechdesign.stopwatch import announce

MOST_BASES = 20_000
"""A range that needs more is left with gaps, which are said."""

NEAR = 50
"""A gap's first point is this part of the way into it: so the interval found begins where the gap does, as a rule."""

MOST_BITS = 13_000
"""Of a coefficient: 3,900 digits, of the 4,300 that Python writes."""

TRIES = 4
"""Points of one gap that are tried before it is called unsettled."""


@dataclass(frozen=True, eq=False)
class Part:
    """Where one formula holds: a value, or one side of its proof."""

    stretch: Stretch
    value: Quotient
    side: Side | None = None


@dataclass(eq=False)
class Cover:
    """What covers a range.

    Attributes
    ----------
    pieces
        of the optimum, with different functions next to each other.
    primal, dual
        solutions and multipliers that prove them, with intervals of their own.
    unsettled
        intervals for which nothing is known, and why, in words.
    bases
        how many were asked for.
    """

    pieces: list[Part] = field(default_factory=list)
    primal: list[Part] = field(default_factory=list)
    dual: list[Part] = field(default_factory=list)
    unsettled: dict[Stretch, str] = field(default_factory=dict)
    bases: int = 0


def cover(classes: Classes, within: Stretch) -> Cover:
    """Return the pieces of a program's optimum over a range.

    A basis that is optimal at a point is so on an interval around it; what is left of the range are gaps, which get the
    same treatment. There are finitely many bases, and intervals of each, so this ends. Where it is, is announced.
    """
    solver = Solver(classes.rows, classes.cost)
    result = Cover()
    solutions: list[Side] = []
    multipliers: list[Side] = []
    found: list[Part] = []
    gaps = [within]
    while gaps:
        gap = gaps.pop()
        try:
            solution, proof, both = _settled(solver, gap, within, result.bases)
        except UnsettledError as reason:
            result.unsettled[gap] = str(reason)
            continue
        finally:
            result.bases += 1
        solutions.append(solution)
        multipliers.append(proof)
        found.append(Part(both, solution.value))
        if below(both.high, gap.high):
            assert both.high is not None
            gaps.append(Stretch(max(both.high, gap.low), gap.high))
        if gap.low < both.low:
            gaps.append(Stretch(gap.low, both.low))
        announce(f"{result.bases} bases, at {float(both.low):.6g}")
    result.pieces = _joined(found)
    result.primal = _chosen(result.pieces, solutions)
    result.dual = _chosen(result.pieces, multipliers)
    return result


def _settled(solver: Solver, gap: Stretch, within: Stretch, before: int) -> tuple[Side, Side, Stretch]:
    """Return solution and multipliers of a basis that is optimal somewhere in a gap, and where it is.

    Raises
    ------
    UnsettledError
        if none is found, or so many bases were needed before.
    """
    if before >= MOST_BASES:
        raise UnsettledError(f"more than {MOST_BASES:,} bases are needed")
    why = ""
    for attempt in range(TRIES):
        z = point_in(gap, NEAR // (1 + attempt) ** 2)
        try:
            solution, multipliers = solver.optimal(z, within)
        except UnsettledError as reason:
            why = str(reason)
            continue
        both = solution.stretch.meet(multipliers.stretch)
        assert both is not None  # both have the point
        _check_length(solution, both)
        return solution, multipliers, both
    raise UnsettledError(why)


def _check_length(solution: Side, where: Stretch) -> None:
    """Raise an UnsettledError if a solution, or where it ends, has numbers that could not be written."""
    polynomials = [p.numer() for p in (solution.denominator, *solution.numerators.values())]
    polynomials += [solution.value.numerator, *(end.polynomial for end in (where.low, where.high) if end is not None)]
    if max(p.height_bits() for p in polynomials) > MOST_BITS:
        digits = int(MOST_BITS * log10(2))
        raise UnsettledError(f"coefficients have more than {digits:,} digits; give probabilities and losses with fewer")


def point_in(gap: Stretch, near: int) -> Fraction:
    """Return a short rational strictly inside a gap, this part of its length from its lower end.

    Examples
    --------
    >>> point_in(Stretch(End.at(1), End.at(2)), 50)
    Fraction(131, 128)
    """
    if gap.high is None:
        low, high = gap.low.high, gap.low.high + max(gap.low.high, Fraction(1))
    else:
        while gap.low.high >= gap.high.low:
            gap.low.halve()
            gap.high.halve()
        low, high = gap.low.high, gap.high.low
    start = low + (high - low) / (near + 1)
    return simplest_between(start, start + (high - low) / (near + 2) / 2)


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """Return the multiple of the largest power of 1/2 that is between two numbers.

    Examples
    --------
    >>> simplest_between(Fraction(1, 3), Fraction(2, 3))
    Fraction(1, 2)
    """
    unit = Fraction(1)
    while ceil(low / unit) > floor(high / unit):
        unit /= 2
    return ceil(low / unit) * unit


def _low(part: Stretch | Part) -> End:
    return part.low if isinstance(part, Stretch) else part.stretch.low


def _joined(found: Iterable[Part]) -> list[Part]:
    """Return the pieces in order, those with one function that touch or overlap as one; single points are left out."""
    result: list[Part] = []
    for part in sorted((one for one in found if not one.stretch.is_point), key=_low):
        last = result[-1] if result else None
        if last is not None and last.value == part.value and not below(last.stretch.high, part.stretch.low):
            high = None if below(last.stretch.high, part.stretch.high) else last.stretch.high
            high = part.stretch.high if below(last.stretch.high, part.stretch.high) else high
            result[-1] = Part(Stretch(last.stretch.low, high), part.value)
        else:
            result.append(part)
    return result


def _chosen(pieces: Sequence[Part], sides: Iterable[Side]) -> list[Part]:
    """Return few sides that prove the pieces: of those that go on, each time the one that goes on farthest."""
    by_value: dict[Quotient, list[Side]] = {}
    for side in sides:
        by_value.setdefault(side.value, []).append(side)
    result = []
    for piece in pieces:
        start, own = piece.stretch.low, by_value[piece.value]
        while below(start, piece.stretch.high):
            best = None
            for side in own:
                there = not start < side.stretch.low and below(start, side.stretch.high)
                if there and (best is None or below(best.stretch.high, side.stretch.high)):
                    best = side
            assert best is not None  # the basis that the piece was found by
            end = least(best.stretch.high, piece.stretch.high)
            result.append(Part(Stretch(start, end), piece.value, best))
            if end is None:
                break
            start = end
    return result
