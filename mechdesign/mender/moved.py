"""What it costs to change a released distribution into another, and the post-processing that does it."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from mechdesign.exact.numbers import over_common
from mechdesign.objective.base import LossTable
from mechdesign.objective.by_loss import ByLoss
from mechdesign.objective.transport_plans import Plan
from mechdesign.privacy.released import Released
from mechdesign.problem import NOTHING


def released_of(masses: Sequence[Fraction]) -> Released:
    """Return a distribution as integers over its common denominator."""
    weights, total = over_common(masses)
    return Released(np.array(weights, dtype=object), total)


def distance(objective: ByLoss, table: LossTable, before: Released, after: Released) -> Fraction:
    """Return the least expected loss of a post-processing from one distribution to the other, exactly.

    For a loss that cannot tell, what the plan of `post_processing` costs, which is near the least.

    Examples
    --------
    >>> before, after = (Released(np.array(weights, dtype=object), 10) for weights in ([5, 3, 2], [4, 3, 3]))
    >>> from mechdesign.objective import ExpectedLoss
    >>> [str(distance(ExpectedLoss(loss), (), before, after)) for loss in ("hamming", "absolute")]
    ['1/10', '1/5']
    """
    if objective.priced is None:
        return _cost(post_processing(objective, table, before, after), table)
    change = (after.weights * before.total - before.weights * after.total) * Fraction(1)
    cost: Fraction = objective.priced.costs(change[None])[0]
    return cost / (before.total * after.total)


def by_rounding(table: LossTable) -> Fraction:
    """Return up to which distance a change is one of rounding alone, such as a solver's."""
    return Fraction(NOTHING) * max((entry for row in table for entry in row), default=Fraction(0))


def as_given_where_alike(
    objective: ByLoss, table: LossTable, before: Sequence[Released], after: Sequence[Released]
) -> list[Released]:
    """Return the distributions after, those before in place of what is moved by rounding alone."""
    most, pairs = by_rounding(table), zip(before, after, strict=True)
    return [one if one != other and distance(objective, table, one, other) <= most else other for one, other in pairs]


def post_processing(objective: ByLoss, table: LossTable, before: Released, after: Released) -> Plan:
    """Return integers in the proportions of P(x) B_xy for the post-processing B of that cost from P to the other.

    Examples
    --------
    >>> before, after = (Released(np.array(weights, dtype=object), 10) for weights in ([5, 3, 2], [4, 3, 3]))
    >>> from mechdesign.objective import ExpectedLoss
    >>> (post_processing(ExpectedLoss(), (), before, after) // 10).tolist()
    [[4, 0, 1], [0, 3, 0], [0, 0, 2]]
    """
    supply, demand = before.weights * after.total, after.weights * before.total
    unit = max((entry for row in table for entry in row), default=None) or Fraction(1)
    loss = np.array([[float(entry / unit) for entry in row] for row in table])
    return objective.kind.plan(supply.tolist(), demand.tolist(), loss)


def _cost(plan: Plan, table: LossTable) -> Fraction:
    losses = np.array([list(row) for row in table], dtype=object)
    return Fraction((plan * losses).sum()) / int(plan.sum())
