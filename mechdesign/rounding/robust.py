"""Exact rows for profiles known only within bounds: the same is added to the rows of all profiles.

Lemma. Let all rows be weights w of one total T, and c_y >= 0. With w + c in place of w every distribution releases c_y
more of output y, of T + sum c in all: h_y - E g_y falls by (E - 1) c_y for every profile alike. So one c makes room for
all that rounding and solvers' errors exceed, and it is found without a search. Only where E = 1 and delta = 0 it makes
none: there all profiles must release the same, whatever their distributions are.

Where E = 1 and delta = 0, P A_y is the same for every P in a set if and only if A_xy is the same for all categories x
whose mass varies in it: these share their row. What the profiles of such a group release then differs by rounding; with
q*_y the largest, q*_y - q^i_y is added to the rows of each, which has the same total for all of them.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from mechdesign.arrays import Exact, Floats
from mechdesign.errors import SolverError
from mechdesign.exact.numbers import round_to_total
from mechdesign.graph.uncertainty import is_single
from mechdesign.privacy.extremes import extremes, gaps
from mechdesign.privacy.requirement import Requirement, both_ways, connected
from mechdesign.problem import Problem
from mechdesign.rounding.mixing import ROW_BITS, precision, solved_for
from mechdesign.rounding.realise import NoisyRows

Table: TypeAlias = dict[int, list[Fraction]]
"""The rows of one matrix, weights of one total; of the categories that are possible."""


def robust_rows(problem: Problem, matrices: Floats) -> NoisyRows:
    """Return rows near solvers' matrices that are private exactly, for every distribution in the sets.

    They may be far from these where an epsilon is tiny; in the extreme all rows are nearly the same.

    Raises
    ------
    SolverError
        if an epsilon is so small that its rational bound makes no room.
    """
    unit = 2 ** max(ROW_BITS - 2, precision(problem, 1))
    if problem.shared:
        tables, owners = [_shared(problem, matrices[0], unit)], [list(range(len(problem.exact)))]
    else:
        tables, owners = _own(problem, matrices, unit), [[i] for i in range(len(problem.exact))]
    room = _room(problem, tables)
    return [
        (who, x, _integers([weight + more for weight, more in zip(row, room, strict=True)]))
        for who, table in zip(owners, tables, strict=True)
        for x, row in table.items()
    ]


def _integers(row: Sequence[Fraction]) -> Exact:
    common = math.lcm(*(weight.denominator for weight in row))
    whole = np.array([int(weight * common) for weight in row], dtype=object)
    return np.array(whole // np.gcd.reduce(whole), dtype=object)


def _rounded(row: Floats, unit: int) -> list[Fraction]:
    return [Fraction(weight) for weight in round_to_total(list(row * (row > 0)), unit)]


def _equal_edges(problem: Problem) -> list[Requirement]:
    return [edge for edge in problem.required if edge.epsilon == 0 and edge.delta == 0]


def _varying(problem: Problem, i: int) -> list[int]:
    """Return the categories whose mass varies in the set of a profile."""
    assert problem.uncertain is not None
    one = problem.uncertain[i]
    if is_single(one):
        return []
    d = len(problem.exact[i])
    unit = [[int(x == z) for z in range(d)] for x in range(d)]
    found = extremes(one, unit)
    return [x for x in range(d) if found.largest[x] > found.least[x]]


def _own(problem: Problem, matrices: Floats, unit: int) -> list[Table]:
    """Return the rows where each profile has its own, all of one total; equal edges are met exactly."""
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
        for i, own in zip(group, released, strict=True):
            _add(tables[i], [most - one for most, one in zip(highest, own, strict=True)])
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


def _shared(problem: Problem, matrix: Floats, unit: int) -> Table:
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


def _room(problem: Problem, tables: Sequence[Table]) -> list[int]:
    """Return the c that makes room, whatever the rows exceed, and leaves none negative."""
    assert problem.uncertain is not None
    m, nothing = problem.outputs, [Fraction(0)] * problem.outputs
    found = []
    for i, one in enumerate(problem.uncertain):
        table = tables[0 if problem.shared else i]
        found.append(extremes(one, [table.get(x, nothing) for x in range(len(problem.exact[i]))]))
    room = [max(0, *(math.ceil(-row[y]) for table in tables for row in table.values())) for y in range(m)]
    for a, b, edge in both_ways(problem.required):
        if edge.delta == 0 and edge.epsilon > 0:
            if edge.ratio_below <= 1:
                raise SolverError("an epsilon is too small to make room for rounding")
            beyond = gaps(found[a], found[b], edge.ratio_below)
            room = [max(one, math.ceil(gap / (edge.ratio_below - 1))) for one, gap in zip(room, beyond, strict=True)]
    total = sum(next(iter(tables[0].values())))
    for a, b, edge in both_ways(problem.required):
        if edge.delta > 0:
            gain = edge.ratio_below - 1
            beyond = [
                max(Fraction(0), gap - gain * one)
                for gap, one in zip(gaps(found[a], found[b], edge.ratio_below), room, strict=True)
            ]
            if (left := sum(beyond) - edge.delta * (total + sum(room))) > 0:
                share = left / (sum(beyond) * (gain + edge.delta))
                room = [one + math.ceil(gap * share) for one, gap in zip(room, beyond, strict=True)]
    return room
