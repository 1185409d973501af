"""One Bit Cluster as a linear program, [GC] (4): one variable, the probability with which every bit is flipped.

A profile of distribution P releases q_y = P_y + flip (1 - 2 P_y). Each edge limits the flip both ways and for both
outputs, which are all sets that matter:

    e^-epsilon q^a_y - q^b_y <= e^-epsilon delta.
"""

import numpy as np
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.privacy.inequalities import Inequalities
from mechdesign.problem import Problem
from mechdesign.program.compiler import privacy_gaps
from mechdesign.program.program import Program, RowBuilder


def one_bit_program(problem: Problem) -> Program:
    """Return the program of a component over two categories; its only column is the flip, which it minimises.

    References
    ----------
    [GC] (4), for all edges of a cluster at once.
    """
    rows = RowBuilder()
    rows.at_most(sp.identity(1), 0.5)  # no bit is flipped more often: its value then says nothing
    if problem.required:
        asked = Inequalities.of(problem.required, 2)
        affine = np.stack([released_by_flip(problem, 0.0), 1 - 2 * problem.profiles], axis=-1)
        gaps = privacy_gaps(sp.csr_matrix(affine.reshape(-1, 2)), asked).toarray()
        rows.at_most(sp.csr_matrix(gaps[:, 1:]), asked.allowed[asked.edge] - gaps[:, 0], name="privacy")
    return rows.program(np.ones(1), np.zeros(1))


def released_by_flip(problem: Problem, flip: float) -> Floats:
    """Return what the profiles release if each bit is flipped with this probability, k x 2."""
    return problem.profiles + flip * (1 - 2 * problem.profiles)
