"""The commands on a page, with which its reader computes all anew."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mechdesign.certificate.checked import Checked
from mechdesign.exact.text import format_number
from mechdesign.privacy.asked import Source as EdgesFrom
from mechdesign.reports.page.privacy_curve import PrivacyCurve
from mechdesign.reports.page.subject import Subject
from mechdesign.reports.report_parts import Part

GRAPH, MATRIX = "YOUR-GRAPH.json", "YOUR-MATRIX.csv"
"""They stand in the commands for files that a report is not made from."""


def commands_of(
    found: Mapping[str, Part],
    proof: Checked | None,
    subject: Subject | None,
    privacy: PrivacyCurve | None,
    read: Sequence[str],
) -> Iterator[str]:
    """Yield commands for the reader; `read` are the options without which they would not read the matrix."""
    names = {what: shlex.quote(part.name) for what, part in found.items()}
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
        matrix = mechanism is not None and found["mechanism"].is_matrix
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


def _again(found: Mapping[str, Part], names: dict[str, str], proof: Checked, subject: Subject | None) -> Iterator[str]:
    """Yield what decides anew: on a matrix of values alone, else with the reader's own graph."""
    asked = f"--epsilon {format_number(proof.claim.epsilons[0])}"
    asked += f" --delta {format_number(proof.claim.deltas[0])}" if proof.claim.deltas[0] else ""
    assert subject is not None
    matrix = "mechanism" in found and found["mechanism"].is_matrix
    own = names.get("graph", GRAPH)
    graph = "" if subject.every_pair_of_values else f"--graph {own} "
    if "mechanism" in found and ("refutation" in found or subject.given is not None or (matrix and not graph)):
        yield f"mechdesign certify {names['mechanism']} {graph}{asked}"
    elif "certificate" in found:
        yield f"mechdesign check {names['certificate']} --graph {own} {asked}"
