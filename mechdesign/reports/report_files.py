"""What a report is made from, read: proofs are checked, and all have to be about the same thing."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import networkx as nx

from mechdesign.certificate.check import examined, hold
from mechdesign.certificate.checked import Checked
from mechdesign.certificate.checker import Rejected
from mechdesign.certificate.rows import read_compared
from mechdesign.certificate.wanted import Wanted
from mechdesign.certifier.applied import applied_to
from mechdesign.certifier.doubt import doubt_of
from mechdesign.errors import InputError, telling
from mechdesign.exact.text import format_number, short
from mechdesign.files import kinds
from mechdesign.files.delimited import RECOGNISED, Layout, as_read
from mechdesign.files.documents import read_json
from mechdesign.graph.graph_file import read_graph
from mechdesign.mechanism.foreign import normalised, read_foreign
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.mechanism.mechanism_file import digest
from mechdesign.privacy.asked import Source as EdgesFrom
from mechdesign.release.manifest import claimed
from mechdesign.reports.curve_file import curve_in
from mechdesign.reports.page.how_sure import ByDistance
from mechdesign.reports.page.page_inputs import Given
from mechdesign.reports.page.privacy import holds_curve
from mechdesign.reports.page.privacy_curve import PrivacyCurve, privacy_curve_in
from mechdesign.reports.page.subject import Subject, of_certificate, of_mechanism
from mechdesign.reports.report_parts import Part, parts_of
from mechdesign.show.fact_numbers import Exact
from mechdesign.show.language import ENGLISH, Language

OTHERS = ("graph", "matrix", "method")
"""Files that a report may not be made from: their names in commands are the language's."""

READ = ("read", "normalised", "largest_miss")
"""Notes of how a matrix was read."""


def commands_of(
    found: Mapping[str, Part],
    proof: Checked | None,
    subject: Subject | None,
    privacy: PrivacyCurve | None,
    read: Sequence[str],
    say: Language,
) -> Iterator[str]:
    """Yield commands for the reader; `read` are the options without which they would not read the matrix."""
    names = {what: shlex.quote(part.name) for what, part in found.items()}
    yield " ".join(["sha256sum", *names.values()])
    names = {name: say(f"again.your.{name}") for name in OTHERS} | names
    file = names.get("certificate") or names.get("refutation")
    mechanism = names.get("mechanism")
    if mechanism is not None:
        names["mechanism"] = mechanism = " ".join([mechanism, *map(shlex.quote, read)])
    if file is not None and proof is not None:
        claimed = _claimed(proof, subject)
        wanted = f" {_wanted(subject, names)}{claimed}--mechanism {mechanism}" if mechanism else ""
        yield f"mechdesign check {file}{wanted}"
        yield f"mechdesign check {file} --print-checker > checker.py"
        yield f"python checker.py {file}"
        if claimed:
            yield from _again(found, names, claimed.rstrip(), subject)
    elif mechanism is not None:
        known = subject is not None and (subject.values or not subject.asked.every_pair)
        graph = "" if known and "graph" not in found else f" --graph {names['graph']}"
        yield f"mechdesign certify {mechanism}{graph} --epsilon E"
    if privacy is not None:
        matrix = mechanism is not None and found["mechanism"].is_matrix
        asked = _asked(privacy.question, names["graph"], matrix)
        yield f"mechdesign certify {mechanism or names['method']} {asked}--curve again.json"
    if "curve of designs" in names:
        yield f"mechdesign design {names['graph']} --epsilon E --curve {names['curve of designs']}"


def _claimed(proof: Checked, subject: Subject | None) -> str:
    """Return the epsilon, by distance or of all edges, and the delta as options; nothing where edges have others."""
    if subject is not None and (by := ByDistance.of(subject)) is not None:
        return f"--epsilon {format_number(by.rate)} "
    asked = set(zip(proof.claim.epsilons, proof.claim.deltas, strict=True))
    if len(asked) != 1:
        return ""
    [(epsilon, delta)] = asked
    return f"--epsilon {format_number(epsilon)} " + (f"--delta {format_number(delta)} " if delta else "")


def _wanted(subject: Subject | None, names: dict[str, str]) -> str:
    """Return of which pairs of profiles a reader wants a proof, and of what the nearest."""
    assert subject is not None
    whose = (
        "--all-pairs "
        if subject.every_pair_of_values and ByDistance.of(subject) is None
        else f"--graph {names['graph']} "
    )
    if subject.given is None or not subject.mended:
        return whose
    divided = normalised(subject.given)[1] is not None and "--normalise" not in names["mechanism"]
    return f"{whose}--mended-from {names['matrix']} " + "--normalise " * divided


