"""[ND] Theorem 1, what the prior tells, and beyond the paper: what any private mechanism can achieve for a count."""

import math
from collections.abc import Iterator
from fractions import Fraction

from mechdesign.count import (
    expected_out_of_range,
    least_error,
    least_out_of_range,
    most_out_of_range,
    out_of_range,
    prior_graph,
)
from mechdesign.designer.design import design
from mechdesign.formulas import formula
from mechdesign.graph.values import counting_graph
from mechdesign.objective import ExpectedLoss, WorstLoss
from mechdesign.papers.derived import Form, derived
from mechdesign.papers.nd import exact
from mechdesign.papers.published import Claim

POINTS = ((5, "3/10", "1"), (10, "3/10", "1/10"), (10, "3/10", "1"), (10, "1/2", "3"), (20, "1/100", "1/10"))
"""n, p, epsilon."""
LADDER = ("naive", "clipped", "mean", "median")
STEPS = ((100, 0.1), (100, 1.0), (1000, 2.0))
"""n and epsilon, for p = 0.3, where the ladder is shown."""
ROUNDING = Fraction(1, 10**12)


def theorem_1() -> Iterator[Claim]:
    """The largest and least probability of an answer out of range, beside the printed formulas."""
    for n, epsilon in ((1, 1.0), (2, 1.0), (7, 0.3), (100, 0.1)):
        yield from _extremes(n, epsilon)
    for n, power in ((2, 0), (100, 22)):
        yield Claim(f"n {n}, epsilon 1: least of all, times 10^{power}", least_out_of_range(n, 1)[0] * 10.0**power)
    yield Claim("n 2, epsilon 1: (6) over the least", printed_least(2, 1.0) / least_out_of_range(2, 1.0)[0])
    for epsilon in (0.01, 0.05, 0.1, 0.2):
        yield Claim(f"n 100, p 0.3, epsilon {epsilon:g}: on average", expected_out_of_range(100, 0.3, epsilon))


def _extremes(n: int, epsilon: float) -> Iterator[Claim]:
    """Hold the paper's formulas against all answers; its minimum is for odd n only."""
    chances = [out_of_range(a, n, epsilon) for a in range(n + 1)]
    where, odd = f"n {n}, epsilon {epsilon:g}", n % 2 == 1
    yield Claim(f"{where}: largest of all", max(chances), claimed=(1 + math.exp(-epsilon * n)) / 2)
    ends = chances[0] == chances[-1] == most_out_of_range(n, epsilon)[0]
    yield Claim(f"{where}: at both ends", ends, claimed=True)
    least, places = least_out_of_range(n, epsilon)
    printed, note = printed_least(n, epsilon), "" if odd else "ERR-0.1"
    yield Claim(f"{where}: least of all", min(chances), reference=least, note=note, claimed=printed)
    middle = (n - 1) / 2 in places
    yield Claim(f"{where}: at (n - 1)/2", middle, reference=odd, claimed=True if odd else None)


def printed_least(n: int, epsilon: float) -> float:
    """Return (6) as it is printed."""
    return (math.exp(-epsilon * (n - 1) / 2) + math.exp(-epsilon * (n + 1) / 2)) / 2


def prior() -> Iterator[Claim]:
    """The widths of prior and noise in Section 3, and what the prior gains."""
    large, small = exact(10_000, 0.3, 0.1), exact(100, 0.3, 0.1)
    yield Claim("n 10000: width of the prior", 2 * math.sqrt(large.squared.constant))
    yield Claim("n 10000: width of the noise", 2 * math.sqrt(large.squared.naive))
    yield Claim("n 10000: error of the answer", large.absolute.naive)
    yield Claim("n 10000: error of the posterior mean", large.absolute.mean)
    yield Claim("n 10000: P(mean is nearer)", large.probability_better)
    yield Claim("n 100: standard deviation of the prior", math.sqrt(small.squared.constant))
    yield Claim("n 100: standard deviation of the noise", math.sqrt(small.squared.naive))
    yield Claim("n 100: error of the answer", small.absolute.naive)
    yield Claim("n 100: error of the constant np", small.absolute.constant)
    yield Claim("n 100: error of the posterior mean", small.absolute.mean)
    yield Claim("variance of the noise for b = 1/epsilon = 10, (7)", small.squared.naive)
    yield Claim("for b = epsilon it would be", small.squared.naive * 0.1**4)


def floor() -> Iterator[Claim]:
    """The least error by formula and by linear program, and the ladder from the answer down to it."""
    yield from wrong_counts()
    for n, p, level in POINTS:
        least = least_error(n, p, level)
        found = design(prior_graph(n, p), epsilon=level, objective=ExpectedLoss("absolute"))
        where, digits = f"n {n}, p {p}, epsilon {level}", f"{least:.6f}"
        yield Claim(f"{where}: least error, by linear program", found.value, reference=digits, note="by formula")
        between = found.bound <= Fraction(least) * (1 + ROUNDING) and Fraction(least) * (1 - ROUNDING) <= found.value
        yield Claim(f"{where}: between exact bound and value", between)
    for n, epsilon in STEPS:
        errors = exact(n, 0.3, epsilon)
        steps = [getattr(errors.absolute, name) for name in LADDER] + [errors.optimal]
        where = f"n {n}, p 0.3, epsilon {epsilon:g}"
        for name, step in zip((*LADDER, "optimal"), steps, strict=True):
            yield Claim(f"{where}: {name}", step)
        yield Claim(f"{where}: each step is lower", steps == sorted(steps, reverse=True))


def wrong_counts() -> Iterator[Claim]:
    """Derive the least probability of a wrong count, on average and for the worst count, for every epsilon."""
    for n in range(2, 6):
        graph, middle = counting_graph(n), n // 2
        powers = [n - middle - abs(y - middle) for y in range(n + 1)]
        about = [powers.count(power) for power in range(n - middle + 1)]  # S times E^(n - c)
        mean, worst = Form([2 * n], [n + 1, n + 1]), Form([*about[:-1], 0], about)
        yield from derived(f"wrong count of 0..{n}, mean", formula(graph, objective=ExpectedLoss()), [mean])
        yield from derived(f"wrong count of 0..{n}, worst", formula(graph, objective=WorstLoss()), [worst])
