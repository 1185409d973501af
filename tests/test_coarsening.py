"""Coarser graphs: exact sums and means, what becomes of edges, weights, bounds and order, and what is refused."""

import re
from fractions import Fraction
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.graph.distribution import PointMass
from mechdesign.graph.groups import strictest
from mechdesign.graph.properties import has_order
from mechdesign.graph.uncertainty import uncertainty_of
from mechdesign.privacy.requirement import epsilon_of

F = Fraction


def a_graph(**changes: Any) -> nx.Graph:
    """Return a path a-b-c-d over three categories, with changes to the nodes of these names."""
    graph = nx.path_graph(["a", "b", "c", "d"])
    graph.graph.update(categories=["x", "y", "z"], name="path")
    masses = {"a": ["0.2", "0.3", "0.5"], "b": ["0.4", "0.4", "0.2"], "c": [1, 0, 0], "d": ["0.1", "0.1", "0.8"]}
    for profile, distribution in masses.items():
        graph.nodes[profile].update({"distribution": distribution} | changes.get(profile, {}))
    return graph


def test_a_joined_profile_is_the_mean_by_weight() -> None:
    rough = md.coarsened(a_graph(a={"weight": 3}, b={"weight": 1}), profiles=[("b", "a")])
    assert list(rough) == ["b+a", "c", "d"]
    assert rough.nodes["b+a"]["distribution"] == (F(1, 4), F(13, 40), F(17, 40))
    assert rough.nodes["b+a"]["weight"] == 4
    assert "weight" not in rough.nodes["c"]
    assert sorted(rough.edges) == [("b+a", "c"), ("c", "d")]


def test_a_joined_profile_has_the_weight_of_its_parts_where_none_was_given() -> None:
    rough = md.coarsened(a_graph(), profiles={"ad": ("a", "d")})
    assert rough.nodes["ad"] == {"distribution": (F(3, 20), F(1, 5), F(13, 20)), "weight": 2}
    assert sorted(rough.edges) == [("ad", "b"), ("ad", "c"), ("b", "c")]


def test_a_joined_category_has_the_sum_and_stands_where_its_first_part_stood() -> None:
    rough = md.coarsened(a_graph(), categories={"xz": ("z", "x")})
    assert rough.graph["categories"] == ("xz", "y")
    assert [node["distribution"] for node in rough.nodes.values()] == [
        (F(7, 10), F(3, 10)), (F(3, 5), F(2, 5)), (1, 0), (F(9, 10), F(1, 10))
    ]  # fmt: skip
    assert sorted(rough.edges) == sorted(a_graph().edges)


def test_both_at_once_and_what_was_joined_is_said(tmp_path: Any) -> None:
    rough = md.coarsened(a_graph(), profiles=[("a", "b")], categories=[("x", "y")])
    again = md.coarsened(rough, profiles={"all but a and b": ("c", "d")})
    said = [
        {"profiles": [{"name": "a+b", "members": ["a", "b"]}], "categories": [{"name": "x+y", "members": ["x", "y"]}]},
        {"profiles": [{"name": "all but a and b", "members": ["c", "d"]}], "categories": []},
    ]
    assert again.graph["coarsened"] == said
    md.write_graph(again, tmp_path / "rough.json")
    read = md.read_graph(tmp_path / "rough.json")
    assert (dict(read.nodes), dict(read.edges), read.graph["coarsened"]) == (dict(again.nodes), dict(again.edges), said)


def test_single_values_stay_single_values() -> None:
    rough = md.coarsened(md.value_graph(["a", "b", "c"]), categories=[("b", "c")])
    assert [node["distribution"] for node in rough.nodes.values()] == [PointMass(i, 2) for i in (0, 1, 1)]
    assert rough.number_of_edges() == 3


def test_records_add_up_and_what_parts_have_alike_is_kept() -> None:
    notes = {"a": {"count": 3, "counts": [1, 2, 0], "town": "Ulm", "age": 3}}
    notes["b"] = {"count": 4, "counts": [0, 1, 3], "town": "Ulm", "age": 4}
    rough = md.coarsened(a_graph(**notes), profiles=[("a", "b")], categories=[("y", "z")])
    joined = rough.nodes["a+b"]
    assert (joined["count"], list(joined["counts"]), joined["town"], "age" in joined) == (7, [1, 6], "Ulm", False)


