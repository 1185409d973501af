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


def made(frame: Any, **arguments: Any) -> nx.Graph:
    return md.graph_from_table(frame, **{"profile": "user", "value": "usage", **arguments})


def distributions(graph: nx.Graph) -> dict[Any, list[Fraction]]:
    return {profile: list(graph.nodes[profile]["distribution"]) for profile in graph}


@kinds
def test_distributions_are_relative_frequencies(kind: Any) -> None:
    graph = made(kind(RECORDS), name="usage", source="a survey")
    third = Fraction(1, 3)
    assert graph.graph["categories"] == (2, 9, 10)
    assert distributions(graph) == {"ann": [third, third, third], "bob": [1, 0, 0], "cem": [0, 0, 1]}
    assert list(graph.nodes.data("count")) == [("ann", 3), ("bob", 2), ("cem", 1)]
    assert set(graph.edges) == {("ann", "bob"), ("ann", "cem"), ("bob", "cem")}
    assert (graph.graph["name"], graph.graph["source"]) == ("usage", "a survey")


@kinds
def test_rows_may_stand_for_many_records(kind: Any) -> None:
    graph = made(kind(RECORDS), count="times", weigh_by_count=True)
    eighth = Fraction(1, 8)
    assert distributions(graph) == {"ann": [3 * eighth, 4 * eighth, eighth], "bob": [1, 0, 0], "cem": [0, 0, 1]}
    assert list(graph.nodes.data("count")) == list(graph.nodes.data("weight")) == [("ann", 8), ("bob", 2), ("cem", 1)]


@kinds
def test_smoothing_is_added_to_every_category(kind: Any) -> None:
    graph = made(kind(RECORDS), smoothing="1/2")
    assert distributions(graph)["bob"] == [Fraction(5, 7), Fraction(1, 7), Fraction(1, 7)]
    assert graph.nodes["bob"]["count"] == 2


@kinds
def test_profiles_of_one_group_are_joined(kind: Any) -> None:
    graph = made(kind(RECORDS), edges="role")
    assert list(graph.edges) == [("ann", "bob")]


@kinds
def test_pairs_may_be_given(kind: Any) -> None:
    graph = made(kind(RECORDS), edges=[("cem", "ann"), ("bob", "cem")])
    assert {frozenset(edge) for edge in graph.edges} == {frozenset(("ann", "cem")), frozenset(("bob", "cem"))}


@kinds
def test_the_graph_says_how_it_was_made(kind: Any) -> None:
    frame = kind(RECORDS)
    graph = made(frame, edges="role", count="times", smoothing=0.5)
    said = {"profile": "user", "value": "usage", "edges": "equal role", "count": "times", "smoothing": "0.5"}
    warning = "the distributions are exact frequencies of records that nobody declared public"
    assert graph.graph["made"] == {**said, "records": 11, "warning": warning}
    assert json.loads(json.dumps(graph.graph["made"])) == graph.graph["made"]
    asked: list[Any] = [None, "all", []]
    rules = [made(frame, edges=edges) for edges in asked]
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
            faults = faults_of(made, kind(records), count="times")
            assert faults == [
                f"{user!r}: no records; leave this profile out, or give a smoothing > 0"
                for user in sorted(totals)
                if totals[user] == 0
            ]
        return
    graphs = [made(frame, count="times", smoothing=smoothing) for frame in [*(kind(records) for kind in KINDS), text]]
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
    graph = made({"user": [1, 1, 1], "usage": column})
    assert graph.graph["categories"] == categories
    assert [type(category) for category in graph.graph["categories"]] == [type(category) for category in categories]


def test_a_pandas_column_of_categories_or_text() -> None:
    frame = pd.DataFrame({"user": pd.Categorical(["b", "a", "b"]), "usage": pd.array(["x", "y", "x"], dtype="string")})
    graph = made(frame)
    assert distributions(graph) == {"a": [0, 1], "b": [1, 0]}


def test_an_order_of_categories_may_be_given() -> None:
    graph = made(RECORDS, categories=[10, 9, 2, np.int64(1)])
    assert graph.graph["categories"] == (10, 9, 2, 1)
    assert distributions(graph)["bob"] == [0, 0, 1, 0]


def test_categories_outside_the_order_are_faults() -> None:
    remedy = "; others= makes one category of all such"
    assert faults_of(made, RECORDS, categories=[2, 3]) == [
        f"column 'usage': a number is not one of the categories, in rows 1, 4{remedy}",
        f"column 'usage': a number is not one of the categories, in row 6{remedy}",
    ]
    assert faults_of(made, RECORDS, categories=[2, 9, 10, 2]) == ["categories: 2 is given 2 times"]


def test_edges_may_have_limits_of_their_own() -> None:
    graph = made(RECORDS, edges=[("ann", "bob", {"epsilon": "0.5"})])
    assert dict(graph.edges["ann", "bob"]) == {"epsilon": Fraction(1, 2)}


@kinds
def test_unknown_columns_are_named_with_those_that_there_are(kind: Any) -> None:
    there = "there is none of that name (there are: user, role, usage, times)"
    near = {"users": "; did you mean user?", "use": "; did you mean user?", "n": "", "group": ""}
    assert faults_of(made, kind(RECORDS), profile="users", value="use", count="n", edges="group") == [
        f"column {name!r}: {there}{words}" for name, words in near.items()
    ]


