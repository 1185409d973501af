"""The shares of one group of rows: estimates with intervals, or bounds."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.release.channels import Channel
from mechdesign.release.estimates import Estimate
from mechdesign.release.intervals import Intervals, intervals, largest_spread, quantile_of
from mechdesign.release.likelihood import Likeliest, likeliest
from mechdesign.release.samples import Sample
from mechdesign.release.undetermined import Box, bounds, chernoff, clopper_pearson


@dataclass(frozen=True, eq=False)
class Shares:
    """The estimates of one group's shares, from how often each output was released.

    Attributes
    ----------
    alpha
        the probability with which an interval may miss.
    these_rows
        whether the intervals are for the rows at hand; otherwise for the population they were drawn from.
    """

    channel: Channel
    sample: Sample
    alpha: float
    these_rows: bool

    @cached_property
    def box(self) -> Box:
        """Bounds of all outputs' probabilities at once."""
        boxes = chernoff if self.these_rows else clopper_pearson
        return boxes(self.sample.counts, self.alpha, self.sample.worth(None, self.alpha, self.these_rows))

    @cached_property
    def found(self) -> Intervals:
        """The unbiased estimates and their intervals."""
        rows, quantile = self._rows, quantile_of(self.alpha)
        return intervals(self.channel, self.sample.counts, these_rows=self.these_rows, quantile=quantile, rows=rows)

    @cached_property
    def _rows(self) -> Floats:
        return self.sample.worth(self.channel.coefficients, self.alpha, self.these_rows)

    @cached_property
    def bounded(self) -> Floats:
        """(categories,): whether at some shares the interval would be all of [0, 1]."""
        largest = largest_spread(self.channel, these_rows=self.these_rows)
        return np.asarray(~self.channel.determined | (largest * quantile_of(self.alpha) ** 2 >= self._rows))

    @cached_property
    def best(self) -> Likeliest:
        """The likeliest shares of all unknowns."""
        centre = self.found.unbiased
        return likeliest(self.channel, self.sample.counts, centre if len(centre) == len(self.channel.matrix) else None)

    @cached_property
    def likely(self) -> Floats:
        """(categories,): the likeliest shares."""
        category = self.channel.category
        likely = np.bincount(category, weights=self.best.unknowns, minlength=self.channel.categories)
        return likely.astype(np.float64)

    @cached_property
    def error(self) -> Floats:
        """(categories,): the standard errors of the unbiased estimates."""
        return self.sample.error(self.channel, self.these_rows)

    @property
    def fits(self) -> bool:
        """Whether any shares fit the counts."""
        low, high = self.box
        released = self.best.unknowns @ self.channel.matrix
        inside = (low <= released).all() and (released <= high).all()
        return bool(inside) or bounds(self.channel, self.box, 0).fits

    def ends(self, category: int) -> tuple[float, float]:
        """Return the ends of a share's interval, or between what it must lie."""
        if self.bounded[category]:
            held = bounds(self.channel, self.box, category)
            return held.low, held.high
        return float(self.found.low[category]), float(self.found.high[category])

    @cached_property
    def estimates(self) -> list[Estimate]:
        """The estimate of each category."""
        return [self._one(x) for x in range(self.channel.categories)]

    def _one(self, x: int) -> Estimate:
        low, high = self.ends(x)
        if not self.channel.determined[x]:
            return Estimate(None, None, None, low, high, True)
        likely = float(self.likely[x])
        own = likely, float(self.found.unbiased[x]), float(self.error[x])
        return Estimate(*own, min(low, likely), max(high, likely), bool(self.bounded[x]))
