"""Vertices of linear programs by HiGHS: its simplex method, or a crossover; corrected by iterative refinement."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import highspy
import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.program.program import Program
from mechdesign.program.units import InUnits
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
from mechdesign.solver.optimality import Answer, is_good
from mechdesign.solver.stopping import INTERRUPTED, is_over

MAGNIFIED = 1 / np.sqrt(HIGHS_TOLERANCE)
"""By what factor the correction makes residuals larger: it reduces errors of 1e-10 to 1e-15, nearly what doubles
hold."""

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
    return _vertex(program, highs, InUnits.plain(program))


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
    return _vertex(program, highs, InUnits.plain(program))


def to_vertex(program: Program, inside: InUnits, inner: Answer, most: int) -> Answer | str:
    """Return the vertex to which a crossover moves a minimiser from within the optimal face; why there is none.

    It works in such units, and what it leaves is put right in so many iterations at most.

    In each of its steps columns and prices may be off by 1e-7, whatever HiGHS' options say: of the program as it is it
    gets them in units in which that is 1e-8, about what the minimiser is off by. Without that "equal values on a torus
    100x100, worst absolute, epsilon 2, delta 0.01" of benchmarks/cliffs.py takes 69 s of processor time, not 31 s; in
    units in which it is 1e-10, "values in all pairs 40x40, worst absolute, epsilon 0.5, delta 1e-6" takes 43 s, not
    14 s. In units of roots with that factor "uneven count 100x100, worst hamming, epsilon 0.5, delta 0.01" takes 30 s,
    not 11 s.
    """
    SilentHighs().run()  # HiGHS 1.16 crashes in a crossover that no run came before in this thread
    part, start, times = inside.program, highspy.HighsSolution(), 10.0 if inside.program is program else 1.0
    cost, floor, lower, upper = (times * one for one in (part.cost, part.floor, part.lower, part.upper))
    highs = highs_of(replace(part, cost=cost, floor=floor, lower=lower, upper=upper))
    x, duals = np.maximum(times * inner.columns / inside.units, floor), times * inner.multipliers * inside.sizes
    start.col_value, start.row_value = x.tolist(), (part.matrix @ x).tolist()
    start.col_dual, start.row_dual = (cost + part.matrix.T @ duals).tolist(), (-duals).tolist()
    start.value_valid = start.dual_valid = True
    with INTERRUPTED.in_solver():
        if highs.crossover(start) == highspy.HighsStatus.kError:
            return "no vertex beside it"
    basis, highs = highs.getBasis(), careful_highs(part, 0.0, {"solver": "simplex"})
    highs.setBasis(basis)
    _go_on_from_crossover(highs, most)
    return _vertex(program, highs, inside)


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


def _vertex(program: Program, highs: highspy.Highs, inside: InUnits) -> Answer | str:
    """Return the vertex that HiGHS finds in such units, corrected; if there is none, HiGHS' words."""
    found = run_highs(highs, nearly=True)
    if isinstance(found, str):
        return found
    x, duals = inside.undone(*found)
    if is_over():
        return priced(program, x, duals)
    last = highs.getBasis()
    basis = Basis(last.col_status, np.array(last.row_status, dtype=object))
    return priced(program, *_refined(program, highs, x, duals))._replace(basis=basis)


def _refined(program: Program, highs: highspy.Highs, x: Floats, duals: Floats) -> tuple[Floats, Floats]:
    """Return what HiGHS has found corrected, as far as its simplex method does that.

    Where masses fall by e^-epsilon with every edge bases are nearly singular, and a correction may fail or go round in
    circles. Then one in units of the roots of what was found comes first, unless that is good: without it "uneven count
    100x100, worst absolute, epsilon 1, delta 0.001" of benchmarks/cliffs.py takes 38 s of processor time, not 11 s.
    What is below 1e-10 counts as that, so that multipliers are known to 1e-10.
    """
    last, most = highs.getBasis(), 1_000
    last.col_status = [*last.col_status, *last.row_status]  # the rows' activities are columns
    last.row_status = [highspy.HighsBasisStatus.kLower] * len(duals)
    plain = InUnits.plain(program)
    for inside in (plain, InUnits.near(program, x, 1e-10), plain):
        _pose_correction(program, highs, inside, x, duals)
        set_options(highs, {"simplex_iteration_limit": most})
        highs.setBasis(last)
        found = run_highs(highs)
        if isinstance(found, str):
            if inside is not plain or is_good(program, priced(program, x, duals)):
                break
        else:
            change, duals_change = inside.undone(found[0][: len(x)], found[1])
            x, duals, last = x + change / MAGNIFIED, duals + duals_change / MAGNIFIED, highs.getBasis()
            if inside is plain:
                break
        most = len(duals) // 2
    return x, duals


def _pose_correction(program: Program, highs: highspy.Highs, inside: InUnits, x: Floats, duals: Floats) -> None:
    """Give HiGHS what corrects an answer where it is off by its tolerances, in such units: iterative refinement.

    It is the same program with what is left of bounds and costs, so many times: the tolerances are then so much
    smaller. For this the rows' activities are columns too. Without corrections "half zeros 100x12, worst absolute,
    epsilon 2, delta 0" of benchmarks/cliffs.py takes 22 s of processor time, not 1.2 s. HiGHS' own factors for columns
    and rows would be in the way: bounds near 0 and costs are in one unit. With them "count 100x100, worst absolute,
    epsilon 2, delta 0.2" takes 3.2 s, not 1.1 s.

    References
    ----------
    Gleixner, Steffy, Wolter, Iterative refinement for linear programming, INFORMS Journal on Computing 28 (2016).
    """
    rows, columns = program.matrix.shape
    here, units = np.concatenate([x, program.matrix @ x]), np.concatenate([inside.units, inside.sizes])
    lower = np.concatenate([program.floor, program.lower]) - here
    upper = np.concatenate([np.full(columns, highspy.kHighsInf), program.upper]) - here
    cost, nothing = np.concatenate([program.cost - program.matrix.T @ duals, duals]), np.zeros(rows)
    matrix = sp.hstack([inside.program.matrix, -sp.identity(rows)], format="csc")
    bounds = MAGNIFIED * lower / units, MAGNIFIED * upper / units
    pass_arrays(highs, matrix, MAGNIFIED * cost * units, bounds, (nothing, nothing))
    unscaled: Options = {"simplex_scale_strategy": 0, "user_objective_scale": 0}
    set_options(highs, unscaled | {"solver": "simplex", "factor_pivot_threshold": PIVOT_THRESHOLD})
