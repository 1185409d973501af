"""Numbers as a person writes them and entries of data, read as rationals; and rationals over one denominator."""

import math
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, TypeAlias

from mechdesign.errors import InputError
from mechdesign.exact.text import shown

Number: TypeAlias = int | float | str | Fraction | Decimal
"""What a number may be given as: `0.3`, `"0.3"`, `"3/10"`, `Fraction(3, 10)`."""

Epsilon: TypeAlias = Fraction | float
"""A privacy parameter in nats: a rational, or `math.inf` for no requirement."""

_DECIMAL = re.compile(r"\s*[+-]?(\d{1,1500}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,3})?\s*")

_RATIO = re.compile(r"\s*[+-]?\d{1,1500}/\d{1,1500}\s*")
"""So many digits that what `format_number` makes of 400 digits and an exponent is a number again."""


LONGEST_COMMON = 2_000
"""Digits of a common denominator: room for two numbers of 1,000 digits, or for the shares of any doubles. Without a
bound, 1,000 numbers of 1,500 digits each have a sum of 1.5 million digits, which takes a minute."""


_LOGARITHM = re.compile(r"\s*(?:ln\s*\(?|log\s*\(|log\s+)\s*([^()\s]+)\s*\)?\s*", re.IGNORECASE)
"""How people write an epsilon whose e^epsilon they know."""


_INFINITE = {"inf", "infinity", "+inf", "∞"}


def parse_number(value: object) -> Fraction:
    """Return a number as the rational that a person wrote: a float is the shortest decimal that it prints as.

    Entries of matrices, tables and distributions are no such numbers but data: see `parse_entry`.

    Raises
    ------
    InputError
        if it is not a finite number (booleans are not numbers).

    Examples
    --------
    >>> parse_number("7/10") == parse_number("0.7") == parse_number(0.7) == Fraction(7, 10)
    True
    """
    return _rational(value, _shortest_decimal)


def parse_share(value: object) -> Fraction:
    """Return a share: a number, or a text such as 1% or 1 %.

    Raises
    ------
    InputError
        as `parse_number`.

    Examples
    --------
    >>> parse_share("2.5 %"), parse_share("0.01")
    (Fraction(1, 40), Fraction(1, 100))
    """
    if isinstance(value, str) and value.strip().endswith("%"):
        return parse_number(value.strip()[:-1]) / 100
    return parse_number(value)


def parse_entry(value: object) -> Fraction:
    """Return an entry of a matrix, table or distribution: a float is the double that it is, all else as written.

    Raises
    ------
    InputError
        as `parse_number`.

    Examples
    --------
    >>> parse_entry("0.3"), parse_entry(0.3)
    (Fraction(3, 10), Fraction(5404319552844595, 18014398509481984))
    """
    return _rational(value, lambda entry: Fraction(*entry.as_integer_ratio()))  # floats of any width have it


def _rational(value: object, of_float: Callable[[Any], Fraction]) -> Fraction:
    if type(value) is Fraction:
        return value  # soon, as there are millions
    if isinstance(value, bool):
        pass
    elif isinstance(value, str):
        if _DECIMAL.fullmatch(value) or (_RATIO.fullmatch(value) and int(value.split("/")[1])):
            return Fraction(value.strip())
    elif isinstance(value, Rational | Integral):
        return Fraction(value)
    elif isinstance(value, Decimal):
        if value.is_finite() and abs(value.adjusted()) < 1000:
            return Fraction(value)
    elif isinstance(value, Real) and math.isfinite(value):
        return of_float(value)
    raise InputError(f'expected a number such as 0.3 or "3/10", found {shown(value)}')


def _shortest_decimal(value: Real) -> Fraction:
    """Return what a float prints as; numpy's double is a float too, and its shorter ones print fewer digits."""
    return Fraction(float.__repr__(value) if isinstance(value, float) else str(value))


