"""Requirements as cliques and pairs say just what they said before."""

from fractions import Fraction
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mechdesign.privacy.cover import SMALLEST_CLIQUE, cover, met, without_implied
from mechdesign.privacy.gaps import unmet
from mechdesign.privacy.released import Released
from mechdesign.privacy.requirement import Requirement

F = Fraction
PROFILES = 8

pairs = st.lists(st.sampled_from(list(combinations(range(PROFILES), 2))), unique=True)
epsilons = st.sampled_from([F(1, 2), F(1)])
requirement_lists = st.builds(
    lambda chosen, own, deltas: [
        Requirement(a, b, epsilon, delta) for (a, b), epsilon, delta in zip(chosen, own, deltas, strict=False)
    ],
    pairs,
    st.lists(epsilons, min_size=28, max_size=28),
    st.lists(st.sampled_from([F(0), F(0), F(0), F(1, 10)]), min_size=28, max_size=28),
)


@given(requirement_lists)
def test_every_requirement_is_in_a_clique_or_a_pair_and_nothing_else_is(required: list[Requirement]) -> None:
    found = cover(required)
    within = {
        (frozenset(pair), clique.epsilon, F(0)) for clique in found.cliques for pair in combinations(clique.members, 2)
    }
    within |= {(frozenset((r.first, r.second)), r.epsilon, r.delta) for r in found.pairs}
    assert within == {(frozenset((r.first, r.second)), r.epsilon, r.delta) for r in required}
    assert all(len(clique.members) >= SMALLEST_CLIQUE for clique in found.cliques)


@given(requirement_lists, st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), min_size=8, max_size=8))
def test_met_says_what_pair_by_pair_says(required: list[Requirement], weights: list[tuple[int, int]]) -> None:
    released = [Released(np.array([a, b], dtype=object), a + b) for a, b in weights]
    assert met(released, cover(required)) == (unmet(released, required) is None)


def test_a_clique_is_judged_at_the_last_digit() -> None:
    """e^epsilon bounded from below at epsilon = ln 2 written as a rational: a hair above 2 : 1 is refused."""
    edges = [Requirement(a, b, F(1), F(0)) for a, b in combinations(range(5), 2)]
    low = edges[0].ratio_below
    unit = low.denominator * 1000
    just = [Released(np.array([unit, 10 * unit], dtype=object), 11 * unit)] * 4
    for more, expected in ((0, True), (1, False)):
        first = int(unit * low) + more
        last = Released(np.array([first, 11 * unit - first], dtype=object), 11 * unit)
        assert met([*just, last], cover(edges)) is expected


@given(st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=2), min_size=2, max_size=7, unique_by=tuple))
def test_implied_pairs_follow_from_those_left(points: list[list[int]]) -> None:
    """In the l1 metric the pairs left have the same shortest paths as all of them."""
    distances = {
        (a, b): F(sum(abs(x - y) for x, y in zip(points[a], points[b], strict=True)))
        for a, b in combinations(range(len(points)), 2)
    }
    required = [Requirement(a, b, distance, F(0)) for (a, b), distance in distances.items()]
    left = without_implied(required, len(points))
    shortest = {(a, b): F(10**9) for a in range(len(points)) for b in range(len(points))}
    shortest |= {(a, a): F(0) for a in range(len(points))}
    for edge in left:
        shortest[edge.first, edge.second] = shortest[edge.second, edge.first] = edge.epsilon
    for c in range(len(points)):
        for a in range(len(points)):
            for b in range(len(points)):
                shortest[a, b] = min(shortest[a, b], shortest[a, c] + shortest[c, b])
    assert all(shortest[pair] == distance for pair, distance in distances.items())
