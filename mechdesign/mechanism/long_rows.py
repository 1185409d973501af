"""Rows of integers kept in 64 bits, for mechanisms of millions of entries: Python integers take five times as much."""

from collections.abc import Iterator

import numpy as np

from mechdesign.arrays import Exact, Integers


class LongRows:
    """Rows of integers >= 0 with totals of 2^62 at most; who looks at one gets Python integers, which cannot overflow.

    Attributes
    ----------
    integers
        the rows. Their entries, and sums of the entries of one row, are below 2^63; products may not be.

    Examples
    --------
    >>> LongRows(np.array([[3, 1]]))[0]
    array([3, 1], dtype=object)
    """

    def __init__(self, integers: Integers) -> None:
        self.integers = integers
        self.shape = integers.shape

    def __len__(self) -> int:
        return len(self.integers)

    def __getitem__(self, row: int) -> Exact:
        """Return one row."""
        return np.array(self.integers[row].astype(object))

    def __iter__(self) -> Iterator[Exact]:
        return (self[row] for row in range(len(self)))

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Exact:
        """Return all rows; numpy calls this."""
        del dtype, copy
        return np.array(self.integers.astype(object))
