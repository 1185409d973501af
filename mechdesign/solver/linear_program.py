"""A whole design as a linear program in a file, for solvers from outside.

The MPS file has the textbook program of all components together, [GC] (5): every transition probability is a column. It
minimises, in the loss' own unit, and its optimum is the design's. Beside it stands FILE.map.json, which says what each
column and row is; kinds and positions are those of `mechdesign.program.names`::

    {"format": "mechdesign-program/1", "graph": "categorical-chain", "epsilon": "0.5", "delta": "0",
     "objective": "max-off-diagonal", "objective_scale": "1",
     "profiles": ["P1", "P2", "P3"], "categories": ["1", "2", "3", "4"], "outputs": ["1", "2", "3", "4"],
     "columns": {"entry_0_0_0": {"kind": "entry", "profile": "P1", "category": "1", "output": "1"}, ...,
                 "level": {"kind": "level"}},
     "rows": {"total_0_0": {"kind": "total", "profile": "P1", "category": "1"}, ...,
              "privacy_0_1_0": {"kind": "privacy", "edge": ["P1", "P2"], "output": "1"}, ...}}

`"kinds"` says what each kind is, in words; the objective is `objective_scale` x `level`. With one matrix for each
component there is `"sharing"` too: the lists of profiles that share one; it goes by the name of the first of them.
"""

import os
from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon, Number, parse_delta, parse_epsilon
from mechdesign.exact.text import format_number
from mechdesign.files.documents import write_json
from mechdesign.files.kinds import NAMES_OF_PROGRAM
from mechdesign.graph.document import plain
from mechdesign.graph.graph_file import as_graph
from mechdesign.graph.uncertainty import check_known
from mechdesign.objective import Goal, MaxOffDiagonal, Objective, profile_weights
from mechdesign.privacy.requirement import connected, requirements
from mechdesign.problem import Problem
from mechdesign.program.names import KINDS, Key, column_keys, name_of, row_keys
from mechdesign.program.transport import transport_program
from mechdesign.solver.mps import write_mps


def write_program(
    graph: nx.Graph | str | os.PathLike[str],
    path: str,
    *,
    epsilon: Number,
    delta: Number = 0,
    objective: Goal | None = None,
    shared: bool = False,
) -> dict[str, Any]:
    """Write a design's linear program as MPS, and the map of its names; return how large it is, and the two files.

    Parameters
    ----------
    graph, epsilon, delta, objective, shared
        as for `design`.
    path
        of the MPS file; compressed if it ends in .gz.

    Raises
    ------
    InputError
        if an argument cannot be used, or a file cannot be written.

    Examples
    --------
    >>> import mechdesign as md
    >>> folder = getfixture("tmp_path")
    >>> written = write_program(md.read_graph("categorical-chain"), str(folder / "chain.mps"), epsilon=0.5)
    >>> written["rows"], written["columns"], written["nonzeros"]
    (64, 49, 248)
    """
    graph, objective = as_graph(graph), MaxOffDiagonal() if objective is None else objective
    if not isinstance(objective, Objective):
        raise InputError(f"the objective {objective.name} has no linear program to write: it goes through cvxpy")
    check_known(graph, "a file of the linear program")
    asked, allowed = parse_epsilon(epsilon), parse_delta(delta)
    problem, groups = _whole(graph, asked, allowed, objective, shared)
    program, layout = transport_program(problem, groups=groups)
    columns, rows = list(column_keys(problem, layout)), list(row_keys(problem, layout))
    names = list(map(name_of, columns)), list(map(name_of, rows))
    write_mps(program, Path(path), scale=float(problem.loss_unit), columns=names[0], rows=names[1])
    categories = graph.graph["categories"]
    labels = [plain(list(one)) for one in (graph, categories, objective.output_labels(categories))]
    document = {
        "format": NAMES_OF_PROGRAM.format,
        "graph": graph.graph.get("name"),
        "epsilon": format_number(asked) if isinstance(asked, Fraction) else "inf",
        "delta": format_number(allowed),
        "objective": objective.name,
        "objective_scale": format_number(problem.loss_unit),
        **dict(zip(("profiles", "categories", "outputs"), labels, strict=True)),
        "kinds": KINDS,
        "columns": _meanings(columns, *labels),
        "rows": _meanings(rows, *labels),
    }
    if shared:
        document["sharing"] = [[labels[0][i] for i, g in enumerate(groups) if g == one] for one in sorted(set(groups))]
    write_json(document, map_of(path))
    sizes = {"rows": len(rows), "columns": len(columns), "nonzeros": int(program.matrix.nnz)}
    return sizes | {"mps": path, "map": map_of(path)}


def map_of(path: str) -> str:
    """Return the file of the map that goes with an MPS file."""
    return f"{path}.map.json"


def _whole(
    graph: nx.Graph, epsilon: Epsilon, delta: Fraction, objective: Objective, shared: bool
) -> tuple[Problem, list[int]]:
    """Return all components as one problem, and which profiles share a matrix, by the number of their group."""
    distributions = [attributes["distribution"] for attributes in graph.nodes.values()]
    required = requirements(graph, epsilon, delta)
    groups = list(range(len(graph)))
    for members in connected(len(graph), required) if shared else []:
        for i in members:
            groups[i] = min(members)
    weights = np.array([float(weight) for weight in profile_weights(graph)])
    return Problem(distributions, tuple(required), objective, weights / weights.sum(), shared=False), groups


def _meanings(
    keys: Iterable[Key], profiles: Sequence[Any], categories: Sequence[Any], outputs: Sequence[Any]
) -> dict[str, dict[str, Any]]:
    """Return what each key says, in the labels' words."""
    places = (("profile", profiles), ("category", categories), ("output", outputs))
    result = {}
    for kind, positions in keys:
        meaning: dict[str, Any] = {"kind": kind}
        if kind in ("privacy", "slack", "delta"):
            meaning["edge"] = [profiles[i] for i in positions[:2]]
            if positions[2:]:
                meaning["output"] = outputs[positions[2]]
        else:
            meaning |= {word: labels[i] for (word, labels), i in zip(places, positions, strict=False)}
        result[name_of((kind, positions))] = meaning
    return result
