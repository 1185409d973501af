"""Graphs of places: distances by other derivations, rounded to the private side; and what is refused."""

import json
import math
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from command import answer, done, refused
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md

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
    """Exactly, of tenths and doubles, far from the origin too: to the last millionth that is no more than it."""
    exact = [(Fraction(a, 10) + offset, Fraction(b / 10)) for a, b in places]
    graph = md.point_graph(
        {"x": [f"{offset + a / 10:.1f}" for a, _ in places], "y": [b / 10 for _, b in places]}, at=["x", "y"]
    )
    for i, j, far in graph.edges(data="distance"):
        square = sum((a - b) ** 2 for a, b in zip(exact[i - 1], exact[j - 1], strict=True))
        assert far**2 <= square < (far + PART) ** 2


def test_a_distance_that_doubles_round_up_is_rounded_down() -> None:
    """In millionths: 200,000,000^2 + 20,000^2 = 200,000,001^2 - 1."""
    graph = md.point_graph({"x": [0, 200], "y": ["0", "0.02"]}, at=["x", "y"])
    far = graph.edges[1, 2]["distance"]
    assert far**2 <= Fraction(200) ** 2 + Fraction("0.02") ** 2 < (far + PART) ** 2


def test_a_distance_of_whole_millionths_is_itself() -> None:
    """Far from the origin too, of whole numbers, text and doubles; of others the last below."""
    graph = md.point_graph({"x": [10**7, 10**7 + 3, 10**7], "y": ["0.5", 4.5, "5/6"]}, at=["x", "y"])
    assert graph.edges[1, 2]["distance"] == 5
    assert graph.edges[1, 3]["distance"] == Fraction("0.333333")


def test_all_distances_of_many_places_may_be_whole() -> None:
    line = md.point_graph({"x": range(250), "y": [7] * 250}, at=["x", "y"])
    assert all(own == abs(a - b) for a, b, own in line.edges(data="distance"))


def test_distances_beyond_whole_doubles_are_a_little_less() -> None:
    far = md.point_graph({"x": [0, 10**12], "y": [0, 0]}, at=["x", "y"]).edges[1, 2]["distance"]
    assert 10**12 - 10 < far < 10**12


def test_coordinates_without_a_short_common_denominator_are_refused() -> None:
    x = [Fraction(1, 10**40 + shift) for shift in range(60)]
    with pytest.raises(md.InputError, match="the coordinates need a common denominator of more than 2000 digits"):
        md.point_graph({"x": x, "y": [0] * 60}, at=["x", "y"])


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
        assert found["expected_loss"] == pytest.approx(float(md.ExpectedLoss(table).value(made)))
        assert found["warnings"] == []
    said = answer("design", *line[:-1], "squared-distance")
    assert said["value_exact"] == str(md.design(graph, epsilon="0.01", objective=md.ExpectedLoss(squared)).value)
    assert "none is given" in refused("check", "proof.json", "--all-pairs", *held[4:], "--loss", "distance")


