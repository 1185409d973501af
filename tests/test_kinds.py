"""A file of another kind says which kind it is and which command takes it: every kind, given to every command."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from command import run
from formulas import local

import mechdesign as md
from mechdesign.bench.outcome import Ending, Measurement, Run, write_rows
from mechdesign.certifier.evidence import evidence
from mechdesign.files.kinds import kind_of

FILES = {
    "graph.json": "a profile graph",
    "graph.graphml": "a profile graph",
    "mechanism.json": "a mechanism",
    "certificate.json": "a certificate",
    "refutation.json": "a refutation",
    "formula.json": "the proof of a formula",
    "curve.json": "a curve of designs",
    "privacy.json": "a privacy curve",
    "program.mps": "a linear program",
    "program.mps.map.json": "what the names in a linear program mean",
    "rows.json": "the rows of a benchmark",
    "answer.json": "what a command printed with --json",
    "matrix.json": "a matrix",
    "matrix.npy": "a matrix",
    "matrix.csv": "a table or a matrix",
    "survey.csv": "a table or a matrix",
    "survey.parquet": "a table",
    "survey.feather": "a table",
    "matrices.npz": "an archive of arrays",
    "survey.xlsx": "an Excel workbook or another archive",
    "survey.csv.gz": "a compressed file",
    "curve.svg": "a picture",
    "curve.png": "a picture",
}
COMMANDS = {
    "design": "design FILE --epsilon 1",
    "show": "graph show FILE",
    "certify": "certify FILE --epsilon 2",
    "certify --graph": "certify coin.csv --graph FILE --epsilon 2",
    "check": "check FILE",
    "plot": "plot FILE -o out.svg",
    "from-table": "graph from-table FILE --profile job --value usage -o out.json",
    "audit": "audit laplace FILE --column age --query mean --epsilon 1",
    "--loss": "design base.json --epsilon 1 --objective worst-loss --loss FILE",
    "--curve": "design base.json --epsilon 1,2 --curve FILE",
}
TAKES = {
    "design": {"graph.json", "graph.graphml"},
    "show": {"graph.json", "graph.graphml"},
    "certify": {"mechanism.json", "matrix.json", "matrix.npy", "matrix.csv"},
    "certify --graph": {"graph.json", "graph.graphml"},
    "check": {"certificate.json", "refutation.json", "formula.json"},
    "plot": {"graph.json", "graph.graphml", "mechanism.json", "matrix.json", "matrix.npy", "matrix.csv"},
    "from-table": {"survey.csv", "survey.parquet", "survey.feather"},
    "audit": {"survey.csv", "survey.parquet", "survey.feather"},
    "--loss": {"matrix.json", "matrix.npy", "matrix.csv"},
    "--curve": {"curve.json"},
}
OF_TEXT = {"certify", "plot", "from-table", "audit", "--loss"}
"""These read .csv files themselves, and say what is wrong in them."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kinds")
    graph = md.value_graph(["no", "yes"])
    design = md.design(graph, epsilon=1)
    for name in ("graph.json", "graph.graphml", "base.json"):
        md.write_graph(graph, path / name)
    md.write_mechanism(design.mechanism, path / "mechanism.json")
    (path / "certificate.json").write_text(json.dumps(design.certificate))
    (path / "refutation.json").write_text(json.dumps(evidence(design.mechanism, None, epsilon="0.5")[1]))
    (path / "formula.json").write_text(json.dumps(local(2, "max-off-diagonal")))
    (path / "answer.json").write_text(json.dumps({"value": 0.2, "bound": 0.2, "epsilon": 1}))
    write_rows([Measurement(Run("ring", 4, 2, "scipy"), Ending.DONE)], path / "rows.json")
    matrix = [[0.75, 0.25], [0.25, 0.75]]
    (path / "matrix.json").write_text(json.dumps(matrix))
    np.save(path / "matrix.npy", matrix)
    np.savez(path / "matrices.npz", matrix=matrix)
    for name in ("matrix.csv", "coin.csv"):
        (path / name).write_text("0.75,0.25\n0.25,0.75\n")
    survey = pd.DataFrame({"job": ["cook", "host", "cook"], "usage": ["low", "high", "low"], "age": [30, 40, 50]})
    survey.to_csv(path / "survey.csv", index=False)
    survey.to_csv(path / "survey.csv.gz", index=False)
    survey.to_parquet(path / "survey.parquet")
    survey.to_feather(path / "survey.feather")
    (path / "survey.xlsx").write_bytes(b"PK\x03\x04\x14\x00\x06\x00[Content_Types].xml")
    (path / "curve.svg").write_text("<?xml version='1.0'?><svg/>")
    (path / "curve.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    assert run("design", str(path / "base.json"), "--epsilon", "1,2", "--curve", str(path / "curve.json")).status == 0
    program = ["--epsilon", "1", "--mps", str(path / "program.mps")]
    assert run("design", str(path / "base.json"), *program).status == 0
    curve = ["--epsilon", "1", "--curve", str(path / "privacy.json")]
    assert run("certify", str(path / "coin.csv"), *curve).status == 1
    return path


def test_the_walk_knows_every_file(folder: Path) -> None:
    made = {"coin.csv", "base.json", "out.svg", "out.json"}
    assert {file.name for file in folder.iterdir()} - made == set(FILES)
    assert set(COMMANDS) == set(TAKES)


@pytest.mark.parametrize("name", FILES)
def test_kinds(folder: Path, name: str) -> None:
    kind = kind_of(folder / name)
    assert kind is not None
    assert kind.name == FILES[name]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_kind_given_to_every_command(folder: Path, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for name, kind_name in FILES.items():
        before = Path(name).read_bytes()
        status, out, err = run(*(part.replace("FILE", name) for part in COMMANDS[command].split()))
        if name in TAKES[command]:
            assert status in (0, 1), err
            continue
        assert (status, out, Path(name).read_bytes()) == (2, "", before)
        assert f"{name}: " in err
        if command == "--curve" and kind_name == "a picture":  # its endings are checked first
            assert "--plot FILE draws the picture" in err
        elif not (name.endswith(".csv") and command in OF_TEXT):
            assert f"found {kind_name}; " in err
            kind = kind_of(name)
            assert kind is not None
            assert kind.remedy.replace("FILE", name) in err


@pytest.mark.parametrize("content", ["[]", "[1]", "{}", '{"format": "another/1"}', '{"format": 3}', "{", "", "1"])
def test_what_is_of_no_known_kind_is_left_to_the_reader(tmp_path: Path, content: str) -> None:
    (tmp_path / "x.json").write_text(content)
    assert kind_of(tmp_path / "x.json") is None


def test_names_are_quoted_for_the_shell(tmp_path: Path) -> None:
    file = tmp_path / "my matrix.npy"
    array: Any = io.BytesIO()
    np.save(array, np.eye(2))
    file.write_bytes(array.getvalue())
    with pytest.raises(md.InputError, match=f"mechdesign certify '{file}' takes it"):
        md.read_graph(file)
