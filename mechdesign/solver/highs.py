"""HiGHS with a linear program, and its interior-point method, which ends in the middle of the optimal face."""

from collections.abc import Sequence
from typing import TypeAlias

import highspy
import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.program.program import Program
from mechdesign.silent_highs import SilentHighs
from mechdesign.solver.optimality import Answer
from mechdesign.solver.stopping import INTERRUPTED, is_interruptible, is_over, seconds_left

Bounds: TypeAlias = tuple[Floats, Floats]
"""Below, and above."""

Options: TypeAlias = dict[str, str | float]
"""HiGHS' own, by their names."""

HIGHS_TOLERANCE = 1e-10
"""Violation of constraints and reduced costs that HiGHS may leave: the least that it allows."""

FINEST = 1e-12
"""Relative gap at which its interior-point method stops where no crossover follows, and coefficient below which it
takes one for zero: the least that it allows. One more step is often all between a gap of 1e-11 and 1e-15."""

INSIDE: Options = {"solver": "ipx", "presolve": "off"}
"""HiGHS' options for its interior-point method; presolve would take longer than what it saves."""


def by_interior_point(program: Program, accuracy: float) -> Answer | str:
    """Return a minimiser in the middle of the optimal face, with multipliers; if there is none, HiGHS' words.

    Columns are in units of 1/1024: of tiny deltas HiGHS' tolerance would be a tenth, and multipliers be off by 1e-6.
    Without these units "random 100x12, largest entry, epsilon 0.5, delta 1e-9" of benchmarks/cliffs.py has no design
    after 27 s of processor time, with them it takes 0.6 s.
    """
    inside = INSIDE | {"run_crossover": "off", "ipm_optimality_tolerance": max(FINEST, accuracy)}
    inside["user_bound_scale"] = 10
    found = run_highs(careful_highs(program, accuracy, inside), nearly=accuracy > FINEST)
    return found if isinstance(found, str) else priced(program, *found)


def careful_highs(program: Program, accuracy: float, options: Options) -> highspy.Highs:
    """Return HiGHS with a linear program; its interior-point method takes the dual if that has fewer rows.

    It asks, as it goes on, whether the time is over. If it did not take the dual, "bipartite 200x20, expected absolute,
    epsilon 0.1, delta 0" of benchmarks/cliffs.py would take 7 s of processor time, not 3 s; if a vertex that leaves
    more than the least tolerance were thrown away in place of being corrected, 34 s.
    """
    highs, (rows, columns) = highs_of(program), program.matrix.shape
    for kind in ("primal", "dual"):
        highs.setOptionValue(f"{kind}_feasibility_tolerance", max(HIGHS_TOLERANCE, accuracy))
    set_options(highs, options | {"ipx_dualize_strategy": int(rows > columns)})
    if is_interruptible():
        for event in (highs.cbIpmInterrupt, highs.cbSimplexInterrupt):
            event.subscribe(lambda event: event.interrupt() if is_over() else None)
    return highs


def set_options(highs: highspy.Highs, options: Options) -> None:
    """Set HiGHS' options."""
    for name, value in options.items():
        highs.setOptionValue(name, value)


def run_highs(highs: highspy.Highs, *, nearly: bool = False) -> tuple[Floats, Floats] | str:
    """Return columns and HiGHS' own multipliers of rows; if there is no optimum, HiGHS' words.

    Where its time is over it is what HiGHS has got by then; where `nearly` an optimum will do, also what HiGHS is not
    sure of, as it leaves more than its tolerances.
    """
    if np.isfinite(seconds_left()):
        highs.setOptionValue("time_limit", highs.getRunTime() + seconds_left())
    with INTERRUPTED.in_solver():
        highs.run()
    status, solution = highs.getModelStatus(), highs.getSolution()
    enough = is_over() or (nearly and status == highspy.HighsModelStatus.kUnknown)
    if status != highspy.HighsModelStatus.kOptimal and not (enough and solution.value_valid and solution.dual_valid):
        return str(highs.modelStatusToString(status))
    return np.array(solution.col_value), np.array(solution.row_dual)


def priced(program: Program, x: Floats, duals: Floats) -> Answer:
    """Return an answer with the multipliers of upper bounds, and what the columns' floors then cost."""
    multipliers = np.where(program.lower == program.upper, -duals, np.maximum(0.0, -duals))
    reduced = program.cost + program.matrix.T @ multipliers
    return Answer(x, multipliers, np.where(np.isfinite(program.floor), np.maximum(0.0, reduced), 0.0))


def highs_of(
    program: Program,
    *,
    least_coefficient: float = FINEST,
    columns: Sequence[str] = (),
    rows: Sequence[str] = (),
) -> highspy.Highs:
    """Return HiGHS, silent, with a linear program in it, names too if given; it takes smaller coefficients for zero."""
    highs = SilentHighs()
    highs.setOptionValue("small_matrix_value", least_coefficient)
    above = np.full(len(program.cost), highspy.kHighsInf)
    pass_arrays(highs, program.matrix.tocsc(), program.cost, (program.floor, above), (program.lower, program.upper))
    for names, give in ((columns, highs.passColName), (rows, highs.passRowName)):
        for number, name in enumerate(names):
            give(number, name)
    return highs


def pass_arrays(highs: highspy.Highs, matrix: sp.csc_matrix, cost: Floats, columns: Bounds, rows: Bounds) -> None:
    """Give HiGHS a linear program by its arrays, which takes a tenth of the time that attributes of a model take."""
    (rows_count, columns_count), kind = matrix.shape, int(highspy.MatrixFormat.kColwise)
    sizes = columns_count, rows_count, matrix.nnz, kind, int(highspy.ObjSense.kMinimize)
    entries = matrix.indptr, matrix.indices, matrix.data
    highs.passModel(*sizes, 0.0, cost, *columns, *rows, *entries, np.zeros(columns_count, dtype=np.int32))
