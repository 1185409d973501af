"""A program in units of what was found: its columns are then of one size, and so are errors, and its rows are too."""

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import norm

from mechdesign.arrays import Floats
from mechdesign.program.program import Program


@dataclass(frozen=True, eq=False)
class InUnits:
    """A program whose columns are in units, and whose rows are over their sizes."""

    program: Program
    units: Floats
    sizes: Floats

    @classmethod
    def of(cls, program: Program, units: Floats) -> "InUnits":
        """Return a program in units of its columns, with rows of Euclidean size 1."""
        matrix = program.matrix @ sp.diags_array(units)
        sizes = norm(matrix, axis=1)
        sizes[sizes == 0] = 1.0
        part = replace(
            program,
            cost=program.cost * units,
            matrix=sp.csr_matrix(sp.diags_array(1 / sizes) @ matrix),
            lower=program.lower / sizes,
            upper=program.upper / sizes,
            floor=program.floor / units,
            curvature=None if program.curvature is None else program.curvature * units**2,
        )
        return cls(part, units, sizes)

    @classmethod
    def near(cls, program: Program, x: Floats, least: float) -> "InUnits":
        """Return the same in units of the roots of columns x; what is below the least counts as that."""
        return cls.of(program, np.sqrt(np.maximum(abs(x), least)))

    @classmethod
    def plain(cls, program: Program) -> "InUnits":
        """Return a program as it is."""
        rows, columns = program.matrix.shape
        return cls(program, np.ones(columns), np.ones(rows))

    def undone(self, x: Floats, multipliers: Floats) -> tuple[Floats, Floats]:
        """Return columns and multipliers of this program as those of the program as it is."""
        return x * self.units, multipliers / self.sizes
