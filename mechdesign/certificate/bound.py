"""Exact lower bounds of the optimum, by linear-programming duality.

Let lam(a,b,y) >= 0 be weights of the privacy constraints q^a_y - E q^b_y <= s_y, sum_y s_y <= delta, of each edge and
direction, and let

    g_i(y) = sum_b lam(i,b,y) - sum_a E lam(a,i,y)        (what one unit of q^i_y adds to the weighted constraints).

For any private mechanism sum_i sum_y g_i(y) q^i_y <= sum_(a,b) delta max_y lam(a,b,y). And q^i_y = sum_x P_i(x) A^i_xy,
where each row of A^i is a distribution. Hence, for whatever weights,

    sum_i sum_x sum_y c_i(x,y) A^i_xy
        >= sum_i sum_x min_y [ c_i(x,y) + P_i(x) g_i(y) ] - sum_(a,b) delta max_y lam(a,b,y)

and the left side is at most the objective with these prices c:

- largest off-diagonal entry: c = z_i(x,y) >= 0, 0 for y = x, of total 1 at most;
- expected loss: c = w_i P_i(x) l(x,y), with w_i the prior weights (total 1);
- worst loss: the same, with any w_i >= 0 of total 1.

Profiles known only within bounds: the constraints then hold for any distributions P in the set of a and P' in that of b
in the places of P_a and P_b. One P for each profile and output is enough for what adds up, and one P' for what is
subtracted, so that with P^{iy} and P'^{iy}

    P_i(x) g_i(y)   becomes   P^{iy}(x) sum_b lam(i,b,y) - P'^{iy}(x) sum_a E lam(a,i,y),

each part rounded down. For delta > 0 they are then the constraints of the outputs' worst cases added up.

Mechanisms that keep the overall shares, sum_i w_i q^i_y = sum_i w_i P_i(y): with nu_y of any sign, one for each output,

    sum_i sum_y w_i nu_y q^i_y - sum_i sum_y w_i nu_y P_i(y) = 0

may be added, so that g_i(y) grows by w_i nu_y. The bound is then of mechanisms that do.

Profiles that share one matrix form a group; the sum over its profiles then goes inside the minimum. Profiles of a class
of what is alike add the same, and it is computed for one of them. Since e^epsilon is irrational, E is a rational above
it, which only ever lowers the bound; so does rounding down, over BOUND_UNIT.

Linear models: let the objective be the largest of c_r · A + d_r, under constraints G_k · A + h_k <= 0 (or = 0), and let
mu_r >= 0 be of total 1 and nu_k >= 0 (of any sign for an equation). The prices are then c = sum_r mu_r c_r + sum_k nu_k
G_k, the bound has sum_r mu_r d_r + sum_k nu_k h_k besides, and the minimum is over entries that are not forced to be 0.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Integers
from mechdesign.certificate.weights import PrivacyWeights, Weights, exact_weights
from mechdesign.exact.exponentials import exp_above
from mechdesign.objective.multipliers import FINENESS, Multipliers
from mechdesign.problem import Problem

BOUND_UNIT = FINENESS**2
"""Bounds are computed as integers over this, each term rounded down, just as the checker does."""

Rows = Mapping[int, Exact]
"""A price for each output, over BOUND_UNIT, for those categories of a matrix that have any."""


@dataclass(frozen=True, eq=False)
class Bound:
    """What the weights of one component prove: its objective is at least `least`.

    For an expected loss, its share of the whole.
    """

    least: Fraction
    weights: Weights


def proved(problem: Problem, multipliers: Multipliers | None, prior: Sequence[Fraction]) -> Bound:
    """Return what a solver's multipliers prove, or, where their noise alone would make it less, none of privacy."""
    weights = exact_weights(problem, multipliers, prior)
    found = Bound(bound_below(problem, weights), weights)
    if found.least > 0 or not weights.privacy.lam.any():
        return found
    kept = None if weights.kept is None else [0] * problem.outputs
    plain = replace(weights, privacy=replace(weights.privacy, lam=weights.privacy.lam * 0), worst={}, kept=kept)
    return max(found, Bound(bound_below(problem, plain), plain), key=attrgetter("least"))


def bound_below(problem: Problem, weights: Weights) -> Fraction:
    """Return what the weights prove, over BOUND_UNIT: the objective of this component is at least this.

    For an expected loss, this component's share of the whole.
    """
    parts = gains(weights.privacy, problem.sizes)[:, problem.variables]
    total = -allowed(weights.privacy)
    worst = _by_worst(problem, weights, parts)
    kept, constants = _of_kept(problem, weights)
    total += constants
    everyone = range(len(problem.exact))
    copies = [1] * len(everyone) if problem.alike is None else problem.alike.copies.tolist()
    for group, members in enumerate([everyone] if problem.shared else [[i] for i in everyone]):
        terms = (_terms(problem, weights, i, parts[0, i] + parts[1, i] + kept[i]) for i in members)
        prices = {} if weights.entries is None else _prices(weights.entries[group])
        total += copies[group] * least(chain(terms, (worst.get(i, {}) for i in members), [prices]))
    bound, floor = Fraction(total, BOUND_UNIT), problem.objective.least
    return bound if floor is None else max(floor, bound)


