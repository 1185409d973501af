"""Two other ways to `mechdesign.privacy.needed`, for whoever doubts it: a linear program, and every set of outputs.

The three share no reasoning, so that their agreement means something.
"""

import math
from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction
from itertools import chain, combinations

from mechdesign.errors import InputError
from mechdesign.privacy.needed import Needed, masses_of, needed
from mechdesign.privacy.released import Released

MOST_OUTPUTS = 20
"""Above this there are too many sets to try each."""


class By(StrEnum):
    """How to find the least ratio."""

    SETS = "sets"
    LP = "lp"
    EXHAUSTIVE = "exhaustive"


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
    masses = masses_of(first, second)
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


def _shares(gain: list[float]) -> list[float]:
    """Return how much of each output the worst fractional set takes, as HiGHS finds it.

    It is called here without scipy, whose `linprog` calls it too, and takes longer to load than all programs to solve.
    """
    import highspy  # here, because few need it

    from mechdesign.silent_highs import SilentHighs

    model = highspy.HighsLp()
    model.num_col_, model.sense_ = len(gain), highspy.ObjSense.kMaximize
    model.col_cost_, model.col_lower_, model.col_upper_ = gain, [0.0] * len(gain), [1.0] * len(gain)
    highs = SilentHighs()
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
        if mass > 0 and (ratio := mass / other if other else math.inf) > best[0]:
            best = ratio, chosen
    return Needed(None if isinstance(best[0], float) else best[0], best[1])


WAYS: dict[str, Callable[[Released, Released, Fraction], Needed]] = {
    By.SETS: needed,
    By.LP: by_lp,
    By.EXHAUSTIVE: by_exhaustion,
}
