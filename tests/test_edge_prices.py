"""What an edge costs, held against differences of the optimum: each is known to lie between its bound and its value.

Where the optimum has a kink, a price lies between the derivatives of both sides.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

import networkx as nx
import pytest

import mechdesign as md
from mechdesign.designer.edge_prices import Price, edge_prices
from mechdesign.exact.exponentials import exp_above, exp_below
from mechdesign.objective import Objective
from mechdesign.objective.multipliers import FINENESS

F = Fraction
STEP = F(1, 20_000)
OBJECTIVES: list[Objective] = [md.MaxOffDiagonal(), md.ExpectedLoss(), md.WorstLoss()]
SMALL = ["bernoulli-couplet", "categorical-chain", "commutes", "resource-usage", "hobbies"]
SLOW = ["metric-grid-5x5", "departure-by-destination"]
LARGE = [name for name in md.shipped_graphs() if name not in SMALL + SLOW]
ASKED = [(F(1, 2), F(0)), (F(1, 5), F(1, 50))]


def falls(before: md.Design, after: md.Design, step: Fraction) -> tuple[float, float]:
    """Return bounds of the rate at which the optimum falls from one design to the other."""
    return float((before.bound - after.value) / step), float((before.value - after.bound) / step)


def check_between(
    rate: Fraction, middle: md.Design, at: Callable[[Fraction], md.Design], here: Fraction, scale: Fraction
) -> None:
    """Check that a rate is between those of the sides, as far as a difference tells; on the left of 0 nothing is."""
    lower, upper = falls(middle, at(here + STEP), STEP)
    if here >= STEP:
        left = falls(at(here - STEP), middle, STEP)
        lower, upper = min(lower, left[0]), max(upper, left[1])
    slack = float(scale) / 5000 + 1e-6
    assert lower - slack <= rate <= upper + slack


def owning(graph: nx.Graph, edge: tuple[object, object], **own: Fraction) -> nx.Graph:
    """Return the graph with limits of this one edge's own."""
    result = graph.copy()
    result.edges[edge].update(own)
    return result


def asked(prices: list[Price]) -> tuple[Fraction, Fraction]:
    """Return the rates in the epsilon and the delta asked for."""
    return sum((one.asked_epsilon for one in prices), F(0)), sum((one.asked_delta for one in prices), F(0))


def check_prices(graph: nx.Graph, epsilon: Fraction, delta: Fraction, objective: Objective, most: int) -> None:
    """Check the rates in what is asked for, and the prices of the dearest edges."""

    def of(graph: nx.Graph, epsilon: Fraction = epsilon, delta: Fraction = delta) -> md.Design:
        return md.design(graph, epsilon=epsilon, delta=delta, objective=objective, any_optimum=True)

    result = of(graph)
    prices = sorted(result.prices(), key=lambda one: -one.epsilon)
    by_epsilon, by_delta = asked(prices)
    check_between(by_epsilon, result, lambda at: of(graph, at), epsilon, by_epsilon)
    if delta:
        check_between(by_delta, result, lambda at: of(graph, delta=at), delta, by_delta)
    for price in prices[:most]:
        edge, here = price.edge, epsilon * graph.edges[price.edge].get("distance", 1)
        owned = partial(lambda edge, at: of(owning(graph, edge, epsilon=at)), edge)
        check_between(price.epsilon, result, owned, here, by_epsilon)
        loosened = of(owning(graph, edge, delta=delta + STEP))
        assert float(price.delta) >= falls(result, loosened, STEP)[0] - 1e-6


@pytest.mark.parametrize(("place", "objective"), [*enumerate(OBJECTIVES)])
@pytest.mark.parametrize(("number", "name"), [*enumerate(SMALL)])
def test_prices_are_the_derivatives(number: int, name: str, place: int, objective: Objective) -> None:
    """Of each graph for each objective, with and without a delta in turn."""
    epsilon, delta = ASKED[(number + place) % 2]
    check_prices(md.read_graph(name), epsilon, delta, objective, most=1)


@pytest.mark.slow
@pytest.mark.parametrize("objective", OBJECTIVES, ids=lambda one: one.name)
@pytest.mark.parametrize("name", LARGE)
def test_prices_on_larger_graphs_are_the_derivatives(name: str, objective: Objective) -> None:
    check_prices(md.read_graph(name), F(1, 2), F(0), objective, most=1)


