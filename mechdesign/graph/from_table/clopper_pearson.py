"""Clopper and Pearson's interval of a probability, by counting; proved: rounded outward, tails bounded from above.

scipy says where an end is about; that it is far enough out is then shown in decimals that are rounded up throughout.
"""

import math
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, Context, Decimal
from fractions import Fraction
from functools import lru_cache

UP = Context(prec=30, rounding=ROUND_CEILING, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""Every product, quotient and sum of numbers >= 0 is rounded up."""

PI_BELOW = Fraction(314159265358979, 10**14)

LARGEST_BINOMIAL = 1_000
"""Binomial coefficients n over k are exact up to this k or n - k; beyond, Stirling's bound exceeds them by a factor of
less than 1.0002. Tuned on n = 10^9: 1 ms at this size."""

REST = Decimal("1e-6")
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
    while units > 0 and Fraction(tail_above(successes, trials, Fraction(units, unit))) > tail:
        units, step = units - step, 2 * step
    return Fraction(max(0, units), unit)


def tail_above(successes: int, trials: int, chance: Fraction) -> Decimal:
    """Return a bound from above of P[at least so many successes], for 0 < `successes` and 0 < `chance` < 1.

    The terms of a binomial law fall by factors that fall themselves: P[k + 1] / P[k] = (n - k) p / ((k + 1) (1 - p)).
    So what follows a term is at most that of a geometric series with its factor.

    Examples
    --------
    >>> round(tail_above(9, 10, Fraction(1, 2)), 9)         # 11 of 1,024
    Decimal('0.010742188')
    """
    p, q = chance.numerator, chance.denominator - chance.numerator
    if (trials - successes) * p >= (successes + 1) * q:
        return Decimal(1)
    term, total = Decimal(1), Decimal(1)
    for k in range(successes, min(trials, successes + MOST_TERMS)):
        gain, loss = (trials - k) * p, (k + 1) * q
        rest = UP.divide(UP.multiply(term, Decimal(gain)), Decimal(loss - gain))
        if rest <= UP.multiply(REST, total):
            total = UP.add(total, rest)
            break
        term = UP.divide(UP.multiply(term, Decimal(gain)), Decimal(loss))
        total = UP.add(total, term)
    else:
        if successes + MOST_TERMS < trials:
            total = UP.add(total, rest)
    return min(Decimal(1), UP.multiply(total, _mass_above(successes, trials, chance)))


def _mass_above(successes: int, trials: int, chance: Fraction) -> Decimal:
    """Return a bound from above of P[so many successes].

    n over k is below sqrt(n / (2 pi k (n - k))) (n/k)^k (n/(n-k))^(n-k), by Robbins' bounds of Stirling's formula:
    n! = sqrt(2 pi n) (n/e)^n e^r with 1/(12 n + 1) < r < 1/(12 n), and 1/(12 n) < 1/(12 k + 1) for k < n.

    References
    ----------
    Robbins, "A remark on Stirling's formula", American Mathematical Monthly 62, 1955.
    """
    failures = trials - successes
    if min(successes, failures) <= LARGEST_BINOMIAL:
        front = UP.create_decimal(math.comb(trials, successes))
        bases = chance, 1 - chance
    else:
        square = trials / (2 * PI_BELOW * successes * failures)
        front = UP.next_plus(UP.sqrt(UP.divide(Decimal(square.numerator), Decimal(square.denominator))))
        bases = chance * trials / successes, (1 - chance) * trials / failures
    powers = (_power_above(base, exponent) for base, exponent in zip(bases, (successes, failures), strict=True))
    return UP.multiply(UP.multiply(front, next(powers)), next(powers))


def _power_above(base: Fraction, exponent: int) -> Decimal:
    """Return a bound from above of a power of a number >= 0, by squaring; `Context.power` is not rounded up."""
    square, result = UP.divide(Decimal(base.numerator), Decimal(base.denominator)), Decimal(1)
    while exponent:
        if exponent % 2:
            result = UP.multiply(result, square)
        square, exponent = UP.multiply(square, square), exponent // 2
    return result
