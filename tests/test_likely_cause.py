"""One guess at what is wrong with a matrix, and none where there is nothing to say."""

from fractions import Fraction

import pytest

from mechdesign.mechanism.likely_cause import likely_cause

HALF = Fraction(1, 2)


def test_nothing_is_guessed_of_what_is_right() -> None:
    assert likely_cause([["0.5", "0.5"]]) == []
    assert likely_cause([[HALF, HALF]], {}) == []


def test_labels_are_looked_for_in_files_alone() -> None:
    rows = [["no", "0.5"], ["0.5", "0.5"]]
    assert likely_cause(rows) == []
    assert "leave the corner between them empty" in likely_cause(rows, unlabelled=True)[0]


@pytest.mark.parametrize("rows", [[["NaN", "0.5"], ["0.5", "0.5"]], [["nan", "1"], ["NaN", "1"]], [["-Infinity"]]])
def test_what_is_not_a_number_is_no_label(rows: list[list[str]]) -> None:
    """In a JSON file either, which reads it as text."""
    assert likely_cause(rows, unlabelled=True) == []


def test_a_guess_is_no_fault_of_its_own() -> None:
    (guess,) = likely_cause([[Fraction(1), Fraction(3)]], {0: Fraction(4)})
    assert guess.startswith("these are counts")
