"""What `mechdesign check` says of a file that proves what it states: as text, and as a JSON object."""

from collections.abc import Iterator, Sequence
from typing import Any

from mechdesign.certificate import formula_checker
from mechdesign.certificate.check import reason_for
from mechdesign.certificate.checker import REFUTATION, statement
from mechdesign.certificate.formula_checker import FORMULA
from mechdesign.certificate.held import by_release
from mechdesign.certificate.held_formula import optima
from mechdesign.certificate.protects import protects
from mechdesign.certificate.wanted import Wanted
from mechdesign.cli.foreign_text import divided_words, foreign_summary
from mechdesign.exact.bounds import digits_above, digits_below, float_above, float_below, printed_above
from mechdesign.exact.text import shown_epsilon


def summary(c: Any, held: Wanted) -> dict[str, Any]:
    """Return the JSON object of a file that proves what it states, and what was wanted."""
    against = held.names()
    reason = "confirmed" if against else "accepted"
    result = {"accepted": c.format != REFUTATION, "reason": reason_for(1) if c.format == REFUTATION else reason}
    if c.format == FORMULA:
        return result | _formula_summary(c, held) | {"held_against": against}
    result |= _certificate_summary(c) | {"held_against": against, "by_release": by_release(c, held)}
    if held.mechanism is not None:
        result["normalised"] = foreign_summary(held.mechanism)["normalised"]
    return result


def words(c: Any, held: Wanted) -> Iterator[str]:
    """Yield the lines about a file that proves what it states, and what was wanted and compared."""
    yield _formula_words(c, held) if c.format == FORMULA else statement(c)
    if (protected := protects(c)).through:
        yield f"Private on {protected.words()}."
    against, compared = held.names(), ["graph", "epsilon", "delta", "mechanism", "objective"]
    if c.format == FORMULA:
        compared.remove("mechanism")
    if released := by_release(c, held):
        compared.append("mended-from")
    lacking = [name for name in compared if name not in against]
    if against:
        confirmed = "" if c.format == REFUTATION else "Confirmed. "
        yield f"{confirmed}As you wanted: {_listed(against)}."
    if lacking:
        yield f"Not compared with yours: {_listed(lacking)}."
    if released:
        yield "Compared by what comes out: each input, or profile, releases exactly what its namesake does."
    if held.mechanism is not None and (divided := divided_words(held.mechanism)) is not None:
        yield f"Compared with your matrix as it was normalised, not as it is: {divided}."


def _listed(options: Sequence[str]) -> str:
    return ", ".join(option.replace("-", " ") for option in options)


def _certificate_summary(c: Any) -> dict[str, Any]:
    """Return the JSON object of what the fields of a certificate or refutation prove; numbers rounded outward."""
    result = {
        **_sizes(c),
        "epsilon_least": float_below(min(c.epsilons)) if c.edges else None,
        "epsilon_largest": printed_above(max(c.epsilons)) if c.edges else None,
        "delta_largest": printed_above(max(c.deltas)) if c.edges else None,
        "statement": statement(c),
    }
    if c.format == REFUTATION:
        return result
    exact = {"value_exact": str(c.value), "bound_exact": str(c.bound)}
    return result | {"objective": c.objective, "value": float_above(c.value), "bound": float_below(c.bound)} | exact


def _sizes(c: Any) -> dict[str, Any]:
    """Return how many there are of what a certificate or the proof of a formula is about; each edge counts once."""
    protected = protects(c)
    sizes = {"profiles": len(c.profiles), "categories": len(c.categories), "edges": protected.asked}
    return sizes | {"groups": len(set(c.groups))} | protected.summary()


def _formula_words(c: Any, held: Wanted) -> str:
    """Return what the proof of a formula proves; and the optimum where it is wanted."""
    words = formula_checker.statement(c)
    at = held.epsilon if c.parameter == "epsilon" else held.delta
    if at is None:
        return words
    value, bound = optima(c, epsilon=held.epsilon, delta=held.delta)
    between = f"{digits_below(bound)} to {digits_above(value)}"
    return f"{words}\nat {c.parameter} {shown_epsilon(at)} the optimum is {between}"


def _formula_summary(c: Any, held: Wanted) -> dict[str, Any]:
    """Return the JSON object of what the proof of a formula proves; where an epsilon or delta is wanted, at that."""
    value, bound = optima(c, epsilon=held.epsilon, delta=held.delta)
    return {
        **_sizes(c),
        "objective": c.objective,
        "parameter": c.parameter,
        "root": c.root,
        "pieces": [
            {
                "from": formula_checker.end_words(piece.start),
                "to": formula_checker.end_words(piece.end),
                "numerator": piece.numerator,
                "denominator": piece.denominator,
            }
            for piece in c.pieces
        ],
        "value": float_above(value),
        "bound": float_below(bound),
        "value_exact": str(value),
        "bound_exact": str(bound),
        "statement": formula_checker.statement(c),
    }
