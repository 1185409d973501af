"""Models in cvxpy that turn out to be linear: as linear programs, whose multipliers prove an exact bound.

cvxpy only says what the coefficients are. Columns are the entries that are not forced to be 0, then the objective, then
less what is to spare in privacy, then the slacks of edges with a delta.
"""

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.certificate.model_bound import ModelMultipliers
from mechdesign.errors import SolverError
from mechdesign.objective.affine import Affine
from mechdesign.objective.model_problem import ModelProblem
from mechdesign.privacy.inequalities import Inequalities
from mechdesign.problem import near_optimal
from mechdesign.program.compiler import compiled, privacy_gaps, privacy_multipliers
from mechdesign.program.program import Program, RowBuilder
from mechdesign.solution import Minimum
from mechdesign.solver.minimise import Wanted, minimise
from mechdesign.solver.modelled import ModelSolution
from mechdesign.stopwatch import announce


class LinearPosing:
    """A linear model of a graph with privacy."""

    def __init__(self, problem: ModelProblem) -> None:
        self.model, self.allowed, self.required = problem.model, problem.allowed, problem.required
        self._columns = np.nonzero(problem.allowed.ravel())[0]
        self._released = _released(problem)[:, self._columns]
        self._d = problem.d
        self._asked = Inequalities.of(problem.required, problem.d)

    def optimum(self, *, any_optimum: bool) -> ModelSolution:
        """Return the nearly optimal with the least sum of squares off the diagonal, or `any_optimum`.

        Raises
        ------
        SolverError
            if there is none.
        """
        program = self._program(value=True)
        found = _optimum(program)
        x, duals = found.columns, found.multipliers
        n = len(self._columns)
        value, canonical = float(x[n]), False
        if not any_optimum:
            try:
                nearest = self._program(value=True, level=near_optimal(value))
                x, canonical = minimise(nearest).columns, True
            except SolverError as error:
                announce(f"canonical: {error}")  # the first is an optimum too
        limits = []
        for number, limit in enumerate(self.model.linear):
            over = duals[program.blocks[f"limit {number}"]]
            under = duals[program.blocks[f"-limit {number}"]] if limit.equation else 0.0
            limits.append(over - under)
        lam = privacy_multipliers(program, duals, self.required, self._asked)
        multipliers = ModelMultipliers(lam, duals[program.blocks["objective"]], limits)
        return ModelSolution(self._matrices(x), value, canonical, multipliers)

    def centre(self) -> Floats:
        """Return matrices that meet the constraints and are private with as much to spare as can be.

        Raises
        ------
        SolverError
            if there are none.
        """
        return self._matrices(_optimum(self._program(value=False)).columns)

    def _program(self, *, value: bool, level: float | None = None) -> Program:
        """Return the program that minimises the objective; what distorts, at a level of it; or spares most, without."""
        n, d = len(self._columns), self._d
        number = self._columns // d
        rows = RowBuilder()
        rows.equal(sp.csr_matrix((np.ones(n), (number, np.arange(n)))), 1.0)
        if value:
            assert self.model.pieces is not None
            pieces, constants = self._of(self.model.pieces), self.model.pieces.constants
            if level is None:
                rows.at_most(sp.hstack([pieces, -np.ones((pieces.shape[0], 1))]), -constants, name="objective")
            else:
                rows.at_most(pieces, level - constants)
            rows.equal(_unit(n + 1), 0.0)
        else:
            rows.at_most(-_unit(n + 1), 1.0)
        for position, limit in enumerate(self.model.linear):
            block = self._of(limit.rows)
            rows.at_most(block, -limit.rows.constants, name=f"limit {position}")
            if limit.equation:
                rows.at_most(-block, limit.rows.constants, name=f"-limit {position}")
        nearest = None if level is None else (np.zeros(n), (number % d != self._columns % d).astype(np.float64))
        program = compiled(rows, self._gaps(), self._asked, n + 2, n if value else n + 1, nearest=nearest)
        return program if value else self._sparing_deltas(program, n + 1)

    def _gaps(self) -> sp.csr_matrix:
        """Return the left sides of what the edges require, with something to spare wherever that is possible.

        Nothing can be spared by edges of epsilon = 0, nor on outputs that two profiles never release.
        """
        asked = self._asked
        gaps = privacy_gaps(self._released, asked)
        empty = np.diff(gaps.indptr) == 0
        some = np.array([epsilon > 0 for epsilon, _ in asked.asked], dtype=bool)[asked.asked_by]
        room = sp.csr_matrix((some & ~empty).astype(float)[:, None])
        return sp.hstack([gaps, sp.csr_matrix((len(empty), 1)), -room], format="csr")

    def _sparing_deltas(self, program: Program, spared: int) -> Program:
        """Return a program in which what is spared is also a share of each delta: one of 1 leaves none of it."""
        if "deltas" not in program.blocks:
            return program
        rows = np.arange(len(program.upper))[program.blocks["deltas"]]
        places = rows, np.full(len(rows), spared)
        share = sp.csr_matrix((program.upper[rows], places), shape=program.matrix.shape)
        return replace(program, matrix=program.matrix - share)

    def _of(self, rows: Affine) -> sp.csr_matrix:
        """Return coefficients of the entries that are not forced to be 0."""
        return sp.csr_matrix(rows.coefficients[:, self._columns])

    def _matrices(self, x: Floats) -> Floats:
        entries = np.zeros(self.allowed.size)
        entries[self._columns] = np.maximum(x[: len(self._columns)], 0.0)
        tables = entries.reshape(self.allowed.shape)
        return np.array(tables / tables.sum(axis=2, keepdims=True))


def _unit(column: int) -> sp.csr_matrix:
    """Return a row that is one column."""
    return sp.csr_matrix(([1.0], ([0], [column])))


def _released(problem: ModelProblem) -> sp.csr_matrix:
    """Return the matrix that takes the entries to q: row i d + y is q^i_y = sum_x P_i(x) A_xy."""
    d, profiles = problem.d, problem.profiles
    i, x = np.nonzero(profiles)
    y = np.arange(d)
    row = (i[:, None] * d + y).ravel()
    column = ((np.asarray(problem.groups)[i] * d + x)[:, None] * d + y).ravel()
    shape = (len(profiles) * d, problem.allowed.size)
    return sp.csr_matrix((np.repeat(profiles[i, x], d), (row, column)), shape=shape)


def _optimum(program: Program) -> Minimum:
    try:
        return minimise(program, Wanted.VERTEX)
    except SolverError as error:
        words = "no private mechanism was found that meets the constraints, which may contradict each other, or privacy"
        raise SolverError(f"{words}; {error}") from None
