"""Columns that move mass between the outputs of a profile, as a small change of what it releases needs them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Exact, Floats, Integers
from mechdesign.errors import SolverError
from mechdesign.objective.losses import kind_of
from mechdesign.problem import Problem

MOST_MOVES = 300_000
"""Columns: a loss table needs one for each pair of a profile's outputs."""


@dataclass(frozen=True, eq=False)
class Moves:
    """Columns, each of which takes mass from one entry, gives it to another, or both.

    Attributes
    ----------
    profile
        whose mass it is.
    source, target
        where it is taken and where it goes, i m + y; -1 for nowhere.
    cost
        of one unit, over the problem's `loss_unit`.
    shape
        k and m.
    passing
        whether an entry may pass on what it is given: then it cannot lose more than it has; otherwise, give more.
    """

    profile: Integers
    source: Integers
    target: Integers
    cost: Floats
    shape: tuple[int, int]
    passing: bool

    def __len__(self) -> int:
        return len(self.profile)

    @property
    def changes(self) -> sp.csr_matrix:
        """What each entry gains, k m x columns."""
        return self._at(self.target) - self._at(self.source)

    @property
    def taken(self) -> sp.csr_matrix:
        """What of each entry must not exceed what it has, k m x columns."""
        return -self.changes if self.passing else self._at(self.source)

    @property
    def totals(self) -> sp.csr_matrix:
        """What each profile gains in all, k x columns: to be 0."""
        net = (self.target >= 0).astype(float) - (self.source >= 0)
        return sp.csr_matrix((net, (self.profile, np.arange(len(self)))), shape=(self.shape[0], len(self)))

    @property
    def costs(self) -> sp.csr_matrix:
        """What each profile pays, k x columns."""
        return sp.csr_matrix((self.cost, (self.profile, np.arange(len(self)))), shape=(self.shape[0], len(self)))

    def _at(self, places: Integers) -> sp.csr_matrix:
        there = np.nonzero(places >= 0)[0]
        return sp.csr_matrix((np.ones(len(there)), (places[there], there)), shape=(np.prod(self.shape), len(self)))


def moves(problem: Problem, weights: Exact, entries: Iterable[tuple[int, int]]) -> Moves:
    """Return the moves that can change these entries (i, y) of what is released, at the least cost.

    Raises
    ------
    SolverError
        if these would be too many.
    """
    touched: dict[int, set[int]] = defaultdict(set)
    for i, y in entries:
        touched[i].add(y)
    assert problem.loss is not None
    kind, losses, m = kind_of(problem.objective.loss), problem.loss, problem.outputs
    own = ((i, *move) for i, outputs in touched.items() for move in kind.moves(weights[i], outputs, losses))
    found = list(islice(own, MOST_MOVES + 1))
    if len(found) > MOST_MOVES:
        raise SolverError("too many moves between outputs for a program of a small change")
    profile, source, target, cost = (np.array(part) for part in zip(*found, strict=True))
    source, target = (np.where(place < 0, -1, profile * m + place) for place in (source, target))
    return Moves(profile, source, target, cost, (len(problem.exact), m), kind.passing)
