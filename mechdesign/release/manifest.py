"""What stands beside a file of sanitised data: by which mechanism it was made, what that guarantees, and how many rows.

The file is JSON::

    {"format": "mechdesign-manifest/1",
     "mechanism": {"file": "mechanism.json", "sha256": "..."},
     "certificate": {"file": "proof.json", "sha256": "..."},
     "proved": true, "robust": false, "epsilon": "1/2", "delta": "0", "epsilon_per_distance": null, "unit": null,
     "pairs": 3, "pairs_asked": 2,
     "rows": 1000000, "left_out": 0, "columns": {"sanitised": "answer", "kept_as_they_are": ["year"]},
     "outputs": ["no", "yes"],
     "random": "AES-256-CTR, a new key from the operating system for each batch",
     "made": "2026-01-31T23:59:59+00:00",
     "earlier_releases": [{"mechanism_sha256": "...", "made": "2026-01-30T12:00:00+00:00", "single_values": false}],
     "versions": {"mechdesign": "0.1.0", "python": "3.13.1", "cryptography": "46.0.0", "numpy": "2.3.0", ...}}

`epsilon` and `delta` are the largest of any edge. Where edges have distances `epsilon_per_distance` is the largest for
each `unit`, if that is known; else both are null. `robust` says whether they hold for every distribution within the
profiles' bounds, and not just for those in the certificate. `pairs_asked` of all `pairs` of profiles are edges. Where
no certificate was given nothing is `proved`, and they are what the mechanism's file says of itself, or null.
`earlier_releases` are those of the same column that have been noted (see `journal`), and whether their mechanisms'
profiles are single values. Of the data that went in only the numbers of rows are said, exactly: those released, and
those left out. There is no digest: with one, whoever guesses the data could tell that the guess is right. Made with a
seed, `random` says that it is not for release.
"""

import math
import platform
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

import networkx as nx

from mechdesign.certificate.check import examined, hold
from mechdesign.certificate.checker import Rejected
from mechdesign.certificate.claim import Kind
from mechdesign.certificate.wanted import Wanted
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon, parse_delta, parse_epsilon
from mechdesign.exact.text import format_number
from mechdesign.files.kinds import CERTIFICATE, COMPRESSED, MANIFEST, expecting
from mechdesign.files.opening import sha256_of
from mechdesign.graph.document import plain
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Protected, protected
from mechdesign.privacy.by_distance import kept_by_distance, largest_rate
from mechdesign.privacy.requirement import AllPairs, Requirement, largest_limits
from mechdesign.release.sanitiser import Sanitiser

ENDING = ".manifest.json"
"""What a manifest's name has after that of the data."""

CRYPTOGRAPHIC = "AES-256-CTR, a new key from the operating system for each batch"
SEEDED = "NOT FOR RELEASE: made with the seed {}, so that whoever knows it can undo the mechanism"

PACKAGES = ("mechdesign", "cryptography", "numpy", "pyarrow")


def guarantee(mechanism: Mechanism, certificate: str | None) -> tuple[dict[str, Any], Protected]:
    """Return what is known of a mechanism's privacy, proved by a certificate, which is checked, or claimed; and whose.

    Raises
    ------
    InputError
        naming the certificate: it proves nothing, or something about another mechanism.
    """
    if certificate is None:
        required = _required(mechanism)
        ends = protected(len(mechanism.profiles), required).ends
        whom = replace(mechanism.asked.protected(math.inf, Fraction(0)), ends=ends)
        return {"proved": False, "robust": None} | _claimed(mechanism, required) | whom.summary(), whom
    try:
        proved = examined(certificate)
        if proved.claim.kind is Kind.REFUTATION:
            raise InputError("this is a refutation: it proves that a mechanism is not private", source=certificate)
        if not proved.claim.edges:
            raise InputError("it has no edges: nobody is protected, and nothing of privacy proved", source=certificate)
        hold(proved, Wanted(mechanism=mechanism))
    except Rejected as reason:
        with expecting(CERTIFICATE, COMPRESSED, path=certificate):
            raise InputError(f"it does not vouch for this mechanism: {reason}", source=certificate) from None
    claim = proved.claim
    most = {"epsilon": format_number(max(claim.epsilons)), "delta": format_number(max(claim.deltas))}
    said, whom = {"proved": True, "robust": claim.robust}, claim.protects()
    return said | most | _rate(mechanism, claim.graph()) | whom.summary(), whom


