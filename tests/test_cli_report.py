"""`mechdesign report`: every number agrees with the files', what is not known is said, and what cannot be reported."""

import json
import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import refused, run
from pages import Page, read, report

import mechdesign as md
from mechdesign.designer.result import Design
from mechdesign.exact.exponentials import exp_above, exp_below

SIX = Fraction(1, 2 * 10**6)


@pytest.fixture(scope="module")
def chain() -> Design:
    return md.design("categorical-chain", epsilon="0.5")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, chain: Design) -> Path:
    """The files of a design, its curve, a privacy curve and a refutation."""
    home = tmp_path_factory.mktemp("files")
    md.write_mechanism(chain.mechanism, home / "mechanism.json")
    (home / "proof.json").write_text(json.dumps(chain.certificate))
    places = {name: str(home / name) for name in ("curve.json", "privacy.json", "refuted.json", "mechanism.json")}
    assert (
        run("design", "categorical-chain", "--epsilon", "0.3,0.5,1,1.2,2", "--curve", places["curve.json"]).status == 0
    )
    asked = ["--graph", "categorical-chain", "--epsilon", "0.4", "--curve", places["privacy.json"]]
    assert run("certify", places["mechanism.json"], *asked, "--certificate", places["refuted.json"]).status == 1
    return home


def above(text: str, value: Fraction, digits: int = 9) -> bool:
    return value <= Fraction(text) < value + Fraction(1, 10**digits)


@pytest.fixture(scope="module")
def page(folder: Path) -> Page:
    return report(folder, "mechanism.json", "proof.json", pictures=True)


class TestMechanismAndCertificate:
    def test_value_bound_and_gap(self, page: Page, chain: Design) -> None:
        """The value is rounded up, the bound down, the gap up; and what is short stands there exactly."""
        value, bound, gap = page.column("Value, bound and difference", "number")
        assert above(value, chain.value)
        assert Fraction(bound) <= chain.bound < Fraction(bound) + Fraction(1, 10**9)
        assert chain.value - chain.bound <= Fraction(gap) <= (chain.value - chain.bound) * Fraction(100001, 100000)
        assert page.column("Value, bound and difference", "exactly")[0] == str(chain.value)
        least, most = page.words.split("can do with less than ")[1], page.words.split("with a probability above ")[1]
        assert above(most.split(" %")[0], 100 * chain.value, 2)
        assert 0 <= 100 * chain.bound - Fraction(least.split(" %")[0]) < Fraction(1, 100)

    def test_what_epsilon_means(self, page: Page) -> None:
        ratio = page.words.split("any release is at most ")[1].split(" times")[0]
        assert exp_below(Fraction(1, 2)) <= Fraction(ratio) <= exp_above(Fraction(1, 2)) * Fraction(100001, 100000)
        share = page.words.split("can be at most ")[1].split(" %")[0]
        sure = exp_above(Fraction(1, 2)) / (1 + exp_above(Fraction(1, 2)))
        assert sure <= Fraction(share) / 100 <= sure + Fraction(1, 10**4)

    def test_links(self, page: Page, chain: Design) -> None:
        """With what they need, both ways, and what they cost, from the proof's weights."""
        rows = {(row[0], row[1]): row for row in page.tables["2 protected pairs"][1:]}
        tight = md.tight_epsilons(chain.mechanism, chain.graph)
        for price in chain.prices():
            a, b = price.edge
            row = rows[str(a), str(b)]
            assert row[2:4] == ["0.5", "0"]
            for cell, pair in ((row[5], (a, b)), (row[6], (b, a))):
                assert tight[pair][1] <= Fraction(cell) < Fraction(tight[pair][1]) * Fraction(100001, 100000)
            used = max(tight[a, b][1], tight[b, a][1]) / Fraction(1, 2)
            assert above(row[7], 100 * Fraction(used), 2)
            assert Fraction(row[8]) <= price.epsilon < Fraction(row[8]) + Fraction(1, 10**9)

    def test_what_is_released(self, page: Page, chain: Design) -> None:
        for profile in chain.graph:
            released = page.column(f"{profile}: the numbers", "after")
            before = page.column(f"{profile}: the numbers", "before")
            for cell, mass in zip(released, chain.mechanism.released(profile), strict=True):
                assert abs(Fraction(cell) - mass) <= SIX
            assert list(map(Fraction, before)) == list(chain.graph.nodes[profile]["distribution"])

    def test_values_that_stay_are_counted(self, page: Page, chain: Design) -> None:
        """What a wrong report costs 1, they are the rest of the expected loss."""
        lost = md.ExpectedLoss("hamming").costs(chain.mechanism)
        shares = page.column("Each group's part in it", "stay as they are, %")
        for share, loss in zip(shares, lost, strict=True):
            assert 0 <= 100 * (1 - loss) - Fraction(share) < Fraction(1, 10)
        least, most = (pick(shares, key=float) for pick in (min, max))
        assert f"Of 100 answers {least} (in P3, the fewest) to {most} stay as they are" in page.words

    def test_the_privacy_curve(self, page: Page, chain: Design) -> None:
        rows = page.tables["The privacy curve: the numbers"][1:]
        graph = chain.graph
        exact = md.privacy_curve(chain.mechanism, graph, [row[0] for row in rows])
        for row, (_, low, high) in zip(rows, exact, strict=True):
            assert Fraction(row[1]) <= low
            assert high <= Fraction(row[2]) <= Fraction(high) * Fraction(100001, 100000)


