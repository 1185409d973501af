"""The geometric mechanism on a path of values, with a remap of each of its answers, and what that costs at least.

See `mechdesign.solver.geometric_remap`, whose u, G, beta and c these are.
"""

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats
from mechdesign.objective.multipliers import PrivacyMultipliers
from mechdesign.program.tolerances import VIOLATION


class OnPath:
    """The mechanism and its multipliers, the values in the order of the path.

    Attributes
    ----------
    steps
        n - 1 factors e^-epsilon.
    kernel, beta
        G, n x n, and beta, n.
    read
        n outputs: as which each answer is read.
    weights, row_multipliers
        w and u, n.
    prices
        w_i l(i, y) - u_i, n x m.
    least
        m values: where each output costs least.
    before, after
        n x m: what each value and those on one side of it cost.
    before_of, after_of
        n x m: the sizes of the terms of which these are sums.
    """

    def __init__(self, steps: Floats, table: Floats, weights: Floats) -> None:
        self.steps, self.weights, self.losses = steps, weights, weights[:, None] * table
        losses = self.losses
        self.kernel, self.beta = kernel_of(steps), undone(steps, np.ones(len(losses)))
        costs = self.kernel @ losses
        self.read = costs.argmin(axis=1)
        least = costs.min(axis=1)
        self.value = float(self.beta @ least)
        self.row_multipliers, made_of = self._row_multipliers(least)
        self.prices = losses - self.row_multipliers[:, None]
        self.least = table.argmin(axis=0)
        sizes = losses + made_of[:, None]
        self.before, self.before_of = _passed_on(steps, self.prices, sizes)
        self.after, self.after_of = (found[::-1] for found in _passed_on(steps[::-1], self.prices[::-1], sizes[::-1]))

    def _row_multipliers(self, least: Floats) -> tuple[Floats, Floats]:
        """Return u, and the sizes of the terms that it was made of.

        Where an answer is read as its neighbours are, u is a single loss. It is then known to the last digit, also
        where the prior is 1e-60, as it is far from a binomial one's mean: differences of sums have no digit of it.
        """
        n, same = len(self.read), self.read[1:] == self.read[:-1]
        result, made_of = undone(self.steps, least), undone(-self.steps, least)
        alike = np.concatenate([[True], same]) & np.concatenate([same, [True]])
        result[alike] = self.losses[np.arange(n), self.read][alike]
        made_of[alike] = result[alike]
        return result, made_of

    def released(self) -> Floats:
        """Return what each value releases, n x m."""
        released = np.zeros(self.prices.T.shape)
        np.add.at(released, self.read, self.beta[:, None] * self.kernel)
        return released.T

    def multipliers(self) -> PrivacyMultipliers:
        """Return multipliers of privacy with which all prices are made up for along the path.

        From both ends to the value at which the output costs least: what is passed on shrinks on the way there, and so
        do errors.
        """
        found: PrivacyMultipliers = {}
        for i, step in enumerate(self.steps):
            rising = i < self.least  # towards the next value
            price = np.where(rising, self.before[i], self.after[i + 1])
            up, down = np.maximum(0.0, price) * step, np.maximum(0.0, -price)
            found[i, i + 1] = np.where(rising, down, up)
            found[i + 1, i] = np.where(rising, up, down)
        return found

    def unique(self) -> bool:
        """Return whether no other mechanism costs as little, given that none costs less.

        An output that no answer is read as costs something however it is released. One that a run of answers is read
        as costs something unless its probability falls, on both sides of the run, by e^-epsilon with every step. Such
        columns are combinations of the run's columns of G, and only beta combines these so that the rows sum to 1.
        """
        return all(self._forced(y, np.flatnonzero(self.read == y)) for y in range(len(self.least)))

    def _forced(self, y: int, run: npt.NDArray[np.intp]) -> bool:
        """Return whether an output that these answers are read as can be released in this way alone."""
        if not len(run):
            place = self.least[y]
            costs = self.before[place, y] + self.after[place, y] - self.prices[place, y]
            return bool(costs > VIOLATION * (self.before_of[place, y] + self.after_of[place, y]))
        first, last = run[0], run[-1]
        sides = np.concatenate([self.before[:first, y], self.after[last + 1 :, y]])
        made_of = np.concatenate([self.before_of[:first, y], self.after_of[last + 1 :, y]])
        return bool(last - first == len(run) - 1 and (sides > VIOLATION * made_of).all())


def proved(steps: Floats, losses: Floats, multipliers: PrivacyMultipliers) -> float:
    """Return what multipliers of privacy prove of losses: see `mechdesign.certificate.bound`."""
    prices = losses.copy()
    for i, step in enumerate(steps):
        for one, other in ((i, i + 1), (i + 1, i)):
            prices[one] += multipliers[one, other]
            prices[other] -= multipliers[one, other] / step
    return float(prices.min(axis=1).sum())


def kernel_of(steps: Floats) -> Floats:
    """Return G, the products of the factors between any two values."""
    places = np.concatenate([[0.0], np.cumsum(-np.log(steps))])
    return np.array(np.exp(-abs(np.subtract.outer(places, places))))


def undone(steps: Floats, totals: Floats) -> Floats:
    """Return the u with sum_i u_i G(r, i) = totals_r, of each row of a table: the inverse of G is tridiagonal."""
    if totals.shape[-1] == 1:
        return totals.copy()
    result = np.zeros(totals.shape)
    result[..., :-1] += (totals[..., :-1] - steps * totals[..., 1:]) / (1 - steps**2)
    result[..., 1:] += (totals[..., 1:] - steps * totals[..., :-1]) / (1 - steps**2)
    result[..., 1:-1] -= totals[..., 1:-1]
    return result


def _passed_on(steps: Floats, prices: Floats, sizes: Floats) -> tuple[Floats, Floats]:
    """Return for each value what it and those before it cost, times its q_y, where these are as private as they may be.

    Those before it are e^epsilon times as large if they cost less than nothing, and e^-epsilon times if more. Second
    comes the sum of the `sizes` that this was made of.
    """
    passed, made_of = prices.copy(), sizes.copy()
    with np.errstate(over="ignore", invalid="ignore"):
        for i, step in enumerate(steps):
            factor = np.where(passed[i] > 0, step, 1 / step)
            passed[i + 1] += passed[i] * factor
            made_of[i + 1] += made_of[i] * factor
    return passed, made_of
