"""`--quiet`: what is told all the same, and what is not."""

from pathlib import Path

import pytest
from command import run

RELEASE = ["count", "release", "--true-count", "34", "--n", "100", "--epsilon", "0.1", "--seed-not-for-release", "3"]


def test_what_was_drawn_is_told() -> None:
    """It cannot be asked for again without a further release."""
    status, out, err = run(*RELEASE, "--quiet")
    assert (status, out) == (0, "31\n")
    assert err.startswith("Seeded: not for release")


@pytest.mark.parametrize("page", [False, True])
def test_a_warning_of_what_is_shown_goes_with_it(tmp_path: Path, page: bool) -> None:
    table = tmp_path / "claims.csv"
    table.write_text("claims\n3\n5\n90\n")
    audit = ["audit", "laplace", str(table), "--column", "claims", "--query", "mean", "--epsilon", "1", "--quiet"]
    status, out, err = run(*audit, *["--report", str(tmp_path / "page.html")] * page)
    assert (status, out) == (1, "")
    assert ("exact answers" in err) == page
