"""Profile graphs built in Python: exact numbers, every fault with its place, all faults at once."""

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from command import faults_of
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.graph.checks import checked
from mechdesign.graph.distribution import PointMass, describe, support
from mechdesign.graph.properties import has_point_masses


def a_graph(**changes: Any) -> nx.Graph:
    """Return an unchecked graph of two profiles, with changes to the profile "a"."""
    graph = nx.Graph(categories=["no", "yes"])
    graph.add_node("a", distribution=["0.5", "0.5"])
    graph.add_node("b", distribution=[Fraction(1, 3), Fraction(2, 3)])
    graph.add_edge("a", "b")
    graph.nodes["a"].update(changes)
    return graph


def test_a_total_within_1e_9_is_normalised_exactly_and_the_graph_says_so() -> None:
    third = "0.3333333333"  # three of them miss 1 by 1e-10
    graph = md.profile_graph(
        {"a": [third, third, third], "b": ["0.2", "0.3", "0.5"]}, edges="all", categories=["x", "y", "z"]
    )
    assert graph.nodes["a"]["distribution"] == (Fraction(1, 3),) * 3
    assert graph.graph["normalised"] == ["a"]


@pytest.mark.parametrize(
    ("last", "is_near"),
    [("0.500000001", True), ("0.499999999", True), ("0.5000000010000001", False), ("0.4999999989999999", False)],
)
def test_the_tolerance_of_a_total_is_exactly_1e_9(last: str, is_near: bool) -> None:
    graph = a_graph(distribution=["0.5", last])
    if is_near:
        assert sum(checked(graph).nodes["a"]["distribution"]) == 1
    else:
        assert "expected a total of 1 (within 1e-9)" in faults_of(lambda: checked(graph))[1]


def test_what_is_checked_is_a_copy() -> None:
    graph = a_graph()
    result = checked(graph)
    result.nodes["a"]["weight"] = 3
    result.edges["a", "b"]["epsilon"] = 3
    result.graph["name"] = "other"
    assert graph.nodes["a"] == {"distribution": ["0.5", "0.5"]}
    assert graph.edges["a", "b"] == {}
    assert "name" not in graph.graph


NUMBER = 'expected a number such as 0.3 or "3/10", found'


@pytest.mark.parametrize(
    ("distribution", "fault"),
    [
        (None, ".distribution: expected a list of 2 probabilities, found None"),
        ({"no": 1}, ".distribution: expected a list of 2 probabilities, found {'no': 1}"),
        ({"1"}, ".distribution: expected a list of 2 probabilities, found {'1'}"),
        (frozenset("1"), ".distribution: expected a list of 2 probabilities, found frozenset({'1'})"),
        (0.5, ".distribution: expected a list of 2 probabilities, found 0.5"),
        (["1"], ".distribution: expected 2 probabilities, one per category, found 1"),
        (["0.5", "0.25", "0.25"], ".distribution: expected 2 probabilities, one per category, found 3"),
        (["half", "0.5"], f".distribution[0]: {NUMBER} 'half'"),
        (["-0.5", "1.5"], ".distribution[0]: expected a number >= 0, found -0.5"),
        (["0.5", [1]], f".distribution[1]: {NUMBER} [1]"),
        (["0.5", "0.4"], ".distribution: expected a total of 1 (within 1e-9), found 0.9"),
        (["0", "0"], ".distribution: expected a total of 1 (within 1e-9), found 0"),
        (["1e999", "0"], ".distribution: expected a total of 1 (within 1e-9), found more than a million"),
        (PointMass(2, 2), ".distribution: expected a total of 1 (within 1e-9), found 0"),
        (PointMass(1, 3), ".distribution: expected 2 probabilities, one per category, found 3"),
        ([Fraction(-(10**5000)), 1], ".distribution[0]: expected a number >= 0, found a number of thousands of digits"),
    ],
)
def test_a_wrong_distribution_is_refused(distribution: object, fault: str) -> None:
    assert faults_of(lambda: checked(a_graph(distribution=distribution))) == [f"nodes[0] ('a'){fault}"]


