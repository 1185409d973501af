"""Profiles within bounds, beside every vertex of their sets and every set of outputs; and what by="lp" solves."""

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import highspy
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.divergence import exp_at_least, exp_at_most
from oracles.vertices import extremes, released, vertices
from strategies import bounded_graphs, stochastic

from mechdesign import (
    InputError,
    Verdict,
    certify,
    mechanism_from_matrix,
    privacy_curve,
    profile_graph,
    tight_epsilons,
    value_graph,
)
from mechdesign.certificate import checker
from mechdesign.certifier.applied import ranges_under
from mechdesign.certifier.evidence import evidence, evidence_of
from mechdesign.certifier.ranges import Ranges, Within
from mechdesign.certifier.tight import pairs
from mechdesign.graph.uncertainty import nominal, uncertainty_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.asked import Asked
from mechdesign.privacy.requirement import Directed, Requirement, every

F = Fraction
DELTAS = st.sampled_from([F(0), F(1, 50), F(1, 4)])
EPSILONS = st.sampled_from(["0", "0.1", "0.6931471805599453", "2"])


@st.composite
def instances(draw: st.DrawFn, *, columns: int = 3) -> tuple[nx.Graph, list[list[Fraction]]]:
    d = draw(st.integers(1, 3))
    return draw(bounded_graphs(categories=d)), draw(stochastic(d, draw(st.integers(1, columns))))


def mechanism_of(rows: list[list[Fraction]]) -> Mechanism:
    return mechanism_from_matrix(np.array(rows, dtype=object), inputs=range(len(rows)))


def needed(graph: nx.Graph, rows: list[list[Fraction]], delta: Fraction) -> dict[Any, Fraction | float]:
    """Return the least e^epsilon >= 1 of each directed edge, from the definition."""
    most = {profile: extremes(graph.nodes[profile], rows) for profile in graph}
    found = {}
    for i, j in [(0, 1), (1, 0)]:
        ratios: list[Fraction | float] = [F(1)]
        for s, (_, high) in most[i].items():
            low = most[j][s][0]
            if high > delta:
                ratios.append((high - delta) / low if low else math.inf)
        found[i, j] = max(ratios)
    return found


def enough(graph: nx.Graph, rows: list[list[Fraction]], delta: Fraction) -> dict[Any, Fraction | float]:
    """Return the least e^epsilon >= 1 at which the worst cases of the outputs of each directed edge add up to delta."""
    most = {profile: extremes(graph.nodes[profile], rows) for profile in graph}
    found = {}
    for i, j in [(0, 1), (1, 0)]:
        ratios: list[Fraction | float] = [F(1)]
        for s in most[i]:
            high, low = sum((most[i][y,][1] for y in s), F(0)), sum((most[j][y,][0] for y in s), F(0))
            if high > delta:
                ratios.append((high - delta) / low if low else math.inf)
        found[i, j] = max(ratios)
    return found


def added(graph: nx.Graph, rows: list[list[Fraction]], ratio: Fraction) -> Fraction:
    """Return what the worst cases of the outputs add up to at a ratio, from the definition; at most 1."""
    most = {profile: extremes(graph.nodes[profile], rows) for profile in graph}
    ends = ([(most[i][y,][1], most[j][y,][0]) for y in range(len(rows[0]))] for i, j in [(0, 1), (1, 0)])
    return min(F(1), max(sum((max(F(0), high - ratio * low) for high, low in one), F(0)) for one in ends))


def excess(graph: nx.Graph, rows: list[list[Fraction]], ratio: Fraction) -> Fraction:
    """Return the least delta at a ratio, from the definition."""
    most = {profile: extremes(graph.nodes[profile], rows) for profile in graph}
    return max((most[i][s][1] - ratio * most[j][s][0] for i, j in [(0, 1), (1, 0)] for s in most[0]), default=F(0))


def assert_around(bounds: tuple[float, float], ratio: Fraction | float) -> None:
    """Check that doubles are tight around the logarithm of a ratio."""
    low, high = bounds
    if isinstance(ratio, float):
        assert low == high == math.inf
        return
    assert exp_at_most(F(low)) <= ratio <= exp_at_least(F(high))
    assert high <= math.nextafter(math.nextafter(low, 9e9), 9e9)


