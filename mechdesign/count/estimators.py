"""The posterior mean and median of many noisy counts at once."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats
from mechdesign.count.noise import parse_answers, parse_count_epsilon, parse_noise
from mechdesign.count.prior import PriorLike, prior_of
from mechdesign.count.table import Split, Table
from mechdesign.exact.numbers import Number

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
