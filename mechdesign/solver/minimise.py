"""The one minimiser: a linear or convex quadratic program goes down a ladder of solvers until its error is small.

| the program | its ladder |
|---|---|
| quadratic | Clarabel; rescaled; more regular |
| quadratic, all columns curved or few digits wanted | Clarabel, its linear systems not refined; as above |
| linear, few rows | Clarabel; HiGHS' simplex method |
| inner point wanted, few rows | Clarabel; HiGHS' interior-point method; simplex method |
| linear, many rows | Clarabel; more regular; HiGHS' interior-point method, crossover |
| inner point wanted, many rows | HiGHS' interior-point method; with a crossover to a vertex |
| vertex wanted | HiGHS' interior-point method, crossover; Clarabel, more regular; simplex method; rescaled |
| vertex wanted, many rows, sparse | Clarabel, more regular, crossover, also in units; as above |
| vertex wanted if it is easy | HiGHS' interior-point method, crossover; simplex method |
| vertex wanted, another known | HiGHS' simplex method from there; as above |

The error of every answer is one number, measured on the program itself, see `error_of`; the first answer with a small
one is taken, or the best there is.
"""

from collections.abc import Callable, Sequence
from enum import Enum, auto
from functools import partial
from typing import TypeAlias

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.errors import SolverError
from mechdesign.program.program import Program
from mechdesign.program.units import InUnits
from mechdesign.solution import Minimum
from mechdesign.solver.clarabel import by_clarabel
from mechdesign.solver.highs import FINEST, by_interior_point
from mechdesign.solver.optimality import Answer, Refuted, error_of_found, good_error
from mechdesign.solver.stopping import Stopped, is_over
from mechdesign.solver.vertices import Basis, by_crossover, by_simplex, to_vertex

MOST_ERROR = 1e-8
"""The best answer found is taken if its error is at most this, where no step has a good one; otherwise there is none,
as rounding would have too much to mend."""

MANY_ROWS = 1_500
"""Rows up to which Clarabel is quicker and more accurate than HiGHS' interior-point method; beyond, but for sparse
programs, that takes a fraction of its time, and the simplex method minutes: without it design "ring 80x20
max-off-diagonal none 0.5 0" takes 4.7 s of processor time, not 0.8 s."""

Solver: TypeAlias = Callable[[Program, float], Answer | str]
"""What a solver with its settings makes of a program, to an accuracy."""

Step: TypeAlias = tuple[str, Solver]
"""A solver with its settings, and its name."""

UNREFINED: Step = "Clarabel, unrefined", partial(by_clarabel, regularisation=1e-10, refined=False)
"""Where every column has curvature, or few digits are wanted, to refine the solutions of linear systems only costs time
and iterations: without this step the nearest designs of various 20 and 1921 and of extreme 37 are lost; with it
everywhere those of extreme 53 and 3628."""

CLARABEL: Step = "Clarabel", partial(by_clarabel, regularisation=1e-10, refined=True)
"""With so little regularisation it is the most accurate where masses are tiny: the value of extreme 118 is off by 2e-5
with more."""

MORE_REGULAR = partial(by_clarabel, regularisation=1e-8, refined=True)
"""With Clarabel's own regularisation."""

REGULAR: Step = "Clarabel, more regular", MORE_REGULAR
"""The most robust, but it leaves violations of up to 1e-7 where masses are tiny or the set of optima is thin. The
nearest matrix of the shipped categorical chain, largest entry, needs it. The worst loss it finds to the last digit,
where Clarabel with less regularisation stops at errors of 1e-6; where a crossover finds no vertex, it takes less time
than the simplex method: if that came first, "equal values on a ring 100x100, worst absolute, epsilon 0.5, delta 0" of
benchmarks/cliffs.py would take 21 s of processor time, not 16 s."""


