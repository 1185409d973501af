"""The command line, called in process; its bad inputs each end in exit 2 and one message that names the culprit."""

import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from command import refused, run
from rich.progress import Progress

from mechdesign import (
    design,
    read_graph,
)
from mechdesign.reports.curve_file import point_of

CHAIN = read_graph("categorical-chain")


class TestDesign:
    def test_bounds_are_rounded_outwards(self) -> None:
        for exact in (Fraction(1, 3), Fraction(2, 3), Fraction(1, 10), Fraction(3, 10)):  # doubles on either side
            made = design(CHAIN, epsilon=1)
            found = point_of(replace(made, value=exact, proof=replace(made.proof, bound=exact)))
            assert Fraction(found["bound"]) < exact < Fraction(found["value"])
            assert Fraction(found["baseline"]) > made.baseline
            assert math.nextafter(found["bound"], 1) == found["value"]
            assert found["value_exact"] == found["bound_exact"] == str(exact)

    def test_a_bar_shows_the_rounds_of_a_single_component(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """On a terminal; never how many are done of an unknown number."""
        monkeypatch.setenv("TTY_COMPATIBLE", "1")
        monkeypatch.setattr("rich.progress.Progress.update", drawn_at_once(Progress.update))
        said = run("design", "categorical-chain", "--epsilon", "0.5", "--json")
        assert json.loads(said.out)["components"] == 1
        text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", said.err)
        assert "/?" not in text
        assert "0/1" not in text
        assert "1/1" in text
        for words in (
            "component: build",
            r"component: solve, round 1: \d+ rows ",
            r"canonical, round 1: \d+ rows",
            "repair",
        ):
            assert re.search(words, text)


def drawn_at_once(update: Callable[..., None]) -> Callable[..., None]:
    """Return what updates a bar and draws it, whatever the clock says."""

    def both(bar: Progress, *arguments: Any, **options: Any) -> None:
        update(bar, *arguments, **options)
        bar.refresh()

    return both


def test_encoding_and_delimiter_of_tables(tmp_path: Path) -> None:
    data, pairs, graph = tmp_path / "data.csv", tmp_path / "pairs.csv", tmp_path / "g.json"
    data.write_bytes("Beruf;Größe;n\nKöchin;klein;2\nWirt;groß;3\n".encode("cp1252"))
    pairs.write_bytes("eins;zwei\nKöchin;Wirt\n".encode("cp1252"))
    arguments = ["graph", "from-table", str(data), "--profile", "Beruf", "--value", "Größe", "-o", str(graph)]
    assert f"{data}: line 1, byte 9 of the file (0xf6): not UTF-8; --encoding latin-1" in refused(*arguments)
    more = ["--encoding", "cp1252", "--edges", str(pairs), "--count", "n"]
    for delimiter in ([], ["--delimiter", ";"], ["--delimiter", "semicolon"]):
        assert run(*arguments, *more, *delimiter).status == 0
        assert set(read_graph(graph).edges) == {("Köchin", "Wirt")}
    assert "column 'Beruf': there is none" in refused(*arguments, *more[:2], "--delimiter", "tab")


class TestProcess:
    """Once as a process of its own."""

    def run(self, *arguments: str, output: int = -1, errors: int = -1) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        return subprocess.run(
            [sys.executable, "-W", "error", "-m", "mechdesign", *arguments],
            stdout=output,
            stderr=errors,
            text=True,
            check=False,
            env=environment,
        )

    @pytest.mark.slow
    def test_bad_input(self, tmp_path: Path) -> None:
        missing = tmp_path / "missing.json"
        done = self.run("design", str(missing), "--epsilon", "1", "--json")
        assert (done.returncode, done.stderr) == (2, "")
        assert json.loads(done.stdout)["error"].startswith(f"{missing}: no such file")

    @pytest.mark.slow
    @pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "json"])
    def test_nobody_reads_the_answer(self, more: list[str]) -> None:
        """Not 1, which says that something was refuted, nor 0."""
        reader, writer = os.pipe()
        os.close(reader)
        done = self.run("design", "categorical-chain", "--epsilon", "9", *more, output=writer)
        os.close(writer)
        assert (done.returncode, done.stderr) == (141, "")

    @pytest.mark.slow
    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
    @pytest.mark.parametrize("arguments", [["graph", "show", "none"], ["dezign", "--json"]], ids=" ".join)
    def test_no_space_for_the_fault(self, arguments: list[str]) -> None:
        """Not 1, as after a traceback, which says that something was refuted."""
        with Path("/dev/full").open("w") as full:
            done = self.run(*arguments, output=full.fileno(), errors=full.fileno())
        assert done.returncode == 2

    @pytest.mark.slow
    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
    @pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "json"])
    def test_no_space_for_the_answer(self, more: list[str]) -> None:
        with Path("/dev/full").open("w") as full:
            done = self.run("design", "categorical-chain", "--epsilon", "9", *more, output=full.fileno())
        assert done.returncode == 2
        assert done.stderr == "mechdesign: stopped by the system: [Errno 28] No space left on device\n"
