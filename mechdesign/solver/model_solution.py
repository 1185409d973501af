"""What a solver finds for a model in cvxpy."""

from dataclasses import dataclass

from mechdesign.arrays import Floats
from mechdesign.certificate.model_bound import ModelMultipliers


@dataclass(frozen=True, eq=False)
class ModelSolution:
    """An optimum, in doubles.

    Attributes
    ----------
    matrices
        one for each variable of the model.
    bound
        what the solver says no mechanism is below.
    canonical
        whether it is the one of the nearly optimal that distorts least, or unique as far as is known.
    multipliers
        of a linear model.
    """

    matrices: Floats
    bound: float
    canonical: bool
    multipliers: ModelMultipliers | None = None
