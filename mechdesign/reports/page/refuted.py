"""A refutation: one set of outputs for which a mechanism exceeds what a pair of profiles is allowed."""

from fractions import Fraction
from functools import cached_property
from itertools import count

from mechdesign.certificate.checked import Checked
from mechdesign.certifier.certify import ROUNDING
from mechdesign.exact.bounds import digits_above, digits_below
from mechdesign.exact.exponentials import exp_below
from mechdesign.reports.page.subject import Subject
from mechdesign.reports.page.written_numbers import exceeded, ratio, surest
from mechdesign.show.blocks import Table
from mechdesign.show.fact_numbers import Down, Exact, Up
from mechdesign.show.language import Language

NAMED = 40
"""Outputs of the set that are named in the appendix; on the sheet a tenth of them."""


class Refuted:
    """What a checked refutation shows."""

    def __init__(self, proof: Checked, subject: Subject) -> None:
        claim, edge = proof.claim, proof.claim.edges[0]
        names = claim.labels(claim.names)
        self.kind = subject.kind
        self.outputs = [str(subject.mechanism.outputs[y]) for y in proof.refuting]
        self.first, self.second = str(names[edge.first]), str(names[edge.second])
        self.epsilon, self.delta = claim.epsilons[0], edge.delta.least
        released = (proof.released[n] for n in (edge.first, edge.second))
        self.here, self.there = (Fraction(sum(w[y] for y in proof.refuting), total) for w, total in released)
        self.allowed = proof.ratio * self.there + self.delta

    @cached_property
    def digits(self) -> int:
        """Digits of a percentage that show that it is too much."""
        here, allowed = 100 * self.here, 100 * self.allowed
        return next(n for n in count(4) if Fraction(digits_below(here, n)) > Fraction(digits_above(allowed, n)))

    def at_least(self, share: Fraction) -> Exact:
        """Return a share in per cent, rounded down."""
        return Exact(share, digits_below(100 * share, self.digits))

    def at_most(self, share: Fraction) -> Exact:
        """Return a share in per cent, rounded up."""
        return Exact(share, digits_above(100 * share, self.digits))

    @property
    def by_rounding(self) -> bool:
        """Whether a slightly larger epsilon would allow this set."""
        return self.here - self.delta <= exp_below(self.epsilon + Fraction(ROUNDING)) * self.there

    def words(self, say: Language) -> str:
        """Return it in two sentences."""
        found = say.count(
            f"refuted.found.{self.kind}",
            len(self.outputs),
            outputs=say.few([say("word.quoted", name=name) for name in self.outputs], NAMED // 10),
            first=self.first,
            second=self.second,
            here=self.at_least(self.here),
            there=self.at_most(self.there),
            allowed=self.at_most(self.allowed),
        )
        return f"{found} {say('refuted.rounding', more=Exact(ROUNDING))}" if self.by_rounding else found

    def pair(self, say: Language) -> str:
        """Return which pair it is."""
        return say("refuted.pair", first=self.first, second=self.second)

    def meaning(self, say: Language) -> str:
        """Return what it means for one person."""
        sure = self.at_least(self.here / (self.here + self.there))
        words = say(f"refuted.sure.{self.kind}", first=self.first, second=self.second, sure=sure)
        limit = "" if self.delta else say("refuted.limit", sure=surest(self.epsilon))
        return f"{words} {limit} {say('refuted.enough')}".replace("  ", " ")

    def table(self, say: Language) -> Table:
        """Return it for reviewers."""
        rows: list[list[object]] = [
            [say("refuted.first"), self.first],
            [say("refuted.second"), self.second],
            [say("refuted.set"), say.few(self.outputs, NAMED)],
            [say("refuted.here"), Down(self.here)],
            [say("refuted.there"), Up(self.there)],
            [say("refuted.epsilon"), Exact(self.epsilon, exceeded(self.epsilon))],
            [say("refuted.ratio"), ratio(self.epsilon)],
            [say("refuted.delta"), Exact(self.delta, exceeded(self.delta))],
            [say("refuted.allowed"), Up(self.allowed)],
            [say("refuted.over"), Down(self.here - self.allowed)],
        ]
        return Table(say("refuted.caption"), [say("table.what"), say("table.is")], rows)
