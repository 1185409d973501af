import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any
from unittest.mock import Mock

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.divergence import assert_private, exp_at_most
from oracles.linear_program import Model, constant, total
from strategies import deltas, epsilons

from mechdesign import (
    ExpectedLoss,
    InputError,
    MaxOffDiagonal,
    Mechanism,
    WorstLoss,
    check_certificate,
    design,
    profile_graph,
    value_graph,
)
from mechdesign.closed_form.one_bit_cluster import (
    FLIP_BITS,
    cluster_flips,
    flip_probability,
    flipped_by,
    rounded_up,
)
from mechdesign.designer.component import components
from mechdesign.exact.exponentials import exp_below
from mechdesign.objective import Objective
from mechdesign.privacy.requirement import Requirement, connected, requirements
from mechdesign.rounding.flip import exact_flip
from mechdesign.solver.least_flip import solve_flip

F = Fraction
CHANCES = st.fractions(0, 1, max_denominator=40)
DELTAS = st.sampled_from([F(0), F(1, 100), F(1, 5)])


def by_linear_program(p: Fraction, q: Fraction, ratio: Fraction, delta: Fraction) -> Fraction:
    """The least alpha <= 1/2 for which both outputs pass, both ways, written down from [GC] (4)."""
    model = Model()
    alpha = model.unknown()
    model.require(total([(1, constant(F(1, 2))), (-1, alpha)]))
    for a, b in ((p, q), (q, p)):
        one, other = (total([(1, constant(chance)), (1 - 2 * chance, alpha)]) for chance in (a, b))
        for sign in (1, -1):  # P(output) = one, or 1 - one
            start = constant((1 - sign) // 2)
            model.require(total([(ratio - 1, start), (sign * ratio, other), (1, constant(delta)), (-sign, one)]))
    return model.least(alpha)


@given(CHANCES, CHANCES, st.fractions(Fraction(1, 50), 4, max_denominator=50), DELTAS)
def test_the_formula_solves_the_program(p: Fraction, q: Fraction, epsilon: Fraction, delta: Fraction) -> None:
    ratio = exp_below(epsilon)
    assert flip_probability(p, q, ratio=ratio, delta=delta) == by_linear_program(p, q, ratio, delta)


@given(CHANCES, CHANCES, st.fractions(0, 5, max_denominator=50))
def test_never_more_than_warner(p: Fraction, q: Fraction, epsilon: Fraction) -> None:
    """alpha <= 1/(1 + e^eps), with equality iff the bits are sure and different."""
    ratio = exp_below(epsilon)
    found = flip_probability(p, q, ratio=ratio)
    assert found <= 1 / (1 + ratio)
    if epsilon > 0:
        assert (found == 1 / (1 + ratio)) == ({p, q} == {0, 1})


@given(st.data(), epsilons(), deltas())
def test_the_mechanism_is_private_and_rounded_up(data: st.DataObject, epsilon: Fraction, delta: Fraction) -> None:
    chances = data.draw(st.lists(CHANCES, min_size=1, max_size=4))
    pairs = [(i, j) for i in range(len(chances)) for j in range(i)]
    edges = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    graph = profile_graph(dict(enumerate([1 - p, p] for p in chances)), edges=edges, categories=["no", "yes"])
    result = design(graph, epsilon=epsilon, delta=delta, method="one-bit-cluster")
    assert_private(result.mechanism, graph, epsilon, delta)
    if epsilon == math.inf:
        assert result.value == 0
        return
    ratio, unit = exp_at_most(Fraction(epsilon)), Fraction(2, 2**FLIP_BITS)
    below = max(Fraction(1), ratio * (1 - Fraction(1, 2**63)))  # 64 bits of e^epsilon: where it is near 1, they count
    wanted, enough = (
        max((flip_probability(chances[i], chances[j], ratio=one, delta=delta) for i, j in edges), default=Fraction(0))
        for one in (ratio, below)
    )
    assert wanted <= result.value <= enough + unit
    if wanted > unit and epsilon > 0:  # one unit less would not do
        with pytest.raises(AssertionError):
            assert_private(with_flip(graph, wanted - unit), graph, epsilon, delta)


def with_flip(graph: nx.Graph, value: Fraction) -> Mechanism:
    rows = [[1 - value, value], [value, 1 - value]]
    weights = np.array([[int(entry * value.denominator) for entry in row] for row in rows], dtype=object)
    return Mechanism(graph, ("no", "yes"), weights, np.broadcast_to(np.arange(2), (len(graph), 2)))


@pytest.mark.parametrize("d", [1, 3])
def test_only_bits_can_be_flipped(d: int) -> None:
    remedies = "for one matrix for each cluster, use method auto with shared=True"
    remedies = f"join some .*, or, {remedies}" if d > 2 else remedies
    with pytest.raises(InputError, match=f"expected two categories, found {d}; {remedies}"):
        design(value_graph(range(d)), epsilon=1, method="one-bit-cluster")


def bits(chances: Sequence[Fraction | str], edges: Sequence[tuple[int, int]]) -> nx.Graph:
    profiles = dict(enumerate([1 - Fraction(p), Fraction(p)] for p in chances))
    return profile_graph(profiles, edges=edges, categories=["no", "yes"])


@st.composite
def graphs_of_bits(draw: st.DrawFn) -> nx.Graph:
    chances = draw(st.lists(CHANCES, min_size=1, max_size=5))
    pairs = [(i, j) for i in range(len(chances)) for j in range(i)]
    return bits(chances, draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else [])


def one_bit_cluster(graph: nx.Graph, required: Sequence[Requirement]) -> Mechanism:
    """Return the mechanism by its formula, [GC] Theorem 6: the largest flip that an edge of the component needs."""
    return flipped_by(graph, list(map(rounded_up, cluster_flips(graph, required))))


class TestTheLinearProgram:
    """[GC] (4) for a whole cluster: one variable."""

    @settings(max_examples=25)
    @given(graphs_of_bits(), epsilons(), deltas())
    def test_the_design_is_the_closed_form_exactly(self, graph: nx.Graph, epsilon: Fraction, delta: Fraction) -> None:
        mechanism = design(graph, epsilon=epsilon, delta=delta, method="one-bit-cluster").mechanism
        formula = one_bit_cluster(graph, requirements(graph, epsilon, delta))
        assert all(mechanism.row(i, bit) == formula.row(i, bit) for i in graph for bit in ("no", "yes"))

    @settings(max_examples=25)
    @given(graphs_of_bits(), epsilons(), deltas(), st.floats(0, 0.5))
    def test_however_far_off_the_solver_is(
        self, graph: nx.Graph, epsilon: Fraction, delta: Fraction, guess: float
    ) -> None:
        required = requirements(graph, epsilon, delta)
        flips = cluster_flips(graph, required)
        for part in components(graph, required, MaxOffDiagonal(), shared=False):
            if part.problem.required:
                assert exact_flip(part.problem, guess) == rounded_up(flips[part.members[0]])

    @pytest.mark.parametrize(("apart", "epsilon"), [(F(1, 10**12), F(3, 10**12)), (F(1, 10**12), F(1, 10**17))])
    def test_limits_that_contradict_each_other_to_the_solver(
        self, apart: Fraction, epsilon: Fraction, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        graph = bits([F(0), apart], [(0, 1)])
        required = requirements(graph, epsilon, F(0))
        (part,) = components(graph, required, MaxOffDiagonal(), shared=False)
        expected = one_bit_cluster(graph, required).row(0, "no")
        assert design(graph, epsilon=epsilon, method="one-bit-cluster").mechanism.row(0, "no") == expected
        monkeypatch.setattr("mechdesign.solver.least_flip.minimum_of", Mock(return_value="no optimum"))
        assert solve_flip(part.problem) is None
        assert design(graph, epsilon=epsilon, method="one-bit-cluster").mechanism.row(0, "no") == expected


class TestTheBoundOfItsClass:
    @settings(max_examples=20)
    @given(graphs_of_bits(), epsilons(), deltas(), st.sampled_from([MaxOffDiagonal(), ExpectedLoss(), WorstLoss()]))
    def test_it_is_reached_and_the_certificate_is_about_all_mechanisms(
        self, graph: nx.Graph, epsilon: Fraction, delta: Fraction, objective: Objective
    ) -> None:
        result = design(graph, epsilon=epsilon, delta=delta, objective=objective, method="one-bit-cluster")
        assert result.bound <= result.class_bound <= result.value
        assert result.value - result.class_bound <= Fraction(1, 10**15)
        checked = check_certificate(result.certificate, graph=graph, epsilon=epsilon, delta=delta)
        assert checked == (result.value, result.bound)

    @settings(max_examples=20)
    @given(
        graphs_of_bits(),
        st.sampled_from([Fraction(1, 10), Fraction(1)]),
        st.lists(st.lists(st.integers(-2, 5), min_size=2, max_size=2), min_size=2, max_size=2),
        st.sampled_from([ExpectedLoss, WorstLoss]),
        st.lists(st.fractions(0, Fraction(1, 2), max_denominator=30), min_size=5, max_size=5),
    )
    def test_no_private_flips_are_below_it_whatever_the_loss(
        self, graph: nx.Graph, epsilon: Fraction, loss: Any, kind: Any, more: list[Fraction]
    ) -> None:
        """Even where to flip pays: (4) flips as little as it may."""
        required = requirements(graph, epsilon, Fraction(0))
        least = list(map(rounded_up, cluster_flips(graph, required)))
        flips = list(least)
        for members in connected(len(graph), required):
            for i in members:
                flips[i] = max(least[i], more[members[0]])
        mechanism = flipped_by(graph, flips)
        assert_private(mechanism, graph, epsilon, Fraction(0))
        objective = kind(loss)
        result = design(graph, epsilon=epsilon, objective=objective, method="one-bit-cluster")
        assert result.class_bound <= min(result.value, objective.value(mechanism))

    def test_beyond_what_is_bounded_from_above(self) -> None:
        """e^epsilon for epsilon above 700: nothing need be flipped to a bound."""
        graph = bits(["0", "1"], [(0, 1)])
        result = design(graph, epsilon=800, method="one-bit-cluster")
        assert result.class_bound == result.bound == 0 < result.value

    def test_of_other_methods_it_is_the_bound(self) -> None:
        result = design(bits(["2/5", "3/5"], [(0, 1)]), epsilon="0.2")
        assert result.class_bound == result.bound


@pytest.mark.parametrize("kind", [ExpectedLoss, WorstLoss])
def test_a_bit_has_two_outputs(kind: type[ExpectedLoss] | type[WorstLoss]) -> None:
    with pytest.raises(InputError, match="one-bit-cluster: expected a loss of two outputs, found 3"):
        design(
            bits(["2/5", "3/5"], [(0, 1)]), epsilon=1, objective=kind([[0, 1, 2], [2, 1, 0]]), method="one-bit-cluster"
        )
