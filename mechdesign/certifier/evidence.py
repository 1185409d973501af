"""Evidence of a verdict, for anybody to check: a certificate where a mechanism is private, a refutation where not."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import networkx as nx

from mechdesign.certificate.certificate import privacy_alone
from mechdesign.certificate.checker import Rejected, check
from mechdesign.certificate.claim_fields import BITS
from mechdesign.certificate.refutation import refutation_of
from mechdesign.certifier.applied import to_judge
from mechdesign.certifier.certify import certify
from mechdesign.certifier.verdict import Verdict
from mechdesign.errors import InputError
from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import Epsilon, Number, parse_delta, parse_epsilon
from mechdesign.graph.labels import Label
from mechdesign.graph.uncertainty import nominal as nominal_of
from mechdesign.mechanism.given import AskedBy, Given
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Asked
from mechdesign.privacy.requirement import requirements
from mechdesign.size import check_size

LARGEST = 5_000_000
"""A certificate is checked by a comparison for each edge, direction and output: so many take some seconds."""


@with_flags
def evidence(
    mechanism: Given,
    graph: AskedBy = None,
    *,
    epsilon: Number,
    delta: Number = 0,
    nominal: bool = False,
    all_pairs: bool = False,
) -> tuple[Verdict, dict[str, Any]]:
    """Return the verdict on a mechanism with a JSON value that proves it, which `checker.py` checks.

    A certificate of privacy says nothing of distortion: its objective is a loss of 0 everywhere. A refutation for
    profiles known only within bounds has the worst distributions within.

    Parameters
    ----------
    mechanism, graph, epsilon, delta, nominal, all_pairs
        as for `certify`.

    Raises
    ------
    InputError
        if the arguments cannot be used, neither is proved, or the proof would be too long or too large.

    Examples
    --------
    >>> import mechdesign as md
    >>> coin = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> verdict, document = evidence(coin, epsilon=1)
    >>> verdict.private, document["format"]
    (False, 'mechdesign-refutation/2')
    """
    own, asked = to_judge(mechanism, graph, at_nominal=nominal, all_pairs=all_pairs)
    verdict = certify(own, asked, epsilon=epsilon, delta=delta)
    return verdict, evidence_of(verdict, own, asked, parse_epsilon(epsilon), parse_delta(delta))


def evidence_of(
    verdict: Verdict, mechanism: Mechanism, asked: Asked, epsilon: Epsilon, delta: Fraction
) -> dict[str, Any]:
    """Return the same for a verdict that is known.

    Raises
    ------
    InputError
        as `evidence`.
    """
    notes = {"made_by": "mechdesign", "verdict": verdict.sentence()}
    if verdict.private is None:
        raise InputError("no proof: neither that it is private nor that it is not is proved; ask for another epsilon")
    if not verdict.private and verdict.worst is not None:
        edge, outputs = verdict.worst.edge, verdict.worst.set
        if verdict.worst.profiles is not None:
            asked = _at(dict(zip(edge, verdict.worst.profiles, strict=True)), asked)
            notes["distributions"] = "The worst within the profiles' bounds; this is a proof of no others"
        return refutation_of(mechanism, asked, edge, outputs, epsilon=epsilon, delta=delta, notes=notes)
    check_certificate_size(asked.edges, len(mechanism.outputs))
    return _certificate(mechanism, asked.graph(), epsilon, delta, notes)


def _at(distributions: Mapping[Label, Sequence[Fraction]], asked: Asked) -> Asked:
    """Return what is asked with these distributions of profiles, and without any bounds."""
    profiles = nominal_of(asked.profiles)
    for profile, distribution in distributions.items():
        profiles.nodes[profile]["distribution"] = distribution
    return replace(asked, profiles=profiles)


def check_certificate_size(edges: int, m: int) -> None:
    """Raise an InputError if a certificate for so many edges, and m outputs, would be too large: it has both ways."""
    sizes = f"a certificate for {edges:,} edges and {m:,} outputs would ask for {{}} comparisons"
    check_size(edges * 2 * m, LARGEST, sizes, "give a graph with fewer edges")


def _certificate(
    mechanism: Mechanism, graph: nx.Graph, epsilon: Any, delta: Fraction, notes: dict[str, Any]
) -> dict[str, Any]:
    """Return the certificate of privacy on a graph whose profiles the mechanism serves, as `certify` found."""
    index = mechanism.index[list(map(mechanism.serving, graph))]
    own = Mechanism(graph, mechanism.outputs, mechanism.rows, index)
    return shown(privacy_alone(own, graph, requirements(graph, epsilon, delta), notes))


def shown(document: dict[str, Any]) -> dict[str, Any]:
    """Return a certificate of what is private with so many bits of e^epsilon as are enough to show it.

    Raises
    ------
    InputError
        if none are that the checker can use.
    """
    for bits in BITS:
        document["bits"] = bits
        if _is_shown(document):
            return document
    raise InputError("no certificate: it is private by less than the checker can show, or at an epsilon above 700 only")


def _is_shown(document: dict[str, Any]) -> bool:
    """Return whether the checker accepts a certificate: its rationals below e^epsilon may be too coarse for that."""
    try:
        check(json.dumps(document))
    except Rejected:
        return False
    return True
