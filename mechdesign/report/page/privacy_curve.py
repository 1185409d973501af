"""A privacy curve: with which delta a mechanism is private at each epsilon."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class PrivacyCurve:
    """A privacy curve, as `mechdesign certify --curve` writes it.

    Attributes
    ----------
    over
        "epsilon", or "scale" for multiples of edges' own.
    points
        (epsilon, delta lower, delta upper), the first one exactly.
    tight
        the upper end of the tight epsilon at the delta asked.
    asked
        (epsilon, delta) that was asked; None if nothing was.
    """

    over: str
    points: Sequence[tuple[Fraction, float, float]]
    tight: float
    asked: tuple[Fraction, Fraction] | None = None
    delta: Fraction = Fraction(0)
