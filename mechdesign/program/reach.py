"""Which released distributions a profile can reach without reporting any category as another too often.

Moving at most a share t of each category x to each other category y turns P into q iff q(S) <= P(S) + t |S| (1 - P(S))
for every set S of outputs: by max flow = min cut, what enters S from outside is at most t |S| per unit of mass outside.
For each size s the most violated S consists of the s largest q_y - (1 - t s) P(y), so sorting finds it.
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

NO_SLOPE = 1e-300
"""A set with no more than this outside, per output in it, puts no limit on t that doubles could hold."""

LEAST_STEP, MOST_STEPS = 1e-16, 100
"""The least t is found when it would rise by no more than the first. Dinkelbach's method takes a handful of steps, and
the second is only for rounding errors that would go on for ever."""


def reach_excess(
    profiles: Floats, released: Floats, level: float
) -> tuple[Floats, Floats, list[npt.NDArray[np.int64]]]:
    """Return, for each profile and size s = 1..d-1, max over |S| = s of q(S) - P(S) - t s (1 - P(S)).

    Then s (1 - P(S)) for the set that attains it, and the orders: that of entry (i, s - 1) is `orders[s - 1][i, :s]`.
    What counts is summed outside S: if nearly all mass is in S, doubles could not tell 1 - P(S) from 0.

    Examples
    --------
    >>> excess, _, orders = reach_excess(np.array([[0.5, 0.5]]), np.array([[0.75, 0.25]]), 0.25)
    >>> float(excess[0, 0]), orders[0][0, :1].tolist()
    (0.125, [0])
    """
    excess, slopes, orders = [np.zeros((0, len(profiles)))], [np.zeros((0, len(profiles)))], []
    for size in range(1, profiles.shape[1]):
        order = np.argsort(-(released - (1 - level * size) * profiles), axis=1, kind="stable")
        left, outside = (
            np.take_along_axis(table, order[:, size:], axis=1).sum(axis=1) for table in (released, profiles)
        )
        slopes.append(size * outside[None, :])
        excess.append(outside - left - level * slopes[-1])
        orders.append(order)
    return np.concatenate(excess).T, np.concatenate(slopes).T, orders


def least_level(profiles: Floats, released: Floats) -> float:
    """Return the least t at which every profile reaches its released distribution, in doubles (Dinkelbach's method).

    Examples
    --------
    >>> least_level(np.array([[0.5, 0.5]]), np.array([[0.75, 0.25]]))
    0.5
    """
    level = 0.0
    for _ in range(MOST_STEPS):
        excess, slopes, _ = reach_excess(profiles, released, level)
        step = np.divide(excess, slopes, out=np.zeros_like(excess), where=slopes > NO_SLOPE).max(initial=0.0)
        if step <= LEAST_STEP:
            return level
        level += float(step)
    return level
