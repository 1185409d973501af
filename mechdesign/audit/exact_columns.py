"""Numbers of an audit, exactly: those it is asked with, and columns as integers over one common denominator.

What it is asked with is of a size whose squares are doubles.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from mechdesign.arrays import Exact, Floats
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Number, number, parse_entry, parse_number
from mechdesign.exact.text import shown, shown_cell
from mechdesign.words import counted

LARGEST = int(1e100)
"""The double, which is a little more than 10^100."""


def parse_sized(name: str, value: object, parse: Callable[[object], Fraction] = parse_number) -> Fraction:
    """Return a number of size at most 1e100; `parse_entry` reads one that is data.

    Examples
    --------
    >>> parse_sized("factor", "x")
    Traceback (most recent call last):
    mechdesign.errors.InputError: factor: expected a number such as 0.3 or "3/10", found 'x'
    """
    outside = "a number of size at most 1e100"
    return number(name, value, outside=outside, at_least=-LARGEST, at_most=LARGEST, parse=parse)


def parse_asked(epsilon: object) -> Fraction:
    """Return the epsilon asked for, in nats.

    Raises
    ------
    InputError
        unless it is a number from 1e-100 to 1e100: noise for epsilon = 0 is infinite.

    Examples
    --------
    >>> parse_asked("1/3")
    Fraction(1, 3)
    """
    expected = "a number > 0 (in nats, 1e-100 to 1e100)"
    return number("epsilon", epsilon, expected, at_least=Fraction(1, LARGEST), at_most=LARGEST)


def parse_bounds(bounds: Sequence[Number]) -> tuple[Fraction, Fraction]:
    """Return the bounds as rationals.

    Raises
    ------
    InputError
        unless they are two numbers, the first the smaller.

    Examples
    --------
    >>> parse_bounds(("0", "0.5"))
    (Fraction(0, 1), Fraction(1, 2))
    """
    if isinstance(bounds, str) or not isinstance(bounds, Sequence) or len(bounds) != 2:
        raise InputError(f"bounds: expected two numbers L < U, found {shown(bounds)}")
    low, high = (parse_sized("bounds", bound) for bound in bounds)
    if low >= high:
        raise InputError(f"bounds: expected L < U, found {shown(low)} and {shown(high)}")
    return low, high


@dataclass(frozen=True, eq=False)
class Records:
    """The numbers `numerators / denominator`, in the order of the rows."""

    numerators: Exact
    denominator: int

    def __len__(self) -> int:
        return len(self.numerators)

    def floats(self) -> Floats:
        """Return the nearest doubles."""
        return quotients(self.numerators, self.denominator)

    def at_least(self, fewest: int) -> "Records":
        """Return the records, or raise an InputError if there are too few."""
        if len(self) < fewest:
            raise InputError(f"expected at least {counted(fewest, 'record')}, found {len(self)}")
        return self

    def clipped(self, low: Fraction, high: Fraction) -> "Records":
        """Return the records with those outside [low, high] moved to the nearer end.

        Examples
        --------
        >>> parse_records([1, "2.5", 9]).clipped(Fraction(2), Fraction(4)).floats()
        array([2. , 2.5, 4. ])
        """
        denominator = math.lcm(self.denominator, low.denominator, high.denominator)
        numerators = self.numerators * (denominator // self.denominator)
        least, most = (int(end * denominator) for end in (low, high))
        return Records(np.clip(numerators, least, most), denominator)


def parse_records(values: "Iterable[Any] | Records", *, fewest: int = 1) -> Records:
    """Return the records that are given as numbers or as text; a float is the rational that it is.

    Parameters
    ----------
    values
        numbers, or records already; rows are counted from 1.
    fewest
        as many records are needed.

    Raises
    ------
    InputError
        naming the rows that are empty, NaN, no number or too large; or if there are too few.

    Examples
    --------
    >>> parse_records(["0.25", 2])
    Records(numerators=array([1, 8], dtype=object), denominator=4)
    """
    if isinstance(values, Records):
        return values.at_least(fewest)
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"expected a column of numbers, found {shown_cell(values)}")
    cells = values.tolist() if hasattr(values, "tolist") else list(values)
    ratios, wrong = [], []
    for row, cell in enumerate(cells, start=1):
        try:
            fast = type(cell) is float and abs(cell) <= LARGEST
            ratios.append(cell.as_integer_ratio() if fast else _ratio(cell))
        except (InputError, TypeError):  # a list has no hash
            wrong.append(f"row {row}: expected a number of size at most 1e100, found {shown_cell(cell)}")
    if wrong:
        raise InputError(wrong)
    return over_one_denominator(ratios).at_least(fewest)


def over_one_denominator(ratios: Sequence[tuple[int, int]]) -> Records:
    """Return numbers given as (numerator, denominator).

    Examples
    --------
    >>> over_one_denominator([(1, 2), (2, 3)])
    Records(numerators=array([3, 4], dtype=object), denominator=6)
    """
    denominators = {denominator for _, denominator in ratios}
    unit = math.lcm(*denominators)
    factor = {denominator: unit // denominator for denominator in denominators}
    numerators = np.empty(len(ratios), dtype=object)
    numerators[:] = [numerator * factor[denominator] for numerator, denominator in ratios]
    return Records(numerators, unit)


@lru_cache(maxsize=2**16, typed=True)
def _ratio(cell: Any) -> tuple[int, int]:
    """Return a cell as numerator and denominator; the same text often stands in many rows."""
    return parse_sized("cell", cell, parse_entry).as_integer_ratio()


def quotients(numerators: Any, denominators: Any) -> Floats:
    """Return numerator / denominator for integers of any size, to the last digit or two; x/0 is infinite, 0/0 is 0.

    Examples
    --------
    >>> quotients(np.array([1, 10**400, 0], dtype=object), np.array([3, 10**400, 0], dtype=object))
    array([0.33333333, 1.        , 0.        ])
    """
    try:
        over, under = (np.asarray(part, dtype=object).astype(np.float64) for part in (numerators, denominators))
    except OverflowError:
        return np.asarray(np.frompyfunc(_quotient, 2, 1)(numerators, denominators), dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((over == 0) & (under == 0), 0.0, over / under)


def _quotient(numerator: int, denominator: int) -> float:
    try:
        return numerator / denominator
    except ZeroDivisionError:
        return math.copysign(math.inf, numerator) if numerator else 0.0
    except OverflowError:
        return math.inf if (numerator > 0) == (denominator > 0) else -math.inf