def assert_between(bounds: tuple[float, float], least: Fraction | float, most: Fraction | float) -> None:
    """Check that doubles are a lower bound of what a set needs, and a tight upper bound of what is enough."""
    low, high = bounds
    assert low == math.inf == least if low == math.inf else exp_at_most(F(low)) <= least
    if most == math.inf:
        assert high == math.inf
        return
    assert most <= exp_at_least(F(high))
    assert exp_at_most(max(F(0), F(math.nextafter(math.nextafter(high, 0.0), 0.0)))) <= most


class TestFromTheDefinition:
    @settings(max_examples=35)
    @given(instances(), DELTAS, EPSILONS)
    def test_everything(self, instance: Any, delta: Fraction, epsilon: str) -> None:
        """Verdict, epsilon and delta, and a witness that a stranger can redo."""
        graph, rows = instance
        verdict = certify(mechanism_of(rows), graph, epsilon=epsilon, delta=delta)
        below, above = exp_at_most(F(epsilon)), exp_at_least(F(epsilon))
        least, most = max(needed(graph, rows, delta).values()), max(enough(graph, rows, delta).values())
        assert (verdict.private is True) is (most <= below)
        assert verdict.private is not False or least > below
        assert_between(verdict.epsilon, least, most)
        if not verdict.private or delta:
            low, high = map(F, verdict.delta)
            assert low <= excess(graph, rows, below)
            assert added(graph, rows, above) <= high <= added(graph, rows, below) + F(1, 10**15)
        if verdict.exact or not delta:
            assert_around(verdict.epsilon, least)
        worst = verdict.worst
        assert worst is not None
        if not verdict.robust:
            assert worst.profiles is None
            return
        if worst.profiles is not None:
            for name, masses in zip(worst.edge, worst.profiles, strict=True):
                assert uncertainty_of(graph.nodes[name]).holds(masses)
                assert sum(masses) == 1
            here, there = (
                sum((released(masses, rows)[y] for y in range(len(rows[0])) if y in worst.set), F(0))
                for masses in worst.profiles
            )
            assert worst.gap[0] - F(1, 2**60) <= here - below * there - delta
            assert here - above * there - delta <= worst.gap[1] + F(1, 2**60)
        assert (worst.gap[0] > 0) == (verdict.private is False)

    @given(instances(), DELTAS, EPSILONS)
    def test_what_holds_at_each_distribution(self, instance: Any, delta: Fraction, epsilon: str) -> None:
        """Each two vertices, as known profiles, need what is said of all; single outputs need just that."""
        graph, rows = instance
        verdict = certify(mechanism_of(rows), graph, epsilon=epsilon, delta=delta)
        listed = {pair.refuted_at_each for pair in pairs(mechanism_of(rows), graph, epsilon=epsilon, delta=delta)}
        if not verdict.robust:
            assert (verdict.at_each, verdict.refuted_at_each, listed) == (None, False, {None})
            return
        assert (True in listed, None in listed) == (verdict.refuted_at_each, False)
        assert verdict.at_each is not None
        assert verdict.at_each <= verdict.epsilon[1]
        assert not verdict.refuted_at_each or verdict.private is False
        for ends in product(*(vertices(graph.nodes[profile]) for profile in (0, 1))):
            known = profile_graph(dict(enumerate(ends)), edges=[(0, 1)], categories=graph.graph["categories"])
            ratio = max(needed(known, rows, delta).values())
            assert verdict.at_each == math.inf == ratio or exp_at_most(F(verdict.at_each)) <= ratio
            assert not verdict.refuted_at_each or ratio > exp_at_most(F(epsilon))
        if not delta and verdict.at_each < math.inf:
            most = {profile: extremes(graph.nodes[profile], rows) for profile in graph}
            single = [((y,), i, j) for y in range(len(rows[0])) for i, j in [(0, 1), (1, 0)]]
            ratios = [most[i][y][0] / most[j][y][1] for y, i, j in single if most[j][y][1]]
            assert max([F(1), *ratios]) <= exp_at_least(F(math.nextafter(verdict.at_each, 9e9)))

    def test_nothing_is_needed_at_each_where_nothing_is_known(self) -> None:
        """Each profile may be the other: no output has to be released, so that none needs more than epsilon 0."""
        anything = {"distribution": ["0.5", "0.5"], "lower": [0, 0], "upper": [1, 1]}
        graph = nx.Graph([("a", "b")], categories=[0, 1])
        graph.add_nodes_from([("a", anything), ("b", anything)])
        verdict = certify(mechanism_of([[F(1), F(0)], [F(0), F(1)]]), graph, epsilon=1)
        assert (verdict.private, verdict.at_each, verdict.refuted_at_each) == (False, 0, False)

    @given(instances(), DELTAS)
    def test_each_pair(self, instance: Any, delta: Fraction) -> None:
        graph, rows = instance
        found, expected = tight_epsilons(mechanism_of(rows), graph, delta=delta), needed(graph, rows, delta)
        assert found.keys() == expected.keys()
        for edge, bounds in found.items():
            assert_between(bounds, expected[edge], enough(graph, rows, delta)[edge])

    @settings(max_examples=35)
    @given(instances(columns=6), DELTAS, EPSILONS)
    def test_what_is_said_is_what_a_file_proves(self, instance: Any, delta: Fraction, epsilon: str) -> None:
        """Private: the checker accepts a certificate. Refuted: a refutation. Neither: no certificate is accepted."""
        graph, rows = instance
        verdict = certify(mechanism_of(rows), graph, epsilon=epsilon, delta=delta)
        if verdict.private is None:
            with pytest.raises(InputError, match="no proof: neither that it is private nor that it is not is proved"):
                evidence(mechanism_of(rows), graph, epsilon=epsilon, delta=delta)
            one = replace(verdict, private=True)
            with pytest.raises(InputError, match="no certificate: it is private by less than the checker can show"):
                evidence_of(one, mechanism_of(rows), Asked(graph), F(epsilon), delta)
            return
        _, document = evidence(mechanism_of(rows), graph, epsilon=epsilon, delta=delta)
        expected = checker.CERTIFICATE if verdict.private else checker.REFUTATION
        assert checker.check(json.dumps(document)).format == expected


