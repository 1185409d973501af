"""A directed edge with the ratio that it needs, held against what is required of it."""

import math
from dataclasses import dataclass
from fractions import Fraction

from mechdesign.certifier.least_ratio import Needed
from mechdesign.exact.bounds import float_above, float_below
from mechdesign.exact.exponentials import LARGEST_ABOVE, is_at_most_exp, log_bounds
from mechdesign.privacy.requirement import Requirement


@dataclass(frozen=True)
class Place:
    """A directed edge with the ratio it needs.

    `free` edges are those of which nothing is asked: no epsilon, or an infinite one; they have none of their own, and
    no distance 0, which joins what is the same whatever is asked.
    """

    requirement: Requirement
    i: int
    j: int
    needed: Needed
    free: bool

    @property
    def met(self) -> bool:
        """Whether the edge meets what is required of it, exactly."""
        if self.free:
            return True
        if self.needed.ratio is None:
            return False
        low, high = log_bounds(self.needed.ratio)
        if high <= self.requirement.epsilon:
            return True
        return low <= self.requirement.epsilon and is_at_most_exp(self.needed.ratio, self.requirement.epsilon)

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
        if self.needed.ratio == 1 or (distance is None and self.met):
            return 0.0, 0.0
        if self.needed.ratio is None or not distance:
            return math.inf, math.inf
        return divided(self.needed.ratio, distance)

    def scale(self) -> tuple[float, float]:
        """Return (lower, upper) around the least multiple of the edge's own epsilon that is met; 0 if it has none."""
        if self.needed.ratio == 1 or self.requirement.distance is not None:
            return 0.0, 0.0
        if self.needed.ratio is None or not self.requirement.epsilon:
            return math.inf, math.inf
        return divided(self.needed.ratio, self.requirement.epsilon)


def divided(ratio: Fraction, divisor: Fraction) -> tuple[float, float]:
    """Return (lower, upper) around ln(ratio) / divisor."""
    low, high = log_bounds(ratio)
    return float_below(Fraction(low) / divisor), float_above(Fraction(high) / divisor)
