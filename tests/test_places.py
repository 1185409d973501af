"""Graphs of places: distances by other derivations, rounded to the private side; and what is refused."""

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from command import answer, refused
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.objective import value_of

STATIONS = {
    "name": ["Ulm", "Jena", "Bonn"],
    "lat": [48.4, 50.9, 50.7],
    "lon": [10, 11.6, 7.1],
    "visits": [10, 2, "3.5"],
}
PART = Fraction(1, 10**6)


def stations(**options: Any) -> nx.Graph:
    return md.point_graph(STATIONS, **{"at": ["lat", "lon"], "label": "name", "unit": "km"} | options)


@given(
    st.lists(
        st.tuples(st.integers(-89, 89), st.integers(-179, 180)), min_size=2, max_size=4, unique_by=lambda one: one[1]
    )
)
def test_distances_on_the_earth_are_angles_between_vectors(places: list[tuple[int, int]]) -> None:
    """2 arcsin of half the chord between unit vectors, in place of the angle by its tangent."""
    latitude, longitude = np.radians(np.array(places, dtype=float)).T
    vectors = np.stack([np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude)])
    graph = md.point_graph({"lat": [a for a, _ in places], "lon": [b for _, b in places]}, at=["lat", "lon"], unit="km")
    for i, j, far in graph.edges(data="distance"):
        chord = float(np.linalg.norm(vectors[:, i - 1] - vectors[:, j - 1]))
        assert float(far) == pytest.approx(6371.0088 * 2 * math.asin(min(1.0, chord / 2)), rel=1e-6, abs=2e-6)


@pytest.mark.parametrize("offset", [0, 10**6, 10**9])
@given(st.lists(st.tuples(st.integers(-99, 99), st.integers(-99, 99)), min_size=2, max_size=4, unique=True))
def test_distances_in_the_plane_are_rounded_down(offset: int, places: list[tuple[int, int]]) -> None:
    """Exactly, of tenths far from the origin too: the square of what is written is at most that of the distance."""
    exact = [(Fraction(a, 10) + offset, Fraction(b, 10)) for a, b in places]
    graph = md.point_graph(
        {"x": [f"{offset + a / 10:.1f}" for a, _ in places], "y": [b / 10 for _, b in places]}, at=["x", "y"]
    )
    for i, j, far in graph.edges(data="distance"):
        square = sum((a - b) ** 2 for a, b in zip(exact[i - 1], exact[j - 1], strict=True))
        assert far**2 <= square < (far + 2 * PART + Fraction(offset, 10**11)) ** 2


def test_a_distance_that_doubles_round_up_is_rounded_down() -> None:
    """In millionths: 200,000,000^2 + 20,000^2 = 200,000,001^2 - 1."""
    graph = md.point_graph({"x": [0, 200], "y": ["0", "0.02"]}, at=["x", "y"])
    far = graph.edges[1, 2]["distance"]
    assert far**2 <= Fraction(200) ** 2 + Fraction("0.02") ** 2 < (far + 2 * PART) ** 2


def test_units_and_weights() -> None:
    km, mi, m = (stations(unit=unit).edges["Ulm", "Jena"]["distance"] for unit in ("km", "mi", "m"))
    assert float(m / km) == pytest.approx(1000, rel=1e-8)
    assert float(km / mi) == pytest.approx(1.609344, rel=1e-6)
    graph = stations(prior="visits")
    assert dict(graph.nodes(data="weight")) == {"Ulm": 10, "Jena": 2, "Bonn": Fraction(7, 2)}


def test_pairs_that_are_not_joined_are_told() -> None:
    """A corner; a line with a gap; a line with a place far off."""
    with pytest.warns(
        UserWarning, match=r"1 of 3 pairs is joined by no edge: .* up to 1\.\d+ times its distance"
    ) as told:
        graph = stations(within=320)
    assert graph.number_of_edges() == 2
    assert "detours" in str(told[0].message)
    line = {"x": [0, 1, 3, 4], "y": [0, 0, 0, 0]}
    with pytest.warns(
        UserWarning, match=r"4 of 6 pairs are joined by no edge: no path joins them, and they are not protected"
    ):
        md.point_graph(line, at=["x", "y"], within=1)
    with pytest.warns(UserWarning, match=r"up to 1 times .*; 4 of them are joined by no path, and not protected;"):
        md.point_graph({"x": [0, 1, 2, 3, 9], "y": [0] * 5}, at=["x", "y"], within=2)


