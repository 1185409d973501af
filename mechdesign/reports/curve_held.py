"""Whether a privacy curve in a file is that of a mechanism in another."""

from collections.abc import Sequence

from mechdesign.certifier.certify import certify
from mechdesign.certifier.curve import privacy_curve
from mechdesign.errors import InputError
from mechdesign.exact.text import format_number
from mechdesign.graph.uncertainty import is_robust
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Source
from mechdesign.reports.page.privacy import MOST_WORK
from mechdesign.reports.page.privacy_curve import PrivacyCurve


def holds_curve(found: PrivacyCurve, curve: str, own: Mechanism, mechanism: str) -> bool:
    """Compute a file's curve anew; return whether that was done: not of a graph's edges, nor where it would take long.

    Raises
    ------
    InputError
        naming the curve, if it is not the mechanism's.
    """
    if found.over != "epsilon" or found.question.get("graph") is not None:
        return False
    if is_robust(own.graph) or len(own.profiles) ** 2 * len(own.outputs) * len(found.points) > MOST_WORK:
        return False
    every = found.question.get("edges_from", Source.EVERY_PAIR) == Source.EVERY_PAIR
    tight = certify(own, delta=found.delta, all_pairs=every).epsilon
    _meet(found.tight, tight, f"tight epsilon at delta {format_number(found.delta)}", mechanism, curve)
    places = [place for place, _, _ in found.points]
    for (place, *here), (_, *there) in zip(
        found.points, privacy_curve(own, None, places, all_pairs=every), strict=True
    ):
        _meet(here, there, f"least delta at epsilon {format_number(place)}", mechanism, curve)
    return True


def _meet(here: Sequence[float], there: Sequence[float], what: str, mechanism: str, curve: str) -> None:
    if here[0] > there[1] or here[1] < there[0]:
        found = f"its {what} is {there[1]!r}, this file has {here[1]!r}"
        raise InputError(f"not the privacy curve of {mechanism}: {found}; report them one by one", source=curve)
