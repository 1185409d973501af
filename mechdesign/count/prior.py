"""What is known of a count before the answer, as it is given: p, a beta law of p, or any masses."""

import math
import numbers
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats
from mechdesign.count.laws import Binomial, Masses, Prior
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Number, number, parse_entry, whole
from mechdesign.exact.text import shown
from mechdesign.graph.frames import is_series

LARGEST = 10**12
"""Records: for one answer some ten million counts of so many matter, which takes about 2 GiB and a few seconds."""

LONGEST = 10**7
"""A prior that lists all its masses has at most so many records."""

LEAST_MASS = 1e-300
"""Smaller masses that are listed count as zero; a probability p must be 0, 1, or so far from both."""

LEAST_SHAPE, LARGEST_SHAPE = Fraction(1, 10**100), Fraction(10**100)
"""Of a beta law: what makes no quotient of two masses underflow."""


@dataclass(frozen=True)
class Beta:
    """The probability p of a record is itself unknown, with a beta law; so the count is beta-binomial.

    Attributes
    ----------
    alpha, beta
        of the law, positive: alpha = beta = 1 is uniform.

    Examples
    --------
    >>> round(prior_of(10, Beta(3, 7)).mean, 12)
    3.0
    """

    alpha: Number
    beta: Number


PriorLike: TypeAlias = Number | Beta | Sequence[Number] | npt.ArrayLike
"""The probability p of a binomial prior, a `Beta` law of p, or the n + 1 masses of the counts 0..n.

Masses in a Series of pandas go by its labels. Those below 1e-300 count as zero. As text, which is what commands take, a
beta law is "beta:2,38".
"""

_BETA = re.compile(r"\s*beta:(?P<alpha>[^,]*),(?P<beta>[^,]*)", re.IGNORECASE)


def law_of(p: PriorLike) -> PriorLike:
    """Return the `Beta` law that a text such as "beta:2,38" names, masses by their labels, and anything else as it is.

    Labels has a Series of pandas: `value_counts` returns one in another order.

    Raises
    ------
    InputError
        if the labels are not the counts 0, 1, 2 and so on.

    Examples
    --------
    >>> law_of("beta:2,38"), law_of("0.05")
    (Beta(alpha='2', beta='38'), '0.05')
    """
    if is_series(p):
        series: Any = p
        own = dict(zip(series.index.tolist(), series.tolist(), strict=True))
        if len(own) != len(series) or own.keys() != set(range(len(own))):
            expected = "each of the counts 0, 1, ... once as a label"
            raise InputError(f"prior: expected {expected}, found {shown(tuple(series.index))}")
        return [own[count] for count in range(len(own))]
    named = _BETA.fullmatch(p) if isinstance(p, str) else None
    return p if named is None else Beta(named["alpha"].strip(), named["beta"].strip())


def prior_of(n: int, p: PriorLike) -> Prior:
    """Return the prior of a count of n records.

    Parameters
    ----------
    n
        from 1 to 10^12, and to 10^7 if p is no probability.
    p
        the probability that a record counts, a `Beta` law of it, or n + 1 masses.

    Raises
    ------
    InputError
        if n is no such integer, p lies outside [0, 1] or within 1e-300 of its ends, the numbers of a beta law lie
        outside [1e-100, 1e100], or the masses are not n + 1 numbers >= 0 of total 1.

    Examples
    --------
    >>> prior_of(100, 0.25).mean, prior_of(2, [0.5, 0.25, 0.25]).mean
    (25.0, 0.75)
    """
    size, p = parse_size(n), law_of(p)
    if isinstance(p, Beta):
        return _beta_binomial(size, p)
    if isinstance(p, str | numbers.Number) or p is None:
        return _binomial(size, p)
    return _masses(size, p)


def parse_size(n: object) -> int:
    """Return the number of records.

    Raises
    ------
    InputError
        unless it is a positive integer, at most 10^12.

    Examples
    --------
    >>> parse_size("100")
    100
    """
    size = whole("n", n, written=True)
    return whole("n", size, f"at most {LARGEST} records", at_most=LARGEST)


def _binomial(n: int, p: object) -> Prior:
    beside = "; or a beta law of it, such as beta:2,38"
    chance = number("p", p, "a probability in [0, 1]", beside=beside, at_least=0, at_most=1)
    if chance in (0, 1):
        return Masses(n, np.array([float(n * chance)]), np.zeros(1))
    if float(min(chance, 1 - chance)) < LEAST_MASS:
        raise InputError(f"p: expected a probability of 0, 1, or at least {LEAST_MASS} from both, found {shown(p)}")
    return Binomial(n, float(chance), float(1 - chance))


def _beta_binomial(n: int, law: Beta) -> Prior:
    a, b = (_shape_of(name, value) for name, value in (("alpha", law.alpha), ("beta", law.beta)))
    _check_listed(n)
    x = np.arange(n + 1.0)
    log_ratios = np.zeros(n + 1)
    log_ratios[1:] = (np.log(n - x[:-1]) - np.log(x[1:])) + (np.log(x[:-1] + a) - np.log(n - x[1:] + b))
    return Masses(n, x, log_ratios)


def _shape_of(name: str, value: object) -> float:
    limits: dict[str, Any] = {"at_least": LEAST_SHAPE, "at_most": LARGEST_SHAPE}
    return float(number(f"p: {name}", value, "a number > 0", beside="; it may be 1e-100 to 1e100", **limits))


def _masses(n: int, p: object) -> Prior:
    try:
        given = np.asarray(p)
    except ValueError:  # lists of unlike lengths
        given = np.asarray(None)
    if not given.shape:
        expected = "p, Beta(alpha, beta) or n + 1 masses, as numbers"
        raise InputError(f"prior: expected {expected}, found {shown(p)}")
    if given.shape != (n + 1,):
        raise InputError(f"prior: expected n + 1 = {n + 1} masses, found shape {given.shape}")
    if given.dtype.kind not in "iuf":
        given = np.array([_mass(k, one) for k, one in enumerate(np.asarray(p, dtype=object).tolist())])
    masses: Floats = given.astype(np.float64)
    wrong = np.flatnonzero(~(masses >= 0) | np.isinf(masses))
    if wrong.size:
        raise InputError(f"prior: mass of {wrong[0]}: expected a number >= 0, found {float(masses[wrong[0]])!r}")
    if abs(masses.sum() - 1) > 1e-9:
        raise InputError(
            f"prior: expected masses of total 1, found {float(masses.sum())!r}; divide rounded ones, or weights, by it"
        )
    _check_listed(n)
    x = np.flatnonzero(masses > LEAST_MASS)
    return Masses(n, x.astype(np.float64), np.diff(np.log(masses[x]), prepend=0.0))


def _mass(k: int, value: object) -> float:
    try:
        return float(parse_entry(value))
    except InputError as error:
        raise InputError(f"prior: mass of {k}: {error.faults[0]}") from None
    except OverflowError:
        return math.inf


def _check_listed(n: int) -> None:
    if n > LONGEST:
        raise InputError(f"n: expected at most {LONGEST} records with a prior that is not binomial, found {n}")