class TestExtremes:
    @given(instances())
    def test_the_vertices(self, instance: Any) -> None:
        """Of every set of outputs, and of each output alone."""
        graph, rows = instance
        _, ranges = ranges_under(mechanism_of(rows), Asked(graph))
        if not isinstance(ranges, Within):
            return
        for profile, one in enumerate(ranges._reachable):
            expected = extremes(graph.nodes[profile], rows)
            for outputs, found in expected.items():
                assert (one.at_least(outputs)[0], one.at_most(outputs)[0]) == found
            for y, (low, high) in enumerate(zip(one.least.fractions(), one.most.fractions(), strict=True)):
                assert (low, high) == expected[y,]


@pytest.mark.slow
@settings(max_examples=25)
@given(st.data(), DELTAS, EPSILONS)
def test_no_distribution_within_exceeds_what_is_said(data: st.DataObject, delta: Fraction, epsilon: str) -> None:
    """Mixtures of vertices, each with a matrix of its own: the tight epsilon and delta hold of them."""
    d, m = data.draw(st.integers(2, 4)), data.draw(st.integers(2, 5))
    graph = data.draw(bounded_graphs(categories=d, profiles=3))
    rows = {profile: data.draw(stochastic(d, m)) for profile in graph}
    weights = np.array([[int(60 * mass) for mass in row] for own in rows.values() for row in own], dtype=object)
    rows = {i: [[F(int(w), int(sum(row))) for w in row] for row in weights[i * d : (i + 1) * d]] for i in rows}
    mechanism = Mechanism(graph, tuple(range(m)), weights, np.arange(3 * d).reshape(3, d))
    verdict = certify(mechanism, graph, epsilon=epsilon, delta=delta)
    inner = nominal(graph)
    for profile, attributes in graph.nodes.items():
        ends = vertices(attributes)
        shares = [data.draw(st.integers(1, 3)) for _ in ends]
        mixed = [sum((s * end[x] for s, end in zip(shares, ends, strict=True)), F(0)) / sum(shares) for x in range(d)]
        inner.nodes[profile]["distribution"] = tuple(mixed)
    there = certify(mechanism, inner, epsilon=epsilon, delta=delta)
    assert there.epsilon[0] <= verdict.epsilon[1]
    assert there.delta[0] <= verdict.delta[1] or verdict.private
    assert there.private or not verdict.private


