"""Matrices in numpy's own files, .npy, of which nothing is believed before it is compared with the file's size."""

import os
import warnings
from math import prod
from tokenize import TokenError
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from mechdesign.errors import InputError
from mechdesign.files.opening import opened

HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
"""By version of the format; later ones are for names of fields, which no matrix has."""


def axes_of(path: str | os.PathLike[str]) -> int:
    """Return how many axes the array in a .npy file has.

    Raises
    ------
    InputError
        naming the file, if it is none.
    """
    with opened(path) as file:
        return len(_header(file, str(path))[0])


def read_npy(path: str | os.PathLike[str], *, axes: int = 2) -> npt.NDArray[Any]:
    """Return the matrix of numbers in a .npy file, or a stack of them; objects and archives of arrays are refused.

    Raises
    ------
    InputError
        naming the file: no such array, or one larger than the file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".npy") as file:
    ...     np.save(file, np.eye(2))
    ...     file.flush()
    ...     read_npy(file.name).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    with opened(path) as file:
        shape, by_columns, numbers = _header(file, str(path))
        if len(shape) != axes or min(shape) < 0 or numbers.kind not in "fiu":
            found = f"found shape {shape}, type {numbers}"
            raise InputError(f"expected a matrix of numbers, {found}", source=str(path))
        promised = prod(shape) * numbers.itemsize
        there = os.fstat(file.fileno()).st_size - file.tell()
        if promised > there:
            wanted = (
                f"expected {promised} bytes, for the {' x '.join(map(str, shape))} numbers that its header promises"
            )
            raise InputError(f"{wanted}; found {there}: is the file cut short?", source=str(path))
        if not promised:
            raise InputError(f"expected a matrix of numbers, found shape {shape}", source=str(path))
        return np.fromfile(file, numbers, prod(shape)).reshape(shape, order="F" if by_columns else "C")


def _header(file: IO[bytes], source: str) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Return the shape, whether the columns stand one after the other, and the type of the numbers."""
    try:
        with warnings.catch_warnings(action="ignore"):  # of headers that Python 2 wrote
            return HEADERS[np.lib.format.read_magic(file)](file)
    except (ValueError, TypeError, KeyError, EOFError, SyntaxError, TokenError, RecursionError, MemoryError):
        raise InputError("expected a numpy array of numbers in .npy format", source=source) from None
