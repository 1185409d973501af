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

import networkx as nx

from mechdesign.certifier.curve import privacy_curve
from mechdesign.certifier.verdict import Verdict
from mechdesign.cli.output import in_json, progress_bar
from mechdesign.errors import InputError
from mechdesign.exact.bounds import float_below
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import format_number
from mechdesign.files.documents import read_json, write_json
from mechdesign.mechanism.mechanism import Mechanism

FORMAT = "mechdesign-privacy-curve/1"

STEPS = 40
"""A curve has about so many points, up to twice as many."""


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
        head = {"format": FORMAT, "over": self.over, "asked": question, "tight": list(map(in_json, self.tight))}
        write_json(head | {"points": points}, path)

    def draw(self, path: str) -> None:
        """Write the picture."""
        from mechdesign.report.plots import save_figure  # matplotlib loads slowly
        from mechdesign.report.privacy_plots import plot_curve

        claim = None if self.asked is None else (float(self.asked), float(self.delta))
        tight, of_own = self.tight[1], self.over == "scale"
        save_figure(plot_curve(self.points, tight=tight, delta=float(self.delta), asked=claim, of_own=of_own), path)


def check_replaceable(path: str | None) -> None:
    """Raise an InputError if a file to write a curve to is there and is something else."""
    if path is not None and Path(path).is_file() and Path(path).stat().st_size:
        document = read_json(path)
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise InputError("--curve: this file is there and is no privacy curve; give another name", source=path)


def curve_of(
    mechanism: Mechanism, graph: nx.Graph | None, verdict: Verdict, epsilon: Epsilon | None, delta: Fraction
) -> Curve:
    """Return the curve from 0 to a little beyond what is tight and what is asked."""
    of_own = verdict.own is not None and not verdict.edges_asked
    tight = verdict.epsilon if verdict.own is None or not of_own else verdict.own.scale
    asked = Fraction(1) if of_own else None if epsilon is None or epsilon == math.inf else Fraction(epsilon)
    places = _places(tight[1], asked)
    if asked is not None and asked > places[-1]:
        asked = None  # far beyond the picture
    with progress_bar("the curve, by point") as progress:
        points = privacy_curve(mechanism, graph, places, scale_own=of_own, progress=progress)
    return Curve("scale" if of_own else "epsilon", places, points, tight, delta, asked)


def _places(tight: float, asked: Fraction | None) -> list[Fraction]:
    """Return evenly spaced epsilons with few digits, and the one asked for unless it is much larger than the tight one.

    Examples
    --------
    >>> [str(place) for place in _places(1.0986, Fraction(1, 3))[:4]], str(_places(1.0986, None)[-1])
    (['0', '1/50', '1/25', '3/50'], '61/50')
    """
    known = Fraction(tight) if 0 < tight < math.inf else Fraction(0)
    claim = asked if asked is not None and (not known or asked <= 10 * known) else Fraction(0)
    end = Fraction(11, 10) * max(known, min(claim, Fraction(100))) or Fraction(5)
    step = Fraction(10) ** math.floor(math.log10(float_below(end / STEPS)))
    step *= next(times for times in (5, 2, 1) if times * step <= end / STEPS)
    places = {step * number for number in range(math.ceil(end / step) + 1)}
    return sorted(places | ({claim} if claim <= end else set()))
