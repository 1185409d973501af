"""`certify`: its numbers from the definition, its verdicts at the very boundary, and agreement with checker.py's."""

import json
import math
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.divergence import divergence, exp_at_least, exp_at_most

from mechdesign import (
    InputError,
    Mechanism,
    certify,
    compose,
    design,
    mechanism_from_matrix,
    privacy_curve,
    profile_graph,
    value_graph,
)
from mechdesign.certificate import checker
from mechdesign.certificate.certificate import FORMAT

F = Fraction
COIN = mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
WAYS = ("sets", "lp", "exhaustive")


def foreign(rows: list[list[Any]]) -> Mechanism:
    return mechanism_from_matrix(np.array(rows, dtype=object))


def matrices(columns: int = 3) -> st.SearchStrategy[list[list[Fraction]]]:
    """Small counts: ties, 0/0 and x/0 happen often."""
    row = st.lists(st.integers(0, 4), min_size=columns, max_size=columns).filter(any)
    return st.lists(row.map(lambda w: [F(x, sum(w)) for x in w]), min_size=1, max_size=4)


class TestNumbers:
    @pytest.mark.slow
    @settings(max_examples=45)
    @given(matrices(), st.sampled_from(["0", "1/3", "0.7", "1.1", "3"]), st.sampled_from([F(0), F(1, 4), F(2, 5)]))
    def test_everything(self, rows: list[list[Fraction]], epsilon: str, delta: Fraction) -> None:
        """The verdict, the brackets of epsilon and delta, and the worst set with its gap."""
        below, above = exp_at_most(F(epsilon)), exp_at_least(F(epsilon))
        pairs = [(i, j) for i in range(len(rows)) for j in range(len(rows)) if i != j]
        most = max((divergence(rows[i], rows[j], below) for i, j in pairs), default=F(0))
        least = max((divergence(rows[i], rows[j], above) for i, j in pairs), default=F(0))
        verdict = certify(foreign(rows), epsilon=epsilon, delta=delta)
        assert verdict.private == (most <= delta)
        assert verdict.private or least > delta
        low, high = verdict.delta
        if not verdict.private or delta:
            assert F(low) <= most
            assert least <= F(high)
            assert high - low < 1e-15
        else:
            assert low == high == least == 0
        self.check_epsilon(rows, pairs, delta, verdict.epsilon)
        if verdict.worst is None:
            assert not pairs
            return
        i, j = (int(str(name)) for name in verdict.worst.edge)
        p, q = (sum((rows[n][int(str(y))] for y in verdict.worst.set), F(0)) for n in (i, j))
        assert p - above * q - delta <= verdict.worst.gap[1] + F(1, 2**60)
        assert verdict.worst.gap[0] <= p - below * q - delta
        assert verdict.worst.gap[1] - verdict.worst.gap[0] <= F(1, 2**55)
        assert (verdict.worst.gap[0] > 0) == (not verdict.private)
        if not verdict.private:
            assert set(verdict.worst.set) == {y for y in range(3) if rows[i][y] > above * rows[j][y]}

    def check_epsilon(self, rows: Any, pairs: Any, delta: Fraction, found: tuple[float, float]) -> None:
        """At most one double apart; private just above the upper, not just below the lower."""
        low, high = found
        if high == math.inf:
            assert low == math.inf
            assert any(sum((a for a, b in zip(rows[i], rows[j], strict=True) if not b), F(0)) > delta for i, j in pairs)
            return
        assert high <= math.nextafter(math.nextafter(low, math.inf), math.inf)
        assert all(divergence(rows[i], rows[j], exp_at_least(F(high))) <= delta for i, j in pairs)
        if low > 0:
            less = F(low) * (1 - F(1, 10**30))
            assert any(divergence(rows[i], rows[j], exp_at_most(less)) > delta for i, j in pairs)

    @settings(max_examples=30)
    @given(matrices(), st.sampled_from(["0", "1/3", "1e400"]), st.sampled_from(["0", "1/4"]), st.sampled_from(WAYS))
    def test_the_tight_epsilon_is_the_same_whatever_is_asked(
        self, rows: list[list[Fraction]], epsilon: str, delta: str, by: str
    ) -> None:
        infinite = certify(foreign(rows), epsilon="inf", delta=delta, by=by)
        assert infinite.epsilon == certify(foreign(rows), epsilon=epsilon, delta=delta, by=by).epsilon
        assert (infinite.private, infinite.delta) == (True, (0.0, 0.0))

    @settings(max_examples=30)
    @given(matrices(), st.sampled_from(["0", "1/3", "0.7", "3"]))
    def test_the_curve_is_the_delta(self, rows: list[list[Fraction]], epsilon: str) -> None:
        ((asked, low, high),) = privacy_curve(foreign(rows), None, [epsilon])
        verdict = certify(foreign(rows), epsilon=epsilon)
        assert asked == float(F(epsilon))
        if verdict.private:
            assert low == 0
            assert high < 1e-15
        else:
            assert (low, high) == verdict.delta
        assert certify(foreign(rows), epsilon=epsilon, delta=min(F(high), F(999, 1000))).private or high >= 0.999