@pytest.mark.parametrize(
    ("distribution", "cause"),
    [
        (["0.33", "0.66"], "totals miss 1 as rounding leaves them: divide each number by its total, or give more"),
        (np.array([0.62, 0.21, 0.12, 0.05], dtype=np.float32), "totals miss 1 as rounding leaves them"),
        ([20, 80], "totals are 100: these are percentages; divide them by 100"),
        ([310, 90], "these are counts: divide each by its total"),
    ],
)
def test_why_a_total_is_not_1_is_said_first(distribution: Any, cause: str) -> None:
    graph = a_graph(distribution=distribution)
    graph.graph["categories"] = list(range(len(distribution)))
    first, second = faults_of(lambda: checked(graph))[:2]
    assert first.startswith(cause)
    assert "expected a total of 1 (within 1e-9)" in second


@pytest.mark.parametrize(
    ("categories", "faults"),
    [
        (
            None,
            [
                "categories: expected the labels of what is observed, in the order of the probabilities, "
                'such as ["no", "yes"]'
            ],
        ),
        ("ny", ["graph.categories: expected a list of at least one category, found 'ny'"]),
        (["x", "x"], ["graph.categories: 'x' is given 2 times"]),
        (["x", 1.5], ["graph.categories[1]: expected text or an integer (or a tuple of these) as a label, found 1.5"]),
        (["x", ()], ["graph.categories[1]: expected text or an integer (or a tuple of these) as a label, found ()"]),
    ],
)
def test_wrong_categories_are_refused(categories: Any, faults: list[str]) -> None:
    make = {"a": ["0.5", "0.5"]}
    assert faults_of(lambda: md.profile_graph(make, edges=[], categories=categories)) == faults


@pytest.mark.parametrize("name", ["eps", "epsilonn", "Epsilon", "distances", "deltas", "delta_max", "detla"])
def test_what_an_edge_has_of_its_own_is_not_nearly_called_so(name: str) -> None:
    graph = a_graph()
    graph.edges["a", "b"][name] = "0.1"
    (fault,) = faults_of(lambda: checked(graph))
    assert fault.startswith(f"edges[0] ('a'-'b'): '{name}': what an edge has of its own is called epsilon, delta or d")
    assert fault.endswith("? If it is something else, rename it")


@pytest.mark.parametrize("name", ["weights", "Weight", "wieght", "raduis", "rad", "lowr", "upper_bound", "distributon"])
def test_what_a_profile_has_of_its_own_is_not_nearly_called_so(name: str) -> None:
    graph = a_graph()
    graph.nodes["a"][name] = graph.nodes["a"].pop("distribution") if name.startswith("dist") else "0.1"
    fault = next(fault for fault in faults_of(lambda: checked(graph)) if repr(name) in fault)
    called = "what a profile has of its own is called distribution, weight, lower, upper and radius; did you mean "
    assert fault.startswith(f"nodes[0] ('a'): '{name}': {called}")
    assert fault.endswith("? If it is something else, rename it")


def test_a_profile_may_have_what_has_nothing_to_do_with_it() -> None:
    graph = a_graph()
    graph.nodes["a"].update(
        weight=2, weight_kg=70, height=180, count=12, role="nurse", label="A", power=1, ratio=2, wt=3
    )
    graph.nodes["b"].update(weight_kg=80)
    assert checked(graph).nodes["a"]["weight_kg"] == 70


def test_an_edge_may_have_what_has_nothing_to_do_with_it() -> None:
    graph = a_graph()
    graph.edges["a", "b"].update(weight=3, why="near", color="red", length=2, data=1, detail="", date="", state="", e=1)
    graph.edges["a", "b"].update({"distance_km": 12, "Distance by road": 14, "distance-in-metres": "12000"})
    assert checked(graph).edges["a", "b"]["weight"] == 3


def with_edge(*ends: object, **attributes: Any) -> nx.Graph:
    graph = a_graph()
    graph.add_edge(*ends, **attributes)
    return graph