def _of_kept(problem: Problem, weights: Weights) -> tuple[Exact, int]:
    """Return w_i nu_y of each profile and output, and - sum_i sum_y w_i nu_y P_i(y), over BOUND_UNIT, rounded down."""
    gains, total = np.zeros(problem.variables.shape, dtype=object), 0
    if problem.kept is None or weights.kept is None:
        return gains, total
    nu, counts = np.array(weights.kept, dtype=object) * FINENESS, problem.target_counts
    for i, (share, unit) in enumerate(zip(problem.kept.shares, problem.counts[1], strict=True)):
        weighted = nu * share.numerator
        gains[i] = weighted // share.denominator
        total += int((-weighted * counts[i] // (share.denominator * unit)).sum())
    return gains, total


def gains(privacy: PrivacyWeights, sizes: Integers) -> Exact:
    """Return g_i(y) over BOUND_UNIT for each numbered probability, in the two parts that add up to it.

    A number may stand for many probabilities: for each of them.
    """
    asked, used = privacy.asked, privacy.used
    labels = asked.asked_by[used].tolist()
    ratios = {label: int(exp_above(asked.asked[label][0]) * FINENESS) for label in set(labels)}
    weights, parts = privacy.lam[used] * asked.times[used].astype(object), np.zeros((2, len(sizes)), dtype=object)
    np.add.at(parts[0], asked.above[used], weights * FINENESS)
    np.add.at(parts[1], asked.below[used], -weights * np.array([ratios[label] for label in labels], dtype=object))
    assert not (parts % sizes).any(), "classes are equitable"
    return np.array(parts // sizes, dtype=object)


def allowed(privacy: PrivacyWeights) -> int:
    """Return sum_(a,b) delta max_y lam(a,b,y) over BOUND_UNIT, each term rounded up."""
    asked, used, largest = privacy.asked, privacy.used, dict[int, int]()
    loose = used[asked.loose[used]]
    for edge, weight in zip(asked.edge[loose].tolist(), privacy.lam[loose], strict=True):
        largest[edge] = max(weight, largest.get(edge, 0))
    return sum(
        math.ceil(asked.asked[asked.label[edge]][1] * weight * FINENESS) * int(asked.edges[edge])
        for edge, weight in largest.items()
    )


def least(tables: Iterable[Rows], possible: npt.NDArray[np.bool_] | None = None) -> int:
    """Return the least that a matrix costs: the sum over its categories of the lowest price among possible outputs."""
    prices: dict[int, Exact] = {}
    for rows in tables:
        for x, row in rows.items():
            prices[x] = prices[x] + row if x in prices else row
    return sum(int((row if possible is None else row[possible[x]]).min()) for x, row in prices.items())


def of_profile(counts: Exact, unit: int, gains: Exact) -> Rows:
    """Return P(x) g(y) for each category x that a profile may have, rounded down; `gains` may be given for each x."""
    used = np.flatnonzero(counts)
    return dict(zip(used.tolist(), counts[used, None] * gains // unit, strict=True))


def _terms(problem: Problem, weights: Weights, i: int, gains: Exact) -> Rows:
    """Return P_i(x) (w_i l(x,y) + g_i(y)) for each category x that the profile may have."""
    counts, units = problem.counts
    if weights.profiles is not None:
        finest, losses = problem.whole_losses
        share = Fraction(weights.profiles[i])
        used = np.flatnonzero(counts[i])
        gains = losses[used] * (share.numerator * BOUND_UNIT) // (share.denominator * finest) + gains
    elif not gains.any():
        return {}
    return of_profile(counts[i], units[i], gains)


def _prices(table: Exact) -> Rows:
    """Return the rows of a table of prices that are not all 0: others, of categories that nobody has, add nothing."""
    return {x: table[x] * FINENESS for x in np.flatnonzero(table.any(axis=1)).tolist()}


def _by_worst(problem: Problem, weights: Weights, parts: Exact) -> dict[int, Rows]:
    """Return what profiles add where a distribution within their set takes the place of their own.

    `parts` are those of g_i(y), 2 x k x m: what is returned is taken from them.
    """
    found: dict[int, Exact] = {}
    for (i, y, side), masses in weights.worst.items():
        rows = found.setdefault(i, np.zeros((len(masses), problem.outputs), dtype=object))
        rows[:, y] += np.array(masses, dtype=object) * parts[side, i, y] // sum(masses)
        parts[side, i, y] = 0
    return {i: dict(enumerate(rows)) for i, rows in found.items()}
