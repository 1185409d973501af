"""Iterative refinement of an answer that nearly meets the rows of its program.

A solver's answer x violates its rows by up to 1e-10 or so. Refinement computes exactly how much room each row leaves,
divides all of it by the largest violation s, and finds the shortest correction r for which x + s r meets the rows. The
numbers of this problem are of size 1, so that a solver meets it to 1e-10 again: of the violation only about 1e-10 s is
left.
"""

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Floats
from mechdesign.errors import SolverError
from mechdesign.exact.integers import floors
from mechdesign.program.program import Program
from mechdesign.solver.clarabel import minimise_quadratic

BITS = 160
"""Bits after the binary point of the numbers with which residuals are computed."""

FAR_AWAY = 1e6
"""A row with more room than so many times the violation is left out: corrections are only a few times as long as the
violation, so that it will not bind, and larger numbers would make the problem badly scaled."""

ROUNDS, SETTLED = 2, 1e-25
"""How often an answer is corrected, unless it violates no row by more than the second."""


def refined(program: Program, x: Floats, *, held: npt.NDArray[np.bool_], margin: float) -> Exact | None:
    """Return the answer corrected where that can be done, as integers over 2^`BITS`.

    Columns that are `held` stay as they are. Limits of privacy, and floors, are met with a `margin`.
    """
    found = _fixed(x)
    exactly = _Residuals(program, margin, held)
    for _ in range(ROUNDS):
        rooms = exactly.rooms(found)
        violation = -min(int(room.min(initial=0)) for room in rooms)
        if violation <= SETTLED * 2.0**BITS:
            break
        try:
            correction = _correction(program, rooms, violation, held)
        except SolverError:
            return None
        step = _fixed(correction)
        found = found + (step * violation >> BITS)
    return found


def _fixed(values: Floats) -> Exact:
    """Return doubles as integers over 2^BITS, rounded toward zero."""
    return np.where(values < 0, -1, 1).astype(object) * floors(abs(values), 2**BITS)


class _Residuals:
    """How much room the rows and floors of a program leave, in integers over 2^BITS."""

    def __init__(self, program: Program, margin: float, held: npt.NDArray[np.bool_]) -> None:
        matrix = program.matrix.sorted_indices()
        self._coefficients, self._columns, self._starts = _fixed(matrix.data), matrix.indices, matrix.indptr
        self._sides = [
            (kept := np.isfinite(side), _fixed(np.where(kept, side, 0.0))) for side in (program.lower, program.upper)
        ]
        limits = np.zeros(len(program.upper), dtype=bool)
        for name, part in program.blocks.items():
            limits[part] = name != "objective"
        self._sides[1] = self._sides[1][0], self._sides[1][1] - int(margin * 2.0**BITS) * limits.astype(object)
        self._free = abs(matrix) @ (~held).astype(float) > 0
        self._floored = np.isfinite(program.floor) & ~held
        self._floor = _fixed(np.where(self._floored, program.floor, 0.0))

    def rooms(self, x: Exact) -> tuple[Exact, Exact, Exact]:
        """Return the room above the lower bounds, below the upper ones, and above the floors; 2^BITS if there is none."""
        terms = np.append(self._coefficients * x[self._columns] >> BITS, 0)
        empty = self._starts[:-1] == self._starts[1:]
        activity = np.add.reduceat(terms, self._starts[:-1])
        activity[empty] = 0
        (below, lower), (above, upper) = self._sides
        far = int(FAR_AWAY * 2.0**BITS)
        return (
            np.where(below & self._free, activity - lower, far),
            np.where(above & self._free, upper - activity, far),
            np.where(self._floored, x - self._floor, far),
        )


def _correction(
    program: Program, rooms: tuple[Exact, Exact, Exact], violation: int, held: npt.NDArray[np.bool_]
) -> Floats:
    lower, upper, floor = (_shares(room, violation) for room in rooms)
    near = (lower < FAR_AWAY) | (upper < FAR_AWAY)
    lower[lower >= FAR_AWAY], upper[upper >= FAR_AWAY], floor[floor >= FAR_AWAY] = np.inf, np.inf, np.inf
    n = len(program.cost)
    curvature = np.ones(n) if program.curvature is None else np.where(program.curvature > 0, 1.0, 1e-6)
    free = ~held
    matrix = program.matrix[near][:, free]
    part = Program(np.zeros(n)[free], matrix, -lower[near], upper[near], -floor[free], curvature[free], {})
    correction = np.zeros(n)
    correction[free] = minimise_quadratic(part)[0]
    return correction


def _shares(room: Exact, violation: int) -> npt.NDArray[np.float64]:
    """Return how much room there is in units of the violation, in doubles."""
    far = int(FAR_AWAY) * violation
    return np.array([min(one, far) / violation for one in room.tolist()], dtype=np.float64)
