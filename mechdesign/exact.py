"""Exact numbers: what a user writes as a rational, and rational bounds of e^epsilon.

Nothing in this module rounds without saying in its name in which direction.
"""

import math
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache
from numbers import Integral, Rational, Real
from typing import TypeAlias

from mechdesign.errors import InputError

Number: TypeAlias = int | float | str | Fraction | Decimal
"""What a number may be given as: `0.3`, `"0.3"`, `"3/10"`, `Fraction(3, 10)`."""

Epsilon: TypeAlias = Fraction | float
"""A privacy parameter in nats: a rational, or `math.inf` for no requirement."""

MAX_EPSILON = Fraction(700)
"""Beyond this `exp_below` stays at e^700: a stricter requirement, which no 64-bit weight can tell apart."""

_DECIMAL = re.compile(r"\s*[+-]?(\d{1,1500}(\.\d{0,400})?|\.\d{1,400})([eE][+-]?\d{1,3})?\s*")
_RATIO = re.compile(r"\s*[+-]?\d{1,1500}/\d{1,1500}\s*")
"""So many digits that what `format_number` makes of 400 digits and an exponent is a number again."""

LARGEST_ABOVE = Fraction(100_000)
"""Beyond this e^epsilon has no bound from above, which would not fit in memory comfortably."""

LONGEST_COMMON = 2_000
"""Digits of a common denominator: room for two numbers of 1,000 digits, or for the shares of any doubles. Without a
bound, 1,000 numbers of 1,500 digits each have a sum of 1.5 million digits, which takes a minute."""

LONGEST_NAME = 100
"""Names longer than this are not compared with others: the work grows with their square."""

_INFINITE = {"inf", "infinity", "+inf", "∞"}


def parse_number(value: object) -> Fraction:
    """Return `value` as the rational it is written as.

    Raises
    ------
    InputError
        if it is not a finite number (booleans are not numbers).

    Examples
    --------
    >>> parse_number("3/10") == parse_number("0.3") == parse_number(Fraction(3, 10))
    True
    >>> parse_number(0.3)       # a float is the dyadic rational that it is
    Fraction(5404319552844595, 18014398509481984)
    """
    if isinstance(value, bool):
        pass
    elif isinstance(value, str):
        if _DECIMAL.fullmatch(value) or (_RATIO.fullmatch(value) and int(value.split("/")[1])):
            return Fraction(value.strip())
    elif isinstance(value, Rational | Integral):
        return Fraction(value)
    elif isinstance(value, Decimal):
        if value.is_finite() and abs(value.adjusted()) < 1000:
            return Fraction(value)
    elif isinstance(value, Real) and math.isfinite(value):
        return Fraction(*value.as_integer_ratio())  # type: ignore[attr-defined]  # floats of any width have it
    raise InputError(f'expected a number such as 0.3 or "3/10", found {shown(value)}')


def parse_epsilon(value: object) -> Epsilon:
    """Return a privacy parameter in nats: a rational >= 0, or `math.inf` (also written "inf").

    Raises
    ------
    InputError
        if it is negative, not a number, or a word.
    """
    if isinstance(value, str) and value.strip().lower() in _INFINITE:
        return math.inf
    if isinstance(value, float) and value == math.inf:
        return math.inf
    try:
        epsilon = parse_number(value)
    except InputError:
        raise InputError(f"epsilon: expected a number >= 0 (in nats) or inf, found {shown(value)}") from None
    if epsilon < 0:
        raise InputError(f"epsilon: expected a number >= 0 (in nats) or inf, found {shown(value)}")
    return epsilon


@lru_cache(maxsize=1024)
def shrink(epsilon: Fraction) -> float:
    """Return e^-epsilon in doubles, for solvers; like `exp_below` it does not change beyond `MAX_EPSILON`.

    Examples
    --------
    >>> round(shrink(Fraction(1, 2)), 6), shrink(Fraction(10**400)) > 0
    (0.606531, True)
    """
    return math.exp(-min(epsilon, MAX_EPSILON))


