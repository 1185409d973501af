"""`compose`: exact where it says so, never below, and what the paper's observations say."""

import math
from fractions import Fraction
from itertools import product as pairs
from typing import Any

import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution

import mechdesign as md
from mechdesign.exact.exponentials import log_bounds
from mechdesign.privacy.needed import needed
from mechdesign.privacy.released import Released
from mechdesign.release import joint
from mechdesign.release.composed_neighbours import MOST_RELEASES
from mechdesign.release.composition import INDEPENDENT

F = Fraction
COIN = [["3/4", "1/4"], ["1/4", "3/4"]]
CHAIN = md.design("categorical-chain", epsilon="0.5")


def truth(rows: list[list[Fraction]], times: int, delta: Fraction) -> float:
    """Return epsilon of the table of all releases, multiplied out."""
    sides = []
    for masses in rows:
        joint_masses = [math.prod(parts, start=F(1)) for parts in pairs(masses, repeat=times)]
        common = math.lcm(*(mass.denominator for mass in joint_masses))
        weights = np.array([int(mass * common) for mass in joint_masses], dtype=object)
        sides.append(Released(weights, common))
    ratio = needed(sides[0], sides[1], delta).ratio
    return math.inf if ratio is None else log_bounds(ratio)[1]


RNG = np.random.default_rng(11)
TABLES: list[Any] = [
    [[F(int(w), int(row.sum())) for w in row] for row in RNG.integers(0 if number % 2 else 1, 12, (2, size))]
    for number, size in enumerate([2, 3, 4, 3, 5, 2])
]


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("delta", [F(1, 20), F(1, 10**6)])
def test_on_a_grid_it_is_never_below_the_table(monkeypatch: pytest.MonkeyPatch, times: int, delta: Fraction) -> None:
    """dp-accounting, whose "pessimistic" estimate is not rounded outward, stands beside it: near, not always above."""
    monkeypatch.setattr(joint, "MOST_EXACT", 0)
    monkeypatch.setattr(joint, "CELLS", 1024)
    for rows in TABLES:
        both = max(truth(order, times, delta) for order in (rows, rows[::-1]))
        found = md.compose(rows, releases=times, delta=delta)
        assert found.epsilon[0] <= both + 1e-15
        assert found.epsilon[1] >= math.nextafter(both, 0)
        if both < math.inf:
            assert found.epsilon[1] - both <= 1e-2 * both + 1e-3
        assert found.exact == (times == 1)
        google = max(google_epsilon(order, times, delta) for order in (rows, rows[::-1]))
        assert google == pytest.approx(both, rel=1e-2, abs=1e-3)


def google_epsilon(rows: list[list[Fraction]], times: int, delta: Fraction) -> float:
    logs = [{y: math.log(mass) for y, mass in enumerate(masses) if mass} for masses in reversed(rows)]
    pld = privacy_loss_distribution.from_two_probability_mass_functions(*logs)
    return float(pld.self_compose(times).get_epsilon_for_delta(float(delta)))


@pytest.mark.parametrize("times", [1, 2, 3])
def test_small_tables_are_exact(times: int) -> None:
    for rows in TABLES:
        both = max(truth(order, times, F(1, 100)) for order in (rows, rows[::-1]))
        found = md.compose(rows, releases=times, delta="0.01")
        assert found.exact
        assert found.epsilon[1] == both


def test_at_delta_0_epsilons_add_up() -> None:
    """[GC] Observation 4."""
    found = md.compose(COIN, releases=7)
    assert found.exact
    assert found.epsilon[0] <= 7 * math.log(3) <= found.epsilon[1]
    assert found.epsilon[1] - found.epsilon[0] < 1e-14
    assert found.epsilon == found.basic


def test_different_mechanisms() -> None:
    """Two and three of them: as five of one that do the same."""
    same = md.compose(CHAIN, CHAIN, releases=[2, 3], delta="1e-5")
    assert same.epsilon == pytest.approx(md.compose(CHAIN, releases=5, delta="1e-5").epsilon, rel=2e-3)
    other = md.design("categorical-chain", epsilon="0.25")
    found = md.compose(CHAIN, other)
    assert found.epsilon == pytest.approx((0.75, 0.75), abs=1e-6)
    assert found.releases == 2


@pytest.mark.parametrize("own", [{"epsilon": 5}, {"delta": "0.2"}])
@pytest.mark.parametrize("releases", [1, 2])
def test_what_is_said_of_an_edge_alone_proves_nothing_of_all_releases(own: dict[str, Any], releases: int) -> None:
    """The claim of 1.2 holds, as the edge has an epsilon or a delta of its own; what is revealed is ln 4 each time."""
    graph = md.profile_graph({0: ["1", "0"], 1: ["0", "1"]}, edges=[(0, 1, own)], categories=[0, 1])
    found = md.compose([["0.8", "0.2"], ["0.2", "0.8"]], graph=graph, epsilon="1.2", releases=releases)
    assert found.private
    assert found.satisfies(Fraction("1.2") * releases) is False
    assert found.basic_epsilon == found.basic[1] > 1.3 * releases
    assert found.answer().about == "Each release satisfies epsilon 1.2 at delta 0, or what an edge has of its own."


