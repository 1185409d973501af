"""Profiles known within bounds: the worst distributions against all vertices, how bounds are read, written and told."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import faults_of
from hypothesis import given
from hypothesis import strategies as st
from oracles.vertices import Distribution, vertices
from strategies import distributions

import mechdesign as md
from mechdesign.graph.checks import checked
from mechdesign.graph.databases import database_shape
from mechdesign.graph.distribution import PointMass
from mechdesign.graph.document import document_of
from mechdesign.graph.graph_file import graph_of, read_graph, write_graph
from mechdesign.graph.properties import has_point_masses
from mechdesign.graph.uncertainty import Uncertainty, is_robust, nominal, uncertainty_of
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.mechanism.mechanism_file import read_mechanism, write_mechanism
from mechdesign.reports.curve_file import question_of
from mechdesign.solver.linear_program import write_program

NONE, HALF, ALL = Fraction(0), Fraction(1, 2), Fraction(1)


# --- the sets -----------------------------------------------------------------------------------------------


@st.composite
def boxes(draw: st.DrawFn, most: int = 4) -> dict[str, Any]:
    """A distribution and a box around it, narrow or wide, up to all distributions."""
    own = draw(distributions(draw(st.integers(1, most))))
    share = st.sampled_from([Fraction(0), Fraction(1, 5), HALF, Fraction(1)])
    lower = tuple(mass * draw(share) for mass in own)
    return {"distribution": own, "lower": lower, "upper": tuple(mass + (1 - mass) * draw(share) for mass in own)}


@st.composite
def balls(draw: st.DrawFn, most: int = 4) -> dict[str, Any]:
    radius = draw(st.sampled_from([Fraction(0), Fraction(1, 20), Fraction(1, 3), HALF, Fraction(1)]))
    return {"distribution": draw(distributions(draw(st.integers(1, most)))), "radius": radius}


def mean(masses: Any, values: Any) -> Fraction:
    return sum((mass * value for mass, value in zip(masses, values, strict=True)), Fraction(0))


def values_for(d: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(-3, 3), min_size=d, max_size=d)


def check_largest(within: Uncertainty, points: list[Distribution], values: list[int]) -> None:
    found = within.largest(values)
    assert sum(found) == 1
    assert min(found) >= 0
    assert within.holds(found)
    assert mean(found, values) == max(mean(point, values) for point in points)


@given(st.data())
def test_the_worst_distribution_is_the_worst_vertex(data: st.DataObject) -> None:
    node = data.draw(boxes() | balls())
    within, points = uncertainty_of(node), vertices(node)
    assert within.holds(node["distribution"])
    assert all(map(within.holds, points))
    check_largest(within, points, data.draw(values_for(len(node["distribution"]))))
    assert within.reach == tuple(map(max, zip(*points, strict=True)))
    assert within.floor == tuple(map(min, zip(*points, strict=True)))


def test_what_is_not_within_is_not_held() -> None:
    box = Uncertainty((HALF, HALF), (Fraction(0), HALF), (HALF, Fraction(1)))
    assert not box.holds([Fraction(3, 5), Fraction(2, 5)])
    assert not box.holds([Fraction(1), Fraction(0)])
    beyond = Fraction(2, 5) - Fraction(1, 10**30)
    ball = uncertainty_of({"distribution": (HALF, HALF), "radius": Fraction(1, 10)})
    assert not ball.holds([beyond, 1 - beyond])


def test_sets_of_profiles() -> None:
    graph = within()
    assert uncertainty_of(graph.nodes["a"]).limits == ((Fraction(1, 10), NONE), (ALL, Fraction(4, 5)), ALL)
    assert uncertainty_of(graph.nodes["b"]).limits == ((NONE, NONE), (ALL, ALL), Fraction(3, 10))
    assert uncertainty_of(graph.nodes["c"]).limits == ((HALF, HALF), (HALF, HALF), ALL)
    assert is_robust(graph)
    assert not is_robust(nominal(graph))
    assert is_robust(graph), "a copy"
    assert nominal(graph).nodes["b"] == {"distribution": PointMass(0, 2)}


# --- how they are read --------------------------------------------------------------------------------------


BOUNDS: dict[str, Any] = {"lower": {"a": ["1/10", 0]}, "upper": {"a": [1, "0.8"]}, "radius": {"b": "3/10"}}


def within(**options: Any) -> Any:
    """a in a box, given by one side each; b in a ball; c is known."""
    return md.profile_graph(
        {"a": ["3/10", "7/10"], "b": PointMass(0, 2), "c": [HALF, HALF]},
        categories=["no", "yes"],
        **{"edges": [("a", "b"), ("b", "c")]} | BOUNDS | options,
    )


def graph_with(node: dict[str, Any]) -> Any:
    return graph_of({"graph": {"categories": ["no", "yes"]}, "nodes": [{"id": "P"} | node], "edges": []})


P = {"distribution": ["0.2", "0.8"]}


@pytest.mark.parametrize(
    ("own", "fault"),
    [
        ({"lower": ["0.1"]}, ".lower: expected 2 numbers, one per category, found 1"),
        ({"upper": [1, 1, 1]}, ".upper: expected 2 numbers, one per category, found 3"),
        ({"lower": "0.1"}, ".lower: expected a list of 2 numbers, found '0.1'"),
        ({"upper": {"no": 1}}, ".upper: expected a list of 2 numbers, found {'no': 1}"),
        ({"lower": None}, ".lower: expected a list of 2 numbers, found None"),
        ({"lower": ["-0.1", 0]}, ".lower[0]: expected a number >= 0, found -0.1"),
        ({"lower": ["some", 0]}, ".lower[0]: expected a number such as 0.3 or \"3/10\", found 'some'"),
        ({"lower": ["0.21", 0]}, ".lower[0]: expected at most the probability 0.2, found 0.21"),
        ({"upper": [1, "0.79"]}, ".upper[1]: expected at least the probability 0.8, found 0.79"),
        ({"upper": [1.5, 1]}, ".upper[0]: expected at most 1, found 1.5"),
        ({"radius": "3/2"}, ".radius: expected a total variation distance from 0 to 1, found 1.5"),
        ({"radius": -1}, ".radius: expected a number >= 0, found -1"),
        ({"radius": [0.1, 0.1]}, '.radius: expected a number such as 0.3 or "3/10", found [0.1, 0.1]'),
        ({"radius": 0, "upper": [1, 1]}, ": expected either lower and upper or a radius, found upper and radius"),
        (
            {"radius": 0, "lower": [0, 0], "upper": [1, 1]},
            ": expected either lower and upper or a radius, found lower and upper and radius",
        ),
    ],
)
def test_bounds_that_cannot_be_used_are_refused(own: dict[str, Any], fault: str) -> None:
    (found,) = faults_of(graph_with, P | own)
    assert found == f"nodes[0] ('P'){fault}"


def test_long_denominators_that_would_be_added_up_are_refused() -> None:
    long = [f"1/{10**1499 + step}" for step in (1, 2)]
    (fault,) = faults_of(graph_with, P | {"lower": long})
    assert fault.startswith("nodes[0] ('P').lower: these 2 numbers need a common denominator of more than 2000 digits")


def test_all_faults_are_reported_at_once() -> None:
    nodes = [
        {"id": "P", "distribution": ["0.2", "0.9"], "lower": [0], "weight": -1},
        {"id": "Q", "distribution": ["0.5", "0.5"], "upper": ["0.4", "0.4"]},
        {"id": "R", "radius": 2, "lower": [0, "x"]},
    ]
    with pytest.raises(md.InputError) as error:
        graph_of({"graph": {"categories": ["no", "yes"]}, "nodes": nodes, "edges": []})
    places = [fault.partition(": ")[0] for fault in error.value.faults]
    assert places == [
        *("nodes[0] ('P').distribution", "nodes[0] ('P').weight", "nodes[0] ('P').lower"),
        *("nodes[1] ('Q').upper[0]", "nodes[1] ('Q').upper[1]"),
        *("nodes[2] ('R').distribution", "nodes[2] ('R')", "nodes[2] ('R').radius", "nodes[2] ('R').lower[1]"),
    ]


def test_faults_of_categories_leave_bounds_alone() -> None:
    with pytest.raises(md.InputError) as error:
        graph_of({"graph": {}, "nodes": [{"id": "P", "distribution": [1], "lower": [0, 0]}], "edges": []})
    assert error.value.faults == ["graph.categories: expected a list of at least one category, found None"]


def test_a_bound_equal_to_a_probability_that_is_normalised_is_no_fault() -> None:
    """The set is then the distribution alone, whichever way that is normalised."""
    for masses in (["0.3333333333"] * 3, ["0.3333333334"] * 3):
        third = tuple([Fraction(1, 3)] * 3)
        graph = md.profile_graph(
            {"a": masses}, edges=[], categories=[0, 1, 2], lower={"a": masses}, upper={"a": masses}
        )
        assert graph.graph["normalised"] == ["a"]
        box = uncertainty_of(graph.nodes["a"])
        assert box.floor == box.reach == graph.nodes["a"]["distribution"] == third
        assert document_of(checked(graph))["nodes"] == document_of(graph)["nodes"]


def test_bounds_must_hold_what_is_normalised_too() -> None:
    masses = ["0.3333333333", "0.3333333333", "0.3333333333"]
    with pytest.raises(md.InputError, match=r"lower\[0\]: expected at most the probability 1/3, found 0.33333333335"):
        md.profile_graph({"a": masses}, edges=[], categories=[0, 1, 2], lower={"a": ["0.33333333335", 0, 0]})


@given(st.data())
def test_a_graph_is_written_back_exactly(data: st.DataObject) -> None:
    box = data.draw(boxes())
    d = len(box["distribution"])
    ball = data.draw(balls(d).filter(lambda ball: len(ball["distribution"]) == d))
    graph = md.profile_graph(
        {"box": box["distribution"], "ball": ball["distribution"]},
        edges="all",
        categories=list(range(d)),
        lower={"box": box["lower"]},
        upper={"box": box["upper"]},
        radius={"ball": ball["radius"]},
    )
    again = graph_of(json.loads(json.dumps(document_of(graph))))
    assert [uncertainty_of(again.nodes[profile]) for profile in again] == [uncertainty_of(box), uncertainty_of(ball)]
    assert document_of(again) == document_of(graph)


def test_files_have_bounds_as_exact_text(tmp_path: Path) -> None:
    graph = within()
    write_graph(graph, tmp_path / "g.json")
    nodes = json.loads((tmp_path / "g.json").read_text())["nodes"]
    assert nodes[0] == {"id": "a", "distribution": ["0.3", "0.7"], "lower": ["0.1", "0"], "upper": ["1", "0.8"]}
    assert nodes[1] == {"id": "b", "distribution": ["1", "0"], "radius": "0.3"}
    assert dict(read_graph(tmp_path / "g.json").nodes) == dict(graph.nodes)


def test_one_radius_for_all() -> None:
    graph = within(lower=None, upper=None, radius="1/20")
    assert {attributes["radius"] for attributes in graph.nodes.values()} == {Fraction(1, 20)}


def test_bounds_of_strangers_are_refused_all_at_once() -> None:
    with pytest.raises(md.InputError) as error:
        within(lower={"z": [0, 0]}, upper=[1, 1], radius={"y": 1}, weights={"x": 1}, edges=[("a", "w")])
    assert error.value.faults == [
        "weights: 'x' is not a profile",
        "lower: 'z' is not a profile",
        "upper: expected a mapping from profiles, found [1, 1]",
        "radius: 'y' is not a profile",
        "edges: 'w' is not a profile",
    ]


# --- where they matter --------------------------------------------------------------------------------------


def identity(graph: Any) -> Mechanism:
    rows = np.array([[1, 0], [0, 1]], dtype=object)
    return Mechanism(graph, ("no", "yes"), rows, np.tile(np.arange(2), (len(graph), 1)))


def test_a_mechanism_keeps_the_bounds_of_its_profiles(tmp_path: Path) -> None:
    write_mechanism(identity(within()), tmp_path / "m.json")
    again = read_mechanism(tmp_path / "m.json")
    assert dict(again.graph.nodes) == dict(within().nodes)


def test_values_known_within_bounds_are_no_point_masses() -> None:
    graph = md.value_graph(["no", "yes"])
    assert has_point_masses(graph)
    for attributes in graph.nodes.values():
        attributes["radius"] = Fraction(1, 10)
    assert not has_point_masses(graph)
    assert database_shape(graph) is None
    parent = md.k_ary(["no", "yes"], ratio=2)
    with pytest.raises(md.InputError, match="expected exactly one profile for each value, and that value certain"):
        md.ProductSanitisation(Mechanism(graph, parent.outputs, parent.weights, parent.index), 3)


def test_a_sweep_on_other_bounds_is_another_question() -> None:
    options = {"objective": md.MaxOffDiagonal(), "delta": 0, "method": "auto", "shared": False, "any_optimum": False}
    graphs = [nominal(within()), within(), within(radius={"b": "1/5"}), within(upper=None)]
    digests = [question_of(graph, options | {"scale_own": False, "nominal": False})["graph_sha256"] for graph in graphs]
    assert len(set(digests)) == len(graphs)


def test_what_takes_profiles_as_known_refuses_bounds(tmp_path: Path) -> None:
    graph = within()
    known = identity(nominal(graph))
    expected = "takes profiles as known, and 2 of 3 are known only within bounds"
    with pytest.raises(md.InputError, match=f"^compose {expected}"):
        md.compose(known, graph=graph)
    with pytest.raises(md.InputError, match=f"^compose {expected}"):
        md.compose(identity(graph))
    with pytest.raises(md.InputError, match=f"^a file of the linear program {expected}"):
        write_program(graph, str(tmp_path / "p.mps"), epsilon=1)
    assert list(tmp_path.iterdir()) == []


# --- what people are told -----------------------------------------------------------------------------------


def test_a_picture_says_so_too_and_has_whiskers() -> None:
    figure = md.plot_graph(within())
    (axes,) = figure.axes
    assert axes.get_title() == "\n".join(
        ["profile graph", "2 of 3 profiles known only within bounds: probabilities up to 0.7 from those given"]
    )
    assert len([line for line in axes.lines if line.get_gid() == "bounds"]) == 4
    known = md.plot_graph(nominal(within())).axes[0]
    assert "bounds" not in known.get_title()
    assert not [line for line in known.lines if line.get_gid() == "bounds"]
