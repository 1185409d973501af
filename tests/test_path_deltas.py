"""Values on a path with deltas: chains that are added where they pay, against all chains and the whole program."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import networkx as nx
import numpy as np
import pytest

import mechdesign as md
from mechdesign.arrays import Floats
from mechdesign.designer import component
from mechdesign.designer.component import components
from mechdesign.privacy.requirement import requirements
from mechdesign.problem import Problem
from mechdesign.solution import Solution
from mechdesign.solver import path_deltas
from mechdesign.solver.chain_program import ChainProgram
from mechdesign.solver.chains import Chains, Cheapest
from mechdesign.solver.geometric_remap import values_on_path
from mechdesign.solver.large_loss import solve_large_loss
from mechdesign.solver.minimise import minimum_of
from mechdesign.solver.path_deltas import has_chains, solve_by_chains


def all_chains(steps: Floats) -> list[Floats]:
    """Return every chain along a path, with a largest probability of 1."""
    n, found = len(steps) + 1, []
    for first in range(n):
        for last in range(first, n):
            for powers in product((1, -1), repeat=last - first):
                chain = np.zeros(n)
                chain[first : last + 1] = np.cumprod([1.0, *(steps[first:last] ** np.array(powers))])
                found.append(chain / chain.max())
    return found


def cost_of(chain: Floats, prices: Floats, steps: Floats, rising: Floats, falling: Floats) -> float:
    """Return what a chain costs, by the definition of privacy."""
    up = np.maximum(0.0, chain[1:] - chain[:-1] / steps)
    down = np.maximum(0.0, chain[:-1] - chain[1:] / steps)
    up[up < 1e-12], down[down < 1e-12] = 0.0, 0.0
    return float(chain @ prices + up @ rising + down @ falling)


@pytest.mark.parametrize("seed", range(30))
def test_the_cheapest_are_those_of_all_chains(seed: int) -> None:
    """Where one costs less than nothing the cheapest is found; where none does multipliers make up for all prices."""
    draw = np.random.default_rng(seed)
    steps, (rising, falling) = draw.uniform(0.2, 0.9, 4), draw.uniform(0, 0.5, (2, 4))
    prices = draw.uniform(-0.2, 1, (5, 3)) + (0.2 if seed % 2 else 0.0)
    cheapest = Cheapest(prices, steps, rising, falling, draw.uniform(0, 1, 4))
    for y in range(3):
        costs = [cost_of(chain, prices[:, y], steps, rising, falling) for chain in all_chains(steps)]
        found = cheapest.saving(0.0)
        ours = [cost_of(chain, prices[:, y], steps, rising, falling) for chain in found.masses[found.outputs == y]]
        assert all(np.isclose(costs, cost, atol=1e-12).any() for cost in ours)
        assert bool(ours) == (min(costs) < 0)
        if not ours:
            paid = prices[:, y].copy()
            for (a, b), weights in cheapest.multipliers().items():
                assert 0 <= weights[y] <= (falling if b > a else rising)[min(a, b)]
                paid[a] += weights[y]
                paid[b] -= weights[y] / steps[min(a, b)]
            assert paid.min() > -1e-12


@pytest.mark.parametrize("seed", range(10))
def test_those_that_save_most_are_added(seed: int) -> None:
    """As much of each as sums to 1 or ends within deltas; no more than twice as many as there are values."""
    draw = np.random.default_rng(seed)
    steps, deltas, (rising, falling) = draw.uniform(0.2, 0.9, 9), draw.uniform(0, 1, 9), draw.uniform(0, 0.1, (2, 9))
    prices = draw.uniform(-1, 1, (10, 12))
    cheapest = Cheapest(prices, steps, rising, falling, deltas)
    found = cheapest.saving(0.0)
    assert len(found.outputs) == 2 * len(prices) < (cheapest.saves > 0).sum()
    room, saved = np.concatenate([[np.inf], deltas, [np.inf]]), []
    for y, chain in zip(found.outputs, found.masses, strict=True):
        first, last = np.flatnonzero(chain)[[0, -1]]
        amount = min(1.0, room[first] / chain[first], room[last + 1] / chain[last])
        saved.append(-cost_of(chain, prices[:, y], steps, rising, falling) * amount)
    assert np.allclose(saved[:12], np.sort(cheapest.saves.max(axis=0))[::-1])
    assert sorted(found.outputs[:12]) == list(range(12))


@pytest.mark.parametrize("seed", range(5))
def test_two_arms_make_a_chain(seed: int) -> None:
    """One before a peak and one after it: together their columns change what the chain has."""
    graph, asked = count(seed)
    problem = problem_of(graph, **asked)
    path = values_on_path(problem)
    assert path is not None
    master = ChainProgram.of(problem, path)
    draw, steps = np.random.default_rng(seed), path.steps
    masses = []
    for _ in range(20):
        first, last = sorted(draw.choice(30, 2, replace=False))
        chain = np.zeros(30)
        chain[first : last + 1] = np.cumprod([1.0, *(steps[first:last] ** draw.choice([1, -1], last - first))])
        masses.append(chain / chain.max())
    chains = Chains(draw.integers(0, 30, 20), np.array(masses))
    arms = chains.arms()
    before, after = np.split(master.changes(arms), 2)
    assert np.allclose(before + after, chains.masses, atol=1e-15)
    assert arms.ends.tolist() == [np.flatnonzero(chain)[end] for end in (0, -1) for chain in masses]
    assert (arms.pairs[:20] == arms.pairs[20:]).all()
    assert arms.only(np.arange(5)).with_others(arms).fresh(set()).masses.shape == (40, 30)


def count(seed: int, n: int = 30) -> tuple[nx.Graph, dict[str, Any]]:
    """Return values on a path with weights, epsilons and deltas of their own, and any loss."""
    draw = np.random.default_rng(seed)
    graph = md.counting_graph(n - 1)
    for i in graph:
        graph.nodes[i]["weight"] = int(draw.integers(0, 20)) + (i == 0)
    for edge in graph.edges.values():
        edge["epsilon"] = Fraction(int(draw.integers(1, 20)), 10)
        edge["delta"] = Fraction(int(draw.integers(0, 3)), 10 ** int(draw.integers(2, 7)))
    loss = [[abs(x - y) ** 2 + int(draw.integers(0, 3)) for y in range(n)] for x in range(n)]
    losses = {0: "absolute", 1: loss, 2: draw.integers(0, 9, (n, n)).tolist()}
    return graph, {
        "epsilon": Fraction(1, 2),
        "delta": Fraction(1, 1000),
        "objective": md.ExpectedLoss(losses[seed % 3]),
    }


def problem_of(graph: nx.Graph, epsilon: Fraction, delta: Fraction, objective: Any) -> Problem:
    (one,) = components(graph, requirements(graph, epsilon, delta), objective, shared=False)
    return one.problem


@pytest.mark.parametrize("seed", range(12))
def test_it_finds_the_optimum_of_the_whole_program(seed: int) -> None:
    graph, asked = count(seed)
    problem = problem_of(graph, **asked)
    assert has_chains(problem)
    found, whole = solve_by_chains(problem), solve_large_loss(problem)
    assert isinstance(found, Solution)
    assert whole is not None
    assert found.value == pytest.approx(whole.value, rel=1e-9)
    made = md.design(graph, **asked)
    assert made.stats["way"] == {"chains along the path; nearest on the optimal face": 1}
    assert made.value - made.bound <= Fraction(2, 10**9) * made.value


def count_of_own_weights(n: int) -> nx.Graph:
    """Return a count with a prior of its own."""
    graph, weights = md.counting_graph(n - 1), np.random.default_rng(3).integers(1, 50, n).tolist()
    nx.set_node_attributes(graph, dict(enumerate(weights)), "weight")
    return graph


@pytest.mark.parametrize(
    ("objective", "epsilon"),
    [(md.ExpectedLoss("hamming"), 0.1), (md.ExpectedLoss("absolute"), 2)],
)
def test_a_delta_of_one_in_a_billion(objective: Any, epsilon: float) -> None:
    problem = problem_of(count_of_own_weights(60), Fraction(str(epsilon)), Fraction(1, 10**9), objective)
    found, whole = solve_by_chains(problem), solve_large_loss(problem)
    assert isinstance(found, Solution)
    assert whole is not None
    assert found.value == pytest.approx(whole.value, rel=1e-9)


@pytest.mark.parametrize(
    ("n", "objective", "epsilon", "delta"),
    [(101, md.ExpectedLoss("hamming"), 0.5, "1e-9"), (60, md.ExpectedLoss("absolute"), 0.5, "1e-9")],
)
def test_the_nearest_is_found(n: int, objective: Any, epsilon: float, delta: str) -> None:
    """Limits with multipliers as small as what is left of them, or is unknown, were taken to bind in all optima."""
    made = md.design(count_of_own_weights(n), epsilon=epsilon, delta=delta, objective=objective)
    assert made.stats["way"] == {"chains along the path; nearest on the optimal face": 1}


def test_no_classes_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is done with them, and of a long count it takes as many rounds as there are values to find them."""
    asked: list[Problem] = []
    monkeypatch.setattr(component, "by_classes", lambda problem, _: asked.append(problem))
    graph = md.counting_graph(30)
    made = md.design(graph, epsilon=1, delta="1e-3", objective=md.ExpectedLoss("absolute"))
    assert list(made.stats["way"]) == ["chains along the path; nearest on the optimal face"]
    assert not asked
    md.design(graph, epsilon=1, delta="1e-3")
    assert len(asked) == 1