def parse_delta(value: object) -> Fraction:
    """Return delta as a rational in [0, 1).

    Raises
    ------
    InputError
        if it is not a number, or outside [0, 1).
    """
    try:
        delta = parse_number(value)
    except InputError:
        raise InputError(f"delta: expected a number in [0, 1), found {shown(value)}") from None
    if not 0 <= delta < 1:
        raise InputError(f"delta: expected a number in [0, 1), found {shown(value)}")
    return delta


def check_positive_integer(name: str, value: object) -> None:
    """Raise an InputError, which begins with the name, unless a value is an integer and at least 1.

    Examples
    --------
    >>> check_positive_integer("n", 0)
    Traceback (most recent call last):
    mechdesign.errors.InputError: n: expected a positive integer, found 0
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(f"{name}: expected a positive integer, found {shown(value)}")


def format_number(value: Fraction) -> str:
    """Return `value` exactly: as a decimal where it has a short one, else as "p/q".

    Examples
    --------
    >>> format_number(Fraction(3, 10)), format_number(Fraction(1, 3))
    ('0.3', '1/3')
    """
    if value.denominator == 1:
        return str(value.numerator)
    if 10**15 % value.denominator:  # no decimal of 15 digits
        return str(value)
    for digits in range(1, 16):
        scaled = value * 10**digits
        if scaled.denominator == 1:
            sign, whole = "-" if value < 0 else "", str(abs(scaled.numerator)).rjust(digits + 1, "0")
            return f"{sign}{whole[:-digits]}.{whole[-digits:]}"
    return str(value)


def shown_epsilon(epsilon: Fraction | float) -> str:
    """Return epsilon as text: exactly, or "inf".

    Examples
    --------
    >>> shown_epsilon(Fraction(1, 2)), shown_epsilon(math.inf)
    ('0.5', 'inf')
    """
    return "inf" if epsilon == math.inf else format_number(Fraction(epsilon))


def shown_range(epsilons: Iterable[Fraction | float]) -> str:
    """Return the least and the largest of some epsilons as text; of long numbers four digits.

    Examples
    --------
    >>> shown_range([Fraction(17, 10), math.inf, Fraction(3, 10)]), shown_range([Fraction(1, 7000001)])
    ('0.3 to inf', '1.429e-07')
    """
    ends = sorted(set(epsilons))
    return " to ".join(dict.fromkeys(brief(end, 8, 4) for end in (ends[0], ends[-1])))


def brief(value: Fraction | float, longest: int, digits: int) -> str:
    """Return a number as text: exactly if that has at most `longest` characters, else to so many digits.

    Examples
    --------
    >>> brief(Fraction(1, 8), 8, 4), brief(Fraction(1, 7000001), 8, 4), brief(math.inf, 8, 4)
    ('0.125', '1.429e-07', 'inf')
    """
    text = shown_epsilon(value)
    return text if len(text) <= longest else short(value, digits)


def short(value: Fraction | float, digits: int = 6) -> str:
    """Return a number rounded to so many digits, also where it is beyond doubles.

    Examples
    --------
    >>> short(Fraction(2, 3)), short(Fraction(10**400, 3))
    ('0.666667', '3.33333e+399')
    """
    if isinstance(value, Fraction) and value and not sys.float_info.min <= abs(value) <= sys.float_info.max:
        return f"{Decimal(value.numerator) / value.denominator:.{digits}g}"
    return f"{float(value):.{digits}g}"


def shown(value: object, width: int = 40) -> str:
    """Return `value` as an error message shows it: quoted if text, shortened if long."""
    try:
        text = format_number(value) if isinstance(value, Fraction) else repr(value)
    except ValueError:  # more digits than Python converts
        return "a number of thousands of digits"
    return text if len(text) <= width else text[: width - 1] + "…"


def over_common(values: Sequence[Fraction], what: str) -> tuple[list[int], int]:
    """Return integers and the denominator that all of them are over; `what` names the values in an error.

    Raises
    ------
    InputError
        if this denominator would have more than `LONGEST_COMMON` digits.

    Examples
    --------
    >>> over_common([Fraction(1, 2), Fraction(1, 3)], "two numbers")
    ([3, 2], 6)
    """
    common, longest = 1, 10**LONGEST_COMMON
    for value in values:
        common = math.lcm(common, value.denominator)
        if common >= longest:
            raise InputError(
                f"{what} need a common denominator of more than {LONGEST_COMMON} digits, too long to compute with; "
                "give them with fewer different denominators, such as decimals of at most 15 places"
            )
    return [value.numerator * (common // value.denominator) for value in values], common


def expected_one_of(names: Iterable[str], found: object, *, one: str = "one", beside: str = "") -> str:
    """Return what an error says of a name that is none of a closed list, with the nearest one if there is one.

    Parameters
    ----------
    one
        how many of them are to be chosen.
    beside
        what else would do.

    Examples
    --------
    >>> expected_one_of(["highs", "pdlp"], "hihgs")
    "expected one of highs, pdlp, found 'hihgs'; did you mean highs?"
    """
    listed = list(names)
    return f"expected {one} of {', '.join(listed)}{beside}, found {shown(found)}{did_you_mean(listed, found)}"


def did_you_mean(names: Iterable[str], found: object) -> str:
    """Return "; did you mean ...?" with the name nearest to a misspelt one, or nothing.

    Examples
    --------
    >>> did_you_mean(["categorical-chain", "grid"], "Categorical_chain"), did_you_mean(["grid"], "survey.json")
    ('; did you mean categorical-chain?', '')
    """
    if not isinstance(found, str) or len(found) > LONGEST_NAME:
        return ""
    known = {name.lower(): name for name in names}
    near = get_close_matches(found.lower(), known, n=1)
    return f"; did you mean {known[near[0]]}?" if near else ""


def float_below(value: Fraction) -> float:
    """Return the largest double that is <= `value`."""
    largest = sys.float_info.max
    if abs(value) > largest:
        return largest if value > 0 else -math.inf
    nearest = float(value)
    return nearest if Fraction(nearest) <= value else math.nextafter(nearest, -math.inf)


def float_above(value: Fraction) -> float:
    """Return the smallest double that is >= `value`."""
    return -float_below(-value) + 0.0  # not -0.0


def decimal_below(value: Fraction, digits: int = 9) -> str:
    """Return `value` rounded down to so many decimal places, as text.

    Examples
    --------
    >>> decimal_below(Fraction(2, 3), 3), decimal_above(Fraction(2, 3), 3)
    ('0.666', '0.667')
    """
    return _decimal(math.floor(value * 10**digits), digits)


def decimal_above(value: Fraction, digits: int = 9) -> str:
    """Return `value` rounded up to so many decimal places, as text."""
    return _decimal(math.ceil(value * 10**digits), digits)


def _decimal(units: int, digits: int) -> str:
    whole = str(abs(units)).rjust(digits + 1, "0")
    return f"{'-' if units < 0 else ''}{whole[:-digits]}.{whole[-digits:]}"


def exp_below(epsilon: Fraction, *, bits: int = 64) -> Fraction:
    """Return a rational <= e^epsilon with `bits` significant bits, so at most 2^(1-bits) below it, relatively.

    Above `MAX_EPSILON` the bound stays at e^700, which is still below.

    Examples
    --------
    >>> exp_below(Fraction(0)), float(exp_below(Fraction(1)))
    (Fraction(1, 1), 2.718281828459045)
    """
    return _exp_bounds(min(epsilon, MAX_EPSILON), bits)[0]


def exp_above(epsilon: Fraction, *, bits: int = 64) -> Fraction:
    """Return a rational >= e^epsilon with `bits` significant bits, so at most 2^(2-bits) above it, relatively.

    Raises
    ------
    InputError
        if epsilon exceeds 100,000, see `LARGEST_ABOVE`.
    """
    if epsilon > LARGEST_ABOVE:
        raise InputError(f"epsilon: at most {LARGEST_ABOVE} can be bounded from above, found {shown(epsilon)}")
    return _exp_bounds(epsilon, bits)[1]


@lru_cache(maxsize=4096)
def _exp_bounds(epsilon: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Bound e^epsilon through `decimal`, whose exp is correctly rounded; then cut to `bits` significant bits."""
    if epsilon == 0:
        return Fraction(1), Fraction(1)
    digits = bits // 3 + 30
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN, Emax=MAX_EMAX, Emin=MIN_EMIN)
    floor = Context(prec=digits, rounding=ROUND_FLOOR, Emax=MAX_EMAX, Emin=MIN_EMIN)
    below = floor.divide(Decimal(epsilon.numerator), Decimal(epsilon.denominator))
    above = floor.next_plus(below)
    low = Fraction(context.next_minus(context.exp(below)))
    high = Fraction(context.next_plus(context.exp(above)))
    shift = bits - int(low).bit_length()
    scale = Fraction(2) ** shift
    return max(Fraction(1), math.floor(low * scale) / scale), math.ceil(high * scale) / scale


