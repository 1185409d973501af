"""What is wrong with numbers that were given: each fault with its place, what was expected and what was found."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact.numbers import parse_number
from mechdesign.exact.text import shown


def number(
    place: str,
    value: object,
    expected: str = "",
    *,
    outside: str = "a number >= 0",
    beside: str = "",
    at_least: float | None = None,
    above: float | None = None,
    at_most: float | None = None,
    below: float | None = None,
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


class Faults(list[str]):
    """Faults that are said together."""

    def number(self, place: str, value: object, expected: str = "", **limits: Any) -> Fraction:
        """Return a number as `number` does; what is none is a fault, and 1 stands for it.

        Examples
        --------
        >>> faults = Faults()
        >>> faults.number("weight", 2), faults.number("weight", "x", at_least=0), len(faults)
        (Fraction(2, 1), Fraction(1, 1), 1)
        """
        try:
            return number(place, value, expected, **limits)
        except InputError as error:
            self += error.faults
            return Fraction(1)

    def check(self, *, source: str = "") -> None:
        """Raise an InputError if there are any."""
        if self:
            raise InputError(self, source=source)
