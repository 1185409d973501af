"""`mechdesign mend`: what it prints, the files it writes, and bad input."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from command import answer, refused, run

import mechdesign as md
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.mechanism.matrix import read_matrix
from mechdesign.mender import mended_file

ROWS = [["0.7", "0.2", "0.1"], ["0.1", "0.8", "0.1"], ["0.2", "0.2", "0.6"]]
FILES = {
    "plain.csv": "0.7,0.2,0.1\n0.1,0.8,0.1\n0.2,0.2,0.6\n",
    "both.csv": ",low,mid,high\na,0.7,0.2,0.1\nb,0.1,0.8,0.1\nc,0.2,0.2,0.6\n",
    "top.csv": "low,mid,high\n0.7,0.2,0.1\n0.1,0.8,0.1\n0.2,0.2,0.6\n",
    "side.csv": "a,0.7,0.2,0.1\nb,0.1,0.8,0.1\nc,0.2,0.2,0.6\n",
    "commas.csv": ";low;mid;high\na;0,7;0,2;0,1\nb;0,1;0,8;0,1\nc;0,2;0,2;0,6\n",
    "list.json": json.dumps([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.2, 0.2, 0.6]]),
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    np.save("matrix.npy", np.array(ROWS, dtype=float))
    md.write_mechanism(md.mechanism_from_matrix(ROWS, inputs="abc", outputs=["low", "mid", "high"]), "ours.json")


@pytest.mark.parametrize(
    ("source", "delta", "ending"),
    [*((source, "0", "csv") for source in [*FILES, "matrix.npy", "ours.json"]), ("both.csv", "0.01", "npy")],
)
def test_doubles_are_private_as_they_are_read(source: str, delta: str, ending: str) -> None:
    output, asked = f"out.{ending}", ("--epsilon", "1.5", "--delta", delta)
    found = answer("mend", source, *asked, "-o", output)
    assert run("certify", source, *asked)[0] == 1
    assert run("certify", output, *asked)[0] == 0
    assert found["doubles"]
    written = read_matrix(output)
    if ending == "csv" and source not in ("matrix.npy",):
        before = read_foreign(source)
        labelled = source == "ours.json" or read_matrix(source).inputs is not None
        assert written.inputs == (before.categories if labelled else None)
        if source == "ours.json" or read_matrix(source).outputs is not None:
            assert written.outputs == before.outputs
        else:
            assert written.outputs is None
    table = np.array(written.rows, dtype=float)
    assert abs(table - np.array(ROWS, dtype=float)).sum(axis=1).mean() / 2 == pytest.approx(found["value"], abs=1e-15)


def test_a_matrix_keeps_the_order_of_its_file() -> None:
    """Whoever reads it by position finds each row where it was, whatever the order of the graph's categories."""
    md.write_graph(md.value_graph(["c", "a", "b"]), "graph.json")
    Path("abc.csv").write_text(",a,b,c\na,0.7,0.2,0.1\nb,0.1,0.8,0.1\nc,0.2,0.2,0.6\n")
    answer("mend", "abc.csv", "--graph", "graph.json", "--epsilon", "1.5", "-o", "out.csv")
    answer("mend", "abc.csv", "--epsilon", "1.5", "-o", "all.csv")
    one, other = read_matrix("out.csv"), read_matrix("all.csv")
    assert one.inputs == other.inputs == one.outputs == ("a", "b", "c")
    near = np.array(one.rows, dtype=float) - np.array(other.rows, dtype=float)
    assert abs(near).max() < 1e-8
    assert run("certify", "out.csv", "--graph", "graph.json", "--epsilon", "1.5")[0] == 0


def test_a_matrix_without_labels_has_the_order_of_the_graph() -> None:
    """A .npy file would be read in that order, whatever the labels of the file that was mended."""
    graph = ("--graph", "graph.json", "--epsilon", "1.5")
    Path("abc.csv").write_text(",a,b,c\na,0.7,0.2,0.1\nb,0.1,0.8,0.1\nc,0.2,0.2,0.6\n")
    md.write_graph(md.value_graph("cab"), "graph.json")
    assert "out.npy: expected the matrix in the order of the graph's categories" in refused(
        "mend", "abc.csv", *graph, "-o", "out.npy"
    )
    assert not Path("out.npy").exists()
    md.write_graph(md.value_graph("abc"), "graph.json")
    answer("mend", "abc.csv", *graph, "-o", "out.npy")
    assert run("certify", "out.npy", *graph)[0] == 0


@pytest.mark.slow
def test_a_graph_and_workers() -> None:
    np.save("count.npy", np.random.default_rng(2).dirichlet(np.ones(5), 5))
    md.write_graph(md.counting_graph(4), "count.json")
    options = ("--graph", "count.json", "--epsilon", "1")
    found = answer("mend", "count.npy", *options, "-o", "out.json", "--workers", "2")
    assert (found["edges"], found["graph"]) == (4, "count.json")
    assert found["value_exact"] == answer("mend", "count.npy", *options)["value_exact"]
    assert found["value"] < answer("mend", "count.npy", "--epsilon", "1")["value"]  # all pairs ask for more
    assert run("certify", "out.json", *options)[0] == 0


