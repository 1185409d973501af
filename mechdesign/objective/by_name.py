"""The objectives there are, by name."""

from inspect import isfunction
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.objective.base import Goal
from mechdesign.objective.expected_loss import ExpectedLoss
from mechdesign.objective.largest_cost import LargestCost
from mechdesign.objective.max_off_diagonal import MaxOffDiagonal
from mechdesign.objective.weighted_off_diagonal import WeightedOffDiagonal
from mechdesign.objective.worst_loss import WorstLoss

OBJECTIVES: dict[str, type[Any]] = {
    kind.name: kind for kind in (MaxOffDiagonal, ExpectedLoss, WorstLoss, LargestCost, WeightedOffDiagonal)
}

"""Those that the command line has too; `Convex` and `MutualInformation` are for Python."""

CERTIFIED = {name: kind for name, kind in OBJECTIVES.items() if kind.certified}
"""Those that a certificate can state."""


def checked_objective(objective: object) -> Goal:
    """Return what is an objective.

    Raises
    ------
    InputError
        if it is none.
    """
    if isinstance(objective, Goal):
        return objective
    known = (f"{kind.__name__}({'...' if kind.takes_loss else ''})" for kind in OBJECTIVES.values())
    expected = f"{', '.join(known)}, MutualInformation(...) or Convex(...)"
    remedy = "; a function of one's own goes into Convex(...)" if isfunction(objective) else ""
    if isinstance(objective, type) and issubclass(objective, Goal):
        remedy = f"; call it: {objective.__name__}(...)"
    if isinstance(objective, str) and objective in OBJECTIVES:
        remedy = f"; in Python that is {OBJECTIVES[objective].__name__}()"
    raise InputError(f"objective: expected {expected}, found {shown(objective)}{remedy}")
