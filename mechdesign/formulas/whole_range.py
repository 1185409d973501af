"""From bases at points to the whole range: pieces of the optimum, and proofs that cover it."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log10

from flint import fmpq, fmpq_poly

from mechdesign.formulas.bases import UnsettledError
from mechdesign.formulas.optimal import Solver
from mechdesign.formulas.parametric_program import Key, Program, Row
from mechdesign.formulas.pieces import Piece, piece_of
from mechdesign.formulas.polynomials import End, Quotient, constant
from mechdesign.formulas.stretch import Side, Stretch, below, least, point_in
from mechdesign.stopwatch import announce

MOST_BASES = 20_000
"""A range that needs more is left with gaps, which are said."""

NEAR = 50
"""A gap's first point is this part of the way into it: so the interval found begins where the gap does, as a rule."""

LONGEST = 13_000
"""Of a coefficient: 3,900 digits, of the 4,300 that Python writes."""

TRIES = 4
"""Points of one gap that are tried before it is called unsettled."""


@dataclass(frozen=True, eq=False)
class Classes:
    """The rows and columns of a program by classes.

    Attributes
    ----------
    program
        the program.
    rows, cost
        of the smaller program: one for each class.
    row_of, column_of
        the class of each row (in the program's order) and column.
    sizes
        how many rows there are in each class of rows.
    """

    program: Program
    rows: list[Row]
    cost: list[fmpq]
    row_of: list[int]
    column_of: list[int]
    sizes: list[int]

    def named_solution(self, side: Side[int]) -> Side[Key]:
        """Return a solution of the program, by the names of its columns, where not 0."""
        return _named(side, zip(self.program.columns, self.column_of, strict=True), [1] * len(self.cost))

    def named_multipliers(self, side: Side[int]) -> Side[Key]:
        """Return multipliers of the program, by the names of its rows, where not 0: each class' in equal parts."""
        return _named(side, zip(self.program.rows, self.row_of, strict=True), self.sizes)


def _named(side: Side[int], classes: Iterable[tuple[Key, int]], sizes: Sequence[int]) -> Side[Key]:
    own = {one: value / sizes[one] for one, value in side.numerators.items() if not value.is_zero()}
    return Side({key: own[one] for key, one in classes if one in own}, side.denominator, side.value, side.stretch)


def classes_of(program: Program) -> Classes:
    """Return the classes of a program; each column and row is alone where none look alike."""
    rows, count = list(program.rows.values()), len(program.columns)
    labels = _numbers(str(value) for row in rows for value in row.cells.values())
    places = ((r, column) for r, row in enumerate(rows) for column in row.cells)
    cells = [(*place, label) for place, label in zip(places, labels, strict=True)]
    row_of = _numbers((str(row.bound), row.equation) for row in rows)
    column_of = _numbers(str(program.cost.get(column, 0)) for column in range(count))
    before = 0
    while before < (now := len(set(row_of)) + len(set(column_of))) < len(rows) + count:
        before = now
        row_of = _split(row_of, ((r, column_of[column], label) for r, column, label in cells))
        column_of = _split(column_of, ((column, row_of[r], label) for r, column, label in cells))
    return _smaller(program, rows, row_of, column_of)


def _split(classes: Sequence[int], cells: Iterable[tuple[int, int, int]]) -> list[int]:
    """Return classes by what there is in a row, or a column, too: (row, class of the column, label)."""
    seen: list[list[tuple[int, int]]] = [[] for _ in classes]
    for place, other, label in cells:
        seen[place].append((other, label))
    return _numbers((own, tuple(sorted(found))) for own, found in zip(classes, seen, strict=True))


def _numbers(colours: Iterable[Hashable]) -> list[int]:
    """Return the number of each colour, in the order in which they first occur."""
    known: dict[Hashable, int] = {}
    return [known.setdefault(colour, len(known)) for colour in colours]


def _smaller(program: Program, rows: Sequence[Row], row_of: list[int], column_of: list[int]) -> Classes:
    sizes = [0] * (max(row_of) + 1)
    found: list[Row | None] = [None] * len(sizes)
    for row, number in zip(rows, row_of, strict=True):
        sizes[number] += 1
        if found[number] is None:
            cells: dict[int, fmpq_poly] = {}
            for column, value in row.cells.items():
                one = column_of[column]
                cells[one] = cells.get(one, constant(Fraction(0))) + value
            found[number] = Row({c: v for c, v in cells.items() if not v.is_zero()}, row.bound, row.equation)
    cost = [fmpq(0)] * (max(column_of) + 1)
    for column, own in program.cost.items():
        cost[column_of[column]] += own
    return Classes(program, [row for row in found if row is not None], cost, row_of, column_of, sizes)


