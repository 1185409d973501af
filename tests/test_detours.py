"""Designs on fewer edges: private on all of the user's, with a bound of all, whatever else is asked for."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from cases import CHAIN
from command import answer, done

import mechdesign as md
from mechdesign.solver.stopping import Until


def places(count: int, seed: int = 1) -> nx.Graph:
    draw = np.random.default_rng(seed)
    x, y, visits = draw.random((3, count)).tolist()
    return md.point_graph({"x": x, "y": y, "visits": visits}, at=["x", "y"], prior="visits")


def own_epsilons(graph: nx.Graph) -> nx.Graph:
    """Each edge has four times its distance as an epsilon of its own, but one in three."""
    for number, (_, _, edge) in enumerate(graph.edges(data=True)):
        if number % 3:
            edge["epsilon"] = 4 * edge.pop("distance")
    return graph


def within_bounds() -> nx.Graph:
    """Three profiles, the middle one a detour of nothing, known up to one part in a hundred."""
    profiles = {"a": ["0.2", "0.8"], "b": ["0.5", "0.5"], "c": ["0.8", "0.2"]}
    graph = md.profile_graph(profiles, edges=[("a", "b"), ("b", "c"), ("a", "c")], categories=["no", "yes"])
    nx.set_node_attributes(graph, "0.01", "radius")
    nx.set_edge_attributes(graph, {("a", "b"): "0.3", ("b", "c"): "0.3", ("a", "c"): "0.5"}, "epsilon")
    return graph


PLACES = places(12)
DISTANCE = md.distances(PLACES)
CASES: dict[str, tuple[nx.Graph, dict[str, Any]]] = {
    "expected": (PLACES, {"objective": md.ExpectedLoss(DISTANCE)}),
    "worst": (PLACES, {"objective": md.WorstLoss(DISTANCE)}),
    "largest entry": (PLACES, {}),
    "own epsilons": (own_epsilons(places(12)), {"objective": md.ExpectedLoss(DISTANCE)}),
    "scaled": (places(12), {"objective": md.ExpectedLoss(DISTANCE), "scale_own": True}),
    "shares kept": (PLACES, {"objective": md.ExpectedLoss(DISTANCE), "keep_shares": True}),
    "shared": (PLACES, {"objective": md.ExpectedLoss(DISTANCE), "shared": True}),
    "textbook": (PLACES, {"objective": md.ExpectedLoss(DISTANCE), "method": "highs"}),
    "within bounds": (within_bounds(), {"objective": md.ExpectedLoss()}),
}
for _, _, own in CASES["scaled"][0].edges(data=True):
    own["epsilon"] = own.pop("distance")


@pytest.mark.parametrize("name", CASES)
def test_it_is_private_on_all_edges_and_bounds_their_optimum(name: str) -> None:
    graph, options = CASES[name]
    found = md.design(graph, epsilon=4, detours="1.3", **options)
    optimum = md.design(graph, epsilon=4, any_optimum=True, **options)
    kept = found.stats["detours"]
    assert kept["kept"] < kept["edges"] == graph.number_of_edges()
    assert 1 < kept["longest"] <= 1.3
    assert found.bound <= optimum.value * (1 + Fraction(1, 10**9))
    assert optimum.bound <= found.value
    assert md.certify(found.mechanism, found.graph, epsilon=1 if options.get("scale_own") else 4).private
    assert md.check_certificate(found.certificate) == (found.value, found.bound)
    assert len(found.certificate["edges"]) == graph.number_of_edges()
    assert f"with detours of up to {kept['longest']:.4g}" in str(found.answer().facts)


def test_shorter_detours_come_nearer() -> None:
    graph, options = CASES["expected"]
    gaps = [md.design(graph, epsilon=4, detours=most, **options).gap for most in (2, "1.2", "1.01")]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] < Fraction(1, 100)


def test_division_by_what_others_need_is_better_than_by_the_longest() -> None:
    """All distances divided by the longest detour, as in CCS 2014, are private on all pairs too."""
    graph, options = CASES["expected"]
    found = md.design(graph, epsilon=4, detours="1.3", **options)
    stricter = md.design(graph, epsilon=Fraction(4) / Fraction(found.stats["detours"]["longest"]), **options)
    assert found.value < stricter.value


def test_where_no_edge_has_a_detour_it_is_the_usual_design() -> None:
    usual = md.design(CHAIN, epsilon="0.5")
    found = md.design(CHAIN, epsilon="0.5", detours=2)
    assert (found.value, found.bound, found.stats["way"]) == (usual.value, usual.bound, usual.stats["way"])
    assert found.stats["detours"]["longest"] == 1
    assert "No edge was left out" in str(found.answer().facts)


def test_a_component_without_noise_and_workers() -> None:
    parts = nx.disjoint_union_all([places(8, 2), places(9, 3)])
    graph = md.value_graph(list(parts), metric=lambda a, b: 1)
    graph.remove_edges_from(list(graph.edges))
    graph.add_edges_from((a, b, {"distance": own["distance"]}) for a, b, own in parts.edges(data=True))
    loss = md.ExpectedLoss("hamming")
    with ThreadPoolExecutor(2) as executor:
        found = md.design(graph, epsilon=4, objective=loss, detours="1.2", executor=executor)
    assert found.stats["components"] == 2
    assert found.value == md.design(graph, epsilon=4, objective=loss, detours="1.2").value
    assert found.stats["detours"]["edges"] == graph.number_of_edges()


def test_with_a_gap_it_ends_when_that_is_proved() -> None:
    graph, options = CASES["expected"]
    near = md.design(graph, epsilon=4, detours="1.2", gap="50%", **options)
    assert near.ended == {"gap": 1}
    assert near.gap <= Fraction(1, 2)
    far = md.design(graph, epsilon=4, detours="1.2", gap="0.0001", **options)
    assert not far.ended
    assert far.gap > Fraction(1, 10_000)


@pytest.mark.parametrize("number", [0, 1, 2, 4])
def test_whenever_it_ends_it_is_private_and_proved(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, options = CASES["expected"]
    asked = iter(range(1000))
    optimum = md.design(graph, epsilon=4, **options)
    with monkeypatch.context() as patch:
        patch.setattr(Until, "over", lambda until: "time" if next(asked) >= number else "")
        found = md.design(graph, epsilon=4, detours="1.2", seconds=60, **options)
    assert md.check_certificate(found.certificate, graph=graph, epsilon=4) == (found.value, found.bound)
    assert found.bound <= optimum.value
    assert found.value >= optimum.bound


DELTA = md.profile_graph({"a": [1, 0], "b": [0, 1]}, edges=[("a", "b")], categories=["no", "yes"])
DELTA.edges["a", "b"]["delta"] = Fraction(1, 10)


@pytest.mark.parametrize(
    ("graph", "options", "fault"),
    [
        (PLACES, {"detours": "0.99"}, "detours: expected a number >= 1, such as 1.2, found '0.99'"),
        (PLACES, {"detours": "far"}, "detours: expected a number >= 1"),
        (PLACES, {"detours": "inf"}, "detours: expected a number >= 1"),
        (PLACES, {"detours": 2, "delta": "0.1"}, "deltas to more than their sum, and delta 0.1 is asked for"),
        (DELTA, {"detours": 2}, "and edge 'a' - 'b' has a delta"),
        (CHAIN, {"detours": 2, "objective": md.MutualInformation("0.1")}, "mutual-information goes through cvxpy"),
        (DELTA.subgraph("a"), {"detours": 2, "method": "one-bit-cluster"}, "one-bit-cluster takes all edges"),
    ],
)
def test_what_cannot_be_used(graph: nx.Graph, options: dict[str, Any], fault: str) -> None:
    with pytest.raises(md.InputError, match="detours") as raised:
        md.design(graph, epsilon=1, **options)
    assert fault in str(raised.value)


def test_the_command_says_what_was_left_out(tmp_path: Path) -> None:
    graph, made, proof = (str(tmp_path / f"{name}.json") for name in ("places", "made", "proof"))
    md.write_graph(PLACES, graph)
    asked = ("--epsilon", "4", "--objective", "expected-loss", "--loss", "distance")
    found = answer("design", graph, *asked, "--detours", "1.3", "-o", made, "--certificate", proof)
    assert found["detours"]["kept"] < found["detours"]["edges"] == PLACES.number_of_edges()
    assert 0 < found["gap"] < 0.3
    assert "accepted" in done("check", proof, "--graph", graph, "--mechanism", made, *asked)
