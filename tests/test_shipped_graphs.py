"""The shipped graphs: complete, documented, and those whose data tests have just as graphs/make.py makes them."""

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import networkx as nx
import pytest
from running import script

import mechdesign as md

FOLDER = Path(__file__).parent.parent / "graphs"
NAMES = sorted(md.shipped_graphs())
SIZES = {  # profiles, categories, edges
    "bernoulli-couplet": (2, 2, 1),
    "categorical-chain": (3, 4, 2),
    "commutes": (4, 6, 2),
    "counting-10": (11, 11, 10),
    "departure-by-carrier": (12, 5, 66),
    "departure-by-destination": (57, 5, 79),
    "hobbies": (5, 5, 10),
    "metric-grid-5x5": (25, 25, 300),
    "resource-usage": (7, 4, 5),
    "travel-mode-by-income": (5, 4, 4),
    "vote-by-education": (7, 2, 21),
}
REAL = ["departure-by-carrier", "departure-by-destination", "travel-mode-by-income", "vote-by-education"]


make = script(FOLDER / "make.py")


def test_every_graph_has_a_maker() -> None:
    makers: list[Callable[[], nx.Graph]] = make.STORIES + make.REAL
    assert sorted(maker.__name__.replace("_", "-") for maker in makers) == NAMES
    assert sorted(maker.__name__.replace("_", "-") for maker in make.REAL) == REAL
    assert sorted(SIZES) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_graph_is_what_it_says(name: str) -> None:
    graph = md.read_graph(name)
    assert graph.graph["name"] == name
    assert graph.graph["source"]
    assert (len(graph), len(graph.graph["categories"]), graph.number_of_edges()) == SIZES[name]
    assert "normalised" not in graph.graph


@pytest.mark.parametrize(
    "maker",
    [*make.STORIES, pytest.param(make.departure_by_destination, marks=pytest.mark.slow)],
    ids=lambda maker: maker.__name__,
)
def test_a_graph_is_what_make_writes(maker: Callable[[], nx.Graph], tmp_path: Path) -> None:
    """That of real data whose table comes with the extra for tests."""
    graph = maker()
    file = tmp_path / "graph.json"
    md.write_graph(graph, file)
    assert file.read_text(encoding="utf-8") == md.shipped_graphs()[graph.graph["name"]].read_text(encoding="utf-8")


@pytest.mark.parametrize("name", REAL)
def test_a_graph_of_data_has_a_licence_and_counts(name: str) -> None:
    graph = md.read_graph(name)
    assert re.match(r"This is public domain\.|CC0", graph.graph["licence"])
    made = graph.graph["made"]
    assert sum(count for _, count in graph.nodes.data("count")) == made["records"]
    added, width = Fraction(made["smoothing"]), len(graph.graph["categories"])
    for attributes in graph.nodes.values():
        numbers = [mass * (attributes["count"] + added * width) - added for mass in attributes["distribution"]]
        assert all(number.denominator == 1 and number >= 0 for number in numbers)
        assert sum(numbers) == attributes["count"]


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"counting-10", "hobbies", "metric-grid-5x5"}))
def test_there_is_something_to_gain_and_something_to_pay(name: str) -> None:
    design = md.design(md.read_graph(name), epsilon=0.5)
    assert 0 < design.value < design.baseline


def test_the_chain_is_the_published_one() -> None:
    graph = md.read_graph("categorical-chain")
    assert {profile: [float(mass) for mass in graph.nodes[profile]["distribution"]] for profile in graph} == {
        "P1": [0.2, 0.3, 0.4, 0.1],
        "P2": [0.3, 0.3, 0.3, 0.1],
        "P3": [0.4, 0.4, 0.1, 0.1],
    }
    assert list(graph.edges) == [("P1", "P2"), ("P2", "P3")]


def test_users_are_joined_within_their_role() -> None:
    graph = md.read_graph("resource-usage")
    role = dict(graph.nodes.data("role"))
    for a in graph:
        for b in set(graph) - {a}:
            assert graph.has_edge(a, b) == (role[a] == role[b])


def test_north_and_south_stay_visible() -> None:
    design = md.design(md.read_graph("commutes"), epsilon=0)
    released = {profile: list(design.mechanism.released(profile)) for profile in "ABCD"}
    assert released["A"] == released["B"] != released["C"] == released["D"]


def test_the_grid_has_euclidean_distances() -> None:
    graph = md.read_graph("metric-grid-5x5")
    for a, b, distance in graph.edges.data("distance"):
        squared = (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
        assert abs(distance**2 - squared) < Fraction(1, 10**11)


def test_every_graph_is_described_and_drawn() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    for name in NAMES:
        profiles, categories, edges = SIZES[name]
        assert f"| [{name}](#{name}) | {profiles} | {categories} | {edges} |" in text
        assert f"![{name}](drawings/{name}.svg)" in text
        assert (FOLDER / "drawings" / f"{name}.svg").stat().st_size < 300_000


def look(drawing: Path) -> tuple[list[str], list[str], int]:
    """Return the colours and widths in a drawing, its words, and how many boxes, bars, lines and outlines it has.

    Not their places: another computer's last digits may lead the layout elsewhere.
    """
    text = drawing.read_text(encoding="utf-8")
    return (
        re.findall(r'style="((?:fill|stroke): [^"]*)"', text),
        re.findall(r"<text[^>]*>([^<]*)", text),
        len(re.findall(r'd="M ([\d.-]+) ([\d.-]+)', text)),
    )


@pytest.mark.parametrize("name", make.drawings())
def test_a_drawing_is_what_is_drawn_now(name: str, tmp_path: Path) -> None:
    """`python graphs/make.py --drawings` draws them anew after a change."""
    shipped, now = (look(path) for path in (FOLDER / "drawings" / f"{name}.svg", make.draw(name, tmp_path)))
    assert shipped == now
    assert all(now)
