"""The same problem in the released distributions q^1..q^k alone: k m variables instead of k d m.

Privacy sees a matrix A^i only through q^i = P_i A^i, and given q^i the best A^i is a transport plan from P_i to q^i.

- Largest off-diagonal entry t: q^i can be reached iff q^i(S) <= P_i(S) + t |S| (1 - P_i(S)) for every set S of
  outputs. These are exponentially many, so they are added when violated: see `mechdesign.program.reach`.
- Expected loss: the transport cost, by total variation (Hamming), by cumulative differences (absolute), linearly (a
  point mass), and by the plan's own entries for any other loss.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.problem import Floats, PrivacyMultipliers, Problem
from mechdesign.program.cliques import add_cliques, clique_multipliers
from mechdesign.program.program import Program, Rows, add_privacy, privacy_multipliers
from mechdesign.program.reach import reach_excess
from mechdesign.program.transport import bound_at_most

LEAST_SLOPE = 1e-3
"""The violation of a constraint is divided by its slope in t, but by no less than this: where nearly all mass is in S,
what doubles leave of q(S) - P(S) says nothing about t."""

Cut = tuple[int, tuple[int, ...]]
"""A profile and the set S of outputs of one reachability constraint."""


def singleton_cuts(problem: Problem) -> list[Cut]:
    """Return the cuts to start from: every single output of every profile; none for an expected loss."""
    if problem.loss is not None:
        return []
    return [(i, (y,)) for i in range(len(problem.profiles)) for y in range(problem.outputs)]


def violated_cuts(problem: Problem, released: Floats, level: float, tolerance: float) -> list[Cut]:
    """Return each profile's most violated reachability constraint of each size of S at t = `level`.

    Violated is what would raise t by more than `tolerance`, as far as doubles can tell.
    """
    if problem.loss is not None:
        return []
    excess, slopes, orders = reach_excess(problem.profiles, released, level)
    excess = excess / np.clip(slopes, LEAST_SLOPE, 1.0)
    found = np.argwhere(excess > tolerance).tolist()
    return [(i, tuple(sorted(orders[size][i, : size + 1].tolist()))) for i, size in found]


def released_program(
    problem: Problem, cuts: Iterable[Cut], *, level: float | None = None, weight: float | None = None
) -> Program:
    """Return the program over the released distributions; column i m + y is q^i_y.

    It minimises the objective. With `level` or `weight` it minimises half the squared distance sum_i |q^i - target_i|²
    from what would be released without privacy, one answer, not any: the largest off-diagonal entry is held to `level`;
    a loss, times `weight`, is added to the distance, and stays least if the weight is large enough.
    """
    k, m = len(problem.profiles), problem.outputs
    rows = Rows()
    rows.equal(sp.kron(sp.identity(k), np.ones((1, m))), 1.0)
    n = _add_reach(rows, problem, list(cuts), level) if problem.loss is None else _add_losses(rows, problem)
    cliques, pairs = problem.cover.cliques, problem.independent_pairs
    columns = n + 1 + add_privacy(rows, sp.csr_matrix(sp.identity(k * m)), m, pairs, n + 1)
    columns += add_cliques(rows, cliques, k, m, columns)
    cost, floor = np.zeros(columns), np.zeros(columns)
    floor[n] = -np.inf
    if level is None and weight is None:
        cost[n] = 1.0
        return rows.program(cost, floor)
    cost[: k * m], cost[n] = -problem.target_in_doubles.ravel(), weight or 0.0
    curvature = np.zeros(columns)
    curvature[: k * m] = 1.0
    curvature[n] = float(weight is None)  # the column of the objective is then idle; this pins it to zero
    return rows.program(cost, floor, curvature)


def released_multipliers(problem: Problem, program: Program, duals: Floats) -> PrivacyMultipliers:
    """Return the multipliers of the privacy constraints, pair by pair."""
    cliques, pairs = problem.cover.cliques, problem.independent_pairs
    result = clique_multipliers(program, duals, cliques, problem.outputs)
    for pair, weights in privacy_multipliers(program, duals, problem.outputs, pairs).items():
        result[pair] = result.get(pair, 0.0) + weights
    return result


def _add_reach(rows: Rows, problem: Problem, cuts: list[Cut], level: float | None) -> int:
    """Add q^i(S) - t |S| (1 - P_i(S)) <= P_i(S) for each cut; t is column k m, or `level`."""
    n = problem.profiles.size
    row = np.repeat(np.arange(len(cuts)), [len(chosen) for _, chosen in cuts])
    column = np.array([i * problem.outputs + y for i, chosen in cuts for y in chosen])
    sums = sp.csr_matrix((np.ones(len(row)), (row, column)), shape=(len(cuts), n))
    inside = sums @ problem.profiles.ravel()
    slope = np.array([len(chosen) for _, chosen in cuts]) * (1 - inside)
    if level is None:
        rows.at_most(sp.hstack([sums, -slope[:, None]]), inside, name="objective")
    else:
        rows.at_most(sums, inside + level * slope)
    return n


def _add_losses(rows: Rows, problem: Problem) -> int:
    """Add each profile's transport cost in columns of its own; return the number of columns so far."""
    loss = problem.loss
    assert loss is not None
    k, m = len(problem.profiles), problem.outputs
    n = k * m
    costs: list[tuple[npt.NDArray[np.int64], Floats]] = []
    for i, profile in enumerate(problem.profiles):
        q = np.arange(i * m, (i + 1) * m)
        if not (problem.worst or problem.weights[i]):
            costs.append((q[:0], np.zeros(0)))  # columns of a cost that does not count would have no bound
            continue
        used = np.nonzero(profile)[0]
        if len(used) == 1:
            costs.append((q, loss[used[0]]))
            continue
        extra = {"hamming": _hamming, "absolute": _absolute}.get(problem.loss_name, _plan)
        n, cost = extra(rows, profile, q, n, loss)
        costs.append(cost)
    block = sp.csr_matrix(
        (
            np.concatenate([values for _, values in costs]),
            (np.repeat(np.arange(k), [len(columns) for columns, _ in costs]), np.concatenate([c for c, _ in costs])),
        ),
        shape=(k, n),
    )
    bound_at_most(rows, block if problem.worst else sp.csr_matrix(problem.weights @ block), None)
    return n


