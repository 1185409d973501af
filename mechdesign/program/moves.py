"""Columns that move mass between the outputs of a profile, as a small change of what it releases needs them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Exact, Floats, Integers
from mechdesign.errors import SolverError
from mechdesign.problem import Problem

MOST_MOVES = 300_000
"""Columns for a loss table, which needs one for each pair of a profile's outputs."""


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

    For the Hamming loss an entry's gain or loss costs the same wherever it goes: one more entry of the profile, its
    largest, stands for all others. For the absolute loss mass goes step by step. Any other loss needs a column for each
    pair of outputs.

    Raises
    ------
    SolverError
        if these would be too many.
    """
    touched: dict[int, set[int]] = defaultdict(set)
    for i, y in entries:
        touched[i].add(y)
    m = problem.outputs
    found: list[tuple[int, int, int, float]] = []
    loss = problem.objective.loss
    if loss == "hamming":
        for i, own in touched.items():
            others = [y for y in range(m) if y not in own]
            spare = [max(others, key=lambda y, i=i: weights[i, y])] if others else []  # type: ignore[misc]
            for y in [*own, *spare]:
                found.append((i, -1, i * m + y, 0.0))
                if weights[i, y]:
                    found.append((i, i * m + y, -1, 1.0))
    elif loss == "absolute":
        unit = float(1 / problem.loss_unit)
        for i in touched:
            steps = [(x, y) for x in range(m) for y in (x - 1, x + 1) if 0 <= y < m]
            found += [(i, i * m + x, i * m + y, unit) for x, y in steps]
    else:
        if len(touched) * m * m > MOST_MOVES:
            raise SolverError("too many pairs of outputs for a program of a small change")
        assert problem.loss is not None
        for i in touched:
            pairs = ((x, y) for x in range(m) if weights[i, x] for y in range(m) if y != x)
            found += [(i, i * m + x, i * m + y, float(problem.loss[x, y])) for x, y in pairs]
    profile, source, target, cost = (np.array(part) for part in zip(*found, strict=True))
    return Moves(profile, source, target, cost, (len(problem.exact), m), loss == "absolute")
