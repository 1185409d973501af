"""Plans that keep to a level: how far above it they are, and how often more than proportions is needed."""

from fractions import Fraction

import numpy as np
import pytest
from test_transport_plans import capped

from mechdesign import MaxOffDiagonal, design
from mechdesign.bench.families import graph_of_family
from mechdesign.objective import capped_plans


@pytest.mark.parametrize(("profiles", "categories", "seed", "epsilon"), [(21, 8, 866150, "4.351"), (31, 22, 1, "1.5")])
def test_sparse_profiles_have_an_optimum_that_is_proved(
    profiles: int, categories: int, seed: int, epsilon: str
) -> None:
    """Most profiles have two of the categories: a fourth and more of their plans are not in proportion."""
    graph = graph_of_family("sparse", profiles, categories, seed)
    found = design(graph, epsilon=epsilon, objective=MaxOffDiagonal(), method="structured")
    assert found.value - found.bound < 1e-9
    assert found.stats["any_optimum"] == 0


def test_nonsense_becomes_a_plan_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capped_plans, "balancing", lambda caps, _: np.full(caps.shape, np.arange(caps.shape[1]) * 9.0))
    supply, demand = [10**20, 0, 3 * 10**20], [2 * 10**20, 2 * 10**20, 0]
    plan = capped(supply, demand, 1.0)
    assert plan.sum(axis=1).tolist() == supply
    assert plan.sum(axis=0).tolist() == demand
    assert (plan >= 0).all()


def test_little_moves_as_exactly_as_much() -> None:
    """Doubles of both sides would not tell what moves; that of their difference does."""
    supply = [10**30, 10**30, 10**30]
    demand = [10**30 - 3, 10**30 + 1, 10**30 + 2]
    plan = capped(supply, demand, float(Fraction(2, 10**30)))
    assert plan.tolist() == [[10**30 - 3, 1, 2], [0, 10**30, 0], [0, 0, 10**30]]
