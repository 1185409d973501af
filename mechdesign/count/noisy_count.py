"""One noisy count: its release, and how often it lies outside the range of counts."""

import math
import random
import secrets

from mechdesign.count.noise import parse_count_epsilon, parse_noise
from mechdesign.count.prior import PriorLike, parse_size, prior_of
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Number, parse_number
from mechdesign.exact.text import shown_cell
from mechdesign.geometric import two_sided_geometric


def parse_count(a: object, size: int, name: str) -> int:
    """Return a true count.

    Raises
    ------
    InputError
        unless it is an integer in 0..size.

    Examples
    --------
    >>> parse_count("3", 10, "count")
    3
    """
    expected = f"{name}: expected a count in 0..{size}, found "
    try:
        count = parse_number(a)
    except InputError:
        raise InputError(expected + shown_cell(a)) from None
    if count.denominator != 1 or not 0 <= count <= size:
        raise InputError(expected + shown_cell(count))
    return int(count)


def out_of_range(a: int, n: int, epsilon: Number, *, noise: str = "laplace") -> float:
    """Return the probability that the noisy answer lies outside [0, n] if the true count is a.

    It is (e^{-epsilon a} + e^{-epsilon (n - a)}) / 2 for Laplace noise.

    Parameters
    ----------
    a
        the true count, in 0..n.
    n
        the number of records, at most 10^12.
    epsilon
        in nats.
    noise
        "laplace" or "geometric".

    Raises
    ------
    InputError
        if an argument cannot be used.

    References
    ----------
    [ND] Naldi and D'Acquisto, arXiv:1407.0116: (2).

    Examples
    --------
    >>> out_of_range(0, 100, 0.1)
    0.50002269996488...
    """
    size, nats, law = parse_size(n), parse_count_epsilon(epsilon), parse_noise(noise)
    count = parse_count(a, size, "a")
    return law.outside(nats) * (math.exp(-nats * count) + math.exp(-nats * (size - count)))


def most_out_of_range(n: int, epsilon: Number, *, noise: str = "laplace") -> tuple[float, tuple[int, ...]]:
    """Return the largest probability of an answer outside [0, n], and the true counts for which it is so large.

    Parameters
    ----------
    n, epsilon, noise
        as for `out_of_range`.

    Raises
    ------
    InputError
        if an argument cannot be used.

    References
    ----------
    [ND] Naldi and D'Acquisto, arXiv:1407.0116: Theorem 1. For n = 1 both counts have it.

    Examples
    --------
    >>> most_out_of_range(100, 0.1)
    (0.50002269996488..., (0, 100))
    """
    return out_of_range(0, n, epsilon, noise=noise), (0, parse_size(n))


def least_out_of_range(n: int, epsilon: Number, *, noise: str = "laplace") -> tuple[float, tuple[int, ...]]:
    """Return the smallest probability of an answer outside [0, n], and the true counts for which it is so small.

    Parameters
    ----------
    n, epsilon, noise
        as for `out_of_range`.

    Raises
    ------
    InputError
        if an argument cannot be used.

    References
    ----------
    [ND] Naldi and D'Acquisto, arXiv:1407.0116: (6) is right for odd n, where two counts have it. For even n the minimum
    is e^{-epsilon n / 2}, at n / 2, and (6) is too large by the factor cosh(epsilon / 2).

    Examples
    --------
    >>> least_out_of_range(2, 1), least_out_of_range(3, 1)[1]
    ((0.36787944117144233, (1,)), (1, 2))
    """
    size = parse_size(n)
    places = (size // 2,) if size % 2 == 0 else (size // 2, size // 2 + 1)
    return out_of_range(places[0], n, epsilon, noise=noise), places


def expected_out_of_range(n: int, p: PriorLike, epsilon: Number, *, noise: str = "laplace") -> float:
    """Return the probability that a noisy answer lies outside [0, n], before it is known.

    Parameters
    ----------
    n, p, epsilon, noise
        as for `posterior`.

    Raises
    ------
    InputError
        if an argument cannot be used.

    Examples
    --------
    >>> round(expected_out_of_range(100, 0.3, 0.01), 6)
    0.619352
    """
    law = parse_noise(noise)
    nats = parse_count_epsilon(epsilon)
    return law.outside(nats) * sum(map(math.exp, prior_of(n, p).log_decay(nats)))


def release(count: int, n: int, epsilon: Number, *, seed_not_for_release: int | None = None) -> int:
    """Return a count with two-sided geometric noise, drawn exactly: epsilon-private if a record changes it by 1.

    The answer is any whole number, also below 0 and above n, and is meant to stay so: that is the law which
    `posterior(answer, n, p, epsilon, noise="geometric")` inverts. Each answer about the same records costs epsilon
    again.

    Parameters
    ----------
    count
        the true count, in 0..n.
    n
        the number of records, at most 10^12.
    epsilon
        in nats; exact: "1/10", "0.1" and 0.1 are a tenth.
    seed_not_for_release
        makes the answer the same each time: for tests. Who knows it can undo the release.

    Raises
    ------
    InputError
        if an argument cannot be used.

    References
    ----------
    Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential Privacy", 2020, Algorithm 2,
    arXiv:2004.00010. [ND] Naldi and D'Acquisto, arXiv:1407.0116, have Laplace noise; to the posterior both say the
    same at a whole answer.

    Examples
    --------
    >>> from mechdesign.count import posterior
    >>> answer = release(34, 100, "1/10", seed_not_for_release=3)
    >>> posterior(answer, 100, "0.3", "1/10", noise="geometric")
    Posterior(mean 30.269355, median 30, 95% in [23, 38], answer 31)
    """
    size = parse_size(n)
    true = parse_count(count, size, "count")
    parse_count_epsilon(epsilon)  # whatever `posterior` takes
    below = secrets.randbelow if seed_not_for_release is None else random.Random(seed_not_for_release).randrange
    return true + two_sided_geometric(parse_number(epsilon), below)
