"""Which released distributions a profile can reach without reporting any category as another too often.

Moving at most a share t of each category x to each other category y turns P into q iff q(S) <= P(S) + t |S| (1 - P(S))
for every set S of outputs: by max flow = min cut, what enters S from outside is at most t |S| per unit of mass outside.
For each size s the most violated S consists of the s largest q_y - (1 - t s) P(y), so sorting finds it.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats, Integers
from mechdesign.objective.base import Cut, Rows

LEAST_STEP, MOST_STEPS = 1e-16, 100
"""The least t is found when it would rise by no more than the first. Dinkelbach's method takes a handful of steps, and
the second is only for rounding errors that would go on for ever."""


def reach_excess(
    profiles: Floats, released: Floats, levels: Floats | float
) -> tuple[Floats, Floats, list[npt.NDArray[np.int64]]]:
    """Return, for each profile and size s = 1..d-1, max over |S| = s of q(S) - P(S) - t s (1 - P(S)), at its level t.

    Then s (1 - P(S)) for the set that attains it, and the orders: that of entry (i, s - 1) is `orders[s - 1][i, :s]`.
    What counts is summed outside S: if nearly all mass is in S, doubles could not tell 1 - P(S) from 0.

    Examples
    --------
    >>> excess, _, orders = reach_excess(np.array([[0.5, 0.5]]), np.array([[0.75, 0.25]]), 0.25)
    >>> float(excess[0, 0]), orders[0][0, :1].tolist()
    (0.125, [0])
    """
    excess, slopes, orders = [np.zeros((0, len(profiles)))], [np.zeros((0, len(profiles)))], []
    levels = np.broadcast_to(levels, len(profiles))
    for size in range(1, profiles.shape[1]):
        order = np.argsort(-(released - (1 - levels * size)[:, None] * profiles), axis=1, kind="stable")
        left, outside = (
            np.take_along_axis(table, order[:, size:], axis=1).sum(axis=1) for table in (released, profiles)
        )
        slopes.append(size * outside[None, :])
        excess.append(outside - left - levels * slopes[-1])
        orders.append(order)
    return np.concatenate(excess).T, np.concatenate(slopes).T, orders


def least_levels(profiles: Floats, released: Floats, of: Integers) -> Floats:
    """Return for each profile the least t at which all of its part, `of` which it is, reach what they release.

    In doubles, by Dinkelbach's method.

    Examples
    --------
    >>> least_levels(np.array([[0.5, 0.5]] * 2), np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([0, 0])).tolist()
    [0.5, 0.5]
    """
    levels, rising = np.zeros(len(profiles)), np.arange(len(profiles))
    for _ in range(MOST_STEPS):
        excess, slopes, _ = reach_excess(profiles[rising], released[rising], levels[rising])
        steps = np.zeros(int(of.max(initial=0)) + 1)
        each = np.divide(excess, slopes, out=np.zeros_like(excess), where=slopes > 0).max(axis=1, initial=0.0)
        np.maximum.at(steps, of[rising], each)
        rising = rising[steps[of[rising]] > LEAST_STEP]
        if not len(rising):
            break
        levels[rising] += steps[of[rising]]
    return levels


def violated_cuts(profiles: Floats, released: Floats, level: float, tolerance: float) -> list[Cut]:
    """Return each profile's most violated reachability constraint of each size of S at t = `level`.

    Violated is what is above its bound by more than `tolerance`, as far as doubles can tell.
    """
    excess, _, orders = reach_excess(profiles, released, level)
    found = np.argwhere(excess > tolerance).tolist()
    return [(i, tuple(sorted(orders[size][i, : size + 1].tolist()))) for i, size in found]


def add_reach(rows: Rows, profiles: Floats, cuts: Sequence[Cut], level: float | None) -> int:
    """Add q^i(S) - t |S| (1 - P_i(S)) <= P_i(S) for each cut; t is column k m, or `level`. Return k m."""
    import scipy.sparse as sp  # here, because it loads slowly and only solving needs it

    n, m = profiles.size, profiles.shape[1]
    sizes, places = np.array([len(chosen) for _, chosen in cuts], dtype=np.int64), np.arange(len(cuts))
    row = np.repeat(places, sizes)
    column = np.array([i * m + y for i, chosen in cuts for y in chosen], dtype=np.int64)
    inside = np.bincount(row, profiles.ravel()[column], len(cuts)).astype(np.float64)
    slope, ones = sizes * (1 - inside), np.ones(len(row))
    if level is None:
        entries = np.concatenate([row, places]), np.concatenate([column, np.full(len(cuts), n)])
        sums = sp.csr_matrix((np.concatenate([ones, -slope]), entries), shape=(len(cuts), n + 1))
        rows.at_most(sums, inside, name="objective")
    else:
        rows.at_most(sp.csr_matrix((ones, (row, column)), shape=(len(cuts), n)), inside + level * slope)
    return n


def entry_prices(profiles: Floats, cuts: Sequence[Cut], weights: Floats) -> Floats:
    """Return the weights of A^i_xy <= t that add up to the cuts: P_i(x) times those of the sets with y but not x."""
    profile, inside = np.array([i for i, _ in cuts]), np.zeros((len(cuts), profiles.shape[1]))
    for row, (_, chosen) in zip(inside, cuts, strict=True):
        row[list(chosen)] = 1.0
    weighted = weights[:, None] * inside
    own = (profile == i for i in range(len(profiles)))
    return np.array([P[:, None] * ((1.0 - inside[o]).T @ weighted[o]) for P, o in zip(profiles, own, strict=True)])


def alike_prices(prices: Floats, variables: Integers) -> Floats:
    """Return tables (k x d x d) with the mean of each block of variables (i, x) and (i, y), x other than y, in it.

    A set of outputs is as good a cut as any with as many outputs of each variable; the mean of their prices is this.
    Tables in which each output has a variable of its own stay as they are.
    """
    return np.array([_blockwise(table, row) for table, row in zip(prices, variables, strict=True)])


def _blockwise(table: Floats, variables: Integers) -> Floats:
    found, number = np.unique(variables, return_inverse=True)
    if len(found) == len(variables):
        return table
    member = np.identity(len(found))[number]
    off = 1.0 - np.identity(len(variables))
    sums, counts = member.T @ (table * off) @ member, member.T @ off @ member
    means = np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0)
    return np.array(means[number][:, number] * off)
