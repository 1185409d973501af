"""CSV files hold what was released, whatever stands in labels."""

import csv
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from mechdesign.release.codebook import column_of
from mechdesign.release.sinks import write_csv

LABELS = ["a", 'say "x"', "a,b", "a;b", "new\nline", "cr\r", "", " blank ", "ä", "NA"]


def released(first: list[int], second: list[int], labels: list[str] = LABELS) -> pa.RecordBatch:
    columns = [column_of(np.array(codes, np.uint8), labels) for codes in (first, second)]
    return pa.RecordBatch.from_arrays(columns, ["town", 'the "answer"'])


def content(batches: list[pa.RecordBatch], path: Path, delimiter: str = ",") -> bytes:
    write_csv(batches, batches[0].schema, path, delimiter)
    return path.read_bytes()


def rows(written: bytes, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(written.decode().splitlines(keepends=True), delimiter=delimiter))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_all_pairs_of_labels(delimiter: str, tmp_path: Path) -> None:
    codes = range(len(LABELS))
    batch = released([one for one in codes for _ in codes], [*codes] * len(LABELS))
    batches = [batch, batch.slice(3, 0), batch.slice(5, 7)]
    cells = [[row["town"], row['the "answer"']] for one in batches for row in one.to_pylist()]
    assert rows(content(batches, tmp_path / "out.csv", delimiter), delimiter) == [["town", 'the "answer"'], *cells]


def test_other_columns_and_missing_cells_between(tmp_path: Path) -> None:
    batch = released([0, 1], [1, 0], ["x", "y"])
    schema = batch.schema
    missing = pa.DictionaryArray.from_arrays(pa.array([None, 0], pa.int32()), batch.column(0).dictionary)
    batches = [batch, pa.RecordBatch.from_arrays([missing, batch.column(1)], schema=schema), batch]
    text = [["x", "y"], ["y", "x"]]
    assert rows(content(batches, tmp_path / "out.csv"))[1:] == [*text, ["", "y"], ["x", "x"], *text]
