"""CSV files of any size: blocks of text become record batches of text.

A blank line is a row of blank cells, so that rows have the numbers that a person counts below the heading; at the end
of a file it is nothing.
"""

import os
from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
from pyarrow import csv

from mechdesign.errors import InputError
from mechdesign.files.delimited import Dialect, Layout, read_head, uneven_lines
from mechdesign.files.opening import check_text
from mechdesign.files.source import Source, Wanted
from mechdesign.files.tables import check_columns

BLOCK = 1 << 20
"""Bytes of text that become one batch; no cell is longer. Tuned on 4e6 rows: 4 MiB are slower and take more memory."""

TAIL = 1 << 16
"""Bytes at the end of a file in which blank lines are looked for."""

NO_ROWS = "CSV parse error: Empty CSV file"
"""What Arrow says of a heading that ends the file, without an end of its line."""

AHEAD = 2
"""Batches that are asked for before they are needed: another thread makes them while those before are worked on."""

T = TypeVar("T")

CODED = pa.dictionary(pa.int32(), pa.string())

UNREAD = pa.dictionary(pa.int32(), pa.binary())
"""What need not be there need not be text either: no file is refused for it."""


def csv_source(path: str | os.PathLike[str], wanted: Wanted | None, layout: Layout) -> Source:
    """Return the wanted columns of a CSV file, or all, as text.

    Raises
    ------
    InputError
        naming the file, and the option that helps where encoding or delimiter are not clear.
    """
    head = read_head(path, layout)
    wanted = Wanted((), tuple(head.rows[0])) if wanted is None else wanted.among(head.rows[0])
    check_columns(head.rows[0], wanted.names)
    dialect = head.dialect
    if dialect.delimiter == " " or not dialect.delimiter.isascii():
        expected = "expected comma, semicolon, tab, bar or another ASCII character for a table of any size"
        raise InputError(f"--delimiter: {expected}, found {dialect.delimiter!r}")
    types = {name: CODED if name in wanted.coded else pa.string() for name in wanted.names}
    types |= dict.fromkeys(wanted.if_there, UNREAD)
    file = pa.OSFile(str(path))
    size = max(Path(path).stat().st_size, 1)
    batches = read_ahead(_batches(path, file, dialect, types))

    def close() -> None:
        batches.close()
        file.close()

    return Source(
        schema=pa.schema(types.items()),
        rows=None,
        batches=batches,
        share=lambda: 1.0 if file.closed else min(file.tell() / size, 1.0),
        close=close,
        delimiter=dialect.delimiter,
    )


def read_ahead(items: Generator[T, None, None]) -> Generator[T, None, None]:
    """Yield the same items, none of them None, each made by another thread; an error comes where it would come.

    Closing it waits for the item that is being made, and closes `items`.

    Examples
    --------
    >>> list(read_ahead(text for text in ["yes", "no"]))
    ['yes', 'no']
    """
    with closing(items), ThreadPoolExecutor(1, "read-ahead") as reader:
        coming: deque[Future[T | None]] = deque(reader.submit(next, items, None) for _ in range(AHEAD))
        try:
            while (item := coming.popleft().result()) is not None:
                coming.append(reader.submit(next, items, None))
                yield item
        finally:
            for one in coming:
                one.cancel()


def _batches(
    path: str | os.PathLike[str], file: Any, dialect: Dialect, types: dict[str, Any]
) -> Generator[Any, None, None]:
    try:
        reader = csv.open_csv(
            file,
            read_options=csv.ReadOptions(block_size=BLOCK, use_threads=False, encoding=_name(dialect.encoding)),
            parse_options=csv.ParseOptions(
                delimiter=dialect.delimiter, newlines_in_values=True, ignore_empty_lines=False
            ),
            convert_options=csv.ConvertOptions(column_types=types, include_columns=list(types)),
            memory_pool=pa.system_memory_pool(),  # the usual one keeps what it once had
        )
        with closing(reader):
            yield from _without_last(reader, _blank_at_the_end(path, dialect.encoding))
    except UnicodeError:
        raise _no_text(path, dialect.encoding) from None
    except pa.ArrowInvalid as error:
        if not str(error).startswith(NO_ROWS):
            raise _fault(path, dialect, str(error)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}") from None


def _blank_at_the_end(path: str | os.PathLike[str], encoding: str) -> int:
    """Return how many blank lines a file ends with, of which `TAIL` bytes at most are looked at."""
    with Path(path).open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        is_marked = encoding in ("utf-16", "utf-32")  # then the beginning alone says in which order the bytes are
        file.seek(0 if is_marked else max(0, size - TAIL) // 4 * 4)  # a character may have two bytes, or four
        text = file.read().decode(encoding, errors="replace")
    return max(0, len((text[len(text.rstrip("\r\n")) :]).splitlines()) - 1)


def _without_last(batches: Iterable[pa.RecordBatch], rows: int) -> Generator[Any, None, None]:
    """Yield record batches without their last so many rows."""
    kept: deque[pa.RecordBatch] = deque()
    held = 0
    for batch in batches:
        kept.append(batch)
        held += len(batch)
        while kept and held - len(kept[0]) >= rows:
            held -= len(kept[0])
            yield kept.popleft()
    for batch in kept:
        if held > rows:
            yield batch.slice(0, held - rows)
        held -= len(batch)


def _name(encoding: str) -> str:
    """Return the name by which Arrow knows UTF-8, which it need not translate."""
    return "utf8" if encoding.lower().replace("_", "-") in ("utf-8", "utf8", "utf-8-sig") else encoding


def _no_text(path: str | os.PathLike[str], encoding: str) -> InputError:
    try:
        check_text(path, encoding)
    except InputError as error:
        return error
    return InputError(f"expected text in {encoding}, found something else")


def _fault(path: str | os.PathLike[str], dialect: Dialect, words: str) -> InputError:
    """Return what Arrow says of a file in the words of its user."""
    if "invalid UTF8" in words:
        return _no_text(path, dialect.encoding)
    if "straddl" in words:
        return InputError(f"expected cells of less than {BLOCK:,} bytes, found a longer one; is a quote never closed?")
    uneven = uneven_lines(path, dialect)  # Arrow says of the first one alone in which row it is, and what stands there
    return InputError(uneven or "not a CSV table: it cannot be split into rows")
