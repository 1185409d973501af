"""A published result, computed again: what was computed beside what is printed or claimed and what is right.

A value is expected as text, and then compared at the digits the text shows, or as a number, and then
compared to 1e-9.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
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
class Claim:
    """One number or claim of a paper.

    Attributes
    ----------
    what
        what it is.
    computed
        the value found here.
    published
        the digits the paper prints; None where it prints none.
    reference
        the right value, found here, where the paper says none or a wrong one; None where what it says is right.
    note
        more in words.
    claimed
        what the paper says without digits: whether a claim in words holds, or the value, found here, of a formula
        in it; None where it says nothing.
    """

    what: str
    computed: Value
    published: str | None = None
    reference: str | Value | None = None
    note: str = ""
    claimed: str | Value | None = field(default=None, kw_only=True)

    @property
    def stated(self) -> str | Value | None:
        """What the paper says: the digits it prints, or else what it claims."""
        return self.claimed if self.published is None else self.published

    @property
    def agrees(self) -> bool | None:
        """Whether the computed value is the right one; None where nothing is known."""
        expected = self.stated if self.reference is None else self.reference
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
        computed beside printed or claimed.
    words
        what the paper claims, and where it is wrong.
    figure
        draws it; None if there is nothing to draw.
    """

    name: str
    title: str
    paper: str
    rows: tuple[Claim, ...]
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
