"""How much privacy a mechanism has: the privacy curve, from a file or computed; and between any two profiles."""

import math
from collections.abc import Sequence

from mechdesign.certifier.certify import certify
from mechdesign.certifier.curve import curve_places, privacy_curve
from mechdesign.errors import InputError
from mechdesign.exact.bounds import double_above, double_below
from mechdesign.exact.text import format_number
from mechdesign.graph.properties import without_own
from mechdesign.graph.uncertainty import is_robust
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Source
from mechdesign.reports.page.budget import pairs_fitting
from mechdesign.reports.page.privacy_curve import PrivacyCurve
from mechdesign.reports.page.subject import Subject
from mechdesign.reports.page.written_numbers import limit, needed, surest
from mechdesign.show.blocks import Block, Picture, Points, Section, Table, Text
from mechdesign.show.fact_numbers import Exact
from mechdesign.show.language import Language

STEPS = 20
MOST_PAIRS, FOLDED = 400, 30
"""Pairs up to which each is listed, and up to which the list is not folded."""
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
    points = privacy_curve(subject.mechanism, without_own(graph), places)
    at = [(place, low, high) for place, (_, low, high) in zip(places, points, strict=True)]
    proved = subject.proved
    one = proved is not None and len(set(proved.claim.epsilons)) == len(set(proved.claim.deltas)) == 1
    asked = (proved.claim.epsilons[0], proved.claim.deltas[0]) if proved is not None and one else None
    tight = (math.inf, math.inf) if any(own["delta"] for own in graph.edges.values()) else (least, most)
    return PrivacyCurve("epsilon", at, tight, asked)


def curve_section(curve: PrivacyCurve, say: Language) -> Section:
    """Return a privacy curve as a picture and a table."""
    name, title = say("curve.multiple") if curve.over == "scale" else "epsilon", say("curve.title")
    rows = [
        [limit(place), Exact(low, double_below(low)), Exact(high, double_above(high))]
        for place, low, high in curve.points
    ]
    headings = [name, say("curve.least"), say("curve.most")]
    if curve.within:  # what the worst frequencies need at least is said of no others
        headings, rows = [name, headings[2]], [[place, most] for place, _, most in rows]
    table = Table(say("table.numbers", title=title), headings, rows, folded=True)
    seen = curve.drawn()
    tight, asked = seen.tight[1], seen.asked
    marks = []
    if math.isfinite(tight):
        key = "curve.enough" if curve.within else "curve.tight"
        marks.append(say(key, name=name, delta=Exact(curve.delta), tight=Exact(needed(tight), double_above(tight))))
    if asked is not None:
        marks.append(say("curve.asked", name=name, epsilon=limit(asked[0]), delta=limit(asked[1])))
    said: list[Block] = [Points(marks)] if marks else []
    picture = Picture(title, say("curve.description", name=name), curve.figure, table)
    words = say("curve.within" if curve.within else "curve.words", name=name)
    return Section(title, [Text(words), *said, picture])


def between_profiles(subject: Subject, say: Language) -> Section | None:
    """Return how well profiles can be told apart, for a mechanism of which nothing is proved; None if not measured."""
    if not subject.needs:
        return None
    worst = sorted(subject.needs.items(), key=lambda pair: -pair[1][1])
    listed = min(MOST_PAIRS, pairs_fitting(pair for pair, _ in worst))
    rows = [
        [str(a), str(b), Exact(needed(upper), double_above(upper)), surest(needed(upper))]
        for (a, b), (_, upper) in worst[:listed]
    ]
    (a, b), (_, most) = worst[0]
    key = f"between.{'certain' if math.isinf(most) else 'holds'}"
    words = say(key, first=str(a), second=str(b), epsilon=Exact(needed(most), double_above(most)))
    if not subject.asked.every_pair:
        words += " " + say("between.asked", asked=subject.protected.asked, pairs=subject.protected.pairs)
    headings = [say("between.from"), say("between.against"), "epsilon", say("pairs.sure")]
    note = say("between.worst", listed=listed, all=len(worst)) if len(worst) > listed else ""
    table = Table(say("between.caption"), headings, rows, profiles=2, folded=len(rows) > FOLDED, note=note)
    return Section(say("between.title"), [Text(words, "bad" if math.isinf(most) else "good"), table])


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
