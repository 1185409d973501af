"""Drawing from rows of integer weights: exactly their law, whatever the totals, many millions of rows a second.

Row x has weights w_1, ..., w_m of total W and so the thresholds T_j = (w_1 + ... + w_j) / W, j < m. A uniform U in
[0, 1) gives the output that as many thresholds are <= U: output y (from 0) where T_y <= U < T_(y+1), which has
probability w_(y+1) / W exactly, none if that weight is 0. The bits of U are drawn most significant first, only as many
as it takes to know between which thresholds it lies:

- 16 bits. The first `bits` of them, a cell of the guide table, answer where no threshold lies inside that cell.
- 48 more where one does. The thresholds of all rows are searched at once, each row's by its number before as many bits
  of them as then have room in 64: so U and the thresholds, rounded down, are compared in 64 bits or almost.
- Where they agree in those: compared as integers, with 64 more bits as long as that does not tell.

There is no common denominator, and nothing is rejected.

References
----------
The lazy comparison of bits: Knuth and Yao, The complexity of nonuniform random number generation, 1976. The guide
table: Chen and Asau, On generating random variates from an empirical distribution, 1974.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from mechdesign.privacy.stored_rows import Rows
from mechdesign.release.bits import Bits

FIRST = 16
"""Bits of U that are drawn for every row; the guide table uses some of them or all."""

CELLS = 1 << 19
"""Cells of a guide table, if that leaves enough of them. Tuned on 20 x 20, 50 x 200 and 400 x 20, on a core that keeps
1 MiB at hand: half and double are as fast, eight times as many half as fast."""

SPARE = 6
"""There are so many more bits of cells than of outputs, if `MOST_CELLS` allows: one cell in 64 has a threshold."""

MOST_CELLS = 1 << 26
"""Cells of a guide table at most; beyond, most rows are searched for."""

BLOCK = 1 << 17
"""Rows drawn at once. Tuned on 20 x 20, 50 x 200 and 400 x 20: 2^15 and 2^18 are slower by a fifth."""

CHUNK = 1 << 18
"""Weights that are made into thresholds at once."""


class Sampler:
    """Draws outputs for rows of weights.

    Parameters
    ----------
    rows
        whose weights are drawn by.
    bits
        how many bits the guide table is for, from 0 to 16; as many as are fast unless given.

    Examples
    --------
    >>> from mechdesign.release.bits import fresh_bits
    >>> sampler = Sampler(Rows(np.array([[0, 1, 0], [2**70, 1, 0]], dtype=object)))
    >>> sampler.draw(np.array([0, 0, 0]), fresh_bits()).tolist()
    [1, 1, 1]
    """

    def __init__(self, rows: Rows, *, bits: int | None = None) -> None:
        count, self.outputs = rows.shape
        self._rows = rows
        self.bits = _guide_bits(count, self.outputs) if bits is None else bits
        self._kind = next(kind for kind in (np.uint8, np.uint16, np.uint32) if self.outputs <= np.iinfo(kind).max)
        self._open = np.iinfo(self._kind).max
        self._row_bits = (count - 1).bit_length()
        thresholds = np.empty((count, self.outputs - 1), np.uint64)
        guide = np.empty((count, 1 << self.bits), self._kind)
        step = max(1, CHUNK // max(self.outputs, 1 << self.bits))
        for start in range(0, count, step):
            part = slice(start, min(start + step, count))
            sums = np.array([np.cumsum(rows.exact(row)) for row in range(part.start, part.stop)], dtype=object)
            made, guide[part] = self._made(sums)
            thresholds[part] = self._keys(np.arange(part.start, part.stop)[:, None], made)
        self._thresholds, self._guide = thresholds.ravel(), guide.ravel()

    def _made(self, sums: npt.NDArray[np.object_]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[Any]]:
        """Return the thresholds and the guide of rows with these cumulative sums."""
        inner, totals = sums[:, :-1], sums[:, -1:]
        # T = 1, where the last weights are 0, has no 64 bits; rounded down further it is what more bits will tell.
        thresholds = np.minimum((inner << 64) // totals, 2**64 - 1).astype(np.uint64)
        size = 1 << self.bits
        below = ((inner << self.bits) // totals).astype(np.int64)  # the cell in which T lies, or at whose start
        inside = ((inner << self.bits) % totals).astype(bool)
        which = np.arange(len(sums))[:, None]
        passed = np.bincount((which * (size + 1) + below + inside).ravel(), minlength=len(sums) * (size + 1))
        guide = np.cumsum(passed.reshape(-1, size + 1)[:, :size], axis=1).astype(self._kind)
        guide[np.broadcast_to(which, below.shape)[inside], below[inside]] = self._open
        return thresholds, guide

    def draw(self, rows: npt.NDArray[Any], bits: Bits) -> npt.NDArray[Any]:
        """Return one output, by its position, for each entry of `rows`: positions of rows of weights."""
        outputs = np.empty(len(rows), self._kind)
        for start in range(0, len(rows), BLOCK):
            block = slice(start, start + BLOCK)
            outputs[block] = self._drawn(rows[block], bits)
        return outputs

    def _drawn(self, rows: npt.NDArray[Any], bits: Bits) -> npt.NDArray[Any]:
        first = bits.words(len(rows), np.uint16)
        cells = rows.astype(np.int64)
        cells <<= self.bits
        cells |= first if self.bits == FIRST else first >> (FIRST - self.bits)
        outputs = self._guide.take(cells)
        still = np.flatnonzero(outputs == self._open)
        if len(still):
            outputs[still] = self._searched(rows[still], first[still], bits)
        return outputs

    def _searched(self, rows: npt.NDArray[Any], first: npt.NDArray[Any], bits: Bits) -> npt.NDArray[Any]:
        """Return the outputs where a threshold lies inside the cell, by bisection with 64 bits of U or almost."""
        u = first.astype(np.uint64) << np.uint64(64 - FIRST)
        u |= bits.words(len(rows), np.uint64) >> np.uint64(FIRST)
        keys = self._keys(rows, u)
        places = self._thresholds.searchsorted(keys)
        outputs: npt.NDArray[np.int64] = places - rows.astype(np.int64) * (self.outputs - 1)
        agree = self._thresholds.take(places, mode="clip") == keys
        for one in np.flatnonzero(agree):
            outputs[one] = self._settled(int(rows[one]), int(u[one]), bits)
        return outputs

    def _keys(self, rows: npt.NDArray[Any], numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        """Return numbers of 64 bits with as many of their last bits left out as their row takes up before the first."""
        before = rows.astype(np.uint64) << np.uint64(64 - self._row_bits)
        keys: npt.NDArray[np.uint64] = before | numbers >> np.uint64(self._row_bits)
        return keys

    def _settled(self, row: int, u: int, bits: Bits) -> int:
        """Return the output where 64 bits of U are those of a threshold: with more bits, as integers."""
        *inner, total = np.cumsum(self._rows.exact(row)).tolist()
        drawn = 64
        while True:  # U is in [u, u + 1) / 2^drawn
            surely: int = sum(weight << drawn <= u * total for weight in inner)
            perhaps = sum(weight << drawn < (u + 1) * total for weight in inner)
            if surely == perhaps:
                return surely
            u = u << 64 | int(bits.words(1, np.uint64)[0])
            drawn += 64


def _guide_bits(rows: int, outputs: int) -> int:
    """Return how many bits a guide table of so many rows is for."""
    handy = (CELLS // rows).bit_length() - 1
    narrow = (outputs - 1).bit_length() + SPARE
    return max(0, min(FIRST, max(handy, narrow), (MOST_CELLS // rows).bit_length() - 1))
