"""The privacy curve of `mechdesign certify`: over which epsilons, or multiples of edges' own."""

import math
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from mechdesign.certifier.curve import curve_places, privacy_curve
from mechdesign.certifier.verdict import Verdict
from mechdesign.cli.output import progress_bar
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon
from mechdesign.files.kinds import PRIVACY_CURVE, kind_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Asked
from mechdesign.reports.page.privacy_curve import PrivacyCurve


def check_replaceable(path: str | None) -> None:
    """Raise an InputError if a file to write a curve to is there and is something else."""
    if path is None or not Path(path).is_file() or not Path(path).stat().st_size:
        return
    if kind_of(path) is not PRIVACY_CURVE:
        raise InputError("--curve: this file is there and is no privacy curve; give another name", source=path)


def curve_of(
    mechanism: Mechanism,
    pairs: Asked,
    verdict: Verdict,
    epsilon: Epsilon | None,
    delta: Fraction,
    question: Mapping[str, Any],
) -> PrivacyCurve:
    """Return the curve from 0 to a little beyond what is tight and what is asked."""
    of_own = verdict.own is not None and not verdict.edges_asked
    tight = verdict.epsilon if verdict.own is None or not of_own else verdict.own.scale
    asked = Fraction(1) if of_own else None if epsilon is None or epsilon == math.inf else Fraction(epsilon)
    places = curve_places(tight[1], asked)
    with progress_bar("the curve, by point") as progress:
        points = privacy_curve(mechanism, pairs, places, scale_own=of_own, progress=progress)
    found = [(place, low, high) for place, (_, low, high) in zip(places, points, strict=True)]
    claim = None if asked is None else (asked, delta)
    told = {**question, "robust": pairs.robust}
    return PrivacyCurve("scale" if of_own else "epsilon", found, tight, claim, delta, told)
