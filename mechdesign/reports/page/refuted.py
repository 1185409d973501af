"""A refutation: one set of outputs for which a mechanism exceeds what a pair of profiles is allowed."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import count

import networkx as nx

from mechdesign.certificate.checked import Checked
from mechdesign.certifier.certify import ROUNDING
from mechdesign.exact.bounds import digits_above, digits_below
from mechdesign.exact.exponentials import exp_below
from mechdesign.graph.labels import Label
from mechdesign.graph.uncertainty import is_robust, uncertainty_of
from mechdesign.reports.page.mildest import Mildest, level_of, mildest
from mechdesign.reports.page.subject import Subject
from mechdesign.reports.page.written_numbers import exceeded, limit, ratio
from mechdesign.show.blocks import Section, Table
from mechdesign.show.fact_numbers import Down, Exact, Up
from mechdesign.show.language import Language

NAMED = 40
"""Outputs of the set that are named in the appendix; on the sheet a tenth of them."""


class Refuted:
    """What a checked refutation shows."""

    def __init__(self, proof: Checked, subject: Subject) -> None:
        claim, edge = proof.claim, proof.claim.edges[0]
        names = claim.labels(claim.names)
        self.kind, self._subject = subject.kind, subject
        ends = ((names[n], claim.profiles[n].distribution) for n in (edge.first, edge.second))
        told = subject.told
        same = told is not None and tuple(told.graph["categories"]) == tuple(claim.labels(claim.categories))
        self._edge = _edge_of(told, *ends) if told is not None and same else None
        self.outputs = [str(subject.mechanism.outputs[y]) for y in proof.refuting]
        self.first, self.second = str(names[edge.first]), str(names[edge.second])
        self.epsilon, self.delta = claim.epsilons[0], edge.delta.least
        released = (proof.released[n] for n in (edge.first, edge.second))
        self.here, self.there = (Fraction(sum(w[y] for y in proof.refuting), total) for w, total in released)
        self.ratio, self.allowed = proof.ratio, proof.ratio * self.there + self.delta

    @cached_property
    def digits(self) -> int:
        """Digits of a percentage that show that it is too much."""
        return _telling(self.here, self.allowed)

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

    @cached_property
    def mildest(self) -> Mildest | None:
        """What all frequencies within the graph's ranges need; None where there are no ranges."""
        if self._edge is None or not is_robust(self._edge):
            return None
        return mildest(self._subject, self._edge, self.epsilon, self.delta)

    @property
    def within(self) -> str:
        """Whether it fails at "each" of the frequencies within the graph's ranges or at the "worst"; else empty."""
        return "" if self.mildest is None else "each" if self.mildest.refuted else "worst"

    def words(self, say: Language) -> str:
        """Return it in a few sentences."""
        if self.mildest is not None and self.mildest.refuted:
            return " ".join([say("refuted.each"), self.mildest.words(say), *level_of(self._subject, say)])
        found = say.count(
            f"refuted.found.{self.within or self.kind}",
            len(self.outputs),
            outputs=say.few([say("word.quoted", name=name) for name in self.outputs], NAMED // 10),
            first=self.first,
            second=self.second,
            here=self.at_least(self.here),
            there=self.at_most(self.there),
            allowed=self.at_most(self.allowed),
        )
        more = [say("refuted.rounding", more=Exact(ROUNDING))] if self.by_rounding else []
        if self.kind != "values" and self._edge is None:
            more.append(say("refuted.own_frequencies"))
        return " ".join([found, *more])

    def pair(self, say: Language) -> str:
        """Return which pair it is."""
        one = self.mildest or self
        return say("refuted.pair", first=one.first, second=one.second)

    def meaning(self, say: Language) -> str:
        """Return what it means for one person."""
        sure, asked = self.here / (self.here + self.there), self.ratio / (1 + self.ratio)
        digits = self.digits if self.delta else _telling(sure, asked)
        share = Exact(sure, digits_below(100 * sure, digits))
        key = "refuted.sure.within" if self.within else f"refuted.sure.{self.kind}"
        words = [say(key, first=self.first, second=self.second, sure=share)]
        if not self.delta:
            words.append(say("refuted.limit", sure=Exact(asked, digits_above(100 * asked, digits))))
        words.append(say("refuted.terms", epsilon=limit(self.epsilon), delta=limit(self.delta)))
        if self.mildest is not None and not self.mildest.refuted:
            words += [say("refuted.others.worst"), self.mildest.words(say)]
        else:
            words.append(say("refuted.others.each" if self.within else "refuted.enough"))
        return " ".join(words).rstrip()

    def section(self, say: Language) -> Section:
        """Return it for reviewers, with what is needed elsewhere."""
        title = "worst" if self.within == "worst" else "title"
        mild = [self.mildest.table(say)] if self.mildest is not None and self.mildest.outputs else []
        return Section(say(f"refuted.{title}"), [self._table(say), *mild])

    def _table(self, say: Language) -> Table:
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
        caption = say("refuted.worst" if self.within else "refuted.caption")
        return Table(caption, [say("table.what"), say("table.is")], rows)


def _telling(more: Fraction, less: Fraction) -> int:
    """Return with how many digits, four at least, one share in per cent is seen to be larger than another."""
    found = (n for n in count(4) if Fraction(digits_below(100 * more, n)) > Fraction(digits_above(100 * less, n)))
    return next(found)


def _edge_of(graph: nx.Graph, *ends: tuple[Label, Sequence[Fraction]]) -> nx.Graph | None:
    """Return the two profiles of a graph with an edge; None where it has not both with these distributions within."""
    names = [name for name, _ in ends]
    if not all(map(graph.has_node, names)) or not all(
        uncertainty_of(graph.nodes[name]).holds(masses) for name, masses in ends
    ):
        return None
    found = nx.create_empty_copy(graph.subgraph(names))
    found.add_edge(*names)
    return found
