"""The worst value's loss on a path: the geometric mechanism followed by the best random remap of its answers.

Gupte and Sundararajan proved that for losses that grow with the distance nothing private has a smaller largest loss.
Which answer is read as what, R(r, y), is a linear program: the least t with

    sum_r beta_r G(r, i) sum_y R(r, y) l(i, y) <= t    for each value i,        sum_y R(r, y) = 1    for each answer r.

The multipliers of its first rows are a prior. Minimax is maximin: for this prior no remap has an expected loss below
t, and the multipliers that prove this of all private mechanisms are those of an expected loss.

Few of the columns R(r, y) are needed: those that the prior prices below 0 are added until there are none.

References
----------
Gupte and Sundararajan 2010, "Universally optimal privacy mechanisms for minimax agents".
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Floats
from mechdesign.program.program import Program
from mechdesign.program.tolerances import MOST_ROUNDS, VIOLATION
from mechdesign.solver.minimise import Wanted, minimum_of
from mechdesign.solver.on_path import OnPath, kernel_of, undone


@dataclass(frozen=True, eq=False)
class Worst:
    """The best random remap.

    Attributes
    ----------
    path
        with the least favourable prior.
    value
        the largest loss.
    released
        n x m.
    weights
        n: that prior.
    remap
        n x m: how often each answer is read as what.
    """

    path: OnPath
    value: float
    released: Floats
    weights: Floats
    remap: Floats


def read_for_worst(steps: Floats, table: Floats) -> Worst | None:
    """Return the remap of least largest loss, for values that are these e^-epsilon apart; None if it is not found.

    Examples
    --------
    >>> round(read_for_worst(np.array([0.25]), np.array([[0.0, 1.0], [1.0, 0.0]])).value, 9)
    0.2
    """
    kernel, beta = kernel_of(steps), undone(steps, np.ones(len(table)))
    columns, start = _first(table), None
    answers, outputs = np.nonzero(columns)
    for _ in range(MOST_ROUNDS):
        found = minimum_of(_program(kernel, beta, table, answers, outputs), Wanted.VERTEX, start=start)
        if isinstance(found, str):
            return None
        weights = found.multipliers[: len(table)] / found.multipliers[: len(table)].sum()
        costs = kernel @ (weights[:, None] * table)
        price = costs - np.where(columns, costs, np.inf).min(axis=1, keepdims=True)
        lacking = float(-beta @ price.min(axis=1))
        if lacking <= VIOLATION * abs(beta @ costs.min(axis=1)):
            break
        cheap = (price < 0) & (price <= price.min(axis=1, keepdims=True))
        columns |= cheap
        more = np.nonzero(cheap)
        answers, outputs = np.append(answers, more[0]), np.append(outputs, more[1])
        start = found.basis and found.basis.with_others(len(more[0]), 0)
    else:
        return None
    remap = np.zeros(table.shape)
    remap[answers, outputs] = np.maximum(found.columns[1:], 0.0)
    remap /= remap.sum(axis=1, keepdims=True)
    released = kernel @ (beta[:, None] * remap)
    value = float((released * table).sum(axis=1).max())
    return Worst(OnPath(steps, table, weights), value, released, weights, remap)


def _first(table: Floats) -> npt.NDArray[np.bool_]:
    """Return as what each answer may be read at first, n x m: as is best for its value, or one 1, 2, 4, ... away.

    Without the others "counting 300 worst-loss absolute 0.5 0" takes 25 s of processor time, not 1.4 s.
    """
    answers, best = np.arange(len(table)), table.argmin(axis=1)
    result = np.zeros(table.shape, dtype=bool)
    for shift in (0, *(sign << power for power in range(len(table).bit_length()) for sign in (-1, 1))):
        result[answers, best[np.clip(answers + shift, 0, len(table) - 1)]] = True
    return result


def _program(
    kernel: Floats, beta: Floats, table: Floats, answers: npt.NDArray[np.intp], outputs: npt.NDArray[np.intp]
) -> Program:
    """Return the program of t and the columns R(r, y) that there are.

    Losses count from those where each answer is read as what is best for its value: few then are not 0, or large.
    """
    n, count = len(table), len(answers)
    masses, best = kernel * beta, table.argmin(axis=1)
    losses = masses[:, answers] * (table[:, outputs] - table[:, best[answers]])
    base = (masses * table[:, best]).sum(axis=1)
    sums = sp.csr_matrix((np.ones(count), (answers, 1 + np.arange(count))), shape=(n, count + 1))
    matrix = sp.vstack([sp.csr_matrix(np.hstack([-np.ones((n, 1)), losses])), sums], format="csr")
    cost, floor = np.zeros(count + 1), np.zeros(count + 1)
    cost[0], floor[0] = 1.0, -np.inf
    ones = np.ones(n)
    return Program(cost, matrix, *(np.append(-np.inf * ones, ones), np.append(-base, ones)), floor, None, {})