@pytest.mark.parametrize(
    ("make", "ordered"), [(lambda: md.counting_graph(3), True), (lambda: md.value_graph(["a", "b", "c", "d"]), False)]
)
def test_whether_categories_have_an_order_stays_as_it_is(make: Any, ordered: bool) -> None:
    graph = make()
    rough = md.coarsened(graph, categories=[graph.graph["categories"][1:3]])
    assert rough.graph["ordered"] == has_order(rough) == ordered
    assert "ordered" not in md.coarsened(graph, profiles=[list(graph)[:2]]).graph


# --- edges --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "kept"),
    [
        ({}, {}, {}),
        ({"epsilon": F(1)}, {"epsilon": F(2)}, {"epsilon": F(1)}),
        ({"epsilon": float("inf")}, {"distance": F(2)}, {"distance": F(2)}),
        ({"epsilon": float("inf"), "delta": F(0)}, {"delta": F(1, 9)}, {"delta": F(1, 9)}),
        ({"epsilon": float("inf")}, {"epsilon": float("inf")}, {"epsilon": float("inf")}),
        ({"distance": F(3)}, {}, {"distance": F(1)}),
        ({"epsilon": F(0)}, {"distance": F(3)}, {"epsilon": F(0)}),
        ({"epsilon": F(1)}, {"distance": F(0)}, {"distance": F(0)}),
        ({"delta": F(0)}, {}, {"delta": F(0)}),
        ({"delta": F(1, 2), "why": "kin"}, {"delta": F(1, 4), "why": "kin"}, {"why": "kin", "delta": F(1, 4)}),
    ],
)
def test_of_two_edges_that_become_one_the_stricter_is_kept(one: Any, other: Any, kept: Any) -> None:
    graph = a_graph()
    graph.add_edge("b", "d")
    graph.edges["b", "c"].update(one)
    graph.edges["b", "d"].update(other)
    assert md.coarsened(graph, profiles=[("c", "d")]).edges["b", "c+d"] == kept
    assert strictest([other, one]) == kept


limits = st.fractions(0, 2, max_denominator=4)
own = st.fixed_dictionaries({}, optional={"epsilon": limits, "distance": limits, "delta": limits.map(lambda d: d / 3)})


@given(st.lists(own, min_size=1, max_size=3), limits, limits.map(lambda delta: delta / 3))
def test_the_stricter_edge_asks_at_least_what_each_asks(edges: Any, epsilon: Fraction, delta: Fraction) -> None:
    try:
        kept = strictest(edges)
    except md.InputError:  # it depends on what is asked for
        return
    for edge in edges:
        assert epsilon_of(kept, epsilon) <= epsilon_of(edge, epsilon)
        assert kept.get("delta", delta) <= edge.get("delta", delta)


# --- bounds -------------------------------------------------------------------------------------------------


def test_bounds_of_sums_and_of_means() -> None:
    box = {"lower": [0, "0.1", "0.2"], "upper": ["0.6", "0.7", "0.8"]}
    rough = md.coarsened(a_graph(a=box), categories=[("y", "z")])
    assert (rough.nodes["a"]["lower"], rough.nodes["a"]["upper"]) == ((0, F(3, 10)), (F(3, 5), 1))
    assert md.coarsened(a_graph(a={"radius": "0.1"}), categories=[("y", "z")]).nodes["a"]["radius"] == F(1, 10)
    rough = md.coarsened(a_graph(a={"radius": "0.1"}, b={"weight": 3}), profiles=[("a", "b")])
    assert rough.nodes["a+b"]["radius"] == F(1, 40)
    rough = md.coarsened(a_graph(a={"radius": "0.25"}, b=box), profiles=[("a", "b")])
    limits = (F(0), F(3, 40), F(9, 40)), (F(21, 40), F(5, 8), F(31, 40)), F(1)
    assert uncertainty_of(rough.nodes["a+b"]).limits == limits


masses = st.lists(st.integers(1, 6), min_size=3, max_size=3).map(lambda n: [F(one, sum(n)) for one in n])


@st.composite
def known_within_bounds(draw: st.DrawFn) -> dict[str, Any]:
    distribution = draw(masses)
    if draw(st.booleans()):
        return {"distribution": distribution, "radius": draw(st.fractions(0, 1, max_denominator=8))}
    spread = draw(st.fractions(0, 1, max_denominator=8))
    upper = [mass + (1 - mass) * spread for mass in distribution]
    return {"distribution": distribution, "lower": [mass * (1 - spread) for mass in distribution], "upper": upper}


