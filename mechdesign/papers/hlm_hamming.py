"""[HLM] (12)-(21): the exponential mechanism with the Hamming utility, and the parent whose product it is.

Throughout, m is the number of values, n that of rows, z = e^-gamma, 0 < z <= 1, and alpha the parent's probability of
each other value, 0 <= alpha <= 1/m. For an epsilon, results are rational bounds on the private side.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from mechdesign.closed_form.k_ary import off_diagonal
from mechdesign.exact.exponentials import parse_ratio
from mechdesign.exact.integers import shortest
from mechdesign.exact.numbers import Number, parse_delta
from mechdesign.graph.databases import MAX_ROWS, check_database_count, database_graph, product_weights, row_distances
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism


def hamming_mechanism(values: Sequence[Label], n: int, z: Fraction) -> Mechanism:
    """Return the mechanism on all databases of n rows: P(X_d = a) = C z^h(d, a), (12).

    Examples
    --------
    >>> hamming_mechanism(["no", "yes"], 2, Fraction(1, 2)).row(("no", "no"), ("no", "no"))
    (Fraction(4, 9), Fraction(2, 9), Fraction(2, 9), Fraction(1, 9))
    """
    check_database_count(values, n, MAX_ROWS)
    graph = database_graph(values, n)
    d = len(graph)
    weights = shortest(product_weights(row_distances(list(graph)), n, z))
    return Mechanism(graph, tuple(graph), weights, np.broadcast_to(np.arange(d), (d, d)))


def normalising_constant(m: int, n: int, z: Fraction) -> Fraction:
    """Return C = (1 + (m-1) z)^-n, the same for every database: Proposition 1, (13)."""
    return (1 + (m - 1) * z) ** -n


def least_base(m: int, *, epsilon: Number | None = None, ratio: Number | None = None, delta: Number = 0) -> Fraction:
    """Return (1 - delta) / (e^epsilon + (m-1) delta): the mechanism is private if and only if z is at least this.

    Theorem 4, (14): gamma <= ln((e^eps + (m-1) delta)/(1 - delta)), whatever n.

    Examples
    --------
    >>> least_base(3, ratio=2), least_base(3, ratio=2, delta="0.1")
    (Fraction(1, 2), Fraction(9, 22))
    """
    allowed = parse_delta(delta)
    return Fraction((1 - allowed) / (parse_ratio(epsilon, ratio) + (m - 1) * allowed))


def hamming_delta(m: int, z: Fraction, ratio: Fraction) -> Fraction:
    """Return the least delta with which it is private, max(0, 1 - e^epsilon z) / (1 + (m-1) z), (15).

    It is the excess on the one set {a : a_i = d_i}, i being the row that differs.
    """
    return max(Fraction(0), 1 - ratio * z) / (1 + (m - 1) * z)


def hamming_error(m: int, n: int, z: Fraction) -> Fraction:
    """Return the expected number of rows that change, n (m-1) z / (1 + (m-1) z), the same for every database: (16)."""
    return n * (m - 1) * alpha_of_base(m, z)


def alpha_of_base(m: int, z: Fraction) -> Fraction:
    """Return the alpha of the parent whose n rows are the Hamming mechanism of z: Theorem 7, (20)."""
    return z / (1 + (m - 1) * z)


def base_of_alpha(m: int, alpha: Fraction) -> Fraction:
    """Return z = e^-gamma = alpha / (1 - (m-1) alpha), the inverse of `alpha_of_base`.

    Examples
    --------
    >>> base_of_alpha(3, alpha_of_base(3, Fraction(1, 2)))
    Fraction(1, 2)
    """
    return alpha / (1 - (m - 1) * alpha)


def parent_alpha(m: int, *, epsilon: Number | None = None, ratio: Number | None = None, delta: Number = 0) -> Fraction:
    """Return (1 - delta) / (e^epsilon + m - 1): n rows are private if and only if alpha is at least this.

    Theorem 8, (21).

    Examples
    --------
    >>> parent_alpha(5, ratio=2, delta="2/5")
    Fraction(1, 10)
    """
    return off_diagonal(m, parse_ratio(epsilon, ratio), parse_delta(delta))
