"""What the rows of one group tell: how often each output was released, and how much that may vary.

A share is a weighted mean of coefficients c over the rows: an estimate of each row's share, which is what the mechanism
was inverted to. Linearised, its error is the sum over the rows of w u, with the influence u = (c - share) / W of a unit
of weight, W being all weights together. Units, which are clusters, or rows where there are none, are taken as drawn
with replacement within strata. So the variance is the sum over strata of n / (n - 1) times the sum over units of (w u
of the unit - their mean)^2. That of the difference between two groups' shares is that of the difference of influences.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.special import stdtrit

from mechdesign.arrays import Floats, Integers
from mechdesign.release.channels import Channel
from mechdesign.release.intervals import quantile_of, standard_errors

MOST_ENTRIES = 10_000_000
"""Numbers of units and outputs that occur, times coefficients, at a time."""

SMALLEST = 1e-12
"""A variance below so much of the mean square is rounding: the output is the same in all rows."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows that count alike and were drawn independently.

    Attributes
    ----------
    counts
        (outputs,): how often each was released.
    """

    counts: Floats

    def worth(self, coefficients: Floats | None, alpha: float, these_rows: bool) -> Floats:
        """Return how many rows drawn independently tell as much about the means of coefficients (outputs, means).

        Or, without coefficients, about the share of each output; in intervals that may miss with probability `alpha`.
        """
        del alpha, these_rows
        return np.full(self.counts.size if coefficients is None else coefficients.shape[1], self.counts.sum())

    def error(self, channel: Channel, these_rows: bool) -> Floats:
        """Return the standard errors (categories,) of the unbiased estimates."""
        return standard_errors(channel, self.counts, these_rows=these_rows)

    def covariance(self, other: "Sample", coefficients: Floats, others: Floats) -> Floats:
        """Return the covariances (means,) of this group's means of coefficients with those of another group."""
        del other, others
        return np.zeros(coefficients.shape[1])


@dataclass(frozen=True, eq=False)
class Design:
    """Units that were drawn.

    Attributes
    ----------
    strata
        (units,): in which stratum each is; where rows are the units, each stratum stands for its rows.
    sizes
        (strata,): how many units were drawn in each, two at least.
    clustered
        whether the units are clusters.
    """

    strata: Integers
    sizes: Integers
    clustered: bool


