"""[SM]: what is misprinted, and what is claimed and false."""

import pytest

from mechdesign.papers import RESULTS
from mechdesign.papers.published import Claim, Result

NAMES = ("sm-table-2", "sm-table-3", "sm-table-4", "sm-statistics", "sm-mending")


@pytest.fixture(scope="module")
def results() -> dict[str, Result]:
    return {name: RESULTS[name]() for name in NAMES}


def _row(result: Result, what: str) -> Claim:
    return next(row for row in result.rows if row.what == what)


def test_misprint_of_table_3(results: dict[str, Result]) -> None:
    row = _row(results["sm-table-3"], "p1/p3, last observation 40")
    assert (row.published, row.reference) == ("5239083064", "5239075290.89")
    assert float(row.computed) < 5239083064 - 7000
    assert round(2**51 / 429808) == 5239083064  # what 1 - F in doubles can give


@pytest.mark.parametrize(
    ("name", "what", "said", "computed"),
    [
        ("sm-table-4", "effective b of the sum, in the text", "12.5", 2.5),
        ("sm-table-4", "effective epsilon is less than epsilon", True, False),
        ("sm-table-3", "the most influential missing, p1/p3 exceeds Exp(2)", True, False),
        ("sm-statistics", "truncated noise satisfies differential privacy", True, False),
        ("sm-mending", "sanitised microdata are private at epsilon 2", False, True),
    ],
)
def test_claims_that_are_false(
    results: dict[str, Result], name: str, what: str, said: object, computed: object
) -> None:
    row = _row(results[name], what)
    assert (row.stated, row.computed) == (said, computed)


def test_table_2_has_all_ratios(results: dict[str, Result]) -> None:
    printed = [row for row in results["sm-table-2"].rows if row.what.startswith("p1/p3 without observation ")]
    assert len(printed) == 30
    assert all(isinstance(row.published, str) and len(row.published) == 4 for row in printed[:29])
