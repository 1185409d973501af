"""Everything that any answer can say of a count, in one pass over the counts.

Between two neighbouring counts x_{j-1} <= y < x_j the answer y weighs the counts below by w_k e^{-epsilon (y - k)} and
those above by w_k e^{-epsilon (k - y)}: wherever y is in this cell j, the law *within* each side stays the same, and
only the odds of the sides change. So with E_L, E_R the means of the sides and r the probability of the upper one,

    B(y) = (1 - r) E_L + r E_R,
    logit r = ln(w_j / w_{j-1}) + ln(s_L / s_R) + epsilon ((y - x_{j-1}) - (x_j - y)),

where s_L is the share of x_{j-1} in the side below and s_R that of x_j in the side above; for a binomial prior they are
ratios of a mass to a tail of two binomial laws. Shares and means follow from one count to the next by recurrences with
positive terms only: nothing is lost by cancellation, and nothing overflows.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg.lapack import dtbtrs
from scipy.special import expit

from mechdesign.arrays import Floats, Integers
from mechdesign.count.laws import masses_of

LEAST = 1e-300
"""The logarithm of a smaller share is that of this one."""


def recur(factor: Floats, term: Floats) -> Floats:
    """Return z with z_i = factor_i z_{i-1} + term_i, z_0 = term_0: a triangular system of two diagonals.

    Examples
    --------
    >>> recur(np.array([0.0, 2.0, 2.0]), np.ones(3))
    array([1., 3., 7.])
    """
    bands = np.ones((2, len(term)), order="F")
    bands[1, :-1] = -factor[1:]
    return np.asarray(dtbtrs(bands, term, uplo="L", diag="U")[0]).reshape(-1)


@dataclass(frozen=True, eq=False)
class Side:
    """For each point x_i, the points x_0..x_i as an answer beyond x_i sees them.

    Attributes
    ----------
    x
        the points, ascending for the side below an answer, descending for the side above.
    fall
        (w_{i-1} / w_i) e^{-epsilon |x_i - x_{i-1}|}; the first is 0.

    Examples
    --------
    >>> side = Side(np.array([0.0, 1.0]), np.array([0.0, 1 / 3]))
    >>> side.share[1], side.mean[1], side.gap[1]
    (np.float64(0.75), np.float64(0.75), np.float64(0.25))
    """

    x: Floats
    fall: Floats

    @cached_property
    def _before(self) -> Floats:
        """The weight of x_0..x_{i-1} over that of x_i; infinite where that overflows."""
        with np.errstate(over="ignore"):
            return recur(self.fall, self.fall)

    @cached_property
    def share(self) -> Floats:
        """The share of x_i in the weight of x_0..x_i."""
        return 1 / (1 + self._before)

    @cached_property
    def log_share(self) -> Floats:
        """The logarithm of that share."""
        return np.log(np.maximum(self.share, LEAST))

    @cached_property
    def rest(self) -> Floats:
        """The share of x_0..x_{i-1}."""
        with np.errstate(divide="ignore", over="ignore"):
            return 1 / (1 + 1 / self._before)

    @cached_property
    def mean(self) -> Floats:
        """The mean."""
        return recur(self.rest, self.share * self.x)

    @cached_property
    def _step(self) -> Floats:
        return np.abs(np.diff(self.x, prepend=self.x[0]))

    @cached_property
    def gap(self) -> Floats:
        """How far the mean is from x_i, precise where it is near."""
        return recur(self.rest, self.rest * self._step)

    @cached_property
    def reach(self) -> Floats:
        """How far the mean is from x_0, precise where it is near."""
        return recur(self.rest, self.share * np.abs(self.x - self.x[0]))

    @cached_property
    def variance(self) -> Floats:
        """The variance."""
        distance = np.concatenate(([0.0], self.gap[:-1])) + self._step
        return recur(self.rest, self.rest * self.share * distance**2)

    @cached_property
    def log_weight(self) -> Floats:
        """The logarithm of the weight of x_0..x_i over that of x_0, as one and the same answer sees them."""
        return np.cumsum(np.concatenate(([0.0], -np.log(np.maximum(self.rest[1:], LEAST)))))


@dataclass(frozen=True, eq=False)
class Split:
    """Answers, each between the points cell - 1 and cell, with the posterior probabilities of the two sides.

    Attributes
    ----------
    down, up
        the distances to the points below and above.
    below, above
        1 - r and r.
    """

    cell: Integers
    down: Floats
    up: Floats
    below: Floats
    above: Floats


@dataclass(frozen=True, eq=False)
class Table:
    """The two sides of every answer.

    Attributes
    ----------
    x
        the points, ascending.
    log_ratios
        ln w_i / w_{i-1}; the first is not used.

    Examples
    --------
    >>> coin = Table(1.0, np.array([0.0, 1.0]), np.zeros(2))
    >>> coin.mean(coin.split(np.array([0.5])))
    array([0.5])
    """

    epsilon: float
    x: Floats
    log_ratios: Floats

    @cached_property
    def left(self) -> Side:
        """The points below an answer."""
        return Side(self.x, np.concatenate(([0.0], np.exp(-self._drop - self.log_ratios[1:]))))

    @cached_property
    def right(self) -> Side:
        """The points above an answer; its first is the last of the table."""
        return Side(self.x[::-1], np.concatenate(([0.0], np.exp(self.log_ratios[1:] - self._drop)[::-1])))

    @cached_property
    def _drop(self) -> Floats:
        """The exponents of the decay from one point to the next."""
        return self.epsilon * np.diff(self.x)

    @cached_property
    def _odds(self) -> Floats:
        """By cell, the logit of the upper side for an answer halfway; infinite in the outer cells, of one side."""
        inner = self.log_ratios[1:] + self.left.log_share[:-1] - self.right.log_share[::-1][1:]
        return np.concatenate(([np.inf], inner, [-np.inf]))

    def split(self, y: Floats) -> Split:
        """Return where the answers lie."""
        cell = np.searchsorted(self.x, y, side="right")
        down = y - self.x[np.maximum(cell - 1, 0)]
        up = self.x[np.minimum(cell, len(self.x) - 1)] - y
        logit = self._odds[cell] + self.epsilon * (down - up)
        return Split(cell, down, up, expit(-logit), expit(logit))

    def by_cell(self, below: Floats, above: Floats, split: Split) -> tuple[Floats, Floats]:
        """Return what the two sides of each answer have of these values, 0 for an empty side."""
        return np.concatenate(([0.0], below))[split.cell], np.concatenate((above[::-1], [0.0]))[split.cell]

    def mean(self, split: Split) -> Floats:
        """Return the posterior means B(y)."""
        below, above = self.by_cell(self.left.mean, self.right.mean, split)
        return np.clip(split.below * below + split.above * above, self.x[0], self.x[-1])  # but for rounding, within

    def pulls(self, split: Split) -> tuple[Floats, Floats]:
        """Return how far the counts below the answer pull the mean down, and those above pull it up."""
        below, above = self.by_cell(self.left.gap, self.right.gap, split)
        return split.below * (split.down + below), split.above * (split.up + above)

    def excess(self, split: Split) -> Floats:
        """Return B(y) - y, precise where it is small, and exactly 0 by symmetry."""
        down, up = self.pulls(split)
        return up - down

    def quantile(self, split: Split, level: float) -> Integers:
        """Return the place of the first point with posterior probability >= level up to it."""
        last = len(self.x) - 1
        left, right = self.left.log_weight, self.right.log_weight
        at_left, at_right = self.by_cell(left, right, split)
        with np.errstate(divide="ignore"):
            in_left = np.searchsorted(left, at_left + np.log(level / split.below))
            in_right = last - np.searchsorted(right, at_right + np.log((1 - level) / split.above), side="right")
        lower = np.where(split.below == level, split.cell - 1, np.minimum(in_left, split.cell - 1))
        return np.where(split.below >= level, lower, np.clip(in_right, split.cell, last))

    @cached_property
    def _weights(self) -> tuple[Floats, Floats]:
        """The masses up to each point, as an answer there sees them, from below and from above."""
        masses, decay = masses_of(self.log_ratios), np.exp(-self._drop)
        below = recur(np.concatenate(([0.0], decay)), masses)
        return below, recur(np.concatenate(([0.0], decay[::-1])), masses[::-1])

    def density(self, split: Split) -> Floats:
        """Return the density of the answers but for the noise's factor: sum_k w_k e^{-epsilon |y - k|}."""
        below, above = self.by_cell(*self._weights, split)
        # In the outer cells one distance is negative, and that side empty.
        down, up = np.exp(-self.epsilon * np.abs(split.down)), np.exp(-self.epsilon * np.abs(split.up))
        return below * down + above * up

    def turns(self) -> Floats:
        """Return the answers at which the slope of B is 1; between two of them or of the points, B(y) - y is monotone.

        In a cell of width d that slope is 2 epsilon (E_R - E_L) r (1 - r), and logit r = `_odds` + epsilon (down - up).
        """
        width = np.diff(self.x)
        between = width + self.left.gap[:-1] + self.right.gap[::-1][1:]
        steep = np.flatnonzero(self.epsilon * between > 2)
        logit = 2 * np.arctanh(np.sqrt(1 - 2 / (self.epsilon * between[steep])))
        middle = (self.x[steep] + self.x[steep + 1]) / 2
        odds = self._odds[steep + 1]
        places = [(side * logit - odds) / (2 * self.epsilon) for side in (-1, 1)]
        return np.concatenate([(middle + place)[np.abs(place) < width[steep] / 2] for place in places])
