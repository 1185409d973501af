"""Files of mechanisms.

They are JSON::

    {"format": "mechdesign-mechanism/1",
     "categories": ["no", "yes"], "outputs": ["no", "yes"], "reading": {"missing": "drop"},
     "rows": [[3, 1], [1, 3], [1, 0]],
     "profiles": [{"id": "P1", "distribution": ["0.2", "0.8"], "rows": [0, 1]},
                  {"id": "P2", "distribution": ["0.3", "0.7"], "rows": [2, 1]}],
     "edges": [{"source": "P1", "target": "P2"}],
     "hidden_column": "town",
     "notes": {"epsilon": "1"}}

`reading` says how the table was read that the profiles were made from, as `graph_from_table` calls it: `missing`,
`missing_profile`, `missing_words` and `others`, those that are not as usual. Data are sanitised by the same rule.

A profile's `rows` gives, for each category, the position of its row in the file's `rows`; without it row x serves
category x. As in a graph file, `"value": CATEGORY` may stand for the `distribution` of a point mass, and a profile
that is known only within bounds has these: `lower` and `upper`, or `radius`. `edges` are the pairs that the mechanism
was made for, each as in a graph file with an `epsilon`, `delta` or `distance` if it has these; without `edges` it is
for every pair. `hidden_column` is the column of a table that the profiles were made from, if that is known: `sanitise`
does not release it; `weight_column` the one of the weights that they were made with, if there were any. `notes` says
how the mechanism was made; nothing in it is part of the mechanism. Anything else is left aside, but misspelt `edges`
and `hidden_column` are refused.
"""

import hashlib
import math
import os
import re
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.arrays import Exact, Integers
from mechdesign.errors import InputError, telling
from mechdesign.exact.text import shown
from mechdesign.files.documents import dump_json, write_json
from mechdesign.files.kinds import MECHANISM
from mechdesign.graph.cell_labels import reading_of
from mechdesign.graph.document import document_of, plain
from mechdesign.graph.edge_table import OWN, nearly_own
from mechdesign.graph.graph_file import graph_of
from mechdesign.graph.labels import labels_of
from mechdesign.graph.properties import has_own_limits
from mechdesign.graph.uncertainty import BOUNDS
from mechdesign.mechanism.mechanism import Mechanism, check_mechanism, output_faults
from mechdesign.words import counted, listed

COLUMNS = {"hidden_column": "profile", "weight_column": "weight"}
"""Columns of the table that a graph was made from: what they are here, and in the graph's attribute `made`."""

PARTS = ("format", "categories", "outputs", "reading", "rows", "profiles", "edges", *COLUMNS, "notes")
"""What a file may have; anything else in it is left aside."""

MOST_POSITIONS = 100_000_000
"""Profiles times categories of a mechanism that takes 0.8 GB to say which row serves which."""


def write_mechanism(mechanism: Mechanism, path: str | os.PathLike[str]) -> None:
    """Write a mechanism as JSON that `read_mechanism` reads back exactly.

    Parameters
    ----------
    mechanism
        a `Mechanism`, such as a design's.
    path
        of the file, which is replaced if it is there.

    Raises
    ------
    InputError
        if it is no mechanism, or the file cannot be written.

    Examples
    --------
    >>> import mechdesign as md
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_mechanism(md.design("categorical-chain", epsilon=0.5).mechanism, f"{folder}/mechanism.json")
    ...     md.read_mechanism(f"{folder}/mechanism.json")
    Mechanism(3 profiles, 4 categories to 4 outputs)
    """
    check_mechanism(mechanism)
    write_json(mechanism_document(mechanism), path)


def mechanism_document(mechanism: Mechanism) -> dict[str, Any]:
    """Return the JSON value of a mechanism's file."""
    own_rows = np.arange(len(mechanism.categories))
    parts = ("id", "distribution", "value", "weight", *BOUNDS)
    graph = document_of(mechanism.graph)
    profiles = [{key: node[key] for key in parts if key in node} for node in graph["nodes"]]
    edges = [{key: edge[key] for key in ("source", "target", *OWN) if key in edge} for edge in graph["edges"]]
    usual = mechanism.one_matrix and np.array_equal(mechanism.index[0], own_rows)
    for profile, rows in zip(profiles, mechanism.index, strict=True):
        if len(mechanism.rows) != len(own_rows) or not (usual or np.array_equal(rows, own_rows)):
            profile["rows"] = [int(row) for row in rows]
    return {
        "format": MECHANISM.format,
        "categories": list(mechanism.categories),
        "outputs": list(mechanism.outputs),
        **({"reading": plain(reading)} if (reading := mechanism.reading.described()) else {}),
        "rows": [[int(weight) for weight in row] for row in mechanism.weights],
        "profiles": profiles,
        **({} if _is_every_pair(mechanism.graph) else {"edges": edges}),
        **{key: column for key in COLUMNS if (column := getattr(mechanism, key)) is not None},
        "notes": plain(mechanism.notes),
    }


def digest(mechanism: Mechanism) -> str:
    """Return the SHA-256 of the file that `write_mechanism` writes, as `sha256sum` prints it for that file.

    Examples
    --------
    >>> from mechdesign import mechanism_from_matrix
    >>> digest(mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]]))[:16]
    '1ec2bad2eb29f3a4'
    """
    return hashlib.sha256((dump_json(mechanism_document(mechanism)) + "\n").encode()).hexdigest()


def _is_every_pair(graph: nx.Graph) -> bool:
    """Return whether the edges are every pair, none with limits of its own: then they need not be written."""
    complete = graph.number_of_edges() in (0, math.comb(len(graph), 2))
    return complete and not has_own_limits(graph)


