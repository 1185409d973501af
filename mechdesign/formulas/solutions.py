"""Exact solutions of a basis: at a point as numbers, and everywhere as rational functions.

The nucleus of a basis (`elimination`) is solved at whole points; from a random combination of its unknowns follows
their common denominator, by rational interpolation, and then every numerator. That the result solves the nucleus
identically is verified before it is used, so that luck plays no part.
"""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from flint import fmpq, fmpq_mat, fmpq_poly

from mechdesign.formulas.elimination import Eliminated, Vector, eliminated
from mechdesign.formulas.interpolation import through
from mechdesign.formulas.program import Row

MOST_SAMPLES = 400
"""Points at which a nucleus is solved: enough for numerators and denominators of degree 180."""

Solution = tuple[dict[int, fmpq_poly], fmpq_poly]
"""Numerators, and their denominator."""


class SingularError(ValueError):
    """A basis that determines nothing."""


class System:
    """A basis: some columns of a program, and as many rows that hold with equality.

    Parameters
    ----------
    rows, cost
        of the program.
    columns, active
        the basis.
    """

    def __init__(
        self, rows: Sequence[Row], cost: Sequence[fmpq], columns: Sequence[int], active: Sequence[int]
    ) -> None:
        self.rows, self.cost = rows, cost
        self.columns, self.active = tuple(columns), tuple(active)
        self._left: Eliminated = eliminated(rows, self.columns, self.active)
        if len(self._left.rows) != len(self._left.columns):
            raise SingularError

    def at(self, z: fmpq, right: Mapping[int, Any], *, transposed: bool = False) -> Vector:
        """Return the solution of M x = right, or M^T y = right, at a point.

        Raises
        ------
        SingularError
            if M is, there.
        """
        value = _Values(z)
        before = self._left.before(right, transposed=transposed, at=value)
        return self._left.after(
            before, self._nucleus_at(z, before, transposed=transposed), transposed=transposed, at=value
        )

    def _nucleus_at(self, z: fmpq, right: Mapping[int, Any], *, transposed: bool) -> Vector:
        rows, columns = self._left.rows, self._left.columns
        if not rows:
            return {}
        where = {c: j for j, c in enumerate(columns)}
        n = len(rows)
        table = fmpq_mat(n, n)
        for i, r in enumerate(rows):
            for c, value in self._left.nucleus[r].items():
                if transposed:
                    table[where[c], i] = value(z)
                else:
                    table[i, where[c]] = value(z)
        asked, unknown = (columns, rows) if transposed else (rows, columns)
        side = fmpq_mat(n, 1, [_number(right.get(one, 0), z) for one in asked])
        try:
            found = table.solve(side)
        except ZeroDivisionError:
            raise SingularError from None
        return {one: found[i, 0] for i, one in enumerate(unknown)}

    def everywhere(self, *, transposed: bool = False) -> Solution:
        """Return the solution with the rows' bounds, transposed with the costs, as polynomials over a denominator.

        Raises
        ------
        SingularError
            if there is none.
        """
        if transposed:
            right: Vector = {c: fmpq_poly([self.cost[c]]) for c in self.columns if self.cost[c] != 0}
        else:
            right = {r: self.rows[r].bound for r in self.active if not self.rows[r].bound.is_zero()}
        before = self._left.before(right, transposed=transposed, at=_same)
        nucleus, denominator = self._interpolated(before, transposed=transposed)
        scaled = {one: value * denominator for one, value in before.items()}
        found = self._left.after(scaled, nucleus, transposed=transposed, at=_same)
        return {one: fmpq_poly([]) + value for one, value in found.items()}, denominator

    def _interpolated(self, right: Vector, *, transposed: bool) -> Solution:
        asked = self._left.columns if transposed else self._left.rows
        if not any(one in right and not right[one].is_zero() for one in asked):
            return {one: fmpq_poly([]) for one in (self._left.rows if transposed else self._left.columns)}, fmpq_poly(
                [1]
            )
        samples: list[tuple[fmpq, Vector]] = []
        points = (fmpq(z) for step in count(2) for z in (step, -step))
        wanted = 6
        while wanted <= MOST_SAMPLES:
            failed = 0
            while len(samples) < wanted:
                z = next(points)
                try:
                    samples.append((z, self._nucleus_at(z, right, transposed=transposed)))
                except SingularError:
                    failed += 1
                    if failed > MOST_SAMPLES:
                        raise
            found = through(samples)
            if found is not None and self._solves(found, right, transposed=transposed):
                return found
            wanted += max(4, wanted // 2)
        raise SingularError(f"{len(samples)} points do not determine functions of so high degrees")

    def _solves(self, found: Solution, right: Vector, *, transposed: bool) -> bool:
        """Return whether this is the nucleus' solution, identically."""
        numerators, denominator = found
        left: dict[int, fmpq_poly] = {}
        for r, row in self._left.nucleus.items():
            for c, value in row.items():
                asked, unknown = (c, r) if transposed else (r, c)
                left[asked] = left.get(asked, fmpq_poly([])) + value * numerators[unknown]
        wanted = self._left.columns if transposed else self._left.rows
        return all(left.get(one, fmpq_poly([])) == fmpq_poly([]) + right.get(one, 0) * denominator for one in wanted)


class _Values:
    """Values of polynomials at a point."""

    def __init__(self, z: fmpq) -> None:
        self.z = z

    def __call__(self, polynomial: fmpq_poly) -> fmpq:
        return polynomial(self.z)


def _same(polynomial: fmpq_poly) -> fmpq_poly:
    return polynomial


def _number(value: Any, z: fmpq) -> fmpq:
    return value(z) if isinstance(value, fmpq_poly) else fmpq(value)
