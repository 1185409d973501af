"""What a verdict says: each sentence is true of what was asked, also where edges have epsilons of their own."""

import math
from fractions import Fraction
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechdesign import InputError, Verdict, certify, mechanism_from_matrix, profile_graph, scaled
from mechdesign.certifier import shortlist
from mechdesign.certifier.findings import Worst

F = Fraction
IDENTITY = mechanism_from_matrix([[1, 0], [0, 1]], inputs=["u", "v"])
PROFILES = {"a": ["1/2", "1/2"], "b": ["1/4", "3/4"], "c": ["1", "0"], "d": ["3/8", "5/8"]}
LN2 = math.log(2)


def graph_with(**edges: dict[str, Any]) -> nx.Graph:
    """Return the graph with edges such as ab, and their attributes."""
    graph = profile_graph(PROFILES, edges=[(edge[0], edge[1]) for edge in edges], categories=["u", "v"])
    for edge, own in edges.items():
        graph.edges[tuple(edge)].update(own)
    return graph


def verdict_of(edges: dict[str, dict[str, Any]], **asked: Any) -> Verdict:
    return certify(IDENTITY, graph_with(**edges), **asked)


class TestScale:
    @pytest.mark.parametrize(
        ("edges", "scale"),
        [
            ({"ab": {}}, None),
            ({"ab": {"distance": 2}}, None),
            ({"ab": {"epsilon": 1}}, LN2),
            ({"ab": {"epsilon": "1/3"}}, 3 * LN2),
            ({"ab": {"epsilon": 1, "delta": "1/4"}}, 0.0),
            ({"ab": {"epsilon": 1, "delta": "1/5"}}, math.log(1.2)),
            ({"ab": {"epsilon": 0}}, math.inf),
            ({"ab": {"epsilon": 0, "delta": "1/4"}}, 0.0),
            ({"ab": {"epsilon": math.inf}}, 0.0),
            ({"ab": {"epsilon": "1e300"}}, LN2 / 1e300),
            ({"ac": {"epsilon": 5}}, math.inf),
            ({"ac": {"epsilon": math.inf}, "ab": {"epsilon": 2}}, LN2 / 2),
            ({"ac": {}, "ab": {"epsilon": 2}}, LN2 / 2),
        ],
        ids=str,
    )
    @pytest.mark.parametrize("epsilon", [0, 1, math.inf])
    def test_by_hand(self, edges: dict[str, dict[str, Any]], scale: float | None, epsilon: float) -> None:
        found = verdict_of(edges, epsilon=epsilon).scale
        assert (found is None) == (scale is None)
        if found is not None and scale is not None:
            assert found == pytest.approx((scale, scale), rel=1e-15)
            assert found[0] <= found[1] <= math.nextafter(math.nextafter(found[0], math.inf), math.inf)

    @pytest.mark.slow
    @settings(max_examples=30)
    @given(
        st.lists(st.lists(st.integers(1, 9), min_size=3, max_size=3), min_size=3, max_size=3),
        st.lists(st.fractions(F(1, 10), 3, max_denominator=10), min_size=3, max_size=3),
    )
    def test_scaled_by_it_the_graph_holds_and_by_less_it_does_not(self, rows: Any, epsilons: list[Fraction]) -> None:
        graph = profile_graph({n: [F(w, sum(row)) for w in row] for n, row in enumerate(rows)}, edges="all",
                              categories=["x", "y", "z"])  # fmt: skip
        for (_, _, edge), epsilon in zip(graph.edges(data=True), epsilons, strict=True):
            edge["epsilon"] = epsilon
        mechanism = mechanism_from_matrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]], inputs=["x", "y", "z"])
        scale = certify(mechanism, graph).scale
        assert scale is not None
        assert certify(mechanism, scaled(graph, scale[1])).private
        if scale[0] > 0:
            assert not certify(mechanism, scaled(graph, F(scale[0]) * (1 - F(1, 10**20)))).private

    @pytest.mark.parametrize("seed", range(4))
    def test_many_edges(self, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
        """The shortlist of edges to be looked at exactly keeps those that decide the scale; four graphs as a sample."""
        mass = [F(3 + (7 * n * (seed + 1)) % 11, 17) for n in range(12)]
        graph = profile_graph({n: [p, 1 - p] for n, p in enumerate(mass)}, edges="all", categories=["u", "v"])
        for n, (_, _, edge) in enumerate(graph.edges(data=True)):
            if n % 3:
                edge["epsilon"] = F(1 + (n * 5) % 9, 3 + seed) if n % 7 else F(10**6)
        slow = certify(IDENTITY, graph, epsilon="1/2")
        monkeypatch.setattr(shortlist, "FEW", 1)
        quick = certify(IDENTITY, graph, epsilon="1/2")
        assert (quick.scale, quick.epsilon, quick.private) == (slow.scale, slow.epsilon, slow.private)
        for asked in (math.inf, 100):  # so that edges without their own do not hide those with it
            assert certify(IDENTITY, graph, epsilon=asked).private == slow.private
            assert certify(IDENTITY, graph, epsilon=asked).by_rounding == slow.by_rounding


class TestSentences:
    @pytest.mark.parametrize(
        ("edges", "asked", "words"),
        [
            ({}, 1, "no edge requires anything"),
            (
                {"ab": {}},
                1,
                "private on 1 edge: 1 of 6 pairs of profiles; nothing is proved of the others. "
                "The tight epsilon is 0.69314718",
            ),
            (
                {"ab": {"epsilon": "0.7"}, "bc": {"epsilon": math.inf}},
                "0.01",
                "Certified: each of 2 edges meets its own epsilon (0.7 to inf), and would meet 0.99021",
            ),
            ({"ab": {"epsilon": "0.7"}}, "0.01", "Certified: the only edge meets its own epsilon (0.7), and would"),
            ({"ab": {"epsilon": "0.7"}}, "0.01", "(rounded up). An epsilon asked for applies to no edge."),
            ({"ab": {"epsilon": "0.7"}}, math.inf, "Certified: the only edge meets its own epsilon (0.7), and would"),
            (
                {"ab": {}, "bc": {"epsilon": math.inf}},
                1,
                "nothing is proved of the others. The epsilon asked for applies to 1 of them, where 0.6931471",
            ),
            (
                {"ab": {}, "bc": {"epsilon": math.inf}},
                1,
                " The other edge meets its own epsilon (inf), and would meet 0.0",
            ),
            ({"ab": {}}, math.inf, "It satisfies epsilon = 0.6931471805599454 (rounded up), and none below 0.69314718"),
            ({"ac": {}}, math.inf, "It satisfies no finite epsilon at the delta asked."),
            (
                {"ac": {}, "ab": {"epsilon": 1}},
                math.inf,
                "no finite epsilon at the delta asked, on the 1 edge that",
            ),
            ({"ab": {}}, "1/2", "Refuted: on the set below, a exceeds what b allows by 0.0878196"),
            ({"ab": {"epsilon": "1/2"}}, 5, "Each edge has its own epsilon (0.5); all hold at 1.38629436111"),
            ({"ac": {"epsilon": "1/2"}}, 5, "Each edge has its own epsilon (0.5); all hold at no multiple of it."),
            ({"ab": {"epsilon": LN2 * (1 - 1e-14)}}, 5, "but by rounding only: each edge meets 1.00000000000001"),
            (
                {"ab": {"epsilon": LN2 * (1 - 1e-14)}, "bc": {}},
                "1e9",
                "Refuted: on the set below, b exceeds what c",  # [1/4, 3/4] against [1, 0]: nothing is enough
            ),
            (
                {"ab": {"epsilon": LN2 * (1 - 1e-14)}, "bc": {"delta": "9/10"}},
                1,
                "Refuted, but by rounding only: the epsilons required with delta = ",
            ),
        ],
        ids=range(17),
    )
    def test_each_case(self, edges: dict[str, dict[str, Any]], asked: float, words: str) -> None:
        verdict = verdict_of(edges, epsilon=asked)
        assert words in verdict.sentence()
        assert verdict.edges == len(edges)
        assert verdict.edges_asked == sum("epsilon" not in own for own in edges.values())


class TestNothingAsked:
    def test_only_own_epsilons_are_required(self) -> None:
        assert verdict_of({"ac": {}, "ab": {"epsilon": "0.7"}}).private
        refuted = verdict_of({"ac": {}, "ab": {"epsilon": "0.6"}})
        assert not refuted.private
        assert refuted.worst is not None
        assert refuted.worst.edge == ("a", "b")
        assert refuted.sentence().startswith("Refuted: ")

    def test_the_worst_edge_is_the_one_that_needs_most(self) -> None:
        """And by how much it misses is exact: nothing at its tight epsilon, what has no place if that is infinite."""
        needed = verdict_of({"ab": {"distance": 10}, "ad": {}}).worst  # ln(2)/10 and ln(4/3)
        assert needed == Worst(("a", "d"), ("u",), (F(0), F(0)))
        infinite = verdict_of({"ac": {"delta": "1/10"}}, delta="1/5").worst
        assert infinite == Worst(("a", "c"), ("v",), (F(2, 5), F(2, 5)))


class TestScaled:
    def test_only_own_epsilons_change(self) -> None:
        graph = graph_with(ab={"epsilon": "1/3", "delta": "1/9"}, bc={"distance": 2})
        result = scaled(graph, "3/2")
        assert result.edges["a", "b"] == {"epsilon": F(1, 2), "delta": F(1, 9)}
        assert result.edges["b", "c"] == {"distance": F(2)}
        assert graph.edges["a", "b"]["epsilon"] == "1/3"

    @pytest.mark.parametrize("factor", [0, "1/2", math.inf])
    def test_none_and_infinite_stay(self, factor: Any) -> None:
        result = scaled(graph_with(ab={"epsilon": 0}, bc={"epsilon": math.inf}), factor)
        assert [edge["epsilon"] for *_, edge in result.edges(data=True)] == [0, math.inf]

    @pytest.mark.parametrize("factor", [-1, "x", math.nan, None])
    def test_bad_factors(self, factor: Any) -> None:
        with pytest.raises(InputError, match=r"^factor: expected a number >= 0 or inf, found "):
            scaled(graph_with(ab={}), factor)
