"""Documents of JSON with something else in one place: of another kind, or of the same."""

import copy
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from mechdesign.certificate import checker, formula_checker

Document = dict[str, Any]
Place = tuple[Any, ...]


def nodes(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every place in a JSON value, outside `notes`."""
    yield place, value
    if isinstance(value, dict):
        for key, part in value.items():
            if place or key != "notes":
                yield from nodes(part, (*place, key))
    elif isinstance(value, list):
        for position, part in enumerate(value):
            yield from nodes(part, (*place, position))


def status_of(check: Callable[[Document], object], document: Document) -> int:
    """With which status a document is rejected; 0 if it is not."""
    try:
        check(document)
    except (checker.Rejected, formula_checker.Rejected) as reason:
        return reason.status
    return 0


def alike(place: Place) -> Place:
    """Return what places of one kind have in common: keys, and the last number, not which of lists of lists."""
    return (*(int if isinstance(part, int) else part for part in place[:-1]), place[-1])


def replaced(document: Document, place: Place, other: Any) -> Document:
    """Return a document with something else in one place."""
    found: Any = copy.copy(document)
    parent = found
    for part in place[:-1]:
        parent[part] = copy.copy(parent[part])
        parent = parent[part]
    parent[place[-1]] = other
    return dict(found)


def of_another_kind(value: Any) -> Iterator[Any]:
    """What else JSON could have there."""
    if isinstance(value, list):
        yield from (None, {}, 1, "1")
    elif isinstance(value, dict):
        yield from (None, [], *({other: value[other] for other in value if other != key} for key in value))
    elif type(value) is int:
        yield from (True, float(value), str(value), None, [value])
    elif value is None:
        yield from ("1", [], ["1"], 0, False)
    else:
        if re.fullmatch(r"[0-9./]+", value):
            number = Fraction(value)
            yield from (float(number) if number < 1e300 else 0.0, int(number))
        yield from (value + "x", "", 0, 1, None, True, [value])


def of_the_same_kind(value: Any) -> Iterator[Any]:
    """What of the same kind could stand there instead."""
    if isinstance(value, list):
        yield from ([], value[::-1])
        for n in range(len(value)):
            yield value[:n] + value[n + 1 :]
            yield [*value[: n + 1], *value[n:]]
            if n:
                yield [*value[: n - 1], value[n], value[n - 1], *value[n + 1 :]]
    elif type(value) is int:
        yield from (value + 1, value - 1, value * 2, -value, value + 10**9, value - 10**9, value // 2, 0, 10**60)
    elif isinstance(value, str) and re.fullmatch(r"[0-9./]+", value):
        number = Fraction(value)
        changes = [number + sign * Fraction(1, size) for size in (10**40, 10**9, 7) for sign in (1, -1)]
        yield from map(str, (*changes, -number, number * 2, number / 2, Fraction(0), Fraction(1), number + 10**30))


def of_other_kinds(document: Document) -> Iterator[tuple[Place, Document]]:
    """Yield the document with what is of another kind in the first place of each kind of place, and that place."""
    return _with(document, of_another_kind)


def of_the_same_kinds(document: Document) -> Iterator[tuple[Place, Document]]:
    """Yield the document with something else of the same kind in these places, and the place."""
    return _with(document, of_the_same_kind)


def _with(document: Document, others: Callable[[Any], Iterator[Any]]) -> Iterator[tuple[Place, Document]]:
    firsts: dict[Place, tuple[Place, Any]] = {}
    for place, value in nodes(document):
        if place:
            firsts.setdefault(alike(place), (place, value))
    for place, value in firsts.values():
        for other in others(value):
            if other != value or type(other) is not type(value):
                yield place, replaced(document, place, other)


NO_JSON: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda text: b"",
    "blank": lambda text: b" \n",
    "not UTF-8": lambda text: b'{"format": "\xff\xfe"}',
    "UTF-16": lambda text: text.decode().encode("utf-16"),
    "byte order mark": lambda text: b"\xef\xbb\xbf" + text,
    "half": lambda text: text[:500],
    "two": lambda text: text * 2,
    "a number": lambda text: b"1",
    "null": lambda text: b"null",
    "a list": lambda text: b"[]",
    "an empty object": lambda text: b"{}",
    "a key twice": lambda text: b'{"format": 0, ' + text[1:],
    "10 MB of [": lambda text: b"[" * 10**7,
    '10 MB of {"":': lambda text: b'{"":' * (10**7 // 4),
}
"""What is no document of ours, made from one."""
