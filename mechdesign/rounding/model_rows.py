"""From a model's matrices in doubles to exactly private rows, by mixing them with other matrices that meet it.

The matrices found, and a centre that is private with something to spare, both meet the constraints; these are convex,
so that every mixture does. Mixing makes room for the errors of solver and rounding: the weight of the centre is raised,
from 0 and then by factors of two, until the rounded rows pass the exact check. Entries forced to be 0 stay 0, which
adding the same to all, as in `room`, would undo.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np

from mechdesign.arrays import Exact, Floats
from mechdesign.errors import SolverError
from mechdesign.exact.integers import rounded_to_total
from mechdesign.graph.distribution import support
from mechdesign.objective.model_problem import Allowed, ModelProblem
from mechdesign.privacy.cover import cover, met
from mechdesign.privacy.released import Released, released_by
from mechdesign.privacy.requirement import connected
from mechdesign.problem import NEAR
from mechdesign.rounding.equations import solved_for
from mechdesign.rounding.exact_rows import stricter
from mechdesign.rounding.releases import ROW_BITS

Centre = Callable[[ModelProblem], Floats]
"""Makes matrices that meet the constraints, and the requirements with something to spare."""


def private_rows(problem: ModelProblem, found: Floats, centre: Centre) -> Exact:
    """Return integer rows near matrices in doubles, table by table, that meet every requirement exactly.

    Parameters
    ----------
    found
        one d x d table for each matrix; 0 where entries are not allowed.
    centre
        asked only where mixing is needed.

    Raises
    ------
    SolverError
        if no weight of the centre will do.
    """
    best: tuple[Fraction, Exact] | None = None
    for asked in stricter(problem.required):
        answer = _mixed(replace(problem, required=asked), found, centre)
        if answer is not None and (best is None or answer[0] < best[0]):
            best = answer
        if best is not None and best[0] <= NEAR:
            break
    if best is None:
        raise SolverError("the answer could not be made exactly private: the constraints leave no room beside privacy")
    return best[1]


def _mixed(problem: ModelProblem, found: Floats, centre: Centre) -> tuple[Fraction, Exact] | None:
    """Return rows that meet the requirements, after the least weight of the centre that makes them; or None."""
    wanted, middle, repair = cover(tuple(problem.required)), found, _Repair(problem)
    for eta in _weights():
        if eta and middle is found:
            try:
                middle = centre(problem)
            except SolverError:
                return None
        rows = repair.rounded((1 - float(eta)) * found + float(eta) * middle)
        if rows is not None and met(repair.released(rows), wanted):
            return eta, rows
    return None


def _weights() -> Iterator[Fraction]:
    """Yield the weights of the centre that are tried: none, then from the last digit of 1 on, each twice the last."""
    yield Fraction(0)
    weight = Fraction(np.finfo(np.float64).eps)
    while weight <= 1:
        yield weight
        weight *= 2


def _chain(cells: dict[int, Exact], excess: Exact, allowed: Allowed) -> list[tuple[int, int, int]]:
    """Return the fewest moves (x, y, z), of mass of row x from output y to z, from an excess to a lack; none if none.

    Where a row may not have the output that lacks mass, it moves its mass to one that another row has mass of, and that
    row goes on.
    """
    way: dict[int, list[tuple[int, int, int]]] = {int(y): [] for y in np.nonzero(excess > 0)[0]}
    near = list(way)
    for y in near:  # grows as outputs are reached
        if excess[y] < 0:
            return way[y]
        for x, row in cells.items():
            for z in np.nonzero(allowed[x])[0].tolist() if row[y] else ():
                if z not in way:
                    way[z] = [*way[y], (x, y, z)]
                    near.append(z)
    return []


class _Repair:
    """Rounding of a problem's matrices, in which profiles joined by edges of epsilon = delta = 0 release the same."""

    def __init__(self, problem: ModelProblem) -> None:
        self.groups, self.allowed, self.exact = problem.groups, problem.allowed, problem.exact
        equal = [edge for edge in problem.required if edge.epsilon == edge.delta == 0]
        self.same, self.within = list[Sequence[int]](), dict[int, list[tuple[int, int]]]()
        for joined in connected(len(self.exact), equal):
            numbers = {self.groups[i] for i in joined}
            if len(numbers) > 1:
                self.same.append(joined)
            elif len(joined) > 1:
                self.within.setdefault(numbers.pop(), []).extend(pairwise(joined))

    def released(self, rows: Exact) -> list[Released]:
        """Return what each profile releases."""
        return [self._released(i, rows) for i in range(len(self.exact))]

    def rounded(self, matrices: Floats) -> Exact | None:
        """Return the matrices as integer rows; None if some that follow from others are not possible."""
        d = matrices.shape[-1]
        rows = rounded_to_total(matrices.reshape(-1, d), 2**ROW_BITS).reshape(matrices.shape)
        done = all(self._solve(rows[number], pairs) for number, pairs in self.within.items())
        for joined in self.same if done else ():
            done = done and all(self._fit(rows, i, self._released(joined[0], rows)) for i in joined[1:])
        if not done:
            return None
        return None if (rows[~self.allowed] > 0).any() else rows

    def _released(self, i: int, rows: Exact) -> Released:
        used, masses = zip(*support(self.exact[i]), strict=True)
        return released_by(masses, rows[self.groups[i], list(used)])

    def _fit(self, rows: Exact, i: int, wanted: Released) -> bool:
        """Change the rows of a profile so that it releases just what is wanted, where it has most mass to move."""
        table, allowed, parts = rows[self.groups[i]], self.allowed[self.groups[i]], support(self.exact[i])
        denominators = (mass.denominator * int(table[x].sum()) for x, mass in parts)
        total = math.lcm(wanted.total, *denominators)
        cells = {x: table[x] * int(mass * (total // int(table[x].sum()))) for x, mass in parts}
        excess = sum(cells.values()) - wanted.weights * (total // wanted.total)
        for y in np.nonzero(excess > 0)[0]:
            for x in sorted(cells, key=lambda x: cells[x][y], reverse=True):
                for z in np.nonzero((excess < 0) & allowed[x])[0]:
                    moved = min(excess[y], -excess[z], cells[x][y])
                    cells[x][[y, z]] += np.array([-moved, moved], dtype=object)
                    excess[[y, z]] += np.array([-moved, moved], dtype=object)
        while excess.any():
            chain = _chain(cells, excess, allowed)
            if not chain:
                return False
            first, last = chain[0][1], chain[-1][2]
            least = min(excess[first], -excess[last], *(cells[x][y] for x, y, _ in chain))
            for via, start, end in chain:
                cells[via][[start, end]] += np.array([-least, least], dtype=object)
            excess[[first, last]] += np.array([-least, least], dtype=object)
        for x, row in cells.items():
            table[x] = row // np.gcd.reduce(row)
        return True

    def _solve(self, table: Exact, pairs: Sequence[tuple[int, int]]) -> bool:
        """Change rows of one matrix so that pairs of profiles release the same; return whether that can be done."""
        equations = [[p - q for p, q in zip(self.exact[a], self.exact[b], strict=True)] for a, b in pairs]
        old = [[Fraction(int(weight), int(row.sum())) for weight in row] for row in table]
        for x, factors in solved_for(equations).items():
            row = [sum((f * old[z][y] for z, f in factors.items()), Fraction(0)) for y in range(len(table))]
            if min(row) < 0:
                return False
            common = math.lcm(*(mass.denominator for mass in row))
            table[x] = [int(mass * common) for mass in row]
        return True
