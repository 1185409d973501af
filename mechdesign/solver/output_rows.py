"""Rows of the program by outputs: v_jy >= e^-epsilon_ij v_iy, for each output y and each pair that is required.

Most of them never bind. What is computed with is a list of rows, each by its number (y k + i) k + j, in order; which
others come close on the way is seen in tables of all pairs, of some outputs at a time.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import minimum_spanning_tree

from mechdesign.arrays import Floats, Integers
from mechdesign.program.tolerances import DETOUR

TOGETHER = 2**17
"""Entries of tables of pairs that are computed together: they stay in a processor's cache."""

ROUNDED = np.finfo(float).eps
"""The share of a probability that a slack is at least, whatever rounding leaves of it."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Some rows S: the numbers of them, in order, and the factors e^-epsilon, k x k, 0 where nothing is required."""

    factors: Floats
    numbers: Integers

    @cached_property
    def before(self) -> Integers:
        """The place of v_iy of each row, y k + i."""
        return self.numbers // len(self.factors)

    @cached_property
    def after(self) -> Integers:
        """The place of v_jy of each row, y k + j."""
        return self.before // len(self.factors) * len(self.factors) + self.numbers % len(self.factors)

    @cached_property
    def factor(self) -> Floats:
        """Return e^-epsilon_ij of each row."""
        return np.asarray(self.factors.ravel()[self.numbers % self.factors.size])

    def slacks(self, v: Floats) -> Floats:
        """Return S v."""
        flat = v.ravel()
        result: Floats = flat[self.after] - self.factor * flat[self.before]
        return result

    def inside(self, v: Floats) -> Floats:
        """Return S v, where that is positive but for rounding."""
        return np.maximum(self.slacks(v), ROUNDED * v.ravel()[self.after])

    def pulls(self, z: Floats, outputs: int) -> Floats:
        """Return S^T z, a row for each output."""
        k = len(self.factors)
        size = outputs * k
        gained, lost = np.bincount(self.after, z, size), np.bincount(self.before, self.factor * z, size)
        return np.asarray(gained - lost).reshape(outputs, k)

    def places(self, others: "Rows") -> Integers:
        """Return where each of other rows is among these, or might be."""
        return np.searchsorted(self.numbers[:-1], others.numbers)

    def among(self, others: "Rows") -> npt.NDArray[np.bool_]:
        """Return which of the rows are among others."""
        return np.asarray(others.numbers[others.places(self)] == self.numbers)

    def only(self, which: npt.NDArray[np.bool_]) -> "Rows":
        """Return some of the rows."""
        return Rows(self.factors, self.numbers[which])

    def of(self, outputs: Integers) -> npt.NDArray[np.bool_]:
        """Return which rows are those of some outputs."""
        owners = self.numbers // self.factors.size
        return np.bincount(outputs, minlength=int(owners.max(initial=0)) + 1)[owners] > 0


def first_rows(factors: Floats, outputs: int) -> Rows:
    """Return those of pairs that no detour replaces, and of enough others to join all, for each output."""
    with np.errstate(divide="ignore"):
        apart = -np.log(factors)
    finite = np.isfinite(apart)
    through = np.array([(row[:, None] + apart).min(axis=0) for row in apart])
    tree = minimum_spanning_tree(csr_matrix(np.where(finite, apart, 0.0))).toarray() > 0
    direct = finite & (through > DETOUR * np.where(finite, apart, 0.0))
    pairs = np.flatnonzero(direct | tree | tree.T)
    return Rows(factors, (np.arange(outputs)[:, None] * factors.size + pairs).ravel())


def close_rows(rows: Rows, v: Floats, change: Floats, outputs: Integers, share: float) -> tuple[Rows, float]:
    """Return other rows of some outputs that come close in a step, and how much of it breaks none of them.

    Close is where less than a share is left of their slack, as a part of the probability.
    """
    factors, k = rows.factors, len(rows.factors)
    size = max(1, TOGETHER // factors.size)
    found, least = list[Integers](), np.inf
    for start in range(0, len(outputs), size):
        part = outputs[start : start + size]
        now, step = v[part], change[part]
        slack, changed = (table[:, None, :] - factors * table[:, :, None] for table in (now, step))
        changed += slack
        close = changed < slack * (share * np.minimum(1.0, 1 + step / now))[:, None, :]
        close &= factors > 0
        close[:, np.arange(k), np.arange(k)] = False
        y, pair = np.divmod(np.flatnonzero(close), factors.size)
        found.append(part[y] * factors.size + pair)
    new = Rows(factors, np.concatenate(found))
    new = new.only(~new.among(rows))
    if len(new.numbers):
        least = float((new.slacks(v) / np.maximum(-new.slacks(change), np.finfo(float).tiny)).min())
    return new, least


def least_slack(factors: Floats, v: Floats, outputs: Integers) -> float:
    """Return the least slack of all rows of some outputs."""
    return min(float((v[y] - factors * v[y][:, None]).min()) for y in outputs.tolist())
