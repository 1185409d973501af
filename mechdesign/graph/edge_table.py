"""Edges as a table: two columns of profiles, and columns that say what each edge has of its own."""

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from fractions import Fraction
from functools import lru_cache
from typing import Any

from mechdesign.errors import InputError, telling
from mechdesign.exact.numbers import Epsilon, number, parse_delta, parse_epsilon
from mechdesign.exact.text import shown
from mechdesign.files.numerals import with_decimal_points
from mechdesign.files.tables import even_cells, is_table, named_columns
from mechdesign.graph.cell_labels import missing_as

Edge = tuple[Any, Any, Mapping[str, Any]]
"""Two profiles, and what their edge has of its own."""


def _distance(value: object) -> Fraction:
    return number("distance", value, "a number >= 0", at_least=0)


OWN: dict[str, Callable[[object], Epsilon]] = {"epsilon": parse_epsilon, "delta": parse_delta, "distance": _distance}
"""What an edge may have of its own, by the heading of its column, and how it is read."""

ALIKE, SHORTEST = 0.8, 3
"""So many letters agree in misspelt names, as epsilonn, but not in detail; an abbreviation has so many at least."""

MEASURED = re.compile(r"(distance|weight)[ _.-]+\w")
"""A word of everyday life and what it is measured in, or at, as distance_km: a name of its own."""


def is_edge_table(edges: object) -> bool:
    """Return whether edges are given as a table in memory or a mapping of columns."""
    if isinstance(edges, Mapping):  # as a view of networkx' edges is too, from pairs to attributes
        return bool(edges) and all(isinstance(name, str) for name in edges)
    return is_table(edges)


def edges_in_table(table: Any) -> list[Edge]:
    """Return the edges of a table in memory or a mapping of columns, whose first two columns are profiles.

    Raises
    ------
    InputError
        if there are not two columns, or one that says what edges have of their own cannot be read.

    Examples
    --------
    >>> edges_in_table({"one": ["a", "b"], "other": ["b", "c"], "epsilon": ["0.5", None]})
    [('a', 'b', {'epsilon': Fraction(1, 2)}), ('b', 'c', {})]
    """
    names, table = named_columns(table)
    if len(names) < 2:
        raise InputError(f"edges: expected at least two columns, of profiles, found {shown(names)}")
    columns = even_cells(table, names, "edges")
    with telling("edges: "):
        own = own_of(
            {name: columns[name] for name in names[2:]}, lambda place: f"row {place + 1}", len(columns[names[0]])
        )
    return list(zip(columns[names[0]], columns[names[1]], own, strict=True))


def own_of(columns: Mapping[Any, Sequence[Any]], place: Callable[[int], str], count: int) -> list[dict[str, Any]]:
    """Return what each of `count` edges has of its own, exactly; a cell without a value gives it nothing.

    Other columns are left aside; but not one whose heading is nearly one of these, as its edges would then have less
    protection than is meant.

    Parameters
    ----------
    columns
        heading -> cells.
    place
        says where the cell of an edge stands, by the edge's position.

    Raises
    ------
    InputError
        listing the cells that are no such numbers, or such a heading.

    Examples
    --------
    >>> own_of({"Epsilon": ["0,5", ""], "why": ["near", "far"]}, lambda place: f"line {place + 2}", 2)
    [{'epsilon': Fraction(1, 2)}, {}]
    """
    result: list[dict[str, Any]] = [{} for _ in range(count)]
    faults: list[str] = []
    for heading, key in own_headings(columns).items():
        cells = columns[heading]
        try:
            texts = [[cell if isinstance(cell, str) else ""] for cell in cells]
            pointed, _ = with_decimal_points(texts, lambda index, _: place(index))
        except InputError as error:
            faults += error.faults
            continue
        for index, (cell, (text,)) in enumerate(zip(cells, pointed, strict=True)):
            try:
                if missing_as(cell, frozenset()) is None:
                    result[index][key] = OWN[key](text.strip() or cell)
            except InputError as error:
                faults.append(f"{place(index)}: {error.faults[0]}")
    if faults:
        raise InputError(faults)
    return result


@lru_cache(maxsize=1000)  # millions of edges have few different names between them
def nearly_own(name: object, names: tuple[str, ...] = tuple(OWN)) -> str:
    """Return "; did you mean ...?" for a name that is nearly that of what an edge has of its own, or nothing.

    Or nearly any other of some names.

    Nearly: one begins with the other, or they begin alike and most of their letters agree; distance_km is another.

    Examples
    --------
    >>> nearly_own("eps"), nearly_own("distanse"), nearly_own("distance_km"), nearly_own("detail")
    ('; did you mean epsilon?', '; did you mean distance?', '', '')
    """
    key = name.casefold() if isinstance(name, str) else ""
    if MEASURED.match(key):
        return ""
    alike = [one for one in names if key[:1] == one[0] and SequenceMatcher(None, key, one).ratio() >= ALIKE]
    begun = [one for one in names if key.startswith(one) or (len(key) >= SHORTEST and one.startswith(key))]
    return f"; did you mean {(begun or alike)[0]}?" if begun or alike else ""


def own_headings(headings: Mapping[Any, Any]) -> dict[Any, str]:
    """Return which of these headings say what edges have of their own, and what; letters may be small or capital.

    Raises
    ------
    InputError
        if two say the same, or one is misspelt.

    Examples
    --------
    >>> own_headings({" Epsilon": [], "why": []})
    {' Epsilon': 'epsilon'}
    """
    found: dict[Any, str] = {}
    faults = []
    for heading in headings:
        key = heading.strip().casefold() if isinstance(heading, str) else ""
        if key in OWN:
            if key in found.values():
                faults.append(f"column {shown(heading)}: a second column for {key}")
            found[heading] = key
        elif near := nearly_own(key):
            expected = "what edges have of their own is called epsilon, delta or distance"
            faults.append(f"column {shown(heading)}: {expected}{near} If it is something else, rename the column")
    if faults:
        raise InputError(faults)
    return found
