"""From tables to profile graphs: exact frequencies, whatever kind of table; every fault with its column and row."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from command import faults_of
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md

RECORDS: dict[str, list[Any]] = {
    "user": ["ann", "bob", "ann", "cem", "bob", "ann"],
    "role": ["clerk", "clerk", "clerk", "cook", "clerk", "clerk"],
    "usage": [10, 2, 2, 10, 2, 9],
    "times": [1, 2, 3, 1, 0, 4],
}
KINDS: list[Callable[[dict[str, list[Any]]], Any]] = [dict, pd.DataFrame, pa.table]
kinds = pytest.mark.parametrize("kind", KINDS, ids=["mapping", "pandas", "arrow"])


def distributions(graph: nx.Graph) -> dict[Any, list[Fraction]]:
    return {profile: list(graph.nodes[profile]["distribution"]) for profile in graph}


@kinds
def test_the_graph_says_how_it_was_made(kind: Any) -> None:
    frame = kind(RECORDS)
    graph = md.graph_from_table(frame, profile="user", value="usage", edges="role", count="times", smoothing=0.5)
    made = {"profile": "user", "value": "usage", "edges": "equal role", "count": "times", "smoothing": "0.5"}
    warning = "the distributions are exact frequencies of records that nobody declared public"
    assert graph.graph["made"] == {**made, "records": 11, "warning": warning}
    assert json.loads(json.dumps(graph.graph["made"])) == graph.graph["made"]
    asked: list[Any] = [None, "all", []]
    rules = [md.graph_from_table(frame, profile="user", value="usage", edges=edges) for edges in asked]
    assert [rule.graph["made"]["edges"] for rule in rules] == ["all", "all", "as given"]
    assert [rule.number_of_edges() for rule in rules] == [3, 3, 0]


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(-2, 5), st.integers(0, 4)), min_size=1, max_size=12),
    st.fractions(0, 3),
)
def test_every_kind_of_table_gives_the_same_graph(rows: list[tuple[str, int, int]], smoothing: Fraction) -> None:
    records = {name: [row[i] for row in rows] for i, name in enumerate(["user", "usage", "times"])}
    text = {name: [str(cell) for cell in column] for name, column in records.items()}
    totals: Counter[str] = Counter()
    for user, _, times in rows:
        totals[user] += times
    if smoothing == 0 and 0 in totals.values():
        for kind in KINDS:
            faults = faults_of(md.graph_from_table, kind(records), profile="user", value="usage", count="times")
            assert faults == [
                f"{user!r}: no records; leave this profile out, or give a smoothing > 0"
                for user in sorted(totals)
                if totals[user] == 0
            ]
        return
    graphs = [
        md.graph_from_table(frame, profile="user", value="usage", count="times", smoothing=smoothing)
        for frame in [*(kind(records) for kind in KINDS), text]
    ]
    values = sorted({row[1] for row in rows})
    for graph in graphs:
        for user, total in totals.items():
            own = Counter({value: sum(n for u, v, n in rows if (u, v) == (user, value)) for value in values})
            whole = total + smoothing * len(values)
            expected = [(own[value] + smoothing) / whole for value in values]
            assert distributions(graph)[user] == expected
    assert [graph.graph["categories"] for graph in graphs[:3]] == [tuple(values)] * 3
    assert graphs[3].graph["categories"] == tuple(str(value) for value in values)


@pytest.mark.parametrize(
    ("column", "categories"),
    [
        ([10, 9, 10], (9, 10)),
        (["10", "9", "10"], ("9", "10")),
        (["b", "10", "9"], ("9", "10", "b")),
        ([3.0, 2.5, 3.0], ("2.5", "3")),
        ([np.int64(3), np.int8(2), 3], (2, 3)),
        ([Decimal("3.0"), Decimal("2.50"), Decimal(3)], ("2.5", "3")),
        ([True, False, True], ("False", "True")),
        ([np.True_, np.False_, True], ("False", "True")),
        ([date(2013, 2, 1), date(2013, 1, 9), date(2013, 2, 1)], ("2013-01-09", "2013-02-01")),
        ([(1, 2), (1, 10), (1, 2)], ((1, 10), (1, 2))),
        ([1, "1", 1.0], (1, "1")),
    ],
)
def test_cells_become_labels_in_order(column: list[Any], categories: tuple[Any, ...]) -> None:
    graph = md.graph_from_table({"user": [1, 1, 1], "usage": column}, profile="user", value="usage")
    assert graph.graph["categories"] == categories
    assert [type(category) for category in graph.graph["categories"]] == [type(category) for category in categories]