def test_a_data_frame_is_read_as_a_mapping() -> None:
    frame = pd.DataFrame(STATIONS | {"visits": [1, 2, 3]})
    graph = md.point_graph(frame, at=["lat", "lon"], label="name", unit="km")
    assert nx.utils.graphs_equal(graph, stations())


def test_the_loss_is_the_distance() -> None:
    """By name on the command line, as a table from Python, and as a function of one's own."""
    graph = stations(prior="visits")
    table = md.distances(graph)
    assert [row[i] for i, row in enumerate(table)] == [0, 0, 0]
    by_label = md.ExpectedLoss(lambda x, y: Fraction(0) if x == y else graph.edges[x, y]["distance"])
    first, second = (md.design(graph, epsilon="0.01", objective=one) for one in (md.ExpectedLoss(table), by_label))
    assert first.value == second.value > 0


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = zip(*STATIONS.values(), strict=True)
    lines = [";".join(str(cell).replace(".", ",") for cell in row) for row in rows]
    Path("stations.csv").write_text("\n".join(["name;lat;lon;visits", *lines]) + "\n", encoding="utf-8")
    asked = ["--at", "lat,lon", "--unit", "km", "--label", "name", "--prior", "visits", "-o", "stations.json"]
    assert answer("graph", "from-points", "stations.csv", *asked)["own"] == {"distance": 3}
    made = stations(prior="visits", name="stations", source="made from stations.csv")
    assert nx.utils.graphs_equal(md.read_graph("stations.json"), made)
    said = answer("design", "stations.json", "--epsilon", "0.01", "--objective", "expected-loss", "--loss", "distance")
    graph = stations(prior="visits")
    value = md.design(graph, epsilon="0.01", objective=md.ExpectedLoss(md.distances(graph))).value
    assert said["value_exact"] == str(value)
    line = ["stations.json", "--epsilon", "0.01", "--objective", "expected-loss", "--loss", "distance"]
    answer("design", *line, "-o", "private.json", "--certificate", "proof.json")
    held = ["--graph", "stations.json", "--epsilon", "0.01", "--objective", "expected-loss"]
    assert answer("check", "proof.json", *held, "--loss", "distance")["accepted"]
    answer("check", "proof.json", *held, "--loss", "hamming", status=1)
    squared = [[far**2 for far in row] for row in md.distances(graph)]
    for name, table in (("distance", md.distances(graph)), ("squared-distance", squared)):
        found = answer(
            "mechanism", "exponential", "stations.json", "--epsilon", "0.01", "--utility", name, "-o", "e.json"
        )
        made = md.private_exponential(graph, -np.array(table), epsilon="0.01")
        assert found["expected_loss"] == pytest.approx(float(value_of(md.ExpectedLoss(table), made)))
        assert found["warnings"] == []
    said = answer("design", *line[:-1], "squared-distance")
    assert said["value_exact"] == str(md.design(graph, epsilon="0.01", objective=md.ExpectedLoss(squared)).value)
    assert "none is given" in refused("check", "proof.json", "--all-pairs", *held[4:], "--loss", "distance")


