"""The least E >= 1 with first(S) <= E second(S) + delta for every set S of outputs, three ways, all exact.

E is the largest (first(S) - delta) / second(S) over sets S, infinite where first(S) > delta and second(S) = 0. It says
everything about a pair of released distributions: (epsilon, delta) holds iff E <= e^epsilon.

The three ways share no reasoning, so that their agreement means something: sorting the outputs by their ratios, a
linear program over fractional sets, and trying every set.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import reduce
from itertools import chain, combinations

from mechdesign.errors import InputError
from mechdesign.privacy.released import Released

MOST_OUTPUTS = 20
"""Above this there are too many sets to try each."""


@dataclass(frozen=True)
class Needed:
    """The least E (None if infinite) and a set of outputs that needs it; the empty set if 1 is enough."""

    ratio: Fraction | None
    outputs: tuple[int, ...]


class By(StrEnum):
    """How to find the least ratio."""

    SETS = "sets"
    LP = "lp"
    EXHAUSTIVE = "exhaustive"


def by_sets(first: Released, second: Released, delta: Fraction) -> Needed:
    """Return the least ratio by sorting: the best set takes the outputs of the largest first(y) / second(y).

    References
    ----------
    [HLM] Theorem 3 groups the outputs by these ratios.

    Examples
    --------
    >>> import numpy as np
    >>> p, q = (Released(np.array(weights, dtype=object), 10) for weights in ([6, 4], [2, 8]))
    >>> by_sets(p, q, Fraction(0)), by_sets(p, q, Fraction(1, 10))
    (Needed(ratio=Fraction(3, 1), outputs=(0,)), Needed(ratio=Fraction(5, 2), outputs=(0,)))
    """
    masses = _masses(first, second)
    alone = [y for y, (a, b) in enumerate(masses) if a and not b]
    allowed = delta * first.total * second.total
    mass, other = Fraction(sum(masses[y][0] for y in alone)), 0
    if mass > allowed:
        return Needed(None, tuple(alone))
    rest = [y for y, (a, b) in enumerate(masses) if a and b]
    if allowed:
        rest.sort(key=lambda y: Fraction(*masses[y]), reverse=True)
    else:  # then one output is enough
        rest = [reduce(lambda x, y: y if masses[y][0] * masses[x][1] > masses[x][0] * masses[y][1] else x, rest)]
    best, size = Fraction(1), 0
    for count, y in enumerate(rest, start=1):
        mass, other = mass + masses[y][0], other + masses[y][1]
        if mass - allowed > best * other:
            best, size = (mass - allowed) / other, count
    return Needed(best, tuple(sorted(alone + rest[:size])) if size else ())


def by_lp(first: Released, second: Released, delta: Fraction) -> Needed:
    """Return the least ratio by Dinkelbach's method, the worst set at each E found by a linear program.

    The program is max sum_y f_y (first(y) - E second(y)), 0 <= f <= 1; its optimum is a set, and its dual
    min sum_y u_y, u_y >= first(y) - E second(y), u >= 0, taken exactly, proves that no set needs more than the last E.

    Examples
    --------
    >>> import numpy as np
    >>> p, q = (Released(np.array(weights, dtype=object), 10) for weights in ([6, 4], [2, 8]))
    >>> by_lp(p, q, Fraction(1, 10))
    Needed(ratio=Fraction(5, 2), outputs=(0,))
    """
    masses = _masses(first, second)
    allowed = delta * first.total * second.total
    best = Fraction(1)
    outputs: tuple[int, ...] = ()
    while True:
        # In the limit only the outputs with second(y) = 0 count; they are among the worst at any E.
        gain = [best.denominator * a - best.numerator * b for a, b in masses]
        least = best.denominator * allowed
        if sum(max(0, g) for g in gain) <= least:
            return Needed(best, outputs)
        scale = max(map(abs, gain))
        shares = _shares([g / scale for g in gain])
        chosen = tuple(y for y, share in enumerate(shares) if share > 0.5 and gain[y] > 0)
        if sum(gain[y] for y in chosen) <= least:  # the program's doubles could not tell: take its dual
            chosen = tuple(y for y, g in enumerate(gain) if g > 0)
        alone = tuple(y for y in chosen if masses[y][1] == 0)
        if sum(masses[y][0] for y in alone) > allowed:
            return Needed(None, alone)
        mass, other = (sum(masses[y][end] for y in chosen) for end in (0, 1))
        best, outputs = (mass - allowed) / other, chosen


def _masses(first: Released, second: Released) -> list[tuple[int, int]]:
    """Return first(y) and second(y) of each output, over the product of their totals."""
    return [(int(a) * second.total, int(b) * first.total) for a, b in zip(first.weights, second.weights, strict=True)]


def _shares(gain: list[float]) -> list[float]:
    """Return how much of each output the worst fractional set takes, as HiGHS finds it.

    It is called here without scipy, whose `linprog` calls it too, and takes longer to load than all programs to solve.
    """
    import highspy  # here, because few need it

    model = highspy.HighsLp()
    model.num_col_, model.sense_ = len(gain), highspy.ObjSense.kMaximize
    model.col_cost_, model.col_lower_, model.col_upper_ = gain, [0.0] * len(gain), [1.0] * len(gain)
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.passModel(model)
    highs.run()
    return list(highs.getSolution().col_value)


def by_exhaustion(first: Released, second: Released, delta: Fraction) -> Needed:
    """Return the least ratio by trying every set of outputs.

    Raises
    ------
    InputError
        for more than 20 outputs.

    Examples
    --------
    >>> import numpy as np
    >>> p, q = (Released(np.array(weights, dtype=object), 10) for weights in ([6, 4], [2, 8]))
    >>> by_exhaustion(p, q, Fraction(1, 10))
    Needed(ratio=Fraction(5, 2), outputs=(0,))
    """
    p, q = first.fractions(), second.fractions()
    if len(p) > MOST_OUTPUTS:
        raise InputError(
            f"exhaustive: at most {MOST_OUTPUTS} outputs have few enough sets, found {len(p)}; use sets or lp"
        )
    best: tuple[float | Fraction, tuple[int, ...]] = (Fraction(1), ())
    for chosen in chain.from_iterable(combinations(range(len(p)), size) for size in range(1, len(p) + 1)):
        mass = sum((p[y] for y in chosen), Fraction(0)) - delta
        other = sum((q[y] for y in chosen), Fraction(0))
        if mass > 0 and (needed := mass / other if other else math.inf) > best[0]:
            best = needed, chosen
    return Needed(None if isinstance(best[0], float) else best[0], best[1])


WAYS: dict[str, Callable[[Released, Released, Fraction], Needed]] = {
    By.SETS: by_sets,
    By.LP: by_lp,
    By.EXHAUSTIVE: by_exhaustion,
}