def test_epsilons_per_distance() -> None:
    """Two counts that lie two apart may differ by twice as much."""
    graph = md.value_graph(range(3), metric=lambda x, y: abs(x - y))
    mechanism = md.design(graph, epsilon=1, objective=md.ExpectedLoss("absolute")).mechanism
    found = md.compose(mechanism, graph=graph, releases=4, epsilon=1)
    assert found.private
    assert found.epsilon == pytest.approx((4, 4), abs=1e-6)
    fine = md.compose(mechanism, graph=graph, releases=40, delta="1e-6")
    assert fine.epsilon[1] < 40
    assert not fine.exact


@pytest.mark.parametrize("delta", ["0", "0.001"])
def test_the_same_point_must_not_differ(delta: str) -> None:
    graph = md.value_graph(["a", "b"], metric=lambda x, y: 0)
    assert md.compose(COIN, graph=graph, releases=2, delta=delta).epsilon[1] == math.inf
    assert md.compose([[1, 0], [1, 0]], graph=graph, releases=2, delta=delta).epsilon == (0.0, 0.0)


def test_neighbours_with_nearly_the_same_laws_are_bounded_together() -> None:
    """A designed mechanism for 8 values: 56 laws that differ in the tenth digit, a handful of grids."""
    design = md.design(md.value_graph(range(8)), epsilon=1)
    seen: list[tuple[int, int]] = []
    found = md.compose(
        design, releases=30, delta="1e-5", progress=lambda done, everything: seen.append((done, everything))
    )
    assert found.epsilon[1] < 19
    assert seen[0][1] <= 8
    assert len(seen) <= seen[0][1]


@pytest.mark.parametrize("releases", [0, -1, True, 1.5, MOST_RELEASES + 1, "2", [1, 2], []])
def test_numbers_of_releases_that_are_none(releases: object) -> None:
    with pytest.raises(md.InputError, match="releases: expected"):
        md.compose(COIN, releases=releases)  # type: ignore[arg-type]


def test_refused() -> None:
    with pytest.raises(md.InputError, match="expected at least one mechanism, found none"):
        md.compose()
    with pytest.raises(md.InputError, match="mechanism 2: expected the profiles of the first"):
        md.compose(COIN, CHAIN.mechanism)
    with pytest.raises(md.InputError, match="delta: expected a number in"):
        md.compose(COIN, delta=1)
    with pytest.raises(md.InputError, match="epsilon: expected a number >= 0"):
        md.compose(COIN, epsilon=-1)
    joined = md.read_graph("categorical-chain")
    joined.add_edge("P1", "P3")
    other = md.design(joined, epsilon="0.5")
    with pytest.raises(md.InputError, match="different edges; graph="):
        md.compose(CHAIN, other)


@pytest.mark.parametrize("epsilon", ["0.7", "0.9", "1/3"])
@pytest.mark.parametrize("times", [1, 3, 20])
def test_a_claim_that_is_kept_is_not_exceeded_by_a_rounding(epsilon: str, times: int) -> None:
    """The double next above 3 times 0.7 prints as 2.1000000000000005."""
    mechanism, together = md.k_ary("abc", epsilon=epsilon), F(epsilon) * times
    found = md.compose(mechanism, releases=times, epsilon=epsilon)
    for low, high in (found.epsilon, found.basic):
        assert low <= together <= F(repr(high)) <= together * (1 + F(1, 10**15))
    assert found.satisfies(together)
    if "/" not in epsilon:
        assert F(repr(found.epsilon[1])) == together
    assert found.satisfies(together - F(1, 10**15)) is not True


def delta_of_a_panel(design: md.Design, waves: int, epsilon: float) -> float:
    """Return the delta of one answer that is released again and again, over how often each output occurs."""
    masses: dict[str, dict[tuple[int, ...], float]] = {}
    for profile, own in design.mechanism.graph.nodes.items():
        rows = np.array(design.mechanism.matrix(profile), dtype=float)
        masses[profile] = {}
        for times in (one for one in pairs(range(waves + 1), repeat=rows.shape[1]) if sum(one) == waves):
            ways = math.factorial(waves) / math.prod(map(math.factorial, times))
            likely = ways * np.prod(rows ** np.array(times), axis=1)
            masses[profile][times] = float(likely @ np.array(own["distribution"], dtype=float))
    one, other = masses.values()
    return sum(max(0.0, mass - math.exp(epsilon) * other[times]) for times, mass in one.items())


def test_of_one_answer_released_again_nothing_is_proved_and_that_is_said() -> None:
    laws = {"a": ["0.4", "0.3", "0.3"], "b": ["0.9", "0.05", "0.05"]}
    design = md.design(md.profile_graph(laws, edges="all", categories=["x", "y", "z"]), epsilon="0.25")
    found = md.compose(design, releases=8)
    assert found.satisfies(2)
    assert delta_of_a_panel(design, 1, 0.25) == pytest.approx(0, abs=1e-12)
    assert delta_of_a_panel(design, 8, 2) > 0.5
    assert found.warnings == found.answer().warnings == (INDEPENDENT,)
    assert "released again, as in a panel" in INDEPENDENT
    assert md.compose(design).warnings == md.compose(design, releases=8, parallel=True).warnings == ()
    assert md.compose(COIN, releases=8).warnings == ()
