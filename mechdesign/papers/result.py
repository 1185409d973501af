"""A published result, computed again: what was computed beside what is printed and what is right.

A value is expected as text, and then compared at the digits the text shows, or as a number, and then
compared to 1e-9.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Value: TypeAlias = Fraction | float | bool
"""What is computed: a number, or whether a claim holds."""

NUMBER_TOLERANCE = 1e-9
TEXT_SLACK = Fraction(1, 10**12)
"""A float that stands exactly between two roundings may fall to either side."""


@dataclass(frozen=True)
class Row:
    """One number or claim of a paper.

    Attributes
    ----------
    what
        what it is.
    computed
        the value found here.
    published
        the digits the paper prints, or the value of a claim or formula in it; None where it has nothing.
    reference
        the right value, where the paper prints none or a wrong one; None where what it prints is right.
    note
        more in words.
    """

    what: str
    computed: Value
    published: str | Value | None = None
    reference: str | Value | None = None
    note: str = ""

    @property
    def agrees(self) -> bool | None:
        """Whether the computed value is the right one; None where nothing is known."""
        expected = self.published if self.reference is None else self.reference
        return None if expected is None else agree(self.computed, expected)


@dataclass(frozen=True)
class Result:
    """A table, figure or example of a paper.

    Attributes
    ----------
    name
        as in `RESULTS`.
    title
        what it shows.
    paper
        where it is printed.
    rows
        computed beside published.
    words
        what the paper claims, and where it is wrong.
    figure
        draws it; None if there is nothing to draw.
    """

    name: str
    title: str
    paper: str
    rows: tuple[Row, ...]
    words: str
    figure: Callable[[], "Figure"] | None = None


def agree(computed: Value, expected: str | Value) -> bool:
    """Return whether a computed value is as expected: text at its digits, numbers to 1e-9, claims exactly.

    Parameters
    ----------
    computed
        a number, or whether a claim holds.
    expected
        the digits, the number or the truth of the claim.

    Examples
    --------
    >>> agree(2 / 3, "0.667"), agree(2 / 3, "0.6667"), agree(2 / 3, "0.66")
    (True, True, False)
    """
    if isinstance(computed, bool) or isinstance(expected, bool):
        return computed is expected
    if isinstance(expected, str):
        return abs(Fraction(computed) - Fraction(expected)) <= _half_unit(expected) + TEXT_SLACK
    return math.isclose(computed, expected, rel_tol=NUMBER_TOLERANCE, abs_tol=NUMBER_TOLERANCE)


def _half_unit(digits: str) -> Fraction:
    """Return half a unit in the last place that a decimal shows."""
    _, _, decimals = digits.partition(".")
    return Fraction(1, 2 * 10 ** len(decimals))
