"""The mechanism of a whole graph, from the rows of its components."""

from collections.abc import Sequence

import networkx as nx
import numpy as np

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
    rows: list[Exact | Integers] = [np.array([int(y == kept) for y in range(len(labels))]) for kept in free]
    index = np.tile(np.arange(len(free)), (len(graph), 1))
    for part, answer in zip(parts, answers, strict=True):
        for positions, x, row in answer.rows:
            index[[part.members[position] for position in positions], x] = len(rows)
            rows.append(row)
    if has_point_masses(graph) and not is_robust(graph):
        # Each profile always has the same value, so one table of the values' rows serves them all.
        for position, attributes in enumerate(graph.nodes.values()):
            x = support(attributes["distribution"])[0][0]
            rows[x] = rows[index[position, x]]
        rows = rows[: len(free)]
        index = np.broadcast_to(np.arange(len(free)), index.shape)
    else:
        used, numbers = np.unique(index, return_inverse=True)
        rows, index = [rows[row] for row in used], numbers.reshape(index.shape)
    return Mechanism(graph, labels, _together(rows), index)


def _together(rows: Sequence[Exact | Integers]) -> Rows:
    """Return rows without common divisors as one table; in 64 bits, if all are."""
    table = np.array(rows)
    if table.dtype == np.int64:
        return Rows(table // np.gcd.reduce(table, axis=1)[:, None])
    return Rows(shortest(table.astype(object)))
