"""What a star of profiles asks for: no less than the best pair, no more than the optimum, and not always that.

A star has a centre i, disjoint sets S_j of outputs for some others j, and U, the union of these. With D_j the length of
a path between i and j (the total of its epsilons), and L_j what its deltas come to, as `along` has them,

    inward     sum_j (q^j(S_j) - L_j) / e^D_j <= q^i(U),     outward     q^i(U) <= sum_j (e^D_j q^j(S_j) + L_j).

With entries off the diagonal of t at most, a profile keeps q(S) >= P(S) - t (m - |S|) P(S), and has no more than
q(S) <= P(S) + t |S| (1 - P(S)); all outputs together have 1. So each star asks for a t. A pair is a star with one set.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.closed_form.best_pair import along, best_pair, limited
from mechdesign.privacy.requirement import Requirement

F = Fraction
LOG_4_3 = Fraction("0.2876820724517809")
"""A rational just below log(4/3)."""

Ways = dict[int, tuple[Fraction, Fraction]]
"""e^D_j and L_j of the other profiles."""


def asked_by_star(masses: Sequence[Sequence[Fraction]], centre: int, sets: Sequence[int], ways: Ways, out: bool) -> F:
    """Return what a star asks for; for each output `sets` has the j in whose S_j it is, or the centre for none."""
    m, above, slope, sign = len(sets), F(0), F(0), 1 if out else -1
    for j in set(sets) - {centre}:
        own = [y for y in range(m) if sets[y] == j]
        mass, (ratio, lost) = sum(masses[j][y] for y in own), ways[j]
        above -= ratio * mass + lost if out else (lost - mass) / ratio
        slope += ratio * len(own) * (1 - mass) if out else (m - len(own)) * mass / ratio
    union = [y for y in range(m) if sets[y] != centre]
    mass = F(1) if len(union) == m else sum((masses[centre][y] for y in union), F(0))
    if len(union) < m:  # else the centre has 1 there, whatever t is
        slope += (m - len(union)) * mass if out else len(union) * (1 - mass)
    return max(F(0), (above + sign * mass) / slope) if union and slope > 0 else F(0)


def best_star(masses: Sequence[Sequence[Fraction]], required: Sequence[Requirement]) -> Fraction:
    """Return the most that any star asks for: all are tried."""
    edges, graph = limited(required), nx.Graph()
    graph.add_weighted_edges_from((i, j, one.epsilon) for (i, j), one in edges.items())
    best = F(0)
    for centre, paths in nx.all_pairs_dijkstra_path(graph):
        for out in (True, False):
            ways = {j: along(path if out else path[::-1], edges) for j, path in paths.items() if j != centre}
            stars = product(paths, repeat=len(masses[0]))
            best = max(best, *(asked_by_star(masses, centre, sets, ways, out) for sets in stars))
    return best


def asked_and_needed(rows: list[list[int]]) -> tuple[float, float]:
    """Return what the best star of a chain asks for at E = 4/3, and the least value that a design proves."""
    masses = [[Fraction(x, sum(row)) for x in row] for row in rows]
    edges = [(i, i + 1) for i in range(len(rows) - 1)]
    graph = md.profile_graph(dict(enumerate(masses)), edges=edges, categories=[str(x) for x in range(len(rows[0]))])
    star = best_star(masses, [Requirement(*edge, LOG_4_3, F(0)) for edge in edges])
    return float(star), float(md.design(graph, epsilon=LOG_4_3).bound)


@pytest.mark.parametrize(
    ("rows", "asked", "needed"),
    [
        ([[2, 2, 1, 1], [1, 4, 1, 0], [1, 2, 2, 1]], 1 / 11, 5 / 54),
        ([[0, 4, 2], [2, 4, 0], [1, 1, 4], [6, 0, 0]], 1 / 4, 14 / 55),
        ([[0, 1, 5], [1, 2, 3], [1, 3, 2]], 3 / 28, 3 / 28),
    ],
    ids=["three profiles", "four profiles", "a star is the optimum"],
)
def test_chains_that_need_as_much_as_their_stars_or_more(rows: list[list[int]], asked: float, needed: float) -> None:
    assert asked_and_needed(rows) == pytest.approx((asked, needed), abs=1e-9)


def test_a_star_of_all_outputs_is_the_optimum_where_the_best_pair_is_not() -> None:
    masses = [[Fraction(x, 6) for x in row] for row in ([0, 1, 5], [1, 2, 3], [1, 3, 2])]
    pair = best_pair(masses, [Requirement(i, i + 1, LOG_4_3, F(0)) for i in range(2)])
    assert float(pair.level) == pytest.approx(5 / 49, abs=1e-9)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[list[Fraction]], list[Requirement]]:
    k, m = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    weights = draw(st.lists(st.lists(st.integers(1, 9), min_size=m, max_size=m), min_size=k, max_size=k))
    tree = nx.random_labeled_tree(k, seed=draw(st.integers(0, 99)))
    epsilon, delta = draw(st.fractions(0, 1, max_denominator=9)), draw(st.sampled_from([Fraction(0), Fraction(1, 50)]))
    masses = [[Fraction(x, sum(row)) for x in row] for row in weights]
    return masses, [Requirement(min(edge), max(edge), epsilon, delta) for edge in tree.edges]


@given(graphs())
@settings(max_examples=12)
def test_it_asks_for_no_less_than_the_best_pair_and_no_more_than_is_needed(
    given_graph: tuple[list[list[Fraction]], list[Requirement]],
) -> None:
    masses, required = given_graph
    level = best_star(masses, required)
    assert level >= best_pair(masses, required).level
    graph = md.profile_graph(
        dict(enumerate(masses)),
        edges=[(one.first, one.second) for one in required],
        categories=[str(x) for x in range(len(masses[0]))],
    )
    assert level <= md.design(graph, epsilon=required[0].epsilon, delta=required[0].delta).value
