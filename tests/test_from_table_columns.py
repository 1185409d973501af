"""Several columns as one value: their combinations together, or each by itself with a share of the epsilon."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from command import answer, done

import mechdesign as md
from mechdesign.errors import InputError

CELLS = [("u", "no", 1), ("u", "yes", 2), ("u", "no", 2), ("u", "yes", 10), ("v", "no", 10), ("v", "yes", 1)]
ROWS = pd.DataFrame(CELLS * 4 + CELLS[:3] * 2, columns=["town", "vote", "income"])
LINE = ("--profile", "town", "--value", "vote,income")


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    ROWS.to_csv(tmp_path / "survey.csv", index=False)
    return tmp_path / "survey.csv"


def test_the_categories_are_all_combinations_and_their_shares_those_of_the_pairs() -> None:
    graph = md.graph_from_table(ROWS, profile="town", value="vote,income")
    assert graph.graph["categories"] == tuple((x, y) for x in ("no", "yes") for y in ("1", "2", "10"))
    of_u = ROWS[ROWS["town"] == "u"]
    for (vote, income), share in zip(graph.graph["categories"], graph.nodes["u"]["distribution"], strict=True):
        there = (of_u["vote"] == vote) & (of_u["income"] == int(income))
        assert share == Fraction(int(there.sum()), len(of_u))
    assert graph.graph["made"]["columns"] == {"vote": 2, "income": 3}
    assert not graph.graph.get("ordered")


def test_a_column_of_that_very_name_comes_first() -> None:
    table = ROWS.assign(**{"vote,income": ["a", "b"] * 15})
    assert md.graph_from_table(table, profile="town", value="vote,income").graph["categories"] == ("a", "b")
    quoted = ROWS.rename(columns={"vote": "a,b"})
    graph = md.graph_from_table(quoted, profile="town", value='"a,b",income')
    assert graph.graph["made"]["columns"] == {"a,b": 2, "income": 3}


def test_the_way_through_files_and_back(survey: Path, tmp_path: Path) -> None:
    graph, mechanism, released = (str(tmp_path / name) for name in ("g.json", "m.json", "released.csv"))
    lists = ("--categories", "no,yes", "--categories", "10,2,1")
    said = done("graph", "from-table", str(survey), *LINE, *lists, "--public", "-o", graph)
    assert "The categories: 2 (vote) x 3 (income) = 6 combinations." in said
    assert md.read_graph(graph).graph["categories"][:3] == (("no", "10"), ("no", "2"), ("no", "1"))
    done("design", graph, "--epsilon", "1", "--shared", "-o", mechanism)
    value = ("--value", "vote,income")
    seed = ("--seed-not-for-release", "1")
    done("sanitise", mechanism, str(survey), *value, *seed, "--keep", "town", "--keep-anyway", "-o", released)
    table = pd.read_csv(released)
    assert table.columns.tolist() == ["town", "vote", "income"]
    assert len(table) == len(ROWS)
    found = answer("estimate", mechanism, released, *value)
    assert found["rows"] == len(ROWS)
    assert len(found["profiles"]["all"]) == 6
    for file in ("released.parquet", "again.csv"):  # from columns of integers, as from text
        ROWS.to_parquet(tmp_path / "survey.parquet")
        done("sanitise", mechanism, str(tmp_path / "survey.parquet"), *value, *seed, "-o", str(tmp_path / file))
        assert answer("estimate", mechanism, str(tmp_path / file), *value)["rows"] == len(ROWS)


def test_what_is_sanitised_is_not_kept_nor_the_profile() -> None:
    mechanism = md.k_ary([(x, y) for x in "ab" for y in "12"], epsilon=1)
    table = pd.DataFrame({"x": ["a", "b"], "y": [1, 2]})
    with pytest.raises(InputError, match="'x' is sanitised; neither keep it nor name it as the profile"):
        md.sanitise(mechanism, table, value="x,y", keep=["x"])
    with pytest.raises(InputError, match="'x,y' are 2 columns; the categories are such as 'a', one for one column"):
        md.sanitise(md.k_ary(["a", "b"], epsilon=1), table, value="x,y")
    with pytest.raises(InputError, match="there is none of that name"):
        md.sanitise(mechanism, table, value="x,z")


def test_a_row_is_missing_or_unknown_where_one_of_its_cells_is() -> None:
    mechanism = md.k_ary([("a", "1"), ("a", "2"), ("b", "1")], epsilon=1)
    table = pd.DataFrame({"x": ["a", None, "q", "b", "b"], "y": [1, 1, 1, 2, 1]})
    with pytest.raises(InputError) as raised:
        md.sanitise(mechanism, table, value="x,y")
    words = str(raised.value)
    assert "column 'x': 1 cell is none of the categories" in words
    assert "column 'x': 1 missing value in row 2" in words
    assert "column 'x,y': 1 cell is none of the categories" in words
    assert len(md.sanitise(mechanism, table, value="x,y", unknown="drop")) == 2


def test_each_by_itself_gets_its_share_of_the_epsilon(survey: Path, tmp_path: Path) -> None:
    folder = tmp_path / "columns"
    said = done("graph", "from-table", str(survey), *LINE, "--split", "2,1", "--public", "-o", str(folder))
    assert "all releases together then tell epsilon at most, if within each profile the columns are independent" in said
    graphs = [md.read_graph(folder / f"column-{number}.json") for number in (1, 2)]
    assert [graph.edges["u", "v"]["distance"] for graph in graphs] == [Fraction(2, 3), Fraction(1, 3)]
    both = [md.certify(md.design(graph, epsilon="0.6").mechanism, graph, epsilon="0.6") for graph in graphs]
    assert all(one.private for one in both)


def test_noise_and_misses_are_divided_too_and_so_is_what_an_edge_has_of_its_own() -> None:
    lists: dict[str, Any] = {
        "categories": [["no", "yes"], ["1", "2", "10"]],
        "profiles": ["u", "v"],
        "confidence": "0.9",
    }
    edges = [("u", "v", {"epsilon": "0.3", "delta": "0.1"})]
    line: dict[str, Any] = {"profile": "town", "value": "vote,income", "split": ["1", "1"]}
    for graph in md.graphs_from_table(ROWS, **line, noise=3, edges=edges, **lists):
        made = graph.graph["made"]
        assert (made["noise"]["epsilon"], made["confidence"]["level"]) == ("1.5", "0.95")
        assert graph.edges["u", "v"] == {"epsilon": Fraction(3, 20), "delta": Fraction(1, 20)}
        assert "dependence" not in made["split"]


def test_how_far_from_independent_the_columns_are() -> None:
    """Two towns with the same marginals, one with a = b and the other with a != b: no column alone tells them apart."""
    equal = [("u", x, x) for x in "01"] + [("v", x, y) for x, y in ("01", "10")]
    table = pd.DataFrame(equal * 4, columns=["town", "a", "b"])
    graphs = md.graphs_from_table(table, profile="town", value="a,b", split=[1, 1], public=True)
    designs = [md.design(graph, epsilon=0) for graph in graphs]
    assert [design.value for design in designs] == [0, 0]  # released as they are, and a = b tells the town
    assert {graph.graph["made"]["split"]["dependence"] for graph in graphs} == {"0.5"}
    together = md.graph_from_table(table, profile="town", value="a,b", public=True)
    assert md.design(together, epsilon=0).value > 0


def test_a_column_of_the_value_is_nothing_else_in_an_estimate() -> None:
    mechanism = md.k_ary([(x, y) for x in "ab" for y in "12"], epsilon=1)
    table = {"x": ["a", "b"], "y": [1, 2]}
    with pytest.raises(InputError, match="profile: 'y' is the column that was released; the profile is another"):
        md.estimate(mechanism, table, value="x,y", profile="y")
    with pytest.raises(InputError, match="value 'y': expected one for each of the 2 values, found 1"):
        md.estimate(mechanism, table | {"y": [1]}, value="x,y")
