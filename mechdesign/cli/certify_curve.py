"""The privacy curve of `mechdesign certify`: over which epsilons, as a file of points, as a picture.

::

    {"format": "mechdesign-privacy-curve/1", "over": "epsilon",
     "asked": {"mechanism": "matrix.csv", "graph": null, "epsilon": 1.0, ...}, "tight": [1.0986, 1.0987],
     "points": [{"epsilon": 0.0, "epsilon_exact": "0", "delta_lower": 0.5, "delta_upper": 0.5}, ...]}

Where every edge has an epsilon of its own, the curve is over the multiples of these: "over" and the points' first keys
are then "scale" and "scale_exact".
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from mechdesign import reports
from mechdesign.certifier.curve import curve_places, privacy_curve
from mechdesign.certifier.verdict import Verdict
from mechdesign.cli.output import progress_bar
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import format_number
from mechdesign.files.documents import write_json
from mechdesign.files.kinds import PRIVACY_CURVE, kind_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Asked
from mechdesign.show.fact_numbers import in_json


@dataclass(frozen=True)
class Curve:
    """A mechanism's privacy curve, with what was asked and what is tight.

    Attributes
    ----------
    over
        "epsilon", or "scale" where every edge has an epsilon of its own.
    places
        the epsilons, or multiples, exactly.
    points
        (epsilon, delta lower, delta upper) for each.
    tight
        (lower, upper) around the tight epsilon, or multiple, at this delta.
    asked
        what was asked, as an epsilon or a multiple; None if nothing was.
    """

    over: str
    places: list[Fraction]
    points: list[tuple[float, float, float]]
    tight: tuple[float, float]
    delta: Fraction
    asked: Fraction | None

    def write(self, path: str, question: dict[str, Any]) -> None:
        """Write the points as JSON."""
        points = [
            {self.over: point, f"{self.over}_exact": format_number(place), "delta_lower": low, "delta_upper": high}
            for place, (point, low, high) in zip(self.places, self.points, strict=True)
        ]
        head = {"format": PRIVACY_CURVE.format, "over": self.over, "asked": question}
        write_json(head | {"tight": list(map(in_json, self.tight)), "points": points}, path)

    def figure(self) -> "reports.Figure":
        """Return the picture."""
        claim = None if self.asked is None else (float(self.asked), float(self.delta))
        tight, of_own = self.tight[1], self.over == "scale"
        return reports.plot_curve(self.points, tight=tight, delta=float(self.delta), asked=claim, of_own=of_own)


def check_replaceable(path: str | None) -> None:
    """Raise an InputError if a file to write a curve to is there and is something else."""
    if path is None or not Path(path).is_file() or not Path(path).stat().st_size:
        return
    if kind_of(path) is not PRIVACY_CURVE:
        raise InputError("--curve: this file is there and is no privacy curve; give another name", source=path)


def curve_of(mechanism: Mechanism, pairs: Asked, verdict: Verdict, epsilon: Epsilon | None, delta: Fraction) -> Curve:
    """Return the curve from 0 to a little beyond what is tight and what is asked."""
    of_own = verdict.own is not None and not verdict.edges_asked
    tight = verdict.epsilon if verdict.own is None or not of_own else verdict.own.scale
    asked = Fraction(1) if of_own else None if epsilon is None or epsilon == math.inf else Fraction(epsilon)
    places = curve_places(tight[1], asked)
    if asked is not None and asked > places[-1]:
        asked = None  # far beyond the picture
    with progress_bar("the curve, by point") as progress:
        points = privacy_curve(mechanism, pairs, places, scale_own=of_own, progress=progress)
    return Curve("scale" if of_own else "epsilon", places, points, tight, delta, asked)
