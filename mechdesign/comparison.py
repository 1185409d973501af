"""How a mechanism on values compares with the best there is under local privacy: the optimal product sanitisation."""

from dataclasses import dataclass
from fractions import Fraction

import networkx as nx
import numpy as np

from mechdesign.closed_form.product_sanitisation import parent_alpha
from mechdesign.exact import Epsilon, exp_above
from mechdesign.graph import is_local
from mechdesign.mechanism import Mechanism
from mechdesign.rows import DoubleRows


@dataclass(frozen=True)
class Comparison:
    """Errors are the probability that a value is not reported as itself, for the worst value; per row of a database.

    Attributes
    ----------
    error
        this mechanism's, exactly.
    optimal_below
        a rational just below that of the optimal product sanitisation at the same epsilon and delta.
    """

    error: Fraction
    optimal_below: Fraction

    @property
    def lost(self) -> Fraction:
        """What this mechanism gives away against the optimal one; negative if it is not private."""
        return self.error - self.optimal_below


def with_optimal_product(
    mechanism: Mechanism, graph: nx.Graph | None, epsilon: Epsilon, delta: Fraction
) -> Comparison | None:
    """Return the comparison, or None where it does not apply: unless every pair of values is an edge, and no other.

    References
    ----------
    [HLM] Theorem 10: off-diagonal (1 - delta)/(e^epsilon + m - 1). It is the least worst-case error of all
    sanitisations, correlated ones included, not only of the products that the theorem speaks of (ERR-2.4).

    Examples
    --------
    >>> from mechdesign.mechanism import mechanism_from_matrix
    >>> coin = mechanism_from_matrix([["1/2", "1/2"], ["1/2", "1/2"]])
    >>> with_optimal_product(coin, None, Fraction(0), Fraction(0)).lost
    Fraction(0, 1)
    """
    values = mechanism.categories
    local = graph is None or is_local(graph)
    if mechanism.outputs != values or mechanism.profiles != values or not local or epsilon > 700:
        return None
    if isinstance(mechanism.rows, DoubleRows):
        kept = [
            Fraction(entry) / total
            for entry, total in zip(np.diag(mechanism.rows.doubles).tolist(), mechanism.rows.sums, strict=True)
        ]
    else:
        kept = [
            Fraction(mechanism.weights[row, x], mechanism.totals[row]) for x, row in enumerate(np.diag(mechanism.index))
        ]
    error = 1 - min(kept)
    alpha = (
        parent_alpha(len(values), ratio=exp_above(Fraction(epsilon)), delta=delta) if len(values) > 1 else Fraction(0)
    )
    return Comparison(error, (len(values) - 1) * alpha)
