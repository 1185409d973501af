"""What holds, exactly, of the mechanisms that other packages make."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from enum import Enum
from importlib.metadata import version
from typing import Any

from mechdesign.certifier.certify import certify
from mechdesign.certifier.verdict import Verdict
from mechdesign.errors import InputError
from mechdesign.exact.numbers import parse_entry
from mechdesign.mender.mend import mend
from mechdesign.mender.mended import Mended
from mechdesign.zoo.adapters import (
    MissingPackageError,
)
from mechdesign.zoo.specimen import FLOORS, Specimen
from mechdesign.zoo.specimens import SPECIMENS


class Conclusion(Enum):
    """What the certifier concludes of a claim."""

    HOLDS = "holds"
    BY_ROUNDING = "misses by rounding"
    REFUTED = "refuted"
    NO_MECHANISM = "no mechanism"
    MISSING = "not installed"


@dataclass(frozen=True)
class Finding:
    """What holds of a specimen.

    Attributes
    ----------
    specimen
        which.
    version
        of the package; empty if it is missing.
    outcome
        in short.
    words
        in full.
    epsilon
        the claim; None if there is nothing to claim it of.
    verdict
        the certifier's.
    mended
        the nearest mechanism for which the claim holds, where it does not; None elsewhere.
    """

    specimen: Specimen
    version: str
    outcome: Conclusion
    words: str
    epsilon: float | None = None
    verdict: Verdict | None = None
    mended: Mended | None = None


def examine(specimen: Specimen) -> Finding:
    """Return what holds of a specimen, exactly.

    Examples
    --------
    >>> from mechdesign.mechanism.from_matrix import mechanism_from_matrix
    >>> from mechdesign.zoo.specimen import Caught
    >>> coin = mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> examine(Specimen("numpy", "a coin", "", lambda: Caught(coin, 1.0))).words
    'refuted: epsilon = 1.0986122886681098, or delta = 0.0705'
    """
    try:
        caught = specimen.catch()
    except MissingPackageError as error:
        return Finding(specimen, "", Conclusion.MISSING, str(error))
    except InputError as error:
        first, _, _ = error.faults[0].partition(", found")
        more = f"; faults in all: {error.count}" if error.count > 1 else ""
        words = f"{Conclusion.NO_MECHANISM.value}: {first}{more}"
        return Finding(specimen, _version(specimen.package), Conclusion.NO_MECHANISM, words)
    claim = parse_entry(caught.epsilon)  # what a program computes is the double that it is
    whom: dict[str, Any] = {"graph": caught.graph, "all_pairs": caught.graph is None}
    verdict = certify(caught.mechanism, epsilon=claim, **whom)
    outcome = (
        Conclusion.HOLDS if verdict.private else Conclusion.BY_ROUNDING if verdict.by_rounding else Conclusion.REFUTED
    )
    mended = None if verdict.private else mend(caught.mechanism, epsilon=claim, **whom)
    words = in_words(outcome, verdict)
    return Finding(specimen, _version(specimen.package), outcome, words, caught.epsilon, verdict, mended)


def _version(package: str) -> str:
    return str(version(FLOORS[package].partition(">=")[0]))


def in_words(outcome: Conclusion, verdict: Verdict) -> str:
    """Return what holds instead of the claim; epsilon and delta are rounded up, so that they do hold."""
    if outcome is Conclusion.HOLDS:
        return str(outcome.value)
    epsilon, delta = verdict.epsilon[1], _up(verdict.delta[1])
    if math.isinf(epsilon):
        return f"{outcome.value}: infinite epsilon; the claim needs delta = {delta}"
    return f"{outcome.value}: epsilon = {epsilon!r}, or delta = {delta}"


def _up(value: float) -> str:
    """Return three digits that are not below the value."""
    digits = Context(prec=3, rounding=ROUND_CEILING).create_decimal(Decimal(value))
    return f"{digits:.2e}" if digits < Decimal("0.001") else str(digits)


def examined(*, slow: bool = False, progress: Callable[[int, int], None] = lambda done, all_: None) -> list[Finding]:
    """Return what holds of every specimen.

    Parameters
    ----------
    slow
        whether to take those that are slow too.
    progress
        called with how many are done, of how many.
    """
    chosen = [specimen for specimen in SPECIMENS if slow or not specimen.slow]
    findings = []
    for done, specimen in enumerate(chosen, start=1):
        findings.append(examine(specimen))
        progress(done, len(chosen))
    return findings