def test_what_is_written_is_held_against_what_was_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is not read back as it was written takes nobody's place."""
    Path("out.csv").write_text("old")
    text = "0.7,0.2,0.1\n0.1,0.8,0.1\n0.2,0.2,0.6\n"
    monkeypatch.setattr(mended_file, "matrix_as_csv", lambda matrix: text)
    status, _, err = run("mend", "plain.csv", "--epsilon", "1.5", "-o", "out.csv", "--certificate", "p.json")
    assert status == 3
    assert "the numbers written are not read back as they were" in err
    assert Path("out.csv").read_text() == "old"
    assert not Path("p.json").exists()


class TestBadInput:
    def test_neither_file_without_the_other(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("mechdesign.certifier.evidence.LARGEST", 10)
        options = ("-o", "out.json", "--certificate", "proof.json")
        said = refused("mend", "plain.csv", "--epsilon", "1", *options)
        assert "proof.json: too large: a certificate for 3 edges" in said
        assert "nothing was written; without --certificate the mechanism is" in said
        assert not Path("out.json").exists()


class TestMendedFrom:
    """Without it, one mended matrix passes as the nearest to any other."""

    def test_profiles_known_within_bounds(self) -> None:
        """What one distribution releases says nothing of the others within its bounds."""
        md.write_mechanism(md.mechanism_from_matrix([["9/10", "1/10"], ["1/5", "4/5"]]), "given.json")
        run("mend", "given.json", "--epsilon", "1", "-o", "out.json", "--certificate", "proof.json")
        mended = md.read_mechanism("out.json")
        masses = {name: mended.released(name) for name in mended.profiles}
        graph = md.profile_graph(masses, edges=[], categories=mended.outputs)
        honest = md.Mechanism(graph, mended.outputs, np.array([[1, 0], [0, 1]]), np.array([[0, 1]] * 2))
        md.write_mechanism(honest, "yours.json")
        asked = ("check", "proof.json", "--all-pairs", "--epsilon", "1", "--mended-from", "given.json")
        assert run(*asked, "--mechanism", "yours.json")[0] == 0
        for name in graph:
            graph.nodes[name]["radius"] = Fraction(1, 5)
        md.write_mechanism(honest, "yours.json")
        status, out, _ = run(*asked, "--mechanism", "yours.json")
        assert (status, "Not what you wanted: you know profiles only within bounds" in out) == (1, True)
        status, _, error = run(*asked[:-1], "yours.json")
        assert (status, "mended-from takes profiles as known" in error) == (2, True)


class TestDialect:
    """A matrix as CSV is written as the one that was mended."""

    @pytest.mark.parametrize(
        ("delimiter", "encoding", "name", "digits"),
        [
            (";", "utf-8", "semicolon", ["--digits", "15"]),
            ("\t", "cp1252", "tab", []),
            ("|", "utf-16-le", "bar", []),
            (",", "latin-1", "", []),
        ],
    )
    def test_it_is_kept(self, delimiter: str, encoding: str, name: str, digits: list[str]) -> None:
        text = FILES["commas.csv"].replace("low", "müde")
        text = text.replace(";", delimiter) if delimiter != "," else text.replace(",", ".").replace(";", ",")
        Path("vendor.csv").write_text(text, encoding=encoding)
        layout = ("--encoding", encoding) if encoding != "utf-8" else ()
        out = run("mend", "vendor.csv", "--epsilon", "1.5", *layout, *digits, "-o", "out.csv")[1]
        written = Path("out.csv").read_text(encoding=encoding).removeprefix("\ufeff")
        assert written.splitlines()[0] == delimiter.join(["", "müde", "mid", "high"])
        assert ("0,6" in written) == (delimiter != ",")
        said = [f"encoding {encoding}"] * (encoding != "utf-8") + [f"delimiter {name}", "decimal commas"] * bool(name)
        assert (written != Path("out.csv").read_text(encoding=encoding)) == (encoding == "utf-16-le")  # the mark
        assert f"out.csv has what vendor.csv has: {', '.join(said)}." in " ".join(out.split())
        assert run("certify", "out.csv", "--epsilon", "1.5", *layout)[0] == 0


class TestDigits:
    """What a spreadsheet keeps is private, and so is what any program reads that reads decimals."""

    @pytest.mark.parametrize(
        ("source", "digits", "delta"),
        [
            ("commas.csv", "15", "0"),
            ("ours.json", "15", "0"),
            ("matrix.npy", "15", "0.01"),
            ("both.csv", "4", "0"),
        ],
    )
    def test_private_as_written(self, source: str, digits: str, delta: str) -> None:
        asked = ("--epsilon", "1.5", "--delta", delta)
        found = answer("mend", source, *asked, "--digits", digits, "-o", "out.csv", "--certificate", "proof.json")
        assert (found["digits"], found["doubles"]) == (int(digits), False)
        cells = [Fraction(cell) for row in read_matrix("out.csv").rows for cell in row]
        assert all((cell * 10 ** int(digits)).denominator == 1 for cell in cells)
        assert all(sum(cells[i : i + 3]) == 1 for i in (0, 3, 6))
        assert run("certify", "out.csv", *asked)[0] == 0
        assert run("check", "proof.json", "--all-pairs", *asked, "--mechanism", "out.csv")[0] == 0
        assert found["value"] == pytest.approx(answer("mend", source, *asked)["value"], abs=3 * 10 ** -int(digits))

    def test_a_row_of_few_places_stays(self) -> None:
        Path("last.csv").write_text("0.7,0.2,0.1\n0.1,0.8,0.1\n0.25,0.25,0.5\n")
        answer("mend", "last.csv", "--epsilon", "1.6", "--digits", "15", "-o", "out.csv")
        assert Path("out.csv").read_text().splitlines()[2] == "0.25,0.25,0.5"
