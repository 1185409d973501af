"""A refutation: one set of outputs for which a mechanism exceeds what an edge allows."""

from fractions import Fraction

from mechdesign.certificate.checked import Checked
from mechdesign.certifier.certify import ROUNDING
from mechdesign.exact.bounds import digits_below
from mechdesign.exact.exponentials import exp_below
from mechdesign.report.page.subject import Subject
from mechdesign.report.page.written_numbers import at_least, at_most, exceeded, ratio
from mechdesign.show.blocks import Section, Table, Text
from mechdesign.words import first_of


def refuted(proof: Checked, subject: Subject) -> Section:
    """Return what a checked refutation shows."""
    claim, edge = proof.claim, proof.claim.edges[0]
    i, j, epsilon, delta = edge.first, edge.second, claim.epsilons[0], edge.delta.least
    names, outputs = claim.labels(claim.names), [str(subject.mechanism.outputs[y]) for y in proof.refuting]
    released = (proof.released[n] for n in (i, j))
    here, there = (Fraction(sum(weights[y] for y in proof.refuting), total) for weights, total in released)
    allowed = proof.ratio * there + delta
    over = digits_below(here - allowed, 6)
    listed, quoted = first_of(outputs, 40), first_of([f"“{name}”" for name in outputs], 40)
    one, other = "under the profile", "under"
    if subject.values:
        one, other = "where the true value is", "where it is"
    words = (
        f"Not private at epsilon {exceeded(epsilon)}, delta {exceeded(delta)}. A value in {{{quoted}}} is "
        f"released with probability {at_least(here)} (rounded down) {one} “{names[i]}”, but only "
        f"{at_most(there)} (rounded up) {other} “{names[j]}”; at most {at_most(allowed)} (rounded "
        f"up) were allowed. That is too much by at least {over} (rounded down)."
    )
    if here - delta <= exp_below(epsilon + Fraction(ROUNDING)) * there:
        words += f" It misses by rounding only: an epsilon that is larger by {ROUNDING:g} would allow this set."
    rows = [
        ["profile that exceeds", str(names[i]), ""],
        ["against", str(names[j]), ""],
        ["set of outputs", listed, ""],
        ["its probability under the first", at_least(here), "rounded down"],
        ["its probability under the second", at_most(there), "rounded up"],
        ["ratio e^epsilon allowed", ratio(epsilon), "rounded up"],
        ["delta allowed", exceeded(delta), ""],
        ["allowed: e^epsilon times the second, plus delta", at_most(allowed), "rounded up"],
        ["exceeded by at least", over, "rounded down"],
    ]
    meaning = (
        "Private would mean: no released value, or set of them, is more than e^epsilon times as likely under one "
        "profile as under the other, but for delta more. One set that exceeds this is enough to show that it does not "
        "hold. This refutation was checked in exact arithmetic when the report was made."
    )
    table = Table("The set that refutes it", ["what", "is", "how it is rounded"], rows)
    return Section("In short: refuted", [Text(words, "bad"), Text(meaning), table])
