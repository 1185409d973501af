"""Square linear systems whose coefficients are polynomials: what is simple is eliminated, a nucleus is left.

A pivot that is a number, in a row or a column of numbers alone, leaves coefficients of the same degree; one in a row or
a column of two leaves fewer coefficients, of higher degrees. With pivot p, the rest u of its column and v of its row,
M x = b becomes (M' - u v / p) x' = b' - u b_r / p, and x_c follows from x'; M^T y = c likewise with u and v exchanged.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq, fmpq_poly

from mechdesign.formulas.parametric_program import ZERO, Cells, Row

Vector: TypeAlias = dict[int, fmpq_poly]
"""Row or column -> polynomial, 0 where there is none."""

Sparse: TypeAlias = dict[int, dict[int, fmpq_poly]]


@dataclass(frozen=True, eq=False)
class Step:
    """A pivot in (row, column), with the rest of both."""

    row: int
    column: int
    pivot: fmpq
    beside: Cells
    """v: the rest of its row."""
    under: Cells
    """u: the rest of its column."""


@dataclass(frozen=True, eq=False)
class Eliminated:
    """A square system after elimination.

    Attributes
    ----------
    steps
        in order.
    rows, columns
        of the nucleus, as many as each other.
    nucleus
        its coefficients, row -> column -> polynomial.
    """

    steps: list[Step]
    rows: list[int]
    columns: list[int]
    nucleus: Sparse

    def before(self, right: Mapping[int, fmpq_poly], *, transposed: bool = False) -> Vector:
        """Return the right side once all steps are taken."""
        result = dict(right)
        for step in self.steps:
            own, rest = (step.column, step.beside) if transposed else (step.row, step.under)
            if own in result and not result[own].is_zero():
                factor = result[own] / step.pivot
                for other, value in rest.items():
                    result[other] = result.get(other, ZERO) - value * factor
        return result

    def after(self, right: Vector, solution: Vector, denominator: fmpq_poly, *, transposed: bool = False) -> Vector:
        """Return the nucleus' solution with the eliminated unknowns, all times a denominator.

        `right` is what `before` made of the right side.
        """
        result = dict(solution)
        for step in reversed(self.steps):
            own, unknown = (step.column, step.row) if transposed else (step.row, step.column)
            rest = step.under if transposed else step.beside
            value = right[own] * denominator if own in right else ZERO
            for other, coefficient in rest.items():
                if other in result and not result[other].is_zero():
                    value = value - coefficient * result[other]
            result[unknown] = value / step.pivot
        return result


def eliminated(rows: Sequence[Row], columns: Sequence[int], active: Sequence[int]) -> Eliminated:
    """Return the system of some rows and as many columns of a program after elimination."""
    chosen = set(columns)
    cells: Sparse = {r: {c: v for c, v in rows[r].cells.items() if c in chosen} for r in active}
    under: dict[int, set[int]] = {c: set() for c in columns}
    for r, row in cells.items():
        for c in row:
            under[c].add(r)
    plain = {r for r, row in cells.items() if _numbers(row.values())}
    upright = {c for c, there in under.items() if _numbers(cells[r][c] for r in there)}
    steps = []
    while (place := _pivot(cells, under, plain, upright)) is not None:
        step = _taken(cells, under, *place)
        steps.append(step)
        plain = (plain - {step.row, *step.under}) | {r for r in step.under if _numbers(cells[r].values())}
        changed = {c for c in step.beside if _numbers(cells[r][c] for r in under[c])}
        upright = (upright - {step.column, *step.beside}) | changed
    return Eliminated(steps, list(cells), list(under), cells)


def _pivot(cells: Sparse, under: dict[int, set[int]], plain: set[int], upright: set[int]) -> tuple[int, int] | None:
    """Return where the next pivot is: in the shortest row of numbers, or column of numbers, or where nothing fills."""
    row = min((r for r in plain if cells[r]), key=lambda r: len(cells[r]), default=None)
    if row is not None:
        return row, min(cells[row], key=lambda c: len(under[c]))
    column = min((c for c in upright if under[c]), key=lambda c: (len(under[c]), c), default=None)
    if column is not None:
        return min(under[column], key=lambda r: len(cells[r])), column
    places = ((r, c) for r, row in cells.items() for c in row if min(len(row), len(under[c])) <= 2)
    return next(((r, c) for r, c in places if cells[r][c].degree() == 0), None)


def _numbers(values: Iterable[fmpq_poly]) -> bool:
    return all(value.degree() == 0 for value in values)


def _taken(cells: Sparse, under: dict[int, set[int]], r: int, c: int) -> Step:
    """Take a step: remove the row and the column, and change what is left."""
    beside = cells.pop(r)
    pivot = fmpq(beside.pop(c).coeffs()[0])
    below = {other: cells[other].pop(c) for other in under.pop(c) if other != r}
    for column in beside:
        under[column].discard(r)
    for other, factor in below.items():
        row = cells[other]
        for column, value in beside.items():
            changed = row.get(column, ZERO) - factor * value / pivot
            if changed.is_zero():
                row.pop(column, None)
                under[column].discard(other)
            else:
                row[column] = changed
                under[column].add(other)
    return Step(r, c, pivot, beside, below)
