"""Stars of profiles: never below pairs, never above the optimum, and not always the optimum."""

from fractions import Fraction

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.closed_form.best_pair import best_pair
from mechdesign.closed_form.stars import best_star
from mechdesign.privacy.requirement import Requirement

LOG_4_3 = Fraction("0.2876820724517809")
"""A rational just below log(4/3)."""


def asked_and_needed(rows: list[list[int]], edges: list[tuple[int, int]], epsilon: Fraction) -> tuple[float, float]:
    """Return what the best star asks for, and the least value that a design proves."""
    masses = [[Fraction(x, sum(row)) for x in row] for row in rows]
    star = best_star(masses, [Requirement(*edge, epsilon, Fraction(0)) for edge in edges])
    graph = md.profile_graph(dict(enumerate(masses)), edges=edges, categories=[str(x) for x in range(len(rows[0]))])
    return float(star.level), float(md.design(graph, epsilon=epsilon).bound)


@pytest.mark.parametrize(
    ("rows", "asked", "needed"),
    [
        ([[2, 2, 1, 1], [1, 4, 1, 0], [1, 2, 2, 1]], 1 / 11, 5 / 54),
        ([[0, 4, 2], [2, 4, 0], [1, 1, 4], [6, 0, 0]], 1 / 4, 14 / 55),
    ],
    ids=["three profiles", "four profiles"],
)
def test_a_chain_that_needs_more_than_its_stars(rows: list[list[int]], asked: float, needed: float) -> None:
    chain = [(i, i + 1) for i in range(len(rows) - 1)]
    assert asked_and_needed(rows, chain, LOG_4_3) == pytest.approx((asked, needed), abs=1e-9)


def test_a_star_of_all_outputs_is_the_optimum_where_the_best_pair_is_not() -> None:
    rows, chain = [[0, 1, 5], [1, 2, 3], [1, 3, 2]], [(0, 1), (1, 2)]
    assert asked_and_needed(rows, chain, LOG_4_3) == pytest.approx((3 / 28, 3 / 28), abs=1e-9)
    masses = [[Fraction(x, 6) for x in row] for row in rows]
    pair = best_pair(masses, [Requirement(*edge, LOG_4_3, Fraction(0)) for edge in chain])
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
def test_it_asks_for_no_less_than_the_best_pair_and_no_more_than_is_needed(
    given_graph: tuple[list[list[Fraction]], list[Requirement]],
) -> None:
    masses, required = given_graph
    level = best_star(masses, required).level
    assert level >= best_pair(masses, required).level
    graph = md.profile_graph(
        dict(enumerate(masses)),
        edges=[(one.first, one.second) for one in required],
        categories=[str(x) for x in range(len(masses[0]))],
    )
    assert level <= md.design(graph, epsilon=required[0].epsilon, delta=required[0].delta).value


def test_without_edges_nothing_is_asked_for() -> None:
    assert best_star([[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]], []).level == 0