def test_a_refutation(folder: Path, chain: Design) -> None:
    """What it says of the two probabilities is rounded so that it stays true."""
    page = report(folder, "refuted.json")
    told = {row[0]: row[1] for row in page.tables["The set that refutes it"][1:]}
    here, there = (chain.mechanism.released(profile)[2] for profile in ("P2", "P3"))
    assert Fraction(told["probability of the set under the first"]) <= here
    assert Fraction(told["probability of the set under the second"]) >= there
    assert Fraction(told["exceeded by at least"]) <= here - exp_above(Fraction(2, 5)) * there


def test_a_curve_that_does_not_say_of_which_mechanisms_its_bounds_are(folder: Path, tmp_path: Path) -> None:
    document = json.loads((folder / "curve.json").read_text())
    del document["points"][0]["bound_of"]
    (tmp_path / "curve.json").write_text(json.dumps(document))
    assert "Of which mechanisms the bounds are, the file does not say" in report(tmp_path, "curve.json").words


def test_a_matrix_with_its_certificate(tmp_path: Path) -> None:
    (tmp_path / "matrix.csv").write_text("0.75,0.25\n0.5,0.5\n")
    asked = ["certify", str(tmp_path / "matrix.csv"), "--epsilon", "1", "--certificate", str(tmp_path / "proof.json")]
    assert run(*asked).status == 0
    page = report(tmp_path, "matrix.csv", "proof.json")
    assert page.tables["The matrix"][1] == ["0", "0.75", "0.25"]
    assert "it proves privacy alone" in page.words
    assert len(page.tables["SHA-256 digests"]) == 4  # the matrix, as mechdesign writes it, the certificate


