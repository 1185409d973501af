"""The exponential mechanism with the Hamming utility u(d, a) = -gamma h(d, a), exact in terms of z = e^{-gamma}.

It equals the product sanitisation whose parent reports each other value with probability z / (1 + (m-1) z).
Throughout, m is the number of values, n that of rows, 0 < z <= 1, and `ratio` is e^epsilon or a rational below it.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from mechdesign.closed_form.exponential import MAX_ROWS, check_database_count, database_graph
from mechdesign.closed_form.k_ary import off_diagonal
from mechdesign.errors import InputError
from mechdesign.exact import parse_delta, shown
from mechdesign.graph import Label
from mechdesign.mechanism import Mechanism, reduced


def hamming_mechanism(values: Sequence[Label], n: int, z: Fraction) -> Mechanism:
    """Return the mechanism on all databases of n rows: P(X_d = a) = C z^h(d, a).

    Parameters
    ----------
    values
        the m values.
    n
        the number of rows.
    z
        e^{-gamma}; `least_base` gives the least that is private.

    Raises
    ------
    InputError
        unless 0 < z <= 1, or if there are too many databases to list.

    References
    ----------
    [HLM] (12), arXiv:1505.07254.

    Examples
    --------
    >>> hamming_mechanism(["no", "yes"], 2, Fraction(1, 2)).row(("no", "no"), ("no", "no"))
    (Fraction(4, 9), Fraction(2, 9), Fraction(2, 9), Fraction(1, 9))
    """
    _check_base(z)
    check_database_count(values, n, MAX_ROWS)
    graph = database_graph(values, n)
    code = {value: position for position, value in enumerate(values)}
    codes = np.array([[code[value] for value in database] for database in graph])
    powers = np.array([z.numerator**h * z.denominator ** (n - h) for h in range(n + 1)], dtype=object)
    distance = sum((column[:, None] != column).astype(int) for column in codes.T)
    d = len(codes)
    return Mechanism(graph, tuple(graph), reduced(powers[distance]), np.broadcast_to(np.arange(d), (d, d)))


def normalising_constant(m: int, n: int, z: Fraction) -> Fraction:
    """Return C = (1 + (m-1) z)^-n, the same for every database.

    Parameters
    ----------
    m, n, z
        values, rows, e^{-gamma}.

    References
    ----------
    [HLM] Proposition 1, (13), arXiv:1505.07254.

    Examples
    --------
    >>> normalising_constant(2, 2, Fraction(1, 2))
    Fraction(4, 9)
    """
    _check_base(z)
    return (1 + (m - 1) * z) ** -n


def least_base(m: int, ratio: Fraction, delta: Fraction = Fraction(0)) -> Fraction:
    """Return (1 - delta) / (ratio + (m-1) delta): the mechanism is private if and only if z is at least this.

    Parameters
    ----------
    m, ratio, delta
        values, e^epsilon, and delta in [0, 1).

    References
    ----------
    [HLM] Theorem 4, (14), arXiv:1505.07254: gamma <= ln((e^eps + (m-1) delta)/(1 - delta)), whatever n.

    Examples
    --------
    >>> least_base(3, Fraction(2)), least_base(3, Fraction(2), Fraction(1, 10))
    (Fraction(1, 2), Fraction(9, 22))
    """
    return (1 - parse_delta(delta)) / (ratio + (m - 1) * delta)


def hamming_delta(m: int, z: Fraction, ratio: Fraction) -> Fraction:
    """Return the least delta with which the mechanism is private at `ratio`: max(0, 1 - ratio z) / (1 + (m-1) z).

    Parameters
    ----------
    m, z, ratio
        values, e^{-gamma}, e^epsilon.

    References
    ----------
    [HLM] (15), arXiv:1505.07254: the excess on the one set {a : a_i = d_i}, i being the row that differs.

    Examples
    --------
    >>> hamming_delta(3, Fraction(9, 22), Fraction(2))
    Fraction(1, 10)
    """
    _check_base(z)
    return max(Fraction(0), 1 - ratio * z) / (1 + (m - 1) * z)


def hamming_error(m: int, n: int, z: Fraction) -> Fraction:
    """Return the expected number of rows that change, n (m-1) z / (1 + (m-1) z), the same for every database.

    Parameters
    ----------
    m, n, z
        values, rows, e^{-gamma}.

    References
    ----------
    [HLM] (16), arXiv:1505.07254.

    Examples
    --------
    >>> hamming_error(2, 3, Fraction(1, 2))
    Fraction(1, 1)
    """
    _check_base(z)
    return n * (m - 1) * z / (1 + (m - 1) * z)


def least_error(m: int, n: int, ratio: Fraction, delta: Fraction = Fraction(0)) -> Fraction:
    """Return n (m-1) (1 - delta) / (ratio + m - 1), the error at `least_base`: no private mechanism has less.

    Parameters
    ----------
    m, n, ratio, delta
        values, rows, e^epsilon, and delta in [0, 1).

    References
    ----------
    [HLM] Theorem 5, (17), arXiv:1505.07254. Stated there for this family, it holds for all mechanisms on D^n, judged by
    its worst or its uniform average expected number of changed rows: see `optimal_product_sanitisation`.

    Examples
    --------
    >>> least_error(3, 2, Fraction(2)), hamming_error(3, 2, least_base(3, Fraction(2)))
    (Fraction(1, 1), Fraction(1, 1))
    """
    return n * (m - 1) * off_diagonal(m, ratio, parse_delta(delta))


def _check_base(z: Fraction) -> None:
    if not 0 < z <= 1:
        raise InputError(f"z: expected e^-gamma in (0, 1], found {shown(z)}")
