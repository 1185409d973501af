"""Utilities of an exponential mechanism: a table as integers, and by how much its rows differ."""

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact
from mechdesign.errors import InputError
from mechdesign.exact.faults import Faults
from mechdesign.exact.numbers import over_common, parse_entry
from mechdesign.size import check_size

MOST_ENTRIES = 250_000
"""A table of 160,000 takes three quarters of a minute to become a mechanism, file and losses included."""

LARGEST_SMALL = 2**61
"""Differences of differences of integers up to this fit into 64 bits."""


def check_entries(count: int) -> None:
    """Raise an InputError, before the time is gone, if a mechanism would have more entries than `MOST_ENTRIES`."""
    remedy = "merge categories, or give fewer outputs"
    check_size(count, MOST_ENTRIES, "the mechanism would have {} entries", remedy)


def integer_utilities(table: npt.ArrayLike, d: int) -> tuple[Exact, int]:
    """Return utilities as integers over a common denominator, with 0 for the best output of each row.

    Raises
    ------
    InputError
        if the table has not d rows, or holds what is no number.

    Examples
    --------
    >>> utilities, unit = integer_utilities([["0.5", 0], [1, 2]], 2)
    >>> utilities.tolist(), unit
    ([[0, -1], [-2, 0]], 2)
    """
    rows = np.asarray(table, dtype=object)
    if rows.ndim != 2 or len(rows) != d or rows.shape[1] == 0:
        expected = f"a table of {d} rows, one for each category, and at least one column"
        raise InputError(f"utility: expected {expected}, found shape {rows.shape}")
    check_entries(rows.size)
    faults = Faults()
    places = ((f"utility, row {x}, column {y}", value) for (x, y), value in np.ndenumerate(rows))
    numbers = [faults.number(place, value, parse=parse_entry) for place, value in places]
    faults.check()
    integers, unit = over_common(numbers, "the utilities")
    result = np.array(integers, dtype=object).reshape(rows.shape)
    return result - result.max(axis=1, keepdims=True), unit


def sensitivities(table: Exact) -> Exact:
    """Return what each two rows of integer utilities differ by, d x d, in the sense that limits their scale.

    It is the maximum less the minimum of their difference; where all rows have the same utilities in some order, so
    that their exponentials have one sum whatever the scale, the largest absolute value of their difference.

    Examples
    --------
    >>> import numpy as np
    >>> sensitivities(np.array([[0, -1, -2], [-1, 0, -1]], dtype=object)).tolist()
    [[0, 2], [2, 0]]
    >>> sensitivities(np.array([[0, -1], [-1, 0]], dtype=object)).tolist()
    [[0, 1], [1, 0]]
    """
    small = table.astype(np.int64) if int(table.min()) > -LARGEST_SMALL else table
    one_sum = len({tuple(sorted(row)) for row in small.tolist()}) == 1
    result = np.zeros((len(table), len(table)), dtype=object)
    for x, row in enumerate(small):
        differences = row - small
        high, low = differences.max(axis=1), differences.min(axis=1)
        result[x] = np.maximum(high, -low) if one_sum else high - low
    return result
