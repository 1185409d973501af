"""From released data of every kind to the same counts; what is no label is counted, and said with its place."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import mechdesign as md
from mechdesign.release import counts
from mechdesign.release.counts import tally

COIN = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["no", "yes"])
CHAIN = md.design("categorical-chain", epsilon="0.5").mechanism
VALUES, TOWNS = ["yes", "no", "yes", "yes"], ["Ulm", "Ulm", "Jena", "Ulm"]
WHOLE, BY_TOWN = {"all": [1, 3]}, {"Ulm": [1, 2], "Jena": [0, 1]}


def found(released: Any, value: str | None, profile: Any, mechanism: md.Mechanism = COIN) -> dict[Any, list[int]]:
    return {name: row.tolist() for name, row in tally(mechanism, released, value, profile).counts.items()}


def table() -> dict[str, list[str]]:
    return {"town": TOWNS, "answer": VALUES}


@pytest.mark.parametrize(
    "kind",
    [dict, pa.table, lambda columns: pa.table(columns).to_batches()[0], pd.DataFrame, pl.DataFrame],
    ids=["mapping", "arrow", "batch", "pandas", "polars"],
)
def test_tables(kind: Any) -> None:
    assert found(kind(table()), "answer", None) == WHOLE
    assert found(kind(table()), "answer", "town") == BY_TOWN


def test_a_table_with_what_arrow_does_not_know() -> None:
    frame = pd.DataFrame({**table(), "other": [object(), 1, "x", None]})
    assert found(frame, "answer", "town") == BY_TOWN


@pytest.mark.parametrize(
    "kind",
    [list, tuple, np.array, pa.array, pd.Series, pl.Series],
    ids=["list", "tuple", "numpy", "arrow", "pandas", "polars"],
)
def test_columns(kind: Any) -> None:
    assert found(kind(VALUES), None, None) == WHOLE
    assert found(kind(VALUES), None, kind(TOWNS)) == BY_TOWN


@pytest.mark.parametrize(
    ("cells", "names"),
    [
        (pa.array([["a", "1"], ["b", "2"], ["a", "1"]]), [("a", "1"), ("b", "2")]),
        (pa.array([{"town": "a"}, {"town": "b"}, {"town": "a"}]), ["{'town': 'a'}", "{'town': 'b'}"]),
        (pa.RunEndEncodedArray.from_arrays(pa.array([1, 2, 3], pa.int32()), pa.array(["a", "b", "a"])), ["a", "b"]),
        ([["a", ["x"]], ["b", []], ["a", ["x"]]], ["('a', ['x'])", "('b', [])"]),
    ],
    ids=["lists", "records", "runs", "lists in lists"],
)
def test_groups_that_are_no_text(cells: Any, names: list[Any]) -> None:
    assert found(["yes", "no", "yes"], None, cells) == {names[0]: [0, 2], names[1]: [1, 0]}


def test_categoricals_of_other_orders() -> None:
    values = pd.Categorical(VALUES, categories=["yes", "perhaps", "no"])
    assert found(pd.DataFrame({"answer": values}), "answer", None) == WHOLE


@pytest.mark.parametrize("ending", ["csv", "parquet", "feather", "arrow"])
def test_files(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"released.{ending}"
    if ending == "csv":
        path.write_text("town;answer\n" + "".join(f"{t};{v}\n" for t, v in zip(TOWNS, VALUES, strict=True)))
    else:
        (parquet if ending == "parquet" else feather).__dict__[
            f"write_{'table' if ending == 'parquet' else 'feather'}"
        ](pa.table(table()), str(path))
    assert found(path, "answer", None) == WHOLE
    assert found(str(path), "answer", "town") == BY_TOWN


def test_many_batches(tmp_path: Path) -> None:
    """Groups that appear later, in more than one batch."""
    path = tmp_path / "released.parquet"
    parquet.write_table(
        pa.table({"g": [1] * 5 + [2] * 5 + [1] * 5, "v": ["no", "yes", "no"] * 5}), path, row_group_size=4
    )
    assert found(path, "v", "g") == {1: [6, 4], 2: [4, 1]}


def test_profiles_of_a_mechanism_with_different_rows() -> None:
    assert found(["1", "4", "1"], None, ["P3", "P1", "P3"], CHAIN) == {"P1": [0, 0, 0, 1], "P3": [2, 0, 0, 0]}


@pytest.mark.parametrize(
    ("released", "value", "profile", "words"),
    [
        (["yes", "perhaps", None, ""], None, None, "1 cell is none of the mechanism's outputs: text in row 2"),
        (["yes", "perhaps", None, ""], None, None, "2 missing values in rows 3, 4"),
        ({"a": ["x"] * 9}, "a", None, "9 cells are none of the mechanism's outputs: .* and 4 more; expected no, yes"),
        ({"a": ["no"], "b": [None]}, "a", "b", "column 'b': 1 missing value in row 1"),
        ([], None, None, "expected released data, found no rows"),
        ({"a": ["no"]}, "b", None, "column 'b': there is none of that name"),
        ({"a": ["no"]}, "a", "c", "column 'c': there is none of that name"),
        ({"a": ["no"]}, None, None, "value: expected the name of a column, found None"),
        ({"a": ["no"]}, "a", "a", "profile: 'a' is the column that was released; the profile is another"),
        ({"a": ["no"]}, "a", 3, "profile: expected the name of a column, found 3"),
        (pa.table({"a": ["no"]}), "b", None, "column 'b': there is none of that name"),
        (pa.table({"a": ["no"]}), None, None, "value: say which column of the Table holds what was released"),
        (["no"], "a", None, "value: a column's name goes with a file or a table"),
        (["no", "yes"], None, ["Ulm"], "profile: expected one for each of the 2 values, found 1"),
        ({"a": ["no", "yes"], "b": ["Ulm"]}, "a", "b", "profile: expected one for each of the 2 values, found 1"),
        (7, None, None, "expected"),
    ],
)
def test_refused(released: Any, value: str | None, profile: Any, words: str) -> None:
    with pytest.raises(md.InputError, match=words):
        tally(COIN, released, value, profile)


def test_unknown_profiles() -> None:
    with pytest.raises(md.InputError, match="1 cell is none of the mechanism's profiles: text in row 2; expected P1"):
        tally(CHAIN, ["1", "2"], None, ["P1", "P9"])


def test_a_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "released.csv"
    path.write_text("answer\nperhaps\n")
    with pytest.raises(md.InputError, match=r"released\.csv: column 'answer': 1 cell is none"):
        tally(COIN, path, "answer", None)
    path.write_text("answer\n")
    with pytest.raises(md.InputError, match=r"released\.csv: expected released data, found no rows"):
        tally(COIN, path, "answer", None)


def test_groups_that_are_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "MOST_GROUPS", 3)
    with pytest.raises(md.InputError, match="expected at most 3 groups of people, found more"):
        tally(COIN, ["no"] * 4, None, [1, 2, 3, 4])
