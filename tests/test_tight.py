"""The tight epsilon of each edge, from the definition; the quick way beside the exact one; what is refused."""

import math
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.divergence import divergence, exp_at_least, exp_at_most
from test_certifier import COIN, foreign, matrices

from mechdesign import InputError, certify, mechanism_from_matrix, profile_graph, tight_epsilons
from mechdesign.certifier import tight
from mechdesign.certifier.tight import furthest, pairs
from mechdesign.privacy.asked import Asked

F = Fraction


@given(matrices(), st.sampled_from([F(0), F(1, 4), F(2, 5)]))
def test_from_the_definition(rows: list[list[Fraction]], delta: Fraction) -> None:
    found = tight_epsilons(foreign(rows), delta=delta)
    assert found.keys() == {(i, j) for i in range(len(rows)) for j in range(len(rows)) if i != j}
    for (i, j), (low, high) in found.items():
        p, q = rows[int(str(i))], rows[int(str(j))]
        if high == math.inf:
            assert low == math.inf
            assert sum((a for a, b in zip(p, q, strict=True) if not b), F(0)) > delta
            continue
        assert divergence(p, q, exp_at_least(F(high))) <= delta
        assert low == 0 or divergence(p, q, exp_at_most(F(low) * (1 - F(1, 10**30)))) > delta
        assert high <= math.nextafter(math.nextafter(low, 1e9), 1e9)


@given(matrices(), st.integers(1, 3), st.booleans())
def test_the_furthest_are_the_first_of_all(rows: list[list[Fraction]], number: int, own_delta: bool) -> None:
    mechanism = foreign([*rows, [F(1, 2), F(1, 4), F(1, 4)]])
    graph = mechanism.asked.graph()
    if own_delta:
        nx.set_edge_attributes(graph, F(1, 4), "delta")
    needs = tight_epsilons(mechanism, graph)
    every = sorted((max(needs[edge][1], needs[edge[::-1]][1]) for edge in graph.edges), reverse=True)
    found = furthest(mechanism, Asked(graph), number)
    assert [upper for _, upper in found] == every[:number]
    assert all(upper == max(needs[edge][1], needs[edge[::-1]][1]) for edge, upper in found)


@given(matrices(), st.sampled_from(["0", "1/2", "0.6931471805599453", "3"]))
def test_the_quick_way_has_the_exact_one_between_its_bounds(rows: list[list[Fraction]], epsilon: str) -> None:
    rows = [*rows, [F(1, 2), F(1, 4), F(1, 4)], [F(1, 8), F(5, 8), F(1, 4)]]  # whose ratios are none of these e^epsilon
    exact = pairs(foreign(rows), epsilon=epsilon)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tight, "MOST_EXACT", 3 * len(exact) - 1)
        quick = pairs(foreign(rows), epsilon=epsilon)
    for one, other in zip(exact, quick, strict=True):
        assert (one.edge, one.met, one.required) == (other.edge, other.met, other.required)
        assert other.needs[0] <= one.needs[0]
        assert one.needs[1] <= other.needs[1]
        if one.needs[1] < math.inf:
            assert other.needs[1] - other.needs[0] <= 3e-12 * (1 + one.needs[1])


class TestPairs:
    PROFILES = {"a": ["1/2", "1/2"], "b": ["1/4", "3/4"], "c": ["1", "0"]}  # noqa: RUF012
    IDENTITY = mechanism_from_matrix([[1, 0], [0, 1]], inputs=["u", "v"])

    def graph(self) -> nx.Graph:
        graph = profile_graph(self.PROFILES, edges="all", categories=["u", "v"])
        graph.edges["a", "b"].update(distance=F(2))
        graph.edges["b", "c"].update(epsilon="0.1", delta="3/4")
        graph.edges["a", "c"].update(epsilon=math.inf)
        return graph

    def test_what_is_required_of_each(self) -> None:
        ln2 = pytest.approx(math.log(2), rel=1e-15)
        found = {pair.edge: pair for pair in pairs(self.IDENTITY, self.graph(), epsilon="1/3")}
        assert {edge: (pair.required, pair.met) for edge, pair in found.items()} == {
            ("a", "b"): (F(2, 3), False), ("b", "a"): (F(2, 3), True), ("b", "c"): (F(1, 10), True),
            ("c", "b"): (F(1, 10), True), ("a", "c"): (math.inf, True), ("c", "a"): (math.inf, True),
        }  # fmt: skip
        assert {edge: pair.needs[1] for edge, pair in found.items()} == {
            ("a", "b"): ln2, ("b", "a"): pytest.approx(math.log(1.5)), ("b", "c"): 0, ("c", "b"): 0,
            ("a", "c"): math.inf, ("c", "a"): ln2,
        }  # fmt: skip
        assert [edge for edge in found if not found[edge].met] == [("a", "b")]
        assert max(found.values(), key=lambda pair: pair.beyond).edge == ("a", "b")

    def test_nothing_asked(self) -> None:
        found = {pair.edge: (pair.required, pair.met) for pair in pairs(self.IDENTITY, self.graph())}
        assert found["a", "b"] == (None, None)
        assert found["b", "c"] == (F(1, 10), True)

    def test_all_are_as_private_as_the_verdict(self) -> None:
        for epsilon in ("1.0986122886681097", "1.0986122886681098", "1e400", "inf"):
            verdict = certify(COIN, epsilon=epsilon)
            assert all(pair.met for pair in pairs(COIN, epsilon=epsilon)) == verdict.private

    def test_one_profile_has_no_pairs(self) -> None:
        assert tight_epsilons(mechanism_from_matrix([[1, 0]])) == {}


class TestRefusals:
    def test_too_many_pairs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tight, "MOST_PAIRS", 5)
        with pytest.raises(InputError, match=r"^6 ordered pairs of profiles with 3 outputs each are too many to list"):
            tight_epsilons(mechanism_from_matrix(np.identity(3)))

    @pytest.mark.parametrize(
        ("asked", "words"),
        [({"delta": "1/5"}, "too many to list for delta > 0"), ({"epsilon": 1}, "too many to decide each exactly")],
    )
    def test_too_much_to_compare(self, monkeypatch: pytest.MonkeyPatch, asked: Any, words: str) -> None:
        monkeypatch.setattr(tight, "MOST_EXACT", 1)
        e = math.e
        with pytest.raises(InputError, match=words):
            pairs(mechanism_from_matrix(np.array([[e, 1], [1, e]]) / (1 + e)), **asked)

    def test_too_small_for_doubles(self, monkeypatch: pytest.MonkeyPatch) -> None:
        tiny = F(1, 10**300)
        mechanism = foreign([[tiny, 1 - tiny], [F(1, 2), F(1, 2)]])
        assert tight_epsilons(mechanism)[1, 0][1] == pytest.approx(300 * math.log(10) - math.log(2))
        monkeypatch.setattr(tight, "MOST_EXACT", 1)
        with pytest.raises(InputError, match="too small for doubles"):
            tight_epsilons(mechanism)
