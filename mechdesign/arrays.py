"""Names for the types of arrays that this package computes with."""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
"""Doubles, which round."""

Integers: TypeAlias = npt.NDArray[np.int64]
"""Positions and counts, which fit in 64 bits."""

Exact: TypeAlias = npt.NDArray[np.object_]
"""Python integers or Fractions, which are exact and of any length."""


class Entries(NamedTuple):
    """So many rows of a sparse matrix, by the row, the column and the value of each entry."""

    height: int
    rows: Integers
    columns: Integers
    values: Floats
