"""Optimal bases at a rational point: HiGHS proposes them, exact signs decide.

Where they say that a basis is not optimal, as HiGHS cannot tell, the program of what is missing is magnified until it
can: iterative refinement. With x, y and the slacks s of that basis, it asks for what has to be added to x and s, at the
prices that y leaves.

References
----------
Gleixner, Steffy, Wolter, Iterative refinement for linear programming, INFORMS Journal on Computing 28, 2016.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from mechdesign.arrays import Floats
from mechdesign.formulas.bases import Basis, UnsettledError, basis_of
from mechdesign.formulas.parametric_program import Row
from mechdesign.formulas.polynomials import rational
from mechdesign.formulas.stretch import Side, Stretch, multipliers_around, solution_around

REFINEMENTS = 2
"""How often what is missing at one point is magnified. Of 60 random graphs whose probabilities are doubles one needs it
twice; where they are short fractions none needs it."""

LARGEST = fmpq(10**12)
"""Of the numbers that HiGHS is given: it refuses 1e15. Where one is larger its basis is that of a smaller E."""

OPTIONS = {
    "primal_feasibility_tolerance": 1e-10,
    "dual_feasibility_tolerance": 1e-10,
    "small_matrix_value": 1e-12,
}
"""The tolerances are the least that HiGHS accepts."""

Numbers = Mapping[int, fmpq]
"""Column -> coefficient at a point."""


class Solver:
    """Optimal bases of one program at one point after another; HiGHS starts from the last.

    Attributes
    ----------
    rows, cost
        of the program.
    """

    def __init__(self, rows: Sequence[Row], cost: Sequence[fmpq]) -> None:
        self.rows, self.cost = rows, cost
        self._equations = [row.equation for row in rows]
        self._last: Any = None

    def optimal(self, z: Fraction, within: Stretch) -> tuple[Side[int], Side[int]]:
        """Return solution and multipliers of a basis that is optimal at a point, with the intervals where they hold.

        Raises
        ------
        UnsettledError
            if none is found.
        """
        at = rational(z)
        cells = [{c: value(at) for c, value in row.cells.items()} for row in self.rows]
        bounds = [row.bound(at) for row in self.rows]
        found = _solved([fmpq(0)] * len(self.cost), self.cost, cells, bounds, self._equations, self._last)
        columns, active = _basic(found.col_status), _basic(found.row_status, basic=False)
        for _ in range(1 + REFINEMENTS):
            basis = basis_of(self.rows, self.cost, columns, active)
            solution, multipliers = solution_around(basis, z, within), multipliers_around(basis, z, within)
            if solution is not None and multipliers is not None:
                self._last = _begun(found, basis)
                return solution, multipliers
            columns, active = self._refined(basis, at, cells, bounds)
        raise UnsettledError("no basis that was found is optimal; give probabilities and losses as short fractions")

    def _refined(
        self, basis: Basis, z: fmpq, cells: Sequence[Numbers], bounds: Sequence[fmpq]
    ) -> tuple[list[int], list[int]]:
        """Return columns and rows of HiGHS' basis of what is missing, magnified; slacks are columns there."""
        n, own = len(self.cost), [r for r, equation in enumerate(self._equations) if not equation]
        both = basis.solution, basis.multipliers
        x, y = ({one: value(z) / below(z) for one, value in found.items()} for found, below in both)
        slack, prices = list(bounds), list(self.cost)
        for r, row in enumerate(cells):
            for c, value in row.items():
                slack[r] -= value * x.get(c, 0)
                prices[c] -= value * y.get(r, 0)
        there = [*(fmpq(x.get(c, 0)) for c in range(n)), *(slack[r] for r in own)]
        prices += [-fmpq(y.get(r, 0)) for r in own]
        missing = [slack[r] if equation else fmpq(0) for r, equation in enumerate(self._equations)]
        size = 1 / max(*(-value for value in (*there, *prices)), *map(abs, missing))
        with_slacks = [dict(row) for row in cells]
        for c, r in enumerate(own, n):
            with_slacks[r][c] = fmpq(1)
        lower, costs, sides = ([size * value for value in part] for part in ([-v for v in there], prices, missing))
        found = _solved(lower, costs, with_slacks, sides, [True] * len(sides))
        columns = _basic(found.col_status)
        slacks = {own[c - n] for c in columns if c >= n}.union(_basic(found.row_status))
        return [c for c in columns if c < n], [r for r in range(len(sides)) if r not in slacks]


def _solved(
    lower: Sequence[fmpq],
    cost: Sequence[fmpq],
    cells: Sequence[Numbers],
    bounds: Sequence[fmpq],
    equations: Sequence[bool],
    start: Any = None,
) -> Any:
    """Return the basis that HiGHS finds optimal for the least cost · x with x >= lower and these rows.

    Raises
    ------
    UnsettledError
        if it finds none.
    """
    import highspy  # loads slowly

    from mechdesign.silent_highs import SilentHighs

    solver = SilentHighs()
    for option, value in OPTIONS.items():
        solver.setOptionValue(option, value)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(cost), len(cells)
    model.col_cost_, model.col_lower_ = _doubles(cost), _doubles(lower)
    model.col_upper_ = np.full(len(cost), highspy.kHighsInf)
    model.row_upper_ = _doubles(bounds)
    model.row_lower_ = np.where(equations, model.row_upper_, -highspy.kHighsInf)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.cumsum([0, *map(len, cells)]).astype(np.int32)
    model.a_matrix_.index_ = np.array([c for row in cells for c in row], dtype=np.int32)
    model.a_matrix_.value_ = _doubles([value for row in cells for value in row.values()])
    solver.passModel(model)
    if start is not None:
        solver.setBasis(start)
    solver.run()
    found = solver.getBasis()
    if not found.valid:
        raise UnsettledError("HiGHS found no basis")
    return found


def _doubles(values: Sequence[fmpq]) -> Floats:
    """Return numbers as HiGHS takes them.

    Examples
    --------
    >>> _doubles([fmpq(1, 4), fmpq(-(10**400))]).tolist()
    [0.25, -1000000000000.0]
    """
    return np.array(
        [int(v.p) / int(v.q) if abs(v) <= LARGEST else LARGEST * (1 if v > 0 else -1) for v in values], float
    )


def _basic(statuses: Sequence[Any], *, basic: bool = True) -> list[int]:
    """Return which columns, or rows, are basic, or which are not."""
    return [position for position, status in enumerate(statuses) if (status.name == "kBasic") == basic]


def _begun(found: Any, basis: Basis) -> Any:
    """Return an optimal basis as HiGHS takes it: its own may only seem optimal, and would have to be refined again."""
    from highspy import HighsBasisStatus as Status  # as above

    columns, active = set(basis.columns), set(basis.active)
    found.col_status = [Status.kBasic if c in columns else Status.kLower for c in range(len(basis.cost))]
    found.row_status = [Status.kUpper if r in active else Status.kBasic for r in range(len(basis.rows))]
    return found
