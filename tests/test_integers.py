"""Whole tables of integers, held against Fractions one by one."""

import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mechdesign.exact.integers import LONGEST, floors, rounded_to_total, shortened, shortest

WEIGHT = st.one_of(
    st.integers(0, 9), st.integers(0, 2**61), st.integers(0, 2**90), st.integers(0, 3).map(lambda n: 2**n)
)
ROWS = st.integers(1, 4).flatmap(lambda m: st.lists(st.lists(WEIGHT, min_size=m, max_size=m).filter(any), min_size=1))


def one_by_one(row: list[int], total: int) -> list[int]:
    rounded = [weight * total // sum(row) for weight in row]
    rounded[row.index(max(row))] += total - sum(rounded)
    return rounded


@given(st.lists(st.one_of(st.floats(0, 1), st.floats(0, 2.0**90)), min_size=1), st.integers(0, 2**90))
def test_doubles_times_units_are_rounded_down_exactly(values: list[float], unit: int) -> None:
    assert floors(np.array(values), unit).tolist() == [math.floor(Fraction(value) * unit) for value in values]


@given(ROWS, st.sampled_from([1, 10, 2**62, 3**50]))
def test_rows_are_rounded_as_one_by_one(rows: list[list[int]], total: int) -> None:
    found = rounded_to_total(np.array(rows, dtype=object), total)
    assert found.tolist() == [one_by_one(row, total) for row in rows]


@given(ROWS)
def test_short_rows_have_the_same_proportions_or_are_rounded(rows: list[list[int]]) -> None:
    """Rows in 64 bits: exact where their total allows it, and never negative, as sums that overflow would be."""
    exact = np.array(rows, dtype=object)
    table, rounded = shortened(exact)
    assert table.dtype == np.int64
    long = [sum(row) // math.gcd(*row) > LONGEST for row in rows]
    assert rounded == any(long)
    for row, least, before, is_long in zip(table.tolist(), shortest(exact).tolist(), rows, long, strict=True):
        assert min(row) >= 0
        assert sum(row) <= LONGEST
        assert row == (one_by_one(before, LONGEST) if is_long else least)
        assert math.gcd(*least) == 1
        assert [weight * sum(before) for weight in least] == [weight * sum(least) for weight in before]