def _asked(asked: Mapping[str, Any], graph: str, matrix: bool) -> str:
    """Return the options with which a privacy curve was made; of a matrix every pair is asked about without any."""
    every = not matrix and asked.get("graph") is None and asked.get("edges_from") == EdgesFrom.EVERY_PAIR
    given = {"epsilon": asked.get("epsilon_exact"), "delta": asked.get("delta_exact")}
    words = [f"--{name} {shlex.quote(str(value))} " for name, value in given.items() if value not in (None, "0")]
    return "".join([*([] if asked.get("graph") is None else [f"--graph {graph} "]), "--all-pairs " * every, *words])


def _again(found: Mapping[str, Part], names: dict[str, str], asked: str, subject: Subject | None) -> Iterator[str]:
    """Yield what decides anew: on a matrix of values alone, else with the reader's own graph."""
    assert subject is not None
    matrix = "mechanism" in found and found["mechanism"].is_matrix
    graph = "" if subject.every_pair_of_values and ByDistance.of(subject) is None else f"--graph {names['graph']} "
    if "mechanism" in found and ("refutation" in found or subject.given is not None or (matrix and not graph)):
        yield f"mechdesign certify {names['mechanism']} {graph}{asked}"
    elif "certificate" in found:
        yield f"mechdesign check {names['certificate']} --graph {names['graph']} {asked}"


@dataclass(frozen=True)
class Options:
    """How files are read, and in which language their page is."""

    layout: Layout = RECOGNISED
    normalise: bool = False
    all_pairs: bool = False
    say: Language = ENGLISH
    title: str | None = None
    purpose: str | None = None


def read_given(results: Sequence[Any], options: Options) -> Given:
    """Return what files, and results that are at hand, told: one of each kind at most.

    Raises
    ------
    InputError
        naming the one that is of no such kind, is a second one of its kind, is rejected, or is about something else
        than another.
    """
    found = parts_of(results)
    layout, normalise = options.layout, options.normalise
    proven = found.get("certificate") or found.get("refutation")
    proof = None if proven is None else _checked(proven)
    graph = _graph(found.get("graph"))
    mechanism = _mechanism(found.get("mechanism"), proof, graph, options)
    subject = None if mechanism is None or proof is not None else _unproved(mechanism, graph, found, options)
    if proof is not None and proven is not None:
        subject = _held(proof, proven, mechanism, found, graph)
    if subject is not None:
        told = graph if graph is not None or mechanism is None else mechanism.graph
        subject = replace(subject, told=told)
    read = [] if mechanism is None else list(_divided(mechanism, options.say))
    if mechanism is not None and subject is not None and proof is not None:
        read += _doubt(found["mechanism"], proof, subject, options)
    sweep, privacy, is_held = found.get("curve of designs"), *_privacy(found, options)
    return Given(
        sources=list(found.values()),
        subject=subject,
        proof=proof,
        digest=None if mechanism is None else digest(mechanism),
        notes=None if mechanism is None else _notes(mechanism),
        read=read,
        sweep=None if sweep is None or sweep.path is None else curve_in(sweep.path),
        privacy=privacy,
        privacy_held=is_held,
        commands=list(commands_of(found, proof, subject, privacy, as_read(normalise, layout), options.say)),
        graph=None if graph is None else graph.graph,
        manifest=_manifest(found, mechanism),
        title=options.title,
        purpose=options.purpose,
    )


def _notes(mechanism: Mechanism) -> dict[str, Any]:
    """Return what a mechanism's file says of itself, with the largest limits of any edge."""
    limits = {key: limit for key, limit in claimed(mechanism).items() if limit is not None}
    return {key: note for key, note in mechanism.notes.items() if key not in READ} | limits


def _unproved(mechanism: Mechanism, graph: nx.Graph | None, found: Mapping[str, Part], options: Options) -> Subject:
    """Return a mechanism of which nothing is proved, as the profiles of the graph use it, if there is one."""
    with telling(source=found["mechanism"].called):
        used = mechanism if graph is None else applied_to(mechanism, graph)
    return of_mechanism(used, all_pairs=options.all_pairs)


def _graph(part: Part | None) -> nx.Graph | None:
    return None if part is None else part.value if part.path is None else read_graph(part.path)


