"""A privacy curve: with which delta a mechanism is private at each epsilon; as a file of points, as a picture.

::

    {"format": "mechdesign-privacy-curve/1", "over": "epsilon",
     "asked": {"mechanism": "matrix.csv", "graph": null, "epsilon": 1.0, ...}, "tight": [1.0986, 1.0987],
     "points": [{"epsilon": 0.0, "epsilon_exact": "0", "delta_lower": 0.5, "delta_upper": 0.5}, ...]}

Where every edge has an epsilon of its own, the curve is over the multiples of these: "over" and the points' first keys
are then "scale" and "scale_exact".
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from mechdesign import reports
from mechdesign.errors import InputError
from mechdesign.exact.bounds import float_above, float_below
from mechdesign.exact.numbers import parse_number
from mechdesign.exact.text import format_number, shown
from mechdesign.files.documents import write_json
from mechdesign.files.kinds import PRIVACY_CURVE
from mechdesign.show.fact_numbers import in_json


@dataclass(frozen=True)
class PrivacyCurve:
    """A privacy curve, as `mechdesign certify --curve` writes and draws it.

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

    @property
    def within(self) -> bool:
        """Whether it is for every distribution within the bounds of profiles."""
        return self.question.get("robust") is True

    def write(self, path: str) -> None:
        """Write the points as JSON."""
        key = self.over
        points = [
            {key: float(place), f"{key}_exact": format_number(place), "delta_lower": low, "delta_upper": high}
            for place, low, high in self.points
        ]
        head = {"format": PRIVACY_CURVE.format, "over": key, "asked": dict(self.question)}
        write_json(head | {"tight": list(map(in_json, self.tight)), "points": points}, path)

    def drawn(self) -> "PrivacyCurve":
        """Return it without what is tight, or was asked, beyond its last point."""
        last = self.points[-1][0]
        tight = self.tight[1] if self.tight[1] <= last else math.inf
        asked = self.asked if self.asked is not None and self.asked[0] <= last else None
        return replace(self, tight=(self.tight[0], tight), asked=asked)

    def figure(self) -> "reports.Figure":
        """Return the picture."""
        seen = self.drawn()
        points = [(float(place), low, high) for place, low, high in self.points]
        claim = None if seen.asked is None else (float(seen.asked[0]), float(seen.asked[1]))
        of_own = self.over == "scale"
        return reports.plot_curve(points, tight=seen.tight[1], delta=float(self.delta), asked=claim, of_own=of_own)


def privacy_curve_in(path: str) -> PrivacyCurve:
    """Return the curve in a file, for a report.

    Raises
    ------
    InputError
        naming the file and the place in it that is not as it should be.
    """
    return PRIVACY_CURVE.read(path, _curve)


def _curve(document: Any, source: str = "") -> PrivacyCurve:
    """Return the curve that a JSON value describes."""
    PRIVACY_CURVE.check(document, source=source)
    over, listed, asked, tight = (document.get(key) for key in ("over", "points", "asked", "tight"))
    if over not in ("epsilon", "scale") or not isinstance(listed, list) or not listed or not isinstance(asked, dict):
        raise InputError("expected over, epsilon or scale, points, a list, and asked, an object", source=source)
    if not isinstance(tight, list) or len(tight) != 2:
        raise InputError("tight: expected a lower and an upper end", source=source)
    points = []
    for number, point in enumerate(listed):
        try:
            points.append(_point(point, over))
        except (InputError, KeyError, TypeError) as error:
            raise InputError(f"points[{number}]: cannot be used: {error}", source=source) from None
    least, upper = (math.inf if end is None else float(_share(end, math.inf)) for end in tight)
    delta = parse_number(asked.get("delta_exact", "0"))
    claim = asked.get("epsilon_exact") if over == "epsilon" else "1"
    epsilon = None if claim in (None, "inf") else parse_number(claim)
    return PrivacyCurve(
        over, sorted(points), (least, upper), None if epsilon is None else (epsilon, delta), delta, asked
    )


def _point(point: dict[str, Any], over: str) -> tuple[Fraction, float, float]:
    """Return a point of a file; the doubles in it are the rationals that are written, rounded outward again."""
    low, high = (_share(point[key], 1) for key in ("delta_lower", "delta_upper"))
    if low > high:
        raise InputError("expected delta_lower <= delta_upper")
    return parse_number(point[f"{over}_exact"]), float_below(low), float_above(high)


def _share(value: Any, most: float) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | Fraction) or not 0 <= value <= most:
        raise InputError(f"expected a number from 0 to {most:g}, found {shown(value)}")
    return Fraction(value)
