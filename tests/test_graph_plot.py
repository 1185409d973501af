"""Drawings of profile graphs: what is written can be read, and distributions are drawn wherever they fit."""

from fractions import Fraction
from itertools import combinations, pairwise

import networkx as nx
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.text import Text
from matplotlib.transforms import Bbox

import mechdesign as md
from mechdesign.designer.edge_prices import Price
from mechdesign.reports.graph_layout import arranged, fitted
from mechdesign.reports.graph_plot import plot_graph

SHIPPED = list(md.shipped_graphs())


def rectangles(panel: Axes, kind: str) -> list[Bbox]:
    """Return the rectangles of the shapes that are called so: five points each."""
    shapes = [patch.get_path().vertices for patch in panel.patches if patch.get_gid() == kind]
    return [Bbox(points[[0, 2]]) for shape in shapes for points in np.asarray(shape).reshape(-1, 5, 2)]


def edges(panel: Axes) -> list[PathPatch]:
    return [patch for patch in panel.patches if isinstance(patch, PathPatch) and patch.get_gid() is None]


def texts(figure: Figure) -> list[Text]:
    return list(figure.axes[0].texts)


def extents(figure: Figure) -> list[Bbox]:
    """Return where the words stand when the figure is drawn."""
    FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]
    return [text.get_window_extent() for text in texts(figure)]


def own_epsilons() -> nx.Graph:
    graph = md.read_graph("hobbies")
    for number, edge in enumerate(graph.edges, start=1):
        graph.edges[edge]["epsilon"] = Fraction(number, 7)
    return graph


@pytest.mark.parametrize("name", SHIPPED)
def test_distributions_of_all_shipped_graphs_are_drawn(name: str) -> None:
    """Also of 57 profiles; in boxes that do not overlap, of which the highest bar uses all."""
    graph = md.read_graph(name)
    figure = plot_graph(graph)
    drawn = rectangles(figure.axes[0], "bars")
    assert len(drawn) == sum(p > 0 for node in graph.nodes.values() for p in node["distribution"])
    boxes = rectangles(figure.axes[0], "boxes")
    assert len(boxes) == len(graph)
    assert not any(one.padded(-1e-6).overlaps(other) for one, other in combinations(boxes, 2))
    assert max(bar.height for bar in drawn) == pytest.approx(boxes[0].height)


def test_epsilons_of_edges_are_decimals_that_do_not_overlap() -> None:
    figure = plot_graph(own_epsilons())
    words = [text for text in texts(figure) if text.get_text().startswith("ε")]
    assert sorted(text.get_text() for text in words) == sorted(f"ε {number / 7:.3g}" for number in range(1, 11))
    areas = extents(figure)
    assert not any(one.overlaps(other) for one, other in combinations(areas, 2))


def test_many_limits_are_summed_up() -> None:
    figure = plot_graph(md.read_graph("metric-grid-5x5"))
    assert figure.axes[0].get_title() == "metric-grid-5x5"
    assert figure.get_supxlabel() == "300 edges with own distance, 1 to 5.66"


def test_profiles_without_neighbours_are_packed() -> None:
    graph = md.profile_graph({i: [1, 0] for i in range(36)}, edges=[], categories=["a", "b"])
    places = fitted(arranged(graph), (1.0, 1.0), 100)
    assert places is not None
    width, height = (max(place[axis] for place in places.values()) + 0.5 for axis in (0, 1))
    assert width * height < 3 * 36
    assert "no edges: nobody is protected" in plot_graph(graph).axes[0].get_title()


@pytest.mark.parametrize("ordered", [True, False])
def test_colours_of_ordered_categories_are_a_ramp(ordered: bool) -> None:
    """From dark to light; others have colours that people tell apart who do not see all of them."""
    graph = md.profile_graph({"P": [Fraction(1, 5)] * 5}, edges=[], categories=list("abcde"), ordered=ordered)
    shapes = [patch for patch in plot_graph(graph).axes[0].patches if patch.get_gid() == "bars"]
    colours = [to_rgba(patch.get_facecolor()) for patch in shapes]
    shades = [0.3 * red + 0.6 * green + 0.1 * blue for red, green, blue, _ in colours]
    assert (shades == sorted(shades)) == ordered
    assert len(set(colours)) == 5


def long_path(count: int) -> nx.Graph:
    names, law = [f"p{number}" for number in range(count)], [1] + [0] * 11
    return md.profile_graph(dict.fromkeys(names, law), edges=list(pairwise(names)), categories=range(12))


@pytest.mark.slow
def test_too_many_are_dots_whose_names_do_not_overlap() -> None:
    figure = plot_graph(long_path(320))
    assert not rectangles(figure.axes[0], "bars")
    assert np.shape(figure.axes[0].collections[-1].get_offsets()) == (320, 2)
    areas = extents(figure)
    assert len(areas) > 20
    assert not any(one.overlaps(other) for one, other in combinations(areas, 2))


def drawn_in(panel: Axes) -> list[float]:
    return [bar.height for bar in rectangles(panel, "bars")]


