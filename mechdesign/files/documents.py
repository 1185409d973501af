"""JSON files, read with exact numbers and written for people to read."""

import gzip
import json
import os
from collections import Counter
from collections.abc import Iterable
from typing import Any

from mechdesign.errors import InputError
from mechdesign.exact.numbers import parse_number
from mechdesign.files.opening import opened_text
from mechdesign.files.writing import Write, write_together

DEEPEST = 100
"""No file of ours nests lists and objects as deeply as this."""


PACKING = 6
"""gzip's level: a certificate of 25 MB takes 0.9 s and becomes 5.0 MB; at 9 it takes 3.1 s and becomes 4.9 MB."""

LINE = 110
"""Characters up to which a list of lists, or an object, is written on one line."""


def read_json(path: str | os.PathLike[str]) -> Any:
    """Return the JSON value in a file, its numbers as integers and Fractions.

    Raises
    ------
    InputError
        naming the file: missing, unreadable, not text, not JSON (with line and column), nested too
        deeply, a key given twice.
    """
    with opened_text(path, "JSON text") as file:
        try:
            return parse_json(file.read())
        except json.JSONDecodeError as error:
            place = f"line {error.lineno}, column {error.colno}"
            raise InputError(f"not JSON (or cut short) at {place}: {error.msg}") from None


def parse_json(text: str) -> Any:
    """Return the JSON value that a text is, its numbers as integers and Fractions.

    Raises
    ------
    json.JSONDecodeError
        if it is none.
    InputError
        if it is nested too deeply, has a key twice in one object, or an integer of too many digits.
    """
    try:
        value = json.loads(text, parse_float=_exact_or_text, parse_constant=str, object_pairs_hook=_no_duplicates)
    except (json.JSONDecodeError, InputError):
        raise
    except RecursionError:
        raise InputError("not usable JSON: nested too deeply") from None
    except ValueError:  # an integer of more digits than Python converts
        raise InputError("not usable JSON: a number has too many digits") from None
    if _is_deep(value):
        raise InputError("not usable JSON: nested too deeply")
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
    write_together((path, json_writer(value, path)))


def json_writer(value: Any, path: str | os.PathLike[str], *, packed: bool = False) -> Write:
    """Return what writes a value to this path as JSON, as `write_json` does, for `write_together`.

    With `packed` it is compressed by gzip: the same value always to the same bytes, as no time stands in them.

    Raises
    ------
    InputError
        if the value has no form in JSON.
    """
    return _writer(value, path, packed)


def _writer(value: Any, path: str | os.PathLike[str], packed: bool) -> Write:
    try:
        text = (dump_json(value) + "\n").encode()
    except (TypeError, ValueError, RecursionError) as error:  # a set; half a surrogate pair; nested too deeply
        raise InputError(f"cannot be written as JSON: {error}", source=str(path)) from None
    content = gzip.compress(text, PACKING, mtime=0) if packed else text
    return lambda beside: beside.write_bytes(content)


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
