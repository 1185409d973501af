"""How much the output says about the category."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import networkx as nx
import numpy as np

from mechdesign.arrays import Floats
from mechdesign.errors import InputError
from mechdesign.exact.bounds import float_below
from mechdesign.exact.numbers import Number, parse_number
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective.base import profile_shares
from mechdesign.objective.by_loss import WithLoss
from mechdesign.objective.by_model import ByModel, Matrices, Modelled, distribution_of


@dataclass(frozen=True)
class MutualInformation(WithLoss, ByModel):
    """What a record's output says about its category, in nats: mutual information, averaged over profiles by weight.

    Least is to report the same always. So every profile's expected loss is held to `at_most`: of the private mechanisms
    that are this useful, the one that reveals least about single records. Without privacy this is rate-distortion.

    Parameters
    ----------
    at_most
        the largest expected loss that a profile may have; up to 1e-9.
    loss
        as for ExpectedLoss, one output for each category.

    Raises
    ------
    InputError
        if one of them cannot be used.

    References
    ----------
    C. E. Shannon, Coding theorems for a discrete source with a fidelity criterion, 1959, for the rate-distortion
    function.

    Examples
    --------
    >>> import mechdesign as md
    >>> coin = md.profile_graph({"all": ["1/2", "1/2"]}, edges=[], categories=["no", "yes"])
    >>> f"{float(md.design(coin, epsilon=1, objective=MutualInformation('0.11')).value):.6f}"  # ln 2 - h(0.11)
    '0.346632'
    """

    at_most: Number
    loss: Any = "hamming"

    name: ClassVar[str] = "mutual-information"
    words: ClassVar[str] = "mutual information of category and output, in nats"
    reads_unused: ClassVar[bool] = False

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "at_most", parse_number(self.at_most))
        except InputError as error:
            raise InputError(f"MutualInformation: at_most: {error.faults[0]}") from None
        super().__post_init__()

    def output_labels(self, categories: Sequence[Label]) -> tuple[Label, ...]:
        """Return the categories.

        Raises
        ------
        InputError
            if the loss does not go with them, or has other outputs.
        """
        if (m := len(self.table(categories)[0])) != len(categories):
            expected = f"expected one output for each category, {len(categories)}"
            raise InputError(f"{self.name}: {expected}, found a loss of {m} columns")
        return tuple(categories)

    def modelled(self, matrices: Matrices, graph: nx.Graph) -> Modelled:
        """Return sum_x,y P(x) A_xy ln (A_xy / q_y), by weight, and each profile's expected loss as a constraint."""
        import cvxpy as cp

        categories = graph.graph["categories"]
        self.output_labels(categories)
        losses = np.array([[float_below(one) for one in row] for row in self.table(categories)])
        said, constraints = [], []
        for (profile, A), share in zip(matrices.items(), profile_shares(graph), strict=True):
            P = distribution_of(graph, profile)
            used = P > 0
            together, released = cp.multiply(P[used, None], A[used]), P @ A
            apart = cp.vstack([mass * released for mass in P[used]])
            said.append(float(share) * cp.sum(cp.rel_entr(together, apart)))
            constraints.append(cp.sum(cp.multiply(P[:, None] * losses, A)) <= float_below(Fraction(self.at_most)))
        return sum(said), constraints

    def costs(self, mechanism: Mechanism) -> list[Fraction]:
        """Return what each profile's outputs say about its categories, in doubles."""
        return [
            Fraction(_said(distribution_of(mechanism.graph, one), mechanism.matrix(one))) for one in mechanism.graph
        ]

    def value(self, mechanism: Mechanism, groups: Sequence[int] | None = None) -> Fraction:
        """Return the mean of the costs by weight."""
        del groups
        pairs = zip(self.costs(mechanism), profile_shares(mechanism.graph), strict=True)
        return sum((cost * share for cost, share in pairs), Fraction(0))


def _said(P: Floats, A: Floats) -> float:
    together, apart = P[:, None] * A, P[:, None] * (P @ A)
    there = together > 0
    return float(max(0.0, (together[there] * np.log(together[there] / apart[there])).sum()))
