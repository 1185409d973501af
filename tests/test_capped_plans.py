"""Plans that keep to a level: how far above it they are, and how often more than proportions is needed."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechdesign import MaxOffDiagonal, design
from mechdesign.bench.families import graph_of_family
from mechdesign.objective import capped_plans
from mechdesign.objective.capped_plans import capped


@pytest.mark.slow
@given(st.lists(st.integers(0, 9), min_size=3, max_size=8).filter(any), st.data())
@settings(max_examples=100)
def test_categories_that_never_occur_are_no_reason_to_leave_the_level(supply: list[int], data: st.DataObject) -> None:
    """Only the others give to them, each as much as the level lets it: here, what it releases at random."""
    d, unit = len(supply), 10**20
    moves = np.array(
        data.draw(st.lists(st.lists(st.integers(0, 10**6), min_size=d, max_size=d), min_size=d, max_size=d))
    )
    np.fill_diagonal(moves, 0)
    demand = [unit * 10**8 * mass for mass in supply]
    for x, mass in enumerate(supply):
        for y, weight in enumerate(moves[x].tolist()):
            demand[x] -= unit * mass * weight
            demand[y] += unit * mass * weight
    supply = [unit * 10**8 * mass for mass in supply]
    total = sum(supply)
    shares = np.array([[float(Fraction(mass, total)) for mass in masses] for masses in (supply, demand)])
    level = MaxOffDiagonal().level(shares[:1], shares[1:])
    plan = capped(supply, demand, level)
    assert plan.sum(axis=1).tolist() == supply
    assert plan.sum(axis=0).tolist() == demand
    assert (plan >= 0).all()
    above = [float(Fraction(int(plan[x, y]), supply[x])) for x in range(d) for y in range(d) if x != y and supply[x]]
    assert max(above) <= level * (1 + 1e-9) + 1e-13


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
