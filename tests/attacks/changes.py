"""Random changes of a JSON document, anywhere in it."""

import copy
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

Path = tuple[Any, ...]


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the way to each part of a document."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*path, key))


def part_at(document: Any, path: Path) -> Any:
    for key in path:
        document = document[key]
    return document


def change(document: Any, rng: Random) -> None:
    """Change one part of a document."""
    found = [path for path in places(document) if path and path[0] != "format"]
    if not found:
        return
    path = rng.choice(found)
    old, home = part_at(document, path), part_at(document, path[:-1])
    if isinstance(old, list) and old and rng.random() < 0.7:
        _change_list(old, rng)
    elif isinstance(home, dict) and rng.random() < 0.1:
        del home[path[-1]]
    elif isinstance(old, (dict, list)) or rng.random() < 0.1:
        home[path[-1]] = copy.deepcopy(part_at(document, rng.choice(found)))
    else:
        home[path[-1]] = _other(old, rng)


def _change_list(parts: list[Any], rng: Random) -> None:
    match rng.randrange(5):
        case 0:
            parts.pop(rng.randrange(len(parts)))
        case 1:
            parts.insert(rng.randrange(len(parts) + 1), copy.deepcopy(rng.choice(parts)))
        case 2:
            rng.shuffle(parts)
        case 3:
            parts.clear()
        case _:
            parts[:] = [_other(part, rng) for part in parts]


def _other(old: Any, rng: Random) -> Any:
    """Return something else: a number near or far, a text with another number, or what no number is."""
    if type(old) is int:
        near = [old + 1, old - 1, -old, 2 * old, old // 2, old + old // 1000, old - old // 10, 0, 1]
        return rng.choice([*near, old * 10 ** rng.randint(1, 30), 2**80, 2**81])
    try:
        number = Fraction(old)
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        return rng.choice(["", "0", 0, 1, -1, True, None, 0.5, 1e308, [], {}, "a", "1/0", "nan", "\u0000", 10**400])
    others = [number * 2, number / 2, number + Fraction(1, 1000), -number, Fraction(0), Fraction(1), Fraction(700)]
    return str(rng.choice(others))
