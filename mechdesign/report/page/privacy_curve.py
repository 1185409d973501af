"""A privacy curve: with which delta a mechanism is private at each epsilon."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any


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
        (lower, upper) around the tight epsilon at the delta asked.
    asked
        (epsilon, delta) that was asked; None if nothing was.
    question
        what else the file says of what was asked.
    """

    over: str
    points: Sequence[tuple[Fraction, float, float]]
    tight: tuple[float, float]
    asked: tuple[Fraction, Fraction] | None = None
    delta: Fraction = Fraction(0)
    question: Mapping[str, Any] = field(default_factory=dict)
