import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.linear_program import least_transport

from mechdesign.arrays import Floats
from mechdesign.objective import transport_plans
from mechdesign.objective.capped_plans import capped_plans
from mechdesign.objective.reachability import least_levels
from mechdesign.objective.transport_plans import Plan, cheapest, matched, monotone, proportional


def capped(supply: list[int], demand: list[int], level: float) -> Plan:
    supplies, demands = (np.array([side], dtype=object) for side in (supply, demand))
    return np.array(capped_plans(supplies, demands, np.array([level]))[0])


SIZES = st.integers(1, 5)

MASS = st.integers(0, 12)

SCALES = st.sampled_from([1, 7, 2**20, 2**58])


@st.composite
def margins(draw: st.DrawFn, *, square: bool = True) -> tuple[list[int], list[int]]:
    """Supply and demand of the same total; zeros included."""
    d = draw(SIZES)
    m = d if square else draw(SIZES)
    supply = draw(st.lists(MASS, min_size=d, max_size=d).filter(any))
    demand = draw(st.lists(MASS, min_size=m, max_size=m).filter(any))
    common = math.lcm(sum(supply), sum(demand)) * draw(SCALES)
    return [s * (common // sum(supply)) for s in supply], [w * (common // sum(demand)) for w in demand]


@st.composite
def reachable(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Supply, and a demand that it reaches by moving at most 1/d of each category to each other one, as designs do."""
    d = draw(st.integers(2, 5))
    supply = [mass * 16 * d * 2**40 for mass in draw(st.lists(MASS, min_size=d, max_size=d).filter(any))]
    demand = list(supply)
    for x, y in np.ndindex(d, d):
        moved = supply[x] // (16 * d) * draw(st.integers(0, 16))
        demand[x] -= moved
        demand[y] += moved
    return supply, demand


def assert_fits(plan: Plan, supply: list[int], demand: list[int]) -> None:
    assert plan.shape == (len(supply), len(demand))
    assert all(type(entry) is int and entry >= 0 for entry in plan.ravel())
    assert plan.sum(axis=1).tolist() == supply
    assert plan.sum(axis=0).tolist() == demand


def least_cost(supply: list[int], demand: list[int], loss: Floats) -> Fraction:
    """The transport cost per unit of mass."""
    return least_transport(supply, demand, exact(loss)) / sum(supply)


def exact(loss: Floats) -> list[list[Fraction]]:
    return [[Fraction(float(entry)) for entry in row] for row in loss]


def cost_of(plan: Plan, loss: Floats) -> Fraction:
    table = exact(loss)
    return sum(int(plan[x, y]) * table[x][y] for x, y in np.ndindex(plan.shape)) / Fraction(int(plan.sum()))


@given(margins())
def test_every_plan_has_exact_margins(margin: tuple[list[int], list[int]]) -> None:
    supply, demand = margin
    d = len(supply)
    assert_fits(monotone(supply, demand), supply, demand)
    assert_fits(proportional(supply, demand), supply, demand)
    assert_fits(capped(supply, demand, 1.0), supply, demand)
    assert_fits(cheapest(supply, demand, np.arange(d * d, dtype=np.float64).reshape(d, d) % 5), supply, demand)


def test_nonsense_becomes_a_plan_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    loss = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 0.5]])
    for moves in ([], [(0, 1, 10**30), (1, 0, 10**30), (2, 0, 5)]):
        monkeypatch.setattr(transport_plans, "_moves", lambda *_, moves=moves: moves)
        assert_fits(cheapest([10, 0, 7], [5, 12], loss), [10, 0, 7], [5, 12])


@given(margins(square=False), st.data())
def test_the_cheapest_plan_is_nearly_optimal(margin: tuple[list[int], list[int]], data: st.DataObject) -> None:
    supply, demand = margin
    size = len(supply) * len(demand)
    loss = np.array(data.draw(st.lists(st.integers(0, 9), min_size=size, max_size=size)), dtype=float)
    loss = loss.reshape(len(supply), len(demand))
    assert_fits(monotone(supply, demand), supply, demand)
    plan = cheapest(supply, demand, loss)
    assert_fits(plan, supply, demand)
    found = cost_of(plan, loss)
    assert 0 <= found - least_cost(supply, demand, loss) <= 1e-8


@given(reachable())
def test_the_capped_plan_moves_no_more_than_the_least_level(margin: tuple[list[int], list[int]]) -> None:
    """No category sends more than about t of its mass to another one, where t is the least that will do."""
    supply, demand = margin
    share = np.array([[mass / sum(supply) for mass in supply], [mass / sum(supply) for mass in demand]])
    (level,) = least_levels(share[:1], share[1:], np.zeros(1, dtype=np.int64))
    plan = capped(supply, demand, level)
    assert_fits(plan, supply, demand)
    for x, y in np.ndindex(plan.shape):
        if x != y:
            assert plan[x, y] <= supply[x] * (level * (1 + 1e-9) + 1e-13)


WEIGHTS = st.lists(st.integers(0, 9) | st.integers(0, 10**30), min_size=1, max_size=8)


@given(WEIGHTS, WEIGHTS)
def test_integers_are_matched_as_far_as_both_reach(supply: list[int], demand: list[int]) -> None:
    found = list(matched(supply, demand))
    assert all(amount > 0 for _, _, amount in found)
    assert [(x, y) for x, y, _ in found] == sorted({(x, y) for x, y, _ in found})
    assert [y for _, y, _ in found] == sorted(y for _, y, _ in found)
    assert sum(amount for _, _, amount in found) == min(sum(supply), sum(demand))
    for side, given_weights in ((0, supply), (1, demand)):
        for place, weight in enumerate(given_weights):
            assert sum(match[2] for match in found if match[side] == place) <= weight
