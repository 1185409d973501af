"""Faults that are collected, so that all of them are said at once."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact.numbers import number, whole


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
        return self._read(number, place, value, expected, **limits)

    def whole(self, place: str, value: object, expected: str = "", **limits: Any) -> int:
        """Return an integer as `whole` does; what is none is a fault, and 1 stands for it."""
        return int(self._read(whole, place, value, expected, **limits))

    def _read(self, read: Callable[..., Fraction | int], *given: Any, **limits: Any) -> Fraction:
        try:
            return Fraction(read(*given, **limits))
        except InputError as error:
            self += error.faults
            return Fraction(1)

    def check(self) -> None:
        """Raise an InputError if there are any."""
        if self:
            raise InputError(self)