def test_vertices_have_to_be_good(monkeypatch: pytest.MonkeyPatch) -> None:
    """To half of what the definition accepts, as for the ladder; without an end to that chains would go on in vain."""
    problem = problem_of(md.counting_graph(29), Fraction(1), Fraction(1, 100), md.ExpectedLoss("absolute"))
    for error, enough in ((4e-10, True), (6e-10, False)):
        told = partial(replace, error=error)
        monkeypatch.setattr(path_deltas, "minimum_of", lambda *of, told=told, **how: told(minimum_of(*of, **how)))
        assert isinstance(solve_by_chains(problem), Solution) == enough


def test_where_chains_are_not_told_apart_the_whole_program_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(path_deltas._Search, "step", lambda _: "they are not told apart")
    made = md.design(count_of_own_weights(40), epsilon=2, delta="1e-6", objective=md.ExpectedLoss("hamming"))
    assert made.stats["way"] == {"whole program; nearest on the optimal face": 1}
    assert made.value - made.bound <= Fraction(2, 10**9) * made.value


@pytest.mark.parametrize(
    "spoiled",
    [
        {"objective": md.MaxOffDiagonal()},
        {"objective": md.WorstLoss("absolute")},
        {"delta": Fraction(0)},
        {"epsilon": Fraction(0)},
    ],
)
def test_others_go_other_ways(spoiled: dict[str, Any]) -> None:
    asked: dict[str, Any] = {
        "epsilon": Fraction(1),
        "delta": Fraction(1, 100),
        "objective": md.ExpectedLoss("absolute"),
    }
    assert has_chains(problem_of(md.counting_graph(29), **asked))
    assert not has_chains(problem_of(md.counting_graph(29), **asked | spoiled))
    assert not has_chains(problem_of(md.counting_graph(9), **asked))