@dataclass(frozen=True, eq=False)
class Drawn(Sample):
    """Rows with weights, from strata and clusters: their sums by unit and output.

    Attributes
    ----------
    counts
        (outputs,): the weights of each, scaled so that they sum to Kish's effective number of rows.
    units, outputs
        (entries,): which unit and output; where rows are the units, their stratum.
    rows, weights, squares
        (entries,): how many rows, their weights together, and the squares of these.
    """

    design: Design
    units: Integers
    outputs: Integers
    rows: Floats
    weights: Floats
    squares: Floats

    @classmethod
    def of(cls, design: Design, number: int, units: Integers, outputs: Integers, sums: Floats) -> "Drawn":
        """Return the rows of a group, of a mechanism with so many outputs, from (3, entries) sums."""
        rows, weights, squares = sums
        counts = np.bincount(outputs, weights * (weights.sum() / squares.sum()), minlength=number)
        return cls(counts.astype(np.float64), design, units, outputs, rows, weights, squares)

    def worth(self, coefficients: Floats | None, alpha: float, these_rows: bool) -> Floats:
        """Return how many rows drawn independently tell as much; at most as many as there are.

        References
        ----------
        Korn and Graubard, "Confidence intervals for proportions with small expected number of positive counts
        estimated from survey data", Survey Methodology 24, 1998: with Student's quantile for the degrees of freedom.
        """
        if coefficients is None:
            coefficients = np.eye(self.counts.size)
        shares = self.counts / self.counts.sum()
        mean, square = shares @ coefficients, shares @ coefficients**2
        spread = square - (mean if these_rows else mean**2)
        variance = self._variance(coefficients, these_rows)
        usable = (spread > SMALLEST * square) & (variance > 0)
        ratios = spread[usable] / variance[usable]
        found = np.full(len(mean), min(ratios.min(initial=np.inf), self._least(these_rows)), dtype=np.float64)
        found[usable] = ratios
        quantiles = 1.0 if these_rows else quantile_of(alpha) / -float(stdtrit(self._freedom, alpha / 2))
        return np.asarray(np.minimum(found, self.rows.sum()) * quantiles**2)

    def _least(self, these_rows: bool) -> float:
        """Return how many rows tell as much where all have the same output: clusters, as those may be all alike."""
        kish = float(self.counts.sum())
        return min(kish, float(len(np.unique(self.units)))) if self.design.clustered and not these_rows else kish

    @property
    def _freedom(self) -> float:
        """Degrees of freedom: units less strata, of those that the group has rows in."""
        units = np.unique(self.units)
        many = len(units) if self.design.clustered else float(self.rows.sum())
        return max(1.0, many - len(np.unique(self.design.strata[units])))

    def error(self, channel: Channel, these_rows: bool) -> Floats:
        """Return the standard errors (categories,) of the unbiased estimates."""
        return np.sqrt(self._variance(channel.coefficients, these_rows))

    def _variance(self, coefficients: Floats, these_rows: bool) -> Floats:
        """Return the variances of the means of coefficients (outputs, means).

        Over `these_rows` of the noise alone: of a row's coefficient, whose mean is 0 or 1, it is the mean of c^2 - c.
        """
        if these_rows:
            squares = np.bincount(self.outputs, self.squares, minlength=self.counts.size)
            return np.asarray(np.maximum(squares @ (coefficients**2 - coefficients), 0.0) / self.weights.sum() ** 2)
        return linearised([(self, self.influence(coefficients))])

    def covariance(self, other: Sample, coefficients: Floats, others: Floats) -> Floats:
        """Return the covariances (means,) of this group's means of coefficients with those of another group."""
        assert isinstance(other, Drawn)  # of one table
        one, two = (self, self.influence(coefficients)), (other, -other.influence(others))
        return (linearised([one]) + linearised([two]) - linearised([one, two])) / 2

    def influence(self, coefficients: Floats) -> Floats:
        """Return (outputs, means): what a unit of weight adds to the mean of coefficients, linearised."""
        mean = self.counts @ coefficients / self.counts.sum()
        return np.asarray((coefficients - mean) / self.weights.sum())


def linearised(parts: "Sequence[tuple[Drawn, Floats]]") -> Floats:
    """Return the variances (numbers,) of the sum over groups' rows of weight times influence (outputs, numbers)."""
    width = parts[0][1].shape[1]
    step = max(1, MOST_ENTRIES // sum(len(one.units) for one, _ in parts))
    blocks = [slice(start, start + step) for start in range(0, width, step)]
    return np.concatenate([_linearised([(one, influence[:, block]) for one, influence in parts]) for block in blocks])


def _linearised(parts: "Sequence[tuple[Drawn, Floats]]") -> Floats:
    design = parts[0][0].design
    units, place = np.unique(np.concatenate([one.units for one, _ in parts]), return_inverse=True)
    influence = np.concatenate([values[one.outputs] for one, values in parts])
    totals = _added(place, np.concatenate([one.weights for one, _ in parts]), len(units)) @ influence
    if design.clustered:
        squares = totals**2
    else:
        squares = _added(place, np.concatenate([one.squares for one, _ in parts]), len(units)) @ influence**2
    strata, place = np.unique(design.strata[units], return_inverse=True)
    into, n = _added(place, np.ones(len(units)), len(strata)), design.sizes[strata][:, None]
    return np.asarray((n / (n - 1) * (into @ squares - (into @ totals) ** 2 / n)).sum(axis=0).clip(0.0))


def _added(place: Integers, weights: Floats, number: int) -> csr_array:
    """Return the matrix that adds up entries, weighted, by their places."""
    return csr_array((weights, (place, np.arange(len(place)))), shape=(number, len(place)))
