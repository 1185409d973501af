"""One rule for all kinds of table: blanks around cells, missing values; and the order of the categories."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from command import faults_of
from pyarrow import feather, parquet

import mechdesign as md
from mechdesign.files.scan import read_table
from mechdesign.graph.properties import has_order

JOBS = ["a", "a", "b", "b", "b"]
GAPS = ["", "  ", "NA", "na", "N/A", "n/a", "#N/A", "<NA>", "null", "NULL", "NaN", "nan", " NA ", None, np.nan, pd.NA]
ANSWERS = ["none", "None", "-", "?", "unknown", "nana", "missing"]
HALF = Fraction(1, 2)


def made(frame: Any, **options: Any) -> nx.Graph:
    return md.graph_from_table(frame, **{"profile": "job", "value": "use", **options})


def in_every_format(columns: dict[str, list[Any]], folder: Path) -> list[Any]:
    """Return a table as a mapping, a DataFrame, an Arrow Table, and read from CSV, Parquet and Feather files."""
    clean = {name: [None if pd.isna(cell) else cell for cell in cells] for name, cells in columns.items()}
    table = pa.table(clean)
    pd.DataFrame(columns).to_csv(folder / "t.csv", index=False)
    parquet.write_table(table, str(folder / "t.parquet"))
    feather.write_feather(table, str(folder / "t.feather"))
    files = [read_table(folder / f"t.{ending}") for ending in ("csv", "parquet", "feather")]
    return [columns, pd.DataFrame(columns), table, *files]


def test_bytes_are_no_labels() -> None:
    """As Parquet files have them whose writer did not say that they are text."""
    (fault,) = faults_of(made, pa.table({"job": JOBS, "use": pa.array([b"x", b"y", b"x", b"y", b"x"])}))
    assert fault == "column 'use': expected text or a number, found something else in rows 1, 2, 3, 4, 5"


@pytest.mark.parametrize("gap", GAPS, ids=repr)
def test_missing_values_are_the_same_in_every_format(gap: Any, tmp_path: Path) -> None:
    columns = {"job": JOBS, "use": ["x", gap, "x", "y", gap]}
    for frame in in_every_format(columns, tmp_path):
        (fault,) = faults_of(made, frame)
        assert fault.startswith("column 'use': missing value in rows 2, 5 (")
        assert 'missing="drop" leaves such rows out, missing="category" counts them as an answer' in fault
        dropped = made(frame, missing="drop")
        assert dropped.graph["categories"] == ("x", "y")
        assert list(dropped.nodes["b"]["distribution"]) == [HALF, HALF]
        assert (dropped.graph["made"]["missing"], dropped.graph["made"]["left_out"]) == ("drop", 2)
        assert dropped.nodes["a"]["count"] == 1
        kept = made(frame, missing="category")
        assert kept.graph["categories"] == ("x", "missing", "y") or kept.graph["categories"] == ("missing", "x", "y")
        assert kept.nodes["a"]["count"] == 2


@pytest.mark.parametrize("answer", ANSWERS)
def test_other_words_are_answers(answer: str, tmp_path: Path) -> None:
    for frame in in_every_format({"job": JOBS, "use": ["x", answer, "x", "y", answer]}, tmp_path):
        assert set(made(frame).graph["categories"]) == {"x", answer, "y"}


def test_the_words_may_be_given() -> None:
    frame = {"job": ["NA", "NA", "b", "b", "b"], "use": ["x", "99", "x", "y", "99"]}
    (fault, *_) = faults_of(made, frame)
    assert fault == (
        "column 'job': missing value in rows 1, 2 (NA 2; missing=\"drop\" leaves such rows out;"
        " a word that means something here is left out of missing_words=)"
    )
    graph = made(frame, missing_words=["99"], missing="drop")
    assert list(graph) == ["NA", "b"]
    assert graph.graph["categories"] == ("x", "y")
    assert made(frame, missing_words=[]).graph["categories"] == ("99", "x", "y")
    assert faults_of(made, {**frame, "use": ["x", "", "x", "y", "x"]}, missing_words=[])[0].startswith(
        "column 'use': missing"
    )


def test_dropped_rows_are_gone_from_every_column() -> None:
    frame = {
        "job": ["a", "b", "b", None, "c"],
        "use": ["x", "y", "z", "w", "x"],
        "often": [1, 2, None, 1, 1],
        "place": ["here", "here", "there", "there", "NA"],
    }
    graph = made(frame, missing="drop", count="often", edges="place")
    assert list(graph) == ["a", "b"]
    assert graph.graph["categories"] == ("x", "y")
    assert list(graph.edges) == [("a", "b")]
    assert graph.graph["made"]["left_out"] == 3


def test_an_answer_that_is_missing_is_the_only_kind_that_can_be_a_category() -> None:
    frame = {"job": ["a", None, "b"], "use": ["x", "x", None]}
    assert faults_of(made, frame, missing="category") == [
        "column 'job': missing value in row 2 (no value 1; missing_profile=\"drop\" leaves such rows out)"
    ]
    graph = made(frame, missing="category", missing_profile="drop")
    assert (list(graph), graph.graph["categories"]) == (["a", "b"], ("missing", "x"))
    assert graph.graph["made"]["left_out"] == 1


def test_where_every_row_is_left_out_nothing_is_made() -> None:
    assert faults_of(made, {"job": ["a", "b"], "use": [None, ""]}, missing="drop") == [
        "every row has a missing value, so none is left"
    ]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"missing": "ignore"}, "missing: expected one of error, drop, category, found 'ignore'"),
        ({"missing_words": "NA"}, "missing_words: expected a list, found 'NA'"),
        ({"categories": "xy"}, "categories: expected a list, found 'xy'"),
        ({"profiles": 3}, "profiles: expected a list, found 3"),
        ({"categories": []}, "categories: expected at least one, found none"),
        ({"categories": ["x", "NA"]}, "categories: 'NA' means a missing value; leave it out of missing_words="),
        ({"categories": ["x", ["y"]]}, "categories: lists of several columns, where the value is one, 'use'"),
        ({"profiles": ["a", "b", "a "]}, "profiles: 'a' is given 2 times; a label with a comma goes in double quotes"),
        ({"profiles": ["a", "c"]}, "column 'job': text is not one of the profiles, in rows 3, 4, 5"),
    ],
)
def test_wrong_words_and_lists_are_refused(options: dict[str, Any], fault: str) -> None:
    assert fault in faults_of(made, {"job": JOBS, "use": ["x"] * 5}, **options)


def test_blanks_around_a_cell_mean_nothing(tmp_path: Path) -> None:
    columns = {"job": ["a", " a", "b\t", "b", "b"], "use": ["2", " 2", "2 ", "3", "3"]}
    for frame in in_every_format(columns, tmp_path):
        graph = made(frame, categories=[" 3", "2"])
        assert graph.graph["categories"] == ("3", "2")
        assert list(graph) == ["a", "b"]


@pytest.mark.parametrize("values", [[1, 2, 1], ["1", "2", "1"]])
@pytest.mark.parametrize("given", [[2, 1, 5], ["2", " 1", "5"]])
def test_given_categories_are_taken_as_the_column_has_them(values: list[Any], given: list[Any]) -> None:
    kind = type(values[0])
    graph = made({"job": ["a", "b", "b"], "use": values}, categories=given)
    assert graph.graph["categories"] == (kind(2), kind(1), kind(5))


def test_many_unknown_labels_are_not_all_listed() -> None:
    faults = faults_of(made, {"job": ["a"] * 50, "use": [f"x{i}" for i in range(50)]}, categories=["y"])
    assert len(faults) == 21
    assert faults[-1] == "column 'use': and 30 more that are not"


def test_profiles_may_be_given_in_their_order() -> None:
    frame = {"job": JOBS, "use": ["x", "x", "y", "y", "y"]}
    assert list(made(frame, profiles=["b", "a"])) == ["b", "a"]
    assert faults_of(made, frame, profiles=["b", "a", "c"]) == [
        "'c': no records; leave this profile out, or give a smoothing > 0"
    ]
    assert list(made(frame, profiles=["b", "a", "c"], smoothing=1).nodes["c"]["distribution"]) == [HALF, HALF]
    with_place = {**frame, "place": ["here"] * 5}
    assert faults_of(made, with_place, profiles=["a", "b", "c"], smoothing=1, edges="place") == [
        "'c': no records, so its place is not known; leave this profile out, or give pairs"
    ]


LEVELS = ["strongly disagree", "disagree", "neutral", "agree", "strongly agree"]
SOME = ["agree", "neutral", "strongly disagree", "disagree", "agree"]


def ordered_tables(folder: Path) -> list[Any]:
    frame = pd.DataFrame({"job": JOBS, "use": pd.Categorical(SOME, categories=LEVELS, ordered=True)})
    table = pa.Table.from_pandas(frame)
    parquet.write_table(table, str(folder / "t.parquet"))
    feather.write_feather(table, str(folder / "t.feather"))
    files = [read_table(folder / f"t.{ending}") for ending in ("parquet", "feather")]
    mapping = {"job": JOBS, "use": frame["use"].array}
    return [frame, table, *files, mapping, pa.concat_tables([table.slice(0, 2), table.slice(2)])]


def test_an_ordered_categorical_gives_its_order_and_what_does_not_occur(tmp_path: Path) -> None:
    for frame in ordered_tables(tmp_path):
        graph = made(frame)
        assert graph.graph["categories"] == tuple(LEVELS)
        assert graph.graph["ordered"] is True
        assert has_order(graph)


def test_a_categorical_without_order_gives_none() -> None:
    frame = pd.DataFrame({"job": JOBS, "use": pd.Categorical(SOME, categories=LEVELS)})
    for table in (frame, pa.Table.from_pandas(frame)):
        graph = made(table)
        assert graph.graph["categories"] == ("agree", "disagree", "neutral", "strongly disagree")
        assert "ordered" not in graph.graph
        assert not has_order(graph)


def test_chunks_of_different_dictionaries_give_no_order() -> None:
    chunks = [
        pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(words), ordered=True)
        for words in (["low", "high"], ["high", "low"])
    ]
    graph = made(pa.table({"job": ["a", "a", "b", "b"], "use": pa.chunked_array(chunks)}))
    assert graph.graph["categories"] == ("high", "low")
    assert "ordered" not in graph.graph


@pytest.mark.parametrize(("asked", "kept"), [(None, True), (False, False), (True, True)])
def test_a_given_order_is_recorded_unless_it_means_nothing(asked: bool | None, kept: bool, tmp_path: Path) -> None:
    graph = made({"job": JOBS, "use": SOME}, categories=LEVELS, ordered=asked)
    assert graph.graph["ordered"] is kept
    assert has_order(graph) is kept
    md.write_graph(graph, tmp_path / "g.json")
    assert md.read_graph(tmp_path / "g.json").graph["ordered"] is kept


def test_a_category_for_missing_values_has_no_place_in_the_order_unless_it_is_given_one() -> None:
    answers = [*SOME[:4], None]
    frame = pd.DataFrame({"job": JOBS, "use": pd.Categorical(answers, categories=LEVELS, ordered=True)})
    graph = made(frame, missing="category")
    assert graph.graph["categories"] == (*LEVELS, "missing")
    assert not has_order(graph)
    assert has_order(made(frame, missing="category", categories=["missing", *LEVELS]))
    assert faults_of(made, frame, missing="category", categories=LEVELS) == [
        "column 'use': 'missing' is not one of the categories, in row 5; these are the missing values: list it"
        " among the categories too"
    ]


@pytest.mark.parametrize(
    ("categories", "attribute", "expected"),
    [
        (["1", "2", "10"], None, True),
        ([3, 2, 1], None, True),
        (["0.5", "1/2", "2"], None, False),
        (["2", "1", "3"], None, False),
        (["a", "b"], False, True),  # one step is one step
        (["a", "b", "c"], None, False),
        (["a", "b", "c"], True, True),
        (["1", "2", "3"], False, False),  # numbers that are names
    ],
)
def test_which_graphs_have_an_order(categories: list[Any], attribute: bool | None, expected: bool) -> None:
    masses = [1, *[0] * (len(categories) - 1)]
    graph = md.profile_graph({"P": masses}, edges=[], categories=categories, ordered=attribute)
    assert has_order(graph) is expected


def test_what_says_nothing_about_the_order_is_refused(tmp_path: Path) -> None:
    document = {
        "graph": {"categories": ["a"], "ordered": "yes"},
        "nodes": [{"id": 1, "distribution": [1]}],
        "edges": [],
    }
    (tmp_path / "g.json").write_text(json.dumps(document))
    with pytest.raises(md.InputError, match=r"graph\.ordered: expected true or false, found 'yes'"):
        md.read_graph(tmp_path / "g.json")
