"""What one output may release along a path, and what costs least there: chains.

Along a path of values, let q_i be the probability of one output y, whose privacy asks q_i <= e^epsilon q_j of
neighbours, both ways, but for what an edge's delta has room for. Whatever costs least then is made of chains: a run of
values with all others at nothing, where from one to the next q_i changes by e^epsilon or e^-epsilon. Only where a chain
ends anything exceeds privacy, by the whole of its last probability.

Prices of single probabilities, and of what edges have room for, say which chain through a value costs least: what those
on one side of it cost, times its q_i, follows from one value to the next. Any arm on one side of a peak goes with any
on the other.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats, Integers
from mechdesign.objective.multipliers import PrivacyMultipliers
from mechdesign.solver.highs import FINEST


@dataclass(frozen=True, eq=False)
class Chains:
    """Chains, each of one output, with a largest probability of 1.

    Attributes
    ----------
    outputs
        r: of which output each is.
    masses
        r x n: its probabilities.
    """

    outputs: Integers
    masses: Floats

    def arms(self) -> "Arms":
        """Return the two arms of each."""
        peaks, places = self.masses.argmax(axis=1), np.arange(self.masses.shape[1])
        before, after = places <= peaks[:, None], places >= peaks[:, None]
        masses = [np.where(side, self.masses, 0.0) for side in (before, after)]
        which = np.repeat([False, True], len(peaks))
        return Arms(np.tile(self.outputs, 2), np.tile(peaks, 2), which, np.concatenate(masses))


@dataclass(frozen=True, eq=False)
class Arms:
    """What chains have on one side of their peak, and there: two of the same output and peak make a chain.

    Attributes
    ----------
    outputs, peaks
        r: of which output each is, and where its probability is 1.
    after
        r: whether it is on the side after the peak.
    masses
        r x n: its probabilities.
    """

    outputs: Integers
    peaks: Integers
    after: npt.NDArray[np.bool_]
    masses: Floats

    @property
    def ends(self) -> Integers:
        """Where each ends, away from its peak."""
        some = self.masses > 0
        return np.asarray(np.where(self.after, some.shape[1] - 1 - some[:, ::-1].argmax(axis=1), some.argmax(axis=1)))

    @property
    def pairs(self) -> Integers:
        """The number of each one's output and peak, in the order in which these come first."""
        key = self.outputs * self.masses.shape[1] + self.peaks
        _, first, number = np.unique(key, return_index=True, return_inverse=True)
        return np.asarray(first.argsort().argsort()[number])

    def only(self, chosen: Integers) -> "Arms":
        """Return those at these places."""
        return Arms(self.outputs[chosen], self.peaks[chosen], self.after[chosen], self.masses[chosen])

    def with_others(self, others: "Arms") -> "Arms":
        """Return these, and others after them."""
        return Arms(
            np.append(self.outputs, others.outputs),
            np.append(self.peaks, others.peaks),
            np.append(self.after, others.after),
            np.concatenate([self.masses, others.masses]),
        )

    def fresh(self, known: set[bytes]) -> "Arms":
        """Return those that are not known, each once; from now on they are.

        They are told apart as far as HiGHS does that: around a delta of 1e-9 they end where masses are as small.
        """
        places, masses = [], np.rint(self.masses / FINEST)
        for place, parts in enumerate(zip(self.outputs, self.peaks, self.after, masses, strict=True)):
            key = b"".join(part.tobytes() for part in parts)
            if key not in known:
                known.add(key)
                places.append(place)
        return self.only(np.array(places, dtype=np.intp))


@dataclass(frozen=True, eq=False)
class Side:
    """The cheapest on one side of each value, itself included, where its probability is 1; all are n x m.

    Attributes
    ----------
    cost
        what it costs.
    factor
        what the value before has, times this one's; nothing if the chain begins here. Without the first value.
    largest, peak
        the largest probability, and where it is.
    end, at_end
        where the chain begins, and its probability there.
    """

    cost: Floats
    factor: Floats
    largest: Floats
    peak: Integers
    end: Integers
    at_end: Floats

    @classmethod
    def before(cls, prices: Floats, steps: Floats, room: Floats) -> "Side":
        """Return what is before each value, where beginning a chain after an edge costs its `room`."""
        n, m = prices.shape
        cost, largest, factor = prices.copy(), np.ones((n, m)), np.zeros((n - 1, m))
        peak = np.repeat(np.arange(n)[:, None], m, axis=1)
        end, at_end = peak.copy(), np.ones((n, m))
        with np.errstate(over="ignore", invalid="ignore"):
            for i, step in enumerate(steps):
                times = np.where(cost[i] > 0, step, 1 / step)
                begins = cost[i] * times >= room[i]
                factor[i] = np.where(begins, 0.0, times)
                cost[i + 1] += np.minimum(cost[i] * times, room[i])
                there = np.where(begins, 0.0, largest[i] * times)
                largest[i + 1] = np.maximum(1.0, there)
                peak[i + 1] = np.where(there > 1, peak[i], i + 1)
                end[i + 1] = np.where(begins, i + 1, end[i])
                at_end[i + 1] = np.where(begins, 1.0, at_end[i] * times)
        return cls(cost, factor, largest, peak, end, at_end)

    def turned(self) -> "Side":
        """Return the same of a path that is read backwards."""
        last = len(self.cost) - 1
        peak, end = last - self.peak[::-1], last - self.end[::-1]
        return Side(self.cost[::-1], self.factor[::-1], self.largest[::-1], peak, end, self.at_end[::-1])


