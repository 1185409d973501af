"""Delimited text: encoding and delimiter are recognised, or named with the option that helps."""

import csv
import io
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechdesign import InputError
from mechdesign.files.delimited import Layout, Sheet, read_sheet

TABLE = "Größe,Zahl\nklein,1\ngroß,2\n"


def sheet(folder: Path, content: str | bytes, layout: Layout | None = None, *, numbers: bool = False) -> Sheet:
    path = folder / "t.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_sheet(path, layout or Layout(), numbers=numbers)


def fault(folder: Path, content: str | bytes, layout: Layout | None = None, *, numbers: bool = False) -> str:
    with pytest.raises(InputError) as caught:
        sheet(folder, content, layout, numbers=numbers)
    assert caught.value.source == str(folder / "t.csv")
    (only,) = caught.value.faults
    return only


class TestEncoding:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
    def test_recognised(self, tmp_path: Path, encoding: str) -> None:
        assert sheet(tmp_path, TABLE.encode(encoding)).rows[0] == ["Größe", "Zahl"]

    @pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "iso-8859-15", "cp850", "utf-16-le"])
    def test_named(self, tmp_path: Path, encoding: str) -> None:
        found = sheet(tmp_path, TABLE.encode(encoding), Layout(encoding=encoding))
        assert (found.rows[2], found.words) == (["groß", "2"], [f"encoding {encoding}"])

    def test_never_guessed(self, tmp_path: Path) -> None:
        """The message names line and byte, and shows what the text would be."""
        place = "line 1, byte 3 of the file (0xf6): not UTF-8; --encoding latin-1 (or cp1252) helps if it should read"
        assert fault(tmp_path, TABLE.encode("latin-1")) == f"{place} 'Größe,Zahl'"
        place = "line 2, byte 5 of the file (0x80): not UTF-8; --encoding cp1252 (or latin-1) helps if it should read"
        assert fault(tmp_path, "a\nb,€\n".encode("cp1252")) == f"{place} 'b,€'"

    def test_binary(self, tmp_path: Path) -> None:
        assert "found binary data (line 1, byte 3 of the file (0x81))" in fault(tmp_path, b"a\0\x81")

    def test_the_wrong_name(self, tmp_path: Path) -> None:
        found = fault(tmp_path, b"a,b\n\x81,1\n", Layout(encoding="cp1252"))
        place = "line 2, byte 5 of the file (0x81)"
        assert found == f"{place}: expected text in cp1252, found something else; give another --encoding"
        marked = TABLE.encode("utf-8-sig")
        assert "begins with the mark of utf-8" in fault(tmp_path, marked, Layout(encoding="latin-1"))

    @pytest.mark.parametrize("name", ["klingon", "hex", "rot13", "", "a\0b"])
    def test_no_such_encoding(self, name: str) -> None:
        with pytest.raises(InputError, match="--encoding: expected utf-8, latin-1, cp1252 or so, found"):
            Layout(encoding=name)

    def test_utf_16_without_a_mark(self, tmp_path: Path) -> None:
        for order in ("le", "be"):
            found = fault(tmp_path, "a,b\n1,2\n".encode(f"utf-16-{order}"))
            assert found.endswith(f"if this is UTF-16 without a byte-order mark: --encoding utf-16-{order}")
        assert fault(tmp_path, b"a,b\n1,\x002\n") == "line 2: expected text, found a NUL"

    @given(st.binary(max_size=60), st.sampled_from([None, "latin-1", "utf-16", "cp1252", "utf-7", "idna", "punycode"]))
    def test_any_bytes_are_read_or_refused(self, tmp_path_factory: Any, data: bytes, name: str | None) -> None:
        path = tmp_path_factory.mktemp("bytes") / "t.csv"
        path.write_bytes(data)
        with suppress(InputError):
            assert all(isinstance(cell, str) for row in read_sheet(path, Layout(encoding=name)).rows for cell in row)


