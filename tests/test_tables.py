"""Reading tables from files: CSV, Parquet, Feather, Arrow."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import feather, parquet

import mechdesign as md
from mechdesign.files.scan import read_table

RECORDS: dict[str, list[Any]] = {"user": ["ann", "bob"], "usage": [10, 2]}


def fault_in(content: bytes, folder: Path, name: str = "table.csv") -> list[str]:
    file = folder / name
    file.write_bytes(content)
    with pytest.raises(md.InputError) as error:
        read_table(file)
    assert error.value.source == str(file)
    return error.value.faults


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("a,b\n1,2\n3,4\n", {"a": ["1", "3"], "b": ["2", "4"]}),
        ("a,b\r\n1,2\r\n", {"a": ["1"], "b": ["2"]}),
        ("\ufeffa,b\n1,2", {"a": ["1"], "b": ["2"]}),
        ('a,b\n"1,\n1","say ""x"""\n', {"a": ["1,\n1"], "b": ['say "x"']}),
        ("a,b\n\n1,\n\n\n", {"a": ["", "1"], "b": ["", ""]}),
        ("a\n1\n\n3\n\n", {"a": ["1", "", "3"]}),
        (",größe\n0,klein\n", {"": ["0"], "größe": ["klein"]}),
        ("a,b\n", {"a": [], "b": []}),
    ],
)
def test_csv_is_read_as_text(text: str, columns: dict[str, list[str]], tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_bytes(text.encode())
    assert read_table(file) == columns


@pytest.mark.parametrize(
    ("content", "faults"),
    [
        (b"", ["expected a header row, found an empty file"]),
        (b"\n\n", ["expected a header row, found an empty file"]),
        (b"a,\x00\xff\n", ["expected text in UTF-8, found binary data (line 1, byte 4 of the file (0xff))"]),
        (b"a,a,b,a\n", ["column 'a': 3 columns have that name"]),
        (b'a,b\n1,"2', ["not CSV at line 2: unexpected end of data"]),
        (b'a,b\n1,"2"3\n', ["not CSV at line 2: ',' expected after '\"'"]),
        (
            b"a,b\n1\n1,2\n1,2,3\n",
            [
                "line 2: expected 2 cells, as in the header, found 1",
                "line 4: expected 2 cells, as in the header, found 3",
            ],
        ),
    ],
)
def test_what_is_no_csv_is_refused(content: bytes, faults: list[str], tmp_path: Path) -> None:
    assert fault_in(content, tmp_path) == faults


def test_a_nul_is_refused_with_its_line(tmp_path: Path) -> None:
    assert fault_in(b"a,b\n1,\x002\n", tmp_path) == ["line 2: expected text, found a NUL"]


def test_all_ragged_lines_are_found(tmp_path: Path) -> None:
    faults = fault_in(b"a,b\n" + b"1\n" * 9, tmp_path)
    assert len(faults) == 9


@pytest.mark.parametrize("name", ["nowhere.csv", "nowhere.parquet", "nowhere.feather"])
def test_a_missing_file_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(md.InputError) as error:
        read_table(tmp_path / name)
    assert str(error.value) == f"{tmp_path / name}: no such file"


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(md.InputError, match="cannot be read: this is a folder"):
        read_table(tmp_path)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("table.parquet", parquet.write_table),
        ("table.PQ", parquet.write_table),
        ("table.feather", feather.write_feather),
        ("table.arrow", feather.write_feather),
    ],
)
def test_arrow_files_give_the_same_graph(name: str, write: Callable[..., object], tmp_path: Path) -> None:
    write(pa.table(RECORDS), str(tmp_path / name))
    assert read_table(tmp_path / name) == RECORDS


@pytest.mark.parametrize("name", ["table.parquet", "table.feather", "table.arrow"])
@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"PAR1\x00\x00PAR1"])
def test_what_is_no_arrow_file_is_refused(name: str, content: bytes, tmp_path: Path) -> None:
    (fault,) = fault_in(content, tmp_path, name)
    assert fault.startswith("expected a Parquet, Feather or Arrow file: ")


def test_an_arrow_file_with_a_column_named_twice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "table.arrow"
    table = pa.table([["a"], ["b"]], names=["x", "x"])
    with pa.OSFile(str(file), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    with pytest.raises(md.InputError, match="column 'x': 2 columns have that name"):
        read_table(file)
