"""Values that their profile never has, by its distribution: how they are released is no part of what is proved."""

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.graph.distribution import support
from mechdesign.graph.uncertainty import is_robust, uncertainty_of
from mechdesign.release.codebook import Codes


class Never:
    """Counts such values, by the profile that they are of; or, where nobody says which, those that none has.

    Examples
    --------
    >>> import mechdesign as md
    >>> graph = md.profile_graph({"a": [1, 0], "b": [0, 1]}, edges=[], categories=["x", "y"])
    >>> never = Never(graph, by_profile=True)
    >>> never.add(np.array([0, 1, 1]), np.array([0, 0, 1]))
    >>> never.rows
    1
    """

    def __init__(self, graph: nx.Graph, *, by_profile: bool) -> None:
        within = is_robust(graph)
        table: npt.NDArray[np.bool_] = np.ones((len(graph) if by_profile else 1, len(graph.graph["categories"])), bool)
        for i, attributes in enumerate(graph.nodes.values()):
            most = uncertainty_of(attributes).reach if within else attributes["distribution"]
            table[i if by_profile else 0, [x for x, _ in support(most)]] = False
        self.rows = 0
        self._table = table if table.any() else None

    def add(self, values: Codes, profiles: Codes | None) -> None:
        """Count those among the positions of values, and of profiles."""
        if self._table is not None:
            places = values if profiles is None else profiles * np.int64(self._table.shape[1]) + values
            self.rows += int(np.count_nonzero(self._table.take(places, mode="clip")))

    def warnings(self) -> list[str]:
        """Return in words how many there were; nothing where there were none."""
        if not self.rows:
            return []
        many = f"{self.rows:,} row{'s have' if self.rows > 1 else ' has'} a value that the profile never has"
        return [f"{many}, by the mechanism's file. How these are released is no part of what is proved."]
