"""Spanners: that what is divided implies what was asked, exactly but for rounding, and that no edge is left in vain."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from mechdesign.errors import InputError
from mechdesign.privacy.requirement import Requirement
from mechdesign.privacy.spanner import spanner


def pair(a: int, b: int, epsilon: float | Fraction) -> Requirement:
    return Requirement(a, b, Fraction(epsilon), Fraction(0))


def among_points(seed: int, count: int) -> list[Requirement]:
    places = np.random.default_rng(seed).random((count, 2))
    return [pair(a, b, math.dist(places[a], places[b])) for a, b in combinations(range(count), 2)]


def lengths(required: Sequence[Requirement]) -> dict[int, dict[int, float]]:
    graph = nx.Graph()
    graph.add_weighted_edges_from((one.first, one.second, float(one.epsilon)) for one in required)
    return dict(nx.all_pairs_dijkstra_path_length(graph))


@pytest.mark.parametrize("most", [1.0, 1.05, 1.2, 2.0])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_divided_implies_all(most: float, seed: int) -> None:
    asked = among_points(seed, 25)
    found = spanner(asked, 25, most)
    divided, undivided = lengths(found.divided), lengths(found.kept)
    for one in asked:
        assert divided[one.first][one.second] <= float(one.epsilon) * (1 + 1e-12)
        assert undivided[one.first][one.second] <= most * float(one.epsilon) * (1 + 1e-12)
    for kept, less in zip(found.kept, found.divided, strict=True):
        assert kept in asked
        assert kept.epsilon / Fraction(most) * Fraction(1 - 10**-12) <= less.epsilon <= kept.epsilon
    assert found.longest == pytest.approx(
        max(undivided[one.first][one.second] / float(one.epsilon) for one in asked), rel=1e-12
    )


def test_an_edge_is_divided_only_as_others_need() -> None:
    """The detour through 1 is long by a tenth, that through 4 by nothing."""
    corner = [
        pair(0, 1, 0.55),
        pair(1, 2, 0.55),
        pair(0, 2, 1),
        pair(3, 4, 1),
        pair(4, 5, 1),
        pair(3, 5, 2),
        pair(2, 3, 9),
    ]
    found = spanner(corner, 6, 1.2)
    divided = {(one.first, one.second): float(one.epsilon) for one in found.divided}
    assert divided == pytest.approx({(0, 1): 0.5, (1, 2): 0.5, (3, 4): 1, (4, 5): 1, (2, 3): 9})


def test_the_least_divided_are_divided_first() -> None:
    """0-1 serves 0-2, whose detour is long by a quarter; with it so divided 1-3 need give less for 0-3."""
    asked = [pair(0, 1, 1), pair(1, 2, 1), pair(0, 2, 1.6), pair(1, 3, 1), pair(0, 3, 1.75)]
    divided = {(one.first, one.second): float(one.epsilon) for one in spanner(asked, 4, 1.3).divided}
    assert divided == pytest.approx({(0, 1): 0.8, (1, 2): 0.8, (1, 3): 0.95})


def test_zeros_are_kept_and_imply_zeros() -> None:
    asked = [pair(0, 1, 0), pair(1, 2, 1), pair(0, 2, 1), pair(0, 3, 0), pair(1, 3, 0)]
    found = spanner(asked, 4, 1.5)
    assert [(one.first, one.second) for one in found.kept] == [(0, 1), (1, 2), (0, 3)]
    assert found.divided == found.kept
    assert found.longest == 1


def test_what_is_alike_has_no_detours() -> None:
    asked = [pair(a, b, 1) for a, b in combinations(range(5), 2)]
    assert spanner(asked, 5, 1.9).kept == asked
    assert len(spanner(asked, 5, 2).kept) == 4


def test_beyond_what_e_has_powers_for() -> None:
    asked = [pair(0, 1, 10**400), pair(1, 2, 10**400), pair(0, 2, 10**400)]
    assert len(spanner(asked, 3, 2).kept) == 2


def test_too_many_are_refused() -> None:
    with pytest.raises(InputError, match=r"3,000 profiles"):
        spanner([pair(0, 1, 1)], 3_000, 2)
