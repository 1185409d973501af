"""`compose`: what several releases to independent data reveal together.

[GC] Observation 4: with independent observations and coins the released distributions multiply, so the losses add up.
Observation 5: releases about different people, of whom one may move to a neighbouring profile, reveal no more than the
worst of them. Using one observation again is neither; for that nothing holds (`reproduce gc-composition`).
"""

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from mechdesign.certifier.certify import certify
from mechdesign.certifier.doubt import doubt_of
from mechdesign.certifier.ranges import Bounds, largest
from mechdesign.exact.bounds import at_most_kept, printed_above
from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import Epsilon, Number, parse_delta, parse_epsilon
from mechdesign.exact.text import short, shown_epsilon
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.graph.labels import Label
from mechdesign.mechanism.foreign import foreign_words
from mechdesign.mechanism.given import AskedBy, Given
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Protected, protected
from mechdesign.privacy.requirement import Requirement
from mechdesign.release.composed_neighbours import Together, summed
from mechdesign.release.joint import joint_epsilon
from mechdesign.show.answer import Answer, Fact, for_programs, sentences
from mechdesign.show.as_blocks import Answering
from mechdesign.show.fact_numbers import Down, Exact, Up
from mechdesign.show.language import ENGLISH
from mechdesign.words import listed

INDEPENDENT = f"This holds for data that are independent between releases. {ENGLISH('caveat.again.same')}"
"""Said of several releases wherever a profile may be a distribution."""

OWN = {"epsilon", "delta"}
"""What an edge may have of its own, in place of what is claimed."""


