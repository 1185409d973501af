"""What is told of a file that was checked: what it proves, and whether it is what its reader wanted."""

from collections.abc import Iterable, Iterator
from typing import Any

from mechdesign.certificate import formula_checker
from mechdesign.certificate.check import reason_for
from mechdesign.certificate.checked import Checked, Formula
from mechdesign.certificate.checker import Rejected
from mechdesign.certificate.claim import Claim, Kind
from mechdesign.certificate.held import by_release
from mechdesign.certificate.wanted import Wanted
from mechdesign.errors import InputError
from mechdesign.exact.bounds import digits_above, digits_below, printed_above
from mechdesign.exact.text import shown_epsilon
from mechdesign.files.kinds import CERTIFICATE, COMPRESSED, REFUTED, expecting
from mechdesign.files.kinds import FORMULA as PROOF
from mechdesign.graph.uncertainty import is_robust
from mechdesign.mechanism.foreign import reading_of
from mechdesign.show.answer import Answer, Fact, for_programs, sentences
from mechdesign.show.fact_numbers import Down, Exact, Up


def answer_of(proof: Checked, held: Wanted) -> Answer:
    """Return what is told of a file that proves what it states, and is what was wanted."""
    claim, refutes = proof.claim, proof.claim.kind is Kind.REFUTATION
    about = {
        "accepted": not refutes,
        "reason": reason_for(1) if refutes else "confirmed" if held.names() else "accepted",
        "statement": proof.statement,
        "held_against": held.names(),
    }
    proved = _certificate(proof, held) if proof.formula is None else _formula(proof, proof.formula, held)
    found = Answer(
        proof.statement,
        status=int(refutes),
        tone="bad" if refutes else "good",
        facts=[*for_programs(about | _sizes(claim)), *proved, *sentences(*_compared(proof, held))],
    )
    return found if held.mechanism is None else found.then(reading_of(held.mechanism))


def answer_of_rejected(reason: Rejected, path: str) -> Answer:
    """Return why a file is not accepted."""
    word, words = reason_for(reason.status), str(reason)
    facts = for_programs({"accepted": False, "status": reason.status, "reason": word, "statement": words})
    if word == "unreadable":
        return Answer(status=2, facts=facts, error=_unreadable(words, path))
    said = "Not what you wanted" if word == "not wanted" else "Forged: it does not prove what it states"
    return Answer(f"{said}: {words}", status=1, tone="bad", facts=facts)


def _unreadable(words: str, certificate: str) -> str:
    """Return the error about a file that is no certificate; where another kind of file is known, it is named."""
    packed = (COMPRESSED,) if certificate.lower().endswith(".json.gz") else ()
    try:
        with expecting(CERTIFICATE, REFUTED, PROOF, *packed, path=certificate):
            raise InputError(f"unreadable as a certificate: {words}", source=certificate)
    except InputError as error:
        return str(error)


def _compared(proof: Checked, held: Wanted) -> Iterator[str]:
    """Yield who is protected, and what was compared with what was wanted."""
    if (protected := proof.claim.protects()).through:
        yield f"Private on {protected.words()}."
    against, released = held.names(), by_release(proof, held)
    compared = ["graph", "epsilon", "delta", *["mechanism"] * (proof.formula is None), "objective"]
    lacking = [name for name in [*compared, *["mended-from"] * released] if name not in against]
    refutes = proof.claim.kind is Kind.REFUTATION
    if against:
        yield f"{'' if refutes else 'Confirmed. '}As you wanted: {_listed(against)}."
    if refutes and held.graph is not None and is_robust(held.graph):
        yield "That is at the worst distributions within your graph's bounds; of others within them certify tells."
    if lacking:
        yield f"Not compared with yours: {_listed(lacking)}."
    if released:
        yield "Compared by what comes out: each input, or profile, releases exactly what its namesake does."


def _listed(options: Iterable[str]) -> str:
    return ", ".join(option.replace("-", " ") for option in options)


def _certificate(proof: Checked, held: Wanted) -> list[Fact]:
    """Return what a certificate or refutation proves, for programs; its statement says it to people."""
    claim = proof.claim
    limits = [
        Fact("epsilon_least", number=Down(min(claim.epsilons)) if claim.edges else Exact(None)),
        Fact("epsilon_largest", number=_printed(claim.epsilons)),
        Fact("delta_largest", number=_printed(claim.deltas)),
        *for_programs({"by_release": by_release(proof, held)}),
    ]
    if claim.kind is Kind.REFUTATION:
        return limits
    about = {"objective": claim.objective, "keeps_shares": bool(claim.shares)}
    return [*limits, *for_programs(about), *_between(claim.value, claim.bound)]


def _printed(values: Iterable[Any]) -> Up | Exact:
    largest = max(values, default=None)
    return Exact(None) if largest is None else Up(printed_above(largest))


def _between(value: Any, bound: Any) -> list[Fact]:
    return [Fact("value", number=Up(value), exact=True), Fact("bound", number=Down(bound), exact=True)]


def _sizes(claim: Claim) -> dict[str, Any]:
    """Return how many there are of what a proof is about; each edge counts once."""
    protected = claim.protects()
    sizes = {"profiles": len(claim.profiles), "categories": len(claim.categories), "edges": protected.asked}
    return sizes | {"groups": claim.matrices} | protected.summary()


def _formula(proof: Checked, formula: Formula, held: Wanted) -> list[Fact]:
    """Return what the proof of a formula proves; the optimum where an epsilon or delta is wanted, else everywhere."""
    value, bound = formula.optima(held.epsilon, held.delta)
    at = held.epsilon if formula.parameter == "epsilon" else held.delta
    optimum = f"the optimum is {digits_below(bound)} to {digits_above(value)}"
    pieces = [
        {
            "from": formula_checker.end_words(piece.start),
            "to": formula_checker.end_words(piece.end),
            "numerator": piece.numerator,
            "denominator": piece.denominator,
        }
        for piece in formula.pieces
    ]
    about = {"parameter": formula.parameter, "root": formula.root, "pieces": pieces}
    return [
        *sentences(None if at is None else f"at {formula.parameter} {shown_epsilon(at)} {optimum}"),
        *for_programs({"objective": proof.claim.objective} | about),
        *_between(value, bound),
    ]
