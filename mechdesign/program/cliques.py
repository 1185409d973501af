"""The rows of cliques: where profiles must all be alike, one new variable for each output replaces the pairs.

With delta = 0 and one epsilon, q^i_y <= e^epsilon q^j_y for all i, j of a clique says that for some l_y

    l_y <= q^i_y   and   e^-epsilon q^i_y <= l_y     for each i,

which is 2 n rows for an output in place of n (n - 1).
"""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.exact.exponentials import shrink
from mechdesign.objective.matching import matched
from mechdesign.objective.multipliers import PrivacyMultipliers
from mechdesign.privacy.cover import Clique
from mechdesign.program.program import Program, Rows


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
