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

Profiles that share one matrix form a group; the sum over its profiles then goes inside the minimum. Since e^epsilon is
irrational, E is a rational above it, which only ever lowers the bound; so does rounding down, over BOUND_UNIT.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from operator import attrgetter

import numpy as np

from mechdesign.arrays import Exact, Floats
from mechdesign.certificate.within import within
from mechdesign.exact.exponentials import MAX_EPSILON, exp_above
from mechdesign.graph.uncertainty import is_single
from mechdesign.objective.multipliers import FINENESS as FINENESS
from mechdesign.objective.multipliers import Multipliers, integers
from mechdesign.problem import Problem

BOUND_UNIT = FINENESS**2
"""Bounds are computed as integers over this, each term rounded down, just as the checker does."""


@dataclass(frozen=True, eq=False)
class Weights:
    """Exact multipliers of one component.

    Attributes
    ----------
    privacy
        lam: (a, b, y) -> integer over FINENESS, where not 0.
    entries
        z: one d x m table of integers over FINENESS for each group, of total 1 at most; None for a loss.
    profiles
        w: one weight for each profile; None for the largest off-diagonal entry.
    worst
        (i, y, 0 for P or 1 for P') -> d integers over its unit, where it is not the profile's own distribution.
    """

    privacy: Mapping[tuple[int, int, int], int]
    entries: Sequence[Exact] | None
    profiles: Sequence[Fraction] | None
    worst: dict[tuple[int, int, int], list[int]] = field(default_factory=dict)

    def prices(self, group: int) -> Iterable[tuple[int, int, int]]:
        """Return (x, y, z) of a group's entries, where z is not 0."""
        assert self.entries is not None
        table = self.entries[group]
        xs, ys = np.nonzero(table)
        return zip(xs.tolist(), ys.tolist(), map(int, table[xs, ys]), strict=True)


@dataclass(frozen=True, eq=False)
class Bound:
    """What the weights of one component prove: its objective is at least `least`.

    For an expected loss, its share of the whole.
    """

    least: Fraction
    weights: Weights


def exact_weights(problem: Problem, multipliers: Multipliers | None, prior: Sequence[Fraction]) -> Weights:
    """Return a solver's multipliers as exact ones; without any, those of a component that needs no noise.

    `prior` are the component's exact prior weights, shares of the whole graph's.
    """
    # Beyond MAX_EPSILON e^epsilon is not bounded from above, and does not matter.
    finite = {pair for edge in problem.required if edge.epsilon <= MAX_EPSILON for pair in edge.directions()}
    given = {} if multipliers is None else multipliers.privacy
    entries, profiles, unit = problem.objective.exact_multipliers(problem, multipliers, prior)
    privacy = {
        (*pair, y): weight
        for pair, lam in given.items()
        if pair in finite
        for (y,), weight in integers(lam, unit)
        if weight
    }
    worst = _worst(problem, None if multipliers is None else multipliers.worst, privacy)
    return Weights(privacy, entries, profiles, worst)


def _worst(
    problem: Problem, found: Floats | None, privacy: Iterable[tuple[int, int, int]]
) -> dict[tuple[int, int, int], list[int]]:
    """Return exact distributions within the sets near those found, for every place that has a multiplier."""
    if found is None or problem.uncertain is None:
        return {}
    needed = dict.fromkeys(place for a, b, y in privacy for place in ((a, y, 0), (b, y, 1)))
    return {
        (i, y, side): within(problem.uncertain[i], problem.exact[i], found[side, i, y])
        for i, y, side in needed
        if found[side, i, y].any() and not is_single(problem.uncertain[i])
    }


def proved(problem: Problem, multipliers: Multipliers | None, prior: Sequence[Fraction]) -> Bound:
    """Return what a solver's multipliers prove, or, where their noise alone would make it less, none of privacy."""
    weights = exact_weights(problem, multipliers, prior)
    found = Bound(bound_below(problem, weights), weights)
    if found.least > 0:
        return found
    plain = replace(weights, privacy={}, worst={})
    return max(found, Bound(bound_below(problem, plain), plain), key=attrgetter("least"))


def bound_below(problem: Problem, weights: Weights) -> Fraction:
    """Return what the weights prove, over BOUND_UNIT: the objective of this component is at least this.

    For an expected loss, this component's share of the whole.
    """
    required = {pair: requirement for requirement in problem.required for pair in requirement.directions()}
    factors = {pair: int(exp_above(required[pair].epsilon) * FINENESS) for pair in {key[:2] for key in weights.privacy}}
    added, taken = np.zeros((2, len(problem.exact), problem.outputs), dtype=object)  # the two parts of g_i(y)
    largest: dict[tuple[int, int], int] = {}
    for (a, b, y), lam in weights.privacy.items():
        added[a, y] += lam * FINENESS
        taken[b, y] += lam * factors[a, b]
        largest[a, b] = max(lam, largest.get((a, b), 0))
    proved = sum(math.floor(-required[pair].delta * lam * FINENESS) for pair, lam in largest.items())
    gains = added - taken
    d, m = problem.profiles.shape[1], problem.outputs
    by_worst: dict[int, Exact] = {}
    for (i, y, side), masses in weights.worst.items():
        part = (added, -taken)[side][i, y]
        gains[i, y] -= part
        own = by_worst.setdefault(i, np.zeros((d, m), dtype=object))
        own[:, y] += np.array(masses, dtype=object) * part // sum(masses)
    groups = [range(len(problem.exact))] if problem.shared else [range(i, i + 1) for i in range(len(problem.exact))]
    for number, group in enumerate(groups):
        # Rows of categories that nobody has, and that have no prices, add nothing.
        table: dict[int, Exact] = {}
        for i in group:
            _add(table, _terms(problem, weights, i, gains[i]))
            _add(table, dict(enumerate(by_worst.get(i, ()))))
        if weights.entries is not None:
            prices = weights.entries[number]
            _add(table, {x: prices[x] * FINENESS for x in np.flatnonzero(prices.any(axis=1)).tolist()})
        proved += sum(int(row.min()) for row in table.values())
    bound, least = Fraction(proved, BOUND_UNIT), problem.objective.least
    return bound if least is None else max(least, bound)


def _add(table: dict[int, Exact], rows: Mapping[int, Exact]) -> None:
    """Add rows, by category, to those of a table."""
    for x, row in rows.items():
        table[x] = table[x] + row if x in table else row


def _terms(problem: Problem, weights: Weights, i: int, gains: Exact) -> dict[int, Exact]:
    """Return P_i(x) (w_i l(x,y) + g_i(y)) for each category x that the profile may have, rounded down."""
    counts, units = problem.counts
    used = np.flatnonzero(counts[i])
    if weights.profiles is not None:
        finest, losses = problem.whole_losses
        share = Fraction(weights.profiles[i])
        gains = losses[used] * (share.numerator * BOUND_UNIT) // (share.denominator * finest) + gains
    elif not gains.any():
        return {}
    return dict(zip(used.tolist(), counts[i, used, None] * gains // units[i], strict=True))
