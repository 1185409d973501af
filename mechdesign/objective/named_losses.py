"""The losses with a name: a class for each, with all that depends on it, and its place in `NAMED_LOSSES`."""

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import ClassVar

import numpy as np

from mechdesign.arrays import Entries, Floats
from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.graph.databases import row_distances
from mechdesign.graph.labels import Label
from mechdesign.objective.base import LossTable, Rows
from mechdesign.objective.loss import Change, Columns, Cost, Loss, Priced
from mechdesign.objective.transport_plans import Plan, monotone, proportional


class Hamming(Priced):
    """0 for the truth, 1 for anything else: mass costs the same wherever it goes, and the cost is total variation."""

    words: ClassVar[str] = "0 or 1"
    distance: ClassVar[str] = "total variation"
    checks_categories: ClassVar[bool] = False
    ends: ClassVar[int] = 2

    def table(self, categories: Sequence[Label]) -> LossTable:
        """Return 1 off the diagonal."""
        d, one, zero = len(categories), Fraction(1), Fraction(0)
        return tuple((*(one,) * x, zero, *(one,) * (d - 1 - x)) for x in range(d))

    def add_transport(self, rows: Rows, profile: Floats, q: Columns, n: int, loss: Floats) -> Cost:
        """Lost mass: v_y >= P(y) - q_y, v >= 0; cost sum v."""
        used = np.flatnonzero(profile)
        count = len(used)
        new, row = n + np.arange(count), np.arange(count)
        lost = Entries(count, np.tile(row, 2), np.concatenate([q[used], new]), -np.ones(2 * count))
        rows.at_most(lost, -profile[used])
        return n + count, (new, np.full(count, loss[0, 1]))

    def transported(self, profile: Floats, q: Floats, loss: Floats) -> Floats:
        """Lost mass."""
        del loss
        return np.array(np.maximum(0.0, profile - q)[np.flatnonzero(profile)])

    def plan(self, supply: Sequence[int], demand: Sequence[int], loss: Floats) -> Plan:
        """Return the plan that keeps in place what it can."""
        del loss
        return proportional(supply, demand)

    def crossing(self, change: Change) -> Change:
        """Each output has a border to all others."""
        return change

    def apart(self, first: Floats, second: Floats, ratios: Floats) -> Floats:
        """By how much P(S) exceeds E R(S), for the set S by which it is most."""
        return np.array(np.maximum(0.0, first - ratios * second).sum(axis=1))


class Steps(Priced):
    """Steps from an output to the next: a unit for each unit of mass that crosses a border between two of them."""

    checks_categories: ClassVar[bool] = False
    ordered: ClassVar[bool] = True

    @abstractmethod
    def borders(self, m: int) -> int:
        """Return how many outputs, the first ones, have a border to the next; that of the last is the first."""

    def add_transport(self, rows: Rows, profile: Floats, q: Columns, n: int, loss: Floats) -> Cost:
        """Move u_y >= 0 from y up to y + 1, v_y >= 0 down: q_y - P(y) = u_(y-1) - u_y + v_y - v_(y-1)."""
        m, count = len(q), self.borders(len(q))
        y, border, ones = np.arange(m - 1), np.arange(count), np.ones(count)
        up, down = n + border, n + count + border
        row = np.concatenate([y, *[border, (border + 1) % m] * 2])
        column = np.concatenate([q[:-1], up, up, down, down])
        value = np.concatenate([np.ones(m - 1), ones, -ones, -ones, ones])
        kept = row < m - 1  # the last output's equation follows from the others
        rows.equal(Entries(m - 1, row[kept], column[kept], value[kept]), profile[:-1])
        return n + 2 * count, (n + np.arange(2 * count), np.full(2 * count, loss[0, 1]))

    def transported(self, profile: Floats, q: Floats, loss: Floats) -> Floats:
        """What moves up, and what moves down."""
        del loss
        up = self.crossed((profile - q)[None, :])[0]
        return np.concatenate([np.maximum(0.0, up), np.maximum(0.0, -up)])

    def start(self, lost: Sequence[int]) -> int:
        """Return the output at which the line of outputs begins, given what each loses."""
        del lost
        return 0

    def plan(self, supply: Sequence[int], demand: Sequence[int], loss: Floats) -> Plan:
        """Return the plan that keeps the order of mass along the line."""
        del loss
        return monotone(supply, demand, self.start([here - there for here, there in zip(supply, demand, strict=True)]))


