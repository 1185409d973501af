"""k-ary randomised response; Warner's for two values."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from mechdesign.exact.exponentials import parse_ratio
from mechdesign.exact.numbers import Number, parse_delta
from mechdesign.graph.labels import Label
from mechdesign.mechanism.from_matrix import mechanism_from_matrix
from mechdesign.mechanism.mechanism import Mechanism


def off_diagonal(d: int, ratio: Fraction | float, delta: Fraction = Fraction(0)) -> Fraction:
    """Return (1 - delta) / (ratio + d - 1), the probability of reporting any one other value; 0 for d = 1.

    The ratio is what `parse_ratio` makes of the one given: at least 1, perhaps infinite.

    Examples
    --------
    >>> off_diagonal(4, Fraction(3))
    Fraction(1, 6)
    """
    return Fraction((1 - delta) / (ratio + d - 1)) if d > 1 else Fraction(0)


def k_ary(
    values: Sequence[Label], *, epsilon: Number | None = None, ratio: Number | None = None, delta: Number = 0
) -> Mechanism:
    """Return k-ary randomised response: each other value with probability (1 - delta) / (e^epsilon + k - 1).

    It is (epsilon, delta) locally private, and among all such mechanisms the one of least worst-case error; the
    identity if epsilon is infinite.

    Parameters
    ----------
    values
        the k values.
    epsilon, ratio
        what is asked in nats, where more than 700 counts as 700, or exactly as e^epsilon: one of the two.
    delta
        in [0, 1).

    Raises
    ------
    InputError
        unless one of epsilon >= 0 and ratio >= 1 is given, and delta is in [0, 1).

    References
    ----------
    [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084: §VII (the baseline).
    [HLM] Holohan, Leith and Mason, arXiv:1505.07254: Theorem 10 for delta > 0, with the diagonal
    (e^eps + (k-1) delta)/(e^eps + k-1).

    Examples
    --------
    >>> k_ary(["a", "b", "c"], ratio=2).row("a", "a")
    (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    >>> float(k_ary(["a", "b"], epsilon=1).row("a", "a")[0])        # e / (e + 1)
    0.7310585786300049
    """
    return symmetric(values, off_diagonal(len(values), parse_ratio(epsilon, ratio), parse_delta(delta)))


def symmetric(values: Sequence[Label], other: Fraction) -> Mechanism:
    """Return the mechanism that reports each other value with this probability, at most 1 over their number.

    Examples
    --------
    >>> symmetric("ab", Fraction(1, 4)).row("a", "a")
    (Fraction(3, 4), Fraction(1, 4))
    """
    k = len(values)
    rows = np.full((k, k), other, dtype=object)
    np.fill_diagonal(rows, 1 - (k - 1) * other)
    return mechanism_from_matrix(rows, inputs=values)