def some_graph(k: int, d: int, **bounds: Any) -> nx.Graph:
    rng = np.random.default_rng(5)
    counts = rng.integers(1, 20, (k, d)).tolist()
    graph = profile_graph(
        {i: [F(count, sum(row)) for count in row] for i, row in enumerate(counts)},
        edges="all",
        categories=list(range(d)),
    )
    for attributes in graph.nodes.values():
        attributes.update(bounds)
    return graph


def some_matrix(d: int, m: int) -> Mechanism:
    counts = np.random.default_rng(6).integers(1, 50, (d, m)).tolist()
    return mechanism_of([[F(count, sum(row)) for count in row] for row in counts])


def mean_at_worst(ball: Any, values: Any) -> Any:
    """Return for each row of values their largest mean over a ball, in doubles."""
    centre, radius = np.array(list(map(float, ball.centre))), float(ball.radius)
    order = np.argsort(values, axis=1)
    width = centre[order]
    taken = np.clip(radius - np.cumsum(width, axis=1) + width, 0.0, width)
    ranked = np.take_along_axis(values, order, axis=1)
    return values @ centre + (taken * (ranked[:, -1:] - ranked)).sum(axis=1)


class TestManyOutputs:
    """An interval, proved on both sides."""

    GRAPH = some_graph(2, 4, radius=F(1, 50))
    MECHANISM = some_matrix(4, 18)

    def test_it_holds_what_every_set_says(self) -> None:
        """Of 2^18 sets the worst is found, from the definition; what outputs add up to is a little more."""
        low, high = certify(self.MECHANISM, self.GRAPH, epsilon="0.2", delta="0.01").epsilon
        (first, second), matrix = (uncertainty_of(one) for one in self.GRAPH.nodes.values()), self.MECHANISM.matrix(0)
        sets = (np.arange(2**18)[:, None] >> np.arange(18) & 1).astype(float)
        least = 0.0
        for one, other in ((first, second), (second, first)):
            most, fewest = (
                sign * mean_at_worst(end, sign * (sets @ matrix.T)) for end, sign in ((one, 1), (other, -1))
            )
            least = max(least, float(((most[1:] - 0.01) / fewest[1:]).max()))
        assert low == pytest.approx(math.log(least), abs=1e-12)
        assert low < high < 1.1 * low

    def test_three_answers(self) -> None:
        low, high = certify(self.MECHANISM, self.GRAPH, delta="0.01").epsilon
        assert low < high
        answers = {}
        for epsilon in (low * 0.99, (low + high) / 2, high):
            verdict = certify(self.MECHANISM, self.GRAPH, epsilon=epsilon, delta="0.01")
            answers[verdict.private] = verdict
        assert list(answers) == [False, None, True]
        refuted, undecided = answers[False], answers[None]
        assert refuted.worst is not None
        assert refuted.worst.gap[0] > 0
        assert undecided.worst is not None
        assert undecided.worst.gap[0] <= 0
        assert undecided.sentence() == (
            "Neither proved nor refuted: the worst cases of the outputs add up to more than delta, and no set of "
            "outputs is found to exceed it. Proved is for every distribution within the bounds: it satisfies epsilon = "
            f"{high!r}, or the epsilon asked with delta = {undecided.delta[1]!r} in place of the one asked. No epsilon "
            f"below {low!r} holds."
        )
        assert answers[True].sentence() == (
            "Certified: private on 1 edge, for every distribution within the bounds: the only pair of profiles. "
            f"Proved is epsilon = {high!r} (rounded up), and none below {low!r} holds."
        )
        met = {pair.met for pair in pairs(self.MECHANISM, self.GRAPH, epsilon=(low + high) / 2, delta="0.01")}
        assert None in met

    def test_the_curve_is_an_interval_too(self) -> None:
        (_, low, high), (_, _, end) = privacy_curve(self.MECHANISM, self.GRAPH, ["0.1", 100])
        assert 0 < low < high < 1.2 * low
        assert end == 0

    def test_edges_with_their_own_epsilon(self) -> None:
        low, high = certify(self.MECHANISM, self.GRAPH, delta="0.01").epsilon
        graph = self.GRAPH.copy()
        graph.edges[0, 1]["epsilon"] = F((low + high) / 2)
        verdict = certify(self.MECHANISM, graph, delta="0.01")
        assert verdict.private is None
        assert verdict.epsilon == (0.0, math.inf)
        assert verdict.scale is not None
        assert verdict.scale[0] < 1 < verdict.scale[1]


