"""The mechanism of a whole graph, from the rows of its components."""

from collections.abc import Sequence
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Integers
from mechdesign.designer.component import Answer, Component
from mechdesign.exact.integers import shortest
from mechdesign.graph.distribution import support
from mechdesign.graph.properties import has_point_masses
from mechdesign.graph.uncertainty import is_robust
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.stored_rows import Rows


def assembled(graph: nx.Graph, parts: Sequence[Component], answers: Sequence[Answer]) -> Mechanism:
    """Return the mechanism of the components' rows; a category without noise keeps its free output."""
    labels, free = parts[0].problem.output_labels, parts[0].problem.free
    tables: list[Exact | Integers] = [(np.array(free)[:, None] == np.arange(len(labels))).astype(np.int64)]
    index, count = np.tile(np.arange(len(free)), (len(graph), 1)), len(free)
    for part, answer in zip(parts, answers, strict=True):
        if len(answer.rows):
            rows = answer.rows
            index[np.array(part.members)[rows.profiles], rows.categories] = count + rows.numbers
            tables.append(rows.table)
            count += len(rows.table)
    table: npt.NDArray[Any] = np.concatenate(tables)
    if has_point_masses(graph) and not is_robust(graph):
        # Each profile always has the same value, so one table of the values' rows serves them all.
        for position, attributes in enumerate(graph.nodes.values()):
            x = support(attributes["distribution"])[0][0]
            table[x] = table[index[position, x]]
        table = table[: len(free)]
        index = np.broadcast_to(np.arange(len(free)), index.shape)
    else:
        used, numbers = np.unique(index, return_inverse=True)
        table, index = table[used], numbers.reshape(index.shape)
    return Mechanism(graph, labels, _shortest(table), index)


def _shortest(table: npt.NDArray[Any]) -> Rows:
    """Return rows without common divisors; in 64 bits, if the table is."""
    if table.dtype == np.int64:
        return Rows(table // np.gcd.reduce(table, axis=1)[:, None])
    return Rows(shortest(table.astype(object)))
