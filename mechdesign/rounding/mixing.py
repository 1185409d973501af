"""Exactly private distributions near a solver's, by mixing them all with one, at nearly no cost.

A solver's answer violates its constraints in the last digits, and rounding it does so again. Mixing all released
distributions with one, q' = (1 - eta) q + eta u, makes room.

Lemma. With E = e^epsilon, mixing multiplies the divergence sum_y max(0, q^i_y - E q^j_y) by 1 - eta at most; and each
q^i_y - E q^j_y becomes (1 - eta) times what it was, less eta (E - 1) u_y.

So eta is raised, from 0 and then by factors of four, until the rounded integers pass the exact check. They do at the
latest at eta = 1, where all profiles release the same.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact
from mechdesign.errors import SolverError
from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.exact.integers import floors, rounded_to_total
from mechdesign.exact.numbers import round_to_total
from mechdesign.graph.distribution import support
from mechdesign.privacy.cover import met
from mechdesign.privacy.released import Released, released_through
from mechdesign.problem import Problem
from mechdesign.rounding.room import room_for

UNMOVED = 1e-9
"""A profile whose released distribution is this close to its target is taken to release just the target: no edge asks
it for noise, and what the solver says differs only by its errors. With 0 in its place categories that nobody has are
released."""

MOVED_ALONE_UP_TO = 1e-6
"""Up to this eta only those profiles are mixed that are to have noise anyway, and the others keep their distribution
exactly; above it all of them are mixed."""

FIRST_ETA, ETA_STEP = -52, 2
"""The first weight after 0 is 2 to this power, and each one has this larger an exponent than the one before."""

SPARE_BITS = 42
"""Bits of a released probability beyond those that the smallest mass, epsilon or delta needs."""

FINER = 64
"""Bits of a probability, beyond those kept in the end, that are mixed: with them all but tiny doubles are exact."""

ROW_BITS = 62
"""Row totals stay below 2^62 where the profiles' own denominators allow it."""


def etas() -> Iterator[Fraction]:
    """Yield the mixing weights to try: 0, then 2^-52, by factors of four, up to 1."""
    yield Fraction(0)
    yield from (Fraction(2) ** exponent for exponent in range(FIRST_ETA, 1, ETA_STEP))


