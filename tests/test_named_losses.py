"""Losses with a name: what each says of a change must be what its table says."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from cases import ANYWHERE, PRICED
from command import run
from hypothesis import given
from hypothesis import strategies as st
from oracles.linear_program import least_transport
from test_transport_plans import assert_fits, margins

import mechdesign as md
from mechdesign.bench.measure import measured
from mechdesign.bench.outcome import Measurement, Run
from mechdesign.mender.moved import distance, post_processing
from mechdesign.objective import NAMED_LOSSES, ExpectedLoss
from mechdesign.objective.loss import Priced, is_monge
from mechdesign.privacy.released import Released

CLOCK = md.profile_graph(
    {"early": ["0.6", "0.2", 0, 0, "0.1", "0.1"], "late": ["0.1", 0, "0.1", "0.2", "0.2", "0.4"], "noon": ["1/6"] * 6},
    edges=[("early", "late"), ("late", "noon")],
    categories=range(6),
)


def table_of(name: str, m: int) -> list[list[Fraction]]:
    return [list(row) for row in NAMED_LOSSES[name].table(range(m))]


def released(weights: Sequence[int]) -> Released:
    return Released(np.array(weights, dtype=object), sum(weights))


def test_steps_on_a_ring() -> None:
    assert table_of("circular", 5)[1] == [1, 0, 1, 2, 2]
    assert table_of("circular", 6)[0] == [0, 1, 2, 3, 2, 1]
    assert table_of("circular", 2) == [[0, 1], [1, 0]]
    assert table_of("circular", 1) == [[0]]


@pytest.mark.parametrize("name", ANYWHERE)
@given(margins())
def test_cost_and_plan_are_the_least(name: str, margin: tuple[list[int], list[int]]) -> None:
    """Of all plans, by a linear program over each entry; the plan's own cost is just what the loss says.

    Where a loss leaves the plan to a solver in doubles, it is the least but for these.
    """
    supply, demand = margin
    m = len(supply)
    table = table_of(name, m)
    goal, before, after = ExpectedLoss(name), released(supply), released(demand)
    plan = post_processing(goal, tuple(map(tuple, table)), before, after)
    assert_fits(plan, [mass * sum(supply) for mass in supply], [mass * sum(supply) for mass in demand])
    paid = sum(int(plan[x, y]) * table[x][y] for x, y in np.ndindex(m, m)) / int(plan.sum())
    assert distance(goal, tuple(map(tuple, table)), before, after) == paid
    least = least_transport(supply, demand, table) / sum(supply)
    assert least <= paid <= least * (1 if name in PRICED else 1 + Fraction(1, 10**9))


@pytest.mark.parametrize("name", PRICED)
@given(margins())
def test_costs_in_doubles_are_those_of_fractions(name: str, margin: tuple[list[int], list[int]]) -> None:
    loss, total = NAMED_LOSSES[name], sum(margin[0])
    assert isinstance(loss, Priced)
    change = [there - here for here, there in zip(*margin, strict=True)]
    [cost] = loss.costs(np.array([[Fraction(one) for one in change]], dtype=object))
    assert loss.costs(np.array([change], dtype=float) / total) == pytest.approx(float(cost) / total, abs=1e-9)


@given(margins(), st.sampled_from([*ANYWHERE, "squares", "steep", "any"]), st.integers(0, 10**6))
def test_costs_by_what_crosses_borders_are_the_least(margin: tuple[list[int], list[int]], kind: str, seed: int) -> None:
    """Of losses with a name and of convex distances on a line; of any other table there is no such formula."""
    supply, demand = (np.array(side) / sum(margin[0]) for side in margin)
    table = table_of(kind, len(supply)) if kind in ANYWHERE else on_a_line(kind, len(supply), seed)
    loss = np.array(table, dtype=np.float64)
    found = (NAMED_LOSSES[kind] if kind in ANYWHERE else ExpectedLoss(table).kind).crossings(loss)
    if found is None:
        assert not is_monge(loss)
        return
    gaps = (found.borders @ demand)[found.of] - (found.borders @ supply)[found.at]
    shifts = gaps if found.around else np.zeros(1)
    paid = min(found.above @ np.maximum(gaps - c, 0) + found.below @ np.maximum(c - gaps, 0) for c in shifts)
    assert paid == pytest.approx(float(least_transport(*margin, table) / sum(margin[0])), abs=1e-9)


def on_a_line(kind: str, m: int, seed: int) -> list[list[int]]:
    """Return a convex distance of m places on a line, or numbers that are none, unless by chance."""
    random = np.random.default_rng(seed)
    gaps = np.subtract.outer(places := np.cumsum(random.integers(0, 4, m)), places)
    table = {"squares": gaps**2, "steep": np.where(gaps > 0, gaps**3, -2 * gaps)}
    numbers: list[list[int]] = table.get(kind, np.where(gaps, random.integers(1, 9, (m, m)), 0)).tolist()
    return numbers


@given(margins(square=False), st.data())
def test_of_a_monge_table_the_plan_that_keeps_the_order_is_the_cheapest(
    margin: tuple[list[int], list[int]], data: st.DataObject
) -> None:
    """A table is one if no two neighbours would pay less by passing each other: sums of such steps, and of prices."""
    d, m = map(len, margin)
    bends, own, other = (
        np.array(data.draw(st.lists(st.integers(low, 5), min_size=count, max_size=count)))
        for low, count in ((0, d * m), (-5, d), (-5, m))
    )
    table = own[:, None] + other - bends.reshape(d, m).cumsum(axis=0).cumsum(axis=1)
    assert is_monge(table.astype(np.float64))
    plan = ExpectedLoss(table.tolist()).kind.plan(*margin, table.astype(np.float64))
    assert (plan * table).sum() == least_transport(*margin, table.tolist())
    if min(d, m) > 1:
        table[-1, -1] = table[-2, -1] + table[-1, -2] - table[-2, -2] + 1
        assert not is_monge(table.astype(np.float64))


@pytest.mark.parametrize("name", ANYWHERE)
def test_bench_measures_it(name: str) -> None:
    values = []
    for method in ("structured", "scipy"):
        found: list[Measurement] = []
        measured(Run("ring", 6, 5, method, objective=f"worst-{name}"), certificate=False, report=found.append)
        values.append(found[-1].value)
    assert values[1] == pytest.approx(values[0], rel=1e-6)


@pytest.mark.parametrize("name", ANYWHERE[-1:])  # all read its name alike
def test_commands_know_it(tmp_path: Path, name: str) -> None:
    md.write_graph(CLOCK, tmp_path / "clock.json")
    (tmp_path / "m.csv").write_text("0.8,0.1,0.1\n0.1,0.8,0.1\n0.1,0.3,0.6\n")
    graph, asked = str(tmp_path / "clock.json"), ["--objective", "worst-loss", "--loss", name]
    for line in (
        ["design", graph, "--epsilon", "0.5", *asked, "--certificate", str(tmp_path / "proof.json")],
        ["check", str(tmp_path / "proof.json"), "--graph", graph, *asked],
        ["design", graph, "--epsilon", "0.5:1:3", *asked],
        ["formula", graph, *asked],
        ["graph", "coarsen", graph, "--join-categories", "4,5", "--epsilon", "0.5", *asked],
        ["mend", str(tmp_path / "m.csv"), "--epsilon", "1", *asked, "-o", str(tmp_path / "mended.json")],
        ["mechanism", "exponential", graph, "--epsilon", "1", "--utility", name, "-o", str(tmp_path / "e.json")],
    ):
        assert run(*line).status == 0


@pytest.mark.parametrize("ordered", [False, True])
def test_a_ring_needs_an_order(ordered: bool) -> None:
    """Directions as words are in no order unless the graph says so."""
    winds = md.profile_graph(
        {"coast": ["0.7", "0.1", "0.1", "0.1"], "inland": ["1/4"] * 4},
        edges="all",
        categories=["north", "east", "south", "west"],
        ordered=ordered,
    )
    warning = md.design(winds, epsilon=1, objective=md.ExpectedLoss("circular")).warning
    assert (warning is None) == ordered
    assert ordered or str(warning).startswith(
        "The circular loss counts steps between categories in the order north, east"
    )