class Absolute(Steps):
    """The difference of positions; the cost is the area between the cumulative distributions."""

    words: ClassVar[str] = "difference of positions"

    def table(self, categories: Sequence[Label]) -> LossTable:
        """Return |x - y|."""
        steps = [Fraction(step) for step in range(len(categories))]
        return tuple((*steps[x:0:-1], *steps[: len(steps) - x]) for x in range(len(steps)))

    def borders(self, m: int) -> int:
        """All but the last output have one."""
        return m - 1

    def crossing(self, change: Change) -> Change:
        """Return the change of the cumulative distribution."""
        return np.cumsum(change, axis=1)[:, :-1]


class Circular(Steps):
    """The steps on a ring, on which the first output comes after the last: hours, months, compass directions.

    Where c goes around the whole ring, the area between the cumulative distributions is shifted by c; the least is that
    at their median, and then nothing crosses one of the borders: the ring is a line that begins there.
    """

    words: ClassVar[str] = "steps on a ring"
    around: ClassVar[bool] = True

    def table(self, categories: Sequence[Label]) -> LossTable:
        """Return min(|x - y|, d - |x - y|)."""
        d = len(categories)
        steps = [Fraction(min(step, d - step)) for step in range(d)]
        return tuple((*steps[d - x :], *steps[: d - x]) for x in range(d))

    def borders(self, m: int) -> int:
        """All outputs have one."""
        return m

    def crossing(self, change: Change) -> Change:
        """Return the change of the cumulative distribution."""
        return np.cumsum(change, axis=1)

    def start(self, lost: Sequence[int]) -> int:
        """Return the output at which the line begins."""
        crossing = list(accumulate(lost))
        return (crossing.index(sorted(crossing)[len(crossing) // 2]) + 1) % len(crossing)

    def apart(self, first: Floats, second: Floats, ratios: Floats) -> Floats:
        """By how much in each half of the ring, in all: what enters a half crosses one of its two borders."""
        m = first.shape[1]
        half = (np.arange(m)[:, None] - np.arange(m)) % m < m // 2
        most = np.maximum(0.0, first @ half - ratios * (second @ half))
        return np.array(most.sum(axis=1) / max(1, m))


class Changed(Loss):
    """In how many rows two databases differ."""

    words: ClassVar[str] = "of a database that change"

    def table(self, categories: Sequence[Label]) -> LossTable:
        """Return the Hamming distances of databases.

        Raises
        ------
        InputError
            if the categories are no databases of one length.
        """
        databases = [label for label in categories if isinstance(label, tuple)]
        lengths = {len(database) for database in databases}
        if len(databases) < len(categories) or len(lengths) != 1:
            other = next((label for label in categories if not isinstance(label, tuple)), categories[-1])
            raise InputError(
                'loss "rows": expected every category to be a database, a tuple of as many rows as all others (see '
                f'database_graph), found {shown(other)}; "hamming" is 0 or 1 for any categories'
            )
        return _distances(tuple(databases))


@lru_cache(maxsize=1)  # 4,096 databases have 16 million distances, and are asked for them several times
def _distances(databases: tuple[tuple[Label, ...], ...]) -> LossTable:
    losses = np.array([Fraction(changed) for changed in range(len(databases[0]) + 1)], dtype=object)
    return tuple(tuple(row) for row in losses[row_distances(databases)])


NAMED_LOSSES: dict[str, Loss] = {
    "hamming": Hamming(),
    "absolute": Absolute(),
    "rows": Changed(),
    "circular": Circular(),
}

LOSS_WORDS = ", ".join(f"{name} ({loss.words})" for name, loss in NAMED_LOSSES.items())
"""Each name with what it counts."""

DISTANCE_LOSSES = {"distance": 1, "squared-distance": 2}
"""The names of losses that only a graph knows: which power of the edges' own distance each is."""