@pytest.mark.parametrize(
    ("changed", "options", "fault"),
    [
        ({}, {"at": ["lat"]}, "at: expected two columns, such as lat,lon, found ('lat',)"),
        ({}, {"at": ["lat", "x"]}, "column 'x': there is none of that name"),
        ({}, {"unit": "ft"}, "unit: expected one of km, m, mi, found 'ft'"),
        ({}, {"at": ["lon", "lat"]}, "at: expected the latitude first, found lon,lat; give lat,lon"),
        ({"LNG": [1, 2, 3]}, {"at": ["LNG", "lat"]}, "expected the latitude first, found LNG,lat; give lat,LNG"),
        ({}, {"within": 0}, "within: expected a number > 0, found 0"),
        ({"lat": [95, 1, 2]}, {}, "column 'lat': expected degrees from -90 to 90 in row 1"),
        ({"lon": ["east", 1, 2]}, {}, "column 'lon': expected degrees from -180 to 180 in row 1"),
        ({"lat": ["", 1, 2]}, {}, "column 'lat': missing value in row 1"),
        ({"visits": [1, -2, 3]}, {"prior": "visits"}, "column 'visits': expected a number >= 0 in row 2"),
        ({"name": ["Ulm", "Ulm", "Bonn"]}, {}, "column 'name': 'Ulm' names several places, in rows 1, 2"),
        ({"lat": [1, 1, 2], "lon": [1, 1, 2]}, {}, "'Ulm' and 'Jena' are less than a millionth of the unit apart"),
        ({"lat": [1, 1, 2], "lon": [1, 1, 2]}, {"label": None}, "place 1: more than once, in rows 1, 2"),
    ],
)
def test_what_is_refused(changed: dict[str, Any], options: dict[str, Any], fault: str) -> None:
    asked: dict[str, Any] = {"at": ["lat", "lon"], "label": "name", "unit": "km"} | options
    with pytest.raises(md.InputError) as refusal:
        md.point_graph(STATIONS | changed, **asked)
    assert fault in str(refusal.value)


def test_degrees_that_are_of_the_plane_are_warned_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = "lon and lat: distances are those of the plane, in degrees; {} makes them kilometres"
    table = {name: STATIONS[name] for name in ("lat", "lon")}
    with pytest.warns(UserWarning, match=words.format('unit="km"')):
        md.point_graph(table, at=["lon", "lat"])
    monkeypatch.chdir(tmp_path)
    Path("s.csv").write_text("lon,lat\n10,48\n11,50\n", encoding="utf-8")
    said = answer("graph", "from-points", "s.csv", "--at", "lon,lat", "-o", "s.json")
    assert said["warnings"] == [words.format("--unit km")]
    assert "s.csv: --at: expected the latitude first, found lon,lat; give lat,lon" in refused(
        "graph", "from-points", "s.csv", "--at", "lon,lat", "--unit", "km", "-o", "t.json"
    )


def test_a_graph_without_distances_has_no_such_loss() -> None:
    line = ["design", "categorical-chain", "--epsilon", "1", "--objective", "expected-loss", "--loss", "distance"]
    assert "no edge of '1' and '2' has one" in refused(*line)
    with pytest.raises(md.InputError, match="no edge of 'a' and 'b' has one"):
        md.distances(md.value_graph("ab"))


def test_a_loss_that_is_given_as_a_utility_is_warned_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("loss.csv").write_text("0,1,2\n1,0,1\n2,1,0\n")
    Path("utility.csv").write_text("0,-1,-2\n-1,0,-1\n-2,-1,0\n")
    answer("graph", "values", "a,b,c", "-o", "g.json")
    for name, warned in (("loss.csv", True), ("utility.csv", False)):
        said = answer("mechanism", "exponential", "g.json", "--epsilon", "1", "--utility", name, "-o", "e.json")
        assert any("looks like a loss" in words for words in said["warnings"]) is warned


@pytest.mark.parametrize("name", ["distance", "squared-distance"])
def test_an_objective_without_a_graph_says_how_its_distances_are_given(name: str) -> None:
    with pytest.raises(md.InputError, match=r"such as md\.ExpectedLoss\(md\.distances\(graph\)\)"):
        md.ExpectedLoss(name)


def test_of_far_places_that_nothing_joins_it_says_where_a_loss_comes_from() -> None:
    with pytest.warns(UserWarning, match="within"):
        graph = md.point_graph({"x": [0, 1, 2], "y": [0, 0, 0]}, at=["x", "y"], within=1)
    with pytest.raises(md.InputError, match=r"joins near places only: give a table, --loss FILE, .* without --within"):
        md.distances(graph)
