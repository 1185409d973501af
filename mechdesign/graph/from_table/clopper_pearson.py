"""Clopper and Pearson's interval of a probability, by counting; proved: rounded outward, tails bounded from above.

scipy says where an end is about; that it is far enough out is then shown in ball arithmetic, whose balls hold what is
meant.
"""

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flint import arb

BITS = 128
"""Of what is computed with; a tail of 10^9 trials keeps more than 80 of them."""

REST = 1e-6
"""Of a tail, the share of its last terms that are bounded all at once."""

MOST_TERMS = 20_000
"""Summed one by one; enough up to n = 10^8, beyond which the bound is looser, but holds."""


@lru_cache(maxsize=100_000)
def interval_outward(successes: int, trials: int, miss: Fraction) -> tuple[Fraction, Fraction]:
    """Return (lower, upper) around a probability: each end is beyond it with probability `miss` / 2 at most.

    The ends are decimals of one digit more than `trials` has: less than a tenth of 1 / `trials` further out for it.

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


def _lower(successes: int, trials: int, tail: Fraction) -> Fraction:
    """Return a p, about the largest decimal of so many digits, with P[at least so many successes] <= `tail`."""
    if not successes:
        return Fraction(0)
    from scipy.special import betaincinv  # loads slowly

    unit = 10 ** (len(str(trials)) + 1)
    near = float(betaincinv(successes, trials - successes + 1, float(tail)))
    units, step = (int(near * unit) if 0 < near < 1 else 0), 1
    while units > 0 and tail_above(successes, trials, Fraction(units, unit)) > tail:
        units, step = units - step, 2 * step
    return Fraction(max(0, units), unit)


def tail_above(successes: int, trials: int, chance: Fraction) -> Fraction:
    """Return a bound from above of P[at least so many successes], for 0 < `successes` and 0 < `chance` < 1.

    The terms of a binomial law fall by factors that fall themselves: P[k + 1] / P[k] = (n - k) p / ((k + 1) (1 - p)).
    So what follows a term is at most that of a geometric series with its factor.

    Examples
    --------
    >>> round(tail_above(9, 10, Fraction(1, 2)) * 1024, 4)         # 11 of 1,024
    Fraction(11, 1)
    """
    from flint import arb, ctx  # loads slowly

    p, q = chance.numerator, chance.denominator - chance.numerator
    if (trials - successes) * p >= (successes + 1) * q:
        return Fraction(1)
    with ctx.workprec(BITS):
        term, total, rest = arb(1), arb(1), arb(0)
        for k in range(successes, min(trials, successes + MOST_TERMS)):
            gain, loss = (trials - k) * p, (k + 1) * q
            rest = term * gain / (loss - gain)
            if rest <= REST * total:
                break
            term = term * gain / loss
            total += term
            rest = arb(0) if k + 1 == trials else rest
        bound = (total + rest) * _mass(successes, trials, chance)
        return min(Fraction(1), _upper(bound))


def _mass(successes: int, trials: int, chance: Fraction) -> "arb":
    """Return P[so many successes]."""
    from flint import arb, fmpq  # loads slowly

    p, failures = arb(fmpq(chance.numerator, chance.denominator)), trials - successes
    ways = arb(trials + 1).lgamma() - arb(successes + 1).lgamma() - arb(failures + 1).lgamma()
    return (ways + successes * p.log() + failures * (1 - p).log()).exp()


def _upper(ball: "arb") -> Fraction:
    end = ball.upper().fmpq()
    return Fraction(int(end.p), int(end.q))
