"""The unbiased estimate by a left inverse of the matrix, and its standard error.

A left inverse C has matrix @ C = wanted; then shares released @ C are unbiased, whatever the truth. Where the matrix
has more outputs than categories there are many; here it is the one of least variance if all rows of the matrix are
equally frequent. That does not depend on the data, so that the estimate is unbiased exactly, not only in the limit.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats
from mechdesign.release.channels import Channel

LARGEST_BIAS = 1e-9
"""A category is determined by what is released if the left inverse has at most this bias, whatever the shares are."""

TELLING_ROWS, TELLING_ERROR = 1e10, 0.1
"""And if so many rows, more than there are human beings, would tell its share at all: with a standard error below this.
A matrix of which a column is 1e-9 has an inverse, but data of any size have next to nothing in that column."""

PSEUDO_COUNTS = 4.0
"""Added to the counts of a variance, spread evenly over the outputs. Tuned on k-ary and geometric mechanisms of ten
categories, 200 to 10,000 rows: without any, intervals of 95 % cover a true share of 0 in 7 % of all runs."""


@dataclass(frozen=True, eq=False)
class LeftInverse:
    """What makes released shares into unbiased ones.

    Attributes
    ----------
    coefficients
        (outputs, categories); nothing of use for those that are not determined.
    determined
        (categories,): whether what is released determines the share, to the extent that `TELLING_ROWS` rows tell it.
    possible
        (outputs,): whether the mechanism ever releases the output.
    """

    coefficients: Floats
    determined: npt.NDArray[np.bool_]
    possible: npt.NDArray[np.bool_]


Spread = Callable[[Floats, LeftInverse], Floats]
"""Returns n times the variance of the unbiased estimates from released shares (..., outputs)."""


def left_inverse(channel: Channel) -> LeftInverse:
    """Return the left inverse of least variance under equally frequent rows, and which categories it determines.

    Examples
    --------
    >>> import numpy as np
    >>> coin = Channel(np.array([[0.75, 0.25], [0.25, 0.75]]), np.arange(2))
    >>> left_inverse(coin).coefficients.round(12)
    array([[ 1.5, -0.5],
           [-0.5,  1.5]])
    """
    mean = channel.matrix.mean(axis=0)
    possible = mean > 0
    scale = np.sqrt(np.where(possible, mean, 1.0))
    # least sum_y mean_y c_y^2 subject to matrix @ c = wanted: in c_y sqrt(mean_y) the solution of least norm
    found = np.linalg.lstsq(channel.matrix / scale, channel.wanted, rcond=None)[0] / scale[:, None]
    bias = np.abs(channel.matrix @ found - channel.wanted).max(axis=0)
    mean_square = (channel.matrix @ found**2).max(axis=0)  # n times the variance is at most this, whatever the shares
    return LeftInverse(found, (bias <= LARGEST_BIAS) & (mean_square < TELLING_ROWS * TELLING_ERROR**2), possible)


def unbiased(counts: Floats, inverse: LeftInverse) -> Floats:
    """Return the unbiased estimates (..., categories) from counts of the outputs (..., outputs)."""
    return np.asarray(counts @ inverse.coefficients / counts.sum(axis=-1, keepdims=True))


def for_population(shares: Floats, inverse: LeftInverse) -> Floats:
    """Return n times the variance over rows that are drawn from a population: of who was asked, and of the noise."""
    mean = shares @ inverse.coefficients
    return np.asarray(shares @ inverse.coefficients**2 - mean**2)


def for_these_rows(shares: Floats, inverse: LeftInverse) -> Floats:
    """Return n times the variance over the mechanism's noise alone, the rows being given.

    A row of category x adds the variance of its coefficient, whose mean is 1 for x and 0 for any other; so the sum
    over the rows is the mean square less the share of the category.
    """
    return np.asarray(shares @ inverse.coefficients**2 - shares @ inverse.coefficients)


def smoothed(counts: Floats, inverse: LeftInverse) -> Floats:
    """Return released shares (..., outputs) from counts with pseudo-counts."""
    added = PSEUDO_COUNTS * inverse.possible / inverse.possible.sum()
    return np.asarray((counts + added) / (counts.sum(axis=-1, keepdims=True) + PSEUDO_COUNTS))


def standard_errors(counts: Floats, inverse: LeftInverse, spread: Spread) -> Floats:
    """Return the standard errors (..., categories), from counts with pseudo-counts."""
    variances = spread(smoothed(counts, inverse), inverse)
    return np.asarray(np.sqrt(np.maximum(variances, 0.0) / counts.sum(axis=-1, keepdims=True)))