def below(epsilon: Fraction) -> Fraction:
    """Return a rational just below e^epsilon, as fine as a certificate may have it."""
    return F(math.floor(exp_at_most(epsilon) * (1 - F(epsilon > 0, 2**150)) * 2**320), 2**320)


def verdict_of_the_checker(rows: list[list[Fraction]], epsilon: Fraction, delta: Fraction) -> bool:
    """Whether a certificate with this mechanism fails at its privacy."""
    common = [math.lcm(*(p.denominator for p in row)) for row in rows]
    integers = [[int(p * n) for p in row] for row, n in zip(rows, common, strict=True)]
    k = len(rows)
    document = {
        "format": FORMAT,
        "labels": {"categories": list(range(k)), "outputs": [0, 1, 2], "profiles": list(range(k))},
        "profiles": [{"group": i, "masses": [int(i == x) for x in range(k)]} for i in range(k)],
        "matrices": [[row if i == x else [] for x, row in enumerate(integers)] for i in range(k)],
        "bits": 320, "epsilons": [str(epsilon)], "deltas": [str(delta)],
        "edges": [[i, j, 0, 0] for i in range(k) for j in range(i + 1, k)],
        "objective": "expected-loss", "loss": [[0] * 3] * k, "loss_unit": 1, "weights": [1] * k,
        "value": "0", "bound": "0", "entries": [], "privacy": [],
    }  # fmt: skip
    try:
        checker.check(json.dumps(document))
    except checker.Rejected as reason:
        status = reason.status
    else:
        return True
    assert status == 15
    return False