def number(
    place: str,
    value: object,
    expected: str = "",
    *,
    outside: str = "a number >= 0",
    beside: str = "",
    at_least: Fraction | float | None = None,
    above: Fraction | float | None = None,
    at_most: Fraction | float | None = None,
    below: Fraction | float | None = None,
    parse: Callable[[object], Fraction] = parse_number,
) -> Fraction:
    """Return a number within limits.

    Parameters
    ----------
    place
        where it stands; it leads the message.
    expected
        in words, of whatever is no number within the limits.
    outside
        without these, in words of numbers outside the limits alone; what is no number is then told that.
    beside
        ends the message.
    parse
        reads it: `parse_entry` what is data.

    Raises
    ------
    InputError
        if it is no number, or outside.

    Examples
    --------
    >>> number("margin", "-1/2", at_least=0)
    Traceback (most recent call last):
    mechdesign.errors.InputError: margin: expected a number >= 0, found -0.5
    """
    try:
        found = parse(value)
    except InputError as error:
        fault = f"expected {expected}, found {shown(value)}{beside}" if expected else error.faults[0]
        raise InputError(f"{place}: {fault}") from None
    within = (at_least is None or found >= at_least) and (at_most is None or found <= at_most)
    if not (within and (above is None or found > above) and (below is None or found < below)):
        raise InputError(
            f"{place}: expected {expected or outside}, found {shown(value if expected else found)}{beside}"
        )
    return found


def parse_epsilon(value: object) -> Epsilon:
    """Return a privacy parameter in nats: a rational >= 0, or `math.inf` (also written "inf").

    Raises
    ------
    InputError
        if it is negative, not a number, or a word.
    """
    if isinstance(value, str) and value.strip().lower() in _INFINITE:
        return math.inf
    if isinstance(value, float) and value == math.inf:
        return math.inf
    several = "; `sweep` takes several" if hasattr(value, "__len__") and not isinstance(value, str | dict) else ""
    hint = several or _in_decimals(value)
    return number("epsilon", value, "a number >= 0 (in nats) or inf", at_least=0, beside=hint)


def _in_decimals(value: object) -> str:
    """Return how to write the logarithm of a number, as nearly as one wants; nothing of anything else."""
    named = _LOGARITHM.fullmatch(value) if isinstance(value, str) else None
    if named is None:
        return ""
    try:
        ratio = parse_number(named[1])
    except InputError:
        return ""
    if ratio < 1:
        return ""
    millionths = math.floor(10**6 * (math.log(ratio.numerator) - math.log(ratio.denominator)))
    less, more = (f"{number / 10**6:.6f}" for number in (millionths, millionths + 1))
    return f"; that is no fraction: write {less}, a little less, or {more}"


def parse_delta(value: object) -> Fraction:
    """Return delta as a rational in [0, 1).

    Raises
    ------
    InputError
        if it is not a number, or outside [0, 1).
    """
    return number("delta", value, "a number in [0, 1)", at_least=0, below=1)


def whole(
    place: str,
    value: object,
    expected: str = "",
    *,
    at_least: int = 1,
    at_most: int | None = None,
    written: bool = False,
) -> int:
    """Return an integer within limits, as `number` does; `written` takes what people write as well, "3" or 3.0.

    Examples
    --------
    >>> whole("seed", 0, at_least=0), whole("n", "100", written=True)
    (0, 100)
    >>> whole("points", 1, at_least=2, at_most=10)
    Traceback (most recent call last):
    mechdesign.errors.InputError: points: expected an integer from 2 to 10, found 1
    """

    def parse(value: object) -> Fraction:
        found = parse_number(value) if written or isinstance(value, int) else Fraction(1, 2)
        if found.denominator > 1:
            raise InputError("expected an integer")
        return found

    above = "a positive integer" if at_least == 1 else f"an integer >= {at_least}"
    limits = above if at_most is None else f"an integer from {at_least} to {at_most:,}"
    return int(number(place, value, expected or limits, at_least=at_least, at_most=at_most, parse=parse))


def over_common(values: Sequence[Fraction], what: str = "") -> tuple[list[int], int]:
    """Return integers and the least denominator that all of them are over.

    Raises
    ------
    InputError
        if this denominator would have more than `LONGEST_COMMON` digits, for values that are given: `what` names them.

    Examples
    --------
    >>> over_common([Fraction(1, 2), Fraction(1, 3)], "two numbers")
    ([3, 2], 6)
    """
    common, longest = 1, 10**LONGEST_COMMON
    ratios = [value.as_integer_ratio() for value in values]
    for denominator in dict.fromkeys(under for _, under in ratios):
        common = math.lcm(common, denominator)
        if what and common >= longest:
            raise InputError(
                f"{what} need a common denominator of more than {LONGEST_COMMON} digits, too long to compute with; "
                "give them with fewer different denominators, such as decimals of at most 15 places"
            )
    return [over * (common // under) for over, under in ratios], common