@pytest.mark.parametrize(
    ("graph", "fault"),
    [
        (
            with_edge("a", "b", epsilon=-1),
            "edges[0] ('a'-'b'): epsilon: expected a number >= 0 (in nats) or inf, found -1",
        ),
        (with_edge("a", "b", delta=1), "edges[0] ('a'-'b'): delta: expected a number in [0, 1), found 1"),
        (with_edge("a", "b", distance=-2), "edges[0] ('a'-'b').distance: expected a number >= 0, found -2"),
        (with_edge("a", "b", distance="far"), f"edges[0] ('a'-'b').distance: {NUMBER} 'far'"),
        (with_edge("b", "b"), "edges[1] ('b'-'b'): a profile cannot be its own neighbour; leave the self-loop out"),
        (a_graph(weight="-1"), "nodes[0] ('a').weight: expected a number >= 0, found -1"),
        (a_graph(weight=False), f"nodes[0] ('a').weight: {NUMBER} False"),
        (nx.Graph(categories=["x"]), "nodes: expected at least one profile, found none"),
        (nx.Graph(categories=[]), "graph.categories: expected a list of at least one category, found []"),
        (nx.path_graph(1), "nodes[0] (0).distribution: expected a list of numbers, one for each category, found None"),
        (nx.empty_graph([1.5]), "nodes[0].id: expected text or an integer (or a tuple of these) as a label, found 1.5"),
        (None, "expected a networkx.Graph, as profile_graph(...) makes it, found None"),
        ({"nodes": []}, "expected a networkx.Graph, as profile_graph(...) makes it, found {'nodes': []}"),
    ],
)
def test_a_wrong_graph_is_refused(graph: Any, fault: str) -> None:
    assert fault in faults_of(lambda: checked(graph))


def test_the_numbers_of_an_edge_become_exact() -> None:
    graph = a_graph()
    graph.edges["a", "b"].update(epsilon="0.4", delta="1e-6", distance=2)
    assert checked(graph).edges["a", "b"] == {"epsilon": Fraction(2, 5), "delta": Fraction(1, 10**6), "distance": 2}
    graph.edges["a", "b"]["epsilon"] = "inf"
    assert checked(graph).edges["a", "b"]["epsilon"] == math.inf


@pytest.mark.parametrize(
    ("kind", "words"),
    [(nx.DiGraph, ["directed"]), (nx.MultiGraph, ["multigraph"]), (nx.MultiDiGraph, ["directed", "multigraph"])],
)
def test_directed_and_multigraphs_are_refused(kind: type[nx.Graph], words: list[str]) -> None:
    faults = [f"{word}: expected false; privacy holds both ways, once per pair" for word in words]
    assert faults_of(lambda: checked(kind(a_graph()))) == faults


def test_all_faults_are_reported_at_once() -> None:
    graph = a_graph(distribution=["0.5"], weight=-1)
    graph.graph["categories"] = ["no", "no"]
    graph.edges["a", "b"].update(epsilon="low", delta=2)
    with pytest.raises(md.InputError) as error:
        checked(graph)
    assert len(error.value.faults) == 5
    assert str(error.value).startswith("5 faults\n  graph.categories: 'no' is given 2 times\n")


PAIR = 'expected a pair of profiles, or one with its attributes such as ("a", "b", {"epsilon": 0.5})'


@pytest.mark.parametrize(
    ("options", "faults"),
    [
        ({"edges": [("a", "c"), ("c", "d")]}, ["edges: 'c' is not a profile", "edges: 'd' is not a profile"]),
        ({"edges": [("a", ["b"])]}, ["edges: ['b'] is not a profile"]),
        ({"edges": [("a", "b", "c")]}, [f"edges[0]: {PAIR}, found ('a', 'b', 'c')"]),
        ({"edges": ["ab", 3]}, [f"edges[{i}]: {PAIR}, found {pair!r}" for i, pair in enumerate(["ab", 3])]),
        ({"edges": "every"}, ["edges: expected \"all\" or pairs of profiles, found 'every'"]),
        ({"edges": None}, ['edges: expected "all" or pairs of profiles, found None']),
        (
            {"edges": [("a", "b", {"epsilon": -1})]},
            ["edges[0] ('a'-'b'): epsilon: expected a number >= 0 (in nats) or inf, found -1"],
        ),
        (
            {"edges": [("a", "b", {"epsilon": 1}), ("b", "a")]},
            ["edges: 'b'-'a' is given twice, not with the same attributes"],
        ),
        ({"weights": {"c": 1}}, ["weights: 'c' is not a profile"]),
        ({"weights": {"a": 0, "b": 0}}, ["nodes: expected a positive weight somewhere, found only zeros"]),
    ],
)
def test_what_a_graph_cannot_be_made_of(options: dict[str, Any], faults: list[str]) -> None:
    given: dict[str, Any] = {"edges": [], "categories": ["x"]} | options
    assert faults_of(lambda: md.profile_graph({"a": [1], "b": [1]}, **given)) == faults


