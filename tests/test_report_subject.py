"""What a report is about, where a file is not the certificate's own mechanism: a mended matrix, or a refuted one."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from command import run
from pages import Page, report

import mechdesign as md
from mechdesign.mechanism.foreign import read_foreign

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