def claimed(mechanism: Mechanism) -> dict[str, Any]:
    """Return the largest limits of any edge as a mechanism's notes say, without a proof, with the keys of a manifest.

    They are written as in the notes, unless edges have limits of their own that are larger or stand in their place.

    Examples
    --------
    >>> import mechdesign as md
    >>> shares, own = {"a": ["1/2", "1/2"], "b": ["1/3", "2/3"]}, ("a", "b", {"epsilon": 3})
    >>> graph = md.profile_graph(shares, edges=[own], categories=["no", "yes"])
    >>> claimed(md.design(graph, epsilon=1).mechanism)["epsilon"]
    '3'
    """
    return _claimed(mechanism, _required(mechanism))


def _claimed(mechanism: Mechanism, required: Sequence[Requirement]) -> dict[str, Any]:
    said = {name: plain(mechanism.notes.get(name)) for name in ("epsilon", "delta")}
    for name, most in zip(said, largest_limits(required) or (), strict=False):
        if said[name] is not None and not _says(said[name], most):
            said[name] = format_number(most)
    return said | _rate(mechanism, _allowed(mechanism, required))


def _says(note: Any, number: Epsilon) -> bool:
    """Return whether a note, which may say anything, is this number."""
    with suppress(InputError):
        return parse_epsilon(note) == number
    return False


def _required(mechanism: Mechanism) -> Sequence[Requirement]:
    """Return what edges require at the epsilon and delta of a mechanism's notes; nothing where these do not say."""
    asked, notes = mechanism.asked, mechanism.notes
    if notes.get("epsilon") is None:
        return ()
    with suppress(InputError):  # a note may say anything
        all_own = 0 < asked.edges == len(asked.own_epsilons())
        epsilon = Fraction(0) if all_own else parse_epsilon(plain(notes["epsilon"]))
        if epsilon != math.inf:
            return asked.requirements(epsilon, parse_delta(plain(notes.get("delta", 0))))
    return ()


def _allowed(mechanism: Mechanism, required: Sequence[Requirement]) -> nx.Graph | None:
    """Return a graph of what the mechanism's edges are allowed; None where it has none."""
    if isinstance(required, AllPairs):
        return None
    found, names = nx.Graph(), mechanism.profiles
    found.add_edges_from((names[one.first], names[one.second], {"epsilon": one.epsilon}) for one in required)
    return found


def _rate(mechanism: Mechanism, graph: nx.Graph | None) -> dict[str, Any]:
    """Return what is allowed for each unit of distance, and that unit, where the mechanism's edges have distances."""
    kept = None if graph is None else kept_by_distance(graph, mechanism.graph)
    if kept is None:
        return {"epsilon_per_distance": None, "unit": None}
    unit = mechanism.notes.get("unit")
    return {"epsilon_per_distance": format_number(largest_rate(kept)), "unit": unit if isinstance(unit, str) else None}


def made_from(mechanism: str, certificate: str | None) -> dict[str, Any]:
    """Return which files these are: to be asked when they are read, for by the end others may stand in their place."""
    files = {"mechanism": mechanism, "certificate": certificate}
    return {
        what: None if path is None else {"file": Path(path).name, "sha256": sha256_of(path)}
        for what, path in files.items()
    }


def manifest(
    sanitiser: Sanitiser, known: dict[str, Any], earlier: Sequence[Mapping[str, Any]], *, seed: int | None
) -> dict[str, Any]:
    """Return the JSON value of the manifest of what has been sanitised; `known` is what was known before."""
    return {
        "format": MANIFEST.format,
        **known,
        "rows": sanitiser.released,
        "left_out": sanitiser.left_out,
        "columns": {"sanitised": sanitiser.value, "kept_as_they_are": list(sanitiser.keep)},
        "outputs": plain(list(sanitiser.mechanism.outputs)),
        "random": CRYPTOGRAPHIC if seed is None else SEEDED.format(seed),
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "earlier_releases": list(earlier),
        "versions": {"python": platform.python_version()} | {name: version(name) for name in PACKAGES},
    }
