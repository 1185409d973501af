"""What functions take for a mechanism, and for the pairs of profiles that it is judged by."""

import os
from typing import Protocol, TypeAlias, runtime_checkable

import networkx as nx
import numpy.typing as npt

from mechdesign.graph.graph_file import as_graph
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.mechanism.from_matrix import mechanism_from_matrix
from mechdesign.mechanism.mechanism import Mechanism, check_mechanism
from mechdesign.privacy.asked import Asked


@runtime_checkable
class Designed(Protocol):
    """What has a mechanism, such as a `Design`."""

    @property
    def mechanism(self) -> Mechanism:  # noqa: D102
        ...


Given: TypeAlias = Mechanism | Designed | npt.ArrayLike | str | os.PathLike[str]
"""What a mechanism may be given as: itself, a design, a matrix, or the path of a file."""

AskedBy: TypeAlias = nx.Graph | str | os.PathLike[str] | Asked | None
"""What says which pairs must not be told apart: a graph, its name or its path; without one the mechanism itself."""


def as_mechanism(given: Given, graph: AskedBy = None, *, all_pairs: bool = False) -> tuple[Mechanism, Asked]:
    """Return a mechanism, and the pairs of profiles to judge it by: a graph's edges, or else its own; or every pair.

    A matrix has one row per input, as in `mechanism_from_matrix`; with a graph its inputs are the graph's categories.

    Raises
    ------
    InputError
        listing every fault.

    Examples
    --------
    >>> as_mechanism([[1, 0], [0, 1]], "bernoulli-couplet")[0].categories
    ('0', '1')
    """
    chosen = None if graph is None else _asked_by(graph)
    mechanism = known_mechanism(given, None if chosen is None else chosen.profiles)
    return mechanism, asked_of(mechanism, chosen, all_pairs=all_pairs)


def asked_of(mechanism: Mechanism, graph: AskedBy = None, *, all_pairs: bool = False) -> Asked:
    """Return the pairs of profiles to judge a mechanism by: a graph's edges, or else its own; or every pair of these.

    Examples
    --------
    >>> coin = mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> str(asked_of(coin).source), str(asked_of(coin, "bernoulli-couplet").source)
    ('every pair', 'graph')
    """
    found = mechanism.asked if graph is None else _asked_by(graph)
    return found.every() if all_pairs else found


def _asked_by(graph: nx.Graph | str | os.PathLike[str] | Asked) -> Asked:
    return graph if isinstance(graph, Asked) else Asked(as_graph(graph))


def known_mechanism(given: Given, graph: nx.Graph | None = None) -> Mechanism:
    """Return what is given as a mechanism; a matrix' inputs are a graph's categories."""
    if isinstance(given, Designed):
        return check_mechanism(given.mechanism)
    if isinstance(given, str | os.PathLike):
        return read_foreign(given, graph)
    if isinstance(given, list | tuple) or hasattr(given, "__array__"):
        return mechanism_from_matrix(given, inputs=None if graph is None else graph.graph["categories"])
    return check_mechanism(given)
