"""Edges as tables: what each has of its own, from data frames, Arrow tables, mappings and files."""

import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from command import faults_of
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.graph.edge_table import OWN, own_of

COLUMNS: dict[str, list[Any]] = {"one": ["a", "b", "c"], "other": ["b", "c", "d"], "epsilon": ["0.4", None, "inf"]}
COLUMNS |= {" Delta ": [None, "1/8", ""], "why": ["near", "far", None]}
PROFILES = {profile: [1] for profile in "abcd"}


def graph_of(edges: Any) -> nx.Graph:
    return md.profile_graph(PROFILES, edges=edges, categories=["x"])


@pytest.mark.parametrize("kind", [dict, pd.DataFrame, pa.table, pl.DataFrame], ids=lambda kind: kind.__module__)
def test_a_table_is_read_alike_whatever_it_is(kind: Any) -> None:
    """Cells without a value give an edge nothing, and letters of a heading may be capital."""
    assert dict(graph_of(kind(COLUMNS)).edges) == {
        ("a", "b"): {"epsilon": Fraction(2, 5)},
        ("b", "c"): {"delta": Fraction(1, 8)},
        ("c", "d"): {"epsilon": math.inf},
    }


def test_a_table_of_numbers() -> None:
    frame = pd.DataFrame({"one": [1, 2], "other": [2, 3], "distance": [0.5, np.nan], "epsilon": [pd.NA, 2]})
    graph = md.profile_graph({1: [1], 2: [1], 3: [1]}, edges=frame, categories=["x"])
    assert dict(graph.edges) == {(1, 2): {"distance": Fraction(1, 2)}, (2, 3): {"epsilon": Fraction(2)}}
    assert {type(profile) for profile in graph} == {int}


def test_a_view_of_edges_is_no_table() -> None:
    """Networkx' own is a mapping too."""
    assert set(graph_of(nx.Graph([("a", "b"), ("c", "d")]).edges).edges) == {("a", "b"), ("c", "d")}
    assert graph_of(nx.Graph().edges).number_of_edges() == graph_of({}).number_of_edges() == 0


@pytest.mark.parametrize(
    ("edges", "faults"),
    [
        (pd.DataFrame({"one": ["a"]}), ["edges: expected at least two columns, of profiles, found ['one']"]),
        ({"one": ["a"], "other": []}, ["edges: expected columns of one length, found one 1, other 0"]),
        ({"one": ["a"], "other": ["e"]}, ["edges: 'e' is not a profile"]),
        (
            COLUMNS | {"epsilon": ["low", -1, "0.5"]},
            [
                "edges: row 1: epsilon: expected a number >= 0 (in nats) or inf, found 'low'",
                "edges: row 2: epsilon: expected a number >= 0 (in nats) or inf, found -1",
            ],
        ),
        (COLUMNS | {"delta": [1, 0, 0]}, ["edges: column 'delta': a second column for delta"]),
        (COLUMNS | {"distance": [True, 0, 0]}, ["edges: row 1: distance: expected a number >= 0, found True"]),
        (COLUMNS | {"distance": [0, "-1/2", 0]}, ["edges: row 2: distance: expected a number >= 0, found '-1/2'"]),
        (
            COLUMNS | {"epsilon": ["0,5", "0.5", 1]},
            ["edges: row 1: a decimal comma in '0,5', but a point in '0.5' (row 2); write all in one way"],
        ),
        (
            COLUMNS | {"eps": [1, 1, 1]},
            [
                "edges: column 'eps': what edges have of their own is called epsilon, delta or distance; did you mean "
                "epsilon? If it is something else, rename the column"
            ],
        ),
    ],
)
def test_what_cannot_be_read_is_refused(edges: Any, faults: list[str]) -> None:
    assert faults_of(graph_of, edges) == faults


def test_all_faults_are_there() -> None:
    edges = {"one": ["a"] * 9, "other": ["b"] * 9, "epsilon": ["x"] * 9}
    assert len(faults_of(graph_of, edges)) == 9


@given(st.lists(st.tuples(*(st.fractions(0, Fraction(99, 100)) | st.none() for _ in OWN))))
def test_numbers_are_exact(rows: list[tuple[Fraction | None, ...]]) -> None:
    columns = {key: [None if row[i] is None else str(row[i]) for row in rows] for i, key in enumerate(OWN)}
    wanted = [{key: value for key, value in zip(OWN, row, strict=True) if value is not None} for row in rows]
    assert own_of(columns, str, len(rows)) == wanted


# --- files --------------------------------------------------------------------------------------------------

RECORDS = {"job": ["clerk", "cook", "guard"], "use": ["low", "high", "low"]}


def made(folder: Path, text: str) -> nx.Graph:
    (folder / "pairs.csv").write_text(text)
    return md.graph_from_table(RECORDS, profile="job", value="use", edges=folder / "pairs.csv")


def test_a_file_may_have_decimal_commas_and_capital_letters(tmp_path: Path) -> None:
    """A heading in capital letters was passed over, and the edges had what was asked for, not what was meant."""
    graph = made(tmp_path, 'One;Other;Epsilon;Distance\nclerk;cook;"0,5";\ncook;guard;;3\n')
    assert dict(graph.edges) == {
        ("clerk", "cook"): {"epsilon": Fraction(1, 2)},
        ("cook", "guard"): {"distance": Fraction(3)},
    }


def test_a_table_of_edges_in_memory() -> None:
    edges = pd.DataFrame({"one": ["clerk"], "other": ["guard"], "delta": ["1e-6"]})
    graph = md.graph_from_table(RECORDS, profile="job", value="use", edges=edges)
    assert dict(graph.edges) == {("clerk", "guard"): {"delta": Fraction(1, 10**6)}}


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        (
            "one,other,epsilon\nclerk,cook,low\ncook,guard,-1\n",
            [
                "line 2: epsilon: expected a number >= 0 (in nats) or inf, found 'low'",
                "line 3: epsilon: expected a number >= 0 (in nats) or inf, found '-1'",
            ],
        ),
        ("one,other,delta\nclerk,cook,1\n", ["line 2: delta: expected a number in [0, 1), found '1'"]),
        (
            "one,other,distance\nclerk,cook,1\nguard,cook,3\ncook,clerk,2\n",
            ["line 4: 'cook'-'clerk' is on line 2 too, with another epsilon, delta or distance; leave one out"],
        ),
        (
            "clerk,cook,0.5\ncook,guard,1\n",
            [
                "column 3: expected no numbers, found '0.5' on line 1; say what they are in a first line such as "
                "one,other,epsilon (or delta, or distance)"
            ],
        ),
        (
            "one,other,dist\nclerk,cook,1\n",
            [
                "column 'dist': what edges have of their own is called epsilon, delta or distance; did you mean "
                "distance? If it is something else, rename the column"
            ],
        ),
    ],
)
def test_a_fault_in_a_file_is_named_with_the_file_and_the_line(text: str, faults: list[str], tmp_path: Path) -> None:
    with pytest.raises(md.InputError) as error:
        made(tmp_path, text)
    assert (error.value.source, error.value.faults) == (str(tmp_path / "pairs.csv"), faults)