@dataclass(frozen=True)
class Composition(Answering):
    """What releases reveal together.

    Attributes
    ----------
    epsilon
        (lower, upper) around the least epsilon to ask for so that all releases together are private at `delta`; an
        edge's distance divides what is found for it.
    delta
        of all releases together.
    basic
        (lower, upper) around what basic composition says: the sum of the releases' epsilons, each at an equal share of
        delta; of different people, the largest.
    worst
        (i, j): the edge, and direction, with the largest upper bound; None if there are no edges.
    exact
        whether `epsilon` is exact, but for rounding outward.
    releases
        how many there are.
    protected
        who is protected from whom: how many pairs of profiles the edges are, of how many, and what follows for others.
    claimed
        the epsilon claimed of each release; None if nothing was claimed.
    private
        whether each release satisfies that, at its share of delta.
    claimed_together
        what basic composition says of the claim; None where an edge has an epsilon or a delta of its own, as the claim
        is then not about that edge.
    refuted
        the positions of the mechanisms that do not satisfy the claim, each at its share of delta.
    parallel
        whether each release is about another person.
    single
        whether every profile is a single value, so that what is proved holds for the same value released again too.
    warnings
        that it does not, where it does not; how matrices in files were read, and what rounding of their numbers may
        have to do with what is claimed.
    """

    epsilon: Bounds
    delta: Fraction
    basic: Bounds
    worst: tuple[Label, Label] | None
    exact: bool
    releases: int
    protected: Protected
    claimed: Epsilon | None = None
    private: bool | None = None
    claimed_together: Epsilon | None = None
    refuted: tuple[int, ...] = ()
    parallel: bool = False
    single: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def basic_epsilon(self) -> Epsilon:
        """What basic composition says: of the claim where it holds, otherwise of the tight epsilons, rounded up."""
        return self.claimed_together if self.private and self.claimed_together is not None else self.basic[1]

    def satisfies(self, epsilon: Number) -> bool | None:
        """Return whether all releases together satisfy an epsilon, at `delta`; None if it is between the bounds.

        Parameters
        ----------
        epsilon
            what is claimed of all together. True is proved; False too if `exact`, else it is computed in doubles.

        Raises
        ------
        InputError
            unless it is a number >= 0, or infinity.

        Examples
        --------
        >>> twice = compose([["3/4", "1/4"], ["1/4", "3/4"]], releases=2)
        >>> twice.satisfies("2.2"), twice.satisfies(2)
        (True, False)
        """
        claim = parse_epsilon(epsilon)
        if self.epsilon[0] > claim:
            return False
        proved = parse_epsilon(self.epsilon[1]) <= claim  # a double is what it prints as
        return True if proved or (self.private and self.basic_epsilon <= claim) else None

    def answer(self, *, names: Sequence[str] = (), whom: str = "") -> Answer:
        """Return what is told of it; `names` are the mechanisms', `whom` says which pairs were asked about."""
        basic = self.basic_epsilon
        what = "the largest of them" if self.parallel else "basic composition"
        edges = f"On {whom}." if whom else f"The edges are {self.protected.words()}."
        remarks = [f"By {what}: epsilon {printed_above(basic)!r}.", edges]
        if self.releases > 1 and not self.parallel:
            remarks.append("Each release draws anew: noise that is drawn once and given again is one release.")
        proved = self.private and self.claimed_together is not None
        told = {
            "basic_epsilon_exact": shown_epsilon(basic) if proved else None,
            "exact": self.exact,
            "releases": self.releases,
            "parallel": self.parallel,
            "private": self.private,
            "claimed": None if self.claimed is None else shown_epsilon(self.claimed),
            "refuted": list(self.refuted),
            "worst": None if self.worst is None else list(self.worst),
            **self.protected.summary(),
        }
        facts = [
            Fact("epsilon", number=Up(self.epsilon[1])),
            Fact("epsilon_lower", number=Down(self.epsilon[0])),
            Fact("delta", number=Exact(self.delta), exact=True),
            Fact("basic_epsilon", number=Exact(basic)),
            Fact("tight_basic_epsilon", number=Up(self.basic[1])),
        ]
        return Answer(
            self._together(),
            status=int(self.private is False),
            tone="bad" if self.private is False else "note" if self.worst is None else "",
            about=self._each(names),
            facts=[*facts, *for_programs(told), *sentences(*(remarks if self.worst else []))],
            warnings=self.warnings,
        )

    def _each(self, names: Sequence[str]) -> str:
        """Return whether each release satisfies what is claimed of it."""
        if self.claimed is None:
            return ""
        share = self.delta / (1 if self.parallel else self.releases)
        at = f"epsilon {shown_epsilon(self.claimed)} at delta {short(share)}"
        at += ", its share" if share and not self.parallel else ""
        at += ", or what an edge has of its own" if self.claimed_together is None else ""
        if not self.refuted or len(names) < 2:
            return f"Each release {'satisfies' if self.private else 'does NOT satisfy'} {at}."
        which = listed([names[i] for i in self.refuted])
        return f"Not each release satisfies {at}: {which} {'do' if len(self.refuted) > 1 else 'does'} NOT."

    def _together(self) -> str:
        """Return what all releases together satisfy."""
        if self.worst is None:
            return "There are no edges, so nobody is protected."
        (low, high), edge = self.epsilon, f"{self.worst[0]} against {self.worst[1]}"
        many = f"All {self.releases} releases together satisfy" if self.releases > 1 else "The release satisfies"
        if high == math.inf:
            return f"{many} no epsilon at delta {short(self.delta)}: {edge} can be told apart."
        between = "and none below" if self.exact else "and none below about"
        return f"{many} epsilon {high!r} at delta {short(self.delta)}, {between} {low!r} ({edge})."


