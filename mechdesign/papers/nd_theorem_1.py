"""[ND] Section 2: how often a noisy count lies outside [0, n]."""

import math

from mechdesign.count import expected_out_of_range, least_out_of_range, most_out_of_range, out_of_range
from mechdesign.papers.nd import PAPER
from mechdesign.papers.result import Claim, Result

WORDS = """\
(2) and Theorem 1 are right: the probability of an answer outside [0, n] is largest, (1 + e^(-epsilon n))/2, if \
nobody or everybody counts; for n = 1 there is nothing else. ERR-0.1: the minimum (6), which the paper gives as \
approximate, holds for odd n only, and there exactly, at both (n - 1)/2, as the paper says, and (n + 1)/2. For even \
n the minimum is e^(-epsilon n/2), at n/2, and (6) is too large by the factor cosh(epsilon/2): by 12.8% for epsilon \
= 1."""

EVEN = {(2, 0): ("0.414830", "0.367879"), (100, 22): ("2.17491", "1.92875")}
"""n and a power of ten: the value of (6) and the least probability, for epsilon = 1, times that power."""

EXPECTED = {0.01: ".619352", 0.05: ".130015", 0.1: ".028117", 0.2: ".001865"}


def reproduce() -> Result:
    """Return the largest and least probability of an answer out of range, beside the printed formulas.

    References
    ----------
    [ND] (2)-(6), Theorem 1.

    Examples
    --------
    >>> reproduce().rows[0].agrees
    True
    """
    rows = []
    for n, epsilon in ((1, 1.0), (2, 1.0), (7, 0.3), (100, 0.1)):
        chances = [out_of_range(a, n, epsilon) for a in range(n + 1)]
        where = f"n {n}, epsilon {epsilon:g}"
        rows.append(Claim(f"{where}: largest of all", max(chances), claimed=(1 + math.exp(-epsilon * n)) / 2))
        ends = chances[0] == chances[-1] == most_out_of_range(n, epsilon)[0]
        rows.append(Claim(f"{where}: at both ends", ends, claimed=True))
        odd = n % 2 == 1
        least, places = least_out_of_range(n, epsilon)
        note = "" if odd else "ERR-0.1"
        middle = (n - 1) / 2 in places
        rows.append(
            Claim(f"{where}: least of all", min(chances), reference=least, note=note, claimed=printed_least(n, epsilon))
        )
        rows.append(Claim(f"{where}: at (n - 1)/2", middle, reference=odd, claimed=True if odd else None))
    for (n, power), (formula, right) in EVEN.items():
        least = least_out_of_range(n, 1)[0] * 10.0**power
        what = f"n {n}, epsilon 1: least of all, times 10^{power}"
        rows.append(Claim(what, least, reference=right, note="ERR-0.1", claimed=formula))
    ratio = printed_least(2, 1.0) / least_out_of_range(2, 1.0)[0]
    rows.append(Claim("n 2, epsilon 1: (6) over the least", ratio, reference="1.127626"))
    for epsilon, reference in EXPECTED.items():
        chance = expected_out_of_range(100, 0.3, epsilon)
        rows.append(Claim(f"n 100, p 0.3, epsilon {epsilon:g}: on average", chance, reference=reference))
    return Result("nd-theorem-1", "Answers outside the range of counts", PAPER, tuple(rows), WORDS)


def printed_least(n: int, epsilon: float) -> float:
    """Return (6) as it is printed.

    Parameters
    ----------
    n, epsilon
        the number of records, and the privacy level in nats.

    Examples
    --------
    >>> round(printed_least(2, 1.0), 6)
    0.41483
    """
    return (math.exp(-epsilon * (n - 1) / 2) + math.exp(-epsilon * (n + 1) / 2)) / 2