def test_edges_may_carry_their_attributes_as_in_networkx() -> None:
    edges: list[Any] = [("a", "b", {"epsilon": "0.4", "delta": "1e-6"}), ("b", "c")]
    edges += [["c", "d", {"distance": 2, "why": "far"}], ("c", "b")]  # twice alike is once
    graph = md.profile_graph({profile: [1] for profile in "abcd"}, edges=edges, categories=["x"])
    assert dict(graph.edges) == {
        ("a", "b"): {"epsilon": Fraction(2, 5), "delta": Fraction(1, 10**6)},
        ("b", "c"): {},
        ("c", "d"): {"distance": 2, "why": "far"},
    }


def test_value_graph_is_local_privacy() -> None:
    graph = md.value_graph(["x", "y", "z"], name="local", source="here")
    assert graph.graph == {"name": "local", "categories": ("x", "y", "z"), "source": "here"}
    assert [list(graph.nodes[value]["distribution"]) for value in "xyz"] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert [attributes for _, _, attributes in graph.edges(data=True)] == [{}, {}, {}]
    assert has_point_masses(graph)


def test_value_graph_with_a_metric_carries_distances() -> None:
    graph = md.value_graph([0, 1, 5], metric=lambda x, y: math.inf if abs(x - y) > 4 else abs(x - y) / 2)
    assert {(a, b): attributes["distance"] for a, b, attributes in graph.edges(data=True)} == {
        (0, 1): Fraction(1, 2),
        (1, 5): 2,
    }


@pytest.mark.parametrize(
    ("values", "metric", "fault"),
    [
        (["x", "x"], None, "graph.categories: 'x' is given 2 times"),
        ([], None, "graph.categories: expected a list of at least one category, found []"),
        ([["x"]], None, "values[0]: expected text or an integer (or a tuple of these) as a label, found ['x']"),
        ([0, 1], lambda x, y: x - y, "edges[0] (0-1).distance: expected a number >= 0, found -1"),
        ([0, 1], lambda x, y: "far", f"edges[0] (0-1).distance: {NUMBER} 'far'"),
    ],
)
def test_wrong_values_and_metrics_are_refused(values: Iterable[Any], metric: Any, fault: str) -> None:
    assert faults_of(lambda: md.value_graph(values, metric=metric))[0] == fault


def test_counting_graph_is_a_path() -> None:
    graph = md.counting_graph(4)
    assert list(graph.edges) == [(0, 1), (1, 2), (2, 3), (3, 4)]
    assert graph.graph["categories"] == (0, 1, 2, 3, 4)
    assert all(graph.nodes[value]["distribution"] == PointMass(value, 5) for value in range(5))


@pytest.mark.parametrize("n", [0, -1, True, 2.0, "3", None])
def test_a_count_of_nobody_is_refused(n: Any) -> None:
    assert faults_of(lambda: md.counting_graph(n)) == [f"n: expected a positive integer, found {n!r}"]


@given(st.integers(1, 12).flatmap(lambda d: st.tuples(st.integers(0, d - 1), st.just(d))))
def test_a_point_mass_is_the_sequence_that_it_stands_for(shape: tuple[int, int]) -> None:
    position, length = shape
    mass, plain = PointMass(position, length), [Fraction(i == position) for i in range(length)]
    assert list(mass) == plain
    assert len(mass) == length
    assert mass == plain
    assert mass[-1] == plain[-1]
    assert mass[1:] == plain[1:]
    assert mass[::-2] == plain[::-2]
    assert support(mass) == support(plain) == [(position, Fraction(1))]
    with pytest.raises(IndexError):
        mass[length]


