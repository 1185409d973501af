"""What a promise rests on, what it does not cover, and which other file would tell more."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mechdesign.graph.uncertainty import bounded
from mechdesign.reports.page.how_sure import ByDistance
from mechdesign.reports.page.mildest import level_of
from mechdesign.reports.page.page_inputs import Given
from mechdesign.reports.page.subject import Subject
from mechdesign.reports.page.written_numbers import chance, surest
from mechdesign.show.blocks import Points, Section, Table
from mechdesign.show.language import Language

SEEDED = "NOT FOR RELEASE"
"""How a manifest begins to say that its data were made with a seed."""


def before_signing(given: Given, say: Language) -> list[str]:
    """Return what has to be known before the sheet is signed."""
    found = [*given.read, *_of_release(given, say)]
    if given.subject is not None:
        found += _of_promise(given, given.subject, say)
    if given.privacy is not None and not given.privacy_held:
        found.append(say("caveat.curve"))
    if given.sweep is not None:
        found.append(say("caveat.sweep"))
    return found


def caveats(given: Given, say: Language) -> Section:
    """Return the same as a part of the sheet, with how numbers are rounded."""
    return Section(say("caveat.title"), [Points([*before_signing(given, say), say("caveat.rounded")])])


def _of_promise(given: Given, subject: Subject, say: Language) -> Iterator[str]:
    graph, proved = subject.mechanism.graph, subject.proved
    known = subject.told if subject.refuted and subject.told is not None else graph
    robust = proved.claim.robust if proved is not None else bool(bounded(known))
    if robust:
        sure = (given.notes or {}).get("bounds")
        said = say.known("guarantee", sure) if isinstance(sure, str) else None
        words = say("caveat.bounds_of_what") if said is None else say("caveat.bounds", words=said)
        yield from (level_of(subject, say) if said is None else []) or [words]
    if subject.graph is not None and (alone := [one for one in subject.graph if not subject.graph.degree(one)]):
        yield say.count("caveat.alone", len(alone), names=say.few(alone))
    if proved is not None and proved.claim.edges:
        by, key = ByDistance.of(subject), "caveat.again"
        what = subject.kind if subject.observed is None else "observed"
        told = {"twice": surest(2 * proved.claim.epsilon, 2 * proved.claim.delta), "same": say("caveat.again.same")}
        yield by.promise(f"{key}.distance", say, releases=2) if by else say(f"{key}.{what}", **told)
    if not subject.refuted and given.manifest is None and subject.observed is None:
        yield say("caveat.coins")
    if not subject.values and not subject.refuted and subject.observed is None:
        one = subject.whole.one_matrix and bool(subject.known.all())
        shared = proved is not None and proved.claim.matrices < len(proved.claim.profiles)
        yield say(f"caveat.{'one_matrix' if one else 'shared' if shared else 'own_matrices'}")
    if bounded(graph) and not robust:
        yield say("caveat.bounds_unused")


def _of_release(given: Given, say: Language) -> Iterator[str]:
    """Yield what the manifest says that may undo the protection."""
    if given.manifest is None:
        return
    if str(given.manifest["random"]).startswith(SEEDED):
        yield say("caveat.seeded")
    if earlier := given.manifest.get("earlier_releases"):
        yield say.count("caveat.earlier", len(earlier), together=_together(given, earlier, say))
    if kept := given.manifest["columns"]["kept_as_they_are"]:
        yield say("caveat.kept", names=list(map(str, kept)))


def _together(given: Given, earlier: Sequence[Mapping[str, Any]], say: Language) -> str:
    """Return what earlier releases of the same data and this one allow together."""
    subject, manifest = given.subject, given.manifest or {}
    if subject is None or not subject.values or not all(one["single_values"] for one in earlier):
        return say("caveat.again.same")
    same = all(one["mechanism_sha256"] == manifest["mechanism"]["sha256"] for one in earlier)
    if not same or subject.proved is None:
        return say("caveat.earlier.added")
    releases, key = len(earlier) + 1, "caveat.earlier"
    if (by := ByDistance.of(subject)) is not None:
        return by.promise(f"{key}.distance", say, releases=releases)
    c = subject.proved.claim
    return say(f"{key}.values", sure=surest(releases * c.epsilon, releases * c.delta))


def bounds(subject: Subject, say: Language) -> list[Table]:
    """Return within which bounds profiles are known, for reviewers."""
    graph = subject.mechanism.graph
    profiles = bounded(graph)
    if not profiles:
        return []
    boxed = any("radius" not in graph.nodes[profile] for profile in profiles)
    categories = list(map(str, graph.graph["categories"])) if boxed else []  # of balls alone they would stand empty
    rows = []
    for profile in profiles:
        node = graph.nodes[profile]
        if "radius" in node:
            words = say("bounds.radius", radius=chance(node["radius"]))
            rows.append([str(profile), words, *[""] * len(categories)])
        else:
            ends = zip(node["lower"], node["upper"], strict=True)
            cells = [say("word.range", low=chance(low), high=chance(high)) for low, high in ends]
            rows.append([str(profile), "", *cells])
    headings = [say("table.group"), say("bounds.within"), *categories]
    return [Table(say("bounds.caption"), headings, rows, profiles=1, folded=len(rows) > 12)]


def other_files(given: Given, curve: bool, say: Language) -> list[str]:
    """Return what the files do not tell, and which other file would; given too, the report has it."""
    return [say(f"other.{key}") for key in _missing(given, curve)]


def _missing(given: Given, curve: bool) -> Iterator[str]:
    subject = given.subject
    as_observed = subject is not None and subject.observed is not None
    if subject is None:
        yield "mechanism"
    if given.proof is None:
        yield "certificate"
    if given.refuted is not None:
        if subject is not None and subject.judged is None:
            yield "pairs"
        if not as_observed:
            yield "mend"
    if given.proof is not None and "mechanism" not in given.kinds:
        yield "rows"
    if given.graph is None:
        yield "graph"
    if given.manifest is None and not as_observed:
        yield "manifest"
    if given.sweep is None and given.refuted is None and not as_observed:
        yield "mended" if subject is not None and subject.mended else "curve"
    if not curve:
        yield "privacy"
