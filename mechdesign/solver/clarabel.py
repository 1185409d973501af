"""Linear and convex quadratic programs through Clarabel, an interior-point solver, to nearly the last digit."""

import clarabel
import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats, Integers
from mechdesign.problem import NEAR, NOTHING
from mechdesign.program.program import Program, entries_of
from mechdesign.solver.optimality import Answer, Refuted
from mechdesign.solver.stopping import INTERRUPTED, is_interruptible, is_over, seconds_left

MUCH_WORK = 7e7
"""How many entries the factor of a linear system has, times the cube of how many for each of its matrix, from which on
it is found by dense blocks. In the median of 116 systems they take twice as long below, as where hardly anything is
filled, however many entries there are, and a third as long from four times as much on. Always by blocks "count 200x200,
worst hamming, epsilon 1, delta 0.2" of benchmarks/cliffs.py takes 87 s of processor time, not 31 s; never by blocks
"sharp 200x20, largest entry, epsilon 0.1, delta 0" takes 27 s, not 10 s, and "values in all pairs 40x40, expected
absolute, epsilon 0.5, delta 1e-6" 115 s, not 24 s. They are less accurate: for one matrix of 25 values, all pairs,
where nothing is filled, Clarabel's own choice of them takes 95 iterations, not 11. Their solutions are not refined: an
iteration would take half as long again, and "half zeros 200x20, worst hamming, epsilon 0.5, delta 0.05" 9.9 s, not 8.9
s, though answers would be no better."""


def by_clarabel(
    program: Program,
    accuracy: float,
    *,
    regularisation: float,
    refined: bool,
    most_fill: float = np.inf,
) -> Answer | str:
    """Return the minimiser that Clarabel finds; if there is none, Clarabel's words.

    With an `accuracy`, only to that. Linear systems are solved with a `regularisation`, and their solutions are refined
    if asked for, but not by dense blocks. If their factor has more than `most_fill` times the entries of their matrix,
    nothing is solved. Where its time is over it is what Clarabel has got by then.
    """
    posed, settings = _Posed(program), _settings()
    settings.tol_feas = max(NOTHING, accuracy)
    # A squared distance within a gap g of the least determines the point to about the square root of g. What rounding
    # errors keep out of reach costs iterations, and leaves larger violations.
    gap = NOTHING if program.curvature is None else len(program.cost) * NEAR**2
    settings.tol_gap_rel = max(gap, accuracy)
    settings.tol_gap_abs = settings.tol_gap_rel / posed.unit
    settings.static_regularization_constant, settings.iterative_refinement_enable = regularisation, refined
    # A level may be too low by so little that by Clarabel's own tolerances nothing refutes it, and each solver of a
    # ladder takes all its steps in vain: "sharp 200x20, worst absolute, epsilon 0.1" of benchmarks/cliffs.py would take
    # 29 s of processor time, not 11 s.
    settings.tol_infeas_abs, settings.tol_infeas_rel = NOTHING, 1e-6
    if program.curvature is not None:
        # What it has then is as accurate as rounding errors let it be, if less than it is asked for. With 200 steps
        # "values on a ring 50x50, worst absolute, epsilon 2, delta 0" of benchmarks/cliffs.py takes 4.2 s of processor
        # time, not 3.0 s.
        settings.max_iter = 100
    settings.time_limit = seconds_left()
    solver = posed.solver(settings)
    system = solver.get_info().linsolver
    fill = system.nnzL / system.nnzA
    if fill > most_fill:
        return f"factors {fill:.1f} times filled"
    if fill**3 * system.nnzL > MUCH_WORK:
        settings.direct_solve_method, settings.iterative_refinement_enable = "faer", False
        solver = posed.solver(settings)
    if is_interruptible():
        solver.set_termination_callback(lambda _: is_over())
    with INTERRUPTED.in_solver():
        answer = solver.solve()
    found = posed.answer(np.array(answer.x), np.array(answer.z))
    if np.isfinite(answer.obj_val):
        return found
    if answer.status != clarabel.SolverStatus.PrimalInfeasible:
        return str(answer.status)
    refuted = Refuted(answer.status)
    refuted.multipliers = found.multipliers
    return refuted


def _settings() -> clarabel.DefaultSettings:
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1  # more do not help, and components may go in parallel
    settings.direct_solve_method = "qdldl"
    return settings


class _Posed:
    """A program as Clarabel takes it.

    Relative to its unconstrained minimum the objective is small, and so are its rounding errors. Its `unit` is what
    0 is from that minimum, if more than 1: multipliers are then of the size that Clarabel starts from. In units of 1
    "half zeros 200x20, largest entry, epsilon 0.5, delta 0.05" of benchmarks/cliffs.py takes 11 s of processor time,
    not 7 s. Columns are probabilities: where the minimum is beyond 1, as where some follow from others by small
    coefficients, it says nothing of what is near it.
    """

    def __init__(self, program: Program) -> None:
        n = len(program.cost)
        curvature = np.zeros(n) if program.curvature is None else program.curvature
        self._centre = np.divide(-program.cost, curvature, out=np.zeros(n), where=curvature > 0)
        self.unit = max(1.0, float(curvature @ np.clip(self._centre, -1, 1) ** 2) / 2)
        self._cost = np.where(curvature > 0, 0.0, program.cost) / self.unit
        self._equal = program.lower == program.upper
        self._below = ~self._equal & np.isfinite(program.upper)
        self._floor = np.isfinite(program.floor)
        rows = np.concatenate([np.flatnonzero(self._equal), np.flatnonzero(self._below)])
        self._matrix = _in_cones(program, rows, np.flatnonzero(self._floor))
        bound = np.concatenate([program.upper[rows], -program.floor[self._floor]])
        self._bound = bound - self._matrix @ self._centre
        curved = np.flatnonzero(curvature)
        self._quadratic = sp.csc_matrix((curvature[curved] / self.unit, (curved, curved)), shape=(n, n))

    def solver(self, settings: clarabel.DefaultSettings) -> clarabel.DefaultSolver:
        """Return Clarabel with the program in it."""
        equal = int(self._equal.sum())
        cones = [clarabel.ZeroConeT(equal), clarabel.NonnegativeConeT(len(self._bound) - equal)]
        return clarabel.DefaultSolver(self._quadratic, self._cost, self._matrix, self._bound, cones, settings)

    def answer(self, x: Floats, z: Floats) -> Answer:
        """Return the program's columns, multipliers and prices, of Clarabel's."""
        equal, below, floor = np.split(self.unit * z, np.cumsum([self._equal.sum(), self._below.sum()]))
        multipliers, prices = np.zeros(len(self._equal)), np.zeros(len(x))
        multipliers[self._equal] = equal
        multipliers[self._below], prices[self._floor] = np.maximum(0.0, below), np.maximum(0.0, floor)
        return Answer(self._centre + x, multipliers, prices)


def _in_cones(program: Program, rows: Integers, floors: Integers) -> sp.csc_matrix:
    """Return these rows of a program, and below them those of the floors under some columns, by columns."""
    place = np.full(len(program.upper), -1)
    place[rows] = np.arange(len(rows))
    _, row, column, value = entries_of(program.matrix)
    row, below = place[row], len(rows) + np.arange(len(floors))
    kept = row >= 0
    places = np.concatenate([row[kept], below]), np.concatenate([column[kept], floors])
    values = np.concatenate([value[kept], -np.ones(len(floors))])
    return sp.csc_matrix((values, places), shape=(len(rows) + len(floors), len(program.cost)))
