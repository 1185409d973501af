"""Delimited text: the rows of a CSV file in whatever encoding and delimiter, or an error that names the option to give.

`read_sheet` reads a file whole; `read_head` looks at the beginning of one of any size.

- Encoding: see `mechdesign.files.opening`.
- Delimiter: the one of comma, semicolon, tab and bar that splits the first line; if several do, the one that splits
  all lines evenly. Numbers may stand apart by spaces too.
"""

import codecs
import contextlib
import csv
import io
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mechdesign.errors import InputError, Remark
from mechdesign.exact.text import shown
from mechdesign.files.numerals import is_numeral
from mechdesign.files.opening import decoded, opened
from mechdesign.words import counted

NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "space"}
"""The delimiters that are recognised, and how they may be written."""

HEAD = 1 << 18
"""Bytes at the beginning of a large file by which its delimiter is recognised."""

LISTED = 1000
"""Uneven lines of a file are listed up to this many."""


@dataclass(frozen=True)
class Layout:
    """How a text file is written, by its user's word; None: to be recognised.

    Raises
    ------
    InputError
        if there is no such encoding or delimiter.

    Examples
    --------
    >>> Layout(delimiter="tab").delimiter
    '\\t'
    """

    encoding: str | None = None
    delimiter: str | None = None

    def __post_init__(self) -> None:
        if self.encoding is not None:
            try:
                known = codecs.lookup(self.encoding)._is_text_encoding
            except (LookupError, ValueError):  # a NUL in the name
                known = False
            if not known:
                raise InputError(f"--encoding: expected utf-8, latin-1, cp1252 or so, found {shown(self.encoding)}")
        if self.delimiter is not None:
            spelled = {name: sign for sign, name in NAMES.items()} | {"\\t": "\t"}
            sign = spelled.get(self.delimiter, self.delimiter)
            if len(sign) != 1 or sign in '"\r\n\0':
                names = ", ".join(NAMES.values())
                raise InputError(f"--delimiter: expected {names} or one character, found {shown(self.delimiter)}")
            object.__setattr__(self, "delimiter", sign)


RECOGNISED = Layout()


@dataclass(frozen=True)
class Dialect:
    """How a delimited file of numbers is written; what it says is recognised or asked for by its reader."""

    delimiter: str = ","
    encoding: str = "utf-8"
    commas: bool = False

    @property
    def layout(self) -> Layout:
        """What a reader is told of it."""
        return Layout(self.encoding, self.delimiter)

    def words(self) -> list[str]:
        """Return what of it is not as usual.

        Examples
        --------
        >>> Dialect(";", commas=True).words()
        ['delimiter semicolon', 'decimal commas']
        """
        said = [] if self.encoding == "utf-8" else [f"encoding {self.encoding}"]
        said += [] if self.delimiter == "," else [f"delimiter {NAMES.get(self.delimiter, self.delimiter)}"]
        return said + ["decimal commas"] * self.commas


USUAL = Dialect()


@dataclass(frozen=True)
class Sheet:
    """The rows of a delimited text file.

    Attributes
    ----------
    rows
        cells as text; a blank line is a row without cells.
    lines
        the line on which each row ends, counted from 1.
    dialect
        how it is written.
    """

    rows: list[list[str]]
    lines: list[int]
    dialect: Dialect

    @property
    def filled(self) -> list[tuple[int, list[str]]]:
        """The rows that are not blank, and their lines."""
        return [(line, row) for line, row in zip(self.lines, self.rows, strict=True) if row]

    @property
    def words(self) -> list[str]:
        """What was recognised, unless all is as usual: UTF-8 and commas."""
        return self.dialect.words()


def read_sheet(path: str | os.PathLike[str], layout: Layout = RECOGNISED, *, numbers: bool = False) -> Sheet:
    """Return the rows of a delimited text file; with `numbers`, of one that holds numbers but for its labels.

    Raises
    ------
    InputError
        naming the file, and the option that helps where encoding or delimiter are not clear.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "usage.csv"
    >>> _ = file.write_text("job;usage\\nclerk;low\\n")
    >>> read_sheet(file).rows
    [['job', 'usage'], ['clerk', 'low']]
    """
    with opened(path) as file:
        return _sheet(file.read(), layout, numbers=numbers)


def read_head(path: str | os.PathLike[str], layout: Layout = RECOGNISED) -> Sheet:
    """Return the first rows of a delimited file, the names of its columns among them: those in `HEAD` bytes.

    Raises
    ------
    InputError
        naming the file, and the option that helps where encoding or delimiter are not clear; or without such names.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "usage.csv"
    >>> _ = file.write_text("job;usage\\nclerk;low\\n")
    >>> read_head(file).rows[0]
    ['job', 'usage']
    """
    with opened(path) as file:
        data = file.read(HEAD)
        is_cut = bool(file.read(1))
        sheet = _sheet(data, layout, is_cut=is_cut)
        if not any(cell.strip() for row in sheet.rows[:1] for cell in row):
            found = "a blank line; leave it out" if sheet.rows else f"one of more than {HEAD:,} bytes"
            found = found if is_cut or any(map(any, sheet.rows)) else "an empty file"
            raise InputError(f"expected a header row, found {found}")
        if sheet.rows[0][0].lower().startswith("sep="):  # whole, or cut at the delimiter that it names
            raise InputError("expected a header row, found Excel's line sep=; leave it out")
    return sheet


