"""Who is joined: files of pairs with and without a heading, columns; and refusing what would be too large."""

from pathlib import Path
from typing import Any

import networkx as nx
import pyarrow as pa
import pytest
from pyarrow import parquet

import mechdesign as md
from mechdesign.graph.distribution import PointMass

RECORDS = {"job": ["clerk", "cook", "guard"], "use": ["low", "high", "low"]}


def made(folder: Path, text: str, name: str = "pairs.csv", **options: Any) -> nx.Graph:
    (folder / name).write_text(text)
    return md.graph_from_table(RECORDS, profile="job", value="use", edges=folder / name, **options)


def faults_of(folder: Path, text: str, **options: Any) -> list[str]:
    with pytest.raises(md.InputError) as error:
        made(folder, text, **options)
    assert error.value.source == str(folder / "pairs.csv")
    return error.value.faults


@pytest.mark.parametrize(
    ("text", "header", "edges", "heading"),
    [
        ("clerk,cook\n", "auto", [("clerk", "cook")], None),  # both are profiles: no heading
        ("clerk,cook\n", "no", [("clerk", "cook")], None),
        ("clerk,cook\n", "yes", [], ["clerk", "cook"]),
        ("one,other\nclerk,cook\n", "auto", [("clerk", "cook")], ["one", "other"]),
        ("one,other\nclerk,cook\n", "yes", [("clerk", "cook")], ["one", "other"]),
        ("clerk,cook\ncook,guard\n", "auto", [("clerk", "cook"), ("cook", "guard")], None),
        (" clerk, cook \nguard ,cook\n", "auto", [("clerk", "cook"), ("cook", "guard")], None),
        ("clerk,cook,why\ncook,guard,because\n", "auto", [("clerk", "cook"), ("cook", "guard")], None),
        ("a,b\n", "auto", [], ["a", "b"]),
    ],
)
def test_the_first_line_is_a_pair_or_a_heading_and_the_graph_says_which(
    text: str, header: str, edges: list[tuple[str, str]], heading: list[str] | None, tmp_path: Path
) -> None:
    graph = made(tmp_path, text, edges_header=header)
    assert [sorted(edge) for edge in graph.edges] == [sorted(edge) for edge in edges]
    assert graph.graph["made"].get("edges_heading") == heading
    assert graph.graph["made"]["edges"] == "as given"


@pytest.mark.parametrize(
    ("text", "header", "faults"),
    [
        (
            "clerk,kook\n",
            "auto",
            ["line 1: 'kook' is not a profile; if this line is a heading, leave it out"],
        ),
        (
            "one,cook\n",
            "auto",
            ["line 1: 'one' is not a profile; if this line is a heading, leave it out"],
        ),
        ("one,other\n", "no", ["line 1: 'one' is not a profile", "line 1: 'other' is not a profile"]),
        ("one,other\nclerk,kook\n", "auto", ["line 2: 'kook' is not a profile"]),
        ("one,other\ncook,cook\n", "auto", ["line 2: 'cook' cannot be its own neighbour; leave this line out"]),
        ("one\ncook\n", "auto", ["expected two columns of profiles, found one"]),
        ("a,b\n" + "x,cook\n" * 9, "yes", [f"line {n}: 'x' is not a profile" for n in range(2, 11)]),
    ],
)
def test_a_stranger_is_named_with_its_line(text: str, header: str, faults: list[str], tmp_path: Path) -> None:
    assert faults_of(tmp_path, text, edges_header=header) == faults


def test_columns_of_arrow_have_names_and_those_are_no_pair(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"clerk": ["cook"], "cook": ["guard"]}), str(tmp_path / "pairs.parquet"))
    graph = md.graph_from_table(RECORDS, profile="job", value="use", edges=tmp_path / "pairs.parquet")
    assert list(graph.edges) == [("cook", "guard")]
    assert "edges_heading" not in graph.graph["made"]


@pytest.mark.parametrize("profiles", [[1, 2, 3], ["1", "2", "3"]])
def test_pairs_of_text_and_of_integers_name_the_same_profiles(profiles: list[Any], tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("1,2\n")
    records = {"job": profiles, "use": ["low", "high", "low"]}
    for edges in (tmp_path / "pairs.csv", [(1, 2)], [("1", "2 ")]):
        graph = md.graph_from_table(records, profile="job", value="use", edges=edges)
        assert list(graph.edges) == [tuple(profiles[:2])]


def survey(profiles: int, categories: int, **columns: list[Any]) -> dict[str, list[Any]]:
    """Return one record for each profile."""
    return {
        "job": [f"job {i}" for i in range(profiles)],
        "use": [f"use {i % categories}" for i in range(profiles)],
        **columns,
    }


def test_all_pairs_of_many_profiles_are_refused_before_they_are_made() -> None:
    with pytest.raises(md.InputError) as error:
        md.graph_from_table(survey(2500, 2500), profile="job", value="use")
    (fault,) = error.value.faults
    assert fault.startswith("too large: all pairs of 2,500 profiles are 3,123,750 edges, expected at most 500,000; ")
    assert "join fewer of them (edges: a column, or a file of pairs)" in fault


def test_large_groups_are_refused_and_small_ones_are_not() -> None:
    records = survey(2500, 3, place=["here"] * 1200 + ["there"] * 1300, street=[i // 2 for i in range(2500)])
    with pytest.raises(md.InputError, match="agree in 'place' make 1,563,750 edges, expected at most 500,000"):
        md.graph_from_table(records, profile="job", value="use", edges="place")
    graph = md.graph_from_table(records, profile="job", value="use", edges="street")
    assert graph.number_of_edges() == 1250


def test_profiles_of_one_category_each_are_not_written_out(tmp_path: Path) -> None:
    graph = md.graph_from_table(survey(1100, 1100), profile="job", value="use", edges=[])
    assert all(type(attributes["distribution"]) is PointMass for attributes in graph.nodes.values())
    md.write_graph(graph, tmp_path / "graph.json")
    assert (tmp_path / "graph.json").stat().st_size < 200_000