@with_flags
def compose(
    *mechanisms: Given,
    graph: AskedBy = None,
    releases: int | Sequence[int] = 1,
    epsilon: Number | None = None,
    delta: Number = 0,
    parallel: bool = False,
    all_pairs: bool = False,
    progress: Callable[[int, int], object] = lambda done, everything: None,
) -> Composition:
    """Return what releases of mechanisms to independent data reveal together: bounds of epsilon at a delta.

    The upper bound is proved: losses, masses and tails are rounded up. At delta 0, for one release and for small tables
    it is exact, but for the last digit of a double.

    Parameters
    ----------
    mechanisms
        one, or several with the same profiles.
    graph
        whose edges, as for `certify`; without it those that the mechanisms were made for, which must be the same. An
        epsilon or delta of an edge's own is the mechanism's that has it.
    releases
        how often each mechanism is used, each time on a new, independent observation; one number for all, or one each.
    epsilon
        what is claimed of each single release; then it is judged whether that holds.
    delta
        of all releases together. An edge's own delta counts for the claim alone.
    parallel
        whether each release is about another person, of whom one may move to a neighbouring profile.
    all_pairs
        as for `certify`.
    progress
        called with (groups of neighbours looked at, all groups).

    Raises
    ------
    InputError
        if there is no mechanism, profiles, edges or distances differ, the graph does not fit, or a number cannot be
        used.

    References
    ----------
    [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084: Observations 4 and 5. Doroshenko, Ghazi, Kamath, Kumar and
    Manurangsi, "Connect the dots: tighter discrete approximations of privacy loss distributions", arXiv:2207.04380.

    Examples
    --------
    >>> coin = [["3/4", "1/4"], ["1/4", "3/4"]]
    >>> f"{compose(coin, releases=100).epsilon[1]:.3f} {compose(coin, releases=100, delta='1e-6').epsilon[1]:.3f}"
    '109.861 94.290'
    """
    allowed, claim = parse_delta(delta), None if epsilon is None else parse_epsilon(epsilon)
    known = Together(mechanisms, graph, releases, all_pairs=all_pairs)
    parts = 1 if parallel else known.total
    together: Epsilon | None = None
    refuted: tuple[int, ...] = ()
    if claim is not None:
        verdicts = [certify(one, own, epsilon=claim, delta=allowed / parts).private for one, own in known.given]
        refuted = tuple(place for place, private in enumerate(verdicts) if not private)
        edges = [edge for _, own in known.given if not own.every_pair for edge in own.profiles.edges.values()]
        if not any(OWN & edge.keys() for edge in edges):
            together = claim if claim == math.inf else claim * parts
    pairs = list(known.pairs())
    alone = [[pair.alone(i, allowed / parts) for i in range(len(mechanisms))] for pair in pairs]
    sums = [largest(one) if parallel else summed(one, known.releases) for one in alone]
    basics = [pair.per_distance(one) for pair, one in zip(pairs, sums, strict=True)]
    basic, exact = largest(basics), True
    found, worst = basic, pairs[max(range(len(pairs)), key=lambda at: basics[at][1])] if pairs else None
    if pairs and allowed and parts > 1:
        found, worst, exact = joint_epsilon(pairs, basics, known.releases, allowed, progress)
    edge = None if worst is None else worst.edge
    private = None if claim is None else not refuted
    if private and together is not None:  # what is claimed holds, and so it is a bound too
        basic, found = ((low, at_most_kept(high, together)) for low, high in (basic, found))
    whom = _protected(known, found[1], allowed)
    all_together = Composition(
        found, allowed, basic, edge, exact, known.total, whom, claim, private, together, refuted, parallel, known.single
    )
    files = {place: given for place, given in enumerate(mechanisms) if isinstance(given, str | os.PathLike)}
    read = {place: (given, known.given[place][0]) for place, given in files.items()}
    return of_files(all_together, read, doubtful=graph is None)


def of_files(
    found: Composition,
    read: Mapping[int, tuple[str | os.PathLike[str], Mechanism]],
    layout: Layout = RECOGNISED,
    *,
    normalised: bool = False,
    doubtful: bool = True,
) -> Composition:
    """Return the same with its warnings, of mechanisms in files by their places; `doubtful` matrices may be rounded."""
    share, several = found.delta / (1 if found.parallel else found.releases), len(read) > 1
    said = [] if found.single or found.parallel or found.releases == 1 else [INDEPENDENT]
    said += [f"{path}: {how}" if several else how for path, one in read.values() for how in foreign_words(one)]
    for path, one in (one for place, one in read.items() if doubtful and place not in found.refuted):
        if found.claimed is not None:
            doubt = doubt_of(path, one, epsilon=found.claimed, delta=share, layout=layout, normalised=normalised)
            words = None if doubt is None else doubt.words()
            said += [] if words is None else [f"{path}: {words}"]
    return replace(found, warnings=tuple(said))


def _protected(known: Together, epsilon: float, delta: Fraction) -> Protected:
    """Return who is protected from whom by all releases together, at an epsilon per distance."""
    finite = Fraction(0) if epsilon == math.inf else Fraction(parse_epsilon(epsilon))
    required = [Requirement(i, j, finite * distance, delta) for i, j, distance in known.distances]
    found = protected(len(known.asked.profiles), required)
    return replace(found, epsilon=None, delta=None) if epsilon == math.inf else found