def test_point_masses_are_compared_and_hashed_by_place() -> None:
    assert PointMass(1, 3) == PointMass(1, 3)
    assert PointMass(1, 3) != PointMass(2, 3)
    assert PointMass(1, 3) != PointMass(1, 4)
    assert PointMass(1, 3) != 1
    assert len({PointMass(1, 3), PointMass(1, 3), PointMass(0, 3)}) == 2
    assert repr(PointMass(1, 3)) == "PointMass(1, 3)"


def test_two_profiles_of_one_value_do_not_share_a_row() -> None:
    graph = md.profile_graph({"a": [1, 0], "b": [1, 0]}, edges="all", categories=["x", "y"])
    assert not has_point_masses(graph)
    assert not has_point_masses(md.profile_graph({"a": ["0.5", "0.5"]}, edges=[], categories=["x", "y"]))


def test_describe() -> None:
    third = [Fraction(1, 3), Fraction(0), Fraction(2, 3)]
    assert describe(third, ["no", "perhaps", "yes"]) == "no 1/3, yes 2/3"
    assert describe([Fraction(1234567, 10**7), 1 - Fraction(1234567, 10**7)], [0, 1]) == "0 0.1235, 1 0.8765"


LONG = [f"1/{10**1499 + step}" for step in range(1, 5)]
TOO_LONG = "need a common denominator of more than 2000 digits, too long to compute with; give them with fewer"


def test_probabilities_of_long_unequal_denominators_are_refused_profile_by_profile() -> None:
    graph = nx.Graph(categories=list("wxyz"))
    graph.add_nodes_from("abc", distribution=LONG)
    graph.add_node("d", distribution=["1/4"] * 4)
    faults = faults_of(lambda: checked(graph))
    places = [f"nodes[{index}] ('{profile}').distribution" for index, profile in enumerate("abc")]
    assert [fault.partition(": ")[0] for fault in faults] == places
    assert all(f": these 4 probabilities {TOO_LONG}" in fault for fault in faults)


def test_weights_of_long_unequal_denominators_are_refused() -> None:
    def make() -> nx.Graph:
        weights = dict(zip("abcd", LONG, strict=True))
        return md.profile_graph({profile: [1] for profile in "abcd"}, edges=[], categories=["x"], weights=weights)

    (fault,) = faults_of(make)
    assert fault.startswith(f"nodes: the weights of 4 profiles {TOO_LONG}")


def test_more_edges_than_fit_in_memory_are_refused_before_they_are_made() -> None:
    for make in (
        lambda: md.value_graph(range(5000)),
        lambda: md.profile_graph({profile: [1] for profile in range(5000)}, edges="all", categories=["x"]),
    ):
        (fault,) = faults_of(make)
        assert fault.startswith("too large: the graph would have 12,497,500 edges, expected at most 2,000,000; give")


def test_a_metric_may_leave_few_edges_of_many_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mechdesign.graph.checks.MOST_EDGES", 10)
    near = md.value_graph(range(11), metric=lambda x, y: 1 if y == x + 1 else math.inf)
    assert near.number_of_edges() == 10
    assert faults_of(lambda: md.value_graph(range(11), metric=lambda x, y: y - x))[0].startswith(
        "too large: the graph would have 11"
    )


def test_thousands_of_unknown_ends_are_named_in_linear_time() -> None:
    class Counted(str):
        __slots__ = ()
        compared = 0

        def __eq__(self, other: object) -> bool:
            Counted.compared += 1
            return str.__eq__(self, str(other))

        __hash__ = str.__hash__

    edges = [("a", Counted(f"end {number}")) for number in range(500)]
    assert len(faults_of(lambda: md.profile_graph({"a": [1]}, edges=edges, categories=["x"]))) == 500
    assert Counted.compared < 5000
