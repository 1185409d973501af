"""Iterative refinement of an answer that nearly meets its constraints.

A solver's answer x violates its constraints by up to 1e-10 or so. Where epsilon and delta are themselves that small,
mixing with a common distribution would have to go far to make up for it. Refinement computes exactly how much room each
constraint leaves, divides all of it by the largest violation s, and finds the shortest correction r for which x + s r
meets the constraints. The numbers of this problem are of size 1, so that a solver meets it to 1e-10 again: of the
violation only about 1e-10 s is left.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Exact
from mechdesign.errors import SolverError
from mechdesign.graph.distribution import support
from mechdesign.problem import Problem, Refined, Solution
from mechdesign.program.program import Rows, directed, privacy_gaps
from mechdesign.program.transport import Layout
from mechdesign.solver.clarabel import minimise_quadratic

FAR_AWAY = 1e6
"""A constraint with more room than so many times the violation is left out: corrections are only a few times as long as
the violation, so that it will not bind, and larger numbers would make the problem badly scaled. Of a pair with a delta,
an output of which one has so far more than e^epsilon times the other's counts with all its changes, and one of which it
has so far less with none. Design extreme 87 needs it."""

SLACK_CURVATURE = 1e-6
"""How much the square of a slack, which is no part of the answer, counts beside that of a correction. Of the designs of
benchmarks/ablate.py none tells it from 1."""


def refined(problem: Problem, solution: Solution) -> Refined:
    """Return the released distributions of a solution (with a shared matrix, that) corrected, as exact rationals."""
    if not problem.shared:
        m = problem.outputs
        identity = sp.csr_matrix(sp.identity(solution.released.size))
        x = _correct(problem, _rational(solution.released.ravel()), identity, lambda x: x.reshape(-1, m))
        return Refined(x.reshape(-1, m))
    assert solution.matrices is not None
    layout = Layout.of(problem)
    used = np.nonzero(layout.start[0] >= 0)[0]
    entries = _rational(solution.matrices[0][used].ravel())
    row_of = {int(x): number for number, x in enumerate(used)}

    def released(x: Exact) -> Exact:
        rows = x.reshape(len(used), -1)
        return np.array([sum(mass * rows[row_of[c]] for c, mass in support(masses)) for masses in problem.exact])

    matrix = np.array(solution.matrices[0], dtype=object)
    corrected = _correct(problem, entries, layout.released(problem), released)
    matrix[used] = corrected.reshape(len(used), -1)
    return Refined(released(corrected), matrix)


def _rational(values: npt.NDArray[np.float64]) -> Exact:
    return np.array([Fraction(float(value)) for value in values], dtype=object)


def _correct(problem: Problem, x: Exact, released: sp.csr_matrix, exactly: Callable[[Exact], Exact]) -> Exact:
    """Return x, whose rows of m entries are distributions and which releases `exactly(x)`, corrected if possible."""
    m, n = problem.outputs, len(x)
    strict, loose = directed(problem.required)
    sums = sp.kron(sp.identity(n // m), np.ones((1, m)))
    q = exactly(x)
    missing = 1 - x.reshape(-1, m).sum(axis=1)
    room = np.array([q[b] - q[a] / r.ratio_below for a, b, r in strict], dtype=object).reshape(-1)
    loose_room = np.array([q[b] - q[a] / r.ratio_below for a, b, r in loose], dtype=object).reshape(-1)
    slack = np.array([max(-one, Fraction(0)) for one in loose_room], dtype=object)
    spare = [r.delta / r.ratio_below - sum(slack[i * m : (i + 1) * m]) for i, (_, _, r) in enumerate(loose)]
    violation = max([*abs(missing), *-room, *-x, *(-one for one in spare)])
    if violation <= 0:
        return x

    def far(values: Sequence[Fraction] | Exact) -> npt.NDArray[np.float64]:
        far_away = Fraction(FAR_AWAY)  # compared before it is a double, which might not hold it
        return np.array([float(min(value / violation, far_away)) for value in values], dtype=np.float64)

    limit = Fraction(FAR_AWAY) * violation
    rows = Rows()
    rows.equal(sums, far(missing))
    if strict:
        near = np.array(room < limit, dtype=bool)
        rows.at_most(privacy_gaps(released, m, strict)[near], far(room[near]))
    floor = -far(x)
    if loose:
        tight = np.array([one < limit for one in spare])
        asked = np.repeat(tight, m)
        near, large = (np.array(one, dtype=bool) & asked for one in (abs(loose_room) < limit, loose_room <= -limit))
        gaps, own = privacy_gaps(released, m, loose), sp.identity(len(slack), format="csr")[:, near]
        rows.at_most(sp.hstack([gaps, -own], format="csr")[near], far(loose_room + slack)[near])
        total = sp.kron(sp.identity(len(loose)), np.ones((1, m)), format="csr")[tight]
        rows.at_most(sp.hstack([total @ sp.diags(large.astype(float)) @ gaps, total @ own]), far(spare)[tight])
        floor = np.concatenate([floor, -far(slack)[near]])
    program = rows.program(np.zeros(len(floor)), floor, np.where(np.arange(len(floor)) < n, 1.0, SLACK_CURVATURE))
    try:
        correction, _ = minimise_quadratic(program)
    except SolverError:
        return x
    return np.array(x + _rational(correction[:n]) * violation)