def repaired(problem: Problem, released: npt.NDArray[Any], some=None) -> list[Released]:
    """Return exact released distributions near `released` that meet every requirement.

    The total of profile i is N_i 2^bits with N_i the common denominator of its distribution, so that a plan from the
    distribution to it is integer. Profiles that must release the same are to be contracted before.

    Raises
    ------
    SolverError
        if no mixing weight will do (never seen: eta = 1 releases the same everywhere).
    """
    _, units = problem.counts
    target = problem.target_counts
    bits = precision(problem, max(units)) - 1
    needed = np.array((target > 0).any(axis=0) | (released > UNMOVED).any(axis=0), dtype=bool)
    clean = released * (released > 0) * needed
    clean[(clean == 0).all(axis=1)] = needed
    moved = np.array(abs(clean.astype(float) - problem.target_in_doubles).max(axis=1) > UNMOVED, dtype=bool)
    if some is not None and len(some) == len(moved):
        moved = some
    total = 1 << bits
    weights = rounded_to_total(_whole(clean, bits + FINER), total)
    unit = np.array(units, dtype=object)[:, None]
    kept = target * total
    low, high = (np.where(moved[:, None], weights, side) for side in (kept // unit, -(-kept // unit)))
    for chosen in [moved, np.ones_like(moved)] if not moved.all() else [moved]:
        room = room_for(problem.cover, low, high, total, chosen)
        more = np.where(chosen[:, None], room * unit, 0)
        table = np.where(moved[:, None], weights * unit, kept) + more
        table[~chosen] = target[~chosen] * (total + room.sum())
        exact = [Released(row, one * (total + room.sum())) for row, one in zip(table, units, strict=True)]
        if met(exact, problem.cover):
            return exact
    raise SolverError("the solver's answer could not be made exactly private")


def _whole(values: npt.NDArray[Any], bits: int) -> Exact:
    """Return probabilities in doubles or rationals as integers over 2^bits, rounded down."""
    if values.dtype == np.float64:
        return floors(np.minimum(values, 1.0), 2**bits)
    return np.array([[math.floor(value * 2**bits) for value in row] for row in values], dtype=object)


def _mixed(weights: Exact, needed: npt.NDArray[np.bool_], eta: Fraction, bits: int) -> Exact:
    """Return integers in proportion to (1 - eta) weights / 2^bits + eta u, u alike on all outputs that are needed."""
    kept = (eta.denominator - eta.numerator) * int(needed.sum())
    added = needed.astype(object) * (eta.numerator << bits)
    return np.array(weights * kept + added, dtype=object)


def precision(problem: Problem, denominator: int) -> int:
    """Return how finely to round: enough for the smallest probability and epsilon; 62 bits in all if possible."""
    counts, units = problem.counts
    smallest = min(Fraction(int(row[row > 0].min()), unit) for row, unit in zip(counts, units, strict=True))
    gains = [max(math.tanh(float(min(edge.epsilon, MAX_EPSILON)) / 2), float(edge.delta)) for edge in problem.required]
    least = min((gain for gain in gains if gain > 0), default=1.0)
    inverse = smallest.denominator // smallest.numerator + 1  # may be more than doubles hold
    needed = SPARE_BITS + math.ceil(math.log2(problem.outputs) + math.log2(inverse) - math.log2(least))
    return max(needed, ROW_BITS - denominator.bit_length())


def repaired_shared(problem: Problem, matrix: npt.NDArray[Any]) -> npt.NDArray[np.object_]:
    """Return integer rows near one shared matrix (d x m) whose released distributions meet every requirement.

    Profiles joined by epsilon = 0 require (P_a - P_b) A = 0 exactly: some rows of A are then rational combinations of
    the others, which alone are rounded.

    Raises
    ------
    SolverError
        if no mixing weight will do.
    """
    used = [x for x in range(matrix.shape[0]) if problem.profiles[:, x].any()]
    equal = [
        [problem.exact[r.first][x] - problem.exact[r.second][x] for x in used]
        for r in problem.required
        if r.epsilon == 0 and r.delta == 0
    ]
    dependent = solved_for(equal)
    unit = 2 ** max(ROW_BITS - 2, precision(problem, 1))
    for eta in etas():
        rows: list[list[Fraction] | None] = [None] * len(used)
        for position, x in enumerate(used):
            if position not in dependent:
                mixed = (1 - eta) * (matrix[x] * (matrix[x] > 0)) + eta / matrix.shape[1]
                rows[position] = [Fraction(weight, unit) for weight in round_to_total(mixed, unit)]
        for position, factors in dependent.items():
            rows[position] = [
                sum((factor * rows[other][y] for other, factor in factors.items()), Fraction(0))  # type: ignore[index]
                for y in range(matrix.shape[1])
            ]
        table = _integers(problem, [row for row in rows if row is not None], used)
        if table is not None and met(released_through_table(problem, table), problem.cover):
            return table
    raise SolverError("the solver's answer could not be made exactly private")


def released_through_table(problem: Problem, table: npt.NDArray[np.object_]) -> list[Released]:
    """Return what each profile releases through one table (d x m) of integer rows."""
    return [released_through((mass, table[x]) for x, mass in support(distribution)) for distribution in problem.exact]


def _integers(
    problem: Problem, rows: Sequence[Sequence[Fraction]], used: Sequence[int]
) -> npt.NDArray[np.object_] | None:
    """Return all categories' rows as integers, None if any is negative; unused categories keep their free output."""
    if any(mass < 0 for row in rows for mass in row):
        return None
    table = np.zeros((problem.profiles.shape[1], problem.outputs), dtype=object)
    for x, y in enumerate(problem.free):
        table[x, y] = 1
    for x, row in zip(used, rows, strict=True):
        common = math.lcm(*(mass.denominator for mass in row))
        table[x] = [int(mass * common) for mass in row]
    return table


def solved_for(equations: Sequence[Sequence[Fraction]]) -> dict[int, dict[int, Fraction]]:
    """Return each dependent unknown as a combination of the independent ones, for equations · x = 0.

    Of each equation that with the largest coefficient, so that the combinations have mostly small ones.

    Examples
    --------
    >>> solved_for([[Fraction(1), Fraction(-4), Fraction(2)]])
    {1: {0: Fraction(1, 4), 2: Fraction(1, 2)}}
    """
    solved: dict[int, list[Fraction]] = {}
    for equation in equations:
        row = list(equation)
        for pivot, other in solved.items():
            row = [entry - row[pivot] * own for entry, own in zip(row, other, strict=True)]
        pivot = max(range(len(row)), key=lambda x: abs(row[x]))
        if not row[pivot]:
            continue
        row = [entry / row[pivot] for entry in row]
        for other in solved.values():
            other[:] = [entry - other[pivot] * own for entry, own in zip(other, row, strict=True)]
        solved[pivot] = row
    return {pivot: {x: -entry for x, entry in enumerate(row) if entry and x != pivot} for pivot, row in solved.items()}