def test_what_an_edge_has_of_its_own_counts_nothing_in_what_is_asked_for() -> None:
    graph = md.read_graph("categorical-chain")
    plain = md.design(graph, epsilon="0.5").prices()
    graph.edges["P2", "P3"].update(epsilon="0.5", delta=0)
    prices = md.design(graph, epsilon=3, delta="0.1").prices()
    assert [(one.edge, one.asked_epsilon, one.asked_delta) for one in prices] == [
        (("P1", "P2"), prices[0].epsilon, prices[0].delta),
        (("P2", "P3"), 0, 0),
    ]
    assert float(prices[1].epsilon) == pytest.approx(float(plain[1].epsilon))


@pytest.mark.parametrize(("objective", "epsilon"), [(md.MaxOffDiagonal(), "0.2"), (md.ExpectedLoss(), "0.5")])
def test_however_much_a_delta_grows_the_optimum_falls_by_no_more_than_its_price(
    objective: Objective, epsilon: str
) -> None:
    """Exactly, for the bound is linear in delta; but that it is rounded down to multiples of 2^-160."""
    graph = md.read_graph("commutes")
    result = md.design(graph, epsilon=epsilon, objective=objective)
    for price in result.prices():
        for more in (F(1, 1000), F(1, 20), F(1, 2)):
            after = md.design(owning(graph, price.edge, delta=more), epsilon=epsilon, objective=objective)
            assert after.value >= result.bound - price.delta * more - F(1, 2**150)


def test_edges_of_a_clique_and_of_implied_pairs_share_what_all_cost() -> None:
    """Of 21 edges between any two of seven profiles; of 300 in a metric, all but those of neighbours are implied."""
    prices = md.design(md.read_graph("vote-by-education"), epsilon="0.5").prices()
    assert len(prices) == 21
    graph = md.value_graph([0, 1, 2, 3], metric=lambda x, y: abs(x - y))
    prices = md.design(graph, epsilon="0.5").prices()
    assert {one.edge for one in prices if one.epsilon > F(1, 10**6)} <= {(0, 1), (1, 2), (2, 3)}


def test_at_epsilon_0_what_both_directions_have_in_common_costs_nothing() -> None:
    """There q^a = q^b, and whatever is added to the weights of both inequalities proves the same."""
    graph = md.read_graph("bernoulli-couplet")
    result = md.design(graph, epsilon=0)
    (price,) = result.prices()
    check_between(price.epsilon, result, lambda at: md.design(graph, epsilon=at), F(0), price.epsilon)
    both = {(a, b, y): weight + FINENESS for (a, b) in ((0, 1), (1, 0)) for y in (0, 1)
            for weight in [result.proof.privacy.get((a, b, y), 0)]}  # fmt: skip
    assert edge_prices(result.mechanism, graph, result.required, both) == [price]


def test_edges_that_require_nothing_cost_nothing() -> None:
    graph = md.read_graph("categorical-chain")
    graph.edges["P1", "P2"]["epsilon"] = "inf"
    graph.edges["P2", "P3"]["epsilon"] = 800
    prices = md.design(graph, epsilon=1).prices()
    assert [one.edge for one in prices] == list(graph.edges)
    assert not any((one.epsilon, one.delta, one.asked_epsilon, one.asked_delta) != (F(0),) * 4 for one in prices)


def test_prices_of_one_matrix_for_all() -> None:
    graph = md.read_graph("categorical-chain")

    def of(at: Fraction) -> md.Design:
        return md.design(graph, epsilon=at, shared=True)

    result = of(F(1, 2))
    rate = asked(result.prices())[0]
    check_between(rate, result, of, F(1, 2), rate)


def test_the_price_of_an_epsilon_is_rounded_down() -> None:
    """Exactly, for the weights at hand: it is e^epsilon times a rational."""
    result = md.design(md.read_graph("bernoulli-couplet"), epsilon="0.5")
    (price,) = result.prices()
    released = [result.mechanism.released(profile) for profile in ("a", "b")]
    spent = sum((weight * released[b][y] for (_, b, y), weight in result.proof.privacy.items()), F(0)) / FINENESS
    assert exp_below(F(1, 2)) * spent == price.epsilon < exp_above(F(1, 2)) * spent


def test_bits_flipped_alike_have_no_prices() -> None:
    result = md.design(md.read_graph("bernoulli-couplet"), epsilon="0.5", method="one-bit-cluster")
    with pytest.raises(md.InputError, match=r"prices: the proof is about all mechanisms, one-bit-cluster finds"):
        result.prices()
