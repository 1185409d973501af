"""Vertices of linear programs by HiGHS: its simplex method, or a crossover; corrected by iterative refinement."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import highspy
import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.program.program import Program
from mechdesign.silent_highs import SilentHighs
from mechdesign.solver.highs import (
    HIGHS_TOLERANCE,
    INSIDE,
    Options,
    careful_highs,
    highs_of,
    pass_arrays,
    priced,
    run_highs,
    set_options,
)
from mechdesign.solver.optimality import Answer, error_of, good_error
from mechdesign.solver.stopping import INTERRUPTED, is_over

MAGNIFIED = 1 / np.sqrt(HIGHS_TOLERANCE)
"""By what factor the correction makes residuals larger: it reduces errors of 1e-10 to 1e-15, nearly what doubles
hold. With 2^21 in its place the nearest design of extreme 58 is lost; with 2^13 "values on a band 50x50, expected
hamming, epsilon 2, delta 0.01" of benchmarks/cliffs.py takes 7 s of processor time, not 3 s."""

PRIMAL = int(highspy.simplex_constants.SimplexStrategy.kSimplexStrategyPrimal)
"""HiGHS' word for the primal simplex method."""

PIVOT_THRESHOLD = 0.5
"""Threshold of pivots where a basis is put right, the most careful that HiGHS allows: with its own, 0.1, multipliers of
a long chain of rows are off by 1e-8, as where 61 answers are each to be hidden among two on either side."""


