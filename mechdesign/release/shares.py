"""The shares of one group of rows: estimates with intervals, or bounds."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import nnls

from mechdesign.arrays import Floats
from mechdesign.release.channels import Channel
from mechdesign.release.estimates import Estimate
from mechdesign.release.intervals import Intervals, intervals, largest_spread, quantile_of
from mechdesign.release.samples import Sample
from mechdesign.release.undetermined import Box, bounds, chernoff, clopper_pearson

SHORT = 1e-6
"""Stop where the log-likelihood is at most this below its maximum: estimates are then within 0.0015 standard errors."""

SHORT_PER_ROW = 2.0**-46
"""Or at most this for each row, which is more from 7e7 rows on: 64 roundings of a double, below which no gap is seen. A
gap G leaves estimates within sqrt(2 G) standard errors: 0.006 at 1e9 rows, 0.17 at 1e12."""

MOST_ROUNDS = 1_000

HEAVY = 30.0
"""Weight of the total 1 among the squares of a Newton step, which is scaled to total 1 afterwards. What a step leaves
of the gap falls with its square, and what rounding adds rises with it: at 1e4 the gap stays at 1e-12 for each row."""

LEAST_STEP = 2.0**-20


@dataclass(frozen=True, eq=False)
class Likeliest:
    """Maximum likelihood unknowns, and by how much their log-likelihood may be below the maximum.

    `rounds` counts how often both steps were taken.
    """

    unknowns: Floats
    gap: float
    rounds: int


def likeliest(channel: Channel, counts: Floats, start: Floats | None = None) -> Likeliest:
    """Return the maximum likelihood unknowns for counts of the outputs, all of which the mechanism can release.

    An unbiased estimate is a good `start`: where it fits the counts and nothing in it is negative, it is the answer.

    References
    ----------
    ElSalamouny and Palamidessi, "Generalized Iterative Bayesian Update and Applications to Mechanisms for Privacy
    Protection", and before them Agrawal and Aggarwal 2001: the update. Kim, Carbonetto, Stephens and Anitescu,
    arXiv:1806.01412: sequential quadratic programming for mixture proportions.

    Examples
    --------
    >>> import numpy as np
    >>> coin = Channel(np.array([[0.75, 0.25], [0.25, 0.75]]), np.arange(2))
    >>> likeliest(coin, np.array([60.0, 40.0])).unknowns.round(6), likeliest(coin, np.array([9.0, 1.0])).unknowns
    (array([0.7, 0.3]), array([1., 0.]))
    """
    seen = counts > 0
    matrix, rows = channel.matrix[:, seen], counts.sum()
    shares = counts[seen] / rows
    even = np.full(len(matrix), 1.0 / len(matrix))
    u = even if start is None or start.min() < 0 else start / start.sum()
    if (u @ matrix).min() <= 0:
        u = even
    rounds = 0
    while True:
        gain = matrix @ (shares / (u @ matrix))
        gap = float(rows) * float(np.log(max(float(gain.max()), 1.0)))
        if gap <= max(SHORT, SHORT_PER_ROW * rows) or rounds == MOST_ROUNDS:
            return Likeliest(u, gap, rounds)
        u = _newton(u * gain, matrix, shares)
        rounds += 1


def _newton(u: Floats, matrix: Floats, shares: Floats) -> Floats:
    """Return the maximum of the quadratic model, or a point on the way to it that is better than u."""
    u = u / u.sum()
    released = u @ matrix
    scaled = (matrix * (np.sqrt(shares) / released)).T
    heavy = HEAVY * max(float(np.abs(scaled).max()), 1.0)
    sides = np.append(2 * np.sqrt(shares), heavy)
    try:
        aim = nnls(np.vstack([scaled, np.full(len(u), heavy)]), sides)[0]
    except RuntimeError:  # it cycles: the update alone goes on
        return u
    direction = aim / aim.sum() - u
    slope, now = float(matrix @ (shares / released) @ direction), float(shares @ np.log(released))
    step = 1.0
    while step > LEAST_STEP:
        further = u + step * direction
        after = further @ matrix
        if after.min() > 0 and float(shares @ np.log(after)) >= now + step * slope / 10_000:
            return np.asarray(np.maximum(further, 0.0) / np.maximum(further, 0.0).sum())
        step /= 2
    return u


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
