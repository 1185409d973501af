"""`mechdesign sanitise`: files in and out, what stands beside them, and that nothing is ever half written."""

import errno
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from command import done, refused, run
from pyarrow import csv, feather, parquet
from rich.console import Console
from running import without_bytecode

import mechdesign as md
from mechdesign.cli.output import row_bar
from mechdesign.files.source import BATCH
from mechdesign.release import in_files as module
from mechdesign.release.journal import Journal
from mechdesign.release.manifest import claimed

CHAIN = md.read_graph("categorical-chain")


SWAP = md.mechanism_from_matrix([[0, 1, 0], [1, 0, 0], [0, 0, 1]], inputs=["no", "yes", "very often"])
ROWS: dict[str, list[Any]] = {
    "answer": ["no", "yes", "very often", "yes"],
    "year": [2001, 2002, 2003, 2004],
    "name": ["Ann", "Bob", "Zoë; née B", 'C "D"'],
}
SWAPPED = ["yes", "no", "very often", "no"]

read_csv: Callable[[str], pa.Table] = csv.read_csv
READ: dict[str, Callable[[str], pa.Table]] = {
    "out.parquet": parquet.read_table,
    "out.feather": feather.read_table,
    "out.arrow": feather.read_table,
    "out.csv": read_csv,
    "out.tsv": lambda path: csv.read_csv(path, parse_options=csv.ParseOptions(delimiter="\t")),
}


@pytest.fixture
def swap(tmp_path: Path) -> str:
    md.write_mechanism(SWAP, tmp_path / "swap.json")
    return str(tmp_path / "swap.json")


@pytest.fixture
def data(tmp_path: Path) -> str:
    folder = tmp_path / "private"
    folder.mkdir()
    parquet.write_table(pa.table(ROWS), folder / "survey.parquet")
    return str(folder / "survey.parquet")


def manifest_of(output: Path) -> dict[str, Any]:
    return dict(json.loads(Path(f"{output}.manifest.json").read_text()))


