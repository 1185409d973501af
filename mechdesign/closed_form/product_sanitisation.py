"""Product sanitisation of [HLM]: each row of a database through the same parent mechanism, independently.

n rows are exactly as private as one row, so nothing here depends on the size of D^n: a million rows are certified
from the m x m parent at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import permutations, product

import numpy as np

from mechdesign.closed_form.k_ary import k_ary, off_diagonal
from mechdesign.errors import InputError
from mechdesign.exact.exponentials import exp_above, parse_ratio
from mechdesign.exact.integers import shortest
from mechdesign.exact.numbers import Number, parse_delta, whole
from mechdesign.exact.text import shown
from mechdesign.graph.databases import MAX_ROWS, check_database_count, database_graph
from mechdesign.graph.distribution import support
from mechdesign.graph.labels import Label
from mechdesign.graph.uncertainty import is_robust
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.gaps import hockey_stick
from mechdesign.privacy.released import Released

PRODUCT = "optimal product sanitisation"
OPTIMAL = (
    "Optimal product sanitisation: k-ary randomised response for each row; no product changes fewer "
    "(Holohan, Leith and Mason, arXiv:1505.07254, Theorem 10)."
)


@dataclass(frozen=True, eq=False)
class ProductSanitisation:
    """n rows, each sanitised by itself with the same parent.

    Attributes
    ----------
    parent
        a mechanism with one point-mass profile per value, as `k_ary` and `mechanism_from_matrix` make.
    n
        the number of rows.

    Raises
    ------
    InputError
        if the parent is not such a mechanism, or n not positive.

    References
    ----------
    [HLM] Holohan, Leith and Mason, arXiv:1505.07254: Definition 4, (18).

    Examples
    --------
    >>> rows = ProductSanitisation(k_ary(["a", "b", "c"], ratio=2), 1_000_000)
    >>> rows.is_private(ratio=2), rows.error()
    (True, Fraction(500000, 1))
    """

    parent: Mechanism
    n: int

    def __post_init__(self) -> None:
        whole("n", self.n)
        served = [support(attributes["distribution"]) for attributes in self.parent.graph.nodes.values()]
        positions = sorted(pairs[0][0] for pairs in served if len(pairs) == 1)
        if (
            is_robust(self.parent.graph)
            or len(positions) < len(served)
            or positions != list(range(len(self.parent.categories)))
        ):
            raise InputError("parent: expected exactly one profile for each value, and that value certain")

    def delta(self, *, epsilon: Number | None = None, ratio: Number | None = None) -> Fraction:
        """Return the least delta with which n rows are private, for epsilon in nats or ratio = e^epsilon exactly.

        It is that of the parent, whatever n: neighbours differ in one row, and given the other rows, a set of databases
        is a set of values for that one. For an epsilon it is rounded up, to the private side.

        Raises
        ------
        InputError
            unless one of epsilon >= 0 and ratio >= 1 is given.

        References
        ----------
        [HLM] Holohan, Leith and Mason, arXiv:1505.07254: Theorem 6 and Corollary 3.
        """
        E = parse_ratio(epsilon, ratio)
        if not isinstance(E, Fraction):  # infinite
            return Fraction(0)
        return max((hockey_stick(a, b, E) for a, b in permutations(self._rows(), 2)), default=Fraction(0))

    def is_private(self, *, epsilon: Number | None = None, ratio: Number | None = None, delta: Number = 0) -> bool:
        """Return whether `delta(epsilon=..., ratio=...)` is at most this delta: True proves that n rows are private.

        Raises
        ------
        InputError
            unless one of epsilon >= 0 and ratio >= 1 is given, and delta is in [0, 1).
        """
        return self.delta(epsilon=epsilon, ratio=ratio) <= parse_delta(delta)

    def error(self) -> Fraction:
        """Return the expected number of rows that change, for the database for which it is largest.

        Raises
        ------
        InputError
            if the parent's outputs are not its values.

        References
        ----------
        [HLM] Holohan, Leith and Mason, arXiv:1505.07254: (16).
        """
        values, outputs = self.parent.categories, self.parent.outputs
        if set(values) != set(outputs):
            raise InputError(f"parent: expected the values {shown(values)} as its outputs, found {shown(outputs)}")
        kept = [row.fractions()[outputs.index(value)] for value, row in zip(values, self._rows(), strict=True)]
        return self.n * (1 - min(kept))

    def mechanism(self) -> Mechanism:
        """Return the mechanism on all databases of n rows, in full; to look at small ones.

        Raises
        ------
        InputError
            if there are more than 2,000 databases, or sanitised databases.
        """
        for labels in (self.parent.categories, self.parent.outputs):
            check_database_count(labels, self.n, MAX_ROWS)
        graph = database_graph(self.parent.categories, self.n)
        row = np.array([released.weights for released in self._rows()], dtype=object)
        # In the order of `product` the first row varies slowest, as in a Kronecker product.
        weights = shortest(reduce(np.kron, [row] * self.n))
        d = len(weights)
        outputs = tuple(product(self.parent.outputs, repeat=self.n))
        return Mechanism(graph, outputs, weights, np.broadcast_to(np.arange(d), (d, d)))

    def _rows(self) -> list[Released]:
        """Return what each value becomes, in the order of the values."""
        positions = [support(attributes["distribution"])[0][0] for attributes in self.parent.graph.nodes.values()]
        by_position = dict(zip(positions, self.parent.all_released(), strict=True))
        return [by_position[position] for position in range(len(positions))]


def optimal_product_sanitisation(
    values: Sequence[Label], *, epsilon: Number | None = None, ratio: Number | None = None, delta: Number = 0
) -> Mechanism:
    """Return the optimal parent: every other value with probability (1 - delta) / (E + m - 1), where E = e^epsilon.

    It is k-ary randomised response, and keeps a value with probability (E + (m-1) delta) / (E + m - 1).

    Parameters
    ----------
    values
        the m values.
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
    [HLM] Holohan, Leith and Mason, arXiv:1505.07254: Theorem 10 proves the least worst expected number of
    changed rows among product sanitisations. It is least among all private mechanisms on D^n, correlated ones
    included: summing p_ii <= ratio p_ji + delta over all ordered pairs bounds the mean of p_ii, also given the other
    rows. Hence it is optimal for the uniform average too, but not for other priors (they call it the most accurate
    mechanism possible for discrete data).

    Examples
    --------
    >>> optimal_product_sanitisation(["a", "b", "c"], ratio=2, delta="1/5").row("a", "a")
    (Fraction(3, 5), Fraction(1, 5), Fraction(1, 5))
    """
    return k_ary(values, epsilon=epsilon, ratio=ratio, delta=delta)


def least_error(
    m: int, n: int, *, epsilon: Number | None = None, ratio: Number | None = None, delta: Number = 0
) -> Fraction:
    """Return n (m-1) (1 - delta) / (e^epsilon + m - 1), its error on n rows of m values: no private mechanism has less.

    For an epsilon it is rounded down, so that this holds; it may be at most 100,000, or infinite.

    References
    ----------
    [HLM] Theorem 5, (17), arXiv:1505.07254. Stated there for product sanitisations, it holds for all mechanisms on D^n,
    judged by their worst or their uniform average expected number of changed rows: see `optimal_product_sanitisation`.

    Examples
    --------
    >>> least_error(3, 2, ratio=2), ProductSanitisation(optimal_product_sanitisation("abc", ratio=2), 2).error()
    (Fraction(1, 1), Fraction(1, 1))
    """
    return n * (m - 1) * off_diagonal(m, parse_ratio(epsilon, ratio, exp_above), parse_delta(delta))
