"""What `mechdesign check` says of a file that proves what it states: as text, and as a JSON object."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from mechdesign.certificate import formula_checker
from mechdesign.certificate.check import reason_for
from mechdesign.certificate.claim import Claim, Kind
from mechdesign.certificate.held import by_release
from mechdesign.certificate.optimum import Formula
from mechdesign.certificate.reading import Checked
from mechdesign.certificate.wanted import Wanted
from mechdesign.cli.foreign_text import divided_words, foreign_summary
from mechdesign.exact.bounds import digits_above, digits_below, float_above, float_below, printed_above
from mechdesign.exact.text import shown_epsilon


def summary(proof: Checked, held: Wanted) -> dict[str, Any]:
    """Return the JSON object of a file that proves what it states, and what was wanted."""
    against, refutes = held.names(), proof.claim.kind is Kind.REFUTATION
    reason = reason_for(1) if refutes else ("confirmed" if against else "accepted")
    result = {"accepted": not refutes, "reason": reason} | _sizes(proof.claim)
    if proof.formula is not None:
        return result | _formula_summary(proof, proof.formula, held) | {"held_against": against}
    result |= _certificate_summary(proof) | {"held_against": against, "by_release": by_release(proof, held)}
    if held.mechanism is not None:
        result["normalised"] = foreign_summary(held.mechanism)["normalised"]
    return result


def words(proof: Checked, held: Wanted) -> Iterator[str]:
    """Yield the lines about a file that proves what it states, and what was wanted and compared."""
    yield proof.statement if proof.formula is None else _formula_words(proof.statement, proof.formula, held)
    if (protected := proof.claim.protects()).through:
        yield f"Private on {protected.words()}."
    against, compared = held.names(), ["graph", "epsilon", "delta", "mechanism", "objective"]
    if proof.formula is not None:
        compared.remove("mechanism")
    if released := by_release(proof, held):
        compared.append("mended-from")
    lacking = [name for name in compared if name not in against]
    if against:
        confirmed = "" if proof.claim.kind is Kind.REFUTATION else "Confirmed. "
        yield f"{confirmed}As you wanted: {_listed(against)}."
    if lacking:
        yield f"Not compared with yours: {_listed(lacking)}."
    if released:
        yield "Compared by what comes out: each input, or profile, releases exactly what its namesake does."
    if held.mechanism is not None and (divided := divided_words(held.mechanism)) is not None:
        yield f"Compared with your matrix as it was normalised, not as it is: {divided}."


def _listed(options: Sequence[str]) -> str:
    return ", ".join(option.replace("-", " ") for option in options)


def _certificate_summary(proof: Checked) -> dict[str, Any]:
    """Return the JSON object of what a certificate or refutation proves; numbers rounded outward."""
    claim = proof.claim
    result = {
        "epsilon_least": float_below(min(claim.epsilons)) if claim.edges else None,
        "epsilon_largest": printed_above(max(claim.epsilons)) if claim.edges else None,
        "delta_largest": printed_above(max(claim.deltas)) if claim.edges else None,
        "statement": proof.statement,
    }
    if claim.kind is Kind.REFUTATION:
        return result
    return result | {"objective": claim.objective} | _between(claim.value, claim.bound)


def _between(value: Fraction, bound: Fraction) -> dict[str, Any]:
    exact = {"value_exact": str(value), "bound_exact": str(bound)}
    return {"value": float_above(value), "bound": float_below(bound)} | exact


def _sizes(claim: Claim) -> dict[str, Any]:
    """Return how many there are of what a proof is about; each edge counts once."""
    protected = claim.protects()
    sizes = {"profiles": len(claim.profiles), "categories": len(claim.categories), "edges": protected.asked}
    return sizes | {"groups": claim.matrices} | protected.summary()


def _formula_words(statement: str, formula: Formula, held: Wanted) -> str:
    """Return what the proof of a formula proves; and the optimum where it is wanted."""
    at = held.epsilon if formula.parameter == "epsilon" else held.delta
    if at is None:
        return statement
    value, bound = formula.optima(held.epsilon, held.delta)
    between = f"{digits_below(bound)} to {digits_above(value)}"
    return f"{statement}\nat {formula.parameter} {shown_epsilon(at)} the optimum is {between}"


def _formula_summary(proof: Checked, formula: Formula, held: Wanted) -> dict[str, Any]:
    """Return the JSON object of what the proof of a formula proves; where an epsilon or delta is wanted, at that."""
    return {
        "objective": proof.claim.objective,
        "parameter": formula.parameter,
        "root": formula.root,
        "pieces": [
            {
                "from": formula_checker.end_words(piece.start),
                "to": formula_checker.end_words(piece.end),
                "numerator": piece.numerator,
                "denominator": piece.denominator,
            }
            for piece in formula.pieces
        ],
        **_between(*formula.optima(held.epsilon, held.delta)),
        "statement": proof.statement,
    }
