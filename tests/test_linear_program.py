"""A design's linear program in a file: any solver finds the certified optimum, by the names that the map explains."""

import gzip
import json
from pathlib import Path
from typing import Any

import highspy
import networkx as nx
import pytest

from mechdesign import (
    ExpectedLoss,
    InputError,
    LargestCost,
    MaxOffDiagonal,
    WorstLoss,
    design,
    profile_graph,
    read_graph,
)
from mechdesign.objective import Objective
from mechdesign.solver.linear_program import write_program

CHAIN = read_graph("categorical-chain")
TABLE = [[0, 70, 100, 100], [30, 0, 30, 80], [100, 30, 0, 30], [100, 90, 30, 0]]


def two() -> nx.Graph:
    """Two components that need noise, of different weights, and a profile alone."""
    masses = {"a": ["0.8", "0.2"], "b": ["0.2", "0.8"], "c": ["0.6", "0.4"], "d": ["0.1", "0.9"], "e": ["0.5", "0.5"]}
    edges, weights = [("a", "b"), ("c", "d")], {"a": 1, "b": 2, "c": 3, "d": 1, "e": 1}
    return profile_graph(masses, edges=edges, categories=["no", "yes"], weights=weights)


def solved(path: Path, scratch: Path) -> tuple[highspy.Highs, float]:
    """Return HiGHS, as it comes, with the optimum of an MPS file."""
    plain = scratch / "plain.mps"
    plain.write_bytes(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(plain)) == highspy.HighsStatus.kOk
    highs.run()
    assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return highs, float(highs.getInfo().objective_function_value)


def written(path: Path, graph: nx.Graph, **options: Any) -> dict[str, Any]:
    assert write_program(graph, str(path), **options)["map"] == f"{path}.map.json"
    document: dict[str, Any] = json.loads(Path(f"{path}.map.json").read_text())
    return document


@pytest.mark.parametrize("graph", [CHAIN, two()], ids=["chain", "two"])
@pytest.mark.parametrize(
    "objective", [MaxOffDiagonal(), ExpectedLoss(), WorstLoss("absolute"), LargestCost()], ids=lambda o: o.name
)
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("delta", ["0", "0.05"])
def test_its_optimum_is_that_of_the_design(
    graph: nx.Graph, objective: Objective, shared: bool, delta: str, tmp_path: Path
) -> None:
    asked: dict[str, Any] = {"epsilon": "0.3", "delta": delta, "objective": objective, "shared": shared}
    write_program(graph, str(tmp_path / "program.mps"), **asked)
    _, optimum = solved(tmp_path / "program.mps", tmp_path)
    result = design(graph, **asked)
    assert float(result.bound) - 1e-7 <= optimum <= float(result.value) + 1e-7


def test_a_row_of_the_largest_change_has_the_entries_of_one_output_alone(tmp_path: Path) -> None:
    """With one for each entry of the matrix, one matrix for 50 profiles of 20 categories takes three times as long."""
    written(path := tmp_path / "program.mps", CHAIN, epsilon="0.3", objective=LargestCost())
    highs, _ = solved(path, tmp_path)
    named = {name: highs.getRowEntries(highs.getRowByName(name)[1])[1].tolist() for name in ("rise_1_2", "fall_1_2")}
    outputs = [{highs.getColName(column)[1].rpartition("_")[2] for column in row} for row in named.values()]
    assert outputs == [{"2", "level"}] * 2


def test_the_loss_is_in_its_own_unit_and_the_map_says_how(tmp_path: Path) -> None:
    """Solvers get the losses over the largest of them; compressed if the name says so."""
    objective, path = WorstLoss(TABLE), tmp_path / "program.mps.gz"
    names = written(path, CHAIN, epsilon="0.3", objective=objective)
    highs, optimum = solved(path, tmp_path)
    assert optimum == pytest.approx(float(design(CHAIN, epsilon="0.3", objective=objective).value), rel=1e-7)
    assert (names["objective_scale"], names["objective"]) == ("100", "worst-loss")
    level = highs.getSolution().col_value[highs.getColByName("level")[1]]
    assert 100 * level == pytest.approx(optimum)


def test_the_map_names_what_is_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "program.mps"
    names = written(path, CHAIN, epsilon="0.5", delta="0.01")
    highs, _ = solved(path, tmp_path)
    assert [highs.getColName(i)[1] for i in range(highs.getNumCol())] == list(names["columns"])
    assert [highs.getRowName(i)[1] for i in range(highs.getNumRow())] == list(names["rows"])
    assert names["columns"]["entry_1_0_3"] == {"kind": "entry", "profile": "P2", "category": "1", "output": "4"}
    assert names["columns"]["slack_2_1_0"] == {"kind": "slack", "edge": ["P3", "P2"], "output": "1"}
    assert names["columns"]["level"] == {"kind": "level"}
    assert names["rows"]["total_2_3"] == {"kind": "total", "profile": "P3", "category": "4"}
    assert names["rows"]["privacy_0_1_3"] == {"kind": "privacy", "edge": ["P1", "P2"], "output": "4"}
    assert names["rows"]["delta_1_0"] == {"kind": "delta", "edge": ["P2", "P1"]}
    assert (names["epsilon"], names["delta"], names["graph"]) == ("0.5", "0.01", "categorical-chain")
    assert {one["kind"] for part in ("columns", "rows") for one in names[part].values()} | {"rise", "fall"} == names[
        "kinds"
    ].keys()
    assert "sharing" not in names


def test_one_matrix_for_each_component(tmp_path: Path) -> None:
    names = written(tmp_path / "program.mps", two(), epsilon="0.3", shared=True)
    assert names["sharing"] == [["a", "b"], ["c", "d"], ["e"]]
    assert {one["profile"] for one in names["columns"].values() if one["kind"] == "entry"} == {"a", "c", "e"}


def test_the_same_bytes_again(tmp_path: Path) -> None:
    for name in ("first", "again"):
        write_program(CHAIN, str(tmp_path / f"{name}.mps.gz"), epsilon=1)
    assert (tmp_path / "first.mps.gz").read_bytes() == (tmp_path / "again.mps.gz").read_bytes()


@pytest.mark.parametrize(
    ("options", "words"),
    [({"epsilon": -1}, "epsilon"), ({"epsilon": 1, "delta": 2}, "delta"), ({"epsilon": 1}, "nowhere")],
)
def test_what_cannot_be_written(options: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=words):
        write_program(CHAIN, str(tmp_path / "nowhere" / "program.mps"), **options)
    assert list(tmp_path.iterdir()) == []
