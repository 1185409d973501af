"""A smaller program of classes of columns and rows that look alike, and back: dimension reduction by colour refinement.

Columns have one colour if they have it in all the program says of them: cost, and how often they stand with which
coefficient in rows of which colour; rows likewise. Then the mean over each class of columns of any solution is a
solution, with the same objective, so that one number for each class is enough; and one multiplier for each class of
rows. This is exact: colours are numbers of what was seen, no hashes.

References
----------
Grohe, Kersting, Mladenov, Selman, Dimension reduction via colour refinement, ESA 2014, arXiv:1307.5697.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq, fmpq_poly

from mechdesign.formulas.parametric_program import Key, Program, Row
from mechdesign.formulas.polynomials import constant
from mechdesign.formulas.sides import Side


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
    cells, position = [], 0
    for r, row in enumerate(rows):
        for column in row.cells:
            cells.append((r, column, labels[position]))
            position += 1
    row_of = _numbers((str(row.bound), row.equation) for row in rows)
    column_of = _numbers(str(program.cost.get(column, 0)) for column in range(count))
    before = 0
    while before < (now := len(set(row_of)) + len(set(column_of))) < len(rows) + count:
        before = now
        seen: list[list[tuple[int, int]]] = [[] for _ in rows]
        for r, column, label in cells:
            seen[r].append((column_of[column], label))
        row_of = _numbers((own, tuple(sorted(all_seen))) for own, all_seen in zip(row_of, seen, strict=True))
        there: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        for r, column, label in cells:
            there[column].append((row_of[r], label))
        column_of = _numbers((own, tuple(sorted(others))) for own, others in zip(column_of, there, strict=True))
    if len(set(row_of)) + len(set(column_of)) == len(rows) + count:
        row_of, column_of = list(range(len(rows))), list(range(count))
    return _smaller(program, rows, row_of, column_of)


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