def uneven_lines(path: str | os.PathLike[str], dialect: Dialect) -> list[str]:
    """Return as faults the lines of a file of any size with more cells than its heading, or fewer."""
    faults: list[str] = []
    left = 0
    with Path(path).open(encoding=dialect.encoding, errors="replace", newline="") as file:
        reader = csv.reader(file, delimiter=dialect.delimiter)
        with contextlib.suppress(csv.Error):  # a cell of more than 131072 characters
            for fault in uneven((reader.line_num, row) for row in reader):
                if len(faults) < LISTED:
                    faults.append(fault)
                else:
                    left += 1
    return faults + [Remark(f"and {left} more lines", left)] * (left > 0)


def uneven(lines: Iterable[tuple[int, Sequence[str]]]) -> Iterator[str]:
    """Yield as faults which lines, by their numbers, have more cells than the first, or fewer; blank ones have none."""
    width = 0
    for number, cells in lines:
        width = width or len(cells)
        if cells and len(cells) != width:
            yield f"line {number}: expected {counted(width, 'cell')}, as in the header, found {len(cells)}"


def _sheet(data: bytes, layout: Layout, *, numbers: bool = False, is_cut: bool = False) -> Sheet:
    """Return the rows in a file's bytes; of those that are cut off, all but the last one."""
    text, encoding = decoded(data, layout.encoding, is_cut)
    delimiter = layout.delimiter or _recognised(text, numbers, is_cut)
    rows, lines = _split(text, delimiter, is_cut)
    if numbers and layout.delimiter and max(map(len, rows), default=0) == 1:
        _check_one_cell(text, delimiter)
    return Sheet(rows, lines, Dialect(delimiter, encoding))


def _split(text: str, delimiter: str, is_cut: bool = False) -> tuple[list[list[str]], list[int]]:
    """Return the rows and their lines; of a text that is cut off, those before the last one, or before a fault."""
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=delimiter == " "
    )
    rows, lines = [], []
    try:
        for row in reader:
            rows.append(row)
            lines.append(reader.line_num)
        if is_cut:
            del rows[-1:], lines[-1:]
    except csv.Error as error:  # a quote that is never closed
        if not is_cut:
            quote = "; is a quote never closed?" * ("unexpected end" in str(error))
            raise InputError(f"not CSV at line {reader.line_num}: {error}{quote}") from None
    if delimiter == " ":  # spaces at the ends of lines delimit nothing
        rows = [[cell for cell in row if cell] for row in rows]
    return rows, lines


def _check_one_cell(text: str, asked: str) -> None:
    """Raise an InputError if another delimiter splits lines that the one asked for leaves whole."""
    try:
        other = _recognised(text, numbers=True)
    except InputError:
        return
    if other != asked and (width := _first_width(text.lstrip("\r\n"), other)) > 1:
        whole = f"--delimiter: {NAMES.get(asked, asked)} was asked for, and leaves one cell in each line"
        raise InputError(f"{whole}; {NAMES[other]} gives {width}")


def _recognised(text: str, numbers: bool, is_cut: bool = False) -> str:
    first = text.lstrip("\r\n")
    candidates = [sign for sign in NAMES if (numbers or sign != " ") and _first_width(first, sign) > 1]
    if len(candidates) < 2:
        return candidates[0] if candidates else ","
    ways = {sign: _rows_or_none(text, sign, is_cut) for sign in candidates}
    even = [sign for sign, rows in ways.items() if rows is not None and len({len(row) for row in rows}) == 1]
    if numbers:
        even = _numeric(even, ways)
    if len(even) == 1:
        return even[0]
    found = "; ".join(f"{NAMES[sign]}, {_widths(rows)}" for sign, rows in ways.items() if sign in even or not even)
    raise InputError(
        f"the delimiter is not clear ({found}): say which it is, such as --delimiter {NAMES[candidates[0]]}"
    )


def _first_width(text: str, delimiter: str) -> int:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=delimiter == " ")
    try:
        return sum(bool(cell) for cell in next(reader, ())) if delimiter == " " else len(next(reader, ()))
    except csv.Error:  # a cell of more than 131072 characters
        return 0


def _rows_or_none(text: str, delimiter: str, is_cut: bool) -> list[list[str]] | None:
    """Return the rows that are not blank, if quotes and this delimiter fit together."""
    try:
        return [row for row in _split(text, delimiter, is_cut)[0] if row]
    except InputError:
        return None


def _numeric(even: list[str], ways: dict[str, list[list[str]] | None]) -> list[str]:
    """Return the delimiters that leave nothing but numbers; if none does, numbers but for a first row and column."""
    for labels in (0, 1):
        left = [s for s in even if all(is_numeral(cell) for row in (ways[s] or [])[labels:] for cell in row[labels:])]
        if left:
            return left
    return even


def _widths(rows: list[list[str]] | None) -> str:
    if rows is None:
        return "which does not fit the quotes"
    widths = [len(row) for row in rows]
    least, most = min(widths), max(widths)
    return f"{least} cells in each line" if least == most else f"{least} to {most} cells in a line"


def as_read(normalise: bool, layout: Layout) -> list[str]:
    """Return the options with which a matrix was read, for another command that reads it.

    Examples
    --------
    >>> as_read(True, Layout(delimiter=";"))
    ['--normalise', '--delimiter', ';']
    """
    given = {"--encoding": layout.encoding, "--delimiter": layout.delimiter}
    pairs = [word for option, value in given.items() if value is not None for word in (option, value)]
    return ["--normalise"] * normalise + pairs
