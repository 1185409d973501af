"""Which label a cell is, in whatever type; what is missing, and what is unknown."""

from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechdesign.errors import InputError
from mechdesign.release.codebook import MISSING, UNKNOWN, Codebook, column_of, released_type, taken
from mechdesign.release.sampling import BLOCK

WORDS = ["no", "very often", " blank", "NA", "3", "0.5", "größe", "(1, 2)", "007", "-4"]


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("no", 0),
        (" no ", 0),
        ("No", UNKNOWN),
        ("very often", 1),
        ("very  often", UNKNOWN),
        (" blank", 2),
        ("blank", 2),
        ("NA", 3),  # a category may be named so
        ("na", MISSING),
        ("N/A", MISSING),
        ("", MISSING),
        ("  ", MISSING),
        (None, MISSING),
        (float("nan"), MISSING),
        ("None", UNKNOWN),
        (3, 4),
        (3.0, 4),
        ("3", 4),
        (Decimal("3"), 4),
        (Decimal("0.50"), 5),
        (0.5, 5),
        ("0,5", UNKNOWN),
        ("größe", 6),
        ((1, 2), 7),
        ("(1, 2)", 7),
        (7, UNKNOWN),
        ("007", 8),
        (-4, 9),
        (True, UNKNOWN),
        (b"no", UNKNOWN),
    ],
)
def test_a_cell_is_the_label_that_is_written_like_it(cell: Any, code: int) -> None:
    book = Codebook(WORDS, "categories")
    assert book.code(cell) == code
    assert book.codes([cell]).tolist() == [code]
    if not isinstance(cell, tuple):
        assert book.codes(pa.array([cell, cell])).tolist() == [code, code]


@pytest.mark.parametrize(
    "column",
    [
        pa.array(["b", "a", None, "x"]),
        pa.array(["b", "a", None, "x"], pa.large_string()),
        pa.array(["b", "a", None, "x"], pa.string_view()),
        pa.array(["b", "a", None, "x"]).dictionary_encode(),
        pa.DictionaryArray.from_arrays(pa.array([1, 0, None, 2], pa.int8()), pa.array(["a", "b", "x"])),
        pa.DictionaryArray.from_arrays(pa.array([1, 0, 2, 3]), pa.array(["a", "b", None, "x"])),
        ["b", "a", None, "x"],
    ],
    ids=lambda column: str(getattr(column, "type", "list")),
)
def test_text_in_every_type_of_column(column: Any) -> None:
    assert Codebook(["a", "b"], "categories").codes(column).tolist() == [1, 0, MISSING, UNKNOWN]


@pytest.mark.parametrize("labels", [[5, 3, -2], ["5", "3", "-2"], [5, "3", -2, "no"]])
@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_integers_in_every_type_of_column(labels: list[Any], kind: str) -> None:
    limits = np.iinfo(kind)
    cells = [5, 3, 4, 6, 0, int(limits.max), int(limits.min), -2 if limits.min < 0 else 5]
    expected = [0, 1, *[UNKNOWN] * 5, 2 if limits.min < 0 else 0]
    book = Codebook(labels, "categories")
    assert book.codes(pa.array(cells, getattr(pa, kind)())).tolist() == expected
    assert book.codes(pa.array([*cells, None], getattr(pa, kind)())).tolist() == [*expected, MISSING]


@given(
    st.lists(st.integers(-300, 300), min_size=1, max_size=9, unique=True), st.lists(st.integers(-(2**63), 2**63 - 1))
)
def test_the_table_of_integers_knows_what_the_text_knows(labels: list[int], cells: list[int]) -> None:
    book = Codebook(labels, "categories")
    cells = [*cells, *labels, *(label + 1 for label in labels)]
    assert book.codes(pa.array(cells, pa.int64())).tolist() == [book.code(str(cell)) for cell in cells]


@pytest.mark.parametrize("labels", [[1, "1"], [(1, 2), "(1, 2)"]])
def test_labels_that_are_written_alike(labels: list[Any]) -> None:
    with pytest.raises(InputError, match="categories: two labels are written"):
        Codebook(labels, "categories")


def test_labels_that_differ_by_blanks_are_told_apart_as_they_stand() -> None:
    book = Codebook(["a", " a"], "categories")
    assert [book.code(cell) for cell in ("a", " a", "a ")] == [0, 1, UNKNOWN]


def test_the_dictionary_of_a_column_has_all_labels_in_their_order() -> None:
    column = column_of(np.array([2, 2], np.uint8), ["z", "a", (1, 2)])
    assert column.dictionary.to_pylist() == ["z", "a", "(1, 2)"]
    assert column.to_pylist() == ["(1, 2)"] * 2
    assert column.type == released_type(["z"])


def test_integers_stay_integers_if_they_have_64_bits() -> None:
    assert column_of(np.array([1, 0]), [7, -1]).to_pylist() == [-1, 7]
    assert column_of(np.array([1, 0]), [7, 2**63]).to_pylist() == ["9223372036854775808", "7"]
    assert released_type([7, 2**63 - 1]) == pa.int64()


@pytest.mark.parametrize(
    "labels",
    [[0, 1, 2], [-1, 0, 1], [2**63 - 3, 2**63 - 2, 2**63 - 1], [5], [0, 2, 1], [2, 1, 0], [-(2**63), 2**63 - 1, 0]],
)
@pytest.mark.parametrize("count", [0, 7, BLOCK + 1])
def test_integers_given_by_their_positions(labels: list[int], count: int) -> None:
    codes = (np.arange(count) % len(labels)).astype(np.uint8)
    column = taken(np.array(labels, np.int64), codes)
    assert column.dtype == np.int64
    assert (column == np.array(labels, np.int64)[codes]).all()
