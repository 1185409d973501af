"""Exact lower bounds of the optimum, by linear-programming duality.

Let lam(a,b,y) >= 0 be weights of the privacy constraints q^a_y - E q^b_y <= s_y, sum_y s_y <= delta, of each edge and
direction, and let

    g_i(y) = sum_b lam(i,b,y) - sum_a E lam(a,i,y)        (what one unit of q^i_y adds to the weighted constraints).

For any private mechanism sum_i sum_y g_i(y) q^i_y <= sum_(a,b) delta max_y lam(a,b,y). And q^i_y = sum_x P_i(x) A^i_xy,
where each row of A^i is a distribution. Hence, for whatever weights,

    sum_i sum_x sum_y c_i(x,y) A^i_xy
        >= sum_i sum_x min_y [ c_i(x,y) + P_i(x) g_i(y) ] - sum_(a,b) delta max_y lam(a,b,y)

and the left side is at most the objective with these prices c:

- largest off-diagonal entry: c = z_i(x,y) >= 0, 0 for y = x; it is at most the objective times the total of z;
- expected loss: c = w_i P_i(x) l(x,y), with w_i the prior weights (total 1);
- worst loss: the same, with any w_i >= 0 of total 1.

Profiles that share one matrix form a group; the sum over its profiles then goes inside the minimum. Since e^epsilon is
irrational, E is a rational above it, which only ever lowers the bound.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from mechdesign.exact import MAX_EPSILON, exp_above
from mechdesign.graph import support
from mechdesign.problem import Multipliers, Problem

FINENESS = 2**80
"""Solvers' multipliers become integers over this; the bound holds for any, so rounding them only costs accuracy."""

NEGLIGIBLE = 1e-16
"""Multipliers this far below the largest of their table are dropped, for the same reason: interior points have many."""

Exact = npt.NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Weights:
    """Exact multipliers of one component.

    Attributes
    ----------
    privacy
        lam: (a, b, y) -> integer over FINENESS, where not 0.
    entries
        z: one d x m table of integers over FINENESS for each group; None for a loss.
    profiles
        w: one weight for each profile; None for the largest off-diagonal entry.
    """

    privacy: dict[tuple[int, int, int], int]
    entries: Sequence[Exact] | None
    profiles: Sequence[Fraction] | None


def exact_weights(problem: Problem, multipliers: Multipliers | None, prior: Sequence[Fraction]) -> Weights:
    """Return a solver's multipliers as exact ones; without any, those of a component that needs no noise.

    `prior` are the component's exact prior weights, shares of the whole graph's.
    """
    # Beyond MAX_EPSILON e^epsilon is not bounded from above, and does not matter.
    finite = {pair for edge in problem.required if edge.epsilon <= MAX_EPSILON for pair in edge.directions()}
    privacy = {
        (*pair, y): weight
        for pair, lam in ({} if multipliers is None else multipliers.privacy).items()
        if pair in finite
        for (y,), weight in _integers(lam, problem.loss_unit)
        if weight
    }
    if problem.loss is None:
        found = None if multipliers is None else multipliers.entries
        return Weights(privacy, None if found is None else [_off_diagonal(table) for table in found], None)
    if not problem.worst:
        return Weights(privacy, None, prior)
    found = None if multipliers is None else multipliers.profiles
    shares = [Fraction(0)] * len(problem.exact) if found is None else [Fraction(max(0.0, float(w))) for w in found]
    if not any(shares):
        costs = _free_costs(problem)
        shares[costs.index(max(costs))] = Fraction(1)
    return Weights(privacy, None, [share / sum(shares) for share in shares])


