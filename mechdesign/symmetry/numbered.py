"""What a problem says of its profiles, exactly: which kind of report each output is for a category, and who is sure."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mechdesign.arrays import Integers
from mechdesign.graph.distribution import support
from mechdesign.problem import Problem


@dataclass(frozen=True, eq=False)
class Given:
    """What is given exactly, numbered.

    Attributes
    ----------
    kinds
        d x m: the number of the loss; without losses 0 where a category keeps its free output, 1 elsewhere.
    prior
        the profiles' shares of the weight.
    points
        the profiles that have one category only, and which.
    """

    kinds: Integers
    prior: Sequence[Fraction]
    points: tuple[Integers, Integers]

    @property
    def spread(self) -> Integers:
        """The profiles that have several categories."""
        return np.setdiff1d(np.arange(len(self.prior)), self.points[0])


def given_in(problem: Problem, prior: Sequence[Fraction]) -> Given:
    """Return what is given."""
    supports = [support(distribution) for distribution in problem.exact]
    points = [(i, one[0][0]) for i, one in enumerate(supports) if len(one) == 1]
    profiles, categories = (np.array([pair[side] for pair in points], dtype=np.int64) for side in (0, 1))
    return Given(_kinds(problem), prior, (profiles, categories))


def _kinds(problem: Problem) -> Integers:
    if problem.losses:
        return problem.distinct_losses[0]
    kinds = np.ones((len(problem.free), problem.outputs), dtype=np.int64)
    kinds[np.arange(len(problem.free)), problem.free] = 0
    return kinds