class TestCommandsOfAMatrix:
    """The reader's commands run as they stand, with what the matrix needs to be read."""

    @pytest.fixture
    def vendor(self, tmp_path: Path) -> tuple[Path, list[str]]:
        (tmp_path / "vendor.csv").write_bytes("true;weiß;nein\nweiß;0,666;0,333\nnein;0,333;0,666\n".encode("cp1252"))
        read = ["--normalise", "--encoding", "cp1252", "--delimiter", ";"]
        line = ["certify", str(tmp_path / "vendor.csv"), "--epsilon", "0.5", "--delta", "0.1", *read]
        proof, curve = ["--certificate", str(tmp_path / "proof.json")], ["--curve", str(tmp_path / "curve.json")]
        assert run(*line, *proof, *curve).status == 1
        return tmp_path, read

    def test_they_run(self, vendor: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
        folder, read = vendor
        page = report(folder, "vendor.csv", "proof.json", "curve.json", options=read)
        assert "YOUR-GRAPH" not in page.words
        assert "Whether the privacy curve is of this method" not in page.words
        assert "The numbers have 3 decimals. Every matrix that rounds to them is refuted, by at least" in page.words
        monkeypatch.chdir(folder)
        lines = [line for line in page.words.splitlines() if line.startswith("mechdesign")]
        commands = [line for line in lines if "--print-checker" not in line]
        assert len(commands) == 3
        assert "--epsilon 0.5 --delta 0.1 --curve again.json" in commands[2]
        assert [run(*shlex.split(line)[1:]).status for line in commands] == [1, 1, 1]  # refuted, and read
        assert (
            json.loads(Path("again.json").read_text())["points"] == json.loads(Path("curve.json").read_text())["points"]
        )

    @pytest.mark.parametrize("key", ["points", "tight"])
    def test_a_curve_that_is_not_the_mechanisms(self, vendor: tuple[Path, list[str]], key: str) -> None:
        folder, read = vendor
        curve = json.loads((folder / "curve.json").read_text())
        if key == "tight":
            curve["tight"] = [0.25, 0.26]
        else:
            curve["points"][3] |= {"delta_lower": 0.01, "delta_upper": 0.011}
        (folder / "curve.json").write_text(json.dumps(curve))
        names = [str(folder / name) for name in ("vendor.csv", "curve.json")]
        said = refused("report", *names, *read, "-o", str(folder / "page.html"))
        assert "curve.json: not the privacy curve of" in said
        assert not (folder / "page.html").exists()


class TestBadInput:
    @pytest.mark.parametrize(
        ("names", "words"),
        [
            (["nothing.csv", "graph.json"], "nothing.csv"),
            (["proof.json", "graph.json"], "not the graph of"),
            (["mechanism.json", "alien.json"], "it is about another mechanism than"),
            (["proof.json", "homeless.json"], "it names none of the other files; give the mechanism that it names too"),
            (["forged.json"], "rejected, so there is nothing to report: the value given is not the objective"),
            (["points.json"], "expected at least one point, found none; mechdesign design --curve adds them"),
            (["long.json"], "baseline_name: expected text of at most 200 letters, found 100000"),
            (["question.json"], "expected a question, an object"),
            (["deltas.json"], "points[0]: cannot be used: expected delta_lower <= delta_upper"),
            (["share.json"], "points[0]: cannot be used: expected a number from 0 to 1, found 2"),
            (["tight.json"], "tight: expected a lower and an upper end"),
            (["over.json"], "expected over, epsilon or scale"),
        ],
    )
    def test_what_is_wrong_is_said_and_nothing_written(self, folder: Path, names: list[str], words: str) -> None:
        make_bad(folder)
        assert words in refused("report", *(str(folder / name) for name in names), "-o", str(folder / "never.html"))
        assert not (folder / "never.html").exists()

    def test_bounds_and_a_radius_at_once(self, tmp_path: Path) -> None:
        graph = md.read_graph("categorical-chain")
        for node in graph.nodes.values():
            node["radius"] = "0.01"
        document = md.design(graph, epsilon=1).certificate
        for one in document["profiles"]:
            one["bounds"]["worst"] = []
        document["profiles"][0]["bounds"]["upper"][0] -= 1
        empty = {"bound": "0", "privacy": [], "entries": []}
        (tmp_path / "proof.json").write_text(json.dumps(document | empty))
        said = refused("report", str(tmp_path / "proof.json"), "-o", str(tmp_path / "never.html"))
        assert "it has bounds and a radius; a graph has one of them" in said


def make_bad(folder: Path) -> None:
    def put(name: str, value: Any) -> None:
        (folder / name).write_text(json.dumps(value))

    proof = json.loads((folder / "proof.json").read_text())
    curve, privacy = (json.loads((folder / name).read_text()) for name in ("curve.json", "privacy.json"))
    put("graph.json", json.loads(md.shipped_graphs()["hobbies"].read_text()))
    elsewhere = {"format": "mechdesign-manifest/1", "mechanism": {"file": "x.json", "sha256": "0" * 64}}
    put("alien.json", elsewhere)
    put("homeless.json", elsewhere | {"certificate": None})
    put("forged.json", proof | {"value": "1/1000"})
    put("points.json", curve | {"points": []})
    put("long.json", curve | {"points": [one | {"baseline_name": 10**300} for one in curve["points"]]})
    put("question.json", curve | {"question": 3})
    put("deltas.json", privacy | {"points": [privacy["points"][0] | {"delta_lower": 0.9}]})
    put("share.json", privacy | {"points": [privacy["points"][0] | {"delta_upper": 2}]})
    put("tight.json", privacy | {"tight": 3})
    put("over.json", privacy | {"over": "time"})


def test_a_curve_of_every_pair_is_computed_anew_for_every_pair(folder: Path, tmp_path: Path) -> None:
    """A mechanism that names its edges is judged by these unless `--all-pairs` says otherwise."""
    mechanism = (folder / "mechanism.json").read_bytes()
    (tmp_path / "mechanism.json").write_bytes(mechanism)
    for options in ([], ["--all-pairs"]):
        path = str(tmp_path / "curve.json")
        asked = ["--epsilon", "2", "--curve", path, *options]
        assert run("certify", str(tmp_path / "mechanism.json"), *asked).status == 0
        page = report(tmp_path, "mechanism.json", "curve.json")
        words = " ".join(["certify", "mechanism.json", *options, "--epsilon", "2", "--curve", "again.json"])
        assert words in page.words
        assert "its file only says so" not in page.words  # it was computed anew


def test_a_curve_is_computed_anew_with_the_graph_at_hand(folder: Path, tmp_path: Path) -> None:
    graph = tmp_path / "chain.json"
    md.write_graph(md.read_graph("categorical-chain"), graph)
    files = [str(folder / "mechanism.json"), str(folder / "privacy.json")]
    assert "--graph YOUR-GRAPH.json --epsilon 0.4 --curve again.json" in report(tmp_path, *files).words
    assert "--graph chain.json --epsilon 0.4 --curve again.json" in report(tmp_path, *files, str(graph)).words


def test_a_link_that_keeps_its_epsilon_needs_no_more(tmp_path: Path) -> None:
    """Rounded up to six digits it needed 0.700001 of 0.7, and used 100.01 %."""
    for epsilon, needed in (("0.7", "0.700000"), ("1/3", "0.333334")):
        (tmp_path / "proof.json").write_text(json.dumps(md.design("categorical-chain", epsilon=epsilon).certificate))
        page = report(tmp_path, "proof.json")
        headings, *rows = page.tables["2 protected pairs"]
        assert needed in rows[0]
        assert {row[headings.index("used, %")] for row in rows} <= {"100.00", "63.03"}
        assert all("0.700001" not in cell for row in rows for cell in row)
        assert f"Least epsilon that holds at delta 0: {needed}." in page.words


def test_a_least_epsilon_is_said_without_five_decimals_more(tmp_path: Path) -> None:
    md.write_mechanism(md.k_ary("abc", epsilon=1), tmp_path / "m.json")
    assert "every epsilon of at least 1 holds" in report(tmp_path, "m.json").words
    md.write_mechanism(_missing_by_rounding(), tmp_path / "m.json")
    assert "every epsilon of at least 1 + 2e-16 holds" in report(tmp_path, "m.json").words


def _missing_by_rounding() -> md.Mechanism:
    """Randomised response at epsilon 1, and 1e-18 more in one entry."""
    exact, more = md.k_ary("abc", epsilon=1), Fraction(1, 10**18)
    rows = [list(exact.row("a", x)) for x in "abc"]
    rows[0] = [rows[0][0] + more, rows[0][1] - more, rows[0][2]]
    return md.mechanism_from_matrix(np.array(rows, dtype=object))


def test_a_refutation_says_that_it_misses_by_rounding_only(tmp_path: Path) -> None:
    for epsilon, said in ((1, True), ("0.9", False)):
        verdict, document = md.evidence(_missing_by_rounding(), epsilon=epsilon)
        assert verdict.by_rounding is said
        (tmp_path / "proof.json").write_text(json.dumps(document))
        words = report(tmp_path, "proof.json").words
        assert ("It fails by rounding only: an epsilon that is larger by 1e-09 would allow it." in words) is said


def test_commands_for_files_of_the_reader_s_are_in_the_language_and_read_them(tmp_path: Path) -> None:
    """The matrix that was mended has a total of 0.9999: without --normalise nothing reads it."""
    matrix, mended, proof = (str(tmp_path / name) for name in ("given.csv", "mended.json", "proof.json"))
    Path(matrix).write_text("0.7,0.3\n0.1,0.8999\n")
    asked = ("--epsilon", "1", "--normalise")
    assert run("mend", matrix, *asked, "-o", mended, "--certificate", proof).status == 0
    page = tmp_path / "report.html"
    assert run("report", mended, proof, "--language", "de", "-o", str(page)).status == 0
    words = read(page).words
    line = "check proof.json --all-pairs --mended-from IHRE-MATRIX.csv --normalise --epsilon 1 --mechanism mended.json"
    assert line in words
    theirs = line.replace("IHRE-MATRIX.csv", matrix).replace("mended.json", mended).replace("proof.json", proof)
    said = run(*shlex.split(theirs))
    assert said.status == 0
    assert f"{matrix}: What follows holds for the normalised matrix" in said.out


@pytest.mark.parametrize("with_graph", [True, False])
def test_the_command_of_places_checks_what_the_page_says_for_each_unit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_graph: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("points.csv").write_text("x,y\n0,0\n0.3,1\n2.13,1\n")
    assert run("graph", "from-points", "points.csv", "--at", "x,y", "--unit", "km", "-o", "places.json").status == 0
    made = ["-o", "m.json", "--certificate", "c.json"]
    assert run("design", "places.json", "--epsilon", "0.0123", *made).status == 0
    page = report(tmp_path, "m.json", "c.json", *["places.json"] * with_graph)
    assert "epsilon 0.0123 per km" in page.words
    graph = "places.json" if with_graph else "YOUR-GRAPH.json"
    command = f"check c.json --graph {graph} --epsilon 0.0123 --mechanism m.json"
    assert f"mechdesign {command}" in page.words
    if with_graph:
        assert run(*command.split()).status == 0
        assert run(*command.replace("0.0123", "0.0122").split()).status == 1
