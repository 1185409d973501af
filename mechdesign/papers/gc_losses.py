"""[GC]: what releases reveal, exactly, by the ratios of their probabilities: Theorem 8, Observations 4 and 5."""

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

import networkx as nx
import numpy as np

from mechdesign.closed_form.k_ary import k_ary
from mechdesign.designer.design import design
from mechdesign.exact.exponentials import exp_below
from mechdesign.graph.graph_file import read_graph
from mechdesign.graph.values import value_graph
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.papers.published import Claim

Masses = Sequence[Fraction]

FIRST, SECOND = Fraction(1, 2), Fraction(1, 4)
"""The epsilons of two releases."""
PAIRS = ("00", "01", "10", "11")


def theorem_8() -> Iterator[Claim]:
    """k-ary response, locally private, on the profiles of Table I and on single values."""
    graph = read_graph("categorical-chain")
    for ratio in (2, 3, 10):
        response = k_ary(graph.graph["categories"], ratio=ratio)
        yield Claim(f"k-ary response, e^epsilon {ratio}: private on Table I", profile_ratio(response, graph) <= ratio)
        largest = profile_ratio(response, value_graph(response.inputs))
        yield Claim(f"k-ary response, e^epsilon {ratio}: e^epsilon on single values", largest)


def profile_ratio(mechanism: Mechanism, graph: nx.Graph) -> Fraction | float:
    """Return e^epsilon of profile-based privacy when every profile uses the mechanism's one table."""
    index = np.tile(np.arange(len(mechanism.inputs)), (len(graph), 1))
    used = Mechanism(graph, mechanism.outputs, mechanism.weights, index)
    return worst_ratio((used.released(a), used.released(b)) for a, b in graph.edges)


def largest_ratio(first: Masses, second: Masses) -> Fraction | float:
    """Return max_y first(y) / second(y), exactly: the privacy loss is its logarithm.

    In (2), 0/0 is read as no violation and x/0 as infinite.

    Examples
    --------
    >>> largest_ratio([Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 2), Fraction(1, 2)])
    Fraction(3, 2)
    """
    if any(p > 0 and q == 0 for p, q in zip(first, second, strict=True)):
        return math.inf
    return max(p / q for p, q in zip(first, second, strict=True) if q > 0)


def worst_ratio(pairs: Iterable[tuple[Masses, Masses]]) -> Fraction | float:
    """Return the largest ratio over pairs of releases, both ways."""
    return max(largest_ratio(*both) for pair in pairs for both in (pair, pair[::-1]))


def composition() -> Iterator[Claim]:
    """Return the exact privacy losses of joint releases: of independent observations, and of the same one."""
    yield from _independent()
    sharp, soft = reused_losses(Fraction(0)), reused_losses(Fraction(1, 10))
    yield Claim("re-use: loss of the first bit alone", sharp[0])
    yield Claim("re-use: loss of the second bit alone", sharp[1])
    yield Claim("re-use: the joint loss is infinite", sharp[2] == math.inf)
    yield Claim("softened: loss of the first bit alone", soft[0])
    yield Claim("softened: loss of the second bit alone", soft[1])
    yield Claim("softened: joint loss", soft[2])


def _independent() -> Iterator[Claim]:
    """Observations 4 and 5 with Smooth Categorical at two levels on the chain."""
    graph = read_graph("categorical-chain")
    releases = [design(graph, epsilon=epsilon).mechanism for epsilon in (FIRST, SECOND)]
    q1, q2 = ({profile: release.released(profile) for profile in graph} for release in releases)
    edges = list(graph.edges)
    alone = [worst_ratio((q[a], q[b]) for a, b in edges) for q in (q1, q2)]
    same = worst_ratio((product(q1[a], q2[a]), product(q1[b], q2[b])) for a, b in edges)
    neighbours = nx.cartesian_product(graph, graph).edges  # pairs of profiles of which one moves
    one = worst_ratio((product(q1[a], q2[b]), product(q1[c], q2[d])) for (a, b), (c, d) in neighbours)
    both = [((a, b), (c, d)) for x, y in edges for a, c in ((x, y), (y, x)) for b, d in edges]
    two = worst_ratio((product(q1[a], q2[b]), product(q1[c], q2[d])) for (a, b), (c, d) in both)
    allowed = [exp_below(FIRST), exp_below(SECOND)]
    yield Claim("loss of the first release alone", math.log(alone[0]))
    yield Claim("loss of the second release alone", math.log(alone[1]))
    yield Claim("Observation 4: the loss is at most epsilon_1 + epsilon_2", same <= allowed[0] * allowed[1])
    yield Claim("loss of two samples of one profile", math.log(same))
    yield Claim("Observation 5: the loss is at most max(epsilon_1, epsilon_2)", one <= max(allowed))
    yield Claim("loss of two profiles when one may move", math.log(one))
    yield Claim("loss of two profiles when both may move", math.log(two))


def product(first: Masses, second: Masses) -> tuple[Fraction, ...]:
    """Return the joint distribution of two independent releases."""
    return tuple(p * q for p in first for q in second)


def reused_losses(softening: Fraction) -> tuple[float, ...]:
    """Return the privacy losses of the first bit, the second bit, and both bits of the same observation.

    The softening is the weight of the uniform distribution in each of the two profiles.

    Examples
    --------
    >>> reused_losses(Fraction(0))
    (0.0, 0.0, inf)
    """
    one, other = (
        [(1 - softening) * Fraction(pair in support, 2) + softening / 4 for pair in PAIRS]
        for support in (("00", "11"), ("01", "10"))
    )
    bits = (slice(0, 1), slice(1, 2), slice(0, 2))
    return tuple(math.log(worst_ratio([(_shares(one, seen), _shares(other, seen))])) for seen in bits)


def _shares(masses: Masses, seen: slice) -> Masses:
    """Return the distribution of the bits that are seen."""
    shares: dict[str, Fraction] = {}
    for pair, mass in zip(PAIRS, masses, strict=True):
        shares[pair[seen]] = shares.get(pair[seen], Fraction(0)) + mass
    return list(shares.values())