class TestBoundary:
    @pytest.mark.slow
    @settings(max_examples=35)
    @given(matrices(), st.sampled_from([F(0), F(1, 3), F(7, 10), F(2)]), st.sampled_from([F(0), F(1, 10**40)]))
    def test_delta_just_enough(self, rows: list[list[Fraction]], epsilon: Fraction, more: Fraction) -> None:
        """At the tight delta for a rational below e^epsilon both accept; 10^-40 less, both refuse."""
        pairs = [(p, q) for p in rows for q in rows]
        enough = max(divergence(p, q, below(epsilon)) for p, q in pairs) + more
        for delta in (enough, enough - F(1, 10**40), enough + F(1, 10**40)):
            if 0 <= delta < 1:
                private = certify(foreign(rows), epsilon=epsilon, delta=delta).private
                assert private == all(divergence(p, q, exp_at_most(epsilon)) <= delta for p, q in pairs)
                assert private == verdict_of_the_checker(rows, epsilon, delta)

    @pytest.mark.slow
    @settings(max_examples=35)
    @given(matrices(), st.sampled_from([F(0), F(1, 5)]))
    def test_epsilon_just_enough(self, rows: list[list[Fraction]], delta: Fraction) -> None:
        """Both accept the tight epsilon rounded up, and refuse the double below it rounded down."""
        low, high = certify(foreign(rows), epsilon=0, delta=delta).epsilon
        if high == math.inf:
            assert not verdict_of_the_checker(rows, F(700), delta)
            return
        assert certify(foreign(rows), epsilon=high, delta=delta).private
        assert verdict_of_the_checker(rows, F(high), delta)
        if low > 0:
            less = F(math.nextafter(low, 0))
            assert not certify(foreign(rows), epsilon=less, delta=delta).private
            assert not verdict_of_the_checker(rows, less, delta)

    def test_closer_than_doubles(self) -> None:
        """Ratios within 10^-60 of 1, or of e."""
        tiny = F(1, 10**60)
        verdict = certify(foreign([[F(1, 2), F(1, 2)], [F(1, 2) + tiny, F(1, 2) - tiny]]), epsilon=0)
        assert not verdict.private
        assert verdict.by_rounding
        assert 0 <= verdict.epsilon[0] <= 2e-60 <= verdict.epsilon[1] <= 1e-39
        for side, ratio in ((True, exp_at_most(F(1))), (False, exp_at_least(F(1)))):
            p = ratio / (1 + ratio)
            found = certify(foreign([[p, 1 - p], [1 - p, p]]), epsilon=1)
            assert found.private == side
            assert found.worst is not None
            assert (found.worst.gap[0] > 0) == (not side)  # however small it is

    def test_one_edge_misses_by_rounding_and_another_by_much(self) -> None:
        half = F(1, 2)
        rows = [[half, half], [half + F(1, 10**15), half - F(1, 10**15)], [F(3, 4), F(1, 4)]]
        graph = profile_graph(dict(enumerate(rows)), edges=[(0, 1), (1, 2)], categories=["u", "v"])
        verdict = certify(mechanism_from_matrix([[1, 0], [0, 1]], inputs=["u", "v"]), graph, epsilon=0)
        assert (verdict.private, verdict.by_rounding) == (False, False)
        assert verdict.worst is not None
        assert set(verdict.worst.edge) == {1, 2}

    @pytest.mark.parametrize("epsilon", ["700", "701", "99999", "1e6", "1e9", "1e300", "1e400", "inf"])
    def test_a_large_epsilon(self, epsilon: str) -> None:
        assert certify(COIN, epsilon=epsilon).private
        verdict = certify(foreign([[1, 0], [0, 1]]), epsilon=epsilon)
        assert verdict.private == (epsilon == "inf")
        assert verdict.epsilon == (math.inf, math.inf)
        assert verdict.delta[1] == (epsilon != "inf")

    def test_a_large_ratio(self) -> None:
        mechanism = foreign([[F(1, 2), F(1, 2)], [1 - F(1, 10**390), F(1, 10**390)]])
        tight = 390 * math.log(10) - math.log(2)
        assert certify(mechanism, epsilon=1).epsilon == pytest.approx((tight, tight), rel=1e-15)
        assert certify(mechanism, epsilon=897.4).private
        assert not certify(mechanism, epsilon=897.3).private

    @pytest.mark.parametrize(("epsilon", "k"), [(0.1, 2), (0.5, 3), (1.0, 4), (2.0, 10), (3.7, 25)])
    def test_k_rr_in_doubles(self, epsilon: float, k: int) -> None:
        """Half of such matrices miss by a rounding, and the verdict says that it is one."""
        other = 1 / (math.exp(epsilon) + k - 1)
        rows = np.full((k, k), other) + np.diag([math.exp(epsilon) * other - other] * k)
        rows[0] = np.nextafter(rows[0], np.where(np.arange(k) == 0, 1, 0))
        verdict = certify(mechanism_from_matrix(rows), epsilon=epsilon)
        assert (verdict.private, verdict.by_rounding) == (False, True)
        assert verdict.sentence().startswith("Refuted, but by rounding only: it satisfies epsilon = ")
        assert certify(mechanism_from_matrix(rows), epsilon=verdict.epsilon[1]).private
        assert certify(mechanism_from_matrix(rows), epsilon=epsilon, delta=verdict.delta[1]).private
        worse = certify(mechanism_from_matrix(rows), epsilon=epsilon - 1e-6)
        assert (worse.private, worse.by_rounding) == (False, False)