class TestDelimiter:
    @pytest.mark.parametrize(("sign", "name"), [(",", "comma"), (";", "semicolon"), ("\t", "tab"), ("|", "bar")])
    def test_recognised_and_named(self, tmp_path: Path, sign: str, name: str) -> None:
        text = f'a{sign}b\n"x{sign}y"{sign}2\n'
        wanted = [["a", "b"], [f"x{sign}y", "2"]]
        for layout in (Layout(), Layout(delimiter=sign), Layout(delimiter=name)):
            found = sheet(tmp_path, text, layout)
            assert (found.rows, found.words) == (wanted, [] if sign == "," else [f"delimiter {name}"])

    def test_the_one_that_splits_evenly(self, tmp_path: Path) -> None:
        assert sheet(tmp_path, "age, years;wage\n1;2\n").rows == [["age, years", "wage"], ["1", "2"]]
        assert sheet(tmp_path, "age;wage\n1,5;2,5\n3,5;4,5\n").rows[1] == ["1,5", "2,5"]

    def test_another_than_the_one_asked_for(self, tmp_path: Path) -> None:
        (tmp_path / "coin.csv").write_text("0.5,0.5\n0.3,0.7\n")
        says = "--delimiter: semicolon was asked for, and leaves one cell in each line; comma gives 2"
        with pytest.raises(InputError, match=says):
            read_sheet(tmp_path / "coin.csv", Layout(delimiter="semicolon"), numbers=True)
        (tmp_path / "one.csv").write_text("1\n1\n")
        rows = read_sheet(tmp_path / "one.csv", Layout(delimiter="semicolon"), numbers=True).rows
        assert rows == [["1"], ["1"]]

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("a,b;c\n1,2;3\n", "comma, 2 cells in each line; semicolon, 2 cells in each line"),
            ("a,b;c\n1\n", "comma, 1 to 2 cells in a line; semicolon, 1 to 2 cells in a line"),
            ('a,b;c\n"1"2\n', "comma, which does not fit the quotes; semicolon, which does not fit the quotes"),
        ],
    )
    def test_not_clear(self, tmp_path: Path, text: str, found: str) -> None:
        says = f"the delimiter is not clear ({found}): say which it is, such as --delimiter comma"
        assert fault(tmp_path, text) == says
        if '"' not in text:
            assert sheet(tmp_path, text, Layout(delimiter=";")).rows[0] == ["a,b", "c"]

    def test_numbers_settle_it(self, tmp_path: Path) -> None:
        """As text both would do; as numbers only one does."""
        for text in ("0,5;0,5\n0,1;0,9\n", "a,b;c\n0,1;0,9\n", ";a,b;c\nx,y;0,1;0,9\n"):
            assert sheet(tmp_path, text, numbers=True).rows[-1][-2:] == ["0,1", "0,9"]
            assert fault(tmp_path, "0,5;0,5\n0,1;0,9\n").startswith("the delimiter is not clear")

    @pytest.mark.parametrize("name", ["", ",,", '"', "\n", "\0", "semi"])
    def test_no_such_delimiter(self, name: str) -> None:
        with pytest.raises(InputError, match="--delimiter: expected comma, semicolon, tab, bar, space or one char"):
            Layout(delimiter=name)

    @given(
        st.sampled_from(",;\t|"),
        st.integers(2, 4).flatmap(
            lambda n: st.lists(st.lists(st.text("ab\n\"'é ,;\t|", max_size=4), min_size=n, max_size=n), min_size=1)
        ),
    )
    def test_what_csv_writes_is_read_back_or_refused(
        self, tmp_path_factory: pytest.TempPathFactory, sign: str, rows: list[list[str]]
    ) -> None:
        """Never wrongly where the first line is of plain words, as a header is."""
        rows = [["name"] * len(rows[0]), *rows]
        text = io.StringIO()
        csv.writer(text, delimiter=sign).writerows(rows)
        path = tmp_path_factory.mktemp("rows") / "t.csv"
        path.write_text(text.getvalue(), encoding="utf-8", newline="")
        assert read_sheet(path).rows == rows


def test_blank_lines_and_lines_of_rows(tmp_path: Path) -> None:
    found = sheet(tmp_path, 'a;b\n\n"1\n2";3\n')
    assert (found.rows, found.lines) == ([["a", "b"], [], ["1\n2", "3"]], [1, 2, 4])


def test_a_cell_of_megabytes_is_refused(tmp_path: Path) -> None:
    assert fault(tmp_path, "a" * 200_000 + ",b\n").startswith("not CSV at line 1: field larger than field limit")
