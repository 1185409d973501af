"""What a loss is asked: one question for each place where losses differ, and what a table of numbers answers.

Given what is released, a profile's least expected loss is the cost of transport from its distribution there: for any
table, the cost of the plan's own entries.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Entries, Exact, Floats
from mechdesign.graph.labels import Label
from mechdesign.objective.base import LossTable, Rows
from mechdesign.objective.transport_plans import Plan, cheapest, monotone

Columns: TypeAlias = npt.NDArray[np.int64]

Change = TypeVar("Change", Floats, Exact)

Cost: TypeAlias = tuple[int, tuple[Columns, Floats]]
"""The number of columns so far; the columns of a profile's cost, and what they cost."""


ROUNDING = 1e-15
"""What rounded entries of a table may be off by, as a share of the largest."""


class Crossings(NamedTuple):
    """The least cost of releasing q for a profile P: sum_t above_t max(0, g_t) + below_t max(0, -g_t).

    g_t = (borders q)_y - (borders P)_x, for y = of_t and x = at_t: by how much what q has on one side of a border is
    above what P has on that side of the same border, or of another.

    Attributes
    ----------
    around
        whether the borders are those of a ring, around which any number may cross all of them for nothing.
    """

    borders: Floats
    of: Columns
    at: Columns
    above: Floats
    below: Floats
    around: bool = False

    def beside(self, profiles: Floats) -> Floats:
        """Return the (borders P)_x of all terms, profile by profile."""
        return (profiles @ self.borders.T)[:, self.at].ravel()


class Loss(ABC):
    """A kind of loss; what is not said of it otherwise holds for any table.

    Attributes
    ----------
    words, distance
        what it counts, for help; what a distance by it is called.
    checks_categories
        whether it goes with some categories only, or has outputs of its own.
    ordered
        whether it means something only if the categories have an order.
    """

    words: ClassVar[str]
    distance: ClassVar[str] = "loss"
    checks_categories: ClassVar[bool] = True
    ordered: ClassVar[bool] = False

    @abstractmethod
    def table(self, categories: Sequence[Label]) -> LossTable:
        """Return the d x m table for given categories."""

    def add_transport(self, rows: Rows, profile: Floats, q: Columns, n: int, loss: Floats) -> Cost:
        """Add a profile's cost of releasing columns q: z_xy >= 0, sum_y z_xy = P(x), sum_x z_xy = q_y; cost sum z l."""
        used, m = np.flatnonzero(profile), len(q)
        z = n + np.arange(len(used) * m).reshape(-1, m)
        rows.equal(Entries(len(z), np.repeat(np.arange(len(z)), m), z.ravel(), np.ones(z.size)), profile[used])
        y = np.arange(m - 1)  # the last output's row follows from the others; rounded, both could contradict it
        columns, values = np.vstack([q[:-1], z[:, :-1]]), np.ones((1 + len(z), m - 1))
        values[0] = -1.0
        rows.equal(Entries(m - 1, np.tile(y, 1 + len(z)), columns.ravel(), values.ravel()), 0.0)
        return n + z.size, (z.ravel(), loss[used].ravel())

    def transported(self, profile: Floats, q: Floats, loss: Floats) -> Floats:
        """Return the columns that `add_transport` adds, of least cost for what is released, of a Monge table."""
        assert is_monge(loss)
        plan = monotone(profile.tolist(), q.tolist())
        return np.array(plan[np.flatnonzero(profile)].ravel(), dtype=np.float64)

    def plan(self, supply: Sequence[int], demand: Sequence[int], loss: Floats) -> Plan:
        """Return the integer plan of least cost from a distribution to what is released."""
        return monotone(supply, demand) if is_monge(loss) else cheapest(supply, demand, loss)

    def crossings(self, loss: Floats) -> Crossings | None:
        """Return the least cost as what crosses borders; None if it is not known as such, but by a plan alone.

        Of a Monge table F_x of what a profile has up to x is at one side of the border after y, G_y of what it
        releases: then min(F_x, G_y) is what a plan that keeps the order moves from there to there.
        """
        (d, m), bends = loss.shape, _bends(loss)
        if d != m or np.diagonal(loss).any() or loss.min() < 0 or not is_monge(loss):
            return None
        y, x = np.nonzero(ROUNDING * loss.max() < bends.T)
        bend, up, down = bends[x, y], np.diagonal(loss, 1)[y], np.diagonal(loss, -1)[y]
        above, below = (np.where(x == y, step, bend * beyond) for step, beyond in ((down, x > y), (up, x < y)))
        return Crossings(np.tri(d - 1, d), y, x, above, below)

    def apart(self, first: Floats, second: Floats, ratios: Floats) -> Floats:
        """Return what two neighbours lose together at least, by what they are and e^epsilon.

        One unit and E units count the same. It is by how much on either side of each border, in all.
        """
        below, other = np.cumsum(first, axis=1), np.cumsum(second, axis=1)
        most = np.maximum(below - ratios * other, (1 - below) - ratios * (1 - other))[:, :-1]
        return np.array(np.maximum(0.0, most).sum(axis=1) / (first.shape[1] - 1))


def _bends(loss: Floats) -> Floats:
    """Return what two units pay more if they pass each other by one step, at each pair of steps."""
    return np.array(loss[:-1, 1:] + loss[1:, :-1] - loss[:-1, :-1] - loss[1:, 1:])


def is_monge(loss: Floats) -> bool:
    """Return whether no plan is cheaper than the one that keeps the order of mass, as of any convex distance on a line.

    Examples
    --------
    >>> [is_monge(np.array([[0, 1, far], [1, 0, 1], [far, 1, 0]])) for far in (2, 4, 1)]
    [True, True, False]
    """
    return bool((_bends(loss) >= -ROUNDING * abs(loss).max()).all())


class Priced(Loss):
    """A loss whose least cost has a formula in what is released: the sizes of what crosses borders, added up.

    Attributes
    ----------
    ends
        how many borders mass crosses for a unit of cost.
    around
        whether the borders are those of a ring, around which any number may cross all of them for nothing.
    """

    ends: ClassVar[int] = 1
    around: ClassVar[bool] = False

    @abstractmethod
    def crossing(self, change: Change) -> Change:
        """Return what crosses each border, a linear function of each change of what is released."""

    def crossed(self, change: Change) -> Change:
        """Return the same where it costs least: less the number around a ring that is best for that."""
        crossing = self.crossing(change)
        return from_middle(crossing) if self.around else crossing

    def costs(self, change: Change) -> Change:
        """Return what each change of what is released costs at least, in units of the loss; of Fractions exactly."""
        return np.array(abs(self.crossed(change)).sum(axis=1) / self.ends)

    def crossings(self, loss: Floats) -> Crossings:
        """Return the sizes of what crosses each border."""
        borders = self.crossing(np.eye(len(loss))).T
        each, own = np.full(len(borders), loss[0, :2].max() / self.ends), np.arange(len(borders))
        return Crossings(borders, own, own, each, each, self.around)


def from_middle(numbers: Change) -> Change:
    """Return numbers less the median of each row, from which their sizes add up to the least.

    Examples
    --------
    >>> from_middle(np.array([[5.0, 1.0, 2.0]])).tolist()
    [[3.0, -1.0, 0.0]]
    """
    return np.array(numbers - np.sort(numbers, axis=1)[:, numbers.shape[1] // 2, None])
