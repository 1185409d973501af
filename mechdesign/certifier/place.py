"""A directed edge with the ratio that it needs, held against what is required of it."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from mechdesign.exact.exponentials import LARGEST_ABOVE, is_at_most_exp, log_bounds
from mechdesign.privacy.needed import Needed
from mechdesign.privacy.requirement import Requirement


@dataclass(frozen=True)
class Place:
    """A directed edge with a ratio that it needs, and one that is enough.

    The two may differ only of profiles within bounds, see `mechdesign.certifier.ranges`; None is infinite. `free` edges
    are those of which nothing is asked: no epsilon, or an infinite one; they have none of their own, and no distance 0,
    which joins what is the same whatever is asked.
    """

    requirement: Requirement
    i: int
    j: int
    needed: Needed
    enough: Fraction | None
    free: bool

    @cached_property
    def refuted(self) -> bool:
        """Whether the edge is proved not to meet what is required of it, exactly."""
        return not self.free and not self._allows(self.needed.ratio)

    @cached_property
    def met(self) -> bool:
        """Whether it is proved to meet that."""
        if self.free or self.is_exact:
            return not self.refuted
        return self._allows(self.enough)

    @property
    def is_exact(self) -> bool:
        """Whether the ratio needed is enough."""
        return self.needed.ratio == self.enough

    @property
    def verdict(self) -> bool | None:
        """Whether it is met; None if neither is proved."""
        return False if self.refuted else True if self.met else None

    def _allows(self, ratio: Fraction | None) -> bool:
        """Return whether a ratio is at most e^epsilon, exactly."""
        if ratio is None:
            return False
        low, high = log_bounds(ratio)
        if high <= self.requirement.epsilon:
            return True
        return low <= self.requirement.epsilon and is_at_most_exp(ratio, self.requirement.epsilon)

    @property
    def excess(self) -> float:
        """How far ln E lies above the edge's epsilon, nearly; only to say which place is the worst."""
        return (
            math.inf
            if self.needed.ratio is None
            else log_bounds(self.needed.ratio)[1] - float(min(self.requirement.epsilon, LARGEST_ABOVE))
        )

    def epsilon(self) -> tuple[float, float]:
        """Return (lower, upper) around the least epsilon to ask for so that this is met."""
        distance = self.requirement.distance
        if distance is None:
            return 0.0 if not self.refuted else math.inf, 0.0 if self.met else math.inf
        return self._over(distance)

    def scale(self) -> tuple[float, float]:
        """Return (lower, upper) around the least multiple of the edge's own epsilon that is met; 0 if it has none."""
        return self._over(self.requirement.epsilon) if self.requirement.distance is None else (0.0, 0.0)

    def _over(self, divisor: Fraction) -> tuple[float, float]:
        """Return (lower, upper) around the logarithm of the least ratio over a divisor."""
        return _divided(self.needed.ratio, divisor)[0], _divided(self.enough, divisor)[1]


def _divided(ratio: Fraction | None, divisor: Fraction) -> tuple[float, float]:
    if ratio == 1:
        return 0.0, 0.0
    return (math.inf, math.inf) if ratio is None or not divisor else log_bounds(ratio, divisor)
