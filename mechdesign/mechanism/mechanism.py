"""Mechanisms: for each profile and category, a row of integer weights over the outputs.

A mechanism turns (profile i, category x) into output y with probability weight / total of the row (i, x). Rows are
stored once and shared: `index[i, x]` says which row serves profile i at category x.

The file is JSON::

    {"format": "mechdesign-mechanism/1",
     "categories": ["no", "yes"], "outputs": ["no", "yes"],
     "rows": [[3, 1], [1, 3], [1, 0]],
     "profiles": [{"id": "P1", "distribution": ["0.2", "0.8"], "rows": [0, 1]},
                  {"id": "P2", "distribution": ["0.3", "0.7"], "rows": [2, 1]}],
     "notes": {"epsilon": "1"}}

A profile's `rows` gives, for each category, the position of its row in the file's `rows`; without it row x serves
category x. As in a graph file, `"value": CATEGORY` may stand for the `distribution` of a point mass. `notes` says how
the mechanism was made; nothing in it is part of the mechanism.
"""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.errors import InputError
from mechdesign.exact import format_number, shown
from mechdesign.files.files import read_json, write_json
from mechdesign.files.kinds import MECHANISM, expecting
from mechdesign.graph.file import document_of, graph_of, labels_of, plain
from mechdesign.graph.labels import check_hashes
from mechdesign.graph.profile_graph import Label, PointMass, checked, is_label, support
from mechdesign.mechanism.doubles import DoubleRows
from mechdesign.mechanism.probabilities import integer_rows
from mechdesign.mechanism.probabilities import reduced as reduced
from mechdesign.privacy import Released, released_through
from mechdesign.words import counted

FORMAT = "mechdesign-mechanism/1"
MOST_POSITIONS = 100_000_000
"""Profiles times categories of a mechanism that takes 0.8 GB to say which row serves which."""

