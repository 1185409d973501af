"""Rounded numbers: what holds of every matrix that they may stand for, and what of some."""

import itertools
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from mechdesign.certifier.doubt import doubt_of, rounded
from mechdesign.exact.exponentials import exp_above
from mechdesign.mechanism.foreign import read_foreign

F = Fraction


@pytest.mark.parametrize(
    ("rows", "digits"),
    [
        ([["0.4046", "0.5954"]], 4),
        ([["0.2500", "0.7500"]], 4),
        ([["1", "0"]], 0),
        ([[F(1, 20), F(19, 20)]], 2),
        ([["25e-2", "75e-2"]], 2),
    ],
)
def test_digits(rows: list[list[object]], digits: int) -> None:
    found = rounded(rows)
    assert found is not None
    assert found.digits == digits


@pytest.mark.parametrize(
    "rows", [[["1/4", "3/4"]], [[0.1, 0.9]], np.array([[0.5, 0.5]]), [["0.1234567891", "0.9"]], [["9.8e-1", "2e-2"]]]
)
def test_others_are_exact(rows: list[list[object]]) -> None:
    assert rounded(rows) is None


def test_totals_that_rounding_does_not_explain() -> None:
    found = rounded([["0.333", "0.333", "0.333"], ["0.33", "0.33", "0.33"], ["0.334", "0.334", "0.334"]])
    assert found is not None
    assert found.beyond() == [1, 2]  # rounding moves a total by at most 0.0015


shares = st.lists(st.integers(0, 10**6), min_size=3, max_size=3).filter(any)


@settings(max_examples=35)
@given(st.tuples(shares, shares), st.sampled_from([1, 2, 3]), st.sampled_from([F(0), F(1, 2), F(1)]))
@example(([0, 1, 1], [1, 1, 1]), 1, F(1, 2))
def test_the_true_matrix_is_among_those_that_count(
    weights: tuple[list[int], list[int]], digits: int, epsilon: Fraction
) -> None:
    true = [[F(weight, sum(row)) for weight in row] for row in weights]
    found = rounded([[f"{float(round(mass, digits)):.{digits}f}" for mass in row] for row in true])
    assert found is not None
    assert (found.digits, found.beyond()) == (digits, [])
    sets = [set(one) for size in range(4) for one in itertools.combinations(range(3), size)]
    highest = []
    for one in sets:
        low, high = found.gap(0, 1, one, epsilon, F(0))
        gap = sum((true[0][y] - exp_above(epsilon) * true[1][y] for y in one), F(0))
        assert low <= gap <= high
        highest.append(high)
    assert found.gap(0, 1, found.perhaps_likelier(0, 1, epsilon), epsilon, F(0))[1] == max(highest) >= 0


few = st.lists(st.sampled_from([0, 0, 0, 1, 2, 5, 50]), min_size=5, max_size=5).filter(any)


@given(st.tuples(few, few), st.sampled_from([F(0), F(1, 10), F(1), F(3)]))
def test_no_set_may_exceed_it_by_more(weights: tuple[list[int], list[int]], epsilon: Fraction) -> None:
    """Of all 32, also where entries are 0, which rounding only raises."""
    found = rounded([[f"{round(weight / sum(row), 1):.1f}" for weight in row] for row in weights])
    assert found is not None
    assume(not found.beyond())
    sets = [{y for y in range(5) if number >> y & 1} for number in range(32)]
    highest = max(found.gap(0, 1, one, epsilon, F(0))[1] for one in sets)
    assert found.gap(0, 1, found.perhaps_likelier(0, 1, epsilon), epsilon, F(0))[1] == highest


def test_outputs_that_may_each_be_likelier_may_not_be_so_together() -> None:
    """Of each, 0.55 against 0.3 is too much for epsilon = 1/2; of both, 1 against 0.65 is not."""
    found = rounded([["0.0", "0.5", "0.5"], ["0.3", "0.3", "0.3"]])
    assert found is not None
    assert found.gap(0, 1, {1, 2}, F(1, 2), F(0))[1] < 0
    one = found.perhaps_likelier(0, 1, F(1, 2))
    assert one in ({1}, {2})
    assert found.gap(0, 1, one, F(1, 2), F(0))[1] == F(55, 100) - exp_above(F(1, 2)) * F(3, 10)


def test_both_ends_are_attained() -> None:
    """By the corners of the boxes that have total 1."""
    found = rounded([["0.4", "0.3", "0.2"], ["0.1", "0.4", "0.5"]])
    assert found is not None
    steps = [F(shift, 20) for shift in (-1, 0, 1)]
    boxes = [[[x + step for step in steps] for x in row] for row in found.rows]
    laws = [[law for law in itertools.product(*box) if sum(law) == 1] for box in boxes]
    gaps = [p[0] - exp_above(F(1)) * q[0] for p in laws[0] for q in laws[1]]
    assert found.gap(0, 1, {0}, F(1), F(0)) == (min(gaps), max(gaps))


def test_the_two_rows_of_which_it_is_surest() -> None:
    found = rounded([["0.50", "0.49", "0.01"], ["0.50", "0.50", "0.00"], ["0.99", "0.01", "0.01"]])
    assert found is not None
    assert found.surest(F(1)) == (1, 2)
    assert found.surest(F(4000)) in itertools.permutations(range(3), 2)
    assert found.gap(1, 2, found.surely_likelier(1, 2, F(1)), F(1), F(0))[0] > F(4, 10)


@pytest.mark.parametrize("every_pair", [False, True])
def test_rows_that_no_edge_joins_refute_nothing(tmp_path: Path, every_pair: bool) -> None:
    """Rows 1 and 2 surely fail; of 0 and 1 rounding may be why."""
    path = tmp_path / "matrix.csv"
    path.write_text("0.50,0.49,0.01\n0.50,0.50,0.00\n0.99,0.01,0.01\n")
    own = read_foreign(path, normalise=True)
    claim: dict[str, Any] = {"epsilon": F(1), "delta": F(0), "every_pair": every_pair}
    claim["normalised"] = True
    found = doubt_of(path, own, edge=(0, 1), among=[2], **claim)
    assert found is not None
    assert found.gap is not None
    assert (found.gap[0] > 0) is every_pair
