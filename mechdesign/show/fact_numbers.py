"""Numbers that carry how they are rounded: the type alone decides it, for programs and for people."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from mechdesign.exact.bounds import (
    decimal_above,
    decimal_below,
    digits_above,
    digits_below,
    float_above,
    float_below,
)
from mechdesign.exact.text import brief, short, shown_epsilon

TINIEST = math.ulp(0.0)
"""Stands for a number that is not 0 and smaller than any double."""

SAFE = 2**53
"""Integers below this are exact wherever JSON is read."""

WHOLE = 10**15
"""Integers below this are printed in full."""

DIGITS = 9
"""Decimal places of a bound, and significant digits of one that these would show as 0."""


def in_json(number: Fraction | float | None) -> float | None:
    """Return the nearest double, and null for what is none: infinity, NaN, and what is beyond doubles.

    JSON has no word for infinity, so all commands say null. Where a number is given exactly too, as text under the same
    name with `_exact` (`epsilon_exact`), that says "inf".

    Examples
    --------
    >>> in_json(Fraction(1, 2)), in_json(math.inf), in_json(Fraction(10**400)), in_json(None)
    (0.5, None, None, None)
    """
    try:
        return None if number is None or not math.isfinite(number) else float(number)
    except OverflowError:  # a rational beyond doubles
        return None


@dataclass(frozen=True)
class Bound:
    """A bound: a rational, or a double that is one as the decimal that it prints; how it is rounded says its class."""

    double: ClassVar[Callable[[Fraction], float]]
    decimal: ClassVar[Callable[[Fraction, int], str]]
    digits: ClassVar[Callable[[Fraction], str]]
    value: Fraction | float
    places: int = DIGITS

    def values(self, key: str) -> dict[str, Any]:
        """Return what JSON has of it."""
        return {key: in_json(type(self).double(self.value) if isinstance(self.value, Fraction) else self.value)}

    def exactly(self) -> str:
        """Return it as a fraction."""
        return str(self.value)

    def words(self) -> str:
        """Return it for people: a double as it is, a rational in decimals, in digits where these would be 0."""
        if isinstance(self.value, float):
            return repr(self.value)
        if not self.value:
            return "0"
        tiny = 0 < self.value * 10**self.places < 1
        return type(self).digits(self.value) if tiny else type(self).decimal(self.value, self.places)


class Up(Bound):
    """An upper bound: a rational, or a double that is one as the decimal that it prints.

    Examples
    --------
    >>> Up(Fraction(2, 3)).words(), Up(Fraction(2, 3)).values("value"), Up(0.7).words()
    ('0.666666667', {'value': 0.6666666666666667}, '0.7')
    """

    rounded: ClassVar[str] = "rounded up"
    double, decimal, digits = float_above, decimal_above, digits_above


class Down(Bound):
    """A lower bound, likewise.

    Examples
    --------
    >>> Down(Fraction(2, 3)).words(), Down(Fraction(2, 3)).values("bound"), Down(Fraction(1, 3 * 10**17)).words()
    ('0.666666666', {'bound': 0.6666666666666666}, '3.33333e-18')
    """

    rounded: ClassVar[str] = "rounded down"
    double, decimal, digits = float_below, decimal_below, digits_below


@dataclass(frozen=True)
class Near:
    """A number rounded to the nearest, to so many places or digits; None or NaN where there is none.

    What is not 0 does not become 0 in JSON.

    Examples
    --------
    >>> Near(Fraction(2, 3)).words(), Near(Fraction(2, 3)).values("lost"), Near(0.25, 4).words(), Near(None).words()
    ('0.666667', {'lost': 0.6666666666666666}, '0.2500', '-')
    >>> Near(Fraction(1, 3 * 10**9), digits=4).words()
    '3.333e-10'
    """

    rounded: ClassVar[str] = "rounded to the nearest"
    value: Fraction | float | None
    places: int = 6
    digits: int = 0

    def values(self, key: str) -> dict[str, Any]:
        """Return what JSON has of it."""
        found = in_json(self.value)
        return {key: math.copysign(TINIEST, self.value) if found == 0 and self.value else found}

    def exactly(self) -> str:
        """Return it as a fraction."""
        return str(self.value)

    def words(self) -> str:
        """Return it for people."""
        if self.value is None or self.value != self.value:
            return "-"
        return short(self.value, self.digits) if self.digits else f"{float(self.value):z.{self.places}f}"


@dataclass(frozen=True)
class Within:
    """Doubles around a number, the lower one rounded down and the upper one up; None where nothing is known.

    Examples
    --------
    >>> Within(0.5, math.inf).values("epsilon"), Within(0.5, math.inf).words()
    ({'epsilon_lower': 0.5, 'epsilon_upper': None}, '0.5 to inf')
    """

    rounded: ClassVar[str] = "rounded outward"
    low: float | None
    high: float | None

    def values(self, key: str) -> dict[str, Any]:
        """Return what JSON has of it."""
        return {f"{key}_lower": in_json(self.low), f"{key}_upper": in_json(self.high)}

    def exactly(self) -> str:
        """Return it as text."""
        return self.words()

    def ends(self) -> "tuple[Number, Number]":
        """Return both ends."""
        if self.low is None or self.high is None:
            return Exact(None), Exact(None)
        return Down(self.low), Up(self.high)

    def words(self) -> str:
        """Return it for people, in one cell."""
        return " to ".join(end.words() for end in self.ends())


@dataclass(frozen=True)
class Exact:
    """What is as it is: a number, a name, a list, whether something holds; None where it does not apply.

    Examples
    --------
    >>> Exact(Fraction(1, 2)).values("epsilon"), Exact(Fraction(1, 2)).exactly(), Exact(True).words()
    ({'epsilon': 0.5}, '0.5', 'yes')
    >>> Exact(1234567).words(), Exact(2**70).values("sets"), Exact([0, 1], "0 against 1").words()
    ('1,234,567', {'sets': 1.1805916207174113e+21}, '0 against 1')
    """

    rounded: ClassVar[str] = ""
    value: Any
    said: str = ""

    def values(self, key: str) -> dict[str, Any]:
        """Return what JSON has of it."""
        value = self.value
        large = isinstance(value, int) and not isinstance(value, bool) and abs(value) >= SAFE
        value = Fraction(value) if large else value
        return {key: in_json(value) if isinstance(value, Fraction | float) else value}

    def exactly(self) -> str | None:
        """Return it as text, for JSON."""
        return None if self.value is None else shown_epsilon(self.value)

    def words(self) -> str:
        """Return it for people."""
        value = self.value
        if self.said or value is None or isinstance(value, bool):
            return self.said or {None: "-", True: "yes", False: "no"}[value]
        if isinstance(value, int):
            return f"{value:,}" if abs(value) < WHOLE else short(Fraction(value))
        return brief(value, 12, 6) if isinstance(value, Fraction | float) else str(value)


def six(value: Fraction | float | None) -> Near:
    """Return a number that is shown with six digits.

    Examples
    --------
    >>> six(Fraction(2, 3)).words(), six(math.inf).words()
    ('0.666667', 'inf')
    """
    return Near(value, digits=6)


Number = Up | Down | Near | Within | Exact


def number_of(cell: Any) -> Number:
    """Return a cell as a number; what is none is as it is."""
    return cell if isinstance(cell, Number) else Exact(cell)
