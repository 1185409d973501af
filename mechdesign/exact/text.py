"""Numbers and other values as text, for people: exactly where that is short."""

import math
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from fractions import Fraction
from numbers import Number, Real

_ARE_SHOWN = ContextVar("_ARE_SHOWN", default=False)


def format_number(value: Fraction) -> str:
    """Return `value` exactly: as a decimal of at most 15 places, or one that is shorter than "p/q"; else so.

    Examples
    --------
    >>> format_number(Fraction(3, 10)), format_number(Fraction(1, 3)), format_number(Fraction("0.4054651081081645"))
    ('0.3', '1/3', '0.4054651081081645')
    """
    if value.denominator == 1:
        return str(value.numerator)
    if 10**30 % value.denominator:  # no decimal of 30 places
        return str(value)
    places = next(places for places in range(1, 31) if not 10**places % value.denominator)
    sign, whole = "-" if value < 0 else "", str(abs(value.numerator) * 10**places // value.denominator)
    digits = whole.rjust(places + 1, "0")
    decimal = f"{sign}{digits[:-places]}.{digits[-places:]}"
    return min(decimal, str(value), key=len) if places > 15 else decimal


def shown_epsilon(epsilon: Fraction | float) -> str:
    """Return epsilon as text: exactly, or "inf".

    Examples
    --------
    >>> shown_epsilon(Fraction(1, 2)), shown_epsilon(math.inf)
    ('0.5', 'inf')
    """
    return "inf" if epsilon == math.inf else format_number(Fraction(epsilon))


def shown_range(epsilons: Iterable[Fraction | float]) -> str:
    """Return the least and the largest of some epsilons as text; of long numbers four digits.

    Examples
    --------
    >>> shown_range([Fraction(17, 10), math.inf, Fraction(3, 10)]), shown_range([Fraction(1, 7000001)])
    ('0.3 to inf', '1.429e-07')
    """
    ends = sorted(set(epsilons))
    return " to ".join(dict.fromkeys(brief(end, 8, 4) for end in (ends[0], ends[-1])))


def brief(value: Fraction | float, longest: int, digits: int) -> str:
    """Return a number as text: exactly if that has at most `longest` characters, else to so many digits.

    Examples
    --------
    >>> brief(Fraction(1, 8), 8, 4), brief(Fraction(1, 7000001), 8, 4), brief(math.inf, 8, 4)
    ('0.125', '1.429e-07', 'inf')
    """
    text = shown_epsilon(value)
    return text if len(text) <= longest else short(value, digits)


def short(value: Fraction | float, digits: int = 6) -> str:
    """Return a number rounded to so many digits, also where it is beyond doubles.

    Examples
    --------
    >>> short(Fraction(2, 3)), short(Fraction(10**400, 3))
    ('0.666667', '3.33333e+399')
    """
    if isinstance(value, Fraction) and value and not sys.float_info.min <= abs(value) <= sys.float_info.max:
        return f"{Decimal(value.numerator) / value.denominator:.{digits}g}"
    return f"{float(value):.{digits}g}"


def shown(value: object, width: int = 40) -> str:
    """Return `value` as an error message shows it: quoted if text, shortened if long."""
    try:
        text = format_number(value) if isinstance(value, Fraction) else repr(value)
    except ValueError:  # more digits than Python converts
        return "a number of thousands of digits"
    return cut(text, width)


def cut(text: str, width: int) -> str:
    """Return a text, of a long one its beginning: at most so many characters.

    Examples
    --------
    >>> cut("commutes", 8), cut("commuters", 8)
    ('commutes', 'commute…')
    """
    return text if len(text) <= width else text[: width - 1] + "…"


@contextmanager
def cells_shown() -> Iterator[None]:
    """Let messages that are made in this thread show the cells of data that they are about."""
    before = _ARE_SHOWN.set(True)
    try:
        yield
    finally:
        _ARE_SHOWN.reset(before)


def are_shown() -> bool:
    """Return whether messages may show cells."""
    return _ARE_SHOWN.get()


def shown_cell(cell: object) -> str:
    """Return what a message says of a cell of data, or of other data: its kind; itself only where cells are shown.

    Examples
    --------
    >>> shown_cell("HIV positive"), shown_cell(3.5), shown_cell({"answer": ["yes"]})
    ('text', 'a number', 'data of type dict')
    >>> with cells_shown():
    ...     shown_cell("HIV positive")
    "'HIV positive'"
    """
    if are_shown():
        return shown(cell)
    if isinstance(cell, str):
        return "text" if cell.strip() else "blank text"
    if cell is None:
        return "no value"
    if isinstance(cell, Number) and not isinstance(cell, bool):
        return "a number" if not isinstance(cell, Real) or math.isfinite(cell) else "a number that is not finite"
    return f"data of type {type(cell).__name__}"