def test_sets_that_are_alike() -> None:
    """Symmetric profiles and rows: all sets of one size tie, and the worst of one output is found."""
    d = 8
    graph = profile_graph({i: [F(1, d)] * d for i in range(2)}, edges="all", categories=list(range(d)))
    for attributes in graph.nodes.values():
        attributes["radius"] = F(1, 10)
    rows = [[F(3 if x == y else 1, d + 2) for y in range(d)] for x in range(d)]
    verdict = certify(mechanism_of(rows), graph, delta="0.01")
    # Moving mass r to or from the categories of a set of size s: (s + 2 (s/d + r)) / (d + 2), and with - r.
    ratios = [(F(s) + F(2 * s, d) + F(1, 5) - F(d + 2, 100)) / (F(s) + F(2 * s, d) - F(1, 5)) for s in range(1, d)]
    low, high = verdict.epsilon
    assert exp_at_most(F(low)) <= max(ratios) <= exp_at_least(F(math.nextafter(low, 9.0)))
    most, least = (F(1, d) + sign * F(1, 5 * (d + 2)) for sign in (1, -1))  # of each output, all at once
    assert_between(verdict.epsilon, max(ratios), (most * d - F(1, 100)) / (least * d))
    assert not verdict.exact
    assert low < high


def test_a_category_that_only_others_within_the_bounds_have() -> None:
    """Its row counts, though the profile's own distribution never uses it."""
    graph = profile_graph({"a": [1, 0], "b": [1, 0]}, edges="all", categories=["u", "v"])
    graph.nodes["a"]["radius"] = F(1, 4)
    verdict = certify([["1/2", "1/2"], ["0", "1"]], graph, epsilon="0.1")
    assert not verdict.private
    assert verdict.worst is not None
    assert verdict.worst.edge == ("b", "a")
    assert verdict.worst.profiles == ((F(1), F(0)), (F(3, 4), F(1, 4)))
    assert_around(verdict.epsilon, F(4, 3))
    assert certify([["1/2", "1/2"], ["0", "1"]], graph, epsilon="0.1", nominal=True).private


def test_infinite() -> None:
    graph = profile_graph({"a": ["0.9", "0.1"], "b": ["0.5", "0.5"]}, edges="all", categories=["u", "v"])
    graph.nodes["a"]["radius"] = F(1, 5)
    for delta, private in (("0", False), ("0.3", False), ("0.6", True)):
        verdict = certify([[1, 0], [0, 1]], graph, epsilon=50, delta=delta)
        assert verdict.private is private
        assert (verdict.epsilon[1] == math.inf) is not private
    assert certify([[1, 0], [0, 1]], graph).sentence() == (
        "It satisfies no finite epsilon at the delta asked, for every distribution within the bounds."
    )


@pytest.mark.parametrize("delta", [F(0), F(1, 10**9)])
@pytest.mark.parametrize("tiny", [F(1, 10**8), F(1, 10**30), F(1, 10**400)])
def test_probabilities_beyond_doubles(tiny: Fraction, delta: Fraction) -> None:
    graph = profile_graph({0: [1, 0], 1: [0, 1]}, edges="all", categories=[0, 1])
    graph.nodes[0]["radius"] = F(1, 10**500)
    rows = [[F(1, 2), F(1, 4), F(1, 4) - tiny, tiny], [tiny, tiny, tiny, 1 - 3 * tiny]]
    found, expected = tight_epsilons(mechanism_of(rows), graph, delta=delta), needed(graph, rows, delta)
    for edge, bounds in found.items():
        assert_between(bounds, expected[edge], enough(graph, rows, delta)[edge])