def _mechanism(part: Part | None, proof: Checked | None, graph: nx.Graph | None, options: Options) -> Mechanism | None:
    if part is None or part.path is None:
        return None if part is None else part.value
    if proof is not None:
        return read_compared(proof, graph, part.path, options.layout, options.normalise)
    return read_foreign(part.path, graph, layout=options.layout, normalise=options.normalise)


def _privacy(found: Mapping[str, Part], options: Options) -> tuple[PrivacyCurve | None, bool]:
    """Return a privacy curve, and whether it was computed anew from the mechanism's own rows."""
    curve, mechanism = found.get("privacy curve"), found.get("mechanism")
    if curve is None or curve.path is None:
        return None, False
    privacy = privacy_curve_in(curve.path)
    if mechanism is None:
        return privacy, False
    own = _mechanism(mechanism, None, None, options)
    assert own is not None
    return privacy, holds_curve(privacy, curve.path, own, mechanism.called)


def _divided(mechanism: Mechanism, say: Language) -> Iterator[str]:
    """Yield which rows of a matrix were divided by their totals."""
    rows, miss = normalised(mechanism)
    if rows:
        key, by = ("normalised", Exact(miss, short(miss))) if miss else ("exactly", "")
        names = say.few(rows)
        yield say(f"caveat.{key}", n=len(rows), all=len(mechanism.inputs), names=names, miss=by)


def _manifest(found: Mapping[str, Part], mechanism: Mechanism | None) -> dict[str, Any] | None:
    """Return a manifest, which has to be of the mechanism or the certificate given."""
    path = found["manifest"].path if "manifest" in found else None
    if path is None:
        return None
    document = kinds.MANIFEST.check(read_json(path), source=path)
    known = {what: part.sha256 for what, part in found.items() if what in ("mechanism", "certificate")}
    named = {what: (document.get(what) or {}).get("sha256") for what in known}
    if mechanism is not None and named["mechanism"] == digest(mechanism):
        known["mechanism"] = named["mechanism"]  # the same, in a file that is written otherwise
    if not any(named.values()):
        raise InputError("it names none of the other files; give the mechanism that it names too", source=path)
    for what, sha256 in named.items():
        if sha256 not in (None, known[what]):
            fault = f"it is about another {what} than {found[what].called}, as their digests say"
            raise InputError(fault, source=path)
    return document


def _checked(part: Part) -> Checked:
    try:
        return examined(part.value if part.path is None else part.path)
    except Rejected as reason:
        raise InputError(f"rejected, so there is nothing to report: {reason}", source=part.called) from None


def _held(
    proof: Checked, proven: Part, mechanism: Mechanism | None, found: Mapping[str, Part], graph: nx.Graph | None
) -> Subject:
    for what, wanted in (("mechanism", Wanted(mechanism=mechanism)), ("graph", Wanted(graph=graph))):
        try:
            hold(proof, wanted)
        except Rejected as reason:
            words = f"not the {what} of {proven.called}: {reason}; report them one by one"
            raise InputError(words, source=found[what].called) from None
    return of_certificate(proof, mechanism)


def _doubt(part: Part, proof: Checked, subject: Subject, options: Options) -> Iterator[str]:
    """Yield what rounding may have done to a refutation of a matrix, or to a certificate for every pair of its rows."""
    if part.path is None or not part.is_matrix:
        return
    if not subject.refuted and not (subject.every_pair_of_values and len(set(proof.claim.epsilons)) == 1):
        return
    layout, normalise = options.layout, options.normalise
    own = read_foreign(part.path, layout=layout, normalise=normalise)
    outputs, profiles = subject.mechanism.outputs, subject.mechanism.profiles
    if not set(profiles) <= set(own.profiles) or not set(outputs) <= set(own.outputs):
        return  # it is about a graph's profiles
    edge = proof.claim.edges[0]
    claim: dict[str, Any] = {
        "epsilon": edge.epsilon,
        "delta": edge.delta.least,
        "layout": layout,
        "normalised": normalise,
    }
    if subject.refuted:
        ends, among = (profiles[edge.first], profiles[edge.second]), [outputs[y] for y in proof.refuting]
        # A refutation is about its own edge; whether others were asked about, it does not say.
        claim |= {"edge": ends, "among": among, "every_pair": False}
    doubt = doubt_of(part.path, own, **claim)
    if doubt is not None and (words := doubt.words(options.say)) is not None:
        yield words
