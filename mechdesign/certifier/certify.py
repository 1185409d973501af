"""`certify`: what any finite mechanism's privacy is, exactly.

Everything follows, for each edge and direction, from the least E >= 1 with q^i(S) <= E q^j(S) + delta for every set S
of outputs, an exact rational (`mechdesign.privacy.needed`): the requirement is met iff E <= e^epsilon, which finer and
finer bounds of e^epsilon decide, and the tight epsilon is ln E. Of profiles known only within bounds one E is proved to
be enough, and one to be needed (`mechdesign.certifier.ranges`).
"""

import math
import os
from collections.abc import Sequence, Sized
from dataclasses import replace
from fractions import Fraction
from typing import Any

from mechdesign.certifier.applied import ranges_under, to_judge
from mechdesign.certifier.doubt import doubt_of
from mechdesign.certifier.findings import Own, Worst
from mechdesign.certifier.other_ways import By
from mechdesign.certifier.ranges import Place, Ranges, largest
from mechdesign.certifier.verdict import Verdict
from mechdesign.exact.bounds import at_most_kept
from mechdesign.exact.exponentials import LARGEST_ABOVE, exp_above, exp_below
from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import Epsilon, Number, parse_delta, parse_epsilon
from mechdesign.exact.text import format_number
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.graph.labels import Label
from mechdesign.graph.properties import has_point_masses
from mechdesign.mechanism.foreign import foreign_words
from mechdesign.mechanism.given import AskedBy, Given
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import UNBOUNDED, Asked, protected, unprotected
from mechdesign.privacy.gaps import Outputs
from mechdesign.privacy.requirement import Requirement, allows_delta
from mechdesign.words import word_of

ROUNDING = 1e-9
"""A mechanism whose ratios exceed e^epsilon by less than this, relatively, misses by rounding only; that is said."""


AGAIN = (
    "The graph's profiles have the names of the mechanism's inputs, and are put through it once more. If they are what "
    "it drew, certify the matrix that changes nothing in its place."
)


@with_flags
def certify(
    mechanism: Given,
    graph: AskedBy = None,
    *,
    epsilon: Number | None = None,
    delta: Number = 0,
    by: str = "sets",
    nominal: bool = False,
    all_pairs: bool = False,
) -> Verdict:
    """Return whether a mechanism is private, its tight epsilon and delta, and the worst edge with its set of outputs.

    Parameters
    ----------
    mechanism
        any finite mechanism, a `Design`, a matrix (its rows are the inputs) or the path of a file.
    graph
        a profile graph over the same categories, its name or its path; a mechanism of one matrix serves all profiles.
        Without it the edges are those that the mechanism was made for; of a matrix every pair of inputs is one.
        Where profiles have bounds (`lower` and `upper`, or `radius`), the verdict is for every distribution within.
    epsilon, delta
        what is asked, epsilon in nats; an edge's own replace them, an edge's distance multiplies epsilon. Without an
        epsilon nothing is asked, and the verdict's `epsilon` says what the mechanism satisfies; so with an infinite
        one, and a warning says that this protects nobody.
    by
        "sets" (the sufficient set), "lp" (a linear program over fractional sets), "exhaustive" (all sets, up to 20
        outputs); the latter two for profiles that are known.
    nominal
        whether to take each profile's distribution alone, whatever its bounds.
    all_pairs
        whether every pair of profiles is asked about, whatever edges there are.

    Raises
    ------
    InputError
        if the graph does not fit, or an argument cannot be used.

    References
    ----------
    [HLM] Holohan, Leith and Mason, arXiv:1505.07254: (5) and Theorem 2.
    [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084: (2), with 0/0 satisfied and x/0 violated.

    Examples
    --------
    >>> import mechdesign as md
    >>> coin = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> md.certify(coin, epsilon="1.1").private, md.certify(coin, epsilon="1.09").private       # ln 3 = 1.0986...
    (True, False)
    >>> md.certify(coin).sentence()
    'It satisfies epsilon = 1.0986122886681098 (rounded up), and none below 1.0986122886681096, at the delta asked.'
    """
    claim, allowed = math.inf if epsilon is None else parse_epsilon(epsilon), parse_delta(delta)
    way = word_of(By, "by", by)
    file = mechanism if isinstance(mechanism, str | os.PathLike) and graph is None and claim < math.inf else None
    mechanism, asked = to_judge(mechanism, graph, at_nominal=nominal, all_pairs=all_pairs)
    names, ranges = ranges_under(mechanism, asked, way)
    own = asked.own_epsilons()
    free = claim == math.inf
    required = asked.requirements(Fraction(0) if free else claim, allowed)
    places = _places(ranges, required, free)
    at_each = _places(ranges.at_each_distribution(), required, free) if asked.robust else []
    refuted_at_each = any(place.refuted for place in at_each)
    failed = [place for place in places if place.refuted]
    spread, is_tight = (0.0, 0.0), True
    if failed or allows_delta(required):
        low, high, is_tight = ranges.largest_delta(asked.requirements(claim, allowed))
        spread = low, high
    private = False if failed else True if all(place.met for place in places) else None
    tight, scale = largest(place.epsilon() for place in places), largest(place.scale() for place in places)
    # An edge of which less is known plays no part if what is enough for it is less than another is proved to need.
    doubtful = (place for place in places if not place.is_exact)
    exact = is_tight and all(one.epsilon()[1] <= tight[0] and one.scale()[1] <= scale[0] for one in doubtful)
    if private:  # what is kept is proved, and stays so where a double is rounded up
        tight = tight[0], at_most_kept(tight[1], claim)
        spread = spread[0], at_most_kept(spread[1], max((place.requirement.delta for place in places), default=allowed))
        scale = scale[0], min(scale[1], 1.0)
    is_open = free and len(own) < asked.edges
    finite = free and not math.isinf(tight[1])
    whom = protected(len(names), asked.requirements(parse_epsilon(tight[1]), allowed) if finite else required)
    found = Verdict(
        private=private,
        epsilon=tight,
        delta=spread,
        worst=_described(_worst(places), names, mechanism, ranges) if places else None,
        by_rounding=bool(failed) and all(place.excess < ROUNDING for place in failed),
        asked=not free,
        edges=asked.edges,
        protected=whom if private and (finite or not free) else replace(whom, epsilon=None, delta=None),
        own=Own(len(own), min(own), max(own), scale) if own else None,
        robust=asked.robust,
        at_each=largest(place.epsilon() for place in at_each)[0] if asked.robust else None,
        refuted_at_each=refuted_at_each,
        exact=exact,
        read=tuple(foreign_words(mechanism)),
        warning=_warning(mechanism, asked, places if epsilon is None else asked.requirements(claim, allowed)),
        guarantee=None if is_open or not (private or refuted_at_each) else _guarantee(asked, claim, allowed, private),
    )
    return found if file is None else with_doubt(found, file, mechanism, claim, allowed)