class Cheapest:
    """The cheapest chains through each value and output, n x m.

    `prices` are of single probabilities, `rising` and `falling` of what exceeds privacy over the path's edges: where a
    value has more than e^epsilon times what the one before it has, or after it. It may exceed it by the `deltas`.

    Attributes
    ----------
    cost
        what it costs, where its largest probability is 1.
    saves
        what it saves at most: there may be as much of it as sums to 1, or ends within deltas.
    """

    def __init__(self, prices: Floats, steps: Floats, rising: Floats, falling: Floats, deltas: Floats) -> None:
        self.steps, self.rising, self.falling = steps, rising, falling
        self.before = Side.before(prices, steps, rising)
        self.after = Side.before(prices[::-1], steps[::-1], falling[::-1]).turned()
        later = self.after.largest > self.before.largest
        self.peak = np.where(later, self.after.peak, self.before.peak)
        largest = np.maximum(self.after.largest, self.before.largest)
        with np.errstate(over="ignore", invalid="ignore"):
            self.cost = np.nan_to_num((self.before.cost + self.after.cost - prices) / largest)
            begun = np.append(np.inf, deltas)[self.before.end] / self.before.at_end
            ended = np.append(deltas, np.inf)[self.after.end] / self.after.at_end
            self.saves = np.maximum(0.0, -self.cost) * np.minimum(1.0, np.minimum(begun, ended) * largest)

    def saving(self, least: float) -> Chains:
        """Return chains that save more than this, each once, at most twice as many as there are values.

        Of each output it is the one that saves most, then the second of each, and so on. With all of them "count
        200x200, expected squares, epsilon 0.1, delta 0.2" of benchmarks/cliffs.py takes 26 s of processor time, not
        5 s.
        """
        places, outputs = np.nonzero(self.saves > least)
        order = np.lexsort((-self.saves[places, outputs], outputs))
        places, outputs = places[order], outputs[order]
        key = np.stack([outputs, *(one[places, outputs] for one in (self.before.end, self.after.end, self.peak))])
        once = np.sort(np.unique(key, axis=1, return_index=True)[1])
        places, outputs = places[once], outputs[once]
        number = np.arange(len(outputs)) - np.searchsorted(outputs, outputs)
        chosen = np.lexsort((-self.saves[places, outputs], number))[: 2 * len(self.cost)]
        return self._through(places[chosen], outputs[chosen])

    def _through(self, places: npt.NDArray[np.intp], outputs: npt.NDArray[np.intp]) -> Chains:
        """Return the chains through these values and outputs."""
        n, number = len(self.steps) + 1, np.arange(len(places))
        masses = np.zeros((len(places), n))
        masses[number, places] = 1.0
        for i in range(n - 1):
            chosen = places <= i
            masses[chosen, i + 1] = masses[chosen, i] * self.after.factor[i, outputs[chosen]]
        for i in range(n - 2, -1, -1):
            chosen = places > i
            masses[chosen, i] = masses[chosen, i + 1] * self.before.factor[i, outputs[chosen]]
        return Chains(outputs, masses / masses.max(axis=1, keepdims=True))

    def multipliers(self) -> PrivacyMultipliers:
        """Return multipliers of privacy with which all prices are made up for along the path, within what rooms cost.

        From both ends to the peak of the cheapest chain: what is passed on shrinks on the way there, and so do errors.
        """
        peak = self.peak[self.cost.argmin(axis=0), np.arange(self.cost.shape[1])]
        found: PrivacyMultipliers = {}
        for i, step in enumerate(self.steps):
            ahead = i < peak
            price = np.where(ahead, self.before.cost[i], self.after.cost[i + 1])
            costs, saves = np.maximum(0.0, price) * step, np.maximum(0.0, -price)
            found[i, i + 1] = np.minimum(np.where(ahead, saves, costs), self.falling[i])
            found[i + 1, i] = np.minimum(np.where(ahead, costs, saves), self.rising[i])
        return found
