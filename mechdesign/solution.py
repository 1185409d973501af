"""What solvers answer, in doubles: a guess until it is made exact."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats
from mechdesign.objective.multipliers import Multipliers


@dataclass(frozen=True, eq=False)
class Minimum:
    """What minimises a program, in doubles.

    Attributes
    ----------
    columns
        their values.
    multipliers
        of the rows' upper bounds; those of equations may be negative.
    error
        how far these are from an optimum, as `mechdesign.solver.optimality.error_of` measures it.
    basis
        of a vertex the `mechdesign.solver.vertices.Basis`, from which a program with more rows is soon solved.
    """

    columns: Floats
    multipliers: Floats
    error: float = 0.0
    basis: Any = None

    def among(self, rows: npt.NDArray[np.bool_], columns: npt.NDArray[np.bool_] | None = None) -> "Minimum":
        """Return the same of a program that has more rows, and columns, than these."""
        multipliers, x = np.zeros(len(rows)), self.columns if columns is None else np.zeros(len(columns))
        multipliers[rows] = self.multipliers
        if columns is not None:
            x[columns] = self.columns
        return Minimum(x, multipliers, self.error)


@dataclass(frozen=True, eq=False)
class Solution:
    """A solver's answer, in doubles.

    Attributes
    ----------
    value
        the least objective value found, over the problem's `loss_unit`.
    matrices
        k x d x m, or 1 x d x m when shared; None from a solver that works with released distributions only.
    released
        k x m.
    multipliers
        None from a solver that gives none.
    vertex
        of a solver of the whole program: an optimal vertex of it, with the multipliers.
    canonical
        whether it is known to be the nearest design, as `mechdesign.solver.canonical` says.
    unfinished
        whether the search for it was given up: to correct it would take longer still, so it is only made private.
    way
        how it was found, in words.
    program, columns
        the `mechdesign.program.program.Program` that was solved, made when it is asked for, and its answer, which can
        be corrected by it.
    """

    value: float
    released: Floats
    matrices: Floats | None = None
    multipliers: Multipliers | None = None
    vertex: Minimum | None = None
    canonical: bool = False
    unfinished: bool = False
    way: str = ""
    program: Callable[[], Any] | None = None
    columns: Floats | None = None
