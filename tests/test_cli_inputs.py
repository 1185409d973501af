"""What is no regular file, or promises more than it holds, is refused by every command that is given it."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from command import run
from running import without_bytecode
from test_cli_file_types import COMMANDS, OUTPUTS, PARAMETERS, line_for

from mechdesign import design, read_graph, shipped_graphs
from mechdesign.cli.file_types import InputFile, Program

OTHERS = {
    "given": "categorical-chain",
    "graph": "categorical-chain",
    "objective": "worst-loss",
    "mechanism_file": "good.csv",
    "data": "good.csv",
    "released": "good.csv",
    "certificate": "good.json",
    "column": "0",
    "profile": "0",
    "value": "1",
    "query": "mean",
    "wanted": "sum",
    "answered": "mean",
    "output": "out.json",
    "target": "categorical-chain",
    "epsilon": "1",
}
"""What to give for what else a command needs, so that it comes to read the file in question."""
READING = [
    (words, str(parameter.name))
    for words, parameter in PARAMETERS
    if isinstance(parameter.type, InputFile) and not isinstance(parameter.type, Program)  # which reads for itself
]
IN_PARTS = [
    (("sanitise",), "data"),
    (("estimate",), "released"),
    (("graph", "from-table"), "data"),
    (("graph", "from-points"), "data"),
]
"""These may be folders of tables."""
ENDINGS = (".json", ".csv", ".npy", ".parquet")


@cache
def proof() -> str:
    return json.dumps(design(read_graph("categorical-chain"), epsilon=1).certificate)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stop after a while, so that a test that would wait for ever fails."""

    def late(*_: object) -> None:
        raise TimeoutError("it waits for ever")

    monkeypatch.chdir(tmp_path)
    Path("good.csv").write_text("0,1\n1,0\n0,1\n1,0\n")
    Path("good.json").write_text(proof())
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def line_reading(words: tuple[str, ...], name: str, path: str, *more: str) -> list[str]:
    """Return a command line that reads a file through that parameter, and else what there is."""
    needed = {str(parameter.name) for parameter in COMMANDS[words].params if parameter.required}
    others = OTHERS | {"output": OUTPUTS.get(words, "out.json")}
    needed |= {"objective"} if name == "loss" else {"released", "value"} if words == ("estimate",) else set()
    needed |= {"graph", "certificate"} if words == ("check",) else set()
    needed |= {"output"} if words == ("graph", "from-table") else set()
    needed |= {"epsilon"} if words == ("design",) else set()
    given = {key: value for key, value in others.items() if key in needed}
    line = line_for(words, given | {name: path})
    return [*line[: len(words)], *more, *line[len(words) :]]


def refused(line: list[str]) -> str:
    """Return what is said, with or without --json."""
    said = run(*line)
    assert said.status == 2, line
    return said.err or str(json.loads(said.out)["error"])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["a folder", "a pipe", "a device", "no file"])
@pytest.mark.parametrize(("words", "name"), READING, ids=str)
def test_what_is_no_regular_file(words: tuple[str, ...], name: str, kind: str) -> None:
    """It is named and not opened: a pipe would wait for ever, a device may give for ever."""
    for ending in ENDINGS:
        path = f"bad{ending}"
        if kind == "a folder":
            Path(path).mkdir()
        elif kind == "a pipe":
            os.mkfifo(path)
        elif kind == "a device":
            Path(path).symlink_to("/dev/zero")
        else:
            with socket.socket(socket.AF_UNIX) as server:
                server.bind(path)
        if name == "edges" and ending != ".csv":
            continue  # the name of a column
        message = refused(line_reading(words, name, path, "--json"))
        assert path in message
        if kind == "a folder" and (words, name) in IN_PARTS:
            assert "expected a folder with tables, found none in it" in message
        else:
            assert f"cannot be read: this is {kind}" in message


@pytest.mark.parametrize(("words", "name"), READING, ids=str)
def test_arrays_that_promise_more_than_there_is(words: tuple[str, ...], name: str) -> None:
    """They cost no memory, and are no text either."""
    for path in ("bad.npy", "bad.csv"):
        with Path(path).open("wb") as file:
            np.lib.format.write_array_header_1_0(
                file, {"descr": "<f8", "fortran_order": False, "shape": (10**9, 10**9)}
            )
        if name == "edges" and path == "bad.npy":
            continue
        message = refused(line_reading(words, name, path))
        assert path in message
        if name == "mechanism_file" and path == "bad.npy":
            assert "expected a numpy array of numbers in .npy format; is the file cut short" in message


@pytest.mark.parametrize(
    ("words", "name", "path"),
    [(("design",), "curve", "bad.json"), (("bench",), "output", "bad.json")],
)
@pytest.mark.parametrize("kind", ["a folder", "a pipe", "a device"])
def test_what_is_read_to_be_gone_on_with(words: tuple[str, ...], name: str, path: str, kind: str) -> None:
    if kind == "a folder":
        Path(path).mkdir()
    elif kind == "a pipe":
        os.mkfifo(path)
    else:
        Path(path).symlink_to("/dev/zero")
    assert f"{path}: cannot be written: this is no regular file" in refused(line_reading(words, name, path))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits a process's memory as Linux does")
@pytest.mark.parametrize("name", ["huge.json", "huge.npy"])
def test_files_larger_than_the_memory(name: str) -> None:
    """In a process of its own that may have so much; the file has no blocks."""
    with Path(name).open("wb") as file:
        if name == "huge.npy":
            np.lib.format.write_array_header_1_0(
                file, {"descr": "<f8", "fortran_order": False, "shape": (10**5, 10**5)}
            )
        file.truncate(9 * 10**10)
    script = (
        "import resource, sys\n"
        "from mechdesign.cli.main import main\n"
        "resource.setrlimit(resource.RLIMIT_AS, (6 * 2**30,) * 2)\n"
        "sys.exit(main())\n"
    )
    done = subprocess.run(
        without_bytecode(script, "certify", name, "--epsilon", "1"),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (done.returncode, done.stdout) == (2, "")
    mapped = "huge.npy: cannot be read: "  # Cannot allocate memory
    assert done.stderr.startswith(f"mechdesign: {mapped if name == 'huge.npy' else 'there is not enough memory; '}")


@pytest.mark.parametrize(
    ("words", "name", "path"),
    [
        (("design",), "given", "graph.json"),
        (("design",), "loss", "loss.csv"),
        (("certify",), "mechanism_file", "loss.csv"),
        (("graph", "show"), "given", "graph.json"),
        (("plot",), "target", "graph.json"),
        (("audit", "laplace"), "data", "good.csv"),
    ],
)
def test_the_same_lines_with_a_good_file(words: tuple[str, ...], name: str, path: str) -> None:
    """They end otherwise: so it is the file that is refused above."""
    shutil.copy(shipped_graphs()["categorical-chain"], "graph.json")
    Path("loss.csv").write_text("0,0,0,1\n0,0,1,0\n0,1,0,0\n1,0,0,0\n")
    assert run(*line_reading(words, name, path)).status in (0, 1)
