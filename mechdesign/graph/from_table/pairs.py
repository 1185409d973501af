"""Who must not be told apart: every pair of profiles, those that agree in a column, or the pairs in a list or file."""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

from mechdesign.errors import InputError, telling
from mechdesign.exact.text import shown, shown_cell
from mechdesign.files.delimited import Layout
from mechdesign.files.numerals import is_numeral
from mechdesign.files.tables import ARROW
from mechdesign.graph.cell_labels import alike
from mechdesign.graph.edge_table import own_of
from mechdesign.graph.from_table.columns import Records
from mechdesign.graph.labels import Label
from mechdesign.graph.profile_graph import edges_of
from mechdesign.size import check_size

MOST_PAIRS = 500_000
"""Edges that are not written out in a list or file. Tuned on all pairs of 1,000 profiles: 480 MB to make and write."""

Pair = tuple[Label, Label]


class Header(StrEnum):
    """Whether the first line of a file of pairs is a heading."""

    AUTO = "auto"  # yes if neither of its cells is a profile
    YES = "yes"
    NO = "no"


def joined(
    edges: Any, header: Header, layout: Layout, records: Records, profiles: Sequence[Label]
) -> tuple[Sequence[tuple[Any, ...]] | str, dict[str, Any], list[str]]:
    """Return the pairs of profiles that must not be told apart, by which rule, and what stands against it.

    Raises
    ------
    InputError
        if there are too many, or a file cannot be used.
    """
    if edges is None or (isinstance(edges, str) and edges == "all"):
        _check_number(comb(len(profiles), 2), f"all pairs of {len(profiles):,} profiles are {{}} edges")
        return "all", {"edges": "all"}, []
    if isinstance(edges, str):
        pairs, faults = _agreeing(edges, records, profiles)
        return pairs, {"edges": f"equal {edges}"}, faults
    if isinstance(edges, os.PathLike):
        pairs, heading = pairs_in_file(edges, header, layout, profiles)
        return pairs, {"edges": "as given"} | ({} if heading is None else {"edges_heading": list(heading)}), []
    given = edges_of(edges)
    pairs = _paired(alike([end for a, b, _ in given for end in (a, b)], profiles))
    with_limits = [(a, b, own) for (a, b), (_, _, own) in zip(pairs, given, strict=True)]
    return with_limits, {"edges": "as given"}, []


def _agreeing(column: str, records: Records, profiles: Sequence[Label]) -> tuple[list[Pair], list[str]]:
    """Return the pairs of profiles that agree in a column; and as faults those that do not agree with themselves."""
    belongs: dict[Label, Label] = {}
    first: dict[Label, int] = {}
    torn: dict[Label, tuple[Label, int]] = {}
    for one, its, row in zip(records.who, records.group, records.rows, strict=True):
        if one is not None and belongs.setdefault(one, its) != its:
            torn.setdefault(one, (its, row))
        first.setdefault(one, row)
    faults = [
        f"column {shown(column)}: expected one value for each profile,"
        f" that of rows {first[one]} and {row} has {shown_cell(belongs[one])} and {shown_cell(other)}"
        for one, (other, row) in torn.items()
    ]
    faults += [
        f"{shown(one)}: no records, so its {column} is not known; leave this profile out, or give pairs"
        for one in profiles
        if one not in belongs
    ]
    groups: dict[Label, list[Label]] = defaultdict(list)
    for one in profiles:
        groups[belongs.get(one)].append(one)
    number = sum(comb(len(group), 2) for group in groups.values())
    _check_number(number, f"profiles that agree in {shown(column)} make {{}} edges")
    return [pair for group in groups.values() for pair in combinations(group, 2)], faults


def _check_number(number: int, sentence: str) -> None:
    check_size(
        number, MOST_PAIRS, sentence, "join fewer of them (edges: a column, or a file of pairs), or merge profiles"
    )


def _paired(ends: Sequence[Label]) -> list[Pair]:
    return list(zip(ends[::2], ends[1::2], strict=True))


