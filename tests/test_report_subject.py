"""What a report is about, where a file is not the certificate's own mechanism: a mended matrix, or a refuted one."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from command import answer, run
from pages import Page, report

import mechdesign as md
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.show.language import Language

VENDOR = """\
,never,rarely,sometimes,often,always
never,0.428,0.260,0.158,0.096,0.058
rarely,0.216,0.357,0.216,0.131,0.080
sometimes,0.125,0.206,0.338,0.206,0.125
often,0.080,0.131,0.216,0.357,0.216
always,0.058,0.096,0.158,0.260,0.428
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vendor's matrix, its refutation, and what mends it, with the proof."""
    home = tmp_path_factory.mktemp("vendor")
    (home / "vendor.csv").write_text(VENDOR)
    asked = [str(home / "vendor.csv"), "--epsilon", "1", "--certificate"]
    assert run("certify", *asked, str(home / "refuted.json")).status == 1
    assert run("mend", *asked, str(home / "proof.json"), "-o", str(home / "mended.csv")).status == 0
    return home


@pytest.fixture(scope="module")
def page(folder: Path) -> Page:
    return report(folder, "mended.csv", "proof.json", pictures=True)


class TestMended:
    def test_it_needs_the_epsilon_that_certify_finds(self, page: Page, folder: Path) -> None:
        """Not that of the mended matrix applied to rows that were given, as if these were people's distributions."""
        tight = md.tight_epsilons(read_foreign(folder / "mended.csv"))
        for row in page.tables["10 protected pairs"][1:]:
            for cell, pair in ((row[5], (row[0], row[1])), (row[6], (row[1], row[0]))):
                assert tight[pair][1] <= Fraction(cell) < Fraction(tight[pair][1]) * Fraction(100001, 100000)
        assert max(map(Fraction, page.column("10 protected pairs", "used, %"))) == 100
        assert "Least epsilon that holds at delta 0: 1.00000." in page.words

    def test_each_row_is_what_is_released_and_was_what_was_given(self, page: Page, folder: Path) -> None:
        mended, vendor = (read_foreign(folder / name) for name in ("mended.csv", "vendor.csv"))
        for profile in mended.profiles:
            after = page.column(f"{profile}: the numbers", "after")
            for cell, mass in zip(after, mended.released(profile), strict=True):
                assert abs(Fraction(cell) - mass) <= Fraction(1, 2 * 10**6)
            before = page.column(f"{profile}: the numbers", "before")
            assert tuple(map(Fraction, before)) == vendor.released(profile)


def test_a_matrix_without_labels_is_read_as_check_reads_it(tmp_path: Path) -> None:
    """Its inputs are the certificate's categories, and the file that is given tells of those that nobody has."""
    graph = md.profile_graph({"a": [1, 0, 0], "b": ["1/2", "1/2", 0]}, edges="all", categories=["x", "y", "z"])
    proof, matrix = str(tmp_path / "proof.json"), str(tmp_path / "matrix.npy")
    md.write_graph(graph, tmp_path / "graph.json")
    np.save(matrix, [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]])
    asked = ["--graph", str(tmp_path / "graph.json"), "--epsilon", "1"]
    assert run("certify", matrix, *asked, "--certificate", proof).status == 0
    assert run("check", proof, *asked, "--mechanism", matrix).status == 0
    page = report(tmp_path, "matrix.npy", "proof.json")
    assert page.tables["All groups"][3] == ["z", "0.25", "0.25", "0.5"]


@pytest.fixture
def sampled(tmp_path: Path) -> Path:
    """A graph of two groups known within bounds, as from a sample, and the mechanism that changes nothing."""
    graph = md.profile_graph({"a": ["0.6", "0.4"], "b": ["0.5", "0.5"]}, edges=[("a", "b")], categories=["yes", "no"])
    for profile, (low, high) in {"a": ("0.55", "0.65"), "b": ("0.45", "0.52")}.items():
        lower, upper = Fraction(low), Fraction(high)
        graph.nodes[profile].update(lower=(lower, 1 - upper), upper=(upper, 1 - lower))
    graph.graph["made"] = {"confidence": {"level": "0.95"}}
    md.write_graph(graph, tmp_path / "graph.json")
    (tmp_path / "same.csv").write_text(",yes,no\nyes,1,0\nno,0,1\n")
    return tmp_path


def test_a_matrix_alone_is_measured_on_the_profiles_of_the_graph(sampled: Path) -> None:
    """And not on its inputs, of which each would give itself away."""
    _, most = md.certify(str(sampled / "same.csv"), str(sampled / "graph.json")).epsilon
    page = report(sampled, "same.csv", "graph.json")
    (caption,) = (name for name in page.tables if name.startswith("The least epsilon"))
    assert most <= max(map(float, page.column(caption, "epsilon"))) < most * 1.00001
    assert "lie within their ranges, all at once, with probability 95 %, as the file of the graph says." in page.words
    assert page.tables["b"][1] == ["yes", "0.5", "0.450000", "0.520000"]
    assert "The method" not in page.words
    assert "What it costs" not in page.words


