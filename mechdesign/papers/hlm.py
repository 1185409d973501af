"""[HLM] (12)-(21), Theorems 4 and 5: the exponential mechanism with the Hamming utility, and its parent.

Throughout, m is the number of values, n that of rows, z = e^-gamma, 0 < z <= 1, and alpha the parent's probability of
each other value, 0 <= alpha <= 1/m. For an epsilon, results are rational bounds on the private side.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import log
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.closed_form.k_ary import off_diagonal
from mechdesign.closed_form.product_sanitisation import least_error
from mechdesign.exact.exponentials import parse_ratio
from mechdesign.exact.integers import shortest
from mechdesign.exact.numbers import Number, parse_delta
from mechdesign.graph.databases import MAX_ROWS, check_database_count, database_graph, product_weights, row_distances
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.papers.published import Claim
from mechdesign.privacy.gaps import hockey_stick
from mechdesign.privacy.released import Released

CASES = list(product((2, 3, 4), (1, 2, 3), ("1", "3/2", "3", "8"), ("0", "1/100", "1/5", "1/2")))
FORMULAS = {
    (2, 1, "1", "0"): ("alpha", "diagonal", "error"),
    (3, 2, "1", "0"): ("alpha", "diagonal", "C", "error"),
    (5, 6, "1", "1/100"): ("alpha", "diagonal", "gamma", "C", "error"),
    (5, 6, "1/2", "1/10"): ("alpha", "diagonal", "gamma", "error"),
    (4, 10, "2", "1/1000"): ("alpha", "diagonal", "gamma", "error"),
    (3, 2, "0", "1/20"): ("alpha", "diagonal", "gamma", "error"),
}
"""(m, n, epsilon, delta) -> of what the table has digits."""


def distance(d: Any, a: Any) -> int:
    """Return the Hamming distance of databases (tuples, or text), how many rows differ, (1).

    Examples
    --------
    >>> distance("cars", "cats")
    1
    """
    return sum(x != y for x, y in zip(d, a, strict=True))


def least_delta(mechanism: Mechanism, graph: nx.Graph, ratio: Fraction) -> Fraction:
    """Return the least delta with which (5) holds on every edge, both ways, by the definition."""
    released = dict(zip(mechanism.profiles, mechanism.all_released(), strict=True))
    pairs = [pair for a, b in graph.edges for pair in ((a, b), (b, a))]
    return max(hockey_stick(released[a], released[b], ratio) for a, b in pairs)


def expected_changes(mechanism: Mechanism) -> list[Fraction]:
    """Return the expected number of rows that change, for each database, by the definition (16).

    Examples
    --------
    >>> set(expected_changes(hamming_mechanism("ab", 3, Fraction(1, 2))))
    {Fraction(1, 1)}
    """
    rows = zip(mechanism.profiles, mechanism.all_released(), strict=True)
    return [Fraction(sum(_changes(d, row, mechanism.outputs)), row.total) for d, row in rows]


def _changes(d: Label, row: Released, outputs: Sequence[Label]) -> Iterator[int]:
    return (int(weight) * distance(d, a) for weight, a in zip(row.weights, outputs, strict=True))


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
    """Return z = e^-gamma = alpha / (1 - (m-1) alpha), the inverse of `alpha_of_base`."""
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


def theorems_4_5() -> Iterator[Claim]:
    """In how many cases the theorems hold exactly, and a table of their formulas."""
    private, accurate, constant = exact_cases()
    yield Claim(f"Theorem 4: cases of {len(CASES)} with exactly the delta asked for", private)
    yield Claim(f"Theorem 5: cases of {len(CASES)} with exactly the error (17)", accurate)
    yield Claim(f"Proposition 1: cases of {len(CASES)} with the constant (13)", constant)
    yield Claim("Discussion: McSherry and Talwar's epsilon over the least one", _factor_over_mcsherry_talwar())
    for (m, n, epsilon, delta), names in FORMULAS.items():
        values = _formulas(m, n, Fraction(epsilon), Fraction(delta))
        for name in names:
            yield Claim(f"{name}: m = {m}, n = {n}, epsilon {epsilon}, delta {delta}", values[name])


def exact_cases() -> tuple[int, int, int]:
    """Return for how many cases the delta, the error and the constant are exactly those of the theorems."""
    private = accurate = constant = 0
    for m, n, ratio, delta in CASES:
        E, asked = Fraction(ratio), Fraction(delta)
        z = least_base(m, ratio=E, delta=asked)
        mechanism = hamming_mechanism(range(m), n, z)
        private += least_delta(mechanism, database_graph(range(m), n), E) == asked == hamming_delta(m, z, E)
        accurate += set(expected_changes(mechanism)) == {least_error(m, n, ratio=E, delta=asked)}
        constant += mechanism.row((0,) * n, (0,) * n)[0] == normalising_constant(m, n, z)
    return private, accurate, constant


def _formulas(m: int, n: int, epsilon: Fraction, delta: Fraction) -> dict[str, Fraction | float]:
    alpha, z = (least(m, epsilon=epsilon, delta=delta) for least in (parent_alpha, least_base))
    return {
        "alpha": alpha,
        "diagonal": 1 - (m - 1) * alpha,
        "gamma": -log(base_of_alpha(m, alpha)),
        "C": normalising_constant(m, n, z),
        "error": hamming_error(m, n, z),
    }


def _factor_over_mcsherry_talwar() -> float:
    """Return 2 gamma, as the utility changes by gamma at most, over the logarithm of the largest ratio."""
    z = Fraction(1, 3)
    rows = [released.fractions() for released in hamming_mechanism(range(3), 1, z).all_released()]
    return 2 * log(1 / z) / log(max(p / q for row in rows for other in rows for p, q in zip(row, other, strict=True)))
