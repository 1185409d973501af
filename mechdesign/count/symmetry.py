"""How far a law is symmetric about each of its points."""

import numpy as np

from mechdesign.arrays import Floats, Integers


def mirrored(x: Floats, log_ratios: Floats) -> Integers:
    """Return for the points and the gaps between them, alternately, how many places from there on mirror each other.

    A gap mirrors another of the same width with the opposite logarithm. This is Manacher's algorithm for palindromes.

    Parameters
    ----------
    x
        the points, ascending.
    log_ratios
        ln w_i / w_{i-1}; the first is not used.

    Examples
    --------
    >>> mirrored(np.array([0.0, 1.0, 2.0]), np.array([0.0, 3.0, -3.0]))
    array([1, 0, 3, 0, 1])
    """
    places = 2 * len(x) - 1
    steps = np.zeros(places, dtype=np.complex128)
    steps[1::2] = np.diff(x) + 1j * log_ratios[1:]
    forward, backward = steps.tolist(), steps.conj().tolist()
    counts, middle, end = [0] * places, 0, 0
    for place in range(places):
        count = min(counts[2 * middle - place], end - place) if place < end else 0
        while count <= place and place + count < places and forward[place + count] == backward[place - count]:
            count += 1
        counts[place] = count
        if place + count > end:
            middle, end = place, place + count
    return np.array(counts)
