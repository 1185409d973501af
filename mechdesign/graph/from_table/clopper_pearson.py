"""Clopper and Pearson's interval of a probability, by counting; proved: rounded outward, tails bounded from above.

scipy says where an end is about; that it is far enough out is then shown in ball arithmetic, whose balls hold what is
meant.
"""

from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from flint import arb

Count: TypeAlias = int | Fraction
"""Of records; effective numbers of them are not whole."""

BITS = 128
"""Of what is computed with; a tail of 10^9 trials keeps more than 80 of them."""

REST = 1e-6
"""Of a tail, the share of its last terms that are bounded all at once."""

MOST_TERMS = 20_000
"""Summed one by one; enough up to n = 10^8, beyond which the bound is looser, but holds."""


@lru_cache(maxsize=100_000)
def interval_outward(successes: Count, trials: Count, miss: Fraction) -> tuple[Fraction, Fraction]:
    """Return (lower, upper) around a probability: each end is beyond it with probability `miss` / 2 at most.

    The ends are decimals of one digit more than `trials` has: less than a tenth of 1 / `trials` further out for it.
    Numbers that are not whole, as effective ones are, are the parameters of the beta law whose quantiles the ends are.

    References
    ----------
    Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial", Biometrika
    26, 1934.

    Examples
    --------
    >>> lower, upper = interval_outward(0, 10, Fraction(1, 20))
    >>> float(lower), float(upper)
    (0.0, 0.309)
    """
    return _lower(successes, trials, miss / 2), 1 - _lower(trials - successes, trials, miss / 2)


def _lower(successes: Count, trials: Count, tail: Fraction) -> Fraction:
    """Return a p, about the largest decimal of so many digits, with P[at least so many successes] <= `tail`."""
    if not successes:
        return Fraction(0)
    from scipy.special import betaincinv  # loads slowly

    unit = 10 ** (len(str(int(trials))) + 1)
    near = float(betaincinv(float(successes), float(trials - successes + 1), float(tail)))
    units, step = (int(near * unit) if 0 < near < 1 else 0), 1
    while units > 0 and tail_above(successes, trials, Fraction(units, unit)) > tail:
        units, step = units - step, 2 * step
    return Fraction(max(0, units), unit)


def tail_above(successes: Count, trials: Count, chance: Fraction) -> Fraction:
    """Return a bound from above of P[at least so many successes], for 0 < `successes` and 0 < `chance` < 1.

    The terms of a binomial law fall by factors that fall themselves: P[k + 1] / P[k] = (n - k) p / ((k + 1) (1 - p)).
    So what follows a term is at most that of a geometric series with its factor. Of numbers that are not whole it is
    the regularised incomplete beta function I_p(s, n - s + 1), by I_p(k, n - k + 1) = P[k] + I_p(k + 1, n - k), while
    n > k; a last I_p(a, b) with b <= 1 is at most P[a], as p^a (1 - p)^(b - 1) / (a B(a, b)) is all of it at b = 1.
    Numerators over `parts`, a common denominator, stand for the numbers.

    Examples
    --------
    >>> round(tail_above(9, 10, Fraction(1, 2)) * 1024, 4)         # 11 of 1,024
    Fraction(11, 1)
    """
    from flint import arb, ctx  # loads slowly

    p, q = chance.numerator, chance.denominator - chance.numerator
    parts = lcm(Fraction(successes).denominator, Fraction(trials).denominator)
    first, last = int(successes * parts), int(trials * parts)
    if (last - first) * p >= (first + parts) * q:
        return Fraction(1)
    with ctx.workprec(BITS):
        term, total, rest = arb(1), arb(1), arb(0)
        for k in range(first, min(last, first + MOST_TERMS * parts), parts):
            gain, loss = (last - k) * p, (k + parts) * q
            rest = term * gain / (loss - gain)
            if rest <= REST * total:
                break
            term = term * gain / loss
            total += term
            rest = arb(0) if k + parts >= last else rest
        bound = (total + rest) * _mass(successes, trials, chance)
        return min(Fraction(1), _upper(bound))


def _mass(successes: Count, trials: Count, chance: Fraction) -> "arb":
    """Return P[so many successes]."""
    from flint import arb, fmpq  # loads slowly

    def ball(number: Count) -> "arb":
        return arb(fmpq(*Fraction(number).as_integer_ratio()))

    p, failures = ball(chance), trials - successes
    ways = ball(trials + 1).lgamma() - ball(successes + 1).lgamma() - ball(failures + 1).lgamma()
    return (ways + ball(successes) * p.log() + ball(failures) * (1 - p).log()).exp()


def _upper(ball: "arb") -> Fraction:
    end = ball.upper().fmpq()
    return Fraction(int(end.p), int(end.q))
