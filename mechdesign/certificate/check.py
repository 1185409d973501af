"""`check_certificate`: what the two checkers do, from Python, and whether it is what its reader wanted."""

import json
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx

from mechdesign.certificate import checker, formula_checker
from mechdesign.certificate.certificate_file import check_no_result
from mechdesign.certificate.checked import Checked, checked_certificate, checked_formula
from mechdesign.certificate.checker import Rejected, text_in
from mechdesign.certificate.claim import Kind
from mechdesign.certificate.formula_checker import FORMULA, PARTS
from mechdesign.certificate.held import first_difference
from mechdesign.certificate.wanted import Wanted, check_said_of_whom, wanted
from mechdesign.errors import InputError
from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import Number
from mechdesign.files.opening import opened
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import Goal

ANOTHER = 19
"""`Rejected.status` of a certificate that is right, but about something else than its reader wanted."""


@with_flags
def check_certificate(
    certificate: str | os.PathLike[str] | dict[str, Any],
    *,
    graph: nx.Graph | str | os.PathLike[str] | None = None,
    all_pairs: bool = False,
    epsilon: Number | None = None,
    delta: Number | None = None,
    mechanism: Mechanism | None = None,
    objective: Goal | None = None,
) -> tuple[Fraction, Fraction]:
    """Verify a certificate and return its exact (value, bound), or (0, 0) if it is a proof of privacy alone.

    A certificate is a file (compressed or not) or its JSON value. Nothing is proved of the distortion of a mechanism by
    a proof of privacy alone, such as a design for LargestCost, WeightedOffDiagonal, Convex or MutualInformation has:
    the checker does not know these objectives, and its (0, 0) is not their value.

    The bound is that of all private mechanisms with the certificate's outputs; where its profiles share matrices, of
    those alone that share them alike, and with a matrix for each profile one may be below. Value and bound are always
    at the distributions themselves, also where profiles have bounds.

    It proves something about the graph, epsilon, delta, mechanism and objective that stand in it. Give your own, and it
    is rejected too if they differ: in a profile, a distribution, an edge, its epsilon or delta, a probability. Whatever
    you ask for, say of which pairs of profiles: by your graph, or by `all_pairs`.

    Of the proof of a formula it returns what the optimum is at most and at least: at the epsilon (or delta) given, or
    else wherever the formula holds.

    Parameters
    ----------
    certificate
        the path of a file, or its JSON value, such as a design's `certificate`.
    graph
        your profile graph, its name or the path of its file. All its edges must be proved, and no others.
    all_pairs
        whether every pair of profiles must be proved: of the graph, or else of the mechanism given, or else of the
        certificate.
    epsilon, delta
        in force on every edge, but for what the edges of `graph` have of their own; epsilon in nats. With an epsilon,
        delta is 0 unless given, as in `design`.
    mechanism
        must have the same rows, in proportion, for every category that a profile has.
    objective
        with its loss.

    Raises
    ------
    Rejected
        with the file's name and the reason: if it does not prove what it states, is no certificate or a refutation, or
        is about something else; `status` is then that of checker.py, or 19.
    InputError
        if an argument cannot be used, or epsilon, delta, mechanism or objective are given without `graph` or
        `all_pairs`.

    Examples
    --------
    >>> import mechdesign as md
    >>> graph = md.read_graph("categorical-chain")
    >>> result = md.design(graph, epsilon=5)
    >>> md.check_certificate(result.certificate, graph=graph) == (result.value, result.bound)
    True
    >>> md.check_certificate(result.certificate, graph=graph, epsilon="0.5")
    Traceback (most recent call last):
    mechdesign.certificate.checker.Rejected: edge "P1"-"P2": the certificate has epsilon 5, you asked for epsilon 0.5
    """
    check_no_result(certificate, "a certificate or the path of one")
    asked: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "mechanism": mechanism, "objective": objective}
    given = [name for name, value in asked.items() if value is not None]
    check_said_of_whom(graph is not None or all_pairs, given, "graph=", "all_pairs=True")
    with _naming(certificate):
        proof = examined(certificate)
        if proof.claim.kind is Kind.REFUTATION:
            raise Rejected(1, proof.statement)
        held = wanted(proof, graph=graph, all_pairs=all_pairs, **asked)
        hold(proof, held)
    if proof.formula is not None:
        return proof.formula.optima(held.epsilon, held.delta)
    return proof.claim.value, proof.claim.bound


@contextmanager
def _naming(certificate: str | os.PathLike[str] | dict[str, Any]) -> Iterator[None]:
    """Within this, a file that is rejected is named."""
    try:
        yield
    except Rejected as reason:
        if not isinstance(certificate, str | os.PathLike):
            raise
        raise Rejected(reason.status, f"{os.fspath(certificate)}: {reason}") from None


def examined(certificate: str | os.PathLike[str] | dict[str, Any]) -> Checked:
    """Return what a certificate, a refutation or the proof of a formula proves.

    Raises
    ------
    Rejected
        if it does not prove what it states.
    """
    text, size = text_of(certificate)
    if not _is_formula(text, size or len(text)):
        return checked_certificate(text, size)
    try:
        return checked_formula(text, size)
    except formula_checker.Rejected as reason:
        raise Rejected(reason.status, str(reason)) from None


def checker_for(certificate: str | None = None) -> str:
    """Return the program with which a stranger checks a file; without one, that for certificates."""
    text, size = ("", 0) if certificate is None else text_of(certificate)
    program = formula_checker if _is_formula(text, size or len(text)) else checker
    return Path(str(program.__file__)).read_text(encoding="utf-8")


def hold(proof: Checked, asked: Wanted) -> None:
    """Raise Rejected with the first difference between what is proved and what its reader wanted."""
    if difference := first_difference(proof, asked):
        raise Rejected(ANOTHER, difference)


def reason_for(status: int) -> str:
    """Return in a word why a file was not accepted, by the status of its `Rejected`.

    Examples
    --------
    >>> [reason_for(status) for status in (1, 2, 15, 19)]
    ['refuted', 'unreadable', 'forged', 'not wanted']
    """
    return {1: "refuted", 2: "unreadable", ANOTHER: "not wanted"}.get(status, "forged")


def _is_formula(text: str, size: int) -> bool:
    """Tell whether it is for the other checker; only what mentions it, and is not too much for it, is read twice."""
    if FORMULA not in text or sum(map(text.count, '[{:,"')) > PARTS + size:
        return False
    with suppress(ValueError, RecursionError):
        value = json.loads(text)
        return isinstance(value, dict) and value.get("format") == FORMULA
    return False


def text_of(certificate: str | os.PathLike[str] | dict[str, Any]) -> tuple[str, int]:
    """Return the text of a certificate, and the size of its file, 0 of what is none; raise Rejected if it has none."""
    try:
        if isinstance(certificate, dict):
            return json.dumps(certificate), 0
        with opened(certificate) as file:
            return text_in(file)
    except InputError as error:
        raise Rejected(2, error.faults[0]) from None
    except (EOFError, zlib.error) as error:
        raise Rejected(2, f"cannot be unpacked: {error}") from None
    except UnicodeDecodeError:
        raise Rejected(2, "cannot be read: expected JSON text, found binary data") from None
    except (TypeError, ValueError, RecursionError) as error:
        raise Rejected(2, f"not a certificate: {error}") from None
