"""`release`: one noisy count, from which `posterior` tells what there is to tell of the true one."""

import random
import secrets

from mechdesign.count.noise import parse_count_epsilon
from mechdesign.count.outside_range import parse_count
from mechdesign.count.prior import parse_size
from mechdesign.exact.numbers import Number, parse_number
from mechdesign.geometric import two_sided_geometric


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
