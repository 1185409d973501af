"""Parents of a product sanitisation that treat all values alike: each other value has the same probability alpha.

Throughout, m is the number of values, n that of rows, 0 <= alpha <= 1/m, and z = e^-gamma, 0 < z <= 1, the base of the
exponential mechanism with the Hamming utility (`mechdesign.closed_form.hamming`). What is asked is `epsilon`, in nats,
or `ratio`, which is e^epsilon exactly: one of the two; and delta in [0, 1).
"""

from collections.abc import Sequence
from fractions import Fraction

from mechdesign.closed_form.k_ary import off_diagonal, symmetric
from mechdesign.errors import InputError
from mechdesign.exact.exponentials import parse_ratio
from mechdesign.exact.numbers import Number, parse_delta, parse_number
from mechdesign.exact.text import shown
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism


def parent_alpha(m: int, *, epsilon: Number | None = None, ratio: Number | None = None, delta: Number = 0) -> Fraction:
    """Return (1 - delta) / (e^epsilon + m - 1): n rows are private if and only if alpha is at least this.

    For an epsilon it is rounded up, to the private side.

    References
    ----------
    [HLM] Theorem 8, (21), arXiv:1505.07254; alpha is the probability of each other value, at most 1/m.

    Examples
    --------
    >>> parent_alpha(5, ratio=2, delta="2/5")
    Fraction(1, 10)
    """
    return off_diagonal(m, parse_ratio(epsilon, ratio), parse_delta(delta))


def symmetric_parent(values: Sequence[Label], alpha: Number) -> Mechanism:
    """Return the parent that reports each other value with probability alpha.

    Parameters
    ----------
    values
        the m values.
    alpha
        in [0, 1/m]; at 1/m it reveals nothing.

    Raises
    ------
    InputError
        if alpha is outside [0, 1/m].

    References
    ----------
    [HLM] (19) and (25), arXiv:1505.07254.

    Examples
    --------
    >>> symmetric_parent(["a", "b", "c"], Fraction(1, 10)).row("b", "b")
    (Fraction(1, 10), Fraction(4, 5), Fraction(1, 10))
    """
    m, other = len(values), parse_number(alpha)
    if not 0 <= other * m <= 1:
        raise InputError(f"alpha: expected a number in [0, 1/{m}], found {shown(alpha)}")
    return symmetric(values, other)


def alpha_of_base(m: int, z: Number) -> Fraction:
    """Return the alpha of the parent whose n rows are the Hamming mechanism of z = e^{-gamma}: z / (1 + (m-1) z).

    References
    ----------
    [HLM] Theorem 7, (20), arXiv:1505.07254.

    Examples
    --------
    >>> alpha_of_base(3, Fraction(1, 2))
    Fraction(1, 4)
    """
    base = parse_number(z)
    return base / (1 + (m - 1) * base)


def base_of_alpha(m: int, alpha: Number) -> Fraction:
    """Return z = e^{-gamma} = alpha / (1 - (m-1) alpha), the inverse of `alpha_of_base`.

    References
    ----------
    [HLM] Theorem 7, (20), arXiv:1505.07254: gamma = ln((1 - (m-1) alpha)/alpha).

    Examples
    --------
    >>> base_of_alpha(3, Fraction(1, 4))
    Fraction(1, 2)
    """
    other = parse_number(alpha)
    return other / (1 - (m - 1) * other)


def product_error(m: int, n: int, alpha: Number) -> Fraction:
    """Return n (m-1) alpha, the expected number of rows that change, the same for every database.

    References
    ----------
    [HLM] Theorem 9, arXiv:1505.07254; with (21) it gives the bound (22), which is (17).

    Examples
    --------
    >>> product_error(5, 6, Fraction(1, 10))
    Fraction(12, 5)
    """
    return n * (m - 1) * parse_number(alpha)
