"""bound <= optimum <= value, the optimum by an independent linear program, exactly; and any weights give a bound."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.divergence import exp_64_above
from oracles.optimum import optimum
from strategies import drawn_objectives, profile_graphs

from mechdesign import ExpectedLoss, MaxOffDiagonal, WorstLoss, read_graph
from mechdesign.certificate.bound import bound_below
from mechdesign.certificate.weights import exact_weights
from mechdesign.objective.multipliers import FINENESS, Multipliers
from mechdesign.privacy.requirement import requirements
from mechdesign.problem import Problem
from mechdesign.solver.structured import solve_structured

F = Fraction
CHAIN = read_graph("categorical-chain")


class TestAnyWeights:
    """For whatever weights >= 0, nothing private has a smaller objective (bound.py)."""

    @settings(max_examples=45)
    @given(st.data(), st.booleans(), st.sampled_from([F(0), F(1, 10)]), st.integers(0, 2**32))
    def test_nonsense(self, data: st.DataObject, shared: bool, delta: Fraction, seed: int) -> None:
        graph = data.draw(profile_graphs(most_profiles=3, most_categories=3, weighted=False))
        d, k = len(graph.graph["categories"]), len(graph)
        objective = data.draw(drawn_objectives(d))
        epsilon = data.draw(st.sampled_from([F(0), F(1, 3), F(2)]))
        exact = [node["distribution"] for node in graph.nodes.values()]
        required = tuple(requirements(graph, epsilon, delta))
        problem = Problem(exact, required, objective, np.ones(k) / k, shared)
        draw = np.random.default_rng(seed)

        def some(*shape: int) -> Any:
            weights = draw.exponential(size=shape) * 10.0 ** draw.integers(-3, 4, size=shape)
            return np.where(draw.random(shape) < 0.4, draw.choice([0.0, -1.0, math.nan]), weights)

        multipliers = Multipliers(
            {pair: some(problem.outputs) for r in required for pair in r.directions()},
            some(1 if shared else k, d, d) if problem.loss is None else None,
            some(k) if isinstance(problem.objective, WorstLoss) else None,
        )
        weights = exact_weights(problem, multipliers, [F(1, k)] * k)
        groups = [list(range(k))] if shared else [[i] for i in range(k)]
        true = optimum(
            exact,
            [(r.first, r.second, exp_64_above(r.epsilon), r.delta) for r in required],
            groups,
            outputs=problem.outputs,
            loss=None if isinstance(objective, MaxOffDiagonal) else objective.table(range(d)),
            weights=[1] * k if isinstance(objective, ExpectedLoss) else None,
        )
        assert bound_below(problem, weights) <= true

    def test_the_diagonal_counts_for_nothing(self) -> None:
        exact = [node["distribution"] for node in CHAIN.nodes.values()]
        problem = Problem(exact, (), MaxOffDiagonal(), np.ones(3) / 3, False)
        weights = exact_weights(problem, Multipliers({}, np.ones((3, 4, 4))), [F(1, 3)] * 3)
        assert weights.entries is not None
        assert [int(np.trace(table)) for table in weights.entries] == [0, 0, 0]
        assert weights.entries[0][0, 1] == FINENESS // 36
        assert bound_below(problem, weights) == 0

    @pytest.mark.parametrize("scale", [2.0**-10, 8.0])
    def test_prices_of_any_total_become_prices_of_total_1(self, scale: float) -> None:
        required = tuple(requirements(CHAIN, F(1, 2), F(0)))
        exact = [node["distribution"] for node in CHAIN.nodes.values()]
        problem = Problem(exact, required, MaxOffDiagonal(), np.ones(3) / 3, False)
        found = solve_structured(problem).multipliers
        assert found is not None
        assert found.entries is not None
        privacy = {pair: lam * scale for pair, lam in found.privacy.items()}
        scaled = exact_weights(problem, Multipliers(privacy, found.entries * scale), [F(1, 3)] * 3)
        plain = bound_below(problem, exact_weights(problem, found, [F(1, 3)] * 3))
        assert float(plain) == pytest.approx((3 - math.exp(0.5)) / (9 * (1 + math.exp(0.5))), rel=1e-9)
        assert float(bound_below(problem, scaled)) == pytest.approx(float(plain), rel=1e-12)
        assert scaled.entries is not None
        assert sum(int(table.sum()) for table in scaled.entries) <= FINENESS

    def test_an_epsilon_without_a_bound_above_has_no_multipliers(self) -> None:
        required = tuple(requirements(CHAIN, F(701), F(0)))
        problem = Problem(
            [n["distribution"] for n in CHAIN.nodes.values()], required, ExpectedLoss(), np.ones(3) / 3, False
        )
        assert not len(exact_weights(problem, Multipliers({(0, 1): np.ones(4)}), [F(1, 3)] * 3).privacy.lam)
