"""A basis as a function: its solution and its multipliers, exactly.

The nucleus M of a basis (`elimination`) is solved at whole points, M x = b and M^T y = c. From a random combination of
all unknowns follows their common denominator, and then every numerator. That they solve the nucleus identically is
verified before they are used, so that luck plays no part.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, islice
from typing import TypeAlias

from flint import fmpq, fmpq_mat, fmpq_poly, fmpz_mat, fmpz_poly

from mechdesign.formulas.parametric_program import ZERO, Cells, Row

Vector: TypeAlias = dict[int, fmpq_poly]
"""Row or column -> polynomial, 0 where there is none."""

Sparse: TypeAlias = dict[int, dict[int, fmpq_poly]]

MOST_SAMPLES = 400
"""Points at which a nucleus is solved: enough for numerators and denominators of degree 180."""

Sample: TypeAlias = tuple[int, list[fmpq]]
"""A point, and values there."""

Solution: TypeAlias = tuple[Mapping[int, fmpq_poly], fmpq_poly]
"""Numerators, and their denominator."""


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


class UnsettledError(ValueError):
    """No optimal basis was found, or none whose numbers can be used."""


@dataclass(frozen=True, eq=False)
class Basis:
    """Some columns of a program, and as many rows that hold with equality.

    Attributes
    ----------
    rows, cost
        of the program.
    columns, active
        the basis.
    solution, multipliers
        of its columns, and of its rows.
    """

    rows: Sequence[Row]
    cost: Sequence[fmpq]
    columns: Sequence[int]
    active: Sequence[int]
    solution: Solution
    multipliers: Solution


def basis_of(rows: Sequence[Row], cost: Sequence[fmpq], columns: Sequence[int], active: Sequence[int]) -> Basis:
    """Return a basis with its solution and multipliers.

    Raises
    ------
    UnsettledError
        if it determines none, or functions of too high degrees.
    """
    left = eliminated(rows, columns, active)
    if len(left.rows) != len(left.columns):
        raise UnsettledError("the basis that was found determines nothing")
    bounds = left.before({r: rows[r].bound for r in active if not rows[r].bound.is_zero()})
    costs = left.before({c: fmpq_poly([cost[c]]) for c in columns if cost[c] != 0}, transposed=True)
    below, x, y = _interpolated(left, bounds, costs)
    solution = left.after(bounds, x, below), below
    multipliers = left.after(costs, y, below, transposed=True), below
    return Basis(rows, cost, columns, active, solution, multipliers)


def _interpolated(left: Eliminated, bounds: Vector, costs: Vector) -> tuple[fmpq_poly, Vector, Vector]:
    """Return the nucleus' solution and multipliers, after their common denominator."""
    if not left.rows:
        return fmpq_poly([1]), {}, {}
    samples: list[Sample] = []
    more, wanted, size = _sampled(left, bounds, costs), 6, len(left.rows)
    while wanted <= MOST_SAMPLES:
        samples += islice(more, wanted - len(samples))
        below = _denominator(samples)
        if found := _through([(z, [below(z) * value for value in values]) for z, values in samples[: wanted // 2 + 1]]):
            x, y = dict(zip(left.columns, found[:size], strict=True)), dict(zip(left.rows, found[size:], strict=True))
            if _solves(left, x, bounds, below) and _solves(left, y, costs, below, transposed=True):
                return below, x, y
        wanted += max(4, wanted // 2)
    raise UnsettledError(f"{len(samples)} points do not determine functions of so high degrees")


def _sampled(left: Eliminated, bounds: Vector, costs: Vector) -> Iterator[Sample]:
    """Yield points with the nucleus' solution and multipliers there, where it determines them."""
    n, singular = len(left.rows), 0
    for z in (z for step in count(2) for z in (step, -step)):
        cells = ((left.nucleus[r].get(c, ZERO)(z) for c in left.columns) for r in left.rows)
        table = fmpq_mat(n, n, list(chain.from_iterable(cells)))
        try:
            x = table.solve(fmpq_mat(n, 1, [bounds.get(r, ZERO)(z) for r in left.rows]))
            y = table.transpose().solve(fmpq_mat(n, 1, [costs.get(c, ZERO)(z) for c in left.columns]))
        except ZeroDivisionError:
            singular += 1
            if singular > MOST_SAMPLES:
                raise UnsettledError("the basis that was found determines nothing") from None
        else:
            yield z, [*x.entries(), *y.entries()]


def _denominator(samples: Sequence[Sample]) -> fmpq_poly:
    """Return the common denominator of rational functions through samples, if these are enough.

    A random combination w of the functions has it, as a rule; it is Q where P(z) = w Q(z) at all samples, P and Q of a
    degree for which that is no accident.

    Examples
    --------
    >>> _denominator([(z, [fmpq(1, 1 + z), fmpq(z * z, 1 + z)]) for z in range(2, 8)])
    x + 1
    """
    n, chance = len(samples), random.Random(len(samples))
    factors = [chance.randrange(1, 1000) for _ in samples[0][1]]
    table = []
    for z, values in samples:
        mixed = sum((factor * value for factor, value in zip(factors, values, strict=True)), fmpq(0))
        powers = [z**power for power in range(n // 2)]
        table += [int(mixed.q) * power for power in powers] + [-int(mixed.p) * power for power in powers]
    kernel = fmpz_mat(n, n // 2 * 2, table).nullspace()[0].transpose().tolist()[0]
    above, below = fmpz_poly(kernel[: n // 2]), fmpz_poly(kernel[n // 2 :])
    return fmpq_poly(below // above.gcd(below)) if not below.is_zero() else fmpq_poly([1])


def _through(samples: Sequence[Sample]) -> list[fmpq_poly]:
    """Return the polynomials through samples, none if they seem too few: one has as many coefficients.

    Examples
    --------
    >>> samples = [(z, [fmpq(z * z), fmpq(1)]) for z in range(4)]
    >>> _through(samples), _through(samples[:3])
    ([x^2, 1], [])
    """
    n, values = len(samples), [value for _, own in samples for value in own]
    powers = fmpq_mat(n, n, [z**power for z, _ in samples for power in range(n)])
    found = powers.solve(fmpq_mat(n, len(values) // n, values)).tolist()
    return [] if any(value != 0 for value in found[-1]) else [fmpq_poly(list(one)) for one in zip(*found, strict=True)]


def _solves(left: Eliminated, found: Vector, right: Vector, below: fmpq_poly, *, transposed: bool = False) -> bool:
    """Return whether this is the nucleus' solution, times the polynomial `below`, identically."""
    missing = {one: value * below for one, value in right.items()}
    for r, row in left.nucleus.items():
        for c, value in row.items():
            asked, unknown = (c, r) if transposed else (r, c)
            missing[asked] = missing.get(asked, ZERO) - value * found[unknown]
    return all(missing[one].is_zero() for one in (left.columns if transposed else left.rows) if one in missing)
