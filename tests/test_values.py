"""Every frozen dataclass of the package can be compared: arrays have no truth value, so that of a pair would raise."""

import dataclasses
import importlib
import math
import pkgutil
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from command import faults_of
from hypothesis import given
from hypothesis import strategies as st

import mechdesign
import mechdesign as md
from mechdesign.graph.checks import MOST_EDGES
from mechdesign.privacy.released import Released

MODULES = [
    importlib.import_module(found.name)
    for found in pkgutil.walk_packages(mechdesign.__path__, "mechdesign.")
    if not found.name.endswith("__main__")
]

CLASSES = sorted(
    {
        value
        for module in MODULES
        for value in vars(module).values()
        if isinstance(value, type) and dataclasses.is_dataclass(value) and value.__module__ == module.__name__
    },
    key=lambda kind: (kind.__module__, kind.__name__),
)

ARRAYS = ("ndarray", "scipy.sparse", "DataFrame")


def test_there_are_some() -> None:
    assert len(CLASSES) > 50
    assert Released in CLASSES


def test_no_generated_comparison_of_arrays() -> None:
    for kind in CLASSES:
        arrays = [
            field.name
            for field in dataclasses.fields(kind)
            if field.compare and any(word in str(field.type) for word in ARRAYS)
        ]
        # What dataclasses generate comes from no file.
        code = getattr(kind.__eq__, "__code__", None)
        assert not arrays or code is None or code.co_filename != "<string>", (kind, arrays)


def released(*weights: int) -> Released:
    return Released(np.array(weights, dtype=object), sum(weights))


def test_released_distributions_are_equal_where_their_probabilities_are() -> None:
    assert released(1, 3) == released(1, 3)
    assert released(1, 3) == released(2, 6)
    assert released(1, 3) != released(3, 1)
    assert released(1, 3) != (Fraction(1, 4), Fraction(3, 4))
    assert len({released(1, 3), released(2, 6), released(3, 1)}) == 2


FAR: dict[str, Any] = {
    "euclidean": math.dist,
    "manhattan": lambda a, b: sum(abs(x - y) for x, y in zip(a, b, strict=True)),
    "chebyshev": lambda a, b: max(abs(x - y) for x, y in zip(a, b, strict=True)),
}


@given(
    st.integers(1, 5), st.integers(1, 5), st.sampled_from(sorted(FAR)), st.fractions(Fraction(1, 100), 9),
    st.none() | st.fractions(Fraction(1, 10), 9),
)  # fmt: skip
def test_pairs_and_distances_are_those_of_the_definition(
    rows: int, columns: int, metric: str, spacing: Fraction, within: Fraction | None
) -> None:
    graph = md.grid_graph(rows, columns, metric=metric, spacing=spacing, within=within)
    assert len(graph) == rows * columns
    assert list(graph) == list(graph.graph["categories"])
    for a, b in combinations(graph, 2):
        exact = FAR[metric](a, b) * spacing
        if within is not None and abs(exact - within) < 1e-9:
            continue
        assert graph.has_edge(a, b) == (within is None or exact < within)
        if graph.has_edge(a, b):
            assert float(graph.edges[a, b]["distance"]) == pytest.approx(float(exact), rel=1e-14)


def test_roots_are_rounded_to_the_private_side() -> None:
    """A larger distance would allow more; whole ones are exact."""
    graph = md.grid_graph(5, 5, spacing="1/3")
    for (a, b), (c, d), attributes in graph.edges(data=True):
        square = Fraction((a - c) ** 2 + (b - d) ** 2, 9)
        assert attributes["distance"] ** 2 <= square < (attributes["distance"] + Fraction(1, 10**15)) ** 2
    assert graph.edges[(0, 0), (3, 4)]["distance"] == Fraction(5, 3)


def test_neighbours_alone_protect_as_much_for_the_manhattan_distance() -> None:
    few, all_pairs = (md.grid_graph(2, 3, metric="manhattan", within=within) for within in (1, None))
    assert few.number_of_edges() == 7
    mechanism = md.design(few, epsilon=1).mechanism
    assert md.certify(mechanism, all_pairs, epsilon=1).private


@pytest.mark.parametrize(
    ("arguments", "options", "fault"),
    [
        ((0, 2), {}, "rows: expected a positive integer, found 0"),
        ((2, 1.5), {}, "columns: expected a positive integer, found 1.5"),
        ((2, 2), {"metric": "euclid"}, "metric: expected one of euclidean, manhattan, chebyshev, found 'euclid'"),
        ((2, 2), {"spacing": 0}, "spacing: expected a number > 0, found 0"),
        ((2, 2), {"spacing": "far"}, "spacing: expected a number > 0, found 'far'"),
        ((2, 2), {"within": -1}, "within: expected a number > 0, found -1"),
        (
            (1000, 1000),
            {},
            "too large: the grid would have 1,000,000 points, expected at most 500,000",
        ),
        ((60, 60), {}, f"too large: the graph would have 6,478,200 edges, expected at most {MOST_EDGES:,}"),
    ],
)
def test_what_is_refused(arguments: tuple[Any, Any], options: dict[str, Any], fault: str) -> None:
    assert faults_of(md.grid_graph, *arguments, **options)[0].startswith(fault)


def test_a_large_grid_of_near_points_alone() -> None:
    assert md.grid_graph(50, 50, within=1).number_of_edges() == 2 * 49 * 50
