"""Opening files to read, so that what is no file of the expected kind, or no text in its encoding, is said at once.

Text is in UTF-8, in what a byte-order mark says, or in the encoding that is named: the same bytes are other letters in
another.
"""

import codecs
import contextlib
import hashlib
import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from mechdesign.errors import InputError, telling
from mechdesign.exact.text import shown

CHUNK = 1 << 20
"""Bytes read at once of a file that may be large: for a digest, or to find what is no text."""


@contextlib.contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file to read its bytes; folders, pipes and devices, which may never end, are refused before.

    Errors within are of this file, unless they name another.

    Raises
    ------
    InputError
        naming the file: missing, no regular file, unreadable, also later on.

    Examples
    --------
    >>> with opened("/"):
    ...     pass
    Traceback (most recent call last):
    mechdesign.errors.InputError: /: cannot be read: this is a folder
    """
    with telling(source=str(path)):
        try:
            if kind := _other_kind(Path(path).stat().st_mode):
                raise InputError(f"cannot be read: this is {kind}")
            with Path(path).open("rb") as file:
                yield file
        except FileNotFoundError:
            raise InputError("no such file") from None
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}") from None


def _other_kind(mode: int) -> str | None:
    """Return what is no regular file, in words."""
    if stat.S_ISREG(mode):
        return None
    if stat.S_ISDIR(mode):
        return "a folder"
    kind = "a pipe" if stat.S_ISFIFO(mode) else "a device" if stat.S_ISCHR(mode) or stat.S_ISBLK(mode) else "no file"
    return f"{kind}; write what it gives to a file, and give that"


@contextlib.contextmanager
def opened_text(path: str | os.PathLike[str], expected: str) -> Iterator[IO[str]]:
    """Open a file to read its text, in UTF-8, every end of a line as it is.

    Raises
    ------
    InputError
        as from `opened`; or where there is no such text, what was expected.
    """
    with opened(path) as file:
        try:
            yield io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
        except UnicodeDecodeError:
            raise InputError(f"expected {expected}, found binary data") from None


def sha256_of(path: str | os.PathLike[str]) -> str:
    """Return the SHA-256 digest of a file's bytes, as `sha256sum` prints it."""
    with opened(path) as file:
        digest = hashlib.sha256()
        while chunk := file.read(CHUNK):
            digest.update(chunk)
        return digest.hexdigest()


MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32",  # begins like the one of UTF-16
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def decoded(data: bytes, asked: str | None, is_cut: bool = False) -> tuple[str, str]:
    """Return the text, without a byte-order mark, and its encoding; a character that is cut off is left out.

    Raises
    ------
    InputError
        with the place of what is no text, and the option that helps.

    Examples
    --------
    >>> decoded("préfet".encode("latin-1"), "latin-1")
    ('préfet', 'latin-1')
    """
    text, encoding = _decoded(data, asked, is_cut)
    if "\0" in text:
        raise InputError(_nul(text))
    return text, encoding


def _decoded(data: bytes, asked: str | None, is_cut: bool) -> tuple[str, str]:
    marked = next((name for mark, name in MARKS.items() if data.startswith(mark)), None)
    if asked and marked and not codecs.lookup(asked).name.startswith(marked):
        raise InputError(f"--encoding: {asked} was asked for, but the file begins with the mark of {marked}")
    encoding = asked or marked or "utf-8"
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(data, final=not is_cut)
        return text.removeprefix("\ufeff"), encoding
    except UnicodeDecodeError as error:
        raise InputError(_undecodable(data, error.start, encoding)) from None
    except UnicodeError as error:  # what Python's odder encodings raise
        raise InputError(f"not {encoding}: {error}") from None


def check_text(path: str | os.PathLike[str], encoding: str) -> None:
    """Raise an InputError that names the first place in a file, of any size, which is no text in this encoding."""
    decoder = codecs.getincrementaldecoder(encoding)()
    lines = passed = 0
    with opened(path) as file:
        while True:
            chunk = file.read(CHUNK)
            try:
                decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                early = len(error.object) - len(chunk)  # bytes of a character that began in the chunk before
                fault = _undecodable(error.object, error.start, encoding, lines, passed - early)
                raise InputError(fault) from None
            except UnicodeError as error:
                raise InputError(f"not {encoding}: {error}") from None
            if not chunk:
                return
            lines += chunk.count(b"\n")
            passed += len(chunk)


def _undecodable(data: bytes, start: int, encoding: str, lines: int = 0, passed: int = 0) -> str:
    """Return what is wrong with a byte of data before which the file has so many lines and bytes."""
    line = lines + data.count(b"\n", 0, start) + 1
    place = f"line {line}, byte {passed + start + 1} of the file (0x{data[start]:02x})"
    if not passed and data.startswith(tuple(MARKS)):
        return f"{place}: expected text in {encoding}, as the byte-order mark says, found binary data"
    if encoding != "utf-8":
        return f"{place}: expected text in {encoding}, found something else; give another --encoding"
    if b"\0" in data:
        return f"expected text in UTF-8, found binary data ({place})"
    windows = any(0x80 <= byte < 0xA0 for byte in data)  # in Latin-1 these are no letters
    likely, other = ("cp1252", "latin-1") if windows else ("latin-1", "cp1252")
    around = data[data.rfind(b"\n", 0, start) + 1 :].partition(b"\n")[0].strip()
    there = start - data.rfind(b"\n", 0, start) - 1
    excerpt = around[max(0, there - 15) : there + 15].decode(likely, errors="replace")
    return f"{place}: not UTF-8; --encoding {likely} (or {other}) helps if it should read {shown(excerpt)}"


def _nul(text: str) -> str:
    where = text.index("\0")
    fault = f"line {text.count(chr(10), 0, where) + 1}: expected text, found a NUL"
    if text.count("\0") * 3 < len(text):
        return fault
    order = "le" if where % 2 else "be"
    return f"{fault}; if this is UTF-16 without a byte-order mark: --encoding utf-16-{order}"
