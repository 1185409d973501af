"""What stands in a certificate that was checked, as a mechanism and a profile graph again."""

import math
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.certificate.written import label
from mechdesign.errors import InputError
from mechdesign.graph.checks import checked
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism


def graph_of(c: Any) -> nx.Graph:
    """Return the profile graph in the fields of a certificate or refutation, each edge with its epsilon and delta.

    An edge that is given several times has the least epsilon and the least delta of these.

    Examples
    --------
    >>> import mechdesign as md
    >>> from mechdesign.certificate.check import examined
    >>> c = examined(md.design(md.read_graph("categorical-chain"), epsilon="0.5").certificate)
    >>> graph_of(c).edges["P1", "P2"]["epsilon"]
    Fraction(1, 2)
    """
    graph = nx.Graph(categories=_labels(c.categories))
    for i, (profile, distribution) in enumerate(zip(_labels(c.profiles), c.distributions, strict=True)):
        graph.add_node(profile, distribution=distribution, **_bounds(c, i))
        if any(weight != c.weights[0] for weight in getattr(c, "weights", ())) and c.objective == "expected-loss":
            graph.nodes[profile]["weight"] = Fraction(c.weights[i])
    names = list(graph)
    for (i, j), epsilon, delta in zip(c.edges, c.epsilons, c.deltas, strict=True):
        there = graph.get_edge_data(names[i], names[j]) or {"epsilon": epsilon, "delta": delta}
        graph.add_edge(names[i], names[j], epsilon=min(epsilon, there["epsilon"]), delta=min(delta, there["delta"]))
    return checked(graph)


def mechanism_of(c: Any, graph: nx.Graph) -> tuple[Mechanism, npt.NDArray[np.bool_]]:
    """Return the mechanism, and for each profile and category whether the file says how it is reported.

    A category that no profile of a matrix has is not in the file; a row that nobody uses stands in its place.
    """
    places: dict[tuple[int, int], int] = {}
    rows: list[list[int]] = []
    for place, (row, _) in c.shared.items():
        places[place] = len(rows)
        divisor = math.gcd(*row)
        rows.append([weight // divisor for weight in row])
    size = len(c.profiles), len(c.categories)
    index, known = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.bool_)
    for i, group in enumerate(c.groups):
        for x in range(size[1]):
            known[i, x] = (group, x) in places
            index[i, x] = places.get((group, x), 0)
    table = np.empty((len(rows), len(c.outputs)), dtype=object)
    table[:] = rows
    return Mechanism(graph, tuple(_labels(c.outputs)), table, index), known


def multipliers(c: Any) -> dict[tuple[int, int, int], int]:
    """Return the weights of the constraints of privacy that prove the bound: (a, b, y) -> an integer."""
    return {(c.edges[n][way], c.edges[n][1 - way], y): weight for n, way, y, weight in c.privacy if weight}


def _labels(texts: list[str]) -> list[Label]:
    return [label(text) for text in texts]


def _bounds(c: Any, i: int) -> dict[str, Any]:
    """Return within which bounds a profile is known: nothing where it is known."""
    unit, d = sum(c.masses[i]), len(c.categories)
    if not c.radius[i] or c.lower[i] == c.upper[i]:
        return {}
    if any(c.lower[i]) or c.upper[i] != [unit] * d:
        if c.radius[i] < unit:
            raise InputError(f"profile {c.profiles[i]:.50}: it has bounds and a radius; a graph has one of them")
        return {
            "lower": [Fraction(mass, unit) for mass in c.lower[i]],
            "upper": [Fraction(mass, unit) for mass in c.upper[i]],
        }
    return {"radius": Fraction(c.radius[i], unit)}