def _from_within(program: Program, accuracy: float) -> Answer | str:
    """Return the vertex to which Clarabel's answer from within is moved; that answer, if the time is over.

    An answer that is far off, as with tiny deltas, may be moved in few steps, or else ten times as much regularisation
    brings it near: without that "count 100x100, worst squares, epsilon 0.5, delta 1e-9" of benchmarks/cliffs.py takes
    7 s of processor time, not 5 s.
    """
    inner = _within(program, accuracy, 1e-8)
    if isinstance(inner, str) or is_over():
        return inner
    if error_of_found(program, inner) > MOST_ERROR:
        vertex = to_vertex(program, InUnits.plain(program), inner, len(program.upper) // 8)
        if not isinstance(vertex, str) or is_over():
            return inner if isinstance(vertex, str) else vertex
        inner = _within(program, accuracy, 1e-7)
    return inner if isinstance(inner, str) else _moved(program, inner)


def _moved(program: Program, inner: Answer) -> Answer | str:
    """Return the vertex to which an answer is moved, in units of the roots of its columns if not exact as they are.

    If the time is over before there is one, it is that answer.

    Where masses fall by e^-epsilon with every edge bases are nearly singular as they are, and what HiGHS makes of them
    is no vertex, or one whose multipliers are too inaccurate for the nearest design: without these units "uneven count
    100x100, worst hamming, epsilon 0.5, delta 0.2" of benchmarks/cliffs.py takes 36 s of processor time, not 8 s, and
    if what is below 1e-8, in place of 1e-14, counted as that, 18 s. If they came first, "values on a band 50x50,
    expected hamming, epsilon 0.5, delta 1e-6" would take 2.8 s, not 2.4 s.
    """
    found: list[Answer | str] = []
    for inside in InUnits.plain(program), InUnits.near(program, inner.columns, 1e-14):
        found.append(to_vertex(program, inside, inner, len(program.upper) // 2))
        if is_over() or error_of_found(program, found[-1]) <= FINEST:
            break
    vertex = min(found, key=partial(error_of_found, program))
    return inner if is_over() and isinstance(vertex, str) else vertex


def _within(program: Program, accuracy: float, regularisation: float) -> Answer | str:
    return by_clarabel(program, accuracy, regularisation=regularisation, refined=True, most_fill=3.8)


FROM_WITHIN: Step = "Clarabel with a crossover", _from_within
"""For programs of many rows whose linear systems have sparse factors, of which HiGHS makes longer work. Of
benchmarks/cliffs.py "star 200x20, worst absolute, epsilon 2, delta 0" takes 0.8 s of processor time, not 2.0 s, and
"values in all pairs 30x30, expected absolute, epsilon 2, delta 0.01" 6 s, not 12 s. However much a factor is filled,
"sharp 200x20, worst absolute, epsilon 2, delta 0" would take 27 s, not 13 s, and "half zeros 100x12, expected squares,
epsilon 2, delta 0" 1.5 s, not 0.6 s."""

RESCALED: Step = "Clarabel, rescaled", MORE_REGULAR
"""The same for the program in units of the best answer so far, see `_in_units_of`: along paths, where masses fall by
e^-epsilon with every edge, sharp 60x12 4 1.488 needs it, and 13 of 44 others of 60 to 100 profiles."""

INTERIOR: Step = "HiGHS' interior-point method", by_interior_point

CROSSOVER: Step = "HiGHS' interior-point method with a crossover", by_crossover
"""Corrected as the simplex method is, it has as small an error, also where the optimal face is so thin that a point
inside of it is known to 1e-8 only. Where there are many rows it is the quicker one in the worst case: of 24 shared
matrices the slowest takes 5 s of processor time, not 55 s."""

SIMPLEX: Step = "HiGHS' simplex method", by_simplex
"""With a correction it has the least error of all. Designs extreme 81, 396 and 3628 need it."""

SIMPLEX_RESCALED: Step = "HiGHS' simplex method, rescaled", by_simplex
"""The same in units of the best answer so far: design "grid 9 expected-loss hamming 30 0", where masses fall by
e^-epsilon with every edge, needs it."""

IN_UNITS = (RESCALED, SIMPLEX_RESCALED)
"""The steps that begin with an answer."""


class Wanted(Enum):
    """Which minimiser of a linear program is wanted: any, one from the middle of the optimal face, or a vertex of it.

    Cuts found from the middle go deeper than cuts found from a vertex, and a few rounds of them suffice. A vertex is
    wanted if it is easy where there is another way to an answer: the simplex method in units of what was found, the
    last step of its ladder, may take minutes.
    """

    ANY = auto()
    INNER = auto()
    VERTEX = auto()
    EASY_VERTEX = auto()


def minimise(
    program: Program, wanted: Wanted = Wanted.ANY, *, accuracy: float = 0.0, start: Basis | None = None
) -> Minimum:
    """Return what `minimum_of` a program finds.

    Raises
    ------
    Stopped
        if the time is over and there is nothing by then.
    SolverError
        if no step of the ladder has an answer; it says how each of them ended.
    """
    found = minimum_of(program, wanted, accuracy=accuracy, start=start)
    if isinstance(found, str):
        raise SolverError(found)
    return found


def minimum_of(
    program: Program,
    wanted: Wanted = Wanted.ANY,
    *,
    accuracy: float = 0.0,
    start: Basis | None = None,
    share: float = 1.0,
) -> Minimum | str:
    """Return what minimises a program, as accurately as its ladder finds it; with an `accuracy`, only to that.

    If no step of the ladder has an answer, return how each of them ended; if Clarabel proves that a quadratic program
    has none, what proves it: as a rule its level is too low. Of a program that has got more rows, the vertex that was
    optimal before may be the `start`. No vertex is looked for to an accuracy. If the time is over, it is the best that
    there is, however inaccurate, of a linear program. Of violations a `share` counts, as they may be corrected later.

    Raises
    ------
    Stopped
        if there is nothing by then.
    """
    ladder = _ladder(program, Wanted.INNER if accuracy and wanted is Wanted.VERTEX else wanted, accuracy)
    if start is not None:
        ladder = [("HiGHS' simplex method, from a vertex", partial(by_simplex, start=start)), *ladder]
    best: Minimum | None = None
    ends: list[str] = []
    for name, step in ladder:
        if ends and is_over():
            break
        if (name, step) not in IN_UNITS:
            answer = step(program, accuracy)
        elif best is None or best.error > 1:
            continue  # there are no units: columns are probabilities
        else:
            answer = _in_units_of(best.columns, step, program, accuracy)
        if isinstance(answer, str):
            ends.append(f"{name}: {answer}")
            if isinstance(answer, Refuted) and program.curvature is not None:
                return answer
            continue
        error = error_of_found(program, answer, share)
        found = Minimum(answer.columns, answer.multipliers, error, answer.basis)
        ends.append(f"{name}: an error of {found.error:.1g}")
        if best is None or found.error < best.error:
            best = found
        if best.error <= max(good_error(program, best.columns), accuracy**0.5):
            return best
    if is_over():
        if best is None or program.curvature is not None or not np.isfinite(best.error):
            raise Stopped
        return best
    if best is None or best.error > max(MOST_ERROR, accuracy**0.5):
        return f"no solver finds an optimum ({'; '.join(ends)})"
    return best


def vertex_from(program: Program, inner: Answer) -> Minimum | str:
    """Return the vertex to which an answer is moved; that answer, if the time is over; why there is none."""
    found = _moved(program, inner)
    if isinstance(found, str):
        return found
    return Minimum(found.columns, found.multipliers, error_of_found(program, found), found.basis)


def _in_units_of(x: Floats, solve: Solver, program: Program, accuracy: float) -> Answer | str:
    """Return what a solver makes of a program whose columns are in units of the roots of an answer x, rows of size 1.

    Solvers' errors are then a share of a column's own size. What is below 1e-6 counts as that: with 1e-8 in its place
    what rounding errors decide, other for each kind of processor, is whether sharp 60x12 4 1.488 has a nearest design.
    """
    inside = InUnits.near(program, x, 1e-6)
    found = solve(inside.program, accuracy)
    if isinstance(found, str):
        return found
    return Answer(*inside.undone(found.columns, found.multipliers), found.prices / inside.units, found.basis)


def _ladder(program: Program, wanted: Wanted, accuracy: float) -> Sequence[Step]:
    if program.curvature is not None:
        more = (CLARABEL, RESCALED, REGULAR)
        return (UNREFINED, *more) if accuracy or (program.curvature > 0).all() else more
    if wanted is Wanted.EASY_VERTEX:
        return CROSSOVER, SIMPLEX
    if wanted is Wanted.VERTEX:
        steps = CROSSOVER, REGULAR, SIMPLEX, SIMPLEX_RESCALED
        return (FROM_WITHIN, *steps) if len(program.upper) > MANY_ROWS else steps
    if len(program.upper) <= MANY_ROWS:
        return (CLARABEL, INTERIOR, SIMPLEX) if wanted is Wanted.INNER else (CLARABEL, SIMPLEX)
    return (INTERIOR, CROSSOVER) if wanted is Wanted.INNER else (CLARABEL, REGULAR, CROSSOVER)