@dataclass(frozen=True, eq=False)
class Cover:
    """What is found of a program all over a range.

    Attributes
    ----------
    pieces
        of the optimum, with different functions next to each other.
    primal, dual
        solutions and multipliers that prove them, by their names, with intervals of their own.
    unsettled
        intervals for which nothing is known, and why, in words.
    bases
        how many were asked for.
    """

    pieces: list[Piece]
    primal: list[Side[Key]]
    dual: list[Side[Key]]
    unsettled: dict[Stretch, str]
    bases: int


def cover(program: Program, within: Stretch) -> Cover:
    """Return the pieces of a program's optimum over a range.

    A basis that is optimal at a point is so on an interval around it; what is left of the range are gaps, which get the
    same treatment. There are finitely many bases, and intervals of each, so this ends. Where it is, is announced.
    """
    classes = classes_of(program)
    solver = Solver(classes.rows, classes.cost)
    solutions: list[Side[int]] = []
    multipliers: list[Side[int]] = []
    found: list[tuple[Stretch, Quotient]] = []
    unsettled: dict[Stretch, str] = {}
    gaps, bases = [within], 0
    while gaps:
        gap = gaps.pop()
        bases += 1
        try:
            solution, proof, both = _settled(solver, gap, within, bases - 1)
        except UnsettledError as reason:
            unsettled[gap] = str(reason)
            continue
        solutions.append(solution)
        multipliers.append(proof)
        found.append((both, solution.value))
        if below(both.high, gap.high):
            assert both.high is not None
            gaps.append(Stretch(max(both.high, gap.low), gap.high))
        if gap.low < both.low:
            gaps.append(Stretch(gap.low, both.low))
        announce(f"{bases} bases, at {float(both.low):.6g}")
    joined = _joined(found)
    return Cover(
        [piece_of(value, stretch, program.least_loss) for stretch, value in joined],
        [classes.named_solution(side) for side in _chosen(joined, solutions)],
        [classes.named_multipliers(side) for side in _chosen(joined, multipliers)],
        unsettled,
        bases,
    )


def _settled(solver: Solver, gap: Stretch, within: Stretch, before: int) -> tuple[Side[int], Side[int], Stretch]:
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


def _check_length(solution: Side[int], where: Stretch) -> None:
    """Raise an UnsettledError if a solution, or where it ends, has numbers that could not be written."""
    polynomials = [p.numer() for p in (solution.denominator, *solution.numerators.values())]
    polynomials += [solution.value.numerator, *(end.polynomial for end in (where.low, where.high) if end is not None)]
    if max(p.height_bits() for p in polynomials) > LONGEST:
        digits = int(LONGEST * log10(2))
        raise UnsettledError(f"coefficients have more than {digits:,} digits; give probabilities and losses with fewer")


def _joined(found: Iterable[tuple[Stretch, Quotient]]) -> list[tuple[Stretch, Quotient]]:
    """Return the pieces in order, those with one function that touch or overlap as one; single points are left out."""
    result: list[tuple[Stretch, Quotient]] = []
    for stretch, value in sorted((one for one in found if not one[0].is_point), key=lambda one: one[0].low):
        last = result[-1] if result else None
        if last is not None and last[1] == value and not below(last[0].high, stretch.low):
            high = stretch.high if below(last[0].high, stretch.high) else last[0].high
            result[-1] = Stretch(last[0].low, high), value
        else:
            result.append((stretch, value))
    return result


def _chosen(pieces: Iterable[tuple[Stretch, Quotient]], sides: Iterable[Side[int]]) -> Iterator[Side[int]]:
    """Yield few sides that prove the pieces: of those that go on, each time the one that goes on farthest."""
    by_value: dict[Quotient, list[Side[int]]] = {}
    for side in sides:
        by_value.setdefault(side.value, []).append(side)
    for stretch, value in pieces:
        start: End | None = stretch.low
        while start is not None and below(start, stretch.high):
            best = None
            for side in by_value[value]:
                there = not start < side.stretch.low and below(start, side.stretch.high)
                if there and (best is None or below(best.stretch.high, side.stretch.high)):
                    best = side
            assert best is not None  # the basis that the piece was found by
            end = least(best.stretch.high, stretch.high)
            yield replace(best, stretch=Stretch(start, end))
            start = end