def parse_ratio(
    epsilon: Number | None, ratio: Number | None, bound: Callable[[Fraction], Fraction] = exp_below
) -> Fraction | float:
    """Return e^epsilon as a formula takes it: `ratio` itself, or a rational bound; `math.inf` if epsilon is infinite.

    Raises
    ------
    InputError
        unless exactly one is given, and epsilon is at least 0, or ratio at least 1.

    Examples
    --------
    >>> parse_ratio(None, "3/2"), float(parse_ratio(0.5, None)), parse_ratio("inf", None)
    (Fraction(3, 2), 1.6487212707001282, inf)
    """
    if (epsilon is None) == (ratio is None):
        found = "neither" if ratio is None else f"epsilon={shown(epsilon)} and ratio={shown(ratio)}"
        raise InputError(f"expected one of epsilon= (in nats) and ratio= (e^epsilon, exactly), found {found}")
    if ratio is None:
        nats = parse_epsilon(epsilon)
        return math.inf if nats == math.inf else bound(Fraction(nats))
    try:
        exact = parse_number(ratio)
    except InputError:
        exact = Fraction(0)
    if exact < 1:
        expected = "ratio: expected e^epsilon, a number >= 1"
        raise InputError(f"{expected}, found {shown(ratio)}; epsilon= takes what is in nats")
    return exact


