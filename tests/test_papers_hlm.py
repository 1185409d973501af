"""The published results of [HLM] come out, and its errata are said in words."""

from functools import cache

import pytest
from stated import assert_drawn, stated

from mechdesign.papers import RESULTS
from mechdesign.papers.result import Result

NAMES = (
    "hlm-examples-1-3",
    "hlm-example-2",
    "hlm-sufficient-sets",
    "hlm-theorems-4-5",
    "hlm-theorem-6",
    "hlm-theorem-10",
)
STATED = {
    "hlm-examples-1-3": (2, 1),
    "hlm-example-2": (9, 0),
    "hlm-sufficient-sets": (0, 4),
    "hlm-theorems-4-5": (0, 1),
    "hlm-theorem-6": (0, 0),
    "hlm-theorem-10": (0, 17),
}


@cache
def result_of(name: str) -> Result:
    """Compute what a test asks for alone, for each may have a process of its own."""
    return RESULTS[name]()


@pytest.mark.parametrize("name", NAMES)
def test_agrees(name: str) -> None:
    result = result_of(name)
    assert result.name == name
    assert [row.what for row in result.rows if row.agrees is not True] == []
    assert len({row.what for row in result.rows}) == len(result.rows)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_printed_and_what_claimed(name: str) -> None:
    assert stated(result_of(name)) == STATED[name]


def test_needed_hypotheses_are_no_errors() -> None:
    words = result_of("hlm-sufficient-sets").words
    assert all(f"ERR-2.{number}, a needed hypothesis: " in words for number in (2, 3))


def test_how_example_2_was_miscounted_is_not_known() -> None:
    result = result_of("hlm-example-2")
    assert "presumably" in result.words
    assert {row.note for row in result.rows if row.reference and row.published} == {
        "ERR-2.1",
        "ERR-2.1: an odd count cannot be",
    }


@pytest.mark.parametrize(
    ("name", "erratum"),
    [
        ("hlm-example-2", "ERR-2.1"),
        ("hlm-sufficient-sets", "ERR-2.2"),
        ("hlm-sufficient-sets", "ERR-2.3"),
        ("hlm-theorem-10", "ERR-2.4"),
    ],
)
def test_says_what_is_wrong(name: str, erratum: str) -> None:
    assert erratum in result_of(name).words


def test_printed_counts_of_example_2_are_not_right() -> None:
    rows = {row.what: row for row in result_of("hlm-example-2").rows}
    wrong = rows["checks by Theorem 2"]
    assert (wrong.computed, wrong.published, wrong.reference) == (924, "1092", "924")
    assert rows["checks by Theorem 2, in double precision"].computed == 1092


def test_figure() -> None:
    assert_drawn(result_of("hlm-theorem-10"), ["δ = 0", "δ = 0.1"])
