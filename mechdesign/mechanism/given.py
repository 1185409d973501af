"""What functions take for a mechanism: itself, a design, a matrix or a file; and for its graph also a name."""

import os
from typing import Protocol, TypeAlias, runtime_checkable

import networkx as nx
import numpy.typing as npt

from mechdesign.graph.file import as_graph
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.mechanism.from_matrix import mechanism_from_matrix
from mechdesign.mechanism.mechanism import Mechanism, check_mechanism


@runtime_checkable
class Designed(Protocol):
    """A mechanism with the graph it is for, such as a `Design`."""

    @property
    def mechanism(self) -> Mechanism:  # noqa: D102
        ...

    @property
    def graph(self) -> nx.Graph:  # noqa: D102
        ...


Given: TypeAlias = Mechanism | Designed | npt.ArrayLike | str | os.PathLike[str]
"""What a mechanism may be given as: itself, a design, a matrix, or the path of a file."""


def as_mechanism(
    given: Given, graph: nx.Graph | str | os.PathLike[str] | None = None
) -> tuple[Mechanism, nx.Graph | None]:
    """Return a mechanism, and the checked graph to judge it by; a design's own graph unless another is given.

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
    chosen = None if graph is None else as_graph(graph)
    if isinstance(given, Designed):
        return given.mechanism, given.graph if chosen is None else chosen
    if isinstance(given, str | os.PathLike):
        return read_foreign(given, chosen), chosen
    if isinstance(given, list | tuple) or hasattr(given, "__array__"):
        inputs = None if chosen is None else chosen.graph["categories"]
        return mechanism_from_matrix(given, inputs=inputs), chosen
    return check_mechanism(given), chosen