def with_doubt(
    found: Verdict,
    path: str | os.PathLike[str],
    mechanism: Mechanism,
    epsilon: Epsilon,
    delta: Fraction,
    layout: Layout = RECOGNISED,
    *,
    normalised: bool = False,
) -> Verdict:
    """Return the verdict on the matrix in a file with whether rounding alone may account for it."""
    if found.private is None or found.worst is None:
        return found
    asked: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "layout": layout, "normalised": normalised}
    if not found.private:
        asked |= {"edge": found.worst.edge, "among": found.worst.set}
    return replace(found, doubt=doubt_of(path, mechanism, **asked))


def _places(ranges: Ranges, required: Sequence[Requirement], free: bool) -> list[Place]:
    """Return the directed edges that decide, with what they need."""
    return [ranges.place(one, i, j, free and bool(one.distance)) for i, j, one in ranges.deciding(required)]


def _warning(mechanism: Mechanism, asked: Asked, required: Sized) -> str | None:
    """Return what does not hold though it may seem so."""
    return unprotected(asked, required) or (
        UNBOUNDED if asked.unbounded else AGAIN if _again(mechanism, asked) else None
    )


def _again(mechanism: Mechanism, asked: Asked) -> bool:
    """Return whether what is put through a matrix on values seems to be what was drawn from it, within bounds."""
    if not asked.robust or set(asked.names) != set(mechanism.categories):
        return False
    if has_point_masses(asked.profiles) or not has_point_masses(mechanism.graph):
        return False
    return not all(1 in mechanism.row(mechanism.profiles[0], x) for x in mechanism.categories)


def _guarantee(asked: Asked, epsilon: Epsilon, delta: Fraction, private: bool | None) -> str | None:
    """Return what is proved of the true profiles, where the bounds of those given are from a sample."""
    from mechdesign.graph.from_table.confidence import guarantee_in, level_in  # here, because few need it

    if not asked.robust or private is None:
        return None
    if private:
        return guarantee_in(asked.profiles, epsilon, delta)
    level = level_in(asked.profiles)
    return None if level is None else f"if the bounds hold the true profiles: with probability {format_number(level)}"


def _worst(places: Sequence[Place]) -> Place:
    """Return the place furthest beyond what is required of it; where nothing is, the one with the largest epsilon."""
    binding = [place for place in places if not place.free]
    failed = [place for place in binding if not place.met]
    if failed or len(binding) == len(places):
        return max(failed or places, key=lambda place: (place.refuted, place.excess))
    return max((place for place in places if place.free), key=lambda place: place.epsilon()[1])


def _described(place: Place, names: Sequence[Label], mechanism: Mechanism, ranges: Ranges) -> Worst:
    """Return the worst place by its names, with bounds of e^epsilon fine enough to show the sign of a refuted gap."""
    i, j, requirement = place.i, place.j, place.requirement

    def gap_on(chosen: Outputs, ratio: Fraction) -> Fraction:
        return ranges.excess(i, j, ratio, chosen) - requirement.delta

    def described(chosen: Outputs, gap: tuple[Fraction, Fraction]) -> Worst:
        profiles = ranges.profiles(i, j, chosen) if chosen else None
        outputs = tuple(mechanism.outputs[y] for y in chosen)
        return Worst((names[i], names[j]), outputs, gap, profiles, mechanism.categories)

    bits = 64
    if place.free:
        left = gap_on(place.needed.outputs, place.needed.ratio or Fraction(1))
        return described(place.needed.outputs, (left, left))
    while True:
        below, above = (
            exp_below(requirement.epsilon, bits=bits),
            exp_above(min(requirement.epsilon, LARGEST_ABOVE), bits=bits),
        )
        chosen = place.needed.outputs
        if place.refuted:
            chosen = max(ranges.worst_set(i, j, above), chosen, key=lambda one: gap_on(one, above))
        gap = gap_on(chosen, above), gap_on(chosen, below)
        if not place.refuted or gap[0] > 0:
            return described(chosen, gap)
        bits *= 2