def test_a_curve_within_bounds_claims_nothing_below_it(sampled: Path) -> None:
    """The worst need ln 0.55/0.35 = 0.4519851, and at epsilon 0 a delta of 0.65 - 0.45."""
    named = [str(sampled / name) for name in ("same.csv", "graph.json", "curve.json")]
    assert run("certify", named[0], "--graph", named[1], "--epsilon", "0.2", "--curve", named[2]).status == 1
    for files in (["curve.json"], ["same.csv", "graph.json", "curve.json"]):
        page = report(sampled, *files)
        rows = page.tables["The privacy curve: the numbers"]
        assert rows[0] == ["epsilon", "delta at most"]
        assert 0.2 <= float(rows[1][1].partition(" ")[0]) < 0.200001
        assert "of what lies below nothing is said" in page.words
        assert "Enough at delta 0, at all frequencies within the ranges: epsilon 0.451986" in page.words
        assert "Least epsilon" not in page.words
    assert run("certify", named[0], "--graph", named[1], "--nominal", "--curve", named[2]).status == 0
    assert "what lies below does not" in report(sampled, "curve.json").words


def test_what_was_observed_is_no_method(sampled: Path) -> None:
    """Of the proof that a sample keeps a limit nothing is said of how answers are changed."""
    named = [str(sampled / name) for name in ("same.csv", "graph.json", "proof.json")]
    asked = ("--graph", named[1], "--epsilon", "0.5", "--certificate", named[2])
    assert run("certify", named[0], *asked).status == 0
    words = report(sampled, "same.csv", "graph.json", "proof.json").words
    assert "PASSED" in words
    assert "from which of these an answer came" in words
    assert "Each pair keeps its epsilon: that is proved." in words
    assert "With two answers that come independently" in words
    for another in ("from changing less", "released as it is", "released again"):
        assert another not in words


def test_a_method_that_was_designed_within_bounds_is_no_sample(sampled: Path) -> None:
    """Where nothing had to be changed it is still the method that is used."""
    design = md.design(str(sampled / "graph.json"), epsilon=1)
    md.write_mechanism(design.mechanism, sampled / "m.json")
    md.write_certificate(design.certificate, sampled / "proof.json")
    assert "Every answer stays as it is." in report(sampled, "m.json", "proof.json", "graph.json").words


@pytest.mark.parametrize(
    ("epsilon", "word", "others"),
    [("0.2", "NOT PROVED", "the limit may hold"), ("0.05", "FAILED", "the limit fails too")],
)
def test_a_refutation_within_bounds_says_of_which_frequencies_it_is(
    sampled: Path, epsilon: str, word: str, others: str
) -> None:
    """ln 0.48/0.45 = 0.0645385 is what each two distributions within need; ln 0.65/0.45 = 0.37 what some do."""
    named = [str(sampled / name) for name in ("same.csv", "graph.json", "refuted.json")]
    asked = ("--epsilon", epsilon, "--certificate", named[2])
    said = run("certify", named[0], "--graph", named[1], *asked)
    assert said.status == 1
    assert ("So it is, if the bounds hold the true profiles: with probability 0.95." in said.out) is (word == "FAILED")
    assert ("The file proves it at these distributions" in said.out) is (word == "FAILED")
    assert ", at the distributions in this file, profile " in run("check", named[2]).out
    page = report(sampled, "same.csv", "graph.json", "refuted.json")
    words = page.words
    assert f"{word} " in words
    assert page.tables["a"][1:] == [["yes", "0.6", "0.550000", "0.650000"], ["no", "0.4", "0.350000", "0.450000"]]
    assert "Before" not in words
    assert "The method in numbers" not in words
    assert f"other frequencies within the ranges {others}" in words
    assert "at least 65" not in words
    needed = "So an epsilon of at least 0.064538 is needed, at delta 0."
    assert needed in words
    assert (f"{needed} The true frequencies lie within" in words) is (word == "FAILED")
    for files in (["refuted.json"], ["same.csv", "refuted.json"]):
        assert "whether they are theirs, no file here says" in report(sampled, *files).words