@pytest.mark.parametrize(
    ("changed", "options", "fault"),
    [
        ({}, {"at": ["lat"]}, "at: expected two columns, such as lat,lon, found ('lat',)"),
        ({}, {"at": ["lat", "lat"]}, "at: expected two columns, found 'lat' twice"),
        ({}, {"at": ["lat", "lat"], "unit": None}, "at: expected two columns, found 'lat' twice"),
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
        (
            {"x": [1e308, -1e308, 1]},
            {"at": ["x", "lat"], "unit": None},
            "the coordinates: some are more than 1e200 apart",
        ),
        ({}, {"at": ["lat", 5]}, "column: expected its name, or several between commas, found 5"),
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


class Points:
    """What of a GeoDataFrame is asked for: columns, points, and the system of these."""

    def __init__(self, degrees: bool | None, **columns: list[Any]) -> None:
        self.table = pd.DataFrame(columns)
        self.columns, self.geometry = ["name", "visits"], self.table[["x", "y"]]
        self.crs = None if degrees is None else SimpleNamespace(is_geographic=degrees, name="Lambert")

    def __getitem__(self, name: str) -> Any:
        return self.table[name]


def test_points_of_a_geodataframe_need_no_columns_named() -> None:
    there: dict[str, Any] = {
        "name": STATIONS["name"],
        "visits": [10, 2, 3.5],
        "x": STATIONS["lon"],
        "y": STATIONS["lat"],
    }
    asked = {"label": "name", "prior": "visits"}
    on_earth = stations(prior="visits")
    for degrees in (True, None):
        assert nx.utils.graphs_equal(md.point_graph(Points(degrees, **there), unit="km", **asked), on_earth)
    flat = md.point_graph({"x": there["x"], "y": there["y"], **there}, at=["x", "y"], **asked)
    for degrees in (False, None):
        assert nx.utils.graphs_equal(md.point_graph(Points(degrees, **there), **asked), flat)
    with pytest.warns(UserWarning, match='in degrees; unit="km" makes them kilometres'):
        md.point_graph(Points(True, **there))
    with pytest.raises(
        md.InputError, match=r"in degrees, found those of Lambert; leave unit out, or give frame.to_crs"
    ):
        md.point_graph(Points(False, **there), unit="km")
    with pytest.raises(md.InputError, match=r"geometry: expected points, .*\.centroid is a point of each"):
        md.point_graph(SimpleNamespace(geometry=pd.Series(["POLYGON"])))
    with pytest.raises(md.InputError, match="at: expected two columns, such as lat,lon, found none"):
        md.point_graph(STATIONS)


def test_a_geodataframe_is_one() -> None:
    geopandas = pytest.importorskip("geopandas")
    points = geopandas.points_from_xy(STATIONS["lon"], STATIONS["lat"])
    frame = geopandas.GeoDataFrame({"name": STATIONS["name"]}, geometry=points, crs=4326)
    assert nx.utils.graphs_equal(md.point_graph(frame, label="name", unit="km"), stations())
    with pytest.raises(md.InputError, match="expected points"):
        md.point_graph(geopandas.GeoDataFrame(geometry=points.buffer(1)))


def roads(*ways: tuple[str, str, Any]) -> nx.MultiDiGraph:
    """One-way roads, of which several may join the same two places."""
    found = nx.MultiDiGraph()
    found.add_weighted_edges_from(ways, weight="length")
    return found


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"), st.integers(2, 99)), max_size=6))
def test_ways_along_roads_are_the_shortest_and_exact(more: list[tuple[str, str, int]]) -> None:
    """Of tenths, by Floyd and Warshall in rationals; the shorter of two roads, and against a one-way street."""
    ways = [("a", "b", 3), ("b", "c", 5), ("c", "d", 7), *more]
    graph = md.point_graph(roads(*((a, b, length / 10) for a, b, length in ways)))
    far = {(a, b): Fraction(0) if a == b else Fraction(10**9) for a in "abcd" for b in "abcd"}
    for a, b, length in ways:
        far[a, b] = far[b, a] = min(far[a, b], Fraction(length, 10))
    for through, a, b in product("abcd", repeat=3):
        far[a, b] = min(far[a, b], far[a, through] + far[through, b])
    assert {(a, b): far[a, b] for a, b in combinations("abcd", 2)} == nx.get_edge_attributes(graph, "distance")


def test_roads_are_rounded_down_and_keep_what_their_nodes_have() -> None:
    graph = roads(("a", "b", "2/3"), ("b", "c", "2/3"))
    assert md.point_graph(graph).edges["a", "c"]["distance"] == Fraction("1.333332")
    with pytest.warns(UserWarning, match=r"1 of 3 pairs is joined by no edge: .* at up to 1 times its distance"):
        assert md.point_graph(graph, within=1).number_of_edges() == 2
    nx.set_node_attributes(graph, {"a": 3, "b": "1/2", "c": 1}, "visits")
    nx.set_node_attributes(graph, {"a": "Ulm", "b": "Jena", "c": "Bonn"}, "town")
    for number, node in enumerate(graph):
        graph.nodes[node].update(lon=number, lat=2)
    made = md.point_graph(graph, label="town", prior="visits")
    assert made.nodes["Jena"]["weight"] == Fraction(1, 2)
    assert made.nodes["Jena"]["pos"] == (1, 2)
    assert "pos" not in md.point_graph(roads(("a", "b", 1))).nodes["a"]


@pytest.mark.parametrize(
    ("ways", "options", "fault"),
    [
        (
            [("a", "b", 1), ("c", "d", 1)],
            {},
            "roads: no way leads from 'a' to 'c'; give each part of the roads by itself",
        ),
        ([("a", "b", 0)], {}, "road 'a'-'b': length: expected a number of at least a millionth, found 0"),
        ([("a", "b", None)], {}, "road 'a'-'b': length: expected a number of at least a millionth, found None"),
        ([("a", "b", 10**10)], {}, "roads: some are 1e+10 apart; give lengths in a larger unit"),
        (
            [("a", "b", 1)],
            {"unit": "km"},
            "at, unit: ways along roads are in the unit of their lengths; leave both out",
        ),
        ([("a", "b", 1)], {"at": ["x", "y"]}, "at, unit: ways along roads are in the unit of their lengths"),
        ([("a", "b", 1)], {"prior": "visits"}, "column 'visits': missing value in rows 1, 2"),
    ],
)
def test_roads_that_are_refused(ways: list[tuple[str, str, Any]], options: dict[str, Any], fault: str) -> None:
    with pytest.raises(md.InputError) as refusal:
        md.point_graph(roads(*ways), **options)
    assert fault in str(refusal.value)


def test_what_is_released_of_places_is_private_by_the_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two are 2 km apart and 5 km: the edges' own epsilons are beside the point, proved or not."""
    monkeypatch.chdir(tmp_path)
    graph = md.point_graph({"east": [0, 2, 5], "north": [0, 0, 0], "name": ["a", "b", "c"]}, at=("east", "north"),
                           label="name")  # fmt: skip
    graph.graph["unit"] = "km"
    md.write_graph(graph, "places.json")
    design = ["--epsilon", "0.5", "--objective", "expected-loss", "--loss", "distance", "--certificate", "c.json"]
    done("design", "places.json", *design, "-o", "m.json")
    Path("data.csv").write_text("at\na\nb\n")
    for proof in ([], ["--proof", "c.json"]):
        said = done("sanitise", "m.json", "data.csv", "--value", "at", *proof, "-o", "out.csv")
        assert ("Proved: epsilon 0.5 per km, delta 0" if proof else "its epsilon is 0.5 per km, for") in said
        manifest = json.loads(Path("out.csv.manifest.json").read_text())
        assert (manifest["epsilon_per_distance"], manifest["unit"]) == ("0.5", "km")
