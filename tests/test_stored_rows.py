"""Rows say the same whatever they are stored as."""

import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mechdesign.privacy.stored_rows import CHUNK, Rows

QUARTERS = np.array([[0.75, 0.25, 0.0], [0.5, 0.25, 0.25]])
KINDS = {
    "doubles": QUARTERS,
    "64 bits": (4 * QUARTERS).astype(np.int64),
    "integers": (4 * QUARTERS).astype(np.int64).astype(object) * 10**30,
}


@pytest.mark.parametrize("table", KINDS.values(), ids=KINDS)
def test_whatever_they_are_stored_as(table: Any) -> None:
    rows = Rows(table)
    assert (len(rows), rows.shape) == (2, (2, 3))
    assert (rows.doubles() == QUARTERS).all()
    assert rows.doubles([1]).tolist() == [QUARTERS[1].tolist()]
    exact = [[Fraction(int(weight), int(row.sum())) for weight in row] for row in map(rows.exact, range(2))]
    assert exact == [list(map(Fraction, row)) for row in QUARTERS.tolist()]
    assert [[rows.probability(row, y) for y in range(3)] for row in range(2)] == exact
    assert all(type(weight) is int for weight in rows.table().ravel())
    largest, others, places, totals = rows.largest()
    assert [Fraction(int(a), int(b)) for a, b in zip(largest, totals, strict=True)] == [Fraction(3, 4), Fraction(1, 2)]
    assert [Fraction(int(a), int(b)) for a, b in zip(others, totals, strict=True)] == [Fraction(1, 4)] * 2
    assert places.tolist() == [0, 0]


def test_totals_beyond_64_bits_do_not_overflow() -> None:
    rows = Rows(np.array([[2**62, 2**62, 2**62], [1, 0, 0]]))
    assert rows.largest()[3].tolist() == [3 * 2**62, 1]
    assert rows.probability(0, 1) == Fraction(1, 3)


def test_only_doubles_are_given_doubles() -> None:
    given = [Rows(table).given_doubles is not None for table in KINDS.values()]
    assert given == [True, False, False]


@pytest.mark.parametrize("table", KINDS.values(), ids=KINDS)
def test_another_process_gets_what_they_are_stored_as_alone(table: Any) -> None:
    rows = Rows(table)
    fresh = len(pickle.dumps(rows))
    assert rows[1] == rows[1]
    assert rows.near.shape == (2, 3)
    assert len(pickle.dumps(rows)) == fresh
    assert pickle.loads(pickle.dumps(rows))[1] == rows[1]


def test_mixtures_are_each_what_they_are_alone() -> None:
    """Also where many of one row come before those of several."""
    rows, half = Rows(QUARTERS), Fraction(1, 2)
    mixtures = [[(0, Fraction(1))]] * CHUNK + [[(0, half), (1, half)], [(1, Fraction(1))]]
    found = rows.mixed(mixtures)
    assert found[:CHUNK] == [rows[0]] * CHUNK
    assert found[CHUNK].fractions() == (Fraction(5, 8), Fraction(1, 4), Fraction(1, 8))
    assert found[CHUNK + 1 :] == [rows[1]]