def bounded(folder: Path, **ends: tuple[str, str]) -> list[str]:
    """Return files of groups of which the share of yes is known within these, in pairs, and of what changes nothing."""
    middle = {name: (Fraction(low) + Fraction(high)) / 2 for name, (low, high) in ends.items()}
    names = list(ends)
    pairs = list(zip(names[::2], names[1::2], strict=True))
    graph = md.profile_graph({name: [p, 1 - p] for name, p in middle.items()}, edges=pairs, categories=["yes", "no"])
    for name, (low, high) in ends.items():
        lower, upper = Fraction(low), Fraction(high)
        graph.nodes[name].update(lower=(lower, 1 - upper), upper=(upper, 1 - lower))
    md.write_graph(graph, folder / "graph.json")
    (folder / "same.csv").write_text(",yes,no\nyes,1,0\nno,0,1\n")
    return [str(folder / name) for name in ("same.csv", "graph.json", "refuted.json")]


def test_what_each_of_the_frequencies_needs_may_be_of_another_pair(tmp_path: Path) -> None:
    """Of a and b ln 0.65/0.15 = 1.47 at the worst, but 0 at the mildest; of c and d ln 0.6/0.4 = 0.405 at each."""
    same, graph, proof = bounded(tmp_path, a=("0.35", "0.85"), b=("0.35", "0.85"), c=("0.6", "0.6"), d=("0.4", "0.4"))
    found = answer("certify", same, "--graph", graph, "--epsilon", "0.4", "--certificate", proof, status=1)
    assert found["worst"]["edge"] in (["a", "b"], ["b", "a"])
    assert found["refuted_at_each"] is True
    page = report(tmp_path, "same.csv", "graph.json", "refuted.json")
    least = page.tables["The mildest frequencies within the ranges"]
    assert "FAILED The limit" in page.words
    assert {least[1][1], least[2][1]} == {"c", "d"}
    assert [row[1] for row in least[4:6]] == ["0.600000000", "0.400000000"]
    assert least[7][1] == "0.405465" == f"{found['epsilon_at_each_lower']:.6f}"
    assert "of at least 60 % for “" in page.words
    assert "So an epsilon of at least 0.405465 is needed, at delta 0." in page.words
    assert "from which of these an answer camea, b, c and d" in page.words
    assert "It proves the failure at the worst frequencies within the ranges" in page.words


def test_at_each_of_the_frequencies_no_epsilon_may_be_enough(tmp_path: Path) -> None:
    same, graph, proof = bounded(tmp_path, a=("0.1", "0.2"), b=("0", "0"))
    assert run("certify", same, "--graph", graph, "--epsilon", "3", "--certificate", proof).status == 1
    words = report(tmp_path, "same.csv", "graph.json", "refuted.json").words
    assert "at least 10 % for “a”, and of at most 0 % for “b”. So no epsilon is enough, at delta 0." in words


def test_where_the_frequencies_may_be_the_same_nothing_is_needed_of_each(tmp_path: Path) -> None:
    same, graph, proof = bounded(tmp_path, a=("0.1", "0.4"), b=("0.1", "0.4"))
    assert run("certify", same, "--graph", graph, "--epsilon", "1", "--certificate", proof).status == 1
    page = report(tmp_path, "same.csv", "graph.json", "refuted.json")
    assert "NOT PROVED It is not proved: at some frequencies within the ranges" in page.words
    assert "The worst frequencies within the ranges" in page.tables
    assert "refutes it" not in page.words
    assert "mildest" not in page.words


def test_a_limit_that_just_fails_has_as_many_digits_as_show_it(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text(",yes,no\nyes,0.731059,0.268941\nno,0.268941,0.731059\n")
    asked = ("--epsilon", "1", "--certificate", str(tmp_path / "refuted.json"))
    assert run("certify", str(tmp_path / "m.csv"), *asked).status == 1
    words = report(tmp_path, "m.csv", "refuted.json").words
    assert "can be at least 73.1059 % sure" in words
    assert "At most 73.10586 % was asked for. In the terms of the field: epsilon 1, delta 0 was asked for." in words


OF_COUNTS = {
    "en": ("Yes Is every pair of neighbouring numbers protected?", "whether one person is counted", " gave"),
    "de": ("Ja Ist jedes Paar benachbarter Zahlen geschützt?", "ob ein Mensch mitgezählt ist", "eines Menschen"),
}


@pytest.mark.parametrize("delta", ["0", "0.01"])
@pytest.mark.parametrize("code", OF_COUNTS)
def test_of_a_count_neighbours_are_all_that_is_asked(tmp_path: Path, delta: str, code: str) -> None:
    """Nobody gave the numbers as an answer: what is hidden is whether one person is counted."""
    made = md.design(md.counting_graph(4), epsilon="0.5", delta=delta, objective=md.ExpectedLoss("absolute"))
    md.write_mechanism(made.mechanism, tmp_path / "m.json")
    md.write_certificate(made.certificate, tmp_path / "c.json")
    words = report(tmp_path, "m.json", "c.json", options=["--language", code]).words
    asked, hidden, answered = OF_COUNTS[code]
    assert asked in words
    assert hidden in words
    assert answered not in words
    assert Language(code)("counts.title") not in words