def pairs_in_file(
    path: os.PathLike[str], header: Header, layout: Layout, profiles: Sequence[Label]
) -> tuple[list[tuple[Any, ...]], tuple[str, str] | None]:
    """Return the pairs of profiles in the first two columns of a file, with their limits, and the heading that it has.

    The first line of a CSV file is a pair if either of its cells is a profile, unless it was declared a heading.
    Columns with the headings epsilon, delta and distance hold what an edge has of its own.

    Raises
    ------
    InputError
        naming the file, and the lines on which something else than a profile stands, or a limit that is no number.
    """
    from mechdesign.files.scan import read_table  # loads pyarrow, which is slow

    with telling(source=str(path)):
        return _pairs_in(read_table(path, layout), header, profiles, has_names=Path(path).suffix.lower() in ARROW)


def _pairs_in(
    columns: Mapping[str, Any], header: Header, profiles: Sequence[Label], *, has_names: bool
) -> tuple[list[tuple[Any, ...]], tuple[str, str] | None]:
    """Return the same of columns, whose names are the first line of a file if they are not names for sure."""
    if len(columns) < 2:
        raise InputError("expected two columns of profiles, found one")
    heading, cells = list(columns)[:2], list(columns.values())[:2]
    ends = alike([*heading, *(end for pair in zip(*cells, strict=True) for end in pair)], profiles)
    known = set(profiles)
    has_heading = header == Header.YES or (header == Header.AUTO and known.isdisjoint(ends[:2]))
    pairs = list(enumerate(_paired(ends), start=1))[has_names or has_heading :]
    faults = list(_strangers(pairs, known, is_guess=header == Header.AUTO))
    if faults:
        raise InputError(faults)
    others = {name: columns[name] for name in list(columns)[2:]}
    if not (has_names or has_heading):
        _check_not_meant(others)
        others = {}
    own = own_of(others, lambda place: f"line {pairs[place][0]}", len(pairs))
    said = has_heading and not has_names
    joined_pairs = [(*pair, its) for (_, pair), its in zip(pairs, own, strict=True)]
    _check_once(pairs, own)
    return joined_pairs, (str(heading[0]), str(heading[1])) if said else None


def _check_not_meant(columns: Mapping[str, Sequence[Any]]) -> None:
    """Raise an InputError if a file without a heading has numbers beside its pairs, which nobody would heed."""
    for number, (first, cells) in enumerate(columns.items(), start=3):
        if all(is_numeral(str(cell).strip()) for cell in (first, *cells)):
            remedy = "say what they are in a first line such as one,other,epsilon (or delta, or distance)"
            raise InputError(f"column {number}: expected no numbers, found {shown(first)} on line 1; {remedy}")


def _check_once(pairs: Sequence[tuple[int, Pair]], own: Sequence[dict[str, Any]]) -> None:
    """Raise an InputError if an edge is given twice, not with the same attributes."""
    first: dict[frozenset[Label], int] = {}
    faults = []
    for place, (line, pair) in enumerate(pairs):
        before = first.setdefault(frozenset(pair), place)
        if own[before] != own[place]:
            there = f"line {pairs[before][0]} too, with another epsilon, delta or distance"
            faults.append(f"line {line}: {shown(pair[0])}-{shown(pair[1])} is on {there}; leave one out")
    if faults:
        raise InputError(faults)


def _strangers(pairs: Iterable[tuple[int, Pair]], known: set[Label], *, is_guess: bool) -> Iterator[str]:
    """Yield a fault for each end that is not a profile, and each pair of a profile with itself."""
    for line, pair in pairs:
        for end in pair:
            if end not in known:
                hint = "; if this line is a heading, leave it out" if line == 1 and is_guess else ""
                yield f"line {line}: {shown(end)} is not a profile{hint}"
        if pair[0] == pair[1]:
            yield f"line {line}: {shown(pair[0])} cannot be its own neighbour; leave this line out"