@given(known_within_bounds(), known_within_bounds(), masses, st.integers(1, 4), st.permutations([0, 1, 2]))
def test_what_is_within_the_parts_bounds_is_within_those_of_the_joined(
    one: Any, other: Any, values: list[Fraction], weight: int, order: list[int]
) -> None:
    graph = md.profile_graph(
        {"a": one["distribution"], "b": other["distribution"], "c": [1, 0, 0]}, edges="all", categories=["x", "y", "z"]
    )
    graph.nodes["a"].update(one, weight=weight)
    graph.nodes["b"].update(other)
    parts = [uncertainty_of(md.coarsened(graph, categories=[("x", "y")]).nodes[name]) for name in "ab"]
    sets = [uncertainty_of({**node, "distribution": tuple(node["distribution"])}) for node in (one, other)]
    extremes = [each.largest([values[x] for x in order]) for each in sets]
    assert all(part.holds([p[0] + p[1], p[2]]) for part, p in zip(parts, extremes, strict=True))
    mean = [(weight * p + q) / (weight + 1) for p, q in zip(*extremes, strict=True)]
    joined = md.coarsened(graph, profiles=[("a", "b")]).nodes["a+b"]
    assert uncertainty_of(joined).holds(mean)
    assert ("radius" in joined) == ("radius" in one and "radius" in other)


# --- what is refused ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("joined", "message"),
    [
        ({}, "expected profiles or categories to join, found none"),
        ({"profiles": "ab"}, "expected groups such as [(\"a\", \"b\")]"),
        ({"profiles": ["ab"]}, "of each profile to join; found 'ab'"),
        ({"categories": 3}, "of each category to join; found 3"),
        ({"profiles": [("a",)]}, "'a': expected two or more to join, found ('a',)"),
        ({"profiles": [("a", "B")]}, "'B': no such profile; did you mean b?"),
        ({"profiles": [("a", ["b"])]}, "['b']: no such profile"),
        ({"profiles": [("a", "b"), ("b", "c")]}, "'b': this profile is to be joined twice"),
        ({"profiles": {"d": ("a", "b")}}, "'d': another profile has this name; give one"),
        ({"profiles": {1.5: ("a", "b")}}, "1.5: is no label; give text or an integer"),
        ({"categories": [("x", "y", "z")]}, "categories: all would be one category, and nothing be left to report"),
        ({"profiles": [("a", "b", "c", "d")]}, "no edge would be left and nothing be protected"),
    ],
)  # fmt: skip
def test_rejections(joined: Any, message: str) -> None:
    with pytest.raises(md.InputError, match=re.escape(message)):
        md.coarsened(a_graph(), **joined)


def test_a_name_of_a_part_may_be_kept() -> None:
    assert list(md.coarsened(a_graph(), profiles={"a": ("a", "b")})) == ["a", "c", "d"]


def test_an_order_is_not_broken() -> None:
    graph = md.read_graph("counting-10")
    words = r"'1\+4': between these categories, whose order means something, there is 2, 3; join it as well, or say"
    with pytest.raises(md.InputError, match=words):
        md.coarsened(graph, categories=[(1, 4)])
    graph.graph["ordered"] = False
    assert len(md.coarsened(graph, categories=[(1, 4)]).graph["categories"]) == 10


def test_a_part_of_weight_0_is_refused() -> None:
    with pytest.raises(md.InputError, match=r"'a\+b': a profile of weight 0 would vanish in a mean by weight"):
        md.coarsened(a_graph(b={"weight": 0}), profiles=[("a", "b")])


@pytest.mark.parametrize(("key", "value"), [("epsilon", "0.5"), ("delta", "0.1")])
def test_where_the_stricter_depends_on_what_is_asked_it_is_refused(key: str, value: str) -> None:
    graph = a_graph()
    graph.add_edge("b", "d")
    graph.edges["b", "c"][key] = value
    words = rf"'b'-'c\+d': one of the edges that would become one has {key} {value} of its own, another has none: "
    with pytest.raises(md.InputError, match=rf"{words}.* give each an own {key}, or none"):
        md.coarsened(graph, profiles=[("c", "d")])
