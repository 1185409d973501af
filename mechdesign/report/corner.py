"""Profiles without neighbours, side by side in a block: where a drawing has room for all of them, else below it."""

import math
from collections.abc import Sequence

import numpy as np

from mechdesign.graph.labels import Label

Point = tuple[float, float]
Places = dict[Label, Point]

MOST_WORK = 2_000_000
"""Comparisons of a cell with a profile or an edge: of a larger drawing they stand below, which takes none."""


def in_a_corner(alone: Sequence[Label], places: Places, edges: Sequence[tuple[Label, Label]], cell: Point) -> Places:
    """Return places for profiles without neighbours, together, in a block of cells that nothing else crosses.

    The block is the one nearest to a square, and of several the highest and the farthest to the right.

    Examples
    --------
    >>> in_a_corner(["lone"], {"a": (0.5, 0.5), "b": (2.5, 2.5)}, [("a", "b")], (1.0, 1.0))
    {'lone': (1.5, 2.5)}
    >>> in_a_corner(["lone"], {"a": (0.5, 0.5), "b": (2.5, 0.5)}, [("a", "b")], (1.0, 1.0))
    {'lone': (0.5, -0.5)}
    """
    if not alone:
        return {}
    (left, right), (low, high) = (
        [reach(at[axis] for at in places.values()) for reach in (min, max)] for axis in (0, 1)
    )
    across = [right - cell[0] * step for step in range(int((right - left) / cell[0] + 1e-9) + 1)][::-1]
    down = [high - cell[1] * step for step in range(int((high - low) / cell[1] + 1e-9) + 1)]
    block = None
    if len(across) * len(down) * (len(places) + len(edges)) <= MOST_WORK:
        drawn = [(places[a], places[b]) for a, b in edges]
        free = np.array([[_is_free((x, y), places, drawn, cell) for x in across] for y in down])
        block = _block(free, len(alone))
    if block is None:
        first, wide = len(down), len(across)
        down += [low - cell[1] * (step + 1) for step in range(math.ceil(len(alone) / wide))]
        across = [left + cell[0] * step for step in range(wide)]
        block = (first, 0, wide)
    line, column, wide = block
    return {
        profile: (across[column + number % wide], down[line + number // wide]) for number, profile in enumerate(alone)
    }


def _block(free: np.ndarray[tuple[int, int], np.dtype[np.bool_]], count: int) -> tuple[int, int, int] | None:
    """Return the first line, first column and width of a block of free cells for so many; None if there is none."""
    sums = np.zeros((free.shape[0] + 1, free.shape[1] + 1), dtype=np.int64)
    sums[1:, 1:] = free.cumsum(0).cumsum(1)
    shapes = ((math.ceil(count / wide), wide) for wide in range(1, min(count, free.shape[1]) + 1))
    for high, wide in sorted(shapes, key=lambda shape: (abs(shape[0] - shape[1]), shape)):
        if high > free.shape[0]:
            continue
        found = sums[high:, wide:] - sums[:-high, wide:] - sums[high:, :-wide] + sums[:-high, :-wide]
        lines, columns = np.nonzero(found == high * wide)
        if len(lines):
            best = min(zip(lines.tolist(), columns.tolist(), strict=True), key=lambda at: (at[0], -at[1]))
            return best[0], best[1], wide
    return None


def _is_free(at: Point, places: Places, edges: Sequence[tuple[Point, Point]], cell: Point) -> bool:
    """Return whether a cell lies clear of all others, and of all edges."""
    if any(
        all(abs(p - q) < size - 1e-9 for p, q, size in zip(at, other, cell, strict=True)) for other in places.values()
    ):
        return False
    return not any(_crosses(one, other, at, cell) for one, other in edges)


def _crosses(one: Point, other: Point, at: Point, cell: Point) -> bool:
    """Return whether a line runs through a cell: what is left of it between the cell's sides is not empty."""
    start, end = 0.0, 1.0
    for p, q, centre, size in zip(one, other, at, cell, strict=True):
        near, far = centre - size / 2, centre + size / 2
        if abs(q - p) < 1e-12:
            if not near < p < far:
                return False
            continue
        ends = sorted(((near - p) / (q - p), (far - p) / (q - p)))
        start, end = max(start, ends[0]), min(end, ends[1])
    return start < end - 1e-12
