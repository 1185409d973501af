"""What a refuted limit needs at the least, whatever the distributions within the bounds of profiles are."""

import math
from dataclasses import dataclass
from fractions import Fraction

import networkx as nx

from mechdesign.certifier.applied import ranges_under
from mechdesign.exact.bounds import digits_above, digits_below
from mechdesign.exact.exponentials import log_bounds
from mechdesign.exact.text import format_number
from mechdesign.graph.from_table.confidence import level_in
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Asked
from mechdesign.reports.page.subject import MOST_MEASURED, Subject
from mechdesign.reports.page.written_numbers import limit
from mechdesign.show.blocks import Table
from mechdesign.show.fact_numbers import Down, Exact, Up
from mechdesign.show.language import Language

PLACES, NAMED = 6, 4


@dataclass(frozen=True)
class Mildest:
    """Of the pair that needs most at each of the distributions: a set of outputs, and what it needs.

    Attributes
    ----------
    here, there
        the least probability of the set under the first, the largest under the second.
    epsilon
        a lower bound of what each of the distributions needs, at this delta.
    refuted
        whether that is more than is asked for, exactly.
    """

    first: str
    second: str
    outputs: list[str]
    here: Fraction
    there: Fraction
    epsilon: float
    delta: Fraction
    refuted: bool

    def words(self, say: Language) -> str:
        """Return it in two sentences; nothing where epsilon 0 may be enough."""
        if not self.outputs:
            return ""
        found = say.count(
            "refuted.mildest",
            len(self.outputs),
            outputs=say.few([say("word.quoted", name=name) for name in self.outputs], NAMED),
            first=self.first,
            second=self.second,
            here=Exact(self.here, digits_below(100 * self.here, 4)),
            there=Exact(self.there, digits_above(100 * self.there, 4)),
        )
        if math.isinf(self.epsilon):
            return f"{found} {say('refuted.never', delta=limit(self.delta))}"
        return f"{found} {say('refuted.needs', epsilon=self._needed, delta=limit(self.delta))}"

    @property
    def _needed(self) -> Down:
        return Down(self.epsilon if math.isinf(self.epsilon) else Fraction(self.epsilon), PLACES)

    def table(self, say: Language) -> Table:
        """Return it for reviewers."""
        rows: list[list[object]] = [
            [say("refuted.first"), self.first],
            [say("refuted.second"), self.second],
            [say("refuted.set"), say.few(self.outputs, 10 * NAMED)],
            [say("refuted.least"), Down(self.here)],
            [say("refuted.most"), Up(self.there)],
            [say("refuted.delta"), limit(self.delta)],
            [say("refuted.needed"), self._needed],
        ]
        return Table(say("refuted.mild"), [say("table.what"), say("table.is")], rows)


def mildest(subject: Subject, edge: nx.Graph, epsilon: Fraction, delta: Fraction) -> Mildest:
    """Return it of all pairs of the graph, where the files tell the rows of all; else of the edge."""
    mechanism, graph = _judged(subject, edge)
    asked = Asked(graph)
    names, ranges = ranges_under(mechanism, asked)
    mild = ranges.at_each_distribution()
    deciding = mild.deciding(asked.requirements(epsilon, delta))
    place = max((mild.place(one, i, j, False) for i, j, one in deciding), key=lambda one: (one.refuted, one.excess))
    needed, ends = place.needed, (mild.most[place.i].fractions(), mild.least[place.j].fractions())
    here, there = (sum((masses[y] for y in needed.outputs), Fraction(0)) for masses in ends)
    return Mildest(
        first=str(names[place.i]),
        second=str(names[place.j]),
        outputs=[str(mechanism.outputs[y]) for y in needed.outputs],
        here=here,
        there=there,
        epsilon=math.inf if needed.ratio is None else log_bounds(needed.ratio)[0],
        delta=delta,
        refuted=place.refuted,
    )


def _judged(subject: Subject, edge: nx.Graph) -> tuple[Mechanism, nx.Graph]:
    """Return all pairs that are asked about as the refuted one is, with the mechanism; or that one alone."""
    told, whole = subject.told, subject.given
    if told is None or whole is None or not told.has_edge(*edge.nodes):
        return subject.mechanism, edge
    served = whole.one_matrix or set(told) <= set(whole.profiles)
    alike = not any(told.edges.values()) and served and tuple(told.graph["categories"]) == whole.categories
    few = 2 * told.number_of_edges() * len(whole.outputs) <= MOST_MEASURED
    return (whole, told) if alike and few else (subject.mechanism, edge)


def level_of(subject: Subject, say: Language) -> list[str]:
    """Return how likely it is that the true frequencies lie within their ranges, if the graph's file tells."""
    level = None if subject.told is None else level_in(subject.told)
    return [] if level is None else [say("caveat.level", level=Exact(100 * level, format_number(100 * level)))]
