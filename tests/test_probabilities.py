"""Rows of probabilities: exact totals, rounding normalised away on request alone, the likely cause of a miss first."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md
from mechdesign import InputError, mechanism_from_matrix
from mechdesign.mechanism.probabilities import integer_rows

SIXTHS = [["0.166667", "0.833333"], ["0.333333", "0.666666"], ["0.5", "0.5"]]


def fault(matrix: Any, *, normalise: bool = False) -> str:
    with pytest.raises(InputError) as caught:
        mechanism_from_matrix(matrix, normalise=normalise)
    return caught.value.faults[0]


@pytest.mark.parametrize("rows", [[[0.9, 0.1], [0.1]], [(0.9, 0.1), np.array([0.1])]], ids=["lists", "others"])
@pytest.mark.parametrize(
    "read",
    [
        mechanism_from_matrix,
        lambda rows: md.mend(rows, epsilon=1),
        md.ExpectedLoss,
        lambda rows: md.value_graph("ab", metric=rows),
    ],
    ids=["matrix", "mend", "loss", "metric"],
)
def test_a_row_of_another_length_is_named(read: Any, rows: Any) -> None:
    """As it is of files."""
    with pytest.raises(InputError, match=r"^(\w+: )?row 1: expected 2 columns as in row 0, found 1$"):
        read(rows)


def test_six_decimals_are_normalised_on_request() -> None:
    assert fault(SIXTHS) == (
        "1 of 3 totals miss 1 by up to 1e-06, as rounding does: normalise=True divides each row by its exact total"
    )
    mechanism = mechanism_from_matrix(SIXTHS, normalise=True)
    assert mechanism.row(1, 1) == (Fraction(333333, 999999), Fraction(666666, 999999))
    assert mechanism.row(0, 0) == (Fraction("0.166667"), Fraction("0.833333"))
    assert mechanism.notes == {"normalised": [1], "largest_miss": "0.000001"}


def test_a_number_that_rounding_does_not_account_for_is_suspected() -> None:
    assert fault([["0.333333", "0.666667"], ["0.405", "0.594"]]) == (
        "1 of 2 totals miss 1 by up to 0.001, as rounding does: normalise=True divides each row by its exact total"
    )
    assert fault([["0.333333", "0.666667"], ["0.404", "0.595386"]]) == (
        "1 of 2 totals miss 1 by up to 0.000614, more than rounding accounts for; is a number mistyped? "
        "If not, normalise=True divides each row by its exact total"
    )


def test_nothing_to_normalise_is_said() -> None:
    assert mechanism_from_matrix([["1/3", "2/3"]], normalise=True).notes == {"largest_miss": "0"}


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16])
def test_floats_of_any_width_exactly(kind: Any) -> None:
    matrix = np.array([[0.1, 0.3, 0.6], [0.2, 0.3, 0.5]], dtype=kind)
    mechanism = mechanism_from_matrix(matrix, normalise=True)
    for x, row in enumerate(matrix):
        exact = [Fraction(float(p)) for p in row]
        assert mechanism.row(x, x) == tuple(p / sum(exact) for p in exact)


@given(
    st.integers(1, 5).flatmap(
        lambda m: st.lists(st.lists(st.integers(1, 10**6), min_size=m, max_size=m), min_size=1, max_size=4)
    ),
    st.integers(2, 8),
)
def test_rounding_to_decimals(counts: list[list[int]], digits: int) -> None:
    """Rounded to so many decimals and normalised: each row is in proportion to what was written, exactly."""
    rows = [[f"{count / sum(row):.{digits}f}" for count in row] for row in counts]
    if any(abs(sum(map(Fraction, row), Fraction(-1))) > Fraction(1, 100) for row in rows):  # by 3 of 2 decimals
        with pytest.raises(InputError, match=r"expected a total of 1 \(within 1/100\), found "):
            integer_rows(rows, normalise=True)
        return
    found, totals = integer_rows(rows, normalise=True)
    weights = found.table()
    for x, row in enumerate(rows):
        exact = [Fraction(text) for text in row]
        assert totals.get(x, 1) == sum(exact)
        assert all(Fraction(int(weights[x][y]), int(sum(weights[x]))) == p / sum(exact) for y, p in enumerate(exact))


@pytest.mark.parametrize("matrix", [[["0.51", "0.5"]], [["0.49", "0.5"]], np.array([[0.375, 0.625 - 2.0**-7]])])
def test_up_to_a_hundredth(matrix: Any) -> None:
    assert integer_rows(matrix, normalise=True)[1]


@pytest.mark.parametrize(
    "matrix", [[["0.5100001", "0.5"]], [["0.4899999", "0.5"]], [[0, 0]], np.array([[0.375, 0.625 - 2.0**-6]])]
)
def test_no_further(matrix: Any) -> None:
    assert fault(matrix, normalise=True).startswith("row 0: expected a total of 1 (within 1/100), found ")


@pytest.mark.parametrize("matrix", [[["-0.001", "1.001"]], np.array([[-1e-12, 1.0]]), np.array([[np.nan, 1.0]])])
def test_what_is_no_probability_is_never_normalised_away(matrix: Any) -> None:
    assert fault(matrix, normalise=True).startswith("row 0, column 0: expected a ")


@pytest.mark.parametrize("normalise", [False, True])
@pytest.mark.parametrize(
    ("matrix", "cause"),
    [
        ([[50, 50], [0, 100]], "the rows have total 100: these are percentages; divide them by 100"),
        ([["33.3", "66.6"], [0, 100]], "the rows have total 100: these are percentages; divide them by 100"),
        (
            [[12, 3], [4, 40]],
            "these are counts, not probabilities: what was drawn from a mechanism is not the mechanism",
        ),
        (
            [[0, 0.5, 0.5], [1, 0.25, 0.75]],
            "without the first column all totals are 1: if it numbers the rows, leave it",
        ),
        ([[0, 1, 2], [0.5, 0.25, 0.25], [0, 0, 1]], "the first row numbers the columns: leave it out"),
        (
            [["1/3", "1/3"], ["2/3", "2/3"]],
            "the columns have total 1, not the rows: transpose the matrix; a row is for",
        ),
        ([["0.1", "0.1"], ["1/2", "1/2"]], "row 0: expected a total of 1"),
    ],
)
def test_the_likely_cause_comes_first(matrix: Any, cause: str, normalise: bool) -> None:
    assert fault(matrix, normalise=normalise).startswith(cause)


def test_a_row_with_a_fault_has_no_total() -> None:
    with pytest.raises(InputError) as caught:
        mechanism_from_matrix([["x", "0.5"], ["0.5", "0.6"]])
    assert [found.split(":")[0] for found in caught.value.faults] == ["row 0, column 0", "row 1"]


def test_numbers_in_place_of_rows_are_refused() -> None:
    with pytest.raises(InputError, match="expected a matrix of rows"):
        mechanism_from_matrix([np.array(0.5), np.array(0.5)])