@dataclass(frozen=True, eq=False)
class Basis:
    """Which columns and rows of a program are basic in a vertex of it, as HiGHS says it.

    It is `primal` where the program has got columns, and rows of these alone, so that it is still a vertex: from there
    the primal simplex method goes on, without factors of HiGHS' own for columns and rows, under which corrections start
    far off. Without these two "count 200x200, expected squares, epsilon 0.1, delta 0.2" of benchmarks/cliffs.py takes
    8 s of processor time, not 5 s.
    """

    columns: Sequence[highspy.HighsBasisStatus] = field(repr=False)
    rows: npt.NDArray[np.object_] = field(repr=False)
    primal: bool = False

    def of(self, kept: npt.NDArray[np.bool_], now: npt.NDArray[np.bool_]) -> "Basis":
        """Return the same where not the rows kept, but those that are kept now are the program's."""
        whole = np.full(len(kept), highspy.HighsBasisStatus.kBasic, dtype=object)
        whole[kept] = self.rows
        return Basis(self.columns, whole[now])

    @property
    def beside(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Which columns and rows are not basic: they are at their bounds, and so determine the vertex."""
        columns, rows = (
            np.array([one != highspy.HighsBasisStatus.kBasic for one in side], dtype=bool)
            for side in (self.columns, self.rows)
        )
        return columns, rows

    def with_others(self, columns: int, rows: int) -> "Basis":
        """Return the same with so many columns more, at their floor, and so many rows, which are basic."""
        basic = np.full(rows, highspy.HighsBasisStatus.kBasic, dtype=object)
        at_floor = [highspy.HighsBasisStatus.kLower] * columns
        return Basis([*self.columns, *at_floor], np.concatenate([self.rows, basic]), primal=True)


def by_simplex(program: Program, accuracy: float, start: Basis | None = None) -> Answer | str:
    """Return a vertex that minimises a linear program, corrected, with multipliers; if there is none, HiGHS' words."""
    highs = careful_highs(program, accuracy, {"solver": "simplex"})
    if start is not None:
        basis = highspy.HighsBasis()
        basis.col_status, basis.row_status = list(start.columns), start.rows.tolist()
        highs.setBasis(basis)
        if start.primal:
            _go_on_by_primal(highs)
    return _vertex(program, highs)


def by_crossover(program: Program, accuracy: float) -> Answer | str:
    """Return the same by the interior-point method, whose answer is then moved to a vertex.

    With more rows than columns the dual is solved. Its multipliers, small where one limit is the sum of many, are then
    nearly `MAGNIFIED`, by a power of 2, as what is below 1e-9 is taken for nothing: without that "sharp 200x20,
    worst absolute, epsilon 2, delta 0" of benchmarks/cliffs.py takes 20 s of processor time, not 13 s.
    """
    rows, columns = program.matrix.shape
    highs = careful_highs(program, accuracy, INSIDE)
    if rows > columns:
        _go_on_from_crossover(highs, rows // 2)
        set_options(highs, {"user_objective_scale": int(np.log2(MAGNIFIED))})
    return _vertex(program, highs)


def to_vertex(program: Program, inner: Answer, most: int) -> Answer | str:
    """Return the vertex to which a crossover moves a minimiser from within the optimal face; why there is none.

    What the crossover leaves is put right in so many iterations at most.

    In each of its steps columns and prices may be off by 1e-7, whatever HiGHS' options say: it gets them in units in
    which that is 1e-8, about what the minimiser is off by. As they are "equal values on a torus 100x100, worst
    absolute, epsilon 2, delta 0.01" of benchmarks/cliffs.py takes 69 s of processor time, not 31 s; in units in which
    it is 1e-10, "values in all pairs 40x40, worst absolute, epsilon 0.5, delta 1e-6" takes 43 s, not 14 s.
    """
    SilentHighs().run()  # HiGHS 1.16 crashes in a crossover that no run came before in this thread
    times = 10.0
    cost, floor, lower, upper = (times * one for one in (program.cost, program.floor, program.lower, program.upper))
    highs = highs_of(replace(program, cost=cost, floor=floor, lower=lower, upper=upper))
    x, duals, start = np.maximum(times * inner.columns, floor), times * inner.multipliers, highspy.HighsSolution()
    start.col_value, start.row_value = x.tolist(), (program.matrix @ x).tolist()
    start.col_dual, start.row_dual = (cost + program.matrix.T @ duals).tolist(), (-duals).tolist()
    start.value_valid = start.dual_valid = True
    with INTERRUPTED.in_solver():
        if highs.crossover(start) == highspy.HighsStatus.kError:
            return "no vertex beside it"
    basis, highs = highs.getBasis(), careful_highs(program, 0.0, {"solver": "simplex"})
    highs.setBasis(basis)
    _go_on_from_crossover(highs, most)
    return _vertex(program, highs)


def _go_on_from_crossover(highs: highspy.Highs, most: int) -> None:
    """Let what a crossover leaves be put right by the primal simplex method, in so many iterations at most.

    What it begins with meets the limits, or nearly, so that it has little to do if it does not begin by moving them. By
    the dual one, HiGHS' own choice, "values on a ring 100x100, worst absolute, epsilon 0.5, delta 0" of
    benchmarks/cliffs.py takes 24 s of processor time, not 5 s.
    """
    _go_on_by_primal(highs)
    careful: Options = {"simplex_iteration_limit": most, "factor_pivot_threshold": PIVOT_THRESHOLD}
    set_options(highs, careful | {"primal_simplex_bound_perturbation_multiplier": 0.0})


def _go_on_by_primal(highs: highspy.Highs) -> None:
    """Let the primal simplex method go on from a basis, without factors of HiGHS' own for columns and rows."""
    set_options(highs, {"simplex_strategy": PRIMAL, "simplex_scale_strategy": 0})


def _vertex(program: Program, highs: highspy.Highs) -> Answer | str:
    """Return the vertex that HiGHS finds, corrected by its simplex method; if there is none, HiGHS' words.

    From afar a correction by `MAGNIFIED` may fail or go round in circles. Then one by less comes first, unless what was
    found is good: corrected so "count 200x200, worst hamming, epsilon 0.5, delta 0.01" of benchmarks/cliffs.py takes
    44 s of processor time, not 16 s. Where it is not, without that "values on a band 100x100, worst absolute, epsilon
    0.5, delta 0" takes 9 s, not 4 s.
    """
    found = run_highs(highs, nearly=True)
    if isinstance(found, str):
        return found
    if is_over():
        return priced(program, *found)
    found_basis = highs.getBasis()
    basis = Basis(found_basis.col_status, np.array(found_basis.row_status, dtype=object))
    magnified = _for_corrections(program, highs)
    for times, most in (MAGNIFIED, 1_000), (MAGNIFIED / 50, sum(program.matrix.shape)), (MAGNIFIED, 1_000):
        highs.setBasis(magnified)
        set_options(highs, {"simplex_iteration_limit": most})
        corrected = _corrected(program, highs, *found, times)
        if isinstance(corrected, str):
            if times < MAGNIFIED or _is_good(program, *found):
                break  # from here one by `MAGNIFIED` has failed already, or it is not needed
        else:
            found, magnified = corrected, highs.getBasis()
            if times == MAGNIFIED:
                break
    return priced(program, *found)._replace(basis=basis)


def _is_good(program: Program, x: Floats, duals: Floats) -> bool:
    """Return whether no further solver would be asked."""
    answer = priced(program, x, duals)
    return error_of(program, answer.columns, answer.multipliers, answer.prices) <= good_error(program, x)


def _for_corrections(program: Program, highs: highspy.Highs) -> highspy.HighsBasis:
    """Give HiGHS the matrix with the rows' activities as columns; return the basis that it has found with these.

    HiGHS' own factors for columns and rows would be in the way: bounds near 0 and costs are in one unit. With these
    factors "count 100x100, worst absolute, epsilon 2, delta 0.2" of benchmarks/cliffs.py takes 3.2 s of processor time,
    not 1.1 s.
    """
    basis: highspy.HighsBasis = highs.getBasis()
    rows, columns = program.matrix.shape
    basis.col_status = [*basis.col_status, *basis.row_status]
    basis.row_status = [highspy.HighsBasisStatus.kLower] * rows
    matrix, nothing = sp.hstack([program.matrix, -sp.identity(rows)], format="csc"), np.zeros(rows + columns)
    pass_arrays(highs, matrix, nothing, (nothing, nothing), (nothing[:rows], nothing[:rows]))
    unscaled: Options = {"simplex_scale_strategy": 0, "user_objective_scale": 0}
    set_options(highs, unscaled | {"solver": "simplex", "factor_pivot_threshold": PIVOT_THRESHOLD})
    return basis


def _corrected(
    program: Program, highs: highspy.Highs, x: Floats, duals: Floats, times: float
) -> tuple[Floats, Floats] | str:
    """Return an answer corrected where it is off by HiGHS' tolerances: iterative refinement.

    The correction solves the same program with what is left of bounds and costs, so many times, from the basis found
    on: the tolerances are then so much smaller. For this the rows' activities are columns too. Without it "half zeros
    100x12, worst absolute, epsilon 2, delta 0" of benchmarks/cliffs.py takes 22 s of processor time, not 1.2 s.

    References
    ----------
    Gleixner, Steffy, Wolter, Iterative refinement for linear programming, INFORMS Journal on Computing 28 (2016).
    """
    here = np.concatenate([x, program.matrix @ x])
    lower = np.concatenate([program.floor, program.lower]) - here
    upper = np.concatenate([np.full(len(x), highspy.kHighsInf), program.upper]) - here
    cost, every = np.concatenate([program.cost - program.matrix.T @ duals, duals]), np.arange(len(here), dtype=np.int32)
    highs.changeColsCost(len(every), every, times * cost)
    highs.changeColsBounds(len(every), every, times * lower, times * upper)
    found = run_highs(highs)
    if isinstance(found, str):
        return found
    change, duals_change = found
    return x + change[: len(x)] / times, duals + duals_change / times
