"""Reading tables from files: CSV, Parquet, Feather, Arrow."""

import re
from pathlib import Path

import pyarrow as pa
import pytest
from cases import NO_TABLES, TABLES
from command import refused

import mechdesign as md
from mechdesign.files.scan import read_table


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
def test_what_is_no_csv_is_refused(content: bytes, fault: str, own_folder: Path) -> None:
    (own_folder / "table.csv").write_bytes(content)
    with pytest.raises(md.InputError, match=re.escape(fault)):
        read_table("table.csv", names=["use", "job"])


@pytest.mark.parametrize(
    "words", ["graph from-table -o graph.json", "sanitise mechanism.json -o o.csv", "estimate mechanism.json"]
)
@pytest.mark.parametrize("content", [b"", b"job,use\na,b\nb,\xe9t\xe9\n"], ids=["empty", "latin-1"])
def test_every_command_that_reads_a_table_says_the_same(words: str, content: bytes, own_folder: Path) -> None:
    (own_folder / "table.csv").write_bytes(content)
    said = refused(*words.split(), "table.csv", "--value", "use", "--profile", "job")
    assert said.startswith(f"mechdesign: table.csv: {NO_TABLES[content]}")


def test_all_ragged_lines_are_found(tmp_path: Path) -> None:
    faults = fault_in(b"a,b\n" + b"1\n" * 1003, tmp_path)
    assert (len(faults), faults[-1]) == (1001, "and 3 more lines")


def test_an_arrow_file_with_a_column_named_twice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "table.arrow"
    table = pa.table([["a"], ["b"]], names=["x", "x"])
    with pa.OSFile(str(file), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    with pytest.raises(md.InputError, match="column 'x': 2 columns have that name"):
        read_table(file)
