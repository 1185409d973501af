"""Iterative refinement of an answer that nearly meets the rows of its program, with exact residuals.

A solver's answer x violates its rows by up to 1e-10 or so. Refinement computes exactly how much room each row leaves,
divides all of it by the largest violation s, and finds the shortest correction r for which x + s r meets the rows. The
numbers of this problem are of size 1, so that a solver meets it to 1e-10 again: of the violation only about 1e-10 s is
left.
"""

import numpy as np

from mechdesign.arrays import Exact, Floats
from mechdesign.exact.integers import floors
from mechdesign.program.program import Program
from mechdesign.rounding.releases import ROW_BITS
from mechdesign.rounding.room import Flags
from mechdesign.solver.minimise import minimum_of

BITS = 2 * ROW_BITS
"""Bits after the binary point of the numbers with which residuals are computed: those of a product of two."""

FAR_AWAY = 1_000
"""A row with more room than so many times the violation is left out: corrections are only a few times as long as the
violation, so that it will not bind, and larger numbers would make the problem badly scaled. With 100,000 in its place
counts of 100 with a worst loss and a delta take up to a quarter longer."""

UPWARDS = 1 + 2 * np.finfo(np.float64).eps
"""What takes e^-epsilon, in doubles, to no less than it is."""


def refined(program: Program, x: Floats, *, fixed: Flags, margin: float) -> Exact | str:
    """Return the answer corrected, as integers over 2^`BITS`; why no correction is found.

    Columns that are `fixed` stay as they are. Limits of privacy are met with a `margin`, which rounding may take.
    """
    found = _fixed(x)
    rooms = _Residuals(program, fixed, margin).rooms(found)
    violation = -min(int(room.min(initial=0)) for room in rooms)
    if not violation:
        return found
    correction = _correction(program, rooms, violation, ~fixed)
    if isinstance(correction, str):
        return correction
    return np.array(found + (_fixed(correction) * violation >> BITS), dtype=object)


def _fixed(values: Floats) -> Exact:
    """Return doubles as integers over 2^BITS, rounded toward zero."""
    return np.array(np.where(values < 0, -1, 1).astype(object) * floors(abs(values), 2**BITS), dtype=object)


class _Residuals:
    """How much room the rows and floors of a program leave, in integers over 2^BITS."""

    def __init__(self, program: Program, fixed: Flags, margin: float) -> None:
        matrix = program.matrix.sorted_indices()
        limits = np.zeros(len(program.upper), dtype=bool)
        for name, rows in program.blocks.items():
            limits[rows] = name not in ("objective", "kept")
        of_limits = np.repeat(limits, np.diff(matrix.indptr))
        data = np.where(of_limits & (matrix.data > 0), matrix.data * UPWARDS, matrix.data)
        self._coefficients, self._columns, self._starts = _fixed(data), matrix.indices, matrix.indptr
        free = abs(matrix) @ (~fixed).astype(np.float64) > 0
        self._below, self._above = free & np.isfinite(program.lower), free & np.isfinite(program.upper)
        self._floored = ~fixed & np.isfinite(program.floor)
        sides = (program.lower, program.upper, program.floor)
        self._lower, upper, self._floor = (_fixed(np.where(np.isfinite(side), side, 0.0)) for side in sides)
        self._upper = upper - int(margin * 2.0**BITS) * limits.astype(object)

    def rooms(self, x: Exact) -> tuple[Exact, Exact, Exact]:
        """Return the room above the lower bounds, below the upper ones and above the floors, large where none is."""
        activity = np.add.reduceat(np.append(self._coefficients * x[self._columns] >> BITS, 0), self._starts[:-1])
        activity[self._starts[:-1] == self._starts[1:]] = 0
        far = FAR_AWAY << BITS
        return (
            np.where(self._below, activity - self._lower, far),
            np.where(self._above, self._upper - activity, far),
            np.where(self._floored, x - self._floor, far),
        )


def _correction(program: Program, rooms: tuple[Exact, Exact, Exact], violation: int, free: Flags) -> Floats | str:
    """Return the shortest correction of the free columns, in units of the violation; why there is none."""
    lower, upper, floor = (_shares(room, violation) for room in rooms)
    near = np.isfinite(lower) | np.isfinite(upper)
    part = Program(
        cost=np.zeros(int(free.sum())),
        matrix=program.matrix[near][:, free],
        lower=-lower[near],
        upper=upper[near],
        floor=-floor[free],
        curvature=np.ones(int(free.sum())),
        blocks={},
    )
    found, correction = minimum_of(part), np.zeros(len(free))
    if isinstance(found, str):
        return found
    correction[free] = found.columns
    return correction


def _shares(room: Exact, violation: int) -> Floats:
    """Return how much room there is in units of the violation, in doubles; infinite where that is far away."""
    far = FAR_AWAY * violation
    return np.array([one / violation if one < far else np.inf for one in room.tolist()], dtype=np.float64)
