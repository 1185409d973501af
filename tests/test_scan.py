"""Files of any size as record batches: CSV in all its layouts, Parquet, Arrow, folders; and what is wrong with them."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from mechdesign.errors import InputError
from mechdesign.files.csv_source import BLOCK
from mechdesign.files.delimited import HEAD, Layout
from mechdesign.files.scan import scan

Write = Callable[[pa.Table, str], object]


def write_stream(table: pa.Table, path: str) -> None:
    with pa.OSFile(path, "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)


FILES: list[tuple[str, Write]] = [
    ("table.parquet", parquet.write_table),
    ("table.PQ", parquet.write_table),
    ("table.feather", feather.write_feather),
    ("table.arrow", feather.write_feather),
    ("stream.arrow", write_stream),
]
kinds = pytest.mark.parametrize(("name", "write"), FILES, ids=[name for name, _ in FILES])


def columns(path: Path, *coded: str, keep: tuple[str, ...] = (), layout: Layout | None = None) -> dict[str, Any]:
    with scan(path, coded, keep=keep, layout=layout or Layout()) as stream:
        return dict(pa.Table.from_batches(stream, stream.schema).to_pydict())


def file_of(content: bytes | str, folder: Path, name: str = "table.csv") -> Path:
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def fault_of(path: Path, *coded: str, layout: Layout | None = None) -> list[str]:
    with pytest.raises(InputError) as error:
        columns(path, *coded, layout=layout)
    assert error.value.source == str(path)
    return error.value.faults


@pytest.mark.parametrize(
    ("content", "cells"),
    [
        ("b;a\n0,5;low \n", ["low "]),
        ("a\tb\n often\t2\n", [" often"]),
        ("a|b\nvery often|2\nNA|3\n|4\n", ["very often", "NA", ""]),
        ("a,b\n1,2\n,\n\n\n", ["1", ""]),
        ('a,b\n1,"2\n\n"\n\n3,4', ["1", "", "3"]),
        ("ä,a\n\nö,ü\n\n".encode("utf-16"), ["", "ü"]),
        ("ä,a\nö,ü\n\n\n".encode("utf-32"), ["ü"]),
    ],
)
def test_csv_is_text_in_whatever_layout(content: bytes | str, cells: list[str], tmp_path: Path) -> None:
    """Also in those of TABLES, by test_tables."""
    assert columns(file_of(content, tmp_path), "a") == {"a": cells}


@pytest.mark.parametrize("sign", ["space", "§"])
def test_a_delimiter_that_large_tables_cannot_have(sign: str, tmp_path: Path) -> None:
    (fault,) = fault_of(file_of("a b§c\n", tmp_path), "a", "a b", layout=Layout(delimiter=sign))[:1]
    assert fault.startswith(("--delimiter: expected comma, semicolon, tab", "column 'a"))


def test_columns_come_in_the_order_wanted_and_only_labels_as_dictionaries(tmp_path: Path) -> None:
    file = file_of("a,b,c\n1,2,3\n", tmp_path)
    with scan(file, ["c"], keep=["a"]) as stream:
        assert stream.schema.names == ["c", "a"]
        assert [str(kind.id == pa.lib.Type_DICTIONARY) for kind in stream.schema.types] == ["True", "False"]
        assert stream.delimiter == ","


def test_a_csv_of_many_blocks(tmp_path: Path) -> None:
    rows = 3 * BLOCK // 8
    file = file_of("id,a\n" + "".join(f"{row % 1000},yes\n" for row in range(rows)), tmp_path)
    with scan(file, ["a"], keep=["id"]) as stream:
        seen, shares = 0, []
        for batch in stream:
            seen += len(batch)
            shares.append(stream.share())
    assert seen == rows
    assert len(shares) > 2
    assert shares == sorted(shares)
    assert shares[-1] == 1


@pytest.mark.slow
def test_a_fault_far_within_a_csv_has_its_row_and_comes_after_the_rows_before(tmp_path: Path) -> None:
    lines = 6 * BLOCK // 4
    file = file_of("a,b\n" + "1,2\n" * lines + "3\n" + "1,2\n" * BLOCK, tmp_path)
    lengths: list[int] = []
    with (
        scan(file, ["a"]) as stream,
        pytest.raises(InputError, match=f"line {lines + 2}: expected 2 cells, as in the header, found 1$"),
    ):
        lengths.extend(map(len, stream))
    assert lines - BLOCK // 4 <= sum(lengths) <= lines


@pytest.mark.slow
def test_blank_lines_at_the_end_of_many_blocks(tmp_path: Path) -> None:
    rows = 3 * BLOCK // 4
    file = file_of("a,b\n" + "1,2\n" * rows + "\n" * 40_000, tmp_path)
    assert len(columns(file, "a")["a"]) == rows


def test_a_csv_of_which_only_the_beginning_is_read(tmp_path: Path) -> None:
    file = file_of("a,b\n" + "1,2\n" * (9 * BLOCK // 4), tmp_path)
    threads = threading.active_count()
    with scan(file, ["a"]) as stream:
        batches = iter(stream)
        next(batches)
        assert threading.active_count() > threads
    assert threading.active_count() == threads


def test_the_delimiter_is_recognised_by_the_beginning_of_a_large_file(tmp_path: Path) -> None:
    """The first HEAD bytes end within a row, within a quoted cell, and within a letter."""
    row = '"ä,ä\nä";x\n'
    file = file_of("a;b\n" + row * (HEAD // len(row.encode()) + 9), tmp_path)
    assert set(columns(file, "b")["b"]) == {"x"}


def test_a_letter_that_is_none_far_within_a_file(tmp_path: Path) -> None:
    lines = 2 * BLOCK // 4
    file = file_of(b"a,b\n" + b"1,2\n" * lines + "größe,1\n".encode("latin-1"), tmp_path)
    (fault,) = fault_of(file, "a")
    assert fault.startswith(f"line {lines + 2}, byte {4 * lines + 7} of the file (0xf6): not UTF-8; --encoding latin-1")
    assert "'größe,1'" in fault


def test_the_wrong_encoding(tmp_path: Path) -> None:
    lines = 2 * BLOCK // 4
    file = file_of(b"a,b\n" + b"1,2\n" * lines + b"\x81\xff,1\n", tmp_path)
    (fault,) = fault_of(file, "a", layout=Layout("shift_jis"))
    assert "expected text in shift_jis, found something else; give another --encoding" in fault


def test_a_cell_without_an_end(tmp_path: Path) -> None:
    file = file_of("a,b\n" + "1,2\n" * 9 + '"' + "1,2\n" * BLOCK, tmp_path)
    (fault,) = fault_of(file, "a")
    assert fault == f"expected cells of less than {BLOCK:,} bytes, found a longer one; is a quote never closed?"


@kinds
def test_parquet_and_arrow_keep_types_and_nulls(name: str, write: Write, tmp_path: Path) -> None:
    table = pa.table({"n": [1, 2], "a": ["x", None], "x.y": pa.array(["u", "v"]).dictionary_encode(), "id": [7, 8]})
    write(table, str(tmp_path / name))
    with scan(tmp_path / name, ["a", "n", "x.y"], keep=["id"]) as stream:
        assert stream.schema.names == ["a", "n", "x.y", "id"]
        assert stream.schema.field("id").type == stream.schema.field("n").type == pa.int64()
        assert pa.Table.from_batches(stream, stream.schema).to_pydict() == table.to_pydict()
        assert stream.share() == 1
        assert stream.rows == (2 if name.lower().endswith(("parquet", "pq")) else None)


@kinds
@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"PAR1\x00\x00PAR1", b"ARROW1\x00\x00ARROW1"])
def test_what_is_no_arrow_file(name: str, write: Write, content: bytes, tmp_path: Path) -> None:
    del write
    (fault,) = fault_of(file_of(content, tmp_path, name), "a")
    assert fault.startswith("expected a Parquet, Feather or Arrow file: ")


@kinds
def test_a_column_that_is_not_there(name: str, write: Write, tmp_path: Path) -> None:
    write(pa.table({"usage": ["x"], "job": ["y"]}), str(tmp_path / name))
    fault = "column 'usages': there is none of that name (there are: usage, job); did you mean usage?"
    assert fault_of(tmp_path / name, "usages") == [fault]


def test_the_first_version_of_feather(tmp_path: Path) -> None:
    file = file_of(b"FEA1" + b"\0" * 99 + b"FEA1", tmp_path, "table.feather")
    assert fault_of(file, "a") == ["expected Feather version 2 or Parquet, found Feather version 1"]


def test_an_unreadable_row_group_in_the_middle(tmp_path: Path) -> None:
    file = tmp_path / "table.parquet"
    cells = [f"{part}-{'abc' * 20}" for part in range(3)]
    table = pa.table({"a": [cell for cell in cells for _ in range(10)]})
    parquet.write_table(table, file, row_group_size=10, compression="none", write_statistics=False)
    data = bytearray(file.read_bytes())
    where = data.index(cells[1].encode())
    data[where - 4 : where] = b"\xff" * 4  # the length of the text
    file.write_bytes(bytes(data))
    (fault,) = fault_of(file, "a")
    assert fault.startswith("row group 2 of 3 cannot be read (after 10 rows): ")


def test_a_stream_that_is_cut_short(tmp_path: Path) -> None:
    file = tmp_path / "table.arrow"
    write_stream(pa.table({"a": ["x" * 99] * 99}), str(file))
    file.write_bytes(file.read_bytes()[:-2000])
    (fault,) = fault_of(file, "a")
    assert fault.startswith("a record batch cannot be read (after 0 rows): ")


def test_a_batch_that_cannot_be_read(tmp_path: Path) -> None:
    file = tmp_path / "table.feather"
    feather.write_feather(pa.table({"a": ["x" * 99] * 99}), str(file), compression="zstd", chunksize=33)
    data = bytearray(file.read_bytes())
    magic = b"\x28\xb5\x2f\xfd"
    where = data.rindex(magic)
    data[where : where + 4] = b"\0\0\0\0"
    file.write_bytes(bytes(data))
    (fault,) = fault_of(file, "a")
    assert fault.startswith("record batch 3 of 3 cannot be read (after 66 rows): ")


class TestFolder:
    def test_files_are_read_in_the_order_of_their_names(self, tmp_path: Path) -> None:
        for part, cell in enumerate(["x", "y", "z"]):
            parquet.write_table(pa.table({"a": [cell]}), tmp_path / f"part-{part}.parquet")
        file_of("", tmp_path, "_SUCCESS")
        file_of("", tmp_path, ".part-0.crc")
        assert columns(tmp_path, "a") == {"a": ["x", "y", "z"]}
        with scan(tmp_path, ["a"]) as stream:
            shares = [stream.share() for _ in stream]
        assert shares == [pytest.approx(part / 3) for part in (1, 2, 3)]
        assert stream.rows is None

    def test_a_schema_that_changes(self, tmp_path: Path) -> None:
        parquet.write_table(pa.table({"a": ["x"], "n": [1]}), tmp_path / "0.parquet")
        parquet.write_table(pa.table({"a": pa.array(["x"]).dictionary_encode(), "n": ["1"]}), tmp_path / "1.parquet")
        with pytest.raises(InputError) as error:
            columns(tmp_path, "a", "n")
        assert error.value.source == str(tmp_path / "1.parquet")
        assert error.value.faults == ["column 'n': expected int64, as in 0.parquet, found string"]

    def test_an_empty_folder(self, tmp_path: Path) -> None:
        assert fault_of(tmp_path, "a") == ["expected a folder with tables, found none in it"]