def read_mechanism(path: str | os.PathLike[str]) -> Mechanism:
    """Return the mechanism in a file that `write_mechanism` wrote.

    Parameters
    ----------
    path
        of the file.

    Raises
    ------
    InputError
        naming the file, with every fault in it and its place.

    Examples
    --------
    >>> import mechdesign as md
    >>> from tempfile import TemporaryDirectory
    >>> mechanism = md.design("categorical-chain", epsilon=0.5).mechanism
    >>> with TemporaryDirectory() as folder:
    ...     md.write_mechanism(mechanism, f"{folder}/mechanism.json")
    ...     read_mechanism(f"{folder}/mechanism.json").row("P3", "1") == mechanism.row("P3", "1")
    True
    """
    return MECHANISM.read(path, mechanism_of)


def mechanism_of(document: Any) -> Mechanism:
    """Return the mechanism that a JSON value describes.

    Raises
    ------
    InputError
        with every fault and its place.
    """
    MECHANISM.check(document)
    _check_names(document)
    heading = {key: document.get(key) for key in ("categories",)}
    profiles: Any = document.get("profiles")
    try:
        graph = graph_of({"graph": heading, "nodes": profiles, "edges": document.get("edges", [])})
        if document.get("edges") == []:
            raise InputError("edges: expected at least one edge, or no `edges`, which is every pair; found none")
    except InputError as error:
        raise InputError([_as_here(fault) for fault in error.faults]) from None
    listed = document.get("outputs")
    outputs = labels_of(listed) if isinstance(listed, list) else []
    faults = output_faults(outputs)
    rows = _integer_table(document.get("rows"), len(outputs), faults)
    index = _index(profiles, len(graph.graph["categories"]), len(rows), faults)
    _add_columns(graph, document, faults)
    if faults:
        raise InputError(faults)
    for attributes in graph.nodes.values():
        attributes.pop("rows", None)
    _add_reading(graph, document.get("reading", {}))
    notes = document.get("notes")
    return Mechanism(graph, tuple(outputs), rows, index, notes if isinstance(notes, dict) else {})


def _check_names(document: dict[str, Any]) -> None:
    """Raise an InputError for misspelt edges, as every pair would be judged, or a misspelt column that stays hidden."""
    missing = tuple(name for name in ("edges", "hidden_column") if name not in document)
    near = {name: nearly_own(name, missing) for name in document if name not in PARTS}
    expected, remedy = f"what a mechanism has is called {listed(PARTS)}", "If it is something else, rename it"
    faults = [f"{shown(name)}: {expected}{meant} {remedy}" for name, meant in near.items() if meant]
    if faults:
        raise InputError(faults)


def _add_reading(graph: nx.Graph, document: Any) -> None:
    """Let the graph say by which rule it was made, as one that was made from a table does."""
    if not isinstance(document, dict):
        raise InputError(f"reading: expected an object, found {shown(document)}")
    with telling("reading."):
        reading = reading_of(document)
    if document:
        graph.graph["made"] = graph.graph.get("made", {}) | reading.described()


def _add_columns(graph: nx.Graph, document: dict[str, Any], faults: list[str]) -> None:
    """Let the graph say from which columns its profiles were made, as one that was made from a table does."""
    for key, made in COLUMNS.items():
        if key not in document:
            continue
        if not isinstance(column := document[key], str):
            faults.append(f"{key}: expected the name of a column, found {shown(column)}")
        graph.graph["made"] = graph.graph.get("made", {}) | {made: column}


def _as_here(fault: str) -> str:
    """Return a fault found in profiles and categories as in a graph's file, with the place that it has in this one."""
    return re.sub(r"^nodes\b", "profiles", re.sub(r"^graph\.categories\b", "categories", fault))


def _integer_table(value: Any, m: int, faults: list[str]) -> Exact:
    if not isinstance(value, list) or not value or m == 0:
        faults.append("rows, outputs: expected a list of at least one row and one output")
        return np.empty((0, m), dtype=object)
    table = np.zeros((len(value), m), dtype=object)
    for i, row in enumerate(value):
        if not isinstance(row, list) or len(row) != m:
            faults.append(f"rows[{i}]: expected {counted(m, 'integer')}, one per output")
        elif any(isinstance(weight, bool) or not isinstance(weight, int) or weight < 0 for weight in row):
            faults.append(f"rows[{i}]: expected integers >= 0")
        elif not any(row):
            faults.append(f"rows[{i}]: expected a positive total, found only zeros")
        else:
            table[i] = row
    return table


def _index(profiles: list[dict[str, Any]], d: int, count: int, faults: list[str]) -> Integers:
    """Return which row serves which profile and category; without `rows` of their own, row x serves category x."""
    usual = np.broadcast_to(np.arange(d), (len(profiles), d))
    own = {i: profile["rows"] for i, profile in enumerate(profiles) if "rows" in profile}
    wrong = [i for i in range(len(profiles)) if not (_are_positions(own[i], d, count) if i in own else d <= count)]
    faults += [f"profiles[{i}].rows: expected {counted(d, 'position')} of rows, each below {count}" for i in wrong]
    if wrong or not own:
        return usual
    if usual.size > MOST_POSITIONS:
        found = f"found {len(profiles):,} profiles x {d:,} categories"
        faults.append(f"profiles: with `rows` of their own at most {MOST_POSITIONS:,} positions can be held, {found}")
        return usual
    index = np.array(usual)
    for i, rows in own.items():
        index[i] = rows
    return index


def _are_positions(rows: object, d: int, count: int) -> bool:
    return isinstance(rows, list) and len(rows) == d and all(type(row) is int and 0 <= row < count for row in rows)
