"""Profiles with coordinates are drawn on a map: the ticks of its axes say where they are."""

import re
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection

import mechdesign as md
from mechdesign.arrays import Floats
from mechdesign.graph.positions import points_of


def places(count: int, **options: Any) -> nx.Graph:
    table = pd.DataFrame({"north": 60 + 0.05 * np.arange(count) ** 2, "east": 10 + 0.2 * np.arange(count)})
    table["visits"] = range(1, count + 1)
    return md.point_graph(table, at=["north", "east"], prior="visits", **options)


def dots(axes: Axes) -> tuple[Floats, Floats]:
    """Return where the dots of a map are, and their areas."""
    (found,) = axes.collections
    assert isinstance(found, PathCollection)
    return np.array(found.get_offsets(), dtype=float), np.array(found.get_sizes(), dtype=float)


def read_back(axis: Any, inches: float) -> float:
    """Return the coordinate that the ticks of an axis give a point."""
    ticks, words = axis.get_ticklocs(), [float(label.get_text()) for label in axis.get_ticklabels()]
    slope, start = np.polyfit(ticks, words, 1)
    return float(slope * inches + start)


def test_ticks_say_where_profiles_are_and_dots_what_they_weigh() -> None:
    graph = places(5, unit="km")
    figure = md.plot_graph(graph)
    axes, points = figure.axes[0], points_of(graph)
    assert points is not None
    drawn, sizes = dots(axes)
    for (x, y), (longitude, latitude) in zip(drawn, points, strict=True):
        assert read_back(axes.xaxis, x) == pytest.approx(longitude, abs=1e-6)
        assert read_back(axes.yaxis, y) == pytest.approx(latitude, abs=1e-6)
    assert sizes / sizes[-1] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1])
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("longitude (degrees)", "latitude (degrees)")
    assert "area of a dot: its share, by weight" in figure.get_supxlabel()
    assert axes.get_title() == "profile graph"


def test_before_and_after_are_shares_of_all_that_is_released() -> None:
    graph = places(3, unit="km")
    made = md.design(graph, epsilon="0.1", objective=md.ExpectedLoss(md.distances(graph)))
    before, after = (dots(axes)[1] for axes in md.plot_graph(graph, made.mechanism).axes)
    shares = sum(
        weight / 6 * np.array(made.mechanism.released(i), dtype=float) for i, weight in enumerate([1, 2, 3], 1)
    )
    assert after * before.sum() / after.sum() == pytest.approx(shares * before.sum())
    assert before / before.sum() == pytest.approx([1 / 6, 1 / 3, 1 / 2])
    assert before.sum() == pytest.approx(after.sum())


def test_a_degree_is_shorter_to_the_east_than_to_the_north() -> None:
    """Half as long at 60 degrees."""
    table = {"north": [60, 60, 60.01], "east": ["10", "10.01", "10"]}
    for unit, ratio in (("km", 0.5), (None, 1)):
        here, east, north = dots(md.plot_graph(md.point_graph(table, at=["north", "east"], unit=unit)).axes[0])[0]
        wide, high = (abs(east - here), abs(north - here)) if unit else (abs(north - here), abs(east - here))
        assert max(wide) == pytest.approx(ratio * max(high), rel=1e-3)


def test_an_edge_between_every_two_of_many_is_said_not_drawn() -> None:
    for graph, drawn in ((places(17, unit="km"), True), (places(19, unit="km"), False), (places(60), False)):
        figure = md.plot_graph(graph)
        assert bool(figure.axes[0].patches) is drawn
        assert ("not drawn" in figure.get_supxlabel()) is not drawn
    with pytest.warns(UserWarning, match="joined by no edge"):
        fewer = places(19, unit="km", within=90)
    assert md.plot_graph(fewer).axes[0].patches
    assert re.search(r"with own distance, .* km", md.plot_graph(places(19, unit="km")).get_supxlabel())


@pytest.mark.parametrize("pos", ["left", "12", [1, 2, 3], [0, "east"], None, [float("nan"), 1]])
def test_what_is_no_position_is_left_alone(pos: Any) -> None:
    graph = md.value_graph("ab")
    nx.set_node_attributes(graph, pos, "pos")
    found = md.design(graph, epsilon=1).graph
    assert points_of(found) is None
    assert not md.plot_graph(found).axes[0].axison


def test_databases_of_two_rows_are_no_points() -> None:
    assert md.plot_graph(md.database_graph(["yes", "no"], 2)).axes


def test_names_hide_no_dots_and_those_left_out_are_counted() -> None:
    figure = md.plot_graph(md.point_graph({"x": range(120), "y": [0] * 120}, at=["x", "y"]))
    axes = figure.axes[0]
    (found,) = axes.collections
    assert 0 < len(axes.texts) < 120
    assert f"{len(axes.texts)} of 120 named" in figure.get_supxlabel()
    assert all(text.get_zorder() < found.get_zorder() for text in axes.texts)
    assert "named" not in md.plot_graph(places(5, unit="km")).get_supxlabel()


def crowded(count: int) -> nx.Graph:
    """Return places in a crowd, the last of which has more than half of all visits."""
    draw = np.random.default_rng(0)
    table = pd.DataFrame(draw.uniform(0, 1, (count, 2)), columns=["x", "y"])
    table["name"] = [f"place number {number}" for number in range(count)]
    table["visits"] = [*[1] * (count - 1), 2 * count]
    table.loc[count - 2, ["x", "y"]] = table.loc[count - 1, ["x", "y"]] + [-0.01, 0.004]
    return md.point_graph(table, at=["x", "y"], label="name", prior="visits")


def test_no_name_lies_over_a_dot_and_the_most_visited_place_has_one() -> None:
    """As drawn, with the letters' own extents."""
    figure = md.plot_graph(crowded(40))
    axes = figure.axes[0]
    FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]
    assert "place number 39" in [text.get_text() for text in axes.texts]
    points, sizes = dots(axes)
    radii = np.sqrt(sizes / np.pi) * figure.dpi / 72
    boxes = [text.get_window_extent() for text in axes.texts]
    for (x, y), radius in zip(axes.transData.transform(points), radii, strict=True):
        for box in boxes:
            nearest = np.array([np.clip(x, box.x0, box.x1), np.clip(y, box.y0, box.y1)])
            assert np.hypot(*(nearest - (x, y))) >= radius
    assert [one.count_overlaps(boxes) for one in boxes] == [1] * len(boxes)


def test_small_shares_are_seen_and_what_is_never_released_is_a_ring() -> None:
    graph = md.point_graph({"x": [0, 1, 2], "y": [0, 0, 0], "visits": [1000, 1, 0]}, at=["x", "y"], prior="visits")
    made = md.design(graph, epsilon="0.01", objective=md.ExpectedLoss(md.distances(graph)))
    figure = md.plot_graph(graph, made.mechanism)
    for axes in figure.axes:
        seen, rings = (one for one in axes.collections if isinstance(one, PathCollection))
        assert min(seen.get_sizes()) >= 9
        assert np.array(rings.get_offsets()).shape == (1, 2)
        assert np.array(rings.get_facecolor()).size == 0
    assert "a grey ring: never released" in figure.get_supxlabel()
    assert "of small ones a little more" in figure.get_supxlabel()