Weights = npt.NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Mechanism:
    """A finite mechanism with exact rows.

    Attributes
    ----------
    graph
        the profiles it was made for, with their distributions (a profile graph; its edges play no part).
    outputs
        m labels.
    rows
        the rows of integer weights >= 0, none all zero; made from doubles one by one where a matrix of them was given.
    index
        (profiles, categories): which row serves which.
    notes
        how it was made.
    """

    graph: nx.Graph
    outputs: tuple[Label, ...]
    rows: Weights | DoubleRows
    index: npt.NDArray[np.int64]
    notes: dict[str, Any] = field(default_factory=dict)

    @property
    def categories(self) -> tuple[Label, ...]:
        """The d inputs' labels."""
        return tuple(self.graph.graph["categories"])

    inputs = categories

    @property
    def profiles(self) -> tuple[Label, ...]:
        """The k profiles' labels."""
        return tuple(self.graph)

    @cached_property
    def weights(self) -> Weights:
        """All rows as one table of integers, (number of rows) x m."""
        return np.asarray(self.rows)

    @cached_property
    def totals(self) -> Weights:
        """The total of each row."""
        return np.array(self.weights.sum(axis=1), dtype=object)

    @cached_property
    def one_matrix(self) -> bool:
        """Whether all profiles have the same rows."""
        return self.index.strides[0] == 0 or bool((self.index == self.index[:1]).all())

    @cached_property
    def _position(self) -> dict[Label, int]:
        return {profile: position for position, profile in enumerate(self.graph)}

    def serving(self, profile: Label) -> int:
        """Return the position whose rows serve a profile: its own; the first for one that is not named."""
        return self._position.get(profile, 0)

    def matrix(self, profile: Label) -> npt.NDArray[np.float64]:
        """Return the transition matrix of a profile, d x m, in nearest doubles.

        Raises
        ------
        KeyError
            if there is no such profile.
        """
        rows = [self.rows[row] for row in self.index[self._position[profile]]]
        return np.array([row / row.sum() for row in rows], dtype=np.float64)

    def row(self, profile: Label, category: Label) -> tuple[Fraction, ...]:
        """Return Pr(output | profile, category) for the m outputs, exactly.

        Raises
        ------
        KeyError
            if there is no such profile or category.
        """
        if category not in self.categories:
            raise KeyError(category)
        row = self.rows[self.index[self._position[profile], self.categories.index(category)]]
        total = int(row.sum())
        return tuple(Fraction(int(weight), total) for weight in row)

    def released(self, profile: Label) -> tuple[Fraction, ...]:
        """Return the distribution over the m outputs that a profile releases, P_i A^i, exactly.

        Raises
        ------
        KeyError
            if there is no such profile.
        """
        return self.released_weights(self.graph.nodes[profile]["distribution"], self._position[profile]).fractions()

    def released_weights(self, distribution: Sequence[Fraction], position: int) -> Released:
        """Return what the profile at `position` would release if its distribution were this one."""
        return released_through((mass, self.rows[self.index[position, x]]) for x, mass in support(distribution))

    def all_released(self) -> list[Released]:
        """Return what each profile releases, in order."""
        return [
            self.released_weights(self.graph.nodes[profile]["distribution"], position)
            for profile, position in self._position.items()
        ]

    def then(self, channel: npt.ArrayLike, *, outputs: Sequence[Label]) -> "Mechanism":
        """Return this mechanism followed by a further channel, m x len(outputs); privacy cannot get worse.

        The channel's entries are exact (floats are the rationals they are); each row must sum to 1 within 1e-9.

        Raises
        ------
        InputError
            if the channel does not fit.

        References
        ----------
        [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084: Observation 3 (post-processing).

        Examples
        --------
        >>> coin = mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["no", "yes"])
        >>> coin.then([[1], [1]], outputs=["silence"]).row("no", "no")
        (Fraction(1, 1),)
        """
        check_outputs(outputs)
        rows = np.asarray(integer_rows(channel)[0])
        if len(rows) != len(self.outputs) or rows.shape[1] != len(outputs):
            raise InputError(
                f"channel: expected {len(self.outputs)} x {len(outputs)}, found {len(rows)} x {rows.shape[1]}"
            )
        totals = rows.sum(axis=1)
        common = math.lcm(*totals)
        weights = reduced(self.weights @ (rows * (common // totals)[:, None]))
        return Mechanism(self.graph, tuple(outputs), weights, self.index, dict(self.notes))


def check_mechanism(value: object) -> Mechanism:
    """Return a mechanism as it is, or say how to come by one.

    Raises
    ------
    InputError
        if it is a design, a matrix or anything else.

    Examples
    --------
    >>> check_mechanism([[1, 0], [0, 1]])
    Traceback (most recent call last):
    mechdesign.errors.InputError: expected a Mechanism, found list; mechanism_from_matrix makes one of a matrix
    """
    if not isinstance(value, Mechanism):
        designed = isinstance(getattr(value, "mechanism", None), Mechanism)
        remedy = "give its `.mechanism`" if designed else "mechanism_from_matrix makes one of a matrix"
        raise InputError(f"expected a Mechanism, found {type(value).__name__}; {remedy}")
    return value


def mechanism_from_matrix(
    matrix: npt.ArrayLike,
    *,
    inputs: Sequence[Label] | None = None,
    outputs: Sequence[Label] | None = None,
    normalise: bool = False,
) -> Mechanism:
    """Return the mechanism of a transition matrix, one row per input value, one column per output.

    Its profiles are its inputs: each value is a profile of its own, as in local differential privacy.

    Parameters
    ----------
    matrix
        d x m probabilities; floats are the rationals they are, text such as "1/3" is exact. Rows that miss total 1
        by at most 1e-9 are normalised exactly; `notes["normalised"]` names them.
    inputs, outputs
        labels; default 0..d-1, and the inputs again for a square matrix, else 0..m-1.
    normalise
        whether to divide each row by its exact total, which may miss 1 by at most 1/100, as in a matrix of few digits;
        `notes["largest_miss"]` says by how much one did. What is certified is then the normalised matrix.

    Raises
    ------
    InputError
        listing every fault.

    Examples
    --------
    >>> mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]]).row(0, 0)
    (Fraction(3, 4), Fraction(1, 4))
    """
    weights, totals = integer_rows(matrix, normalise=normalise)
    d, m = weights.shape
    inputs = tuple(range(d)) if inputs is None else tuple(inputs)
    if outputs is None:
        outputs = inputs if d == m else tuple(range(m))
    if len(inputs) != d:
        raise InputError(
            f"inputs: expected {counted(d, 'label')}, one for each row, found {len(inputs)}: {shown(inputs)}"
        )
    if len(outputs) != m:
        raise InputError(
            f"outputs: expected {counted(m, 'label')}, one for each column, found {len(outputs)}: {shown(outputs)}"
        )
    notes: dict[str, Any] = {"normalised": [inputs[row] for row in totals]} if totals else {}
    if normalise:
        notes["largest_miss"] = format_number(max((abs(total - 1) for total in totals.values()), default=Fraction(0)))
    graph = _points(inputs)
    check_outputs(outputs)
    return Mechanism(graph, tuple(outputs), weights, np.broadcast_to(np.arange(d), (d, d)), notes)


def check_outputs(outputs: Sequence[Label]) -> None:
    """Raise an InputError unless the outputs are labels, no two the same."""
    faults = _output_faults(outputs)
    if faults:
        raise InputError(faults)


def _output_faults(outputs: Sequence[Label], *, source: str = "") -> list[str]:
    check_hashes(outputs, "outputs", source=source)
    faults = [f"outputs[{j}]: expected a label, found {shown(y)}" for j, y in enumerate(outputs) if not is_label(y)]
    if not faults and len(set(outputs)) < len(outputs):
        faults.append("outputs: an output is given twice")
    return faults


def _points(values: Sequence[Label]) -> nx.Graph:
    """Return the values as point-mass profiles without edges."""
    check_hashes(values, "inputs")
    graph = nx.Graph(categories=list(values))
    for position, value in enumerate(values):
        graph.add_node(value, distribution=PointMass(position, len(values)))
    return checked(graph)


def write_mechanism(mechanism: Mechanism, path: str | os.PathLike[str]) -> None:
    """Write a mechanism as JSON that `read_mechanism` reads back exactly.

    Raises
    ------
    InputError
        if it is no mechanism, or the file cannot be written.
    """
    check_mechanism(mechanism)
    write_json(mechanism_document(mechanism), path)


def mechanism_document(mechanism: Mechanism) -> dict[str, Any]:
    """Return the JSON value of a mechanism's file."""
    own_rows = np.arange(len(mechanism.categories))
    parts = ("id", "distribution", "value", "weight")
    nodes = document_of(mechanism.graph)["nodes"]
    profiles = [{key: node[key] for key in parts if key in node} for node in nodes]
    usual = mechanism.one_matrix and np.array_equal(mechanism.index[0], own_rows)
    for profile, rows in zip(profiles, mechanism.index, strict=True):
        if len(mechanism.rows) != len(own_rows) or not (usual or np.array_equal(rows, own_rows)):
            profile["rows"] = [int(row) for row in rows]
    return {
        "format": FORMAT,
        "categories": list(mechanism.categories),
        "outputs": list(mechanism.outputs),
        "rows": [[int(weight) for weight in row] for row in mechanism.weights],
        "profiles": profiles,
        "notes": plain(mechanism.notes),
    }


def read_mechanism(path: str | os.PathLike[str]) -> Mechanism:
    """Return the mechanism in a file that `write_mechanism` wrote.

    Raises
    ------
    InputError
        naming the file, with every fault in it and its place.
    """
    with expecting(MECHANISM, path=path):
        return mechanism_of(read_json(path), source=str(path))


def mechanism_of(document: Any, *, source: str = "") -> Mechanism:
    """Return the mechanism that a JSON value describes.

    Raises
    ------
    InputError
        with every fault and its place.
    """
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(f'expected a mechanism file, with "format": "{FORMAT}"', source=source)
    heading = {key: document.get(key) for key in ("categories",)}
    profiles: Any = document.get("profiles")
    graph = graph_of({"graph": heading, "nodes": profiles, "edges": []}, source=source)
    listed = document.get("outputs")
    outputs = labels_of(listed) if isinstance(listed, list) else []
    faults = _output_faults(outputs, source=source)
    rows = _integer_table(document.get("rows"), len(outputs), faults)
    index = _index(profiles, len(graph.graph["categories"]), len(rows), faults)
    if faults:
        raise InputError(faults, source=source)
    for attributes in graph.nodes.values():
        attributes.pop("rows", None)
    notes = document.get("notes")
    return Mechanism(graph, tuple(outputs), rows, index, notes if isinstance(notes, dict) else {})


def _integer_table(value: Any, m: int, faults: list[str]) -> Weights:
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


def _index(profiles: list[dict[str, Any]], d: int, count: int, faults: list[str]) -> npt.NDArray[np.int64]:
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
