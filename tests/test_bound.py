"""bound <= optimum <= value, the optimum by an independent linear program, exactly; and any weights give a bound."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.divergence import exp_64_above
from oracles.optimum import optimum
from strategies import drawn_objectives, profile_graphs

from mechdesign import ExpectedLoss, MaxOffDiagonal, WorstLoss
from mechdesign.certificate.bound import bound_below
from mechdesign.certificate.weights import exact_weights
from mechdesign.objective.multipliers import Multipliers
from mechdesign.privacy.requirement import requirements
from mechdesign.problem import Problem

F = Fraction


class TestAnyWeights:
    """For whatever weights >= 0, nothing private has a smaller objective (bound.py)."""

    @settings(max_examples=45)
    @given(st.data(), st.booleans(), st.sampled_from([F(0), F(1, 10)]), st.integers(0, 2**32))
    def test_nonsense(self, data: st.DataObject, shared: bool, delta: Fraction, seed: int) -> None:
        graph = data.draw(profile_graphs(most_profiles=3, most_categories=3, weighted=False))
        d, k = len(graph.graph["categories"]), len(graph)
        objective = data.draw(drawn_objectives(d))
        epsilon = data.draw(st.sampled_from([F(0), F(1, 3), F(2), F(701)]))
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