class TestGraphs:
    PROFILES = {"a": ["1/2", "1/2"], "b": ["1/4", "3/4"], "c": ["1", "0"]}  # noqa: RUF012
    IDENTITY = mechanism_from_matrix([[1, 0], [0, 1]], inputs=["u", "v"])

    def graph(self, **edges: dict[str, Any]) -> Any:
        graph = profile_graph(self.PROFILES, edges=[(edge[0], edge[1]) for edge in edges], categories=["u", "v"])
        for edge, own in edges.items():
            graph.edges[tuple(edge)].update(own)
        return graph

    @pytest.mark.parametrize(
        ("edges", "private", "epsilon"),
        [
            ({"ab": {}}, True, math.log(2)),
            ({"ab": {"distance": F(2)}}, True, math.log(2) / 2),
            ({"ab": {"distance": F(1, 2)}}, False, 2 * math.log(2)),
            ({"ab": {"epsilon": F(7, 10)}}, True, 0),  # met whatever is asked
            ({"ab": {"epsilon": F(6, 10)}}, False, math.inf),  # unmet whatever is asked
            ({"ab": {"epsilon": F(6, 10), "delta": F(1, 5)}}, True, 0),
            ({"ab": {"delta": F(1, 4)}}, True, 0),
            ({"ab": {"delta": F(1, 5)}}, True, math.log(1.2)),  # by {u}: (1/2 - 1/5)/(1/4)
            ({"ab": {"distance": F(0)}}, False, math.inf),
            ({"bc": {}}, False, math.inf),
            ({"bc": {"epsilon": math.inf}}, True, 0),
            ({"bc": {"epsilon": math.inf}, "ab": {}}, True, math.log(2)),
            ({"bc": {"delta": F(3, 4)}, "ab": {}}, True, math.log(2)),
            ({}, True, 0),
        ],
        ids=str,
    )
    def test_edges(self, edges: dict[str, dict[str, Any]], private: bool, epsilon: float) -> None:
        for way in WAYS:
            verdict = certify(self.IDENTITY, self.graph(**edges), epsilon=1, by=way)
            assert verdict.private == private
            if {"ab": {"delta": F(1, 5)}} != edges:
                assert verdict.epsilon == pytest.approx((epsilon, epsilon), rel=1e-15)
            else:
                assert verdict.epsilon == pytest.approx((math.log(1.2),) * 2, rel=1e-15)
            infinite = certify(self.IDENTITY, self.graph(**edges), epsilon=math.inf, by=way)
            assert infinite.epsilon == verdict.epsilon
            fixed = edges.get("ab", {}).get("distance") == 0 or "epsilon" in edges.get("ab", {})
            assert infinite.private == (private or not fixed)

    def test_what_does_not_fit(self) -> None:
        graph = self.graph(ab={})
        with pytest.raises(InputError, match="categories"):
            certify(COIN, graph, epsilon=1)
        made = design(graph, epsilon="1/2").mechanism
        certify(made, graph, epsilon="1/2")
        other = profile_graph({"a": ["1/2", "1/2"], "z": [0, 1]}, edges=[("a", "z")], categories=["u", "v"])
        if not (made.index == made.index[0]).all():
            with pytest.raises(InputError, match="no rows for the profile 'z'"):
                certify(made, other, epsilon=1)
        with pytest.raises(InputError, match="by: expected one of sets, lp, exhaustive"):
            certify(COIN, epsilon=1, by="guess")
        for bad in ({"epsilon": -1}, {"epsilon": "x"}, {"epsilon": 1, "delta": 1}, {"epsilon": math.nan}):
            with pytest.raises(InputError):
                certify(COIN, **bad)


def test_a_curve_at_an_epsilon_beyond_doubles() -> None:
    (finite, *delta), (infinite, *none) = privacy_curve(COIN, None, ["1e400", "inf"])
    assert finite == sys.float_info.max
    assert delta == none == [0.0, 0.0]
    assert infinite == math.inf
    lies = mechanism_from_matrix([[1, 0], [0, 1]])
    assert privacy_curve(lies, None, ["1e400"]) == [(sys.float_info.max, 0.0, 1.0)]


def test_categories_that_differ_in_order_or_kind() -> None:
    graph = value_graph(["no", "yes"])
    flipped = mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["yes", "no"])
    with pytest.raises(
        InputError,
        match=r"expected the graph's categories .*'no', 'yes'.*; the order differs; `graph from-table --categories`",
    ):
        certify(flipped, graph, epsilon=1)
    with pytest.raises(InputError, match=r"found \(0, 1\) in the mechanism; mechanism_from_matrix"):
        certify(COIN, graph, epsilon=1)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_said_to_hold_holds_as_the_decimal_that_is_printed(seed: int) -> None:
    """The double that is an upper bound may print as less than it is: 1e-17 below the tight epsilon."""
    weights = np.random.default_rng(seed).integers(1, 50, (3, 4))
    mechanism = foreign([[F(int(w), int(row.sum())) for w in row] for row in weights])
    (low, high), once = certify(mechanism).epsilon, compose(mechanism).epsilon
    assert once == (low, high)
    assert certify(mechanism, epsilon=repr(high)).private
    assert not certify(mechanism, epsilon=repr(low)).private
    delta_low, delta_high = certify(mechanism, epsilon="0.1").delta
    assert certify(mechanism, epsilon="0.1", delta=repr(delta_high)).private
    assert delta_low == 0 or not certify(mechanism, epsilon="0.1", delta=repr(math.nextafter(delta_low, 0))).private
