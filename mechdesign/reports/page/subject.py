"""What a report is about: a mechanism, which of its rows the files tell, and what is proved of it, if anything."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.certificate.checked import Checked
from mechdesign.certificate.claim import Kind
from mechdesign.certificate.rows import only_releases_alike
from mechdesign.certifier.applied import applied_to
from mechdesign.certifier.ranges import Bounds
from mechdesign.certifier.tight import Edge, furthest, tight_epsilons
from mechdesign.designer.edge_prices import Price, edge_prices
from mechdesign.errors import InputError
from mechdesign.graph.labels import Label
from mechdesign.graph.properties import without_own
from mechdesign.mechanism.given import asked_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Asked, Protected
from mechdesign.privacy.requirement import requirements

MOST_MEASURED = 200_000
"""Entries of all directed edges up to which each edge is measured: some seconds."""
MOST_WITHIN = 4_000
"""The same where profiles are known only within bounds, which takes far longer."""
PAIRS = 3
"""Pairs that are named."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A mechanism with what is known of it.

    Attributes
    ----------
    known
        for each profile and category, whether the row that reports it is known.
    proved
        None of a mechanism without a certificate.
    given
        the mechanism in the file that was given, where that is another one: a mended one, whose inputs release what the
        certificate's profiles release through `mechanism`; or a refuted one, of which `mechanism` is two profiles.
    refuted
        whether this is what a refutation is about.
    all_pairs
        whether every pair is asked about where nothing is proved, whatever edges the mechanism has.
    told
        the graph as its file, or else the mechanism's, tells it: with distances and positions, which no proof needs.
    """

    mechanism: Mechanism
    known: npt.NDArray[np.bool_]
    proved: Checked | None = None
    given: Mechanism | None = None
    refuted: bool = False
    all_pairs: bool = False
    told: nx.Graph | None = None

    @property
    def asked(self) -> Asked:
        """Which pairs of profiles are asked about: those of the certificate, or else the mechanism's own."""
        return (
            Asked(self.proved.graph) if self.proved is not None else asked_of(self.mechanism, all_pairs=self.all_pairs)
        )

    @property
    def protected(self) -> Protected:
        """Who is protected from whom: at which epsilon only where that is proved."""
        return self.asked.protected(Fraction(0) if self.proved is not None else math.inf, Fraction(0))

    @property
    def graph(self) -> nx.Graph | None:
        """The graph with the edges that are protected; None where it is not known."""
        return None if self.proved is None else self.proved.graph

    @property
    def inputs_alone(self) -> bool:
        """Whether each profile is a value of its own: then its row is what it releases."""
        return _inputs_alone(self.mechanism)

    @property
    def whole(self) -> Mechanism:
        """The mechanism with the matrices that people use: that of the file, if it is another one."""
        return self.mechanism if self.given is None else self.given

    @property
    def values(self) -> bool:
        """Whether what is protected is the value that goes in: each profile is one of these."""
        return _inputs_alone(self.whole) and (self.inputs_alone or not self.refuted)

    @property
    def kind(self) -> str:
        """What is protected: values, or numbers from the next alone, or the groups that people belong to."""
        return ("steps" if self.steps else "values") if self.values else "groups"

    @cached_property
    def steps(self) -> bool:
        """Whether values are three integers or more, each protected from the next alone, as in a count of people."""
        numbers = self.mechanism.profiles
        if self.refuted or not all(type(number) is int for number in numbers) or self.asked.edges != len(numbers) - 1:
            return False
        return len(numbers) > 2 and all(abs(a - b) == 1 for a, b in self.asked.graph().edges)

    @property
    def mended(self) -> bool:
        """Whether the certificate says how far the file's rows are from others, as it does of what was mended."""
        return self.given is not None and not self.refuted

    @property
    def every_pair_of_values(self) -> bool:
        """Whether it is about values alone, each from each: `mechdesign certify` then needs no graph."""
        k = len(self.mechanism.profiles)
        return self.values and (self.refuted or (self.graph or nx.Graph()).number_of_edges() == k * (k - 1) // 2)

    def measurable(self, asked: Asked) -> bool:
        """Return whether there are few enough pairs and outputs to measure each."""
        entries = 2 * asked.edges * len(self.mechanism.outputs)
        return 0 < entries <= (MOST_WITHIN if self.asked.robust else MOST_MEASURED)

    @cached_property
    def observed(self) -> nx.Graph | None:
        """The graph of a sample that is looked at as it is: known within bounds, and nothing changes it; else None."""
        mechanism, graph = self.mechanism, self.mechanism.graph if self.told is None else self.told
        rows = {(int(row), x) for own in mechanism.index for x, row in enumerate(own)}
        designed = self.proved is not None and not self.proved.claim.is_of_privacy_alone
        if designed or not all("lower" in node for node in graph.nodes.values()) or not self.known.all():
            return None
        weights = ((mechanism.rows.exact(row), x) for row, x in rows)
        as_it_is = mechanism.outputs == mechanism.categories and all(own[x] == own.sum() for own, x in weights)
        return graph if as_it_is else None

    @cached_property
    def needs(self) -> Mapping[Edge, Bounds]:
        """Around the epsilon that each edge needs, each way; nothing where there are too many.

        It is at the edge's own delta where that is proved, else at 0.
        """
        asked = replace(self.asked, profiles=without_own(self.asked.profiles)) if self.proved is None else self.asked
        return tight_epsilons(self.mechanism, asked) if self.measurable(asked) else {}

    @property
    def others(self) -> Asked:
        """All pairs that are not asked about."""
        found = nx.create_empty_copy(self.asked.profiles)
        found.add_edges_from(nx.complement(self.asked.graph()).edges)
        return Asked(found)

    @cached_property
    def worst_others(self) -> list[tuple[Edge, float]]:
        """Those of them that need most."""
        return self.worst(self.others)

    def worst(self, pairs: Asked) -> list[tuple[Edge, float]]:
        """Return those pairs that need most at a delta of 0, with what each needs; none where there are too many."""
        return (
            furthest(self.mechanism, replace(pairs, profiles=without_own(pairs.profiles)), PAIRS)
            if self.measurable(pairs)
            else []
        )

    @property
    def judged(self) -> "Subject | None":
        """What can be said of all profiles, without a graph: of what is refuted only if these are values."""
        if not self.refuted:
            return self
        if self.given is None or not self.values:
            return None
        return of_mechanism(self.given, all_pairs=self.all_pairs)

    @cached_property
    def edge_prices(self) -> Sequence[Price]:
        """What each edge costs, from the proof; nothing where it proves no optimum."""
        if self.proved is None or self.proved.claim.is_of_privacy_alone or not self.proved.claim.edges:
            return []
        graph = self.proved.graph
        required = requirements(graph, Fraction(0), Fraction(0))
        try:
            return edge_prices(self.mechanism, graph, required, self.proved.multipliers)
        except InputError:  # too long numbers within bounds
            return []

    @cached_property
    def prices(self) -> Mapping[frozenset[Label], Fraction]:
        """The same by edge, of epsilon."""
        return {frozenset(price.edge): price.epsilon for price in self.edge_prices}

    def row(self, profile: int, category: int) -> Sequence[Fraction] | None:
        """Return how a profile reports a category; None where that is not known."""
        if not self.known[profile, category]:
            return None
        weights = self.mechanism.rows.exact(self.mechanism.index[profile, category])
        total = int(weights.sum())
        return [Fraction(int(weight), total) for weight in weights]


def of_mechanism(mechanism: Mechanism, *, all_pairs: bool = False) -> Subject:
    """Return a mechanism of which nothing is proved."""
    return Subject(mechanism, np.ones(mechanism.index.shape, dtype=np.bool_), all_pairs=all_pairs)


def of_certificate(proof: Checked, mechanism: Mechanism | None = None) -> Subject:
    """Return what a checked certificate or refutation tells; of a mechanism held against it, all rows."""
    found, known = proof.mechanism(proof.graph)
    refuted = proof.claim.kind is Kind.REFUTATION
    proved = None if refuted else proof
    if mechanism is None:
        return Subject(found, known, proved, refuted=refuted)
    if only_releases_alike(proof, mechanism):
        return Subject(found, known, proved, mechanism)
    found, known = applied_to(mechanism, proof.graph), np.ones_like(known)
    others = refuted and mechanism.profiles != found.profiles
    return Subject(found, known, proved, mechanism if others else None, refuted)


def _inputs_alone(mechanism: Mechanism) -> bool:
    nodes = mechanism.graph.nodes.values()
    return all(sum(1 for mass in node["distribution"] if mass) == 1 for node in nodes)
