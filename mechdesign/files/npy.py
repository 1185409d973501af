"""Matrices in numpy's own files, .npy: mapped first, so that no header makes memory be taken that the file is not."""

import os
import warnings
from tokenize import TokenError
from typing import Any

import numpy as np
import numpy.typing as npt

from mechdesign.errors import InputError
from mechdesign.files.opening import opened

UNREADABLE = (ValueError, TypeError, KeyError, SyntaxError, TokenError, OverflowError, RecursionError, MemoryError)
"""What numpy raises about headers, which are Python's literals."""


def axes_of(path: str | os.PathLike[str]) -> int:
    """Return how many axes the array in a .npy file has.

    Raises
    ------
    InputError
        naming the file, if it is none.
    """
    return _mapped(path).ndim


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
    found = _mapped(path)
    if found.ndim != axes or not found.size or found.dtype.kind not in "fiu":
        raise InputError(
            f"expected a matrix of numbers, found shape {found.shape}, type {found.dtype}", source=str(path)
        )
    return np.array(found)


def _mapped(path: str | os.PathLike[str]) -> npt.NDArray[Any]:
    with opened(path), warnings.catch_warnings(action="ignore"):  # of headers that Python 2 wrote
        try:
            return np.lib.format.open_memmap(path, mode="r")
        except UNREADABLE:
            expected = "expected a numpy array of numbers in .npy format"
            raise InputError(
                f"{expected}; is the file cut short, of objects, or of another kind?", source=str(path)
            ) from None
