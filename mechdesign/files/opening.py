"""Opening files to read, so that what is no file of the expected kind is said at once."""

import contextlib
import hashlib
import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from mechdesign.errors import InputError

CHUNK = 1 << 20
"""Bytes read at once for a digest."""


@contextlib.contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file to read its bytes; folders, pipes and devices, which may never end, are refused before.

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
    try:
        if kind := _other_kind(Path(path).stat().st_mode):
            raise InputError(f"cannot be read: this is {kind}", source=str(path))
        with Path(path).open("rb") as file:
            yield file
    except FileNotFoundError:
        raise InputError("no such file", source=str(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", source=str(path)) from None


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
            raise InputError(f"expected {expected}, found binary data", source=str(path)) from None


def sha256_of(path: str | os.PathLike[str]) -> str:
    """Return the SHA-256 digest of a file's bytes, as `sha256sum` prints it."""
    with opened(path) as file:
        digest = hashlib.sha256()
        while chunk := file.read(CHUNK):
            digest.update(chunk)
        return digest.hexdigest()
