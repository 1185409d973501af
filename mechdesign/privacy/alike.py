"""Which probabilities (profile, output) are alike: one variable stands for all of a class.

Of a class of profiles one stands for all, and has their columns and inequalities.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mechdesign.arrays import Integers
from mechdesign.privacy.inequalities import Edges, Inequalities


@dataclass(frozen=True, eq=False)
class Alike:
    """Classes of what is alike, equitable exactly: see `mechdesign.symmetry.equitable`.

    Attributes
    ----------
    classes
        k x m: the number of each pair's class.
    group
        the number of each profile's class.
    edges
        the directed requirements, without those that others imply.
    edge
        the number of each edge's class, as it starts from a profile of some class.
    implied
        how many requirements others imply.
    """

    classes: Integers
    group: Integers
    edges: Edges
    edge: Integers
    implied: int

    @cached_property
    def representatives(self) -> Integers:
        """The position of the profile that stands for each class."""
        return np.unique(self.group, return_index=True)[1]

    @cached_property
    def copies(self) -> Integers:
        """How many profiles each class has."""
        return np.bincount(self.group)

    @cached_property
    def variables(self) -> Integers:
        """The class of each pair of the profiles that stand for the others, r x m."""
        return self.classes[self.representatives]

    @cached_property
    def sizes(self) -> Integers:
        """How many pairs each class has."""
        return np.bincount(self.classes.ravel())

    @cached_property
    def inequalities(self) -> Inequalities:
        """What the edges ask of classes, each thing once, in the order of `_known`."""
        kinds, first_edges = np.unique(self.edge, return_index=True)
        keys, times = self._known
        ends, edge = np.divmod(keys, len(kinds))
        above, below = np.divmod(ends, len(self.sizes))
        label = self.edges.label[first_edges]
        return Inequalities(above, below, edge, times, np.bincount(self.edge), label, self.edges.asked)

    def inequalities_of(self, edge: int) -> Integers:
        """Return the number of the inequality of each output of an edge."""
        place: Integers = np.searchsorted(self._known[0], self._keys(np.array([edge]))[0])
        return place

    @cached_property
    def _known(self) -> tuple[Integers, Integers]:
        """The numbers that there are, in order, and how many (a, b, y) each stands for."""
        chosen = self.edges.of(self.representatives)
        found, numbers = np.unique(self._keys(chosen), return_inverse=True)
        copies = np.repeat(self.copies[self.group[self.edges.first[chosen]]], self.classes.shape[1])
        return found, np.bincount(numbers.ravel(), weights=copies).astype(np.int64)

    def _keys(self, chosen: Integers) -> Integers:
        """Return a number for the classes at the ends of each of these edges, and for its own, by output."""
        above, below = self.classes[self.edges.first[chosen]], self.classes[self.edges.second[chosen]]
        keys: Integers = (above * len(self.sizes) + below) * (int(self.edge.max()) + 1) + self.edge[chosen][:, None]
        return keys
