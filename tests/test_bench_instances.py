"""The public instances: written the same each time; the shipped ones are what their index says."""

import gzip
import hashlib
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import highspy
import pytest
from instances import write_instances

from mechdesign import ExpectedLoss, MaxOffDiagonal, WorstLoss, design, read_graph
from mechdesign.objective import Objective

SHIPPED = Path(__file__).parent.parent / "benchmarks" / "instances"
INSTANCES: list[dict[str, Any]] = json.loads((SHIPPED / "index.json").read_text())["instances"]
SMALL = [instance for instance in INSTANCES if instance["profiles"] <= 10]
PROGRAMS = [(instance, part) for instance in INSTANCES for part in instance["files"][1:]]


def solved(path: Path, scratch: Path) -> float:
    """Return the optimum of a compressed MPS file, by HiGHS as it comes."""
    plain = scratch / "program.mps"
    plain.write_bytes(gzip.decompress(path.read_bytes()))
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(plain)) == highspy.HighsStatus.kOk
    highs.run()
    assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return float(highs.getInfo().objective_function_value)


@pytest.mark.parametrize(("instance", "part"), PROGRAMS, ids=lambda value: value.get("file", ""))
def test_a_plain_solver_finds_the_certified_optimum(
    instance: dict[str, Any], part: dict[str, Any], tmp_path: Path
) -> None:
    optimum = solved(SHIPPED / part["file"], tmp_path)
    assert float(Fraction(instance["bound"])) - 1e-7 <= optimum <= float(Fraction(instance["value"])) + 1e-7


@pytest.mark.parametrize("instance", INSTANCES, ids=lambda instance: instance["name"])
def test_the_index(instance: dict[str, Any]) -> None:
    value, bound = Fraction(instance["value"]), Fraction(instance["bound"])
    assert 0 < bound <= value <= bound * (1 + Fraction(1, 10**8))
    assert instance["optimum"][0] <= bound
    assert value <= instance["optimum"][1]
    for part in instance["files"]:
        assert hashlib.sha256((SHIPPED / part["file"]).read_bytes()).hexdigest() == part["sha256"]


@pytest.mark.parametrize("instance", SMALL, ids=lambda instance: instance["name"])
def test_the_graph_is_that_of_the_optimum(instance: dict[str, Any]) -> None:
    graph = read_graph(SHIPPED / instance["files"][0]["file"])
    assert len(graph) == instance["profiles"]
    assert graph.number_of_edges() == instance["edges"]
    kind, loss = instance["objective"], instance["loss"]
    objective: Objective = MaxOffDiagonal()
    if loss is not None:
        objective = ExpectedLoss(loss) if kind == "expected-loss" else WorstLoss(loss)
    assert objective.name == kind
    result = design(graph, epsilon=instance["epsilon"], objective=objective)
    assert result.bound <= Fraction(instance["value"])
    assert Fraction(instance["bound"]) <= result.value


def test_the_folder_holds_what_the_index_says() -> None:
    files = {part["file"] for instance in INSTANCES for part in instance["files"]}
    assert {path.name for path in SHIPPED.iterdir()} == files | {"index.json", "README.md"}
    assert {instance["family"] for instance in INSTANCES} == {
        "chain", "ring", "complete", "tree", "clusters", "counting", "grid", "local", "sparse", "scaled",
    }  # fmt: skip


def test_the_same_bytes_again(tmp_path: Path) -> None:
    contents = []
    for name in ("first", "again"):
        write_instances(tmp_path / name, ["ring", "grid", "clusters"], [(6, 3)])
        contents.append({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()})
    assert contents[0] == contents[1]
    assert len(contents[0]) == 10
