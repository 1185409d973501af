"""Optimal bases at a rational point: HiGHS proposes one, exact pivots make it optimal."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import fmpq

from mechdesign.formulas.elimination import Vector
from mechdesign.formulas.program import Row
from mechdesign.formulas.solutions import SingularError, System

MOST_PIVOTS = 2_000
"""HiGHS' basis needs a few, if any; a point that needs more is given up."""

LARGEST = 10**12
"""Of the coefficients that HiGHS is given: it refuses 1e15. Where one is larger its basis is that of a smaller E."""

TOLERANCE = 1e-10
"""The least that HiGHS accepts."""

Unknown = tuple[int, int]
"""(0, column), or (1, row) for a row's slack: the order is that of Bland's rule."""


class UnsettledError(ValueError):
    """A point for which no optimal basis was found."""


class Solver:
    """Optimal bases of one program at one point after another; each starts from the last.

    Attributes
    ----------
    rows, cost
        of the program.
    pivots
        how many exact ones were needed so far.
    """

    def __init__(self, rows: Sequence[Row], cost: Sequence[fmpq]) -> None:
        self.rows, self.cost = rows, cost
        self.pivots = 0
        self._last: Any = None
        self._cells = [(r, c, value) for r, row in enumerate(rows) for c, value in row.cells.items()]
        self._start = np.cumsum([0, *(len(row.cells) for row in rows)]).astype(np.int32)
        self._index = np.array([c for _, c, _ in self._cells], dtype=np.int32)

    def basis(self, z: fmpq) -> System:
        """Return an optimal basis at a point.

        Raises
        ------
        UnsettledError
            if none is found.
        """
        columns, active = self._proposed(z)
        try:
            found = _Exact(self, z).optimal(System(self.rows, self.cost, columns, active))
        except SingularError:
            raise UnsettledError(f"no basis at {z}") from None
        self._begin_at(found)
        return found

    def _begin_at(self, system: System) -> None:
        """Let HiGHS begin with an optimal basis: its own may only seem optimal, and would have to be mended again."""
        from highspy import HighsBasisStatus as Status  # loads slowly

        columns, active = set(system.columns), set(system.active)
        self._last.col_status = [Status.kBasic if c in columns else Status.kLower for c in range(len(self.cost))]
        self._last.row_status = [Status.kUpper if r in active else Status.kBasic for r in range(len(self.rows))]

    def _proposed(self, z: fmpq) -> tuple[list[int], list[int]]:
        """Return the columns and the rows of HiGHS' basis."""
        import highspy  # loads slowly

        solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        for option in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
            solver.setOptionValue(option, TOLERANCE)
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = len(self.cost), len(self.rows)
        model.col_cost_ = np.array([_double(c) for c in self.cost])
        model.col_lower_, model.col_upper_ = np.zeros(len(self.cost)), np.full(len(self.cost), highspy.kHighsInf)
        bounds = np.array([_double(row.bound(z)) for row in self.rows])
        model.row_lower_ = np.where([row.equation for row in self.rows], bounds, -highspy.kHighsInf)
        model.row_upper_ = bounds
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_, model.a_matrix_.index_ = self._start, self._index
        model.a_matrix_.value_ = np.array([_double(value(z)) for _, _, value in self._cells])
        solver.passModel(model)
        if self._last is not None:
            solver.setBasis(self._last)
        solver.run()
        found = solver.getBasis()
        if not found.valid:
            raise UnsettledError(f"HiGHS found no basis at {z}")
        self._last = found
        basic = highspy.HighsBasisStatus.kBasic
        columns = [c for c, status in enumerate(found.col_status) if status == basic]
        return columns, [r for r, status in enumerate(found.row_status) if status != basic]


def _double(value: fmpq) -> float:
    """Return a coefficient as HiGHS takes it.

    Examples
    --------
    >>> _double(fmpq(1, 4)), _double(fmpq(-(10**400)))
    (0.25, -1000000000000.0)
    """
    if abs(value) > LARGEST:
        return float(LARGEST if value > 0 else -LARGEST)
    return int(value.p) / int(value.q)


