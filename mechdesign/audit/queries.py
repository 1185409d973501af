"""The named queries: what they answer, and how far one record can move the answer; exact, for many databases at once.

A query of one database X has the *local* sensitivity max_i |f(X) - f(X without i)|, [SM]'s Delta f_n, from which [SM]
computes the noise, and a *global* one: the largest |f(X) - f(X')| over all databases of n records in [L, U] that
differ in one record. Only the second makes noise private.

A query may be a Python function too: its answers and local sensitivities are found by asking for every database in
turn.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from mechdesign.arrays import Exact
from mechdesign.audit.exact_columns import LARGEST, Records, over_one_denominator
from mechdesign.errors import InputError
from mechdesign.exact.numbers import number, parse_entry


@dataclass(frozen=True, eq=False)
class Answers:
    """Answers and local sensitivities, as integers over one denominator."""

    values: Exact
    sensitivities: Exact
    denominator: int


@dataclass(frozen=True, eq=False)
class Databases:
    """Some databases of the same k records: some records, all of them or all but one.

    Attributes
    ----------
    ordered
        the numerators of all n records, ascending.
    left_out
        for each database the rank of the record that is left out; n for none.
    denominator
        of the records.
    """

    ordered: Exact
    left_out: Any
    denominator: int

    @cached_property
    def k(self) -> int:
        """The number of records in each."""
        return len(self.ordered) - int(self.left_out[0] < len(self.ordered))

    @cached_property
    def _gone(self) -> Exact:
        """The records left out; 0 for none."""
        return np.asarray(np.append(self.ordered, 0)[self.left_out])

    @cached_property
    def sums(self) -> Exact:
        """The sum of each."""
        return np.asarray(self.ordered.sum() - self._gone)

    @cached_property
    def squares(self) -> Exact:
        """The sum of the squares of each."""
        return np.asarray((self.ordered**2).sum() - self._gone**2)

    def order(self, rank: Any) -> Exact:
        """Return the record of that rank (0 to k-1) in each."""
        return np.asarray(self.ordered[rank + (rank >= self.left_out)])

    def below_mean(self) -> Any:
        """Return how many records of each are below its mean."""
        rank = np.searchsorted(self.ordered * self.k, self.sums)
        return rank - (self.left_out < rank)


def with_and_without(records: Records) -> tuple[Databases, Databases]:
    """Return the database of all records, and those that lack one, in the order of the records.

    Examples
    --------
    >>> from mechdesign.audit.exact_columns import parse_records
    >>> [databases.sums for databases in with_and_without(parse_records([1, 2, 4]))]
    [array([7], dtype=object), array([6, 5, 3], dtype=object)]
    """
    n = len(records)
    try:
        keys: Any = records.numerators.astype(np.int64)
    except OverflowError:
        keys = records.numerators
    order = np.argsort(keys, kind="stable")
    ranks = np.empty(n, dtype=np.int64)
    ranks[order] = np.arange(n)
    ordered = records.numerators[order]
    whole, without = (Databases(ordered, left_out, records.denominator) for left_out in (np.array([n]), ranks))
    return whole, without


def _sum(x: Databases) -> Answers:
    return Answers(x.sums, np.maximum(abs(x.order(0)), abs(x.order(x.k - 1))), x.denominator)


def _mean(x: Databases) -> Answers:
    # mean - mean without j = (x_j - mean)/(k-1)
    k, farthest = x.k, np.maximum(x.order(x.k - 1) * x.k - x.sums, x.sums - x.order(0) * x.k)
    return Answers(x.sums * (k - 1), farthest, k * (k - 1) * x.denominator)


def _count(x: Databases) -> Answers:
    one = np.array([1] * len(x.left_out), dtype=object)
    return Answers(one * x.k, one, 1)


def _variance(x: Databases) -> Answers:
    # With t_j = k x_j - sum and A = k squares - sum^2: variance = A/k(k-1), and without j it is
    # ((k-1) A - t_j^2)/k(k-1)(k-2); the t_j^2 have the mean A, so the farthest is the largest or the least of them.
    k, spread, nearest = x.k, x.k * x.squares - x.sums**2, x.below_mean()
    ranks = (0, k - 1), (np.clip(nearest - 1, 0, k - 1), np.clip(nearest, 0, k - 1))
    (far, near) = ([(k * x.order(rank) - x.sums) ** 2 for rank in some] for some in ranks)
    moved = np.maximum(np.maximum(*far) - spread, spread - np.minimum(*near))
    return Answers(spread * (k - 2), moved, k * (k - 1) * (k - 2) * x.denominator**2)


def _max(x: Databases) -> Answers:
    top = x.order(x.k - 1)
    return Answers(top, top - x.order(x.k - 2), x.denominator)


def _min(x: Databases) -> Answers:
    low = x.order(0)
    return Answers(low, x.order(1) - low, x.denominator)


def _median(x: Databases) -> Answers:
    # An odd median moves to the middle of itself and a neighbour, an even one to either of the two it is the middle of.
    half, odd = divmod(x.k, 2)
    upper, middle = x.order(half), x.order(half - (1 - odd))
    moved = np.maximum(x.order(half + 1) - middle, middle - x.order(half - 1)) if odd else upper - middle
    return Answers(upper + middle, moved, 2 * x.denominator)


def _between(n: int, low: Fraction, high: Fraction) -> tuple[Fraction, Fraction]:
    del n
    return low, high


@dataclass(frozen=True)
class Query:
    """A named query.

    Attributes
    ----------
    name
        its name.
    answers
        answers and local sensitivities.
    fewest
        so many records are needed, as two are left out at once.
    global_sensitivity
        of n records in an interval of this width, one of which is exchanged.
    span
        the least and the largest answer for n records in [low, high].
    missing
        the record that moves the answer from f to f + change for n records; NaN where none does. None where the answer
        does not tell.
    fixed
        whether the sensitivity is the same for all databases.
    """

    name: str
    answers: Callable[[Databases], Answers]
    fewest: int = 3
    global_sensitivity: Callable[[int, Fraction], Fraction] = lambda n, width: width
    span: Callable[[int, Fraction, Fraction], tuple[Fraction, Fraction]] = _between
    missing: Callable[[Any, Any, int], Any] | None = None
    fixed: bool = False


SUM = Query("sum", _sum, 2, span=lambda n, low, high: (n * low, n * high), missing=lambda f, change, n: change)
MEAN = Query("mean", _mean, global_sensitivity=lambda n, width: width / n, missing=lambda f, change, n: f + n * change)
COUNT = Query("count", _count, 2, lambda n, width: Fraction(0), lambda n, low, high: (Fraction(n),) * 2, fixed=True)
VARIANCE = Query(
    "variance",
    _variance,
    4,
    lambda n, width: width**2 / n,
    lambda n, low, high: (Fraction(0), (high - low) ** 2 * Fraction((n // 2) * (n - n // 2), n * (n - 1))),
)  # most where half of the records are at either end
MAX = Query("max", _max, missing=lambda f, change, n: np.where(change > 0, f + change, np.nan))
MIN = Query("min", _min, missing=lambda f, change, n: np.where(change < 0, f + change, np.nan))
MEDIAN = Query("median", _median, global_sensitivity=lambda n, width: width / (2 - n % 2))

QUERIES = MappingProxyType({query.name: query for query in (SUM, MEAN, COUNT, VARIANCE, MAX, MIN, MEDIAN)})
"""The queries by name; the variance divides by n - 1."""


MOST_RECORDS = 1000
"""n records take n^2/2 evaluations."""

LARGEST_ANSWER = LARGEST**2
"""Answers are at most as large, so that scales of noise are doubles."""

FEWEST = 3
"""Two are left out at once."""


def answers_of(query: Callable[[Any], Any], records: Records) -> tuple[Answers, Answers]:
    """Return the answers with all records, and without each of them; floats are the rationals that they are.

    Parameters
    ----------
    query
        takes an array of doubles, returns one number.
    records
        3 to 1,000 of them.

    Raises
    ------
    InputError
        if it returns no number, or one larger than squares of records, or there are too many records.

    Examples
    --------
    >>> from mechdesign.audit.exact_columns import parse_records
    >>> whole, without = answers_of(np.ptp, parse_records([1, 2, 5, 9]))
    >>> whole.sensitivities / whole.denominator, without.sensitivities / without.denominator
    (array([4.0], dtype=object), array([4.0, 4.0, 7.0, 3.0], dtype=object))
    """
    n, x = len(records), records.floats()
    if n > MOST_RECORDS:
        message = f"a function is asked n^2/2 times: expected at most {MOST_RECORDS} records, found {n}"
        raise InputError(f"{message}; named queries take millions")
    whole = _ask(query, x.copy())  # the function may sort it
    without = [_ask(query, np.delete(x, i), i) for i in range(n)]
    moved = [Fraction(0)] * n
    for i in range(n):
        for j in range(i):
            answer = _ask(query, np.delete(x, [i, j]), j, i)
            moved[i], moved[j] = (max(moved[a], abs(without[a] - answer)) for a in (i, j))
    farthest = max(abs(whole - answer) for answer in without)
    return _answers([whole], [farthest]), _answers(without, moved)


def _ask(query: Callable[[Any], Any], x: Any, *left_out: int) -> Fraction:
    answer = query(x)
    if isinstance(answer, np.ndarray) and answer.ndim == 0:
        answer = answer.item()
    missing = f" without row {' and '.join(str(i + 1) for i in left_out)}" if left_out else ""
    expected = f"a number of size at most 1e200{missing}"
    return number("query", answer, expected, at_least=-LARGEST_ANSWER, at_most=LARGEST_ANSWER, parse=parse_entry)


def _answers(values: list[Fraction], sensitivities: list[Fraction]) -> Answers:
    numbers = over_one_denominator([number.as_integer_ratio() for number in (*values, *sensitivities)])
    first, second = np.split(numbers.numerators, 2)
    return Answers(first, second, numbers.denominator)