def _integers(weights: npt.NDArray[np.float64], unit: Fraction) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the weights as integers over FINENESS, with their places; those too small to matter are left out."""
    least = NEGLIGIBLE * max(0.0, weights.max(initial=0.0))
    bits = FINENESS.bit_length() - 1
    places = np.argwhere(weights > least)
    mantissas, exponents = np.frexp(weights[tuple(places.T)])
    shifts = (exponents + (bits - 53)).tolist()
    for place, mantissa, shift in zip(
        places.tolist(), np.ldexp(mantissas, 53).astype(np.int64).tolist(), shifts, strict=True
    ):
        weight = mantissa << shift if shift >= 0 else mantissa >> -shift
        yield tuple(place), weight * unit.numerator // unit.denominator


def _off_diagonal(table: npt.NDArray[np.float64]) -> Exact:
    """Return prices of the entries; those of the diagonal are 0."""
    prices = np.zeros(table.shape, dtype=object)
    for place, weight in _integers(table, Fraction(1)):
        prices[place] = weight
    np.fill_diagonal(prices, 0)
    return prices


def _free_costs(problem: Problem) -> list[Fraction]:
    """Return each profile's least expected loss, with no regard to privacy."""
    table = problem.objective.table(len(problem.exact[0]))  # type: ignore[union-attr]
    least = [min(row) for row in table]
    return [sum((mass * least[x] for x, mass in support(masses)), Fraction(0)) for masses in problem.exact]


def bound_below(problem: Problem, weights: Weights) -> Fraction:
    """Return what the weights prove: the objective of this component is at least this.

    For an expected loss, this component's share of the whole.
    """
    ratios = {
        pair: exp_above(r.epsilon) for r in problem.required for pair in r.directions() if r.epsilon <= MAX_EPSILON
    }
    unit = math.lcm(*{ratio.denominator for ratio in ratios.values()})
    above = {pair: int(ratio * unit) for pair, ratio in ratios.items()}
    gains = np.zeros((len(problem.exact), problem.outputs), dtype=object)  # g_i(y), over FINENESS * unit
    largest: dict[tuple[int, int], int] = {}
    for (a, b, y), lam in weights.privacy.items():
        gains[a, y] += lam * unit
        gains[b, y] -= lam * above[a, b]
        largest[a, b] = max(lam, largest.get((a, b), 0))
    groups = [range(len(problem.exact))] if problem.shared else [range(i, i + 1) for i in range(len(problem.exact))]
    total = Fraction(0)
    for number, group in enumerate(groups):
        table, scale = _group_table(problem, weights, number, group, gains, FINENESS * unit)
        total += Fraction(int(sum(table.min(axis=1))), scale)
    for requirement in problem.required:
        for pair in requirement.directions():
            total -= requirement.delta * Fraction(largest.get(pair, 0), FINENESS)
    if problem.loss is not None:
        return total
    prices = sum(int(table.sum()) for table in weights.entries or ())
    return max(Fraction(0), total / Fraction(prices, FINENESS)) if prices else Fraction(0)


def _group_table(
    problem: Problem, weights: Weights, number: int, group: range, gains: Exact, scale: int
) -> tuple[Exact, int]:
    """Return sum over a group of c_i(x,y) + P_i(x) g_i(y) as integers over a common scale, which is returned too.

    Only for categories x that the group has: for the others there is nothing to gain, and the diagonal is free.
    """
    masses = [problem.exact[i] for i in group]
    used = sorted({x for distribution in masses for x, _ in support(distribution)})
    common = math.lcm(*(distribution[x].denominator for distribution in masses for x in used))
    counts = np.array([[int(distribution[x] * common) for x in used] for distribution in masses], dtype=object)
    table = counts.T @ gains[group.start : group.stop]
    if weights.entries is not None:
        return table + weights.entries[number][used] * (common * (scale // FINENESS)), scale * common
    if weights.profiles is None:
        return table, scale * common
    finest, losses = problem.whole_losses
    shares = [Fraction(weights.profiles[i]) for i in group]
    share_unit = math.lcm(*(share.denominator for share in shares))
    rows = np.array([int(share * share_unit) for share in shares], dtype=object) @ counts  # sum_i w_i P_i(x)
    return table * (finest * share_unit) + rows[:, None] * losses[used] * scale, scale * common * finest * share_unit