def test_a_design_and_a_mechanism_without_a_graph() -> None:
    """The bounds are then those of the mechanism's own profiles."""
    graph = some_graph(3, 3, radius=F(1, 100))
    matrix = some_matrix(3, 3)
    mechanism = Mechanism(graph, matrix.outputs, matrix.rows, np.broadcast_to(np.arange(3), (3, 3)))
    one, other = certify(mechanism, epsilon=1), certify(matrix, graph, epsilon=1)
    assert one.robust
    assert one == replace(other, warning=None)  # its profiles are called as its inputs
    assert not certify(mechanism, epsilon=1, nominal=True).robust


def test_what_is_for_known_profiles_is_refused() -> None:
    graph = some_graph(2, 3, radius=F(1, 100))
    with pytest.raises(InputError, match=r"by: lp is for profiles that are known, .* or ask about the distributions"):
        certify(some_matrix(3, 3), graph, by="lp")
    assert certify(some_matrix(3, 3), graph, by="lp", nominal=True).epsilon[1] < 1


def random_matrix(k: int, m: int, seed: int, largest: int = 3) -> Mechanism:
    weights = np.random.default_rng(seed).integers(0, largest + 1, (k, m)).tolist()
    rows = [row if any(row) else [1] * m for row in weights]
    return mechanism_from_matrix(np.array([[F(weight, sum(row)) for weight in row] for row in rows], object))


def values_with_edges(seed: int, k: int) -> nx.Graph:
    """A graph of values whose edges have distances, deltas or epsilons of their own, or none."""
    draw = np.random.default_rng(seed)
    graph = value_graph(list(range(k)))
    own: list[dict[str, Any]] = [
        *({}, {"distance": 2}, {"distance": 0}, {"delta": "1/5"}, {"epsilon": "1/2"}, {"epsilon": "inf"}),
        {"epsilon": 1, "delta": "1/3"},
    ]
    for edge in graph.edges.values():
        edge.update(own[draw.integers(len(own))])
    return graph


def verdict_on_every_edge(*arguments: Any, **asked: Any) -> Verdict:
    """Return the verdict with the program of each directed edge solved."""

    def whole(_: Ranges, required: Sequence[Requirement]) -> list[Directed]:
        return every(required)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Ranges, "deciding", whole)
        return certify(*arguments, by="lp", **asked)


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.sampled_from(["inf", 0, "1/2", 2]), st.sampled_from([0, "1/10"]), st.booleans())
def test_the_verdict_is_that_of_all_programs(seed: int, epsilon: Any, delta: Any, alone: bool) -> None:
    """With ties, as the weights are few; the worst edge, its set and its gap as well."""
    arguments = random_matrix(4, 3, seed), None if alone else values_with_edges(seed, 4)
    asked = {"epsilon": epsilon, "delta": delta}
    assert certify(*arguments, by="lp", **asked) == verdict_on_every_edge(*arguments, **asked)
    assert certify(*arguments, by="lp", **asked).epsilon == certify(*arguments, **asked).epsilon


@pytest.mark.parametrize("delta", ["0", "1/20"])
def test_few_programs_are_solved(delta: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 15 profiles, 210 ordered pairs, which were solved two or three times each."""
    run, solved = highspy.Highs.run, []

    def counted(highs: highspy.Highs) -> Any:
        solved.append(highs)
        return run(highs)

    monkeypatch.setattr(highspy.Highs, "run", counted)
    mechanism = random_matrix(15, 10, 1, largest=1000)
    assert certify(mechanism, delta=delta, by="lp").epsilon == certify(mechanism, delta=delta).epsilon
    assert 1 < len(solved) < 60


def test_draws_that_are_put_through_a_matrix_once_more_are_noticed() -> None:
    """What changes nothing is how draws are judged; and what was designed for values within bounds is for these."""
    drawn = profile_graph({x: ["0.6", "0.4"] for x in "ab"}, edges=[("a", "b")], categories=["a", "b"])
    for profile in drawn:
        drawn.nodes[profile]["radius"] = F(1, 20)
    for rows, again in ([["3/4", "1/4"], ["1/4", "3/4"]], True), ([[1, 0], [0, 1]], False):
        warning = certify(mechanism_from_matrix(rows, inputs=["a", "b"]), drawn, epsilon=1).warning
        assert (warning is not None and "put through it once more" in warning) is again