def test_before_and_after_have_one_scale() -> None:
    graph = md.read_graph("commutes")
    mechanism = md.design(graph, epsilon="0.1").mechanism
    before, after = plot_graph(graph, mechanism).axes
    assert (before.get_title(), after.get_title()) == ("without privacy", "private")
    laws = [graph.nodes[profile]["distribution"] for profile in graph]
    left = [float(mass) for masses in zip(*laws, strict=True) for mass in masses if mass]  # by category
    laws = [mechanism.released(profile) for profile in graph]
    right = [float(mass) for masses in zip(*laws, strict=True) for mass in masses if mass]
    heights = drawn_in(before) + drawn_in(after)
    assert heights == pytest.approx([share * max(heights) / max(left + right) for share in left + right])
    assert before.get_xlim() == after.get_xlim()


def test_before_and_after_need_one_set_of_categories() -> None:
    graph = md.read_graph("commutes")
    mechanism = md.design(graph, epsilon=1).mechanism
    silent = mechanism.then([[1]] * len(mechanism.outputs), outputs=["silence"])
    with pytest.raises(md.InputError, match=r"category by category, found the outputs .*silence.*; plot the mechanism"):
        plot_graph(graph, silent)
    with pytest.raises(md.InputError, match="expected the graph's categories"):
        plot_graph(md.read_graph("hobbies"), mechanism)


def test_before_and_after_of_too_many_profiles_are_refused() -> None:
    graph = md.counting_graph(60)
    mechanism = md.mechanism_from_matrix([[int(x == y) for y in range(61)] for x in range(61)])
    with pytest.raises(md.InputError, match="61 profiles with bars, twice, do not fit"):
        plot_graph(graph, mechanism)


def widths(figure: Figure) -> list[float]:
    """Return how wide the edges are, in the order in which they are drawn."""
    return [
        float(lines.get_linewidth())
        for lines in edges(figure.axes[0])
        for _ in range(np.size(lines.get_path().vertices, 0) // 2)
    ]


def test_edges_are_as_wide_as_they_cost() -> None:
    graph = md.read_graph("travel-mode-by-income")
    prices = md.design(graph, epsilon="0.5", objective=md.ExpectedLoss()).prices()
    figure = plot_graph(graph, prices=prices)
    dearest = max(price.epsilon for price in prices)
    wide = [9 * float(price.epsilon / dearest) for price in prices]
    assert wide[1] < 1e-6  # costs nothing: narrower than any that costs something
    assert widths(figure) == pytest.approx([0.4, *sorted([wide[0], *wide[2:]])])  # the dearest above the others
    costs, categories = sorted(figure.legends, key=lambda legend: len(legend.get_title().get_text()), reverse=True)
    assert "how fast the optimum falls as the edge's own epsilon grows" in costs.get_title().get_text()
    assert [text.get_text() for text in costs.get_texts()] == ["0.0607", "0.0303", "0.0121", "less than 0.003"]
    assert len(categories.get_texts()) == 4


def test_legends_and_words_do_not_overlap_where_edges_have_prices() -> None:
    graph = own_epsilons()
    figure = plot_graph(graph, prices=md.design(graph, epsilon=1).prices())
    areas = [*extents(figure), *(legend.get_window_extent() for legend in figure.legends)]
    areas.append(figure.axes[0].title.get_window_extent())
    assert not any(one.overlaps(other) for one, other in combinations(areas, 2))


def test_before_and_after_with_prices_have_one_heading() -> None:
    result = md.design("commutes", epsilon="0.3", objective=md.ExpectedLoss())
    figure = plot_graph(result.graph, result.mechanism, prices=result.prices())
    assert figure.get_suptitle() == ""
    assert any(legend.get_title().get_text().startswith("commutes\nwidth of an edge") for legend in figure.legends)
    assert [sum(np.size(lines.get_path().vertices, 0) // 2 for lines in edges(panel)) for panel in figure.axes] == [
        2,
        2,
    ]
    assert max(widths(figure)) == 9


def test_dots_have_edges_as_wide_as_they_cost_too() -> None:
    graph = long_path(320)
    prices = [Price(edge, Fraction(number), *[Fraction(0)] * 3) for number, edge in enumerate(graph.edges)]
    figure = plot_graph(graph, prices=prices)
    assert not rectangles(figure.axes[0], "bars")
    assert widths(figure)[-1] == 9
    assert len(figure.legends) == 1


def test_prices_of_another_graph_are_refused() -> None:
    prices = md.design("commutes", epsilon=1).prices()
    with pytest.raises(md.InputError, match="prices: expected one for each edge of the graph, such as the prices"):
        plot_graph(md.read_graph("categorical-chain"), prices=prices)


@pytest.mark.parametrize("radius", [0, "0.05"])
def test_headings_and_legends_are_within_the_drawing(radius: str | int) -> None:
    """Also where two profiles, before and after, are narrower than what is said of them."""
    categories = ["the first of three", "the second of three", "the third of all three"]
    rows = {"day": ["0.5", "0.3", "0.2"], "night": ["0.4", "0.3", "0.3"]}
    graph = md.profile_graph(rows, edges="all", categories=categories, radius=radius)
    result = md.design(graph, epsilon="0.1")
    for figure in (plot_graph(graph), plot_graph(graph, result.mechanism)):
        FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]
        heading = figure.axes[0].title if len(figure.axes) == 1 else figure._suptitle  # type: ignore[attr-defined]
        for area in (heading.get_window_extent(), *(legend.get_window_extent() for legend in figure.legends)):
            assert area.x0 >= figure.bbox.x0
            assert area.x1 <= figure.bbox.x1
            assert area.y0 >= figure.bbox.y0
            assert area.y1 <= figure.bbox.y1
