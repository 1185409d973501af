"""The mechanism of a transition matrix: its profiles are its inputs."""

import os
from collections.abc import Sequence

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.errors import InputError
from mechdesign.exact.flags import with_flags
from mechdesign.exact.text import shown
from mechdesign.graph.checks import checked
from mechdesign.graph.frames import Matrix, matrix_in
from mechdesign.graph.labels import Label, check_hashes, check_in_order
from mechdesign.graph.values import single_values
from mechdesign.mechanism.mechanism import Mechanism, check_outputs
from mechdesign.mechanism.probabilities import integer_rows, noted
from mechdesign.words import counted


@with_flags
def mechanism_from_matrix(
    matrix: npt.ArrayLike,
    *,
    inputs: Sequence[Label] | None = None,
    outputs: Sequence[Label] | None = None,
    normalise: bool = False,
) -> Mechanism:
    """Return the mechanism of a transition matrix, one row per input value, one column per output.

    Its profiles are its inputs: each value is a profile of its own, as in local differential privacy.

    Parameters
    ----------
    matrix
        d x m probabilities; floats are the rationals they are, text such as "1/3" is exact. Rows that miss total 1
        by at most 1e-9 are normalised exactly; `notes["normalised"]` names them. Of a DataFrame the labels count; one
        of polars, Arrow or so may have labels of its rows as its first column.
    inputs, outputs
        labels; default those of a DataFrame, else 0..d-1, and the inputs again for a square matrix, else 0..m-1. A
        DataFrame that has these inputs as labels, in whatever order, is put in theirs.
    normalise
        whether to divide each row by its exact total, which may miss 1 by at most 1/100, as in a matrix of few digits;
        `notes["largest_miss"]` says by how much one did. What is certified is then the normalised matrix.

    Raises
    ------
    InputError
        listing every fault.

    Examples
    --------
    >>> mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]]).row(0, 0)
    (Fraction(3, 4), Fraction(1, 4))
    """
    check_in_order(inputs, "inputs")
    check_in_order(outputs, "outputs")
    _check_one(matrix)
    found = matrix_in(matrix, inputs or ())
    return _made(matrix, inputs, outputs, normalise) if found is None else of_matrix(found, inputs, outputs, normalise)


def of_matrix(
    matrix: Matrix,
    inputs: Sequence[Label] | None = None,
    outputs: Sequence[Label] | None = None,
    normalise: bool = False,
) -> Mechanism:
    """Return the mechanism of a matrix with labels, as `mechanism_from_matrix` does of a DataFrame."""
    found = matrix.named() if inputs is None else matrix.in_order(list(inputs))
    if outputs is None:
        outputs = found.outputs
    elif found.outputs is not None and tuple(outputs) != found.outputs:
        own = f"these labels of the columns, {shown(found.outputs)}"
        raise InputError(f"outputs: expected {own}, or none, found {shown(tuple(outputs))}")
    if inputs is None and found.is_square:
        return _made(found.rows, found.inputs or outputs, outputs, normalise)
    return _made(found.rows, found.inputs, outputs, normalise)


def _made(
    matrix: npt.ArrayLike, inputs: Sequence[Label] | None, outputs: Sequence[Label] | None, normalise: bool
) -> Mechanism:
    """Return the mechanism of these numbers, whose labels are those given, or count."""
    weights, totals = integer_rows(matrix, normalise=normalise)
    d, m = weights.shape
    inputs = tuple(range(d)) if inputs is None else tuple(inputs)
    if outputs is None:
        outputs = inputs if d == m else tuple(range(m))
    if len(inputs) != d:
        raise InputError(
            f"inputs: expected {counted(d, 'label')}, one for each row, found {len(inputs)}: {shown(inputs)}"
        )
    if len(outputs) != m:
        raise InputError(
            f"outputs: expected {counted(m, 'label')}, one for each column, found {len(outputs)}: {shown(outputs)}"
        )
    graph = _points(inputs)
    check_outputs(outputs)
    return Mechanism(
        graph, tuple(outputs), weights, np.broadcast_to(np.arange(d), (d, d)), noted(totals, inputs, normalise)
    )


def _check_one(matrix: object) -> None:
    """Raise an InputError if this is a list of mechanisms, or of their files, and no matrix."""
    if not isinstance(matrix, list | tuple):
        return
    kinds = Mechanism, str, os.PathLike
    if any(isinstance(one, kinds) or isinstance(getattr(one, "mechanism", None), Mechanism) for one in matrix):
        remedy = "give mechanisms one by one, such as compose(*mechanisms)"
        raise InputError(f"expected one mechanism, or a matrix of numbers, found a list of others; {remedy}")


def _points(values: Sequence[Label]) -> nx.Graph:
    """Return the values as point-mass profiles without edges."""
    check_hashes(values, "inputs")
    return checked(single_values(values))
