"""What designs for metric privacy are compared with: held against simulated noise and against every remap."""

import itertools
import math
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from oracles.divergence import assert_private
from scipy.integrate import quad

import mechdesign as md
from mechdesign.designer.baseline import baseline, baseline_name
from mechdesign.designer.design_answer import compared
from mechdesign.designer.metric_baseline import planar_laplace_value
from mechdesign.privacy.requirement import requirements

PLACES: dict[str, list[Any]] = {"x": [0, 1, 3, 2.5], "y": [0, 1, 0.5, 2], "visits": [5, 2, 1, 3]}


def places(within: float | None = None) -> nx.Graph:
    graph = md.point_graph(PLACES, at=["x", "y"], prior="visits")
    far = [(a, b) for a, b, own in graph.edges(data="distance") if within is not None and own > within]
    graph.remove_edges_from(far)
    return graph


def by_distance(graph: nx.Graph) -> md.ExpectedLoss:
    return md.ExpectedLoss(md.distances(graph))


def usual(graph: nx.Graph, objective: Any, epsilon: Any = 1) -> md.Mechanism:
    return baseline(
        graph, requirements(graph, Fraction(epsilon), Fraction(0)), objective, Fraction(epsilon), Fraction()
    )


@pytest.mark.parametrize("epsilon", [0.3, 2])
def test_planar_laplace_is_what_noise_costs_that_is_drawn(epsilon: float) -> None:
    """A draw has a uniform angle and a radius of density r e^-r; it is answered by the cheapest place after Bayes."""
    graph, draws = places(), 200_000
    at, prior = np.array([PLACES["x"], PLACES["y"]]).T, np.array(PLACES["visits"]) / 11
    loss = np.hypot(*(at[:, None] - at).transpose(2, 0, 1))
    random = np.random.default_rng(1)
    true = random.choice(4, draws, p=prior)
    radius, angle = random.gamma(2, 1 / epsilon, draws), random.uniform(0, 2 * math.pi, draws)
    seen = at[true] + (radius * np.array([np.cos(angle), np.sin(angle)])).T
    after = prior * np.exp(-epsilon * np.hypot(*(seen[:, None] - at).transpose(2, 0, 1)))
    lost = loss[true, (after @ loss).argmin(axis=1)]
    found = planar_laplace_value(graph, Fraction(epsilon), by_distance(graph))
    assert found == pytest.approx(lost.mean(), abs=4 * lost.std() / math.sqrt(draws))


@pytest.mark.parametrize(
    ("apart", "epsilon"), [(1, "0.001"), (1, 1), (1, 4), (6, 2), (2, 8), (6, 8), (100, 3), (1, 1200)]
)
@pytest.mark.parametrize("turn", [0, 0.4, math.pi / 4])
def test_planar_laplace_of_two_places_has_a_closed_form(apart: int, epsilon: Any, turn: float) -> None:
    """Whichever is nearer is answered; the line between is t / cos h / epsilon away, at an angle h.

    So far or further is noise with a probability of (1 + t / cos h) e^-(t / cos h), also where that is minute.
    """
    graph = md.point_graph({"x": [0, apart * math.cos(turn)], "y": [0, apart * math.sin(turn)]}, at=["x", "y"])
    t = float(epsilon) * apart / 2

    def beyond(h: float) -> float:
        return (1 + t / math.cos(h)) * math.exp(-t / math.cos(h))

    wrong = quad(beyond, 0, math.pi / 2 - 1e-12, epsrel=1e-9, epsabs=0)[0] / math.pi
    found = planar_laplace_value(graph, Fraction(epsilon), by_distance(graph))
    assert found == pytest.approx(apart * wrong, rel=1e-3, abs=0)


def test_planar_laplace_where_the_truth_costs_something_or_less_than_nothing() -> None:
    """What is taken off each row of a loss is taken off the value."""
    graph, taken = places(), [3, 1, 0, -2]
    loss = md.distances(graph)
    other = md.ExpectedLoss([[far - less for far in row] for row, less in zip(loss, taken, strict=True)])
    one, less = (planar_laplace_value(graph, Fraction(9), each) for each in (md.ExpectedLoss(loss), other))
    assert one is not None
    assert one - sum(w * part for w, part in zip(PLACES["visits"], taken, strict=True)) / 11 == pytest.approx(less)


def test_planar_laplace_of_places_beyond_doubles() -> None:
    """What is less than they hold is nothing; and nothing is said of places that are too far apart."""
    graph = places()
    assert planar_laplace_value(graph, Fraction(10**6), by_distance(graph)) == 0
    assert planar_laplace_value(graph, Fraction(10**11), by_distance(graph)) is None
    assert planar_laplace_value(graph, Fraction(10**400), by_distance(graph)) is None


def test_no_more_digits_are_told_than_are_sure() -> None:
    """What is good to a thousandth is the same as a value that is nearer, not 1.0040001 times as much."""
    assert compared(Fraction(1), Fraction("1.0009"), 3) == "the same, to three digits"
    assert compared(Fraction(1), Fraction("0.9995"), 3) == "the same, to three digits"
    assert compared(Fraction(1), Fraction("1.0040001"), 3) == "the same, to three digits"
    assert compared(Fraction(1), Fraction("1.0040001")) == "1.0040001 times as much"


def test_what_is_beyond_doubles_is_compared_too() -> None:
    assert compared(Fraction(1, 10**18), Fraction(1, 10**900)) == "1.00e+882 times less"
    assert compared(Fraction(1, 10**900), Fraction(2)) == "2.00e+900 times as much"
    assert compared(Fraction(1), Fraction(0)) == "costs nothing"


