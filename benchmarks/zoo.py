"""What holds, exactly, of the mechanisms that other packages make: python benchmarks/zoo.py.

It prints the epsilon they claim and what holds in its place. Where the claim does not hold, the least change says how
little is missing: the mean total variation of the rows from those of the nearest mechanism for which it does. A package
that is not installed is a row that says so; mechdesign's extra `zoo` brings them all. `--slow` examines the linear
programs too that take more than a few seconds.
"""

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from enum import Enum
from importlib.metadata import version
from typing import Any

from shared import Table, asked
from specimen import FLOORS, Specimen
from specimens import SPECIMENS

from mechdesign.certifier.certify import certify
from mechdesign.certifier.verdict import Verdict
from mechdesign.errors import InputError
from mechdesign.exact.bounds import digits_above
from mechdesign.exact.numbers import parse_entry
from mechdesign.mender.mend import mend
from mechdesign.mender.mended import Mended
from mechdesign.packages import MissingPackageError


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
    """Return what holds of a specimen, exactly."""
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


def cells(finding: Finding) -> tuple[str, ...]:
    """Return a finding as a row of the table."""
    specimen = finding.specimen
    claim = "" if finding.epsilon is None else repr(finding.epsilon).removesuffix(".0")
    package = f"{specimen.package} {finding.version}".rstrip()
    change = "" if finding.mended is None else digits_above(finding.mended.value, 3)
    return package, specimen.mechanism, specimen.parameters, claim, finding.words, change


def main() -> None:
    """Print one row for each specimen."""
    slow = asked(__doc__, slow=False).slow
    shown = Table("package", "mechanism", "parameters", "epsilon claimed", "what holds exactly", "least change")
    for specimen in SPECIMENS:
        if slow or not specimen.slow:
            shown.row(*cells(examine(specimen)))


if __name__ == "__main__":
    main()
