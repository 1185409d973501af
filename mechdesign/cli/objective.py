"""`--objective` and `--loss`, which several commands take."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx

from mechdesign.cli.file_types import LOSS, LOSSES
from mechdesign.cli.option_names import Decorator, completes, joined, option
from mechdesign.errors import InputError, telling
from mechdesign.exact.text import shown
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.files.kinds import MATRIX, TEXT, expecting
from mechdesign.graph.frames import Matrix
from mechdesign.graph.labels import Label
from mechdesign.graph.places import distances
from mechdesign.mechanism.matrix import read_matrix
from mechdesign.mechanism.probabilities import likely_cause
from mechdesign.objective import DISTANCE_LOSSES, LOSS_WORDS, OBJECTIVES, Goal
from mechdesign.words import expected_one_of

OF_OTHERS = " (rows is of databases, the last two of edges with distances), or a file of numbers, as for squared steps"
"""What is said of losses that do not go with any categories, and of what else there is."""


def objective_options(what: str, default: str = "", kinds: Mapping[str, type[Any]] = OBJECTIVES) -> Decorator:
    """Return what adds `--objective`, one of these kinds, and `--loss`; `what` leads the help, `default` is marked."""
    names = [f"{name} (default)" if name == default else name for name in kinds]
    about = f"{what}: {', '.join(names[:-1])} or {names[-1]}."
    costs = f"What an error costs: {LOSS_WORDS}, distance (of edges), squared-distance or a table; default: hamming."
    return joined(
        option("--objective NAME", about, shell_complete=completes(kinds)), option("--loss NAME|FILE", costs, LOSS)
    )


def objective_from(
    name: str | None,
    loss: str | None,
    categories: Sequence[Label] | None = None,
    layout: Layout = RECOGNISED,
    kinds: Mapping[str, type[Any]] = OBJECTIVES,
    graph: nx.Graph | None = None,
) -> Goal:
    """Return the objective of that name (any beginning of it will do), with a named loss or one from a file.

    A loss table's labels must be the categories; its rows and columns are put in their order. "distance" is that of the
    graph's edges, "squared-distance" its square.

    Raises
    ------
    InputError
        if there is no such objective or loss, or it takes no loss.
    """
    wanted = _letters("max-off-diagonal" if name is None else name)
    found = [kind for key, kind in kinds.items() if wanted and _letters(key).startswith(wanted)]
    if len(found) != 1:
        raise InputError(f"--objective: {expected_one_of(kinds, name)}")
    kind = found[0]
    objective: Goal
    if loss is None:
        objective = kind()
        return objective
    if not kind.takes_loss:
        takers = " or ".join(key for key, one in kinds.items() if one.takes_loss)
        raise InputError(f"--loss: goes with --objective {takers}; {kind.name} has none")
    if loss in LOSSES:
        objective = kind(named_loss(loss, graph))
        return objective
    matrix = read_loss(loss, categories, layout)
    try:
        objective = kind(matrix.rows)
    except InputError as error:
        raise InputError(
            likely_cause(matrix.rows, unlabelled=not matrix.is_labelled) + error.faults, source=loss
        ) from None
    return objective


def named_loss(name: str, graph: nx.Graph | None) -> str | list[list[Fraction]]:
    """Return a loss that is given by its name; the table of one that is a power of the distance of a graph's edges."""
    if name not in DISTANCE_LOSSES:
        return name
    if graph is None:
        raise InputError(f'--loss: "{name}" is that of the edges of a graph, and none is given; expected a table')
    return [[far ** DISTANCE_LOSSES[name] for far in row] for row in distances(graph)]


def _letters(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def read_loss(
    path: str, categories: Sequence[Label] | None = None, layout: Layout = RECOGNISED, *, option: str = "--loss"
) -> Matrix:
    """Return the loss table in a file: one row per category, one column per output, in the order of the categories.

    `option` is what named the file.

    Raises
    ------
    InputError
        naming the file.
    """
    if not Path(path).exists():
        raise InputError(f"{option}: {expected_one_of(LOSSES, path, beside=OF_OTHERS)}")
    with expecting(MATRIX, TEXT, path=path):
        matrix = read_matrix(path, layout)
    if len(matrix.rows) == 0:
        raise InputError(f"{option}: expected one row of numbers per category, found none", source=path)
    if not matrix.is_labelled:
        return matrix
    if categories is None or len(matrix.rows) != len(categories):
        expected = "one row per category" if categories is None else f"one row per category, {len(categories)}"
        raise InputError(f"{option}: expected {expected}, found {len(matrix.rows)} with labels", source=path)
    with telling(source=path):
        ordered = matrix.in_order(categories)
    if matrix.is_square and ordered.outputs not in (None, tuple(categories)):
        fault = f"expected the categories {shown(tuple(categories))} as labels of the columns"
        raise InputError(f"{fault}, found {shown(matrix.outputs)}", source=path)
    return ordered