@pytest.mark.parametrize("gap", [pd.NaT, ""])
@pytest.mark.parametrize("column", ["user", "usage", "role", "times"])
def test_missing_values_are_faults(gap: object, column: str) -> None:
    cells = [gap if row in (1, 4) else cell for row, cell in enumerate(RECORDS[column])]
    how = "blank" if isinstance(gap, str) else "no value"
    more = ', missing="category" counts them as an answer' if column == "usage" else ""
    for frame in ({**RECORDS, column: cells}, pd.DataFrame({**RECORDS, column: cells})):
        assert faults_of(made, frame, edges="role", count="times") == [
            f'column {column!r}: missing value in rows 2, 5 ({how} 2; missing="drop" leaves such rows out{more})'
        ]


def test_only_the_first_rows_are_listed() -> None:
    frame = {"user": [None] * 1000, "usage": [1] * 1000}
    (fault,) = faults_of(made, frame)
    assert fault.startswith("column 'user': missing value in rows 1, 2, 3, 4, 5 and 995 more (no value 1000; ")


def test_a_profile_in_two_groups_is_a_fault() -> None:
    roles = ["clerk", "clerk", "cook", "cook", "cook", "chef"]
    assert faults_of(made, {**RECORDS, "role": roles}, edges="role") == [
        "column 'role': expected one value for each profile, that of rows 1 and 3 has text and text",
        "column 'role': expected one value for each profile, that of rows 2 and 5 has text and text",
    ]


@pytest.mark.parametrize("wrong", [-1, 1.5, "many", True])
def test_counts_are_integers(wrong: object) -> None:
    frame = {**RECORDS, "times": [1, wrong, 1, 1, wrong, 1]}
    assert faults_of(made, frame, count="times") == ["column 'times': expected an integer >= 0 in rows 2, 5"]


def test_counts_may_be_text_or_whole_floats() -> None:
    frame = {**RECORDS, "times": ["1", 2.0, "3", np.int64(1), Decimal(0), 4]}
    ours = made(frame, count="times")
    assert distributions(ours) == distributions(made(RECORDS, count="times"))


@pytest.mark.parametrize(
    ("smoothing", "fault"),
    [
        (-1, "smoothing: expected a number >= 0, found -1"),
        ("some", "smoothing: expected a number such as 0.3 or \"3/10\", found 'some'"),
        (float("nan"), 'smoothing: expected a number such as 0.3 or "3/10", found nan'),
    ],
)
def test_wrong_smoothing_is_a_fault(smoothing: Any, fault: str) -> None:
    assert faults_of(made, RECORDS, smoothing=smoothing) == [fault]


def test_a_profile_without_records_needs_smoothing() -> None:
    frame = {"user": ["a", "b"], "usage": [1, 2], "n": [0, 3]}
    assert faults_of(made, frame, count="n") == ["'a': no records; leave this profile out, or give a smoothing > 0"]
    graph = made(frame, count="n", smoothing=1)
    assert distributions(graph)["a"] == [Fraction(1, 2)] * 2
    assert graph.nodes["a"]["count"] == 0


@pytest.mark.parametrize(
    ("edges", "fault"),
    [
        ([("ann", "zoe")], "edges: 'zoe' is not a profile"),
        (7, 'edges: expected "all" or pairs of profiles, found 7'),
    ],
)
def test_wrong_edges_are_faults(edges: Any, fault: str) -> None:
    assert faults_of(made, RECORDS, edges=edges) == [fault]


@kinds
def test_an_empty_table_is_refused(kind: Any) -> None:
    assert faults_of(made, kind({"user": [], "usage": []})) == ["expected a table with rows, found none"]


def test_columns_of_different_lengths_are_refused() -> None:
    fault = "table: expected columns of one length, found user 2, usage 1"
    assert faults_of(made, {"user": ["a", "b"], "usage": [1]}) == [fault]


def test_a_column_named_twice_is_refused() -> None:
    fault = "column 'user': 2 columns have that name"
    assert faults_of(made, pd.DataFrame([["a", "b", 1]], columns=["user", "user", "usage"])) == [fault]
    assert faults_of(made, pa.table([["a"], ["b"], [1]], names=["user", "user", "usage"])) == [fault]


def test_cells_that_cannot_be_labels_are_faults() -> None:
    fault = "column 'usage': expected text or a number, found something else in rows 1, 2"
    assert faults_of(made, {"user": ["a", "b", "c"], "usage": [[1], {}, 3]}) == [fault]
    assert faults_of(made, {"user": ["a", "b", "c"], "usage": [np.array([1, 2]), (1, [2]), 3]}) == [fault]


def test_what_is_no_table_is_refused() -> None:
    assert faults_of(made, [1, 2]) == [
        "table: expected a DataFrame, an Arrow Table or a mapping of columns, found data of type list"
    ]


def test_all_faults_are_reported_at_once() -> None:
    frame = {**RECORDS, "user": ["", *RECORDS["user"][1:]], "times": [1, 1, 1, 1, 1, -1]}
    assert faults_of(made, frame, count="times", smoothing=-1) == [
        "column 'times': expected an integer >= 0 in row 6",
        "column 'user': missing value in row 1 (blank 1; missing=\"drop\" leaves such rows out)",
        "smoothing: expected a number >= 0, found -1",
    ]
