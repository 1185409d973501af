"""The numbers that an audit is asked with: exact, and of a size whose squares are doubles."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from mechdesign.errors import InputError
from mechdesign.exact.numbers import Number, number, parse_number
from mechdesign.exact.text import shown

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