def test_no_design_is_worse_than_either_and_text_says_both() -> None:
    graph = places()
    made = md.design(graph, epsilon=1, objective=by_distance(graph))
    noisy = planar_laplace_value(graph, made.epsilon, by_distance(graph))
    assert noisy is not None
    assert made.bound < made.baseline
    assert float(made.bound) < noisy
    told = {fact.words: fact.note for fact in made.answer().facts}
    assert made.baseline_name == "exponential mechanism, best remap"
    assert {made.baseline_name, "planar Laplace noise, best remap"} <= told.keys()


@pytest.mark.parametrize("within", [None, 2.5])
def test_the_exponential_mechanism_is_private_and_no_remap_costs_less(within: Any) -> None:
    graph = places(within=within)
    objective = by_distance(places())
    found = usual(graph, objective)
    assert_private(found, graph, Fraction(1), Fraction(0))
    plain = usual(graph, md.WorstLoss(objective.loss))
    assert_private(plain, graph, Fraction(1), Fraction(0))
    rows, prior = [plain.row(i, i) for i in graph], [own["weight"] for own in graph.nodes.values()]
    costs = [
        sum(w * p * objective.loss[x][to[y]] for x, (w, row) in enumerate(zip(prior, rows, strict=True))
            for y, p in enumerate(row)) / 11
        for to in itertools.product(range(4), repeat=4)
    ]  # fmt: skip
    assert objective.value(found) == min(costs)


def test_distances_along_a_line_are_metric_and_epsilon_as_large_as_one_likes() -> None:
    graph = md.value_graph([0, 1, 2, 5], metric=lambda x, y: abs(x - y))
    assert planar_laplace_value(graph, Fraction(1), md.ExpectedLoss("absolute")) is None
    assert md.ExpectedLoss("absolute").value(usual(graph, md.ExpectedLoss("absolute"), 10**9)) < 1e-99
    assert baseline_name(graph, Fraction(0), md.WorstLoss("absolute")) == "exponential mechanism"


def test_places_on_the_earth_are_seen_from_above() -> None:
    """Noise in kilometres, on a plane that touches the Earth; far from the origin of degrees, over the date line."""
    table = {"lat": [60, 60.1, 60.05], "lon": [179.9, -179.9, "179.95"]}
    graph = md.point_graph(table, at=["lat", "lon"], unit="km")
    east = {"x": [-0.1, 0.1, -0.05], "y": [0, 0.2, 0.1]}
    flat = md.point_graph({axis: [111.195 / 2 * float(part) for part in east[axis]] for axis in "xy"}, at=["x", "y"])
    one, other = (planar_laplace_value(each, Fraction("0.2"), by_distance(each)) for each in (graph, flat))
    assert one == pytest.approx(other, rel=2e-3)


@pytest.mark.parametrize(
    ("graph", "objective"),
    [
        (md.read_graph("categorical-chain"), md.ExpectedLoss()),
        (md.value_graph("abc"), md.ExpectedLoss()),
        (places(within=1.5), md.ExpectedLoss()),
        (places(), md.MaxOffDiagonal()),
    ],
)
def test_where_it_does_not_apply(graph: nx.Graph, objective: Any) -> None:
    assert planar_laplace_value(graph, Fraction(1), objective) is None
    assert "exponential" not in baseline_name(graph, Fraction(0), objective)


def test_places_that_nobody_visits_change_nothing() -> None:
    """Also far from all others, where they alone are near to what noise makes of a place."""
    table: dict[str, list[Any]] = {"x": [0, 240, 120, 120], "y": [0, 0, 35, 3599], "visits": [1, 2, 0, 0]}
    graph = md.point_graph(table, at=["x", "y"], prior="visits")
    alone = md.point_graph({key: column[:2] for key, column in table.items()}, at=["x", "y"], prior="visits")
    loss = [[0, 1], [1, 0]]
    found = planar_laplace_value(graph, Fraction("1/80"), md.ExpectedLoss([*loss, [0, 0], [9, 9]]))
    assert found == pytest.approx(planar_laplace_value(alone, Fraction("1/80"), md.ExpectedLoss(loss)))


def test_other_outputs_than_places_are_what_is_answered() -> None:
    graph = places()
    objective = md.ExpectedLoss([[0, 1], [0, 1], [1, 0], [1, 0]])
    made = md.design(graph, epsilon=1, objective=objective)
    noisy = planar_laplace_value(graph, Fraction(1), objective)
    assert noisy is not None
    assert made.value < made.baseline < 1
    assert float(made.bound) < noisy < 0.5


def test_places_that_are_not_to_be_told_apart_at_all() -> None:
    graph = md.value_graph("abc", metric=[[0, 0, 1], [0, 0, 1], [1, 1, 0]])
    nx.set_node_attributes(graph, {"a": (0, 0), "b": (0, 1), "c": (1, 0)}, "pos")
    made = md.design(graph, epsilon=2, objective=md.ExpectedLoss())
    assert planar_laplace_value(made.graph, made.epsilon, made.objective) is None
    assert made.value <= made.baseline
    assert "exponential" in made.baseline_name


def test_without_any_epsilon_one_place_is_answered_always() -> None:
    graph = places()
    objective = by_distance(graph)
    assert planar_laplace_value(graph, Fraction(0), objective) is None
    weighed = [sum(w * far for w, far in zip(PLACES["visits"], row, strict=True)) / 11 for row in objective.loss]
    assert objective.value(usual(graph, objective, 0)) == min(weighed)
