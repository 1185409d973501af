"""Exact rows of matrices, where what is released is not enough: one shared matrix, or profiles known within bounds.

All rows are weights of one total, and the same is added to all of them: by the lemma of `room` every distribution then
releases as much more. Where E = 1 and delta = 0 that makes no room: there all profiles must release the same, whatever
their distributions are. P A_y is the same for every P in a set if and only if A_xy is the same for all categories x
whose mass varies in it: these share their row. What the profiles of such a group release then differs by rounding; with
q*_y the largest, q*_y - q^i_y is added to the rows of each, which has the same total for all of them.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from operator import attrgetter
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact
from mechdesign.exact.integers import rounded_to_total
from mechdesign.graph.uncertainty import is_single
from mechdesign.privacy.cover import Cover
from mechdesign.privacy.extremes import extremes
from mechdesign.privacy.requirement import Requirement, connected
from mechdesign.problem import Kept, Problem
from mechdesign.rounding.equations import solved_for
from mechdesign.rounding.realise import NoisyRows
from mechdesign.rounding.releases import precisions
from mechdesign.rounding.room import keeping, room_for

Table: TypeAlias = dict[int, list[Fraction | int]]
"""The rows of one matrix, weights of one total; of the categories that are possible."""


def matrix_rows(problem: Problem, matrices: npt.NDArray[Any]) -> NoisyRows | str:
    """Return rows near solvers' matrices, in doubles or rationals, that are private exactly, for all in the sets.

    They may be far from these where an epsilon is tiny; in the extreme all rows are nearly the same. Or return why
    there are none, as where its rational bound makes no room.
    """
    if problem.kept is not None:
        matrices = matrices * np.array([total > 0 for total in problem.kept.totals])
    (bits,) = precisions(problem, [1])
    unit = 1 << bits
    if problem.shared:
        tables, owners = [_shared(problem, matrices[0], unit)], [list(range(len(problem.exact)))]
    else:
        tables, owners = _unshared(problem, matrices, unit), [[i] for i in range(len(problem.exact))]
    room: Sequence[int | Fraction] | str = _room(problem, tables)
    if problem.kept is not None and not isinstance(room, str):
        room = _keeping(problem, problem.kept, tables, room)
    if isinstance(room, str):
        return room
    rows = [
        (who, x, _integers([weight + more for weight, more in zip(row, room, strict=True)]))
        for who, table in zip(owners, tables, strict=True)
        for x, row in table.items()
    ]
    users = np.array([(i, x, number) for number, (who, x, _) in enumerate(rows) for i in who])
    return NoisyRows(users[:, 0], users[:, 1], users[:, 2], np.array([row for _, _, row in rows], dtype=object))


def _integers(row: Sequence[Fraction | int]) -> Exact:
    common = math.lcm(*(weight.denominator for weight in row))
    whole = np.array([int(weight * common) for weight in row], dtype=object)
    return np.array(whole // np.gcd.reduce(whole), dtype=object)


def _rounded(row: npt.NDArray[Any], unit: int) -> list[Fraction | int]:
    return list(rounded_to_total((row * (row > 0))[None], unit)[0])


def _equal_edges(problem: Problem) -> list[Requirement]:
    return [edge for edge in problem.required if edge.epsilon == 0 and edge.delta == 0]


def _varying(problem: Problem, i: int) -> list[int]:
    """Return the categories whose mass varies in the set of a profile."""
    one = problem.sets[i]
    if is_single(one):
        return []
    d = len(problem.exact[i])
    unit = [[int(x == z) for z in range(d)] for x in range(d)]
    found = extremes(one, unit)
    return [x for x in range(d) if found.largest[x] > found.least[x]]


def _unshared(problem: Problem, matrices: npt.NDArray[Any], unit: int) -> list[Table]:
    """Return the rows of matrices that profiles do not share, all of one total; equal edges are met exactly."""
    groups = [group for group in connected(len(matrices), _equal_edges(problem)) if len(group) > 1]
    near = np.array(matrices)
    for i in (i for group in groups for i in group):
        if alike := _varying(problem, i):
            near[i, alike] = near[i, alike].mean(axis=0)
    tables = [
        {int(x): _rounded(near[i, x], unit) for x in np.nonzero(problem.possible[i])[0]} for i in range(len(near))
    ]
    for group in groups:
        released = [_released(problem.exact[i], tables[i]) for i in group]
        highest = [math.ceil(max(column)) for column in zip(*released, strict=True)]
        for i, sums in zip(group, released, strict=True):
            _add(tables[i], [most - one for most, one in zip(highest, sums, strict=True)])
    totals = [sum(next(iter(table.values()))) for table in tables]
    for table, total in zip(tables, totals, strict=True):
        each, more = divmod(int(max(totals) - total), near.shape[2])
        _add(table, [Fraction(each + (y < more)) for y in range(near.shape[2])])
    return tables


def _released(masses: Sequence[Fraction], table: Table) -> list[Fraction]:
    parts = [[masses[x] * weight for weight in row] for x, row in table.items()]
    return [sum(column, Fraction(0)) for column in zip(*parts, strict=True)]


def _add(table: Table, change: Sequence[Fraction]) -> None:
    if any(change):
        for x, row in table.items():
            table[x] = [weight + more for weight, more in zip(row, change, strict=True)]


def _shared(problem: Problem, matrix: npt.NDArray[Any], unit: int) -> Table:
    """Return the rows of one matrix; where equal edges make some combinations of the others, these may be negative."""
    used = [int(x) for x in np.nonzero(problem.possible.any(axis=0))[0]]
    equations = []
    for edge in _equal_edges(problem):
        first, second = problem.exact[edge.first], problem.exact[edge.second]
        equations.append([first[x] - second[x] for x in used])
        for i in (edge.first, edge.second):
            alike = _varying(problem, i)
            equations += [[Fraction((x == z) - (x == alike[0])) for x in used] for z in alike[1:]]
    dependent = solved_for(equations)
    table = {x: _rounded(matrix[x], unit) for position, x in enumerate(used) if position not in dependent}
    for position, factors in dependent.items():
        parts = [(factor, table[used[other]]) for other, factor in factors.items()]
        table[used[position]] = [
            sum((factor * row[y] for factor, row in parts), Fraction(0)) for y in range(matrix.shape[1])
        ]
    return table


def _room(problem: Problem, tables: Sequence[Table]) -> list[int] | str:
    """Return the c that makes room, whatever the rows exceed, and leaves none negative."""
    totals, everyone = np.array([sum(next(iter(tables[0].values())))], dtype=object), np.ones(len(problem.exact), bool)
    required = Cover([], [edge for edge in problem.required if edge.epsilon or edge.delta])
    room = room_for(required, *_bounds(problem, tables), totals, everyone, problem.part_of)
    if isinstance(room, str):
        return room
    least = np.array([row for table in tables for row in table.values()], dtype=object).min(axis=0)
    return [max(more, math.ceil(-one)) for more, one in zip(room[0].tolist(), least.tolist(), strict=True)]


def _keeping(
    problem: Problem, kept: Kept, tables: Sequence[Table], room: Sequence[int | Fraction]
) -> list[Fraction] | str:
    """Return the c above the room that keeps the overall shares of the distributions given."""
    everyone, total = np.ones(len(problem.exact), dtype=bool), int(sum(next(iter(tables[0].values()))))
    each = list(tables) * len(problem.exact) if problem.shared else tables
    weights = np.array(list(map(_released, problem.exact, each)), dtype=object)
    targets = np.array(problem.target, dtype=object)
    found = keeping(kept, np.array(room, dtype=object), weights, targets, total, everyone)
    return found if isinstance(found, str) else list(found)


def _bounds(problem: Problem, tables: Sequence[Table]) -> tuple[Exact, Exact]:
    """Return the least and the largest weights that each profile may release."""
    nothing = [0] * problem.outputs
    every = [[table.get(x, nothing) for x in range(len(problem.exact[0]))] for table in tables]
    if problem.uncertain is None:
        counts, units = problem.counts
        released = counts @ np.array(every[0], dtype=object) / np.array([Fraction(unit) for unit in units])[:, None]
        return released, released
    rows = every * len(problem.exact) if problem.shared else every
    found = [extremes(one, each) for one, each in zip(problem.uncertain, rows, strict=True)]
    low, high = (np.array([side(one) for one in found], dtype=object) for side in (_least, _largest))
    return low, high


_least, _largest = attrgetter("least"), attrgetter("largest")
