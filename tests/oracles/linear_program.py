"""The least value of a linear program, exactly: HiGHS' basis, and from there the simplex method in rationals.

A `Model` is how one is written down; a `Program` is: minimise c x subject to G x <= h and x >= 0. Doubles only say
where to start, and what is returned is the value of a basis that is feasible and optimal in exact arithmetic.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import count
from typing import TypeAlias

import highspy
import numpy as np
from flint import fmpq, fmpq_mat
from scipy.sparse import csc_array

Number: TypeAlias = Fraction | int
Rational: TypeAlias = Number | fmpq
Row = Mapping[int, Rational]
"""Coefficients by column, where they are not 0."""
Terms: TypeAlias = dict[int | None, fmpq]
"""A linear function of the unknowns: coefficients by column, and what is constant at None."""


ZERO = fmpq(0)


def total(parts: Iterable[tuple[Number, Terms]]) -> Terms:
    """Return the sum of functions, each times its factor."""
    found: Terms = {}
    for factor, terms in parts:
        times = _rational(factor)
        for place, coefficient in terms.items():
            found[place] = found.get(place, 0) + times * coefficient
    return found


def constant(value: Number) -> Terms:
    return {None: _rational(value)}


class Model:
    """Unknowns that are none of them negative, and linear functions of them that may not be negative either."""

    def __init__(self) -> None:
        self.columns = 0
        self.nonnegative: list[Terms] = []

    def unknown(self) -> Terms:
        self.columns += 1
        return {self.columns - 1: fmpq(1)}

    def require(self, *functions: Terms) -> None:
        self.nonnegative += functions

    def distribution(self, outputs: int, mass: Number = 1) -> list[Terms]:
        """Return parts of a mass: their total decides the last one."""
        parts = [self.unknown() for _ in range(outputs - 1)]
        parts.append(total([(1, constant(mass)), *((-1, part) for part in parts)]))
        self.require(parts[-1])
        return parts

    def transport(self, supply: Sequence[Number], demand: Sequence[Number]) -> list[list[Terms]]:
        """Return what goes from where to where: of the last, the demand decides how much."""
        plan = [self.distribution(len(demand), mass) for mass in supply[:-1]]
        last = [total([(1, constant(mass)), *((-1, row[y]) for row in plan)]) for y, mass in enumerate(demand)]
        self.require(*last)
        return [*plan, last]

    def least(self, goal: Terms) -> Fraction:
        rows = [{j: -entry for j, entry in terms.items() if j is not None and entry} for terms in self.nonnegative]
        limits = [terms.get(None, ZERO) for terms in self.nonnegative]
        costs = {j: entry for j, entry in goal.items() if j is not None}
        return Program(costs, rows, limits, self.columns).least(goal.get(None, ZERO))


def least_transport(supply: Sequence[Number], demand: Sequence[Number], loss: Sequence[Sequence[Number]]) -> Fraction:
    """Return the least cost of moving a supply to a demand of the same total."""
    model = Model()
    plan = model.transport(supply, demand)
    paid = [(cost, sent) for costs, row in zip(loss, plan, strict=True) for cost, sent in zip(costs, row, strict=True)]
    return model.least(total(paid))


class Program:
    """The columns are those of x, and then a slack for each row; a basis has as many columns as there are rows."""

    def __init__(self, costs: Row, rows: Sequence[Row], limits: Sequence[Rational], columns: int) -> None:
        self.n, self.m = columns, len(rows)
        self.entries: list[dict[int, fmpq]] = [{} for _ in range(columns)]
        for i, row in enumerate(rows):
            for j, entry in row.items():
                self.entries[j][i] = _rational(entry)
        self.entries += [{i: fmpq(1)} for i in range(self.m)]
        self.costs = [_rational(costs.get(j, 0)) for j in range(columns + self.m)]
        self.limits = [_rational(limit) for limit in limits]

    def least(self, beside: fmpq = ZERO) -> Fraction:
        """By the dual simplex, with costs for which it may begin; then by the primal, with the costs themselves."""
        try:
            basis = Basis(self, self.start())
        except (AssertionError, ZeroDivisionError):  # it is none, exactly
            basis = Basis(self, range(self.n, self.n + self.m))
        begin = [cost - min(ZERO, z) for cost, z in zip(self.costs, basis.reduced(self.costs), strict=True)]
        careful = count(-3 * self.m)  # from 0 on by Bland's rule, which is slow, and never runs in circles
        while negative := [(value, j) for j, value in basis.values.items() if value < 0]:
            basis = basis.without(_chosen(negative, next(careful)), begin)
        while negative := [(z, j) for j, z in enumerate(basis.reduced(self.costs)) if z < 0]:
            basis = basis.with_(_chosen(negative, next(careful)))
        least = sum((self.costs[j] * value for j, value in basis.values.items()), beside)
        return Fraction(int(least.p), int(least.q))

    def start(self) -> list[int]:
        """Return HiGHS' basis, in doubles: its interior-point method leaves fewer steps than its simplex."""
        solver, program = highspy.Highs(), highspy.HighsLp()
        for name, option in {"output_flag": False, "solver": "ipx", **dict.fromkeys(TOLERANCES, 1e-10)}.items():
            solver.setOptionValue(name, option)
        cells = [(_double(entry), i, j) for j in range(self.n) for i, entry in self.entries[j].items()]
        values, i, j = np.array(cells).reshape(-1, 3).T
        matrix = csc_array((values, (i.astype(int), j.astype(int))), shape=(self.m, self.n))
        program.num_col_, program.num_row_ = self.n, self.m
        program.col_cost_ = np.array([_double(cost) for cost in self.costs[: self.n]])
        program.col_lower_, program.col_upper_ = np.zeros(self.n), np.full(self.n, np.inf)
        program.row_lower_ = np.full(self.m, -np.inf)
        program.row_upper_ = np.array([_double(limit) for limit in self.limits])
        program.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        program.a_matrix_.start_, program.a_matrix_.index_ = matrix.indptr, matrix.indices
        program.a_matrix_.value_ = matrix.data
        solver.passModel(program)
        solver.run()
        found = solver.getBasis()
        statuses = [*found.col_status, *found.row_status]
        return [j for j, status in enumerate(statuses) if status == highspy.HighsBasisStatus.kBasic]


