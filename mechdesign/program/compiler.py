"""The one compiler: rows of an objective, and those of privacy, make a program.

Every formulation is a sparse matrix R from its columns to probabilities, with rows of its own; whether it is of what is
released, of every entry of a matrix, of sets of distributions or a model of somebody else's.

The probabilities R x are what is released, or the most and the least that is. For each inequality between two of them,
divided by e^epsilon so that no coefficient exceeds 1:

    e^-epsilon (R x)_above - (R x)_below <= 0                                          (delta = 0)
    e^-epsilon (R x)_above - (R x)_below <= s,  sum s <= e^-epsilon delta,  s >= 0     (delta > 0, over each edge)

Where profiles must all be alike, one new variable for each output replaces the pairs: with delta = 0 and one epsilon,
q^i_y <= e^epsilon q^j_y for all i, j of a clique says that for some l_y

    l_y <= q^i_y   and   e^-epsilon q^i_y <= l_y     for each i,

which is 2 n rows for an output in place of n (n - 1).
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Entries, Floats, Integers
from mechdesign.exact.exponentials import shrink
from mechdesign.objective.multipliers import PrivacyMultipliers
from mechdesign.objective.transport_plans import matched
from mechdesign.privacy.cover import Clique
from mechdesign.privacy.inequalities import Inequalities
from mechdesign.privacy.requirement import Requirement, both_ways
from mechdesign.problem import Kept
from mechdesign.program.program import Program, RowBuilder, entries_of


def compiled(
    rows: RowBuilder,
    gaps: sp.csr_matrix | Entries,
    asked: Inequalities,
    columns: int,
    objective: int,
    *,
    nearest: tuple[Floats, Floats] | None = None,
) -> Program:
    """Return the program of rows with those of privacy, whose slacks are further columns.

    It minimises the column of the objective. With `nearest`, what single columns and their squares cost, it minimises
    that instead: the rows hold the objective to a level, and its column is idle.

    Parameters
    ----------
    gaps
        the left sides of the inequalities that are asked for, of `privacy_gaps` or `differences`.
    """
    columns += _add_inequalities(rows, entries_of(gaps), asked, columns)
    cost, curvature, floor = np.zeros((3, columns))
    floor[objective] = -np.inf
    if nearest is None:
        cost[objective] = 1.0
        return rows.program(cost, floor)
    for column, values in zip((cost, curvature), nearest, strict=True):
        column[: len(values)] = values
    curvature[objective] = 1.0  # this pins the idle column to zero
    return rows.program(cost, floor, curvature)


def _add_inequalities(rows: RowBuilder, gaps: Entries, asked: Inequalities, first: int) -> int:
    """Add the inequalities, with slacks in columns from `first` on; return how many these are."""
    loose = asked.loose
    if not loose.all():
        rows.at_most(_among(gaps, ~loose), 0.0, name="strict")
    if not loose.any():
        return 0
    slacks, count = first + np.cumsum(loose) - 1, int(loose.sum())
    number = np.flatnonzero(loose)
    columns, values = np.append(gaps.columns, slacks[loose]), np.append(gaps.values, -np.ones(count))
    slackened = Entries(gaps.height, np.append(gaps.rows, number), columns, values)
    rows.at_most(_among(slackened, loose), 0.0, name="loose")
    edges, place = np.unique(asked.edge[loose], return_inverse=True)
    sums = Entries(len(edges), place, slacks[loose], asked.often[loose].astype(np.float64))
    rows.at_most(sums, asked.allowed[edges], name="deltas")
    return count


def _among(block: Entries, chosen: npt.NDArray[np.bool_]) -> Entries:
    """Return those rows of a block that are chosen."""
    kept, number = chosen[block.rows], np.cumsum(chosen) - 1
    return Entries(int(chosen.sum()), number[block.rows[kept]], block.columns[kept], block.values[kept])


def privacy_gaps(released: sp.csr_matrix, asked: Inequalities) -> sp.csr_matrix:
    """Return e^-epsilon (R x)_above - (R x)_below for each inequality, by the matrix R."""
    count, *places, values = differences(asked.factors, asked.above, asked.below)
    return sp.csr_matrix(sp.csr_matrix((values, tuple(places)), shape=(count, released.shape[0])) @ released)


def differences(factors: Floats, above: Integers, below: Integers) -> Entries:
    """Return the rows factor x_above - x_below."""
    count = np.arange(len(above))
    places = np.concatenate([count, count]), np.concatenate([above, below])
    return Entries(len(above), *places, np.concatenate([factors, -np.ones(len(count))]))


def privacy_weights(program: Program, duals: Floats, asked: Inequalities) -> Floats:
    """Return the multiplier of each inequality, for one of those that it stands for.

    The rows were divided by e^epsilon, so their multipliers are too.
    """
    found = np.zeros(len(asked.above))
    for name, chosen in (("strict", ~asked.loose), ("loose", asked.loose)):
        if name in program.blocks:
            found[chosen] = duals[program.blocks[name]]
    return found * asked.factors / asked.times


def privacy_multipliers(
    program: Program, duals: Floats, required: Sequence[Requirement], asked: Inequalities
) -> PrivacyMultipliers:
    """Return the multipliers of requirements, whose inequalities these are: {(a, b): one for each output}."""
    if not required:
        return {}
    weights = privacy_weights(program, duals, asked).reshape(len(asked.edges), -1)
    return {(a, b): each for (a, b, _), each in zip(both_ways(required), weights, strict=True)}


def add_kept(rows: RowBuilder, kept: Kept | None, released: sp.spmatrix) -> None:
    """Add that the overall shares are kept; the last row follows from the others, as all distributions add up to 1."""
    if kept is not None:
        totals = np.array([float(total) for total in kept.totals[:-1]])
        shares = np.array([[float(share) for share in kept.shares]])
        rows.equal(sp.kron(shares, sp.eye(len(totals), len(totals) + 1)) @ released, totals, name="kept")


def kept_multipliers(program: Program, duals: Floats) -> Floats | None:
    """Return the multipliers of the shares that are kept, one for each output, of any sign; None if none are."""
    return np.append(duals[program.blocks["kept"]], 0.0) if "kept" in program.blocks else None


def add_cliques(rows: RowBuilder, cliques: Sequence[Clique], m: int, first: int) -> int:
    """Add the rows of the cliques on q^i_y, column i m + y; return how many columns l_y they use, from `first` on."""
    if not cliques:
        return 0
    sizes = [len(clique.members) for clique in cliques]
    members = np.array([i for clique in cliques for i in clique.members])
    number = np.repeat(np.arange(len(sizes)), sizes)
    q, level = ((part[:, None] * m + np.arange(m)).ravel() for part in (members, number))
    factors = np.repeat([shrink(clique.epsilon) for clique in cliques], np.array(sizes) * m)
    rows.at_most(differences(np.ones(len(q)), first + level, q), 0.0, name="clique below")
    rows.at_most(differences(factors, q, first + level), 0.0, name="clique above")
    return len(cliques) * m


def clique_multipliers(program: Program, duals: Floats, cliques: Sequence[Clique], m: int) -> PrivacyMultipliers:
    """Return multipliers of the pairs that add up to those of the cliques' rows.

    For each l_y the weights of the rows above it have the same total as those of the rows below it, and are matched
    with them; what a profile would be matched with itself says nothing and is dropped.
    """
    result: PrivacyMultipliers = {}
    start = 0
    for clique in cliques:
        members = clique.members
        rows = slice(start * m, (start + len(members)) * m)
        above, below = (duals[program.blocks[name]][rows].reshape(-1, m) for name in ("clique above", "clique below"))
        itself = np.minimum(above, below)
        factor = shrink(clique.epsilon)
        for y in range(m):
            for a, b, weight in matched(*((one[:, y] - itself[:, y]).tolist() for one in (above, below))):
                pair = result.setdefault((members[a], members[b]), np.zeros(m))
                pair[y] += weight * factor
        start += len(members)
    return result
