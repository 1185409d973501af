"""How much privacy a mechanism has: the privacy curve, from a file or computed; and between any two profiles."""

import math
from typing import TYPE_CHECKING

from mechdesign.certifier.curve import curve_places, privacy_curve
from mechdesign.exact.bounds import double_above, double_below
from mechdesign.exact.text import format_number
from mechdesign.graph.uncertainty import is_robust
from mechdesign.report.page.budget import pairs_fitting
from mechdesign.report.page.numbers import allowed
from mechdesign.report.page.privacy_curve import PrivacyCurve
from mechdesign.report.page.subject import Subject
from mechdesign.show.blocks import Block, Picture, Points, Section, Table, Text

if TYPE_CHECKING:
    from mechdesign.report.figure import Figure

STEPS = 20
MOST_PAIRS = 400
MOST_WORK = 2_000_000
"""Entries of all points of a curve that is computed: some seconds."""


def curve_of(subject: Subject) -> PrivacyCurve | None:
    """Return the curve of what a certificate is about; None where it would take long."""
    graph = subject.graph
    if graph is None or not subject.needs or is_robust(graph):
        return None
    if 2 * graph.number_of_edges() * len(subject.mechanism.outputs) * 2 * STEPS > MOST_WORK:
        return None
    least, most = map(max, zip(*subject.needs.values(), strict=True))
    places = curve_places(most, None, steps=STEPS)
    free = graph.copy()
    for edge in free.edges.values():
        edge.clear()
    points = privacy_curve(subject.mechanism, free, places)
    at = [(place, low, high) for place, (_, low, high) in zip(places, points, strict=True)]
    proved = subject.proved
    one = proved is not None and len(set(proved.claim.epsilons)) == len(set(proved.claim.deltas)) == 1
    asked = (proved.claim.epsilons[0], proved.claim.deltas[0]) if proved is not None and one else None
    tight = (math.inf, math.inf) if any(own["delta"] for own in graph.edges.values()) else (least, most)
    return PrivacyCurve("epsilon", at, tight, asked)


def curve_section(curve: PrivacyCurve) -> Section:
    """Return a privacy curve as a picture and a table."""
    own = curve.over == "scale"
    name = "multiple of each link's own epsilon" if own else "epsilon"
    rows = [[allowed(place), double_below(low), double_above(high)] for place, low, high in curve.points]
    headings = [name, "delta at least (rounded down)", "delta at most (rounded up)"]
    table = Table("The privacy curve: the numbers", headings, rows, folded=True)
    last = curve.points[-1][0]
    tight = curve.tight[1] if curve.tight[1] <= last else math.inf
    asked = curve.asked if curve.asked is not None and curve.asked[0] <= last else None

    def draw() -> "Figure":
        from mechdesign.report.privacy_plots import plot_curve  # matplotlib loads slowly

        points = [(float(place), low, high) for place, low, high in curve.points]
        claim = None if asked is None else (float(asked[0]), float(asked[1]))
        return plot_curve(points, tight=tight, delta=float(curve.delta), asked=claim, of_own=own)

    marks = []
    if math.isfinite(tight):
        at = f" at delta {format_number(curve.delta)}" if curve.delta else " at delta 0"
        marks.append(f"least {name} that holds{at}: {double_above(tight)} (rounded up)")
    if asked is not None:
        marks.append(f"asked: {name} {allowed(asked[0])}, delta {allowed(asked[1])}")
    picture = Picture("The privacy curve", f"least delta that holds over {name}", draw, table)
    words = (
        f"For each {name} the curve shows the least delta with which the mechanism is private. What lies on it or "
        "above it holds; what lies below does not. Both ends of each delta are exact bounds."
    )
    said: list[Block] = [Points(marks)] if marks else []
    return Section("The privacy curve", [Text(words), *said, picture])


def between_profiles(subject: Subject) -> Section | None:
    """Return how well profiles can be told apart, for a mechanism of which nothing is proved; None if not measured."""
    if not subject.needs:
        return None
    worst = sorted(subject.needs.items(), key=lambda pair: -pair[1][1])
    listed = min(MOST_PAIRS, pairs_fitting(pair for pair, _ in worst))
    rows = [[str(a), str(b), double_above(upper)] for (a, b), (_, upper) in worst[:listed]]
    most = worst[0][1][1]
    what = "inputs" if subject.values else "profiles"
    whom = ""
    if not subject.asked.every_pair:
        what, whom = f"linked {what}", f" The links are {subject.protected.words()}."
    if math.isinf(most):
        a, b = worst[0][0]
        said = f"There is a value that {a} may release and {b} never does: for these two no epsilon holds with delta 0."
        blocks: list[Block] = [Text(f"{said}{whom}", "bad")]
    else:
        said = (
            f"Between any two {what}, every epsilon of at least {double_above(most)} (rounded up) holds with delta 0."
        )
        blocks = [Text(f"{said}{whom}", "good")]
    caption = f"The least epsilon that holds between two {what}, with delta 0 (rounded up)"
    note = f"The worst {listed} of {len(worst)}." if len(worst) > listed else ""
    table = Table(caption, ["from", "told apart from", "epsilon"], rows, profiles=2, folded=len(rows) > 30, note=note)
    return Section("How well they can be told apart", [*blocks, table])