TOLERANCES = ("primal_feasibility_tolerance", "dual_feasibility_tolerance")


class Basis:
    """A slack among its columns says of its row only how large itself is: the other rows are those to be solved."""

    def __init__(self, program: Program, columns: Iterable[int]) -> None:
        self.program, self.columns = program, sorted(columns)
        assert len(self.columns) == program.m
        self.own = [j for j in self.columns if j < program.n]
        self.loose = {j - program.n for j in self.columns if j >= program.n}
        self.tight = [i for i in range(program.m) if i not in self.loose]
        entries = [[program.entries[j].get(i, 0) for j in self.own] for i in self.tight]
        self.matrix = fmpq_mat(len(self.tight), len(self.own), [entry for row in entries for entry in row])
        self.values = self.combined(program.limits)

    def combined(self, target: Sequence[fmpq]) -> dict[int, fmpq]:
        """Return how much of each column adds up to the target, by row."""
        found = dict(zip(self.own, _solved(self.matrix, [target[i] for i in self.tight]), strict=True))
        rest = {i: target[i] for i in self.loose}
        for j, value in found.items():
            for i in self.loose & self.program.entries[j].keys():
                rest[i] -= self.program.entries[j][i] * value
        return found | {self.program.n + i: value for i, value in rest.items()}

    def rates(self, costs: Mapping[int, fmpq] | Sequence[fmpq]) -> list[fmpq]:
        """Return, by column, the combination of rows that gives the columns of the basis these costs."""
        prices = {i: costs[self.program.n + i] for i in self.loose}
        targets = [costs[j] - _product(self.program.entries[j], prices) for j in self.own]
        prices |= dict(zip(self.tight, _solved(self.matrix.transpose(), targets), strict=True))
        return [_product(column, prices) for column in self.program.entries]

    def reduced(self, costs: Sequence[fmpq]) -> list[fmpq]:
        return [cost - rate for cost, rate in zip(costs, self.rates(costs), strict=True)]

    def without(self, leaving: int, costs: Sequence[fmpq]) -> "Basis":
        """Return the next basis of the dual simplex method."""
        reduced = self.reduced(costs)
        row = self.rates({j: fmpq(j == leaving) for j in self.columns})
        entering = min((-reduced[j] / entry, j) for j, entry in enumerate(row) if entry < 0)[1]
        return Basis(self.program, {*self.columns, entering} - {leaving})

    def with_(self, entering: int) -> "Basis":
        """Return the next basis of the primal simplex method."""
        column = self.program.entries[entering]
        parts = self.combined([column.get(i, ZERO) for i in range(self.program.m)])
        leaving = min((self.values[j] / part, j) for j, part in parts.items() if part > 0)[1]
        return Basis(self.program, {*self.columns, entering} - {leaving})


def _chosen(negative: Sequence[tuple[fmpq, int]], careful: int) -> int:
    return min(j for _, j in negative) if careful >= 0 else min(negative)[1]


def _solved(matrix: fmpq_mat, target: list[fmpq]) -> list[fmpq]:
    return matrix.solve(fmpq_mat(len(target), 1, target)).entries() if target else []


def _product(column: Mapping[int, fmpq], prices: Mapping[int, fmpq]) -> fmpq:
    return sum((entry * prices[i] for i, entry in column.items() if i in prices), ZERO)


def _rational(number: Rational) -> fmpq:
    return number if isinstance(number, fmpq) else fmpq(number.numerator, number.denominator)


def _double(number: fmpq) -> float:
    return float(Fraction(int(number.p), int(number.q)))
