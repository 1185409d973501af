"""What noisy counts say of the true ones: the posterior of one, summed directly; means and medians of many at once."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats
from mechdesign.count.laws import masses_of
from mechdesign.count.noise import parse_answers, parse_count_epsilon, parse_noise
from mechdesign.count.prior import PriorLike, prior_of
from mechdesign.count.table import Split, Table
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Number
from mechdesign.exact.text import shown
from mechdesign.show.answer import Answer, Fact, for_programs
from mechdesign.show.as_blocks import Answering
from mechdesign.show.fact_numbers import Exact, Near, six


@dataclass(frozen=True, eq=False, repr=False)
class Posterior(Answering):
    """The law of the true count after a noisy answer.

    Attributes
    ----------
    noisy
        the noisy count: the naive estimate.
    x
        counts, ascending.
    masses
        their probabilities; all others together have less than about e^-60.
    """

    noisy: float
    x: Floats
    masses: Floats

    def __repr__(self) -> str:
        low, high = self.interval()
        return f"Posterior(mean {self.mean:.9g}, median {self.median}, 95% in [{low}, {high}], answer {self.noisy:g})"

    @property
    def mean(self) -> float:
        """The mean: the estimate of least squared error."""
        return float(np.clip(self.masses @ self.x, self.x[0], self.x[-1]))  # but for rounding, within

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return float(np.sqrt(self.masses @ (self.x - self.mean) ** 2))

    @property
    def median(self) -> int:
        """The least median: the estimate of least absolute error; on ties see `posterior_median`."""
        return self.quantile(0.5)

    @property
    def mode(self) -> int:
        """The most probable count; the least of several."""
        return int(self.x[np.argmax(self.masses)])

    @cached_property
    def _sides(self) -> tuple[Floats, Floats]:
        """The probabilities up to each point, and beyond it: each summed from its own end, which keeps symmetry."""
        return np.cumsum(self.masses), np.append(np.cumsum(self.masses[:0:-1])[::-1], 0.0)

    def pmf(self, k: int) -> float:
        """Return the probability that the true count is k.

        Examples
        --------
        >>> posterior(1, 1, 0.5, 1).pmf(1) / posterior(1, 1, 0.5, 1).pmf(0)     # e
        2.71828182845904...
        """
        place = int(np.searchsorted(self.x, k))
        return float(self.masses[place]) if place < len(self.x) and self.x[place] == k else 0.0

    def cdf(self, k: float) -> float:
        """Return the probability that the true count is at most k.

        Examples
        --------
        >>> posterior(0.5, 1, 0.5, 1).cdf(0)
        0.5
        """
        place = int(np.searchsorted(self.x, k, side="right")) - 1
        up_to, beyond = self._sides
        return float(up_to[place] / (up_to[place] + beyond[place])) if place >= 0 else 0.0

    def quantile(self, level: float) -> int:
        """Return the least count of `x` with probability >= level up to it, for level in [0, 1].

        At 0 and 1 these are the ends of `x`, not of all possible counts.

        Examples
        --------
        >>> posterior(45.3, 100, 0.3, 0.1).quantile(0.9)
        38
        """
        if not 0 <= level <= 1:
            raise InputError(f"level: expected a probability in [0, 1], found {shown(level)}")
        up_to, beyond = self._sides
        return int(self.x[np.argmax((1 - level) * up_to >= level * beyond)])

    def interval(self, level: float = 0.95) -> tuple[int, int]:
        """Return the central interval: at most (1 - level) / 2 lies beyond each of its ends.

        Raises
        ------
        InputError
            unless 0 < level < 1.

        Examples
        --------
        >>> posterior(45.3, 100, 0.3, 0.1).interval()
        (23, 41)
        """
        if not 0 < level < 1:
            raise InputError(f"level: expected a probability between 0 and 1, found {shown(level)}")
        return self.quantile((1 - level) / 2), self.quantile((1 + level) / 2)

    def answer(self, level: float = 0.95) -> Answer:
        """Return what is told of it, with the central interval of this level."""
        low, high = self.interval(level)
        under = "estimate of the true count"
        return Answer(
            f"The true count lies from {low} to {high} with probability {level:g} at least.",
            facts=[
                Fact("naive", "naive", Near(self.noisy, digits=12), "the answer itself", under=under),
                Fact("mean", "posterior mean", Near(self.mean, digits=12), "least squared error", under=under),
                Fact("deviation", "standard deviation", six(self.deviation), under=under),
                Fact("median", "posterior median", Exact(self.median), "least absolute error", under=under),
                Fact("mode", "mode", Exact(self.mode), f"probability {self.pmf(self.mode):.6g}", under=under),
                *for_programs({"interval": [low, high], "level": level}),
            ],
        )


def posterior(y: float, n: int, p: PriorLike, epsilon: Number, *, noise: str = "laplace") -> Posterior:
    """Return what a noisy count says of the true one.

    Parameters
    ----------
    y
        the noisy answer; it may lie far outside [0, n].
    n
        the number of records, at most 10^12; if p is no probability, at most 10^7.
    p
        the probability that a record counts, a `Beta` law of it, or n + 1 masses.
    epsilon
        in nats: Laplace noise of scale 1 / epsilon.
    noise
        "laplace" or "geometric".

    Raises
    ------
    InputError
        if an argument cannot be used.

    References
    ----------
    [ND] Naldi and D'Acquisto, arXiv:1407.0116: (9)-(11).

    Examples
    --------
    >>> posterior(45.3, 100, 0.3, 0.1)
    Posterior(mean 32.1299622, median 32, 95% in [23, 41], answer 45.3)
    """
    prior, nats = prior_of(n, p), parse_count_epsilon(epsilon)
    answers = parse_answers(y, parse_noise(noise))
    if answers.ndim:
        raise InputError("answer: expected one number; posterior_mean and posterior_median take arrays")
    at = float(np.clip(answers, *prior.reach(nats)))
    x, log_ratios = prior.window(at, at, nats)
    log_ratios = log_ratios - nats * np.diff(np.abs(x - at), prepend=0.0)
    return Posterior(float(answers), x, masses_of(log_ratios, min(int(np.searchsorted(x, at)), len(x) - 1)))


BLOCK = 2.0**20
"""Answers are taken together by blocks of so many counts, which bounds the memory."""


def posterior_mean(y: npt.ArrayLike, n: int, p: PriorLike, epsilon: Number, *, noise: str = "laplace") -> Floats:
    """Return the mean of the true count given each noisy answer: the estimator of least squared error.

    Parameters
    ----------
    y
        the answers, an array of any shape (or one number); they may lie far outside [0, n].
    n
        the number of records, at most 10^12; if p is no probability, at most 10^7.
    p
        the probability that a record counts, a `Beta` law of it, or n + 1 masses.
    epsilon
        in nats.
    noise
        "laplace" or "geometric".

    Returns
    -------
    numpy.ndarray
        of the shape of y; to a relative error of 1e-10 and better.

    Raises
    ------
    InputError
        if an argument cannot be used.

    References
    ----------
    [ND] Naldi and D'Acquisto, arXiv:1407.0116: (11).

    Examples
    --------
    >>> posterior_mean([-20, 45.3, 150], 100, 0.3, 0.1)
    array([27.94285686, 32.12996216, 32.14103684])
    """
    return _by_block(y, n, p, epsilon, noise, lambda table, split: table.mean(split))


def posterior_median(y: npt.ArrayLike, n: int, p: PriorLike, epsilon: Number, *, noise: str = "laplace") -> Floats:
    """Return the least median of the true count given each noisy answer: the estimator of least absolute error.

    Parameters
    ----------
    y, n, p, epsilon, noise
        as for `posterior_mean`.

    Returns
    -------
    numpy.ndarray
        of the shape of y; whole numbers, as doubles. A count up to which the probability is exactly 1/2 is the median.
        That happens only if the prior is symmetric about the answer, and so is the arithmetic then.
        Probabilities that merely come within rounding of 1/2 may be taken for smaller or larger.

    Raises
    ------
    InputError
        if an argument cannot be used.

    References
    ----------
    [ND] Naldi and D'Acquisto, arXiv:1407.0116: 4.1 measures absolute error but uses the posterior mean; the median is
    never worse.

    Examples
    --------
    >>> posterior_median([-20, 45.3, 150], 100, 0.3, 0.1)
    array([28., 32., 32.])
    """
    return _by_block(y, n, p, epsilon, noise, lambda table, split: table.x[table.quantile(split, 0.5)])


def _by_block(
    y: npt.ArrayLike, n: int, p: PriorLike, epsilon: Number, noise: str, estimate: Callable[[Table, Split], Floats]
) -> Floats:
    prior, nats = prior_of(n, p), parse_count_epsilon(epsilon)
    answers = np.clip(parse_answers(y, parse_noise(noise)), *prior.reach(nats))
    result = np.empty_like(answers)
    blocks = np.floor(answers / BLOCK)
    for block in np.unique(blocks):
        chosen = blocks == block
        part = answers[chosen]
        table = Table(nats, *prior.window(part.min(), part.max(), nats))
        result[chosen] = estimate(table, table.split(part))
    return result
