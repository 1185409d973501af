"""The largest entry off the diagonal, where some mistakes count more than others."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import networkx as nx
import numpy as np

from mechdesign.errors import InputError
from mechdesign.exact.bounds import float_below
from mechdesign.exact.text import shown
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective.base import LossTable
from mechdesign.objective.by_loss import WithLoss
from mechdesign.objective.by_model import ByModel, Matrices, Modelled


@dataclass(frozen=True)
class WeightedOffDiagonal(WithLoss, ByModel):
    """The largest c(x, y) Pr(y | x) with y != x that any profile has: of reporting x as y, times how bad that is.

    Parameters
    ----------
    loss
        c: as for ExpectedLoss, one output for each category, and nowhere below 0. Its diagonal plays no part.

    Raises
    ------
    InputError
        if it cannot be used.

    References
    ----------
    [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084: (5), where all weights are 1.

    Examples
    --------
    >>> import mechdesign as md
    >>> far = WeightedOffDiagonal("absolute")
    >>> f"{float(md.design('categorical-chain', epsilon=0.5, objective=far).value):.6f}"
    '0.070967'
    """

    loss: Any = "hamming"

    name: ClassVar[str] = "weighted-off-diagonal"
    words: ClassVar[str] = "largest weighted off-diagonal entry"
    reads_unused: ClassVar[bool] = False

    def output_labels(self, categories: Sequence[Label]) -> tuple[Label, ...]:
        """Return the categories.

        Raises
        ------
        InputError
            if the weights do not go with them, or one is below 0.
        """
        self.table(categories)
        return tuple(categories)

    def table(self, categories: Sequence[Label]) -> LossTable:
        """Return the weights, with 0 on the diagonal.

        Raises
        ------
        InputError
            if they are not one for each pair, or one is below 0.
        """
        table = super().table(categories)
        if len(table[0]) != len(categories):
            expected = f"expected one output for each category, {len(categories)}"
            raise InputError(f"{self.name}: {expected}, found a table of {len(table[0])} columns")
        cells = [(x, y, entry) for x, row in enumerate(table) for y, entry in enumerate(row) if entry < 0 and x != y]
        if cells:
            x, y, entry = cells[0]
            place = f"{shown(categories[x])} reported as {shown(categories[y])}"
            raise InputError(f"{self.name}: expected weights >= 0, found {shown(entry)} for {place}")
        return tuple(tuple(c if x != y else Fraction(0) for y, c in enumerate(row)) for x, row in enumerate(table))

    def modelled(self, matrices: Matrices, graph: nx.Graph) -> Modelled:
        """Return the largest entry times its weight; weights are rounded down, so that a bound holds for them too."""
        import cvxpy as cp

        weights = np.array([[float_below(c) for c in row] for row in self.table(graph.graph["categories"])])
        own = {id(A): A for A in matrices.values()}.values()  # one, if it is shared
        return cp.max(cp.hstack([cp.max(cp.multiply(weights, A)) for A in own]))

    def costs(self, mechanism: Mechanism) -> list[Fraction]:
        """Return each profile's largest weighted entry, exactly."""
        table = self.table(mechanism.categories)
        return [
            max(
                c * Fraction(int(weight), int(mechanism.totals[row]))
                for row, weights in zip(rows, table, strict=True)
                for c, weight in zip(weights, mechanism.weights[row], strict=True)
            )
            for rows in mechanism.index
        ]

    def value(self, mechanism: Mechanism, groups: Sequence[int] | None = None) -> Fraction:
        """Return the largest of the costs, exactly."""
        del groups
        return max(self.costs(mechanism))