class _Exact:
    """The simplex method at a point, exactly, with Bland's rule, which ends."""

    def __init__(self, solver: Solver, z: fmpq) -> None:
        self.solver, self.z, self.pivots = solver, z, 0
        self.cells = [{c: value(z) for c, value in row.cells.items()} for row in solver.rows]
        self.bounds = [row.bound(z) for row in solver.rows]

    def optimal(self, system: System) -> System:
        """Return an optimal basis, from any."""
        wrong = [k for k, value in self.reduced(system, self.solver.cost).items() if value < 0]
        if wrong:  # with costs for which it is dual feasible, dual pivots make it feasible; then with its own
            lifted, active = list(self.solver.cost), {k[1] for k in wrong if k[0]}
            for kind, place in wrong:
                if not kind:
                    lifted[place] -= self.reduced(system, self.solver.cost)[0, place]
            if active:
                lifted = self.without_prices(system)
            system = self.dual(system, lifted)
            return self.primal(system)
        return self.dual(system, self.solver.cost)

    def without_prices(self, system: System) -> list[fmpq]:
        """Return costs for which every basis of these columns is dual feasible: 0 in the basis, 1 elsewhere."""
        basic = set(system.columns)
        return [fmpq(0) if c in basic else fmpq(1) for c in range(len(self.solver.cost))]

    def values(self, system: System) -> dict[Unknown, fmpq]:
        """Return the basic unknowns' values; slacks of equations, which must be 0, as minus their size."""
        x = system.at(self.z, {r: self.bounds[r] for r in system.active if self.bounds[r] != 0})
        active = set(system.active)
        result = {(0, c): fmpq(x.get(c, 0)) for c in system.columns}
        for r, row in enumerate(self.cells):
            if r not in active:
                slack = self.bounds[r] - sum((v * x[c] for c, v in row.items() if c in x), fmpq(0))
                result[1, r] = -abs(slack) if self.solver.rows[r].equation else slack
        return result

    def reduced(self, system: System, cost: Sequence[fmpq]) -> dict[Unknown, fmpq]:
        """Return what the other unknowns cost, if they enter; slacks of equations never do."""
        y = system.at(self.z, {c: cost[c] for c in system.columns if cost[c] != 0}, transposed=True)
        return self._row(system, y, {c: value for c, value in enumerate(cost) if value != 0}, sign=-1)

    def _row(self, system: System, weights: Vector, own: Vector, sign: int) -> dict[Unknown, fmpq]:
        """Return own + sign * weights · (columns) for all unknowns that are not basic and may enter."""
        sums = dict(own)
        for r, weight in weights.items():
            if weight != 0:
                for c, value in self.cells[r].items():
                    sums[c] = sums.get(c, fmpq(0)) + sign * weight * value
        basic = set(system.columns)
        result = {(0, c): fmpq(sums.get(c, 0)) for c in range(len(self.solver.cost)) if c not in basic}
        for r in system.active:
            if not self.solver.rows[r].equation:
                result[1, r] = sign * fmpq(weights.get(r, 0))
        return result

    def dual(self, system: System, cost: Sequence[fmpq]) -> System:
        """Return a feasible basis, optimal for these costs, from one that is dual feasible."""
        while True:
            values = self.values(system)
            leaving = min((k for k, value in values.items() if value < 0), default=None)
            if leaving is None:
                return system
            kind, place = leaving
            if kind:
                cells = self.cells[place]
                right = {c: v for c, v in cells.items() if c in set(system.columns)}
                flip = -1 if self._above(system, place) else 1
                v = system.at(self.z, right, transposed=True)
                alpha = {k: flip * a for k, a in self._row(system, v, dict(cells), sign=-1).items()}
            else:
                w = system.at(self.z, {place: fmpq(1)}, transposed=True)
                alpha = self._row(system, w, {}, sign=1)
            costs = self.reduced(system, cost)
            ratios = [(costs[k] / -a, k) for k, a in alpha.items() if a < 0]
            if not ratios:
                raise UnsettledError(f"infeasible at {self.z}")
            system = self.pivoted(system, leaving, min(ratios)[1])

    def _above(self, system: System, row: int) -> bool:
        """Return whether an equation's left side is below its bound, so that its slack has to fall."""
        if not self.solver.rows[row].equation:
            return False
        x = system.at(self.z, {r: self.bounds[r] for r in system.active if self.bounds[r] != 0})
        return self.bounds[row] - sum((v * x[c] for c, v in self.cells[row].items() if c in x), fmpq(0)) > 0

    def primal(self, system: System) -> System:
        """Return an optimal basis from a feasible one."""
        while True:
            costs = self.reduced(system, self.solver.cost)
            entering = min((k for k, value in costs.items() if value < 0), default=None)
            if entering is None:
                return system
            kind, place = entering
            right = (
                {place: fmpq(1)} if kind else {r: self.cells[r][place] for r in system.active if place in self.cells[r]}
            )
            moves = system.at(self.z, right)
            active, values = set(system.active), self.values(system)
            falls: dict[Unknown, fmpq] = {(0, c): fmpq(moves.get(c, 0)) for c in system.columns}
            for r, row in enumerate(self.cells):
                if r not in active:
                    own = fmpq(0) if kind else row.get(place, fmpq(0))
                    falls[1, r] = own - sum((v * moves[c] for c, v in row.items() if c in moves), fmpq(0))
                    if self.solver.rows[r].equation:
                        falls[1, r] = abs(falls[1, r])
            ratios = [(values[k] / fall, k) for k, fall in falls.items() if fall > 0]
            if not ratios:
                raise UnsettledError(f"unbounded at {self.z}")
            system = self.pivoted(system, min(ratios)[1], entering)

    def pivoted(self, system: System, leaving: Unknown, entering: Unknown) -> System:
        """Return the basis in which one unknown has taken the place of another."""
        self.solver.pivots += 1
        self.pivots += 1
        if self.pivots > MOST_PIVOTS:
            raise UnsettledError(f"more than {MOST_PIVOTS} pivots")
        columns, active = set(system.columns), set(system.active)
        for (kind, place), out in ((leaving, True), (entering, False)):
            basis = active if kind else columns
            if out == bool(kind):
                basis.add(place)
            else:
                basis.remove(place)
        return System(self.solver.rows, self.solver.cost, sorted(columns), sorted(active))
