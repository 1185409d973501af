"""How sure somebody can become at most: as was asked for, as the method keeps it, and with what noised counts tell."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import networkx as nx

from mechdesign.certificate.checked import Checked
from mechdesign.certificate.claim import Claim
from mechdesign.exact.bounds import at_most_kept
from mechdesign.exact.numbers import Epsilon
from mechdesign.graph.from_table.confidence import grown, noise_in
from mechdesign.privacy.asked import Asked, Protected
from mechdesign.privacy.by_distance import kept_by_distance, largest_rate
from mechdesign.reports.page.page_inputs import Given
from mechdesign.reports.page.subject import Subject
from mechdesign.reports.page.written_numbers import limit, needed, ratio, surest
from mechdesign.show.fact_numbers import Exact, Up
from mechdesign.show.language import Language


@dataclass(frozen=True)
class ByDistance:
    """Epsilon per unit of distance, at most; and of the nearest and of the farthest pair, distance and epsilon."""

    rate: Fraction
    nearest: tuple[Fraction, Fraction]
    farthest: tuple[Fraction, Fraction]
    unit: str | None

    @classmethod
    def of(cls, subject: Subject) -> "ByDistance | None":
        """Return what is proved by distance; None where distances are not known or alike, or there is a delta.

        The proof has an epsilon for each edge, the mechanism's or the graph's file the distance.
        """
        proved, own = subject.proved, subject.told
        if proved is None or not proved.claim.edges or proved.claim.delta or own is None or not subject.values:
            return None
        pairs = kept_by_distance(proved.graph, own)
        if pairs is None:
            return None
        unit = own.graph.get("unit", subject.mechanism.notes.get("unit"))
        return cls(largest_rate(pairs), min(pairs), max(pairs), unit if isinstance(unit, str) else None)

    def promise(self, key: str, say: Language, *, releases: int = 1) -> str:
        """Return a sentence with the factor for a unit of distance, after so many releases."""
        rate = releases * self.rate
        return say(key, unit=self.unit or say("word.unit"), factor=ratio(rate), epsilon=limit(rate))

    def meaning(self, say: Language) -> str:
        """Return what that is for the nearest two and for the farthest two."""
        ends: dict[str, object] = {}
        for name, (far, epsilon) in (("near", self.nearest), ("far", self.farthest)):
            ends |= {name: limit(far), f"{name}_epsilon": limit(epsilon), f"{name}_sure": surest(epsilon)}
        return say("meaning.distance", unit=self.unit or say("word.units"), **ends)


@dataclass(frozen=True)
class Limit:
    """A limit that was asked for, in per cent, and how much of it a method needs.

    Attributes
    ----------
    asked
        what follows from what was asked for.
    kept
        what is proved of the method as it is: never more.
    epsilon
        the largest that any pair needs; of what was asked for, where the method is not measured, or needs as much.
    """

    asked: Up | Exact
    kept: Up | Exact
    epsilon: Epsilon

    @property
    def is_less(self) -> bool:
        """Whether the method keeps less than what was asked for."""
        return self.kept is not self.asked

    def words(self, say: Language) -> str:
        """Return whether what is kept is the limit, or else what that is."""
        return say(f"promise.limit.{'kept' if self.is_less else 'asked'}", limit=self.asked)


def limits_of(claim: Claim) -> tuple[Up | Exact, Up | Exact]:
    """Return how sure one can be at most of the ends of an edge: of the strictest, and of the weakest."""
    epsilons: dict[Fraction, list[Fraction]] = {}
    for edge in claim.edges:
        if isinstance(edge.epsilon, Fraction):
            epsilons.setdefault(edge.delta.least, []).append(edge.epsilon)
    ends = [surest(end(own), delta) for delta, own in epsilons.items() for end in (min, max)]
    return min(ends, key=lambda one: one.value), max(ends, key=lambda one: one.value)


def limit_of(subject: Subject, proved: Checked) -> Limit:
    """Return the limit of the pairs that were asked about."""
    _, asked = limits_of(proved.claim)
    most: dict[Fraction, Fraction] = {}
    for a, b, own in proved.graph.edges(data=True) if subject.needs else ():
        ways = (at_most_kept(subject.needs[pair][1], own["epsilon"]) for pair in ((a, b), (b, a)))
        most[own["delta"]] = max(most.get(own["delta"], Fraction(0)), Fraction(needed(max(ways))))
    kept = max((surest(epsilon, delta) for delta, epsilon in most.items()), key=lambda one: one.value, default=asked)
    if not _less(kept, asked):
        return Limit(asked, asked, proved.claim.epsilon)
    return Limit(asked, kept, max(most.values()))


def through_others(subject: Subject, whom: Protected) -> Limit | None:
    """Return the limit of the pairs that paths of others join; None where there are none, or nothing was computed."""
    if not whom.through or whom.epsilon is None:
        return None
    asked = surest(whom.epsilon, whom.delta or Fraction(0))
    worst = subject.worst(_joined(subject)) if whom.apart else subject.worst_others
    if worst:
        epsilon = needed(worst[0][1])
        if _less(kept := surest(epsilon), asked):
            return Limit(asked, kept, epsilon)
    return Limit(asked, asked, whom.epsilon)


def _joined(subject: Subject) -> Asked:
    """Return the pairs that are not asked about, and that paths of others join."""
    groups = nx.connected_components(subject.asked.graph())
    group = {one: number for number, names in enumerate(groups) for one in names}
    found = subject.others.profiles.copy()
    found.remove_edges_from([(a, b) for a, b in found.edges if group[a] != group[b]])
    return Asked(found)


def _less(kept: Up | Exact, asked: Up | Exact) -> bool:
    """Return whether it is less, as it is written."""
    return kept.value < asked.value and kept.words() != asked.words()


def noise_of(given: Given) -> Fraction | None:
    """Return which epsilon noised counts tell of a person: as the graph says, or else the mechanism's notes."""
    notes: Mapping[str, object] = given.notes or {}
    found = noise_in((given.graph or {}).get("made"))
    return noise_in({"noise": {"of_one_person": notes.get("noise")}}) if found is None else found


def with_counts(given: Given, subject: Subject, proved: Checked, say: Language) -> str | None:
    """Return the limit for a person in the table whose noised counts the frequencies are from; None without noise."""
    counts = noise_of(given)
    if counts is None:
        return None
    if not (proved.claim.robust or subject.values):
        return say("verdict.counted.unproved", counts=limit(counts))
    epsilon, delta = proved.claim.epsilon + counts, grown(proved.claim.delta, counts)
    told = {"counts": limit(counts), "sum": limit(epsilon), "delta": limit(delta), "sure": surest(epsilon, delta)}
    return say(f"verdict.counted.{'delta' if delta else 'sum'}", **told)
