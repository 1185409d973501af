"""Reading and writing files: JSON whose numbers stay exact, and writing that never leaves half a file."""

import contextlib
import io
import json
import os
import stat
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, TypeAlias

from mechdesign.errors import InputError
from mechdesign.exact import parse_number

Write: TypeAlias = Callable[[Path], object]
"""What writes a file whole, given where."""

DEEPEST = 100
"""No file of ours nests lists and objects as deeply as this."""

LINE = 110
"""Characters up to which a list of lists, or an object, is written on one line."""


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


def read_json(path: str | os.PathLike[str]) -> Any:
    """Return the JSON value in a file, its numbers as integers and Fractions.

    Raises
    ------
    InputError
        naming the file: missing, unreadable, not text, not JSON (with line and column), nested too
        deeply, a key given twice.
    """
    source = str(path)
    with opened_text(path, "JSON text") as file:
        text = file.read()
    try:
        value = json.loads(text, parse_float=_exact_or_text, parse_constant=str, object_pairs_hook=_no_duplicates)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"not JSON (or cut short) at {place}: {error.msg}", source=source) from None
    except RecursionError:
        raise InputError("not usable JSON: nested too deeply", source=source) from None
    except InputError as error:
        raise InputError(error.faults, source=source) from None
    except ValueError:  # an integer of more digits than Python converts
        raise InputError("not usable JSON: a number has too many digits", source=source) from None
    if _is_deep(value):
        raise InputError("not usable JSON: nested too deeply", source=source)
    return value


def _is_deep(value: Any) -> bool:
    """Return whether lists and objects are nested beyond DEEPEST, without recursion."""
    level = [value]
    for _ in range(DEEPEST):
        level = [part for whole in level if isinstance(whole, dict | list) for part in _parts(whole)]
        if not level:
            return False
    return True


def _parts(whole: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return whole.values() if isinstance(whole, dict) else whole


def _exact_or_text(text: str) -> Any:
    """Keep a number that is out of range as its text, so that validation can say where it stands."""
    try:
        return parse_number(text)
    except InputError:
        return text


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        times = Counter(key for key, _ in pairs)
        twice = next(key for key in times if times[key] > 1)
        raise InputError(f'the key "{twice}" is given twice in one object')
    return result


def write_json(value: Any, path: str | os.PathLike[str]) -> None:
    """Write `value` as JSON, one line per short list; the file appears whole or not at all.

    Raises
    ------
    InputError
        if the value has no form in JSON, or the file cannot be written.
    """
    write_jsons((value, path))


def write_jsons(*files: tuple[Any, str | os.PathLike[str]]) -> None:
    """Write several (value, path), all or none, as `write_json` does.

    Raises
    ------
    InputError
        if a value has no form in JSON, or a file cannot be written.
    """
    write_together(*((path, _writer(value, path)) for value, path in files))


def _writer(value: Any, path: str | os.PathLike[str]) -> Write:
    try:
        text = (dump_json(value) + "\n").encode()
    except (TypeError, ValueError, RecursionError) as error:  # a set; half a surrogate pair; nested too deeply
        raise InputError(f"cannot be written as JSON: {error}", source=str(path)) from None
    return lambda beside: beside.write_bytes(text)


def dump_json(value: Any, indent: int = 0) -> str:
    """Return JSON that people can read: objects and lists are broken over lines only where they are long."""
    if not isinstance(value, dict | list) or not any(isinstance(part, dict | list) for part in _parts(value)):
        flat = json.dumps(value, ensure_ascii=False)
        if len(flat) + indent <= LINE or not isinstance(value, dict):
            return flat
    parts = [dump_json(part, indent + 1) for part in _parts(value)]
    if isinstance(value, dict):
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {part}" for key, part in zip(value, parts, strict=True)]
    start, end = "{}" if isinstance(value, dict) else "[]"
    is_short = sum(map(len, parts)) + 2 * len(parts) + indent <= LINE
    if is_short and not any("\n" in part for part in parts):
        return start + ", ".join(parts) + end
    pad = "\n" + " " * (indent + 1)
    return start + pad + f",{pad}".join(parts) + pad[:-1] + end


def check_file(name: str) -> None:
    """Raise an InputError, before any work is done, unless a file can be written there; links are followed."""
    path = Path(os.path.realpath(name))
    if not path.parent.is_dir():
        raise InputError("the folder does not exist; nothing was computed", source=name)
    if path.exists() and not path.is_file():
        raise InputError("cannot be written: this is no regular file", source=name or "the file to write")


def check_folder(folder: str, purpose: str) -> None:
    """Raise an InputError, before any work is done, unless a folder is there or `made_folder` can make it."""
    path = Path(os.path.realpath(folder))
    if not path.is_dir() and (path.exists() or not path.parent.is_dir()):
        raise InputError(f"expected a folder, {purpose}; nothing was computed", source=folder)


def made_folder(folder: str | os.PathLike[str]) -> Path:
    """Return a folder's path; it is made if it was not there.

    Raises
    ------
    InputError
        if it cannot be made.
    """
    path = Path(folder)
    try:
        Path(os.path.realpath(path)).mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", source=str(folder)) from None
    return path


def write_atomically(path: str | os.PathLike[str], write: Write) -> None:
    """Call `write` with a file beside `path`, then rename it: an interruption leaves the old file as it was.

    Where `path` is a symbolic link, the file that it leads to is replaced, and the link stays.

    Raises
    ------
    InputError
        if the folder does not exist or cannot be written.
    """
    write_together((path, write))


def write_together(*files: tuple[str | os.PathLike[str], Write]) -> None:
    """Write several files as `write_atomically` does; only when all are whole are they renamed, in this order.

    Raises
    ------
    InputError
        if a folder does not exist or cannot be written.
    """
    written: list[str] = []
    with contextlib.ExitStack() as stack:
        beside = [stack.enter_context(_beside(path, write)) for path, write in files]
        for new, (path, _) in zip(beside, files, strict=True):
            try:
                new.replace(os.path.realpath(path))
            except OSError as error:  # such as another's file in a folder for all
                rest = f"; {', '.join(written)} was written" if written else ""
                raise InputError(f"cannot be written: {error.strerror}{rest}", source=str(path)) from None
            written.append(str(path))


@contextlib.contextmanager
def _beside(path: str | os.PathLike[str], write: Write) -> Iterator[Path]:
    """Yield a new file, written, in the folder of the one that `path` leads to; it goes unless it was renamed."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise InputError("cannot be written: this is no regular file", source=str(path) or "the file to write")
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.stem}-", suffix=target.suffix)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", source=str(path)) from None
    os.close(handle)
    beside = Path(name)
    try:
        try:
            write(beside)
            beside.chmod(0o666 & ~_umask())
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", source=str(path)) from None
        yield beside
    finally:
        with contextlib.suppress(FileNotFoundError):
            beside.unlink()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