Cost = tuple[int, tuple[npt.NDArray[np.int64], Floats]]


def _hamming(rows: Rows, profile: Floats, q: npt.NDArray[np.int64], n: int, loss: Floats) -> Cost:
    """Lost mass: v_y >= P(y) - q_y, v >= 0; cost sum v = total variation, in the loss' unit."""
    used = np.nonzero(profile)[0]
    new = n + np.arange(len(used))
    row = np.arange(len(used))
    block = sp.csr_matrix(
        (-np.ones(2 * len(used)), (np.tile(row, 2), np.concatenate([q[used], new]))), shape=(len(used), n + len(used))
    )
    rows.at_most(block, -profile[used])
    return n + len(used), (new, np.full(len(used), loss[0, 1]))


def _absolute(rows: Rows, profile: Floats, q: npt.NDArray[np.int64], n: int, loss: Floats) -> Cost:
    """Move u_y >= 0 from y up to y + 1, v_y >= 0 down: q_y - P(y) = u_(y-1) - u_y + v_y - v_(y-1); cost sum u + v."""
    steps = len(q) - 1
    pick = sp.csr_matrix((np.ones(steps), (np.arange(steps), q[:-1])), shape=(steps, n))
    net = sp.diags([1.0, -1.0], [0, -1], shape=(steps, steps))  # the last output's equation follows from the others
    rows.equal(sp.hstack([pick, net, -net]), profile[:-1])
    return n + 2 * steps, (n + np.arange(2 * steps), np.full(2 * steps, loss[0, 1]))


def _plan(rows: Rows, profile: Floats, q: npt.NDArray[np.int64], n: int, loss: Floats) -> Cost:
    """Move z_xy >= 0 with sum_y z_xy = P(x) and sum_x z_xy = q_y; cost sum z l."""
    used = np.nonzero(profile)[0]
    m = len(q)
    size = len(used) * m
    supply = sp.hstack([sp.csr_matrix((len(used), n)), sp.kron(sp.identity(len(used)), np.ones((1, m)))])
    rows.equal(supply, profile[used])
    pick = sp.csr_matrix((-np.ones(m), (np.arange(m), q)), shape=(m, n))
    rows.equal(sp.hstack([pick, sp.kron(np.ones((1, len(used))), sp.identity(m))]), 0.0)
    return n + size, (n + np.arange(size), loss[used].ravel())
