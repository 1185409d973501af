"""A specimen: a mechanism that another package makes, with the epsilon it claims."""

from collections.abc import Callable
from dataclasses import dataclass

import networkx as nx

from mechdesign.mechanism.mechanism import Mechanism

FLOORS = {
    "libqif": "qif>=1.6",
    "OpenDP": "opendp>=0.16",
    "diffprivlib": "diffprivlib>=0.6.6",
    "pure-ldp": "pure-ldp>=1.2",
    "multi-freq-ldpy": "multi-freq-ldpy>=0.2.5",
    "scipy": "scipy>=1.17",
    "numpy": "numpy>=2.3",
}
"""What pip calls each package, at the version it was first examined at."""


@dataclass(frozen=True)
class Caught:
    """A mechanism as its package made it.

    Attributes
    ----------
    mechanism
        exact.
    epsilon
        what the package claims, in nats.
    graph
        between which inputs; None for all pairs.
    """

    mechanism: Mechanism
    epsilon: float
    graph: nx.Graph | None = None


@dataclass(frozen=True)
class Specimen:
    """A mechanism of a package with its parameters.

    Attributes
    ----------
    package
        a key of FLOORS.
    mechanism, parameters
        in words.
    catch
        makes it with the package.
    slow
        whether that takes more than a few seconds.
    """

    package: str
    mechanism: str
    parameters: str
    catch: Callable[[], Caught]
    slow: bool = False