def is_at_most_exp(ratio: Fraction, epsilon: Fraction) -> bool:
    """Return whether ratio <= e^epsilon, exactly.

    e^epsilon is irrational for rational epsilon > 0, so finer and finer bounds of it decide in the end.

    Examples
    --------
    >>> is_at_most_exp(Fraction(2718281828459045, 10**15), Fraction(1))
    True
    """
    if epsilon == 0:
        return ratio <= 1
    bits = 64
    while True:
        below, above = _exp_bounds(epsilon, bits)
        if ratio <= below:
            return True
        if ratio >= above:
            return False
        bits *= 2


def log_bounds(ratio: Fraction) -> tuple[float, float]:
    """Return doubles (lower, upper) around ln(ratio), for ratio >= 1.

    Examples
    --------
    >>> log_bounds(Fraction(1)), log_bounds(Fraction(2))
    ((0.0, 0.0), (0.6931471805599453, 0.6931471805599454))
    """
    if ratio < 1 + Fraction(1, 2**60):  # 0 <= ln(ratio) <= ratio - 1, and decimals cannot tell it from 0
        return 0.0, float_above(ratio - 1)
    bounds = []
    for rounding, beyond in ((ROUND_FLOOR, "next_minus"), (ROUND_CEILING, "next_plus")):
        context = Context(prec=50, rounding=rounding, Emax=MAX_EMAX, Emin=MIN_EMIN)
        quotient = context.divide(Decimal(ratio.numerator), Decimal(ratio.denominator))
        bounds.append(Fraction(getattr(context, beyond)(context.ln(quotient))))
    return max(0.0, float_below(bounds[0])), float_above(bounds[1])


def round_to_total(values: Sequence[float | Fraction], total: int) -> list[int]:
    """Return integers near `total * values / sum(values)` that sum to `total`; the largest takes the remainder.

    Examples
    --------
    >>> round_to_total([0.5, 0.25, 0.25], 10)
    [6, 2, 2]
    """
    mass = [value if type(value) is int else Fraction(value) for value in (max(value, 0) for value in values)]
    whole = sum(mass)
    integers = [value * total // whole for value in mass]
    integers[mass.index(max(mass))] += total - sum(integers)
    return integers
