"""The rows of the canonical stage that may bind, with their multipliers: privacy of edges, and cuts of reachability."""

from collections.abc import Sequence
from copy import copy

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats, Integers
from mechdesign.exact.exponentials import shrink
from mechdesign.privacy.requirement import Directed, of_each
from mechdesign.solver.priced_rows import Flags, PricedRows

CHUNK = 4_000
"""Profiles whose cuts are looked for at once: a table of 50 outputs then takes 1.6 MB."""


class Dualised(PricedRows):
    """Rows e^-epsilon q^a_y <= q^b_y and q^i(S) <= P_i(S) + t_i |S| (1 - P_i(S)), with t = `level`: those so far.

    Each is scaled to length 1. The multiplier of a row that is added is 0. One level stands for that of all profiles.
    """

    def __init__(
        self, profiles: Floats, directed: Sequence[Directed], level: Floats | float, of: Integers | None = None
    ) -> None:
        self.level = np.broadcast_to(np.asarray(level, dtype=np.float64), len(profiles))
        self._here, self._there = (np.array([pair[side] for pair in directed], dtype=np.int64) for side in (0, 1))
        self._shrink = np.array(of_each([one.epsilon for _, _, one in directed], shrink))
        self._kept = np.zeros(0, dtype=np.int64)  # numbers in the m x pairs table of all rows of privacy
        self._owners = np.zeros(0, dtype=np.int64)
        self._sets: Flags = np.zeros((0, profiles.shape[1]), dtype=bool)
        self._keys: set[tuple[int, bytes]] = set()
        targets = np.ascontiguousarray(profiles.T)
        super().__init__(targets, sp.csr_matrix((0, targets.size)), np.zeros(0), np.zeros(0), of)

    def raise_level(self, level: Floats | float) -> None:
        """Hold the largest off-diagonal entry to another level; the rows stay, with other bounds."""
        self.level = np.broadcast_to(np.asarray(level, dtype=np.float64), self.level.shape)
        self.bound = self._bound()

    def add_violated(self, released: Floats, privacy: Floats | float, reach: Floats | float) -> Integers:
        """Add the rows of privacy, and the cuts, that are violated by more than so much, of all or of each profile.

        Return a profile of each row that is new.
        """
        privacy, reach = (np.broadcast_to(least, self.level.shape) for least in (privacy, reach))
        gaps = self._shrink * released[:, self._here] - released[:, self._there]
        above = np.setdiff1d(np.flatnonzero(gaps > privacy[self._here]), self._kept, assume_unique=True)
        owners, sets = self._violated_sets(released, reach)
        keys = _keys(owners, sets)
        fresh = np.array([key not in self._keys for key in keys], dtype=bool)
        self._keys.update(keys)
        new = np.concatenate([self._here[above % max(1, len(self._here))], owners[fresh]])
        if len(new):
            privacy_rows = len(self._kept)
            none = np.zeros(len(above)), np.zeros(int(fresh.sum()))
            parts = self.multipliers[:privacy_rows], none[0], self.multipliers[privacy_rows:], none[1]
            self._kept = np.concatenate([self._kept, above])
            self._owners, self._sets = (
                np.concatenate([self._owners, owners[fresh]]),
                np.concatenate([self._sets, sets[fresh]]),
            )
            self.hold(self._matrix(), self._bound(), np.concatenate(parts))
        return new

    def only(self, chosen: Flags) -> "Dualised":
        """Return the rows of these profiles alone, which no edge joins to others."""
        place, inside = np.cumsum(chosen) - 1, chosen[self._here]
        (y, pair), number = np.divmod(self._kept, max(1, len(inside))), np.cumsum(inside) - 1
        rows, cuts = inside[pair], chosen[self._owners]
        result = copy(self)
        result.level, result.targets = self.level[chosen], np.ascontiguousarray(self.targets[:, chosen])
        result.of = np.unique(self.of[chosen], return_inverse=True)[1]
        result.parts = int(result.of.max(initial=0)) + 1
        result._here, result._there = place[self._here[inside]], place[self._there[inside]]
        result._shrink, result._kept = self._shrink[inside], y[rows] * int(inside.sum()) + number[pair[rows]]
        result._owners, result._sets = place[self._owners[cuts]], self._sets[cuts]
        result._keys = set(_keys(result._owners, result._sets))
        result.hold(result._matrix(), result._bound(), self.multipliers[np.concatenate([rows, cuts])])
        return result

    def near(self, profiles: Integers, edges: int) -> Integers:
        """Return these profiles and those that are no more than so many edges away."""
        reached = np.zeros(self.targets.shape[1], dtype=bool)
        reached[profiles] = True
        for _ in range(edges):
            reached[self._there[reached[self._here]]] = True
        return np.flatnonzero(reached)

    def touched(self, scores: Floats) -> Floats:
        """Return for each profile the sum of the scores, one a row, of the rows that it is in."""
        privacy_rows, total = len(self._kept), np.zeros(self.targets.shape[1])
        parts = scores[:privacy_rows], scores[:privacy_rows], scores[privacy_rows:]
        for profiles, part in zip(self._profiles, parts, strict=True):
            total += np.bincount(profiles, part, minlength=len(total))
        return total

    def largest(self, scores: Floats) -> Floats:
        """Return for each profile the largest of the scores, one a row and none below 0, of the rows that it is in."""
        privacy_rows, result = len(self._kept), np.zeros(self.targets.shape[1])
        parts = scores[:privacy_rows], scores[:privacy_rows], scores[privacy_rows:]
        for profiles, part in zip(self._profiles, parts, strict=True):
            np.maximum.at(result, profiles, part)
        return result

    @property
    def _profiles(self) -> tuple[Integers, Integers, Integers]:
        """Those of the rows of privacy, in two columns, and those of the cuts."""
        pairs = self._kept % max(1, len(self._here))
        return self._here[pairs], self._there[pairs], self._owners

    def _violated_sets(self, released: Floats, tolerance: Floats) -> tuple[Integers, Flags]:
        """Return, of each size, every profile's most violated set of outputs, if it is violated by more than that."""
        owners, sets = [self._owners[:0]], [self._sets[:0]]
        m, k = self.targets.shape
        for start in range(0, k, CHUNK):
            part = slice(start, min(start + CHUNK, k))
            q, P = (np.ascontiguousarray(table[:, part].T) for table in (released, self.targets))
            for size in range(1, m):
                kept = 1 - self.level[part] * size
                order = np.argpartition(kept[:, None] * P - q, size - 1, axis=1)
                left, outside = (np.take_along_axis(table, order[:, size:], axis=1).sum(axis=1) for table in (q, P))
                found = np.flatnonzero(kept * outside - left > tolerance[part])
                inside = np.zeros((len(found), m), dtype=bool)
                np.put_along_axis(inside, order[found, :size], True, axis=1)
                owners.append(start + found)
                sets.append(inside)
        return np.concatenate(owners), np.concatenate(sets)

    def _matrix(self) -> sp.csr_matrix:
        k = self.targets.shape[1]
        number, (y, pair) = np.arange(len(self._kept)), np.divmod(self._kept, max(1, len(self._here)))
        length = np.sqrt(1 + self._shrink[pair] ** 2)
        cut, output = np.nonzero(self._sets)
        rows = np.concatenate([number, number, len(number) + cut])
        columns = np.concatenate([y * k + self._here[pair], y * k + self._there[pair], output * k + self._owners[cut]])
        values = [self._shrink[pair] / length, -1 / length, 1 / np.sqrt(self._sets.sum(axis=1)[cut])]
        shape = len(number) + len(self._sets), self.targets.size
        return sp.csr_matrix((np.concatenate(values), (rows.astype(np.int32), columns.astype(np.int32))), shape=shape)

    def _bound(self) -> Floats:
        size = self._sets.sum(axis=1)
        inside = np.einsum("cy,yc->c", self._sets, self.targets[:, self._owners])
        cuts = (inside + self.level[self._owners] * size * (1 - inside)) / np.sqrt(size)
        return np.concatenate([np.zeros(len(self._kept)), cuts])


def _keys(owners: Integers, sets: Flags) -> list[tuple[int, bytes]]:
    """Return what tells cuts apart."""
    return list(zip(owners.tolist(), map(bytes, np.packbits(sets, axis=1)), strict=True))
