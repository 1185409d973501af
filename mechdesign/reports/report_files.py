"""The files that `mechdesign report` reads: which kind each is, and whether they are about the same thing."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import networkx as nx

from mechdesign.certificate.check import examined, hold
from mechdesign.certificate.checked import Checked
from mechdesign.certificate.checker import Rejected
from mechdesign.certificate.compared import read_compared
from mechdesign.certificate.wanted import Wanted
from mechdesign.certifier.doubt import doubt_of_certified, doubt_of_refuted
from mechdesign.errors import InputError
from mechdesign.exact.text import format_number, short
from mechdesign.files import kinds
from mechdesign.files.delimited import RECOGNISED, Layout, as_read
from mechdesign.files.documents import read_json
from mechdesign.files.opening import sha256_of
from mechdesign.graph.graph_file import read_graph
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.mechanism.foreign_answer import NAMED, normalised
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.mechanism.mechanism_file import digest
from mechdesign.privacy.asked import Source as EdgesFrom
from mechdesign.reports.curve_file import sweep_in
from mechdesign.reports.curve_held import holds_curve
from mechdesign.reports.page.page_inputs import Given, Source
from mechdesign.reports.page.privacy_curve import PrivacyCurve, privacy_curve_in
from mechdesign.reports.page.subject import Subject, of_certificate, of_mechanism
from mechdesign.show.fact_numbers import Exact
from mechdesign.show.language import ENGLISH, Language

GRAPH, MATRIX = "YOUR-GRAPH.json", "YOUR-MATRIX.csv"
"""They stand in the commands for files that a report is not made from."""
READ = ("read", "normalised", "largest_miss")
"""Notes of how a matrix was read."""
PART = {
    **dict.fromkeys((kinds.MATRIX, kinds.TEXT, kinds.MECHANISM), "mechanism"),
    kinds.CERTIFICATE: "certificate",
    kinds.REFUTED: "refutation",
    kinds.CURVE: "curve of designs",
    kinds.PRIVACY_CURVE: "privacy curve",
    kinds.GRAPH: "graph",
    kinds.MANIFEST: "manifest",
}
"""What a file of a kind is in a report."""


@dataclass(frozen=True)
class Options:
    """How files are read, and in which language their page is."""

    layout: Layout = RECOGNISED
    normalise: bool = False
    all_pairs: bool = False
    say: Language = ENGLISH
    title: str | None = None
    purpose: str | None = None


def read_given(paths: Sequence[str], options: Options) -> Given:
    """Return what the files told, one of each kind at most.

    Raises
    ------
    InputError
        naming the file that is of no such kind, is a second one of its kind, is rejected, or is about something else
        than another.
    """
    found = _by_part(paths)
    layout, normalise = options.layout, options.normalise
    path_of_proof = found.get("certificate") or found.get("refutation")
    proof = None if path_of_proof is None else _checked(path_of_proof)
    graph = read_graph(found["graph"]) if "graph" in found else None
    mechanism, path = None, found.get("mechanism")
    if path is not None and proof is not None:
        mechanism = read_compared(proof, graph, path, layout, normalise)
    elif path is not None:
        mechanism = read_foreign(path, graph, layout=layout, normalise=normalise)
    subject = None if mechanism is None else of_mechanism(mechanism, all_pairs=options.all_pairs)
    if proof is not None and path_of_proof is not None:
        subject = _held(proof, path_of_proof, mechanism, found, graph)
    read = [] if mechanism is None else list(_divided(mechanism, options.say))
    if path is not None and subject is not None and proof is not None:
        read += _doubt(path, proof, subject, options)
    curve, sweep = found.get("privacy curve"), found.get("curve of designs")
    privacy = None if curve is None else privacy_curve_in(curve)
    is_held = False
    if privacy is not None and curve is not None and path is not None:
        is_held = holds_curve(privacy, curve, path, layout, normalise)
    return Given(
        sources=[Source(part, Path(path).name, sha256_of(path)) for part, path in found.items()],
        subject=subject,
        proof=proof,
        digest=None if mechanism is None else digest(mechanism),
        notes=None if mechanism is None else {k: v for k, v in mechanism.notes.items() if k not in READ},
        read=read,
        sweep=None if sweep is None else sweep_in(sweep),
        privacy=privacy,
        privacy_held=is_held,
        commands=list(_commands(found, proof, subject, privacy, as_read(normalise, layout))),
        graph=None if graph is None else graph.graph,
        manifest=_manifest(found, mechanism),
        title=options.title,
        purpose=options.purpose,
    )


def _divided(mechanism: Mechanism, say: Language) -> Iterator[str]:
    """Yield which rows of a matrix were divided by their totals."""
    rows, miss = normalised(mechanism)
    if rows:
        key, by = ("normalised", Exact(miss, short(miss))) if miss else ("exactly", "")
        names = say.few(rows, NAMED + 1)
        yield say(f"caveat.{key}", n=len(rows), all=len(mechanism.inputs), names=names, miss=by)


def _manifest(found: dict[str, str], mechanism: Mechanism | None) -> dict[str, Any] | None:
    """Return a manifest, which has to be of the mechanism or the certificate given."""
    path = found.get("manifest")
    if path is None:
        return None
    document = kinds.MANIFEST.check(read_json(path), source=path)
    known = {part: sha256_of(file) for part, file in found.items() if part in ("mechanism", "certificate")}
    named = {part: (document.get(part) or {}).get("sha256") for part in known}
    if mechanism is not None and named["mechanism"] == digest(mechanism):
        known["mechanism"] = named["mechanism"]  # the same, in a file that is written otherwise
    if not any(named.values()):
        raise InputError("it names none of the other files; give the mechanism that it names too", source=path)
    for part, sha256 in named.items():
        if sha256 not in (None, known[part]):
            raise InputError(f"it is about another {part} than {found[part]}, as their digests say", source=path)
    return document


def _by_part(paths: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in paths:
        kind = kinds.kind_of(path)
        if kind not in PART:
            sha256_of(path)  # says if it cannot be read
            kinds.check_kind(*PART, path=path)
            raise InputError("expected a mechanism, a certificate, a refutation or a curve", source=path)
        part = PART[kind]
        if part in found:
            raise InputError(f"this is a second {part}, beside {found[part]}; a report is about one", source=path)
        found[part] = path
    if "certificate" in found and "refutation" in found:
        raise InputError("a certificate and a refutation; a report is about one of them", source=found["refutation"])
    return found


def _checked(path: str) -> Checked:
    try:
        return examined(path)
    except Rejected as reason:
        raise InputError(f"rejected, so there is nothing to report: {reason}", source=path) from None


def _held(
    proof: Checked, name: str, mechanism: Mechanism | None, found: dict[str, str], graph: nx.Graph | None
) -> Subject:
    for part, wanted in (("mechanism", Wanted(mechanism=mechanism)), ("graph", Wanted(graph=graph))):
        try:
            hold(proof, wanted)
        except Rejected as reason:
            words = f"not the {part} of {name}: {reason}; report them one by one"
            raise InputError(words, source=found[part]) from None
    return of_certificate(proof, mechanism)


def _doubt(path: str, proof: Checked, subject: Subject, options: Options) -> Iterator[str]:
    """Yield what rounding may have done to a refutation of a matrix, or to a certificate for every pair of its rows."""
    if kinds.kind_of(path) not in (kinds.MATRIX, kinds.TEXT):
        return
    if not subject.refuted and not (subject.every_pair_of_values and len(set(proof.claim.epsilons)) == 1):
        return
    layout, normalise = options.layout, options.normalise
    own = read_foreign(path, layout=layout, normalise=normalise)
    outputs, profiles = subject.mechanism.outputs, subject.mechanism.profiles
    if not set(profiles) <= set(own.profiles) or not set(outputs) <= set(own.outputs):
        return  # it is about a graph's profiles
    edge = proof.claim.edges[0]
    claim: dict[str, Any] = {"epsilon": edge.epsilon, "delta": edge.delta.least, "normalised": normalise}
    if subject.refuted:
        ends, among = (profiles[edge.first], profiles[edge.second]), [outputs[y] for y in proof.refuting]
        # A refutation is about its own edge; whether others were asked about, it does not say.
        doubt = doubt_of_refuted(path, layout, own, edge=ends, among=among, every_pair=False, **claim)
    else:
        doubt = doubt_of_certified(path, layout, own, **claim)
    if doubt is not None and (words := doubt.words(subject.refuted, options.say)) is not None:
        yield words


def _commands(
    found: dict[str, str],
    proof: Checked | None,
    subject: Subject | None,
    privacy: PrivacyCurve | None,
    read: Sequence[str],
) -> Iterator[str]:
    """Yield commands for the reader; `read` are the options without which they would not read the matrix."""
    names = {part: shlex.quote(Path(path).name) for part, path in found.items()}
    yield " ".join(["sha256sum", *names.values()])
    file = names.get("certificate") or names.get("refutation")
    mechanism = names.get("mechanism")
    if mechanism is not None:
        names["mechanism"] = mechanism = " ".join([mechanism, *map(shlex.quote, read)])
    if file is not None and proof is not None:
        yield f"mechdesign check {file}" + (f" {_wanted(subject, names)}--mechanism {mechanism}" if mechanism else "")
        yield f"mechdesign check {file} --print-checker > checker.py"
        yield f"python checker.py {file}"
        if len({(edge.epsilon, edge.delta) for edge in proof.claim.edges}) == 1:
            yield from _again(found, names, proof, subject)
    elif mechanism is not None:
        known = subject is not None and (subject.values or not subject.asked.every_pair)
        graph = "" if known and "graph" not in names else f" --graph {names.get('graph', GRAPH)}"
        yield f"mechdesign certify {mechanism}{graph} --epsilon E"
    if privacy is not None:
        matrix = mechanism is not None and kinds.kind_of(found["mechanism"]) is not kinds.MECHANISM
        asked = _asked(privacy.question, names.get("graph", GRAPH), matrix)
        yield f"mechdesign certify {mechanism or 'MECHANISM.json'} {asked}--curve again.json"
    if "curve of designs" in names:
        yield f"mechdesign design {names.get('graph', GRAPH)} --epsilon E --curve {names['curve of designs']}"


def _wanted(subject: Subject | None, names: dict[str, str]) -> str:
    """Return of which pairs of profiles a reader wants a proof, and of what the nearest."""
    assert subject is not None
    whose = "--all-pairs " if subject.every_pair_of_values else f"--graph {names.get('graph', GRAPH)} "
    return whose + (f"--mended-from {MATRIX} " if subject.mended else "")


def _asked(asked: Mapping[str, Any], graph: str, matrix: bool) -> str:
    """Return the options with which a privacy curve was made; of a matrix every pair is asked about without any."""
    every = not matrix and asked.get("graph") is None and asked.get("edges_from") == EdgesFrom.EVERY_PAIR
    given = {"epsilon": asked.get("epsilon_exact"), "delta": asked.get("delta_exact")}
    words = [f"--{name} {shlex.quote(str(value))} " for name, value in given.items() if value not in (None, "0")]
    return "".join([*([] if asked.get("graph") is None else [f"--graph {graph} "]), "--all-pairs " * every, *words])


def _again(found: dict[str, str], names: dict[str, str], proof: Checked, subject: Subject | None) -> Iterator[str]:
    """Yield what decides anew: on a matrix of values alone, else with the reader's own graph."""
    asked = f"--epsilon {format_number(proof.claim.epsilons[0])}"
    asked += f" --delta {format_number(proof.claim.deltas[0])}" if proof.claim.deltas[0] else ""
    assert subject is not None
    matrix = "mechanism" in found and kinds.kind_of(found["mechanism"]) is not kinds.MECHANISM
    own = names.get("graph", GRAPH)
    graph = "" if subject.every_pair_of_values else f"--graph {own} "
    if "mechanism" in found and ("refutation" in found or subject.given is not None or (matrix and not graph)):
        yield f"mechdesign certify {names['mechanism']} {graph}{asked}"
    elif "certificate" in found:
        yield f"mechdesign check {names['certificate']} --graph {own} {asked}"
