"""Exactly private distributions next to a solver's, by difference constraints, in integers.

With E = e^epsilon, privacy asks q^a_y <= E q^b_y + s for each output y, where s is what the pair (a, b) uses of its
delta at y. For each y these are difference constraints (in the logarithms, where s = 0), a system in which every
constraint bounds one unknown from below by a growing function of one other.

Lemma. Such a system has a least solution above any given point (if it has one above it at all), and raising each
unknown to what the others ask, until nothing changes, ends there. Where the point nearly meets the constraints, it is
raised by a few times its violation.

Raised rows have too large totals. Each is brought back to its own, one row after the other, within the room that its
neighbours leave it. Where there is not enough, `mixing` takes over. What is found is checked by whoever uses it.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from mechdesign.cover import Clique
from mechdesign.exact import round_to_total
from mechdesign.problem import Floats, Problem

Exact = npt.NDArray[np.object_]


def feasible_table(problem: Problem, released: Floats, fixed: npt.NDArray[np.bool_], unit: int) -> Exact | None:
    """Return a k x m table of integers over `unit` near `released` that meets the requirements; None if none is found.

    Rows that are `fixed` stay at the target, as Fractions over the same unit.
    """
    target = np.array(problem.target, dtype=object) * unit
    table = target.copy()
    for i in np.nonzero(~fixed)[0]:
        table[i] = round_to_total(released[i].tolist(), unit)
    bounds = Bounds(problem, table, unit)
    caps = np.full(table.shape, unit, dtype=object)
    caps[fixed] = target[fixed]
    lowered = np.minimum(table, bounds.largest_below(caps, fixed) if fixed.any() else caps)
    raised = bounds.least_above(lowered, fixed)
    bounds.start(raised)
    for i in np.nonzero(~fixed)[0]:
        if not _balance(raised, int(i), target[i], bounds, unit):
            return None
    return raised


def _balance(table: Exact, i: int, target: Exact, bounds: "Bounds", unit: int) -> bool:
    """Bring row i to the total `unit`, towards its target where possible; return whether there was room."""
    missing = unit - int(table[i].sum())
    if missing == 0:
        return True
    sign = 1 if missing > 0 else -1
    missing *= sign
    room = bounds.room(table, i, sign)
    towards = np.minimum(room, np.maximum(sign * (target - table[i]) // 1, 0))
    for limits in (towards, room):
        for y in sorted(range(len(limits)), key=lambda y: -limits[y]):
            step = min(limits[y], missing)
            if step <= 0:
                break
            table[i, y] += sign * step
            room[y] -= step
            missing -= step
    bounds.changed(table, i)
    return missing == 0


class Bounds:
    """The difference constraints between the rows of a table of integers."""

    def __init__(self, problem: Problem, table: Exact, unit: int) -> None:
        self._cliques = problem.cover.cliques
        both = [(a, b, edge) for edge in problem.cover.pairs for a, b in edge.directions()]
        self._first, self._second = (np.array([pair[side] for pair in both], dtype=int) for side in (0, 1))
        ratios = [edge.ratio_below for _, _, edge in both]
        self._up = np.array([ratio.numerator for ratio in ratios], dtype=object)[:, None]
        self._down = np.array([ratio.denominator for ratio in ratios], dtype=object)[:, None]
        self._spare = np.zeros((len(both), table.shape[1]), dtype=object)
        for number, (a, b, edge) in enumerate(both):
            if edge.delta:
                self._spare[number] = _shares(table[a], table[b], edge.ratio_below, int(edge.delta * unit))
        self._as_first = _positions(self._first, len(table))
        self._as_second = _positions(self._second, len(table))
        self._in_cliques = _positions_of_members(self._cliques, len(table))

    def least_above(self, table: Exact, fixed: npt.NDArray[np.bool_]) -> Exact:
        """Return the least table that is at least the one given and meets every constraint of the rows not fixed."""
        table = table.copy()
        while True:
            before = table.copy()
            for clique in self._cliques:
                rows = list(clique.members)
                table[rows] = np.maximum(table[rows], _ceil(table[rows].max(axis=0), clique.ratio_below))
            if len(self._first):
                np.maximum.at(table, self._second, self._least(table[self._first], slice(None)))
            table[fixed] = before[fixed]
            if (table == before).all():
                return table

    def largest_below(self, table: Exact, fixed: npt.NDArray[np.bool_]) -> Exact:
        """Return the largest table that is at most the one given and meets every constraint of the rows not fixed."""
        table = table.copy()
        while True:
            before = table.copy()
            for clique in self._cliques:
                rows = list(clique.members)
                table[rows] = np.minimum(table[rows], _floor(table[rows].min(axis=0), clique.ratio_below))
            if len(self._first):
                np.minimum.at(table, self._first, self._most(table[self._second], slice(None)))
            table[fixed] = before[fixed]
            if (table == before).all():
                return table

    def start(self, table: Exact) -> None:
        """Remember the cliques' least and largest entries: rows change one at a time from now on."""
        members = [list(clique.members) for clique in self._cliques]
        self._live = np.array([any(column) for column in table.T])
        self._lowest = [table[rows].min(axis=0) for rows in members]
        self._highest = [table[rows].max(axis=0) for rows in members]

    def changed(self, table: Exact, i: int) -> None:
        """Note that row i has changed; the cliques' old extremes remain valid bounds."""
        for number in self._in_cliques[i]:
            self._lowest[number] = np.minimum(self._lowest[number], table[i])
            self._highest[number] = np.maximum(self._highest[number], table[i])

    def room(self, table: Exact, i: int, sign: int) -> Exact:
        """Return how far each entry of row i can go up (sign 1) or down (-1) while all the others stay."""
        limits = [np.full(table.shape[1], 2**200, dtype=object)] if sign > 0 else [np.zeros(table.shape[1], object)]
        for number in self._in_cliques[i]:
            ratio = self._cliques[number].ratio_below
            limits.append(_floor(self._lowest[number], ratio) if sign > 0 else _ceil(self._highest[number], ratio))
        own = self._as_first[i] if sign > 0 else self._as_second[i]
        if len(own):
            others = table[self._second[own]] if sign > 0 else table[self._first[own]]
            limits += list(self._most(others, own) if sign > 0 else self._least(others, own))
        farthest = np.min(limits, axis=0) - table[i] if sign > 0 else table[i] - np.max(limits, axis=0)
        return np.where(self._live, np.maximum(farthest, 0), 0)

    def _most(self, second: Exact, which: slice | npt.NDArray[np.int64]) -> Exact:
        """Return how large the first rows of pairs may be, given the second."""
        return np.array(second * self._up[which] // self._down[which] + self._spare[which], dtype=object)

    def _least(self, first: Exact, which: slice | npt.NDArray[np.int64]) -> Exact:
        """Return how small the second rows of pairs may be, given the first."""
        return np.array(-((self._spare[which] - first) * self._down[which] // self._up[which]), dtype=object)


def _floor(values: Exact, ratio: Fraction) -> Exact:
    return np.array(values * ratio.numerator // ratio.denominator, dtype=object)


def _ceil(values: Exact, ratio: Fraction) -> Exact:
    return np.array(-(-values * ratio.denominator // ratio.numerator), dtype=object)


def _shares(first: Exact, second: Exact, ratio: Fraction, delta: int) -> Exact:
    """Return what each output takes of delta: where first > ratio second, by how much; at most delta in all."""
    shares = np.maximum(first - _floor(second, ratio), 0)
    excess = int(sum(shares)) - delta
    for y in sorted(range(len(shares)), key=lambda y: -shares[y]):
        cut = min(max(excess, 0), shares[y])
        shares[y] -= cut
        excess -= cut
    return np.array(shares, dtype=object)


def _positions(numbers: npt.NDArray[np.int64], count: int) -> list[npt.NDArray[np.int64]]:
    """Return where each of 0..count-1 stands in a list of numbers."""
    order = np.argsort(numbers, kind="stable")
    ends = np.searchsorted(numbers[order], np.arange(count + 1))
    return [order[start:end] for start, end in pairwise(ends)]


def _positions_of_members(cliques: Sequence[Clique], count: int) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(count)]
    for number, clique in enumerate(cliques):
        for i in clique.members:
            found[i].append(number)
    return found