class TestFiles:
    @pytest.mark.parametrize("name", READ)
    def test_every_kind_of_output(self, tmp_path: Path, swap: str, data: str, name: str) -> None:
        out = tmp_path / name
        arguments = ("sanitise", swap, data, "--value", "answer", "--keep", "year,name", "-o", str(out))
        done(*arguments)
        expected = {"year": ROWS["year"], "name": ROWS["name"], "answer": SWAPPED}
        assert READ[name](str(out)).to_pydict() == expected

    def test_csv_comes_out_with_its_own_delimiter(self, tmp_path: Path, swap: str) -> None:
        (tmp_path / "survey.csv").write_text("answer;who\nno;a,b\n")
        arguments = ("sanitise", swap, str(tmp_path / "survey.csv"), "--value", "answer", "--keep", "who")
        assert run(*arguments, "-o", str(tmp_path / "out.csv"))[0] == 0
        assert (tmp_path / "out.csv").read_text() == '"who";"answer"\n"a,b";"yes"\n'
        assert run(*arguments, "-o", str(tmp_path / "out.tsv"))[0] == 0
        assert (tmp_path / "out.tsv").read_text() == '"who"\t"answer"\n"a,b"\t"yes"\n'

    def test_many_rows_in_row_groups(self, tmp_path: Path, swap: str) -> None:
        rows = 2**20 + BATCH + 1
        answers = pa.DictionaryArray.from_arrays(
            pa.array(np.arange(rows) % 3, pa.int8()), pa.array(["no", "yes", "very often"])
        )
        parquet.write_table(pa.table({"answer": answers}), tmp_path / "survey.parquet")
        out = tmp_path / "out.parquet"
        arguments = ("sanitise", swap, str(tmp_path / "survey.parquet"), "--value", "answer", "-o", str(out))
        assert "million a second" in run(*arguments)[1]
        file = parquet.ParquetFile(out)
        assert (file.metadata.num_rows, file.num_row_groups) == (rows, 2)
        counts = {pair["values"]: pair["counts"] for pair in file.read()["answer"].value_counts().to_pylist()}
        assert counts == {"yes": -(-rows // 3), "no": rows // 3, "very often": rows // 3}


class TestManifest:
    def test_what_it_says(self, tmp_path: Path, designed: dict[str, Path]) -> None:
        profile, category = str(next(iter(CHAIN))), str(CHAIN.graph["categories"][0])
        (tmp_path / "d.csv").write_text(f"who,what\n{profile},{category}\nnobody,\n")
        out = tmp_path / "out.csv"
        done(
            *("sanitise", str(designed["mechanism"]), str(tmp_path / "d.csv"), "--value", "what"),
            *("--profile", "who", "--unknown", "drop", "-o", str(out), "--proof", str(designed["certificate"])),
        )
        manifest = manifest_of(out)
        digests = {name: sha256(path.read_bytes()).hexdigest() for name, path in designed.items()}
        assert {name: manifest[name]["sha256"] for name in digests} == digests
        assert (manifest["proved"], manifest["epsilon"], manifest["delta"]) == (True, "0.5", "0")
        assert (manifest["rows"], manifest["left_out"]) == (1, 1)
        assert (manifest["pairs"], manifest["pairs_asked"]) == (3, 2)
        assert manifest["columns"] == {"sanitised": "what", "kept_as_they_are": []}
        assert manifest["outputs"] == list(CHAIN.graph["categories"])
        assert manifest["random"].startswith("AES-256-CTR, a new key")
        assert manifest["versions"].keys() == {"python", "mechdesign", "cryptography", "numpy", "pyarrow"}
        private = sha256((tmp_path / "d.csv").read_bytes()).hexdigest()
        assert private not in json.dumps(manifest)
        assert "d.csv" not in json.dumps(manifest)

    @pytest.mark.parametrize(
        ("own", "options", "limits", "said"),
        [
            ({"epsilon": 3}, {}, ("3", "0"), "its epsilon is 3, for"),
            ({"epsilon": "0.1", "delta": "0.02"}, {}, ("0.1", "0.02"), "its epsilon is 0.1 and its delta 0.02, for"),
            ({"epsilon": 3}, {"scale_own": True}, ("0.9", "0"), "its epsilon is 0.9, for"),
            ({"distance": 2}, {}, ("0.6", "0"), "its epsilon is 0.6, for"),
            ({}, {"delta": "0.01"}, ("3/10", "1/100"), "its epsilon is 3/10 and its delta 1/100, for"),
        ],
    )
    def test_what_the_mechanism_says_are_the_largest_limits_of_any_edge(
        self, tmp_path: Path, own: dict[str, Any], options: dict[str, Any], limits: tuple[str, str], said: str
    ) -> None:
        """As with a proof: what was asked for does not hold for edges that have limits of their own."""
        shares = {"young": ["1/2", "1/2"], "old": ["1/3", "2/3"], "mid": ["1/5", "4/5"]}
        edges = [("young", "old", own), ("old", "mid", own)]
        design = md.design(
            md.profile_graph(shares, edges=edges, categories=["no", "yes"]), epsilon="0.3", shared=True, **options
        )
        files = {name: str(tmp_path / name) for name in ("m.json", "proof.json", "page.html", "d.csv", "out.csv")}
        md.write_mechanism(design.mechanism, files["m.json"])
        md.write_certificate(design.certificate, files["proof.json"])
        Path(files["d.csv"]).write_text("answer\nno\n")
        arguments = ("sanitise", files["m.json"], files["d.csv"], "--value", "answer", "-o", files["out.csv"])
        assert f"The mechanism says that {said} 2 of 3 pairs" in done(*arguments)
        told = [manifest_of(Path(files["out.csv"]))]
        done(*arguments, "--proof", files["proof.json"])
        told.append(manifest_of(Path(files["out.csv"])))
        assert (told[0]["epsilon"], told[0]["delta"]) == limits
        assert [Fraction(one[name]) for one in told for name in ("epsilon", "delta")] == [*map(Fraction, limits)] * 2
        done("report", files["m.json"], "-o", files["page.html"])
        rows = [
            f'<th scope="row">{name}</th><td>{limit}</td>'
            for name, limit in zip(("epsilon", "delta"), limits, strict=True)
        ]
        page = Path(files["page.html"]).read_text()
        assert all(row in page for row in rows)

    @pytest.mark.parametrize("note", [1, "0.50", "1/2"])
    def test_a_note_is_repeated_as_it_is_written(self, note: Any) -> None:
        made = md.design("categorical-chain", epsilon=Fraction(note)).mechanism
        made.notes["epsilon"] = note
        assert claimed(made)["epsilon"] == note

    def test_of_a_design_without_edges_no_epsilon_is_said(self, tmp_path: Path) -> None:
        """A mechanism's file without edges is for every pair, and this one protects none."""
        graph = md.profile_graph({"a": [1, 0], "b": [0, 1]}, edges=[], categories=["no", "yes"])
        files = [str(tmp_path / name) for name in ("m.json", "d.csv", "out.csv")]
        md.write_mechanism(md.design(graph, epsilon=1).mechanism, files[0])
        Path(files[1]).write_text("who,answer\na,no\n")
        said = done("sanitise", *files[:2], "--value", "answer", "--profile", "who", "-o", files[2])
        assert "epsilon" not in said
        assert manifest_of(Path(files[2]))["epsilon"] is None

    @pytest.mark.parametrize(
        ("values", "together"),
        [
            (True, "The limit of all releases together, each by this method, is 95.26 %."),  # e^3 / (1 + e^3)
            (
                False,
                "For an answer that is released again, as in a panel, or for answers that belong together, nothing",
            ),
        ],
    )
    def test_it_has_the_earlier_releases_and_the_page_what_they_allow(
        self, tmp_path: Path, values: bool, together: str
    ) -> None:
        graph = md.value_graph(["no", "yes"])
        if not values:
            graph = md.profile_graph({"a": [1, 0], "b": ["1/2", "1/2"]}, edges="all", categories=["no", "yes"])
        files = {name: str(tmp_path / name) for name in ("m.json", "proof.json", "page.html", "d.csv")}
        design = md.design(graph, epsilon=1, shared=True)
        md.write_mechanism(design.mechanism, files["m.json"])
        Path(files["proof.json"]).write_text(json.dumps(design.certificate))
        Path(files["d.csv"]).write_text("answer\nno\n")
        digest, said = sha256(Path(files["m.json"]).read_bytes()).hexdigest(), []
        for wave in range(3):
            out = str(tmp_path / f"{wave}.csv")
            words = ("--value", "answer", "-o", out, "--proof", files["proof.json"])
            done("sanitise", files["m.json"], files["d.csv"], *words)
            said.append(manifest_of(Path(out))["earlier_releases"])
        assert [len(earlier) for earlier in said] == [0, 1, 2]
        assert {(one["mechanism_sha256"], one["single_values"]) for one in said[2]} == {(digest, values)}
        assert said[2][0] == said[1][0]
        assert str(tmp_path) not in json.dumps(said)
        beside = [files["proof.json"], f"{tmp_path}/2.csv.manifest.json"]
        page = " ".join(done("report", files["m.json"], *beside, "-o", files["page.html"]).split())
        assert "This column of these data has been released 2 times before. " + together in page

    def test_it_names_the_mechanism_that_was_applied(
        self, tmp_path: Path, data: str, swap: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Not one that stands in its place by the end, which may be hours later."""
        applied, release = sha256(Path(swap).read_bytes()).hexdigest(), module._release

        def slowly(*arguments: Any) -> None:
            md.write_mechanism(md.mechanism_from_matrix([["1/2", "1/2"]] * 2), swap)
            release(*arguments)

        monkeypatch.setattr(module, "_release", slowly)
        out = tmp_path / "out.csv"
        assert run("sanitise", swap, data, "--value", "answer", "-o", str(out))[0] == 0
        assert manifest_of(out)["mechanism"] == {"file": "swap.json", "sha256": applied}


class TestAgain:
    def test_another_column_and_another_file_are_not(self, tmp_path: Path, swap: str) -> None:
        out = str(tmp_path / "out.parquet")
        for name, column, cells in (("a.csv", "x", "no,yes"), ("a.csv", "y", "no,yes"), ("b.csv", "x", "no,no")):
            (tmp_path / name).write_text(f"x,y\n{cells}\n")
            text = run("sanitise", swap, str(tmp_path / name), "--value", column, "-o", out)[1]
            assert "sanitised before" not in text

    def test_a_folder_and_a_file_in_it(self, tmp_path: Path, swap: str, data: str) -> None:
        folder, out = str(Path(data).parent), str(tmp_path / "out.parquet")
        arguments = ("--value", "answer", "-o", out, "--json")
        expected = (0, 1, 2, 3)
        for number, place in zip(expected, (data, folder, data, folder), strict=True):
            found = json.loads(run("sanitise", swap, place, *arguments)[1])
            assert found["rows"] == 4
            assert len(found["warnings"]) == (number > 0)
            assert number < 2 or f"sanitised before, {number} times" in found["warnings"][0]

    def test_where_it_cannot_be_noted(
        self, tmp_path: Path, swap: str, data: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(os, "access", lambda path, mode: False)
        text = run("sanitise", swap, data, "--value", "answer", "-o", str(tmp_path / "out.csv"))[1]
        assert f"the folder of {data} cannot be written, so that a second time will not be noticed." in text
        assert (tmp_path / "out.csv").exists()
        assert not list(Path(data).parent.glob(".*"))

    @pytest.mark.parametrize("is_folder", [False, True])
    def test_a_copy_elsewhere(self, tmp_path: Path, swap: str, data: str, is_folder: bool) -> None:
        run("sanitise", swap, data, "--value", "answer", "-o", str(tmp_path / "1.csv"))
        copy = tmp_path / "elsewhere" / "copy.parquet"
        copy.parent.mkdir()
        copy.write_bytes(Path(data).read_bytes())
        asked = ("--value", "answer", "-o", str(tmp_path / "2.csv"), "--json")
        found = json.loads(run("sanitise", swap, str(copy.parent if is_folder else copy), *asked)[1])
        (warning,) = found["warnings"]
        assert f"has been sanitised before, as {data}, once: with this mechanism on" in warning
        note = Path(os.environ["XDG_STATE_HOME"]) / "mechdesign" / "sanitised.json"
        assert stat.S_IMODE(note.parent.stat().st_mode) == 0o700
        assert json.loads(note.read_text())["releases"][0]["data_sha256"] == [sha256(copy.read_bytes()).hexdigest()]
        assert "data_sha256" not in Path(data).with_name(".survey.parquet.sanitised.json").read_text()

    def test_at_the_root_of_all_folders(self) -> None:
        """Where there is no folder around that could have a note."""
        for place in ("/no-such-data.csv", "/"):
            assert Journal(place).releases("answer") == []

    def test_two_at_once(self, tmp_path: Path) -> None:
        """Each is noted, and at least one of two knows of the other."""
        (tmp_path / "data.csv").write_text("answer\nno\n")
        journal = Journal(tmp_path / "data.csv")
        with ThreadPoolExecutor(8) as pool:
            told = list(pool.map(lambda n: journal.noted("answer", "0" * 64, f"{n}.csv"), range(24)))
        assert len(journal.releases("answer")) == 24
        assert sum(not one for one in told) <= 1

    def test_a_note_that_is_none(self, tmp_path: Path, swap: str, data: str) -> None:
        note = Path(data).with_name(".survey.parquet.sanitised.json")
        note.write_text("{}")
        status, _, err = run("sanitise", swap, data, "--value", "answer", "-o", str(tmp_path / "out.csv"))
        assert status == 2
        assert err == (
            f'mechdesign: {note}: expected a note of what was sanitised, with "format": "mechdesign-sanitised/1"\n'
        )


class TestFaults:
    def test_decimal_commas(self, tmp_path: Path) -> None:
        file, points = tmp_path / "d.csv", tmp_path / "points.json"
        md.write_mechanism(md.mechanism_from_matrix([[1, 0], [0, 1]], inputs=["0.5", "1.5"]), points)
        file.write_text("x;y\n0,5;1\n")
        arguments = ("sanitise", str(points), str(file), "--value", "x", "-o", str(tmp_path / "out.csv"))
        assert "text in row 1; expected 0.5, 1.5; that in row 1 has a decimal comma: write a point" in refused(
            *arguments
        )

    @pytest.mark.parametrize(
        ("output", "fault"),
        [
            ("raw.csv", "output would overwrite what data reads"),
            ("other.csv", "output would overwrite what data reads"),  # a hard link
            ("link.csv", "output would overwrite what data reads"),
            ("folder/new.csv", "expected a file outside the folder"),
            ("elsewhere.csv", "output would overwrite what data reads"),  # the folder has a link to it
            ("made.csv", "output would overwrite what mechanism reads"),  # by its manifest
            ("proof.csv", "output would overwrite what certificate reads"),
        ],
    )
    def test_what_is_read_is_not_overwritten_from_python(
        self, tmp_path: Path, output: str, fault: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        mechanism, certificate = "made.csv.manifest.json", "proof.csv.manifest.json"
        md.write_mechanism(SWAP, mechanism)
        Path(certificate).write_text("{}")
        Path("folder").mkdir()
        for name in ("raw.csv", "elsewhere.csv"):
            Path(name).write_text("answer\nno\n")
        Path("other.csv").hardlink_to("raw.csv")
        Path("link.csv").symlink_to("raw.csv")
        Path("folder/part.csv").symlink_to(tmp_path / "elsewhere.csv")
        data = "folder" if output in ("folder/new.csv", "elsewhere.csv") else "raw.csv"
        before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
        proof = certificate if output == "proof.csv" else None
        with pytest.raises(md.InputError, match=rf"^{output}(\.manifest\.json)?: {fault}"):
            md.sanitise_file(mechanism, data, output, value="answer", certificate=proof)
        assert {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before

    def test_what_csv_cannot_hold(self, tmp_path: Path, swap: str) -> None:
        parquet.write_table(pa.table({"answer": ["no"], "tags": [["a", "b"]]}), tmp_path / "d.parquet")
        arguments = ("sanitise", swap, str(tmp_path / "d.parquet"), "--value", "answer", "--keep", "tags", "-o")
        assert "cannot be written as .csv: " in refused(*arguments, str(tmp_path / "out.csv"))
        assert run(*arguments, str(tmp_path / "out.parquet"))[0] == 0


WITH_LIMIT = """
import resource, sys
from mechdesign.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (4096,) * 2)
sys.exit(main(sys.argv[1:]))
"""

WAITING = """
import sys, time
from mechdesign.cli.main import main
from mechdesign.release import in_files
write = in_files.write_batches
def and_wait(batches, *arguments, **options):
    def first_then_wait():
        for batch in batches:
            yield batch
            print("writing", flush=True)
            time.sleep(100)
    write(first_then_wait(), *arguments, **options)
in_files.write_batches = and_wait
main(sys.argv[1:])
"""


class TestWholeOrNotAtAll:
    def test_a_full_disk(self, tmp_path: Path, swap: str, data: str, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(batches: Any, schema: Any, path: Path, **options: Any) -> None:
            del schema, options
            next(iter(batches))
            path.write_bytes(b"half")
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(module, "write_batches", full)
        out = tmp_path / "out.parquet"
        out.write_text("old")
        status, _, err = run("sanitise", swap, data, "--value", "answer", "-o", str(out))
        assert (status, err) == (2, f"mechdesign: {out}: cannot be written: No space left on device\n")
        assert out.read_text() == "old"
        assert sorted(path.name for path in tmp_path.iterdir()) == ["out.parquet", "private", "swap.json"]
        assert sorted(path.name for path in Path(data).parent.iterdir()) == ["survey.parquet"]

    @pytest.mark.slow
    @pytest.mark.skipif(sys.platform == "win32", reason="has no such limits")
    @pytest.mark.parametrize("name", ["out.parquet", "out.csv"])
    def test_a_file_that_cannot_grow(self, tmp_path: Path, swap: str, name: str) -> None:
        """The system's own error, while Arrow writes."""
        table = pa.table({"answer": ["no", "yes"] * 50_000, "id": range(100_000)})
        parquet.write_table(table, tmp_path / "d.parquet")
        out = tmp_path / name
        out.write_text("old")
        arguments = ["sanitise", swap, str(tmp_path / "d.parquet"), "--value", "answer", "--keep", "id", "-o", str(out)]
        done = subprocess.run(without_bytecode(WITH_LIMIT, *arguments), capture_output=True, text=True)
        assert done.returncode == 2, done.stderr
        assert done.stderr.startswith(f"mechdesign: {out}: cannot be written: ")
        assert "File too large" in done.stderr
        assert "Traceback" not in done.stderr
        assert out.read_text() == "old"
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["d.parquet", name, "swap.json"])

    @pytest.mark.slow
    @pytest.mark.skipif(sys.platform == "win32", reason="has no such signal")
    @pytest.mark.parametrize("had", [None, "old"])
    def test_killed_in_the_middle(self, tmp_path: Path, swap: str, data: str, had: str | None) -> None:
        out = tmp_path / "out.parquet"
        if had is not None:
            out.write_text(had)
        arguments = ["sanitise", swap, data, "--value", "answer", "-o", str(out)]
        process = subprocess.Popen(without_bytecode(WAITING, *arguments), stdout=subprocess.PIPE)
        assert process.stdout is not None
        with process.stdout as told:
            assert told.readline() == b"writing\n"
            process.send_signal(signal.SIGKILL)
            assert process.wait() == -signal.SIGKILL
        assert (out.read_text() if out.exists() else None) == had
        assert not Path(f"{out}.manifest.json").exists()
        assert sorted(path.name for path in Path(data).parent.iterdir()) == ["survey.parquet"]


def test_the_bar_tells_rows_rate_and_time_left_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    out, plain = StringIO(), StringIO()
    terminal, file = Console(file=out, force_terminal=True, width=110), Console(file=plain, width=110)
    monkeypatch.setattr("mechdesign.cli.output.Console", lambda stderr: terminal)
    with row_bar("survey.csv") as tell:
        tell(1_234_567, 0.5)
        tell(1_999_999, 0.75)
    text = out.getvalue()
    for part in ("survey.csv", "75%", "1,999,999 rows, ", "million a second", "0:0"):
        assert part in text
    monkeypatch.setattr("mechdesign.cli.output.Console", lambda stderr: file)
    with row_bar("survey.csv") as tell:
        tell(1, 0.5)
    assert plain.getvalue() == ""
