"""The exponential mechanism with the Hamming utility u(d, a) = -gamma h(d, a), exact in terms of z = e^{-gamma}.

It equals the product sanitisation whose parent reports each other value with probability z / (1 + (m-1) z).
Throughout, m is the number of values, n that of rows, 0 < z <= 1, and 0 <= delta < 1. What is asked is `epsilon`, in
nats, or `ratio`, which is e^epsilon exactly: one of the two. For an epsilon results are rational bounds, on the side
each function says.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from mechdesign.closed_form.k_ary import off_diagonal
from mechdesign.errors import InputError
from mechdesign.exact.exponentials import exp_above, parse_ratio
from mechdesign.exact.integers import shortest
from mechdesign.exact.numbers import Number, parse_delta, parse_number
from mechdesign.exact.text import shown
from mechdesign.graph.databases import MAX_ROWS, check_database_count, database_graph, product_weights, row_distances
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism


def hamming_mechanism(values: Sequence[Label], n: int, z: Number) -> Mechanism:
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
    base = _base(z)
    check_database_count(values, n, MAX_ROWS)
    graph = database_graph(values, n)
    d = len(graph)
    weights = shortest(product_weights(row_distances(list(graph)), n, base))
    return Mechanism(graph, tuple(graph), weights, np.broadcast_to(np.arange(d), (d, d)))


def normalising_constant(m: int, n: int, z: Number) -> Fraction:
    """Return C = (1 + (m-1) z)^-n, the same for every database.

    References
    ----------
    [HLM] Proposition 1, (13), arXiv:1505.07254.

    Examples
    --------
    >>> normalising_constant(2, 2, Fraction(1, 2))
    Fraction(4, 9)
    """
    return (1 + (m - 1) * _base(z)) ** -n


def least_base(m: int, *, epsilon: Number | None = None, ratio: Number | None = None, delta: Number = 0) -> Fraction:
    """Return (1 - delta) / (e^epsilon + (m-1) delta): the mechanism is private if and only if z is at least this.

    For an epsilon it is rounded up, to the private side; 0, which is no base, if that is infinite.

    References
    ----------
    [HLM] Theorem 4, (14), arXiv:1505.07254: gamma <= ln((e^eps + (m-1) delta)/(1 - delta)), whatever n.

    Examples
    --------
    >>> least_base(3, ratio=2), least_base(3, ratio=2, delta="0.1")
    (Fraction(1, 2), Fraction(9, 22))
    """
    allowed = parse_delta(delta)
    return Fraction((1 - allowed) / (parse_ratio(epsilon, ratio) + (m - 1) * allowed))


def hamming_delta(m: int, z: Number, *, epsilon: Number | None = None, ratio: Number | None = None) -> Fraction:
    """Return the least delta with which the mechanism is private: max(0, 1 - e^epsilon z) / (1 + (m-1) z).

    For an epsilon it is rounded up, to the private side.

    References
    ----------
    [HLM] (15), arXiv:1505.07254: the excess on the one set {a : a_i = d_i}, i being the row that differs.

    Examples
    --------
    >>> hamming_delta(3, "9/22", ratio=2)
    Fraction(1, 10)
    """
    base = _base(z)
    E = parse_ratio(epsilon, ratio)
    return (1 - E * base) / (1 + (m - 1) * base) if isinstance(E, Fraction) and E * base < 1 else Fraction(0)


def hamming_error(m: int, n: int, z: Number) -> Fraction:
    """Return the expected number of rows that change, n (m-1) z / (1 + (m-1) z), the same for every database.

    References
    ----------
    [HLM] (16), arXiv:1505.07254.

    Examples
    --------
    >>> hamming_error(2, 3, Fraction(1, 2))
    Fraction(1, 1)
    """
    base = _base(z)
    return n * (m - 1) * base / (1 + (m - 1) * base)


def least_error(
    m: int, n: int, *, epsilon: Number | None = None, ratio: Number | None = None, delta: Number = 0
) -> Fraction:
    """Return n (m-1) (1 - delta) / (e^epsilon + m - 1), the error at `least_base`: no private mechanism has less.

    For an epsilon it is rounded down, so that this holds; it may be at most 100,000, or infinite.

    References
    ----------
    [HLM] Theorem 5, (17), arXiv:1505.07254. Stated there for this family, it holds for all mechanisms on D^n, judged by
    its worst or its uniform average expected number of changed rows: see `optimal_product_sanitisation`.

    Examples
    --------
    >>> least_error(3, 2, ratio=2), hamming_error(3, 2, least_base(3, ratio=2))
    (Fraction(1, 1), Fraction(1, 1))
    """
    return n * (m - 1) * off_diagonal(m, parse_ratio(epsilon, ratio, exp_above), parse_delta(delta))


def _base(z: Number) -> Fraction:
    base = parse_number(z)
    if not 0 < base <= 1:
        raise InputError(f"z: expected e^-gamma in (0, 1], found {shown(z)}")
    return base
