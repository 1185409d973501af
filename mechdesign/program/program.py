"""A linear or convex quadratic program, and the rows of it that every formulation shares."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.exact.exponentials import shrink
from mechdesign.objective.multipliers import PrivacyMultipliers
from mechdesign.privacy.requirement import Directed, Requirement, both_ways


@dataclass(frozen=True, eq=False)
class Program:
    """Minimise cost·x + sum_j curvature_j x_j² / 2 subject to lower <= matrix x <= upper and x >= floor.

    `blocks` says which rows are which, for whoever reads their multipliers.
    """

    cost: Floats
    matrix: sp.csr_matrix
    lower: Floats
    upper: Floats
    floor: Floats
    curvature: Floats | None
    blocks: dict[str, slice]

    def excess(self, x: Floats) -> Floats:
        """Return how far each row is above its upper bound at x."""
        return np.array(self.matrix @ x - self.upper, dtype=np.float64)

    def restricted(self, kept: npt.NDArray[np.bool_], floored: npt.NDArray[np.bool_]) -> "Program":
        """Return the program of the rows kept, with a floor under some columns only; it has no blocks."""
        floor = np.where(floored, self.floor, -np.inf)
        return Program(
            self.cost, self.matrix[kept], self.lower[kept], self.upper[kept], floor, self.curvature, blocks={}
        )

    def extended(self, place: int, rows: "Program") -> "Program":
        """Return the program with another's rows put in at a place; a block that ends there grows by them."""
        own = (self.matrix[:place], rows.matrix, self.matrix[place:])
        lower, upper = (
            np.concatenate([here[:place], there, here[place:]])
            for here, there in ((self.lower, rows.lower), (self.upper, rows.upper))
        )
        more = len(rows.upper)
        blocks = {
            name: slice(part.start + more * (part.start >= place), part.stop + more * (part.stop >= place))
            for name, part in self.blocks.items()
        }
        matrix = sp.vstack(own, format="csr")
        return Program(self.cost, matrix, lower, upper, self.floor, self.curvature, blocks)


class Rows:
    """Collects rows of a program; each block says how many columns it touches, wider blocks come later."""

    def __init__(self) -> None:
        self._blocks: list[sp.spmatrix] = []
        self._lower: list[Floats] = []
        self._upper: list[Floats] = []
        self._count = 0
        self._named: dict[str, slice] = {}

    def at_most(self, block: sp.spmatrix, bound: Floats | float, *, name: str = "") -> None:
        """Add block · x <= bound, under a name if its multipliers are wanted."""
        if name:
            self._named[name] = slice(self._count, self._count + block.shape[0])
        self._add(block, -np.inf, bound)

    def equal(self, block: sp.spmatrix, value: Floats | float) -> None:
        """Add block · x = value."""
        self._add(block, value, value)

    def _add(self, block: sp.spmatrix, lower: Floats | float, upper: Floats | float) -> None:
        self._count += block.shape[0]
        self._blocks.append(sp.csr_matrix(block))
        self._lower.append(np.broadcast_to(np.asarray(lower, dtype=np.float64), block.shape[0]))
        self._upper.append(np.broadcast_to(np.asarray(upper, dtype=np.float64), block.shape[0]))

    def merged(self, columns: npt.NDArray[np.int64]) -> "Rows":
        """Return the same rows with column i added to column `columns[i]`."""
        result = Rows()
        result._lower, result._upper = list(self._lower), list(self._upper)
        result._count, result._named = self._count, dict(self._named)
        for block in map(sp.coo_matrix, self._blocks):
            places, shape = (block.row, columns[block.col]), (block.shape[0], int(columns.max()) + 1)
            result._blocks.append(sp.csr_matrix((block.data, places), shape=shape))
        return result

    def program(self, cost: Floats, floor: Floats, curvature: Floats | None = None) -> Program:
        """Return the program of all rows; `cost` has one entry per column."""
        columns = len(cost)
        padded = [sp.csr_matrix((b.data, b.indices, b.indptr), shape=(b.shape[0], columns)) for b in self._blocks]
        matrix = sp.vstack(padded, format="csr")
        bounds = np.concatenate(self._lower), np.concatenate(self._upper)
        return Program(cost, matrix, *bounds, floor, curvature, self._named)


def add_privacy(
    rows: Rows,
    released: sp.csr_matrix,
    m: int,
    required: Sequence[Requirement],
    first_slack: int,
    *,
    least: sp.csr_matrix | None = None,
) -> int:
    """Add the requirements on q = released · x (q^i_y in row i m + y); return how many slack columns they use.

    Where profiles are known only within bounds, `released` is the largest of what each may release, and `least` · x the
    least: the q^b below.

    For each direction (a, b), divided by e^epsilon so that no coefficient exceeds 1:

        e^-epsilon q^a_y - q^b_y <= 0                                 for each y       (delta = 0)
        e^-epsilon q^a_y - q^b_y <= s_y,  sum_y s_y <= e^-epsilon delta,  s >= 0       (delta > 0)
    """
    strict, loose = directed(required)
    if strict:
        rows.at_most(privacy_gaps(released, m, strict, least), 0.0, name="strict")
    if loose:
        count = len(loose) * m
        gaps = privacy_gaps(released, m, loose, least)
        gaps = sp.hstack([gaps, sp.csr_matrix((count, first_slack - released.shape[1]))])
        rows.at_most(sp.hstack([gaps, -sp.identity(count)]), 0.0, name="loose")
        sums = sp.hstack([sp.csr_matrix((len(loose), first_slack)), sp.kron(sp.identity(len(loose)), np.ones((1, m)))])
        rows.at_most(sums, np.array([float(r.delta) * shrink(r.epsilon) for _, _, r in loose]))
    return len(loose) * m


def directed(required: Sequence[Requirement]) -> tuple[list[Directed], list[Directed]]:
    """Return the requirements direction by direction, those with delta = 0 and those with delta > 0."""
    both = list(both_ways(required))
    return [one for one in both if one[2].delta == 0], [one for one in both if one[2].delta > 0]


def privacy_multipliers(program: Program, duals: Floats, m: int, required: Sequence[Requirement]) -> PrivacyMultipliers:
    """Return the multiplier of each q^a_y <= e^epsilon q^b_y (+ s_y): {(a, b): m of them}.

    The rows were divided by e^epsilon, so their multipliers are too.
    """
    result: PrivacyMultipliers = {}
    for name, part in zip(("strict", "loose"), directed(required), strict=True):
        if part:
            values = duals[program.blocks[name]].reshape(len(part), m)
            for (a, b, requirement), weights in zip(part, values, strict=True):
                result[a, b] = weights * shrink(requirement.epsilon)
    return result


def privacy_gaps(
    released: sp.csr_matrix, m: int, directed: Sequence[Directed], least: sp.csr_matrix | None = None
) -> sp.csr_matrix:
    """Return the rows e^-epsilon q^a_y - q^b_y, direction by direction; `least` as for `add_privacy`."""
    k = released.shape[0] // m
    count, n = np.arange(len(directed)), len(directed)
    here, there = (np.array([pair[side] for pair in directed]) for side in (0, 1))
    values = np.concatenate([[shrink(r.epsilon) for _, _, r in directed], -np.ones(n)])
    if least is not None:
        there, k = there + k, 2 * k
        released = sp.vstack([released, least], format="csr")
    choose = sp.csr_matrix((values, (np.concatenate([count, count]), np.concatenate([here, there]))), shape=(n, k))
    return sp.csr_matrix(sp.kron(choose, sp.identity(m)) @ released)
