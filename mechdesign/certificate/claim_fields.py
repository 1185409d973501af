"""A claim as JSON: what certificates, refutations and proofs of formulas have in common, and what they have not."""

import json
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from mechdesign.certificate.claim import Claim, Profile, Strength
from mechdesign.certificate.within import unit_of
from mechdesign.errors import InputError
from mechdesign.exact.numbers import over_common
from mechdesign.exact.text import format_number

DIGITS = 999
"""The checkers read no more in a row: so their work is bounded by the size of the file."""

BITS = (64, 256, 280)
"""Of the rationals around e^epsilon, until they show what is to be shown; the checker reads no more than 320."""


def head_of(claim: Claim, form: str) -> dict[str, Any]:
    """Return the fields that say of whom something is claimed; epsilons stand in the order of `strengths_of`."""
    kinds = {"categories": claim.categories, "outputs": claim.outputs, "profiles": claim.names}
    strengths = {strength: n for n, strength in enumerate(strengths_of(claim))}
    deltas = {delta: n for n, delta in enumerate(dict.fromkeys(edge.delta for edge in claim.edges))}
    slopes = {"slopes": [format_number(one.slope) for one in deltas]} if claim.parameter == "delta" else {}
    return {
        "format": form,
        "labels": {kind: list(map(json.loads, names)) for kind, names in kinds.items()},
        "profiles": list(map(_profile, claim.profiles)),
        "edges": [[*edge.pair, strengths[edge.epsilon], deltas[edge.delta]] for edge in claim.in_order()],
        "deltas": [format_number(one.least) for one in deltas],
        **slopes,
    }


def strengths_of(claim: Claim) -> list[Strength]:
    """Return each epsilon of a claim once."""
    return list(dict.fromkeys(edge.epsilon for edge in claim.edges))


def aim_of(claim: Claim, weights: Sequence[Fraction] | None) -> dict[str, Any]:
    """Return the fields that say what is least; weights, of a worst loss, may be others than those of the claim."""
    _, unit = over_common([loss for row in claim.losses for loss in row])
    weights = [one.weight or Fraction(0) for one in claim.profiles] if weights is None else weights
    return {
        "objective": claim.objective,
        "loss": [[int(loss * unit) for loss in row] for row in claim.losses],
        "loss_unit": unit,
        "weights": over_common(weights)[0],
    }


def epsilons_of(claim: Claim, bits: int = BITS[0]) -> dict[str, Any]:
    """Return the fields of epsilons; the checker computes numbers around e^epsilon that have so many bits."""
    return {"bits": bits, "epsilons": list(map(format_number, dict.fromkeys(claim.epsilons)))}


def _profile(one: Profile) -> dict[str, Any]:
    """Return the fields of a profile; bounds are over the total of its masses."""
    if one.limits is None:
        return {"group": one.group, "masses": over_common(one.distribution)[0]}
    lower, upper, radius = one.limits
    unit = unit_of(one.limits, one.distribution)
    masses, low, high = ([int(mass * unit) for mass in side] for side in (one.distribution, lower, upper))
    bounds = {"lower": low, "upper": high, "radius": int(radius * unit)}
    return {"group": one.group, "masses": masses, "bounds": bounds}


def raise_if_long(document: dict[str, Any], kind: str) -> None:
    """Raise an InputError if the checker would not read a document because of too many digits in a row."""
    if long := [key for key, value in document.items() if is_long(value)]:
        raise InputError(
            f"no {kind}: its {', '.join(long)} would need more than {DIGITS} digits in a row; give probabilities, "
            "weights and losses with fewer different denominators, and losses in a larger unit"
        )


def is_long(value: Any) -> bool:
    """Tell whether there are more digits in a row than the checkers read."""
    try:
        text = json.dumps(value)
    except ValueError:  # more digits than Python writes
        return True
    return re.search(f"(?<![0-9])[0-9]{{{DIGITS + 1}}}", text) is not None
