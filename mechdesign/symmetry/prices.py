"""Prices of single entries that are the same for whatever the classes do not tell apart."""

import numpy as np

from mechdesign.arrays import Floats, Integers
from mechdesign.symmetry.quotient import Quotient


def alike(problem: Quotient, prices: Floats) -> Floats:
    """Return tables (r x d x d) with the mean of each block of classes (i, x) and (i, y), x other than y, all over it.

    A set of outputs is as good a cut as any with as many outputs of each class; the mean of their prices is this.
    """
    return np.array([_blockwise(table, row) for table, row in zip(prices, problem.columns, strict=True)])


def _blockwise(table: Floats, classes: Integers) -> Floats:
    _, number = np.unique(classes, return_inverse=True)
    member = np.identity(int(number.max()) + 1)[number]
    off = 1.0 - np.identity(len(classes))
    sums, counts = member.T @ (table * off) @ member, member.T @ off @ member
    means = np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0)
    return np.array(means[number][:, number] * off)
