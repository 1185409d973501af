"""Counts and other values on a path: the geometric mechanism followed by the best reading of each of its outputs.

Where the profiles are single values and the edges a path, each requiring q^i_y <= e^epsilon q^j_y, let G(r, i) be the
product of e^-epsilon over the edges between i and r, and beta >= 0 the weights with sum_r beta_r G(r, i) = 1 for all i.
The mechanism that answers r with probability beta_r G(r, i) is private: for equal epsilons it is the geometric one,
with what falls outside at the ends. Of any loss, for any prior w, each answer r is then best read as the y with the
least c_r = sum_i w_i l(i, y) G(r, i).

Ghosh, Roughgarden and Sundararajan proved that for losses that grow with the distance nothing private is better. Here
that is not relied on. The u with sum_i u_i G(r, i) = c_r for all r, which are given by a tridiagonal matrix, are
multipliers of "the rows sum to 1"; those of privacy follow, for each output y, from a recurrence along the path; and
together they prove a bound, whatever the loss. Where the value is above it, another solver has to do.

References
----------
Ghosh, Roughgarden and Sundararajan 2009, "Universally utility-maximizing privacy mechanisms", Theorem 1.2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats
from mechdesign.objective import ExpectedLoss
from mechdesign.objective.multipliers import Multipliers, PrivacyMultipliers
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import Problem, Solution

CLOSE = 1e-9
"""The reading is an optimum if what its multipliers prove is no farther below its value than this share of it. On 100
values at epsilon 0.05, with the cube of the distance as loss, it is 5e-13 of it."""

CLEARLY = 1e-12
"""A price above this share of what it was made of is above 0, whatever rounding did to it; of a loss, what rounding may
do."""


SMALLEST, LARGEST = 1e-6, 100.0
"""The epsilons for which doubles tell e^-epsilon from 1 well enough, and its powers from 0."""


@dataclass(frozen=True, eq=False)
class Reading:
    """The geometric mechanism's best reading, an optimum.

    Attributes
    ----------
    solution
        with the multipliers that show that.
    unique
        whether it is the only optimum, and therefore the canonical one.
    """

    solution: Solution
    unique: bool


def solve_path(problem: Problem) -> Reading | None:
    """Return the geometric mechanism's best reading; None where that is no optimum, or does not apply.

    It applies to an expected loss on different single values whose edges form a path, each with delta = 0 and an
    epsilon from 1e-6 to 100.
    """
    order = _path(problem.required, len(problem.exact))
    values = [np.flatnonzero(profile) for profile in problem.profiles]
    alone = all(len(value) == 1 for value in values) and len({int(value[0]) for value in values}) == len(values)
    if order is None or not alone or not isinstance(problem.objective, ExpectedLoss) or problem.shared:
        return None
    assert problem.loss is not None
    losses = problem.weights[order, None] * problem.loss[[int(values[i][0]) for i in order]]
    path = _OnPath(np.exp(-_lengths(problem.required, order)), losses)
    found = path.multipliers()
    if path.value > path.proved(found) + CLOSE * abs(path.value) + CLEARLY * abs(losses).max():
        return None
    released = path.released()[np.argsort(order)]
    privacy = {(order[i], order[j]): weights for (i, j), weights in found.items()}
    return Reading(Solution(path.value, released, multipliers=Multipliers(privacy)), path.unique())


def _path(required: Sequence[Requirement], profiles: int) -> list[int] | None:
    """Return the profiles in the order of the path that the requirements form; None if they form none."""
    if len(required) != profiles - 1 or any(one.delta or not SMALLEST <= one.epsilon <= LARGEST for one in required):
        return None
    near: list[list[int]] = [[] for _ in range(profiles)]
    for one in required:
        near[one.first].append(one.second)
        near[one.second].append(one.first)
    ends = [i for i, others in enumerate(near) if len(others) == 1]
    if len(ends) != 2:
        return None
    order, last = [ends[0]], -1
    while onwards := [j for j in near[order[-1]] if j != last]:
        if len(onwards) > 1:
            return None
        last = order[-1]
        order.append(onwards[0])
    return order if len(order) == profiles else None


def _lengths(required: Sequence[Requirement], order: Sequence[int]) -> Floats:
    """Return the epsilon of each step along the path."""
    epsilons = {pair: float(one.epsilon) for one in required for pair in one.directions()}
    return np.array([epsilons[pair] for pair in pairwise(order)])


class _OnPath:
    """The mechanism and its multipliers, the values in the order of the path.

    Attributes
    ----------
    steps
        n - 1 factors e^-epsilon.
    kernel
        G, n x n.
    read
        n outputs: as which each answer is read.
    prices
        w_i l(i, y) - u_i, n x m.
    least
        m values: where each output costs least.
    before, after
        n x m: what each value and those on one side of it cost.
    before_of, after_of
        n x m: the sizes of the terms of which these are sums.
    """

    def __init__(self, steps: Floats, losses: Floats) -> None:
        self.steps, self.losses = steps, losses
        places = np.concatenate([[0.0], np.cumsum(-np.log(steps))])
        self.kernel = np.exp(-abs(np.subtract.outer(places, places)))
        costs = self.kernel @ losses
        self.read = costs.argmin(axis=1)
        self.beta = _undone(steps, np.ones(len(losses)))
        least = costs.min(axis=1)
        self.value = float(self.beta @ least)
        multipliers, made_of = self._row_multipliers(least)
        self.prices = losses - multipliers[:, None]
        self.least = losses.argmin(axis=0)
        sizes = losses + made_of[:, None]
        self.before, self.before_of = _passed_on(steps, self.prices, sizes)
        self.after, self.after_of = (found[::-1] for found in _passed_on(steps[::-1], self.prices[::-1], sizes[::-1]))

    def _row_multipliers(self, least: Floats) -> tuple[Floats, Floats]:
        """Return u, and the sizes of the terms that it was made of.

        Where an answer is read as its neighbours are, u is a single loss. It is then known to the last digit, also
        where the prior is 1e-60, as it is far from a binomial one's mean: differences of sums have no digit of it.
        """
        n, same = len(self.read), self.read[1:] == self.read[:-1]
        result, made_of = _undone(self.steps, least), _undone(-self.steps, least)
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

    def proved(self, multipliers: PrivacyMultipliers) -> float:
        """Return what multipliers of privacy prove: see `mechdesign.certificate.bound`."""
        prices = self.losses.copy()
        for i, step in enumerate(self.steps):
            for one, other in ((i, i + 1), (i + 1, i)):
                prices[one] += multipliers[one, other]
                prices[other] -= multipliers[one, other] / step
        return float(prices.min(axis=1).sum())

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
            return bool(costs > CLEARLY * (self.before_of[place, y] + self.after_of[place, y]))
        first, last = run[0], run[-1]
        sides = np.concatenate([self.before[:first, y], self.after[last + 1 :, y]])
        made_of = np.concatenate([self.before_of[:first, y], self.after_of[last + 1 :, y]])
        return bool(last - first == len(run) - 1 and (sides > CLEARLY * made_of).all())


def _undone(steps: Floats, totals: Floats) -> Floats:
    """Return the u with sum_i u_i G(r, i) = totals_r: the inverse of G is tridiagonal."""
    result = np.zeros(len(totals))
    result[:-1] += (totals[:-1] - steps * totals[1:]) / (1 - steps**2)
    result[1:] += (totals[1:] - steps * totals[:-1]) / (1 - steps**2)
    result[1:-1] -= totals[1:-1]
    return result if len(totals) > 1 else totals.copy()


def _passed_on(steps: Floats, prices: Floats, sizes: Floats) -> tuple[Floats, Floats]:
    """Return for each value what it and those before it cost, times its q_y, where these are as private as they may be.

    Those before it are e^epsilon times as large if they cost less than nothing, and e^-epsilon times if more. Second
    comes the sum of the `sizes` that this was made of.
    """
    passed, made_of = prices.copy(), sizes.copy()
    with np.errstate(over="ignore"):
        for i, step in enumerate(steps):
            factor = np.where(passed[i] > 0, step, 1 / step)
            passed[i + 1] += passed[i] * factor
            made_of[i + 1] += made_of[i] * factor
    return passed, made_of
