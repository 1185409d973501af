"""Reading tables from files: CSV, Parquet, Feather, Arrow."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from cases import NO_TABLES, TABLES
from command import refused
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


@pytest.mark.parametrize(("content", "columns"), TABLES.items())
def test_csv_is_read_as_text(content: bytes, columns: dict[str, list[str]], tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_bytes(content)
    assert read_table(file) == columns


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    coin = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["b", "c"])
    md.write_mechanism(coin, tmp_path / "mechanism.json")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("content", "fault"), NO_TABLES.items())
def test_what_is_no_csv_is_refused_in_the_same_words(content: bytes, fault: str, own_folder: Path) -> None:
    """By every command that reads a table: with its name, and nothing is written."""
    (own_folder / "table.csv").write_bytes(content)
    named = ["table.csv", "--value", "use", "--profile", "job"]
    for words in (
        ["graph", "from-table", *named, "-o", "graph.json"],
        ["sanitise", "mechanism.json", *named, "-o", "out.csv"],
        ["estimate", "mechanism.json", *named],
    ):
        said = refused(*words).replace(" Did you", "; did you")
        assert said.startswith("mechdesign: table.csv: ")
        assert fault in said
    with pytest.raises(md.InputError, match=re.escape(fault)):
        read_table("table.csv", names=["use", "job"])


def test_all_ragged_lines_are_found(tmp_path: Path) -> None:
    faults = fault_in(b"a,b\n" + b"1\n" * 1003, tmp_path)
    assert (len(faults), faults[-1]) == (1001, "and 3 more lines")


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
