"""What was released as a linear function of what is asked: released = unknowns @ matrix, shares = unknowns @ wanted.

For one profile the unknowns are the shares of the categories themselves. Where profiles with different rows were mixed
in unknown proportions, the unknowns are the shares of each profile and category together, and a category's share is
the sum over the profiles. Either way they are >= 0 and sum to 1. This is for statistics, in doubles: nothing exact, and
no mechanism, is ever made of it.

A left inverse C has matrix @ C = wanted; then shares released @ C are unbiased, whatever the truth. Where the matrix
has more outputs than categories there are many; here it is the one of least variance if all rows of the matrix are
equally frequent. That does not depend on the data, so that the estimate is unbiased exactly, not only in the limit.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats, Integers
from mechdesign.errors import InputError
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism

MOST_UNKNOWNS = 2_000
"""Unknowns beyond this take minutes and gigabytes to estimate. Tuned on k-ary mechanisms: 5 s at 1,000."""

LARGEST_BIAS = 1e-9
"""A category is determined by what is released if the left inverse has at most this bias, whatever the shares are."""

TELLING_ROWS, TELLING_ERROR = 1e10, 0.1
"""And if so many rows, more than there are human beings, would tell its share at all: with a standard error below this.
A matrix of which a column is 1e-9 has an inverse, but data of any size have next to nothing in that column."""


@dataclass(frozen=True, eq=False)
class Channel:
    """How unknown shares become released ones.

    Attributes
    ----------
    matrix
        (unknowns, outputs): rows that sum to 1.
    category
        (unknowns,): to which category's share each unknown belongs.

    Examples
    --------
    >>> coin = Channel(np.array([[0.75, 0.25], [0.25, 0.75]]), np.arange(2))
    >>> coin.coefficients.round(12)
    array([[ 1.5, -0.5],
           [-0.5,  1.5]])
    """

    matrix: Floats
    category: Integers

    @property
    def categories(self) -> int:
        """How many categories there are."""
        return int(self.category.max()) + 1

    @property
    def wanted(self) -> Floats:
        """(unknowns, categories): 1 where the unknown belongs to the category."""
        return np.asarray(self.category[:, None] == np.arange(self.categories), dtype=np.float64)

    @cached_property
    def possible(self) -> npt.NDArray[np.bool_]:
        """(outputs,): whether the mechanism ever releases the output."""
        return np.asarray(self.matrix.mean(axis=0) > 0)

    @cached_property
    def coefficients(self) -> Floats:
        """(outputs, categories): the left inverse; nothing of use for categories that are not determined."""
        scale = np.sqrt(np.where(self.possible, self.matrix.mean(axis=0), 1.0))
        # least sum_y mean_y c_y^2 subject to matrix @ c = wanted: in c_y sqrt(mean_y) the solution of least norm
        return np.asarray(np.linalg.lstsq(self.matrix / scale, self.wanted, rcond=None)[0] / scale[:, None])

    @cached_property
    def squares(self) -> Floats:
        """(unknowns, categories): the mean squares of the coefficients over the rows of each unknown."""
        return np.asarray(self.matrix @ self.coefficients**2)

    @cached_property
    def determined(self) -> npt.NDArray[np.bool_]:
        """(categories,): whether what is released determines the share, to the extent that `TELLING_ROWS` tell it."""
        bias = np.abs(self.matrix @ self.coefficients - self.wanted).max(axis=0)
        telling = self.squares.max(axis=0) < TELLING_ROWS * TELLING_ERROR**2  # n times the variance is at most that
        return np.asarray((bias <= LARGEST_BIAS) & telling)


def channel_of(mechanism: Mechanism, profile: Label | None = None) -> Channel:
    """Return how shares of categories are released: of a profile; without one, of rows of all, mixed nobody knows how.

    Profiles that have the same row for a category count as one there: their shares cannot, and need not, be told apart.

    Raises
    ------
    InputError
        if there are more than `MOST_UNKNOWNS`.

    Examples
    --------
    >>> import mechdesign as md
    >>> coin = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> channel_of(coin, 0).matrix
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    mixed = profile is None and not mechanism.one_matrix
    index = mechanism.index if mixed else mechanism.index[[0 if profile is None else mechanism.serving(profile)]]
    pairs = np.unique(np.stack([np.broadcast_to(np.arange(index.shape[1]), index.shape), index]).reshape(2, -1), axis=1)
    category, rows = pairs
    if len(rows) > MOST_UNKNOWNS:
        of_mixed = "different rows of profiles that are mixed; name the column of profiles with profile="
        what = "categories; merge some" if profile is not None else of_mixed
        raise InputError(f"at most {MOST_UNKNOWNS:,} unknown shares can be estimated, found {len(rows):,} {what}")
    return Channel(mechanism.rows.doubles(rows), category)
