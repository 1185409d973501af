"""The edges left out decide nothing: with every edge looked at, the same verdict."""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import bounded_graphs, stochastic

from mechdesign import Mechanism, Verdict, certify, k_ary, mechanism_from_matrix, privacy_curve, profile_graph
from mechdesign.certifier import shortlist
from mechdesign.errors import InputError
from mechdesign.privacy.gaps import hockey_stick
from mechdesign.privacy.released import Released
from mechdesign.privacy.requirement import AllPairs, Directed, Requirement, every
from mechdesign.privacy.stored_rows import Rows

F = Fraction


def deciding(released: Sequence[Released], required: Sequence[Requirement]) -> list[Directed]:
    rows = Rows.of(released)
    return shortlist.deciding(rows, rows, required)


def largest_divergence(released: Sequence[Released], required: Sequence[Requirement]) -> tuple[list[Directed], float]:
    rows = Rows.of(released)
    return shortlist.largest_divergence(rows, rows, required)


def both(mechanism: Mechanism, graph: Any, **asked: Any) -> tuple[Verdict, Verdict]:
    """Return the verdict by the shortlist, and by every edge."""
    verdicts = []
    for few in (0, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(shortlist, "FEW", few)
            patch.setattr(shortlist, "SOON", few)
            verdicts.append(certify(mechanism, graph, **asked))
    return verdicts[0], verdicts[1]


def assert_same(quick: Verdict, slow: Verdict) -> None:
    """The tight delta may be known a little less well; which of several worst edges is shown may differ."""
    assert (quick.private, quick.epsilon, quick.by_rounding) == (slow.private, slow.epsilon, slow.by_rounding)
    assert quick.delta[0] <= slow.delta[1]
    assert slow.delta[0] <= quick.delta[1] <= slow.delta[1] + 1e-12
    assert (quick.worst is None) == (slow.worst is None)
    if quick.worst is not None and slow.worst is not None and slow.epsilon[1] < math.inf:
        assert sum(quick.worst.gap) * sum(slow.worst.gap) >= 0


def matrices(most: int = 5, columns: int = 3) -> st.SearchStrategy[list[list[Fraction]]]:
    """Few different counts: zeros and ties happen often; some are nearly ties, or too small for doubles."""
    count = st.one_of(
        st.integers(0, 3), st.sampled_from([F(0), F(1) + F(1, 10**20), F(1, 10**40), F(1, 10**300), F(1, 10**400)])
    )
    row = st.lists(count, min_size=columns, max_size=columns).filter(any)
    return st.lists(row.map(lambda w: [F(x) / sum(w) for x in w]), min_size=2, max_size=most)


@pytest.mark.slow
@settings(max_examples=35)
@given(
    matrices(),
    st.sampled_from(["0", "1/1000", "0.6931471805599453", "0.7", "2", "1000"]),
    st.sampled_from([0, 0, 0.25]),
)
def test_all_pairs(rows: list[list[Fraction]], epsilon: str, delta: float) -> None:
    assert_same(*both(mechanism_from_matrix(np.array(rows)), None, epsilon=epsilon, delta=delta))


EDGE = st.fixed_dictionaries(
    {},
    optional={
        "epsilon": st.sampled_from([F(0), F(1, 2), F(7, 10), F(2), F(1000), math.inf]),
        "distance": st.sampled_from([F(0), F(1, 3), F(2), F(1, 10**300), F(10**400)]),
    },
)


@settings(max_examples=30)
@given(matrices(), st.data(), st.sampled_from(["0", "0.7", "2", "1e300"]))
def test_sparse_graphs(rows: list[list[Fraction]], data: st.DataObject, epsilon: str) -> None:
    """Also with edges' own epsilons and distances: 0, infinite, beyond doubles."""
    k = len(rows)
    edges = data.draw(st.lists(st.sampled_from(list(combinations(range(k), 2))), unique=True, min_size=1))
    identity = mechanism_from_matrix([[int(x == y) for y in range(3)] for x in range(3)])
    graph = profile_graph(dict(enumerate(rows)), edges=edges, categories=[0, 1, 2])
    for edge in edges:
        graph.edges[edge].update(data.draw(EDGE))
    assert_same(*both(identity, graph, epsilon=epsilon))


@pytest.mark.slow
@settings(max_examples=30)
@given(
    bounded_graphs(categories=3, profiles=4),
    stochastic(3, 3),
    st.sampled_from(["0", "0.7", "2"]),
    st.sampled_from([0, 0, 0.25]),
    st.booleans(),
)
def test_profiles_within_bounds(graph: Any, rows: Any, epsilon: str, delta: float, every_pair: bool) -> None:
    """One profile may have both the largest and the least of an output: the shortlist is of pairs."""
    graph.edges[0, 1].update({"distance": F(2)})
    mechanism = mechanism_from_matrix(np.array(rows, dtype=object), inputs=range(3))
    assert_same(*both(mechanism, graph, epsilon=epsilon, delta=delta, all_pairs=every_pair))


def chain_of(rows: Sequence[Sequence[Any]], **first: Any) -> Any:
    """A path of profiles; the first edge has attributes of its own, and its far end no other edge."""
    edges = [(i, i + 1) for i in range(len(rows) - 1) if i != 1]
    graph = profile_graph(dict(enumerate(rows)), edges=edges, categories=["a", "b"])
    graph.edges[0, 1].update(first)
    return graph


IDENTITY = mechanism_from_matrix([[1, 0], [0, 1]], inputs=["a", "b"])
USUAL = [["1/4", "3/4"], ["1/2", "1/2"]] * 150


class TestMoreThanAFew:
    def test_an_edge_with_a_large_epsilon_of_its_own_does_not_hide_the_others(self) -> None:
        graph = chain_of([["1/1000", "999/1000"], ["99/1000", "901/1000"], *USUAL], epsilon=F(46, 10))
        verdict = certify(IDENTITY, graph, epsilon=3)
        assert verdict.private
        assert verdict.epsilon == pytest.approx((math.log(2), math.log(2)), rel=1e-15)

    @pytest.mark.parametrize("own", [{"epsilon": F(1, 1000)}, {"distance": F(0)}], ids=str)
    def test_an_edge_that_no_epsilon_helps_is_seen(self, own: dict[str, Any]) -> None:
        graph = chain_of([["1/4", "3/4"], ["251/1000", "749/1000"], *USUAL], **own)
        verdict = certify(IDENTITY, graph, epsilon="1/10")
        assert not verdict.private
        assert verdict.epsilon == (math.inf, math.inf)

    @pytest.mark.parametrize("own", [{"epsilon": F(1, 10**20)}, {"distance": F(0)}], ids=str)
    def test_also_if_doubles_cannot_see_it(self, own: dict[str, Any]) -> None:
        graph = chain_of([["1/2", "1/2"], [F(1, 2) + F(1, 10**19), F(1, 2) - F(1, 10**19)], *USUAL], **own)
        verdict = certify(IDENTITY, graph, epsilon="1/10")
        assert verdict.epsilon == (math.inf, math.inf)

    def test_x_over_0(self) -> None:
        verdict = certify(IDENTITY, chain_of([[1, 0], ["1/2", "1/2"], *USUAL]), epsilon=3)
        assert not verdict.private
        assert verdict.epsilon == (math.inf, math.inf)
        assert verdict.worst is not None
        assert (verdict.worst.edge, verdict.worst.set, verdict.worst.gap) == ((1, 0), ("b",), (F(1, 2), F(1, 2)))

    def test_x_over_0_too_small_for_doubles(self) -> None:
        tiny = F(1, 10**400)
        rows: list[list[Any]] = [[1 - tiny, tiny], *[[1, 0]] * 24]
        assert not certify(mechanism_from_matrix(np.array(rows)), epsilon=5).private
        assert not certify(IDENTITY, chain_of(rows * 12), epsilon=5).private

    @pytest.mark.slow
    def test_an_epsilon_beyond_doubles(self) -> None:
        graph = chain_of(USUAL)
        assert certify(IDENTITY, graph, epsilon="1e400").private
        assert certify(IDENTITY, graph, epsilon="1e400", delta="0.1").private
        assert privacy_curve(IDENTITY, graph, ["1e300"])[0][1] == 0


class TestOfManyAlike:
    """More edges than are looked at one by one need the same, nearly or exactly; one of them decides."""

    def test_what_is_asked_of_one_is_less_in_the_twentieth_digit(self) -> None:
        graph = chain_of(USUAL)
        for edge in graph.edges.values():
            edge["epsilon"] = F("0.69314718055994530942")  # ln 2 = 0.693147180559945309417...
        assert certify(IDENTITY, graph, epsilon=0).private
        graph.edges[200, 201]["epsilon"] = F("0.69314718055994530941")
        verdict = certify(IDENTITY, graph, epsilon=0)
        assert not verdict.private
        assert verdict.worst is not None
        assert set(verdict.worst.edge) == {200, 201}

    def test_an_epsilon_of_its_own_is_not_what_another_has_for_its_distance(self) -> None:
        graph = chain_of(USUAL)
        for _, b, edge in graph.edges(data=True):
            edge.update({"epsilon": F(1)} if b < 280 else {"distance": F(1)})
        verdict = certify(IDENTITY, graph, epsilon=1)
        assert verdict.epsilon == pytest.approx((math.log(2), math.log(2)), rel=1e-15)

    def test_where_doubles_have_it_the_other_way_round(self) -> None:
        """Of 1/8 : 1/16 and 1/4 (1 + 1e-18) : 1/8 the second is the larger; the doubles' logarithms say the first."""
        tiny = F(1, 4 * 10**18)
        few, many = [F(1, 8), F(1, 4), F(5, 8) - tiny, tiny], [F(1, 16), F(1, 8), F(13, 16) - tiny, tiny]
        rows: list[Any] = [few, many] * 150
        rows[200] = [F(1, 8), F(1, 4) + tiny, F(5, 8) - 2 * tiny, tiny]  # over the same total
        edges = [(i, i + step) for step in (1, 3) for i in range(0, 297, 2)]
        graph = profile_graph(dict(enumerate(rows)), edges=edges, categories=[0, 1, 2, 3])
        identity = mechanism_from_matrix([[int(x == y) for x in range(4)] for y in range(4)])
        verdict = certify(identity, graph, epsilon="0.6931471805599453099")
        assert not verdict.private
        assert verdict.worst is not None
        assert (verdict.worst.edge[0], verdict.worst.set) == (200, (1,))


@settings(max_examples=30)
@given(matrices(6), st.sampled_from(["0", "1/2", "0.7", "3"]), st.sampled_from([0, 1, 2, 5]), st.booleans())
def test_the_largest_divergence(rows: list[list[Fraction]], epsilon: str, few: int, listed: bool) -> None:
    """Either the edges returned have it, or the number returned is at least it."""
    released = mechanism_from_matrix(np.array(rows)).all_released()
    pairs = AllPairs(len(rows), F(epsilon), F(0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shortlist, "FEW", few)
        patch.setattr(shortlist, "SOON", few)
        patch.setattr(shortlist, "CHUNK", 1)
        places, limit = largest_divergence(released, list(pairs) if listed else pairs)
    true = max(hockey_stick(released[i], released[j], r.ratio_below) for i, j, r in every(pairs))
    found = max((hockey_stick(released[i], released[j], r.ratio_below) for i, j, r in places), default=F(0))
    assert found == true if limit == math.inf else found <= true <= limit
    assert limit == math.inf or limit <= true + F(1, 10**14)


def test_nearly_equal_divergences_are_not_dropped() -> None:
    """Those cut from a crowded chunk must not be larger than what is kept of it."""
    unit = 10**15  # gaps of 1/10 plus 0 (three times), 900 or 910 of these; room is about 10^3 of them
    gaps = [0, 0, 0, 900, 910]
    base = Released(np.array([unit // 2, unit // 2], dtype=object), unit)
    others = [Released(np.array([unit * 6 // 10 + g, unit * 4 // 10 - g], dtype=object), unit) for g in gaps]
    required = [Requirement(0, n + 1, F(0), F(0)) for n in range(len(gaps))]
    true = F(1, 10) + F(910, unit)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shortlist, "FEW", 1)
        patch.setattr(shortlist, "SOON", 0)
        for chunk in (2, 4, 8, 16, 100):
            patch.setattr(shortlist, "CHUNK", chunk)
            places, limit = largest_divergence([base, *others], required)
            found = max(hockey_stick([base, *others][i], [base, *others][j], F(1)) for i, j, _ in places)
            assert found == true or (limit < math.inf and true <= limit)


def test_all_pairs_as_a_sequence() -> None:
    pairs = AllPairs(4, F(1), F(1, 5))
    assert [(r.first, r.second) for r in pairs] == list(combinations(range(4), 2))
    assert pairs[5] == pairs.pair(2, 3) == Requirement(2, 3, F(1), F(1, 5))
    assert len(AllPairs(4, math.inf, F(0))) == len(list(AllPairs(4, math.inf, F(0)))) == 0
    assert len(AllPairs(1, F(1), F(0))) == 0


def test_too_many_pairs_to_look_at_one_by_one_are_refused_before_they_are_listed() -> None:
    with pytest.raises(InputError, match=r"^every pair of 3,000 profiles .* at most 2,000,000 pairs are; give a graph"):
        every(AllPairs(3000, F(1), F(1, 10)))


@pytest.mark.parametrize(("k", "off"), [(60, 0.0), (160, 1e-14)])
def test_the_largest_delta_of_pairs_that_are_alike_is_that_of_the_worst_one(k: int, off: float) -> None:
    """Of k-ary randomised response between 100 values they differed in the tenth digit."""
    verdict = certify(k_ary(range(k), epsilon=1), epsilon="0.5")
    assert verdict.worst is not None
    gap = verdict.worst.gap[1]
    low, high = map(F, verdict.delta)
    assert low <= gap <= high <= gap + F(off) + F(1, 10**17)
