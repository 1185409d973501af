"""The rows of privacy, of every program: inequalities between two probabilities, and cliques.

The probabilities are R x, with x the columns of a program and R a sparse matrix: what is released, or the most and the
least that is. For each inequality, divided by e^epsilon so that no coefficient exceeds 1:

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

from mechdesign.arrays import Floats
from mechdesign.exact.exponentials import shrink
from mechdesign.objective.multipliers import PrivacyMultipliers
from mechdesign.privacy.cover import Clique
from mechdesign.privacy.inequalities import Inequalities
from mechdesign.privacy.requirement import Requirement, both_ways
from mechdesign.program.matching import matched
from mechdesign.program.program import Program, Rows


def add_privacy(
    rows: Rows, gaps: sp.csr_matrix, asked: Inequalities, first: int, tight: npt.NDArray[np.bool_] | None = None
) -> int:
    """Add the inequalities, given their left sides, with slacks in columns from `first` on; return how many these are.

    Those that are `tight` are equations.
    """
    loose = asked.loose
    tight = np.zeros(len(loose), dtype=bool) if tight is None else tight
    if not loose.all():
        _add(rows, gaps, ~loose, tight, "strict")
    if not loose.any():
        return 0
    number, count = np.cumsum(loose) - 1, int(loose.sum())
    places = np.flatnonzero(loose), first + number[loose]
    slacks = sp.csr_matrix((-np.ones(count), places), shape=(len(loose), first + count))
    widened = sp.csr_matrix((gaps.data, gaps.indices, gaps.indptr), shape=slacks.shape)
    _add(rows, widened + slacks, loose, tight, "loose")
    edges, place = np.unique(asked.edge[loose], return_inverse=True)
    shape = (len(edges), first + count)
    rows.at_most(sp.csr_matrix((asked.often[loose], (place, places[1])), shape=shape), asked.allowed[edges])
    return count


def _add(
    rows: Rows, gaps: sp.csr_matrix, chosen: npt.NDArray[np.bool_], tight: npt.NDArray[np.bool_], name: str
) -> None:
    if tight.any():
        rows.equal(gaps[chosen & tight], 0.0)
    left = chosen & ~tight
    rows.at_most(gaps if left.all() else gaps[left], 0.0, name=name)


def privacy_gaps(released: sp.csr_matrix, asked: Inequalities) -> sp.csr_matrix:
    """Return e^-epsilon (R x)_above - (R x)_below for each inequality, by the matrix R."""
    count = np.arange(len(asked.above))
    places = np.concatenate([count, count]), np.concatenate([asked.above, asked.below])
    values = np.concatenate([asked.factors, -np.ones(len(count))])
    return sp.csr_matrix(sp.csr_matrix((values, places), shape=(len(count), released.shape[0])) @ released)


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
    return {(a, b): own for (a, b, _), own in zip(both_ways(required), weights, strict=True)}


def add_cliques(rows: Rows, cliques: Sequence[Clique], k: int, m: int, first: int) -> int:
    """Add the rows of the cliques on q^i_y, column i m + y; return how many columns l_y they use, from `first` on."""
    if not cliques:
        return 0
    members = np.array([i for clique in cliques for i in clique.members])
    number = np.repeat(np.arange(len(cliques)), [len(clique.members) for clique in cliques])
    factors = np.array([shrink(clique.epsilon) for clique in cliques])[number]
    row, shape = np.arange(len(members)), (len(members), len(cliques))
    chosen = sp.csr_matrix((np.ones(len(members)), (row, members)), shape=(len(members), k))
    level = sp.kron(sp.csr_matrix((np.ones(len(members)), (row, number)), shape=shape), sp.identity(m))
    between = sp.csr_matrix((len(members) * m, first - k * m))
    low = sp.hstack([-sp.kron(chosen, sp.identity(m)), between, level])
    high = sp.hstack([sp.kron(sp.diags(factors) @ chosen, sp.identity(m)), between, -level])
    rows.at_most(low, 0.0, name="clique below")
    rows.at_most(high, 0.0, name="clique above")
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
