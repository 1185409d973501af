"""The program for profiles known only within bounds: in every matrix entry, with cuts for the worst distributions.

Privacy has to hold for every distribution P in the set U_i of each profile. With delta = 0 its two sides separate: for
each output y

    max_{P in U_i} P A^i_y <= h^i_y,   g^j_y <= min_{P in U_j} P A^j_y,   h^i_y <= e^epsilon g^j_y.

With delta > 0, sum_y max(0, h^i_y - e^epsilon g^j_y) <= delta is enough: it adds up the outputs' worst cases. Of the P
in a set few matter; each cut is one of them, for one profile and output.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.objective.multipliers import PrivacyMultipliers
from mechdesign.privacy.inequalities import Inequalities
from mechdesign.problem import Problem
from mechdesign.program.compiler import add_kept, compiled, privacy_gaps, privacy_multipliers
from mechdesign.program.program import Program, RowBuilder
from mechdesign.program.transport import Layout, distorting_entries

TIDY = 1e-4
"""How much the squares of the entries that distort count beside the squared distance of what is released. Without them
the matrices would not be unique. On a ring of 20 profiles and 10 categories they move the distance by 1e-5 of it."""


@dataclass(frozen=True, eq=False)
class Sets:
    """The profiles' sets in doubles: mass moves from the nominal distributions, `radius` in all.

    `down` and `up`, k x d, are what may leave and enter each category.
    """

    nominal: Floats
    down: Floats
    up: Floats
    radius: Floats

    @classmethod
    def of(cls, problem: Problem) -> "Sets":
        """Return the sets of a problem's profiles."""
        assert problem.uncertain is not None
        limits = [one.limits for one in problem.uncertain]
        lower = np.array([list(map(float, low)) for low, _, _ in limits])
        upper = np.array([list(map(float, high)) for _, high, _ in limits])
        nominal = problem.profiles
        down, up = np.maximum(0.0, nominal - lower), np.maximum(0.0, upper - nominal)
        return cls(nominal, down, up, np.array([float(radius) for _, _, radius in limits]))

    def worst(self, values: Floats) -> Floats:
        """Return the distributions, k x m x d, at which the means of the values, k x d x m, are largest.

        By sorting: mass moves from the categories of the smallest values to those of the largest.
        """
        order = np.argsort(-values, axis=1, kind="stable")

        def sort(masses: Floats) -> Floats:
            return np.take_along_axis(np.broadcast_to(masses[:, :, None], values.shape), order, axis=1)

        up, down = sort(self.up), sort(self.down)
        entered = np.cumsum(up, axis=1)  # by this category and those of larger values
        left = np.cumsum(down[:, ::-1], axis=1)[:, ::-1] - down  # by those of smaller values
        moved = np.minimum(np.minimum(entered, left).max(axis=1), self.radius[:, None])[:, None]
        found = sort(self.nominal) + np.clip(moved - (entered - up), 0.0, up) - np.clip(moved - left, 0.0, down)
        result = np.empty_like(values)
        np.put_along_axis(result, order, found, axis=1)
        return result.transpose(0, 2, 1)


@dataclass(frozen=True, eq=False)
class WorstCuts:
    """Distributions that h^i_y has to be above, or g^i_y below, one in each row.

    Attributes
    ----------
    cells
        2 k m places: those of h, i m + y, then those of g.
    masses
        the distributions, c x d.
    """

    cells: npt.NDArray[np.int64]
    masses: Floats

    def joined(self, other: "WorstCuts") -> "WorstCuts":
        """Return these cuts and others."""
        return WorstCuts(np.concatenate([self.cells, other.cells]), np.concatenate([self.masses, other.masses]))


def robust_program(problem: Problem, layout: Layout, cuts: WorstCuts, *, level: float | None = None) -> Program:
    """Return the program over the matrix entries, then the objective, h and g, q if there is a level, and slacks.

    It minimises the objective. With a `level`, to which the objective is held, it minimises half the squared distance
    sum_i |q^i - target_i|² of what the nominal distributions release, and a little of the squares of the entries that
    distort, so that there is one answer.
    """
    k, m, n = len(problem.profiles), problem.outputs, layout.entries
    cells = k * m
    rows = RowBuilder()
    rows.equal(sp.kron(sp.identity(n // m), np.ones((1, m))), 1.0)
    distorting = distorting_entries(problem, layout)
    problem.objective.add_entries(rows, problem, layout.start, distorting, level)
    rows.at_most(_cut_rows(layout, cuts, m, cells), 0.0, name="worst")
    released = layout.released(problem)
    add_kept(rows, problem.kept, released)
    columns, nearest, asked = n + 1 + 2 * cells, None, _asked(problem)
    gaps = privacy_gaps(sp.eye(2 * cells, columns, n + 1, format="csr"), asked)
    if level is not None:
        rows.equal(sp.hstack([released, sp.csr_matrix((cells, columns - n)), -sp.identity(cells)]), 0.0)
        linear = np.concatenate([np.zeros(columns), -problem.target_in_doubles.ravel()])
        nearest = linear, np.concatenate([TIDY * distorting, np.zeros(columns - n), np.ones(cells)])
        columns += cells
    return compiled(rows, gaps, asked, columns, n, nearest=nearest)


def _asked(problem: Problem) -> Inequalities:
    """Return the requirements on h^a_y, number a m + y, and g^b_y, number k m + b m + y."""
    return Inequalities.of(problem.independent_pairs, problem.outputs, least=problem.target_in_doubles.size)


def _cut_rows(layout: Layout, cuts: WorstCuts, m: int, cells: int) -> sp.csr_matrix:
    """Return the rows P A_y - h_y and g_y - P A_y."""
    count = np.arange(len(cuts.cells))
    i, y = np.divmod(cuts.cells % cells, m)
    sign = np.where(cuts.cells < cells, 1.0, -1.0)
    start = layout.start[i]
    row, x = np.nonzero((start >= 0) & (cuts.masses != 0))
    place = np.concatenate([row, count]), np.concatenate([start[row, x] + y[row], layout.entries + 1 + cuts.cells])
    values = np.concatenate([(sign[:, None] * cuts.masses)[row, x], -sign])
    return sp.csr_matrix((values, place), shape=(len(count), layout.entries + 1 + 2 * cells))


def robust_multipliers(
    problem: Problem, program: Program, duals: Floats, cuts: WorstCuts
) -> tuple[PrivacyMultipliers, Floats]:
    """Return the multipliers of h^a_y <= e^epsilon g^b_y, and the mean of each cell's cuts by theirs, 2 x k x m x d.

    All zeros where no cut of a cell has a weight.
    """
    k, d = problem.profiles.shape
    weights = duals[program.blocks["worst"]]
    totals, sums = np.zeros(2 * k * problem.outputs), np.zeros((2 * k * problem.outputs, d))
    np.add.at(totals, cuts.cells, weights)
    np.add.at(sums, cuts.cells, weights[:, None] * cuts.masses)
    mean = np.divide(sums, totals[:, None], out=np.zeros_like(sums), where=totals[:, None] > 0)
    privacy = privacy_multipliers(program, duals, problem.independent_pairs, _asked(problem))
    return privacy, mean.reshape(2, k, problem.outputs, d)
