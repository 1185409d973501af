"""[ND] Figures 1-8: exact errors of two estimates of a noisy count, beside the paper's simulation of 100,000 runs."""

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache, partial
from typing import TypeAlias

from scipy.optimize import minimize_scalar

from mechdesign.count import (
    Errors,
    Simulation,
    errors,
    expected_out_of_range,
    least_error,
    least_out_of_range,
    most_out_of_range,
    out_of_range,
    prior_graph,
    simulated_errors,
)
from mechdesign.designer.design import design
from mechdesign.formulas.find import formula
from mechdesign.graph.values import counting_graph
from mechdesign.objective import ExpectedLoss, WorstLoss
from mechdesign.papers.derived import Form, derived
from mechdesign.papers.published import Claim

RUNS = 100_000

FAR = 4.0
"""A simulated number is further than so many standard errors from the exact one in 6 of 100,000 cases."""

ROUNDING = 1e-12

P = 0.3

EPSILONS = (0.01, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)

CHANCES = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)

SKEWED = ((0.01, 0.1), (0.02, 0.1), (0.05, 0.1), (0.3, 0.01), (0.3, 0.02), (0.3, 0.0118))
"""p and epsilon where, for n = 100, the constant is better than the mean; the last is where the mean is worst."""

Point: TypeAlias = tuple[int, float, float]
"""n, p, epsilon."""

Quantity: TypeAlias = Callable[[Errors], float]

MEAN: dict[str, Quantity] = {"mean": lambda errors: errors.absolute.mean}

MEDIAN: dict[str, Quantity] = {"median": lambda errors: errors.absolute.median}

SQUARED: dict[str, Quantity] = {"squared": lambda errors: errors.squared.mean}

CLIPPED: dict[str, Quantity] = {"clipped": lambda errors: errors.absolute.clipped}

BETTER: dict[str, Quantity] = {"P(better)": lambda errors: errors.probability_better}

exact: Callable[[int, float, float], Errors] = cache(errors)
"""`errors(n, p, epsilon)`, each computed once."""

POINTS = ((5, "3/10", "1"), (10, "3/10", "1/10"), (10, "3/10", "1"), (10, "1/2", "3"), (20, "1/100", "1/10"))
"""n, p, epsilon."""

LADDER = ("naive", "clipped", "mean", "median")

STEPS = ((100, 0.1), (100, 1.0), (1000, 2.0))
"""n and epsilon, for p = 0.3, where the ladder is shown."""

ROUNDED = Fraction(1, 10**12)


@cache
def simulated(n: int, p: float, epsilon: float) -> Simulation:
    """Return the paper's simulation, with a seed for each point."""
    return simulated_errors(n, p, epsilon, runs=RUNS, seed=round(1e6 * p + 1e3 * epsilon) + n)


def compared(point: Point, quantities: dict[str, Quantity]) -> Iterator[Claim]:
    """Yield a row for each quantity: exact, with what is simulated in the note."""
    simulation = simulated(*point)
    n, p, epsilon = point
    for what, pick in quantities.items():
        note = f"{pick(simulation.found):.4g} ± {pick(simulation.standard_errors):.1g}"
        yield Claim(f"n {n}, p {p:g}, epsilon {epsilon:g}: {what}", pick(exact(*point)), note=note)


def simulation_agrees(points: Iterable[Point], quantities: dict[str, Quantity]) -> Claim:
    """Return the claim that all simulated numbers are near the exact ones."""
    distances = []
    for point in points:
        simulation = simulated(*point)
        for pick in quantities.values():
            off = abs(pick(exact(*point)) - pick(simulation.found))
            distances.append(off / pick(simulation.standard_errors))
    note = f"within {max(distances):.1f} standard errors"
    return Claim("the simulation agrees", max(distances) < FAR, note=note)


def figures_1_4() -> Iterator[Claim]:
    """Mean absolute errors for p = 0.3, n = 100 and 1000, over epsilon."""
    quantities = MEAN | MEDIAN | SQUARED
    points = [(n, P, epsilon) for n in (100, 1000) for epsilon in EPSILONS]
    for point in points:
        n, _, epsilon = point
        yield Claim(f"n {n}, p {P}, epsilon {epsilon:g}: naive", exact(*point).absolute.naive, claimed=1 / epsilon)
        yield from compared(point, quantities)
    for epsilon in EPSILONS[:3]:
        yield from compared((100, P, epsilon), CLIPPED)
    for n in (100, 1000):
        yield Claim(f"n {n}: constant np", exact(n, P, 0.1).absolute.constant)
    yield from _end_of_growth()
    yield simulation_agrees(points, quantities)


def _end_of_growth() -> Iterator[Claim]:
    """Find where the error of the mean no longer grows with the noise."""
    for n in (100, 1000):
        found = minimize_scalar(partial(_minus_mean, n), bounds=(0.1 / n, 5 / n), options={"xatol": 1e-4 / n})
        yield Claim(f"n {n}: largest error of the mean", -float(found.fun))
        yield Claim(f"n {n}: found at epsilon", float(found.x))
        yield Claim(f"n {n}: standard deviation of the noise there", math.sqrt(2) / float(found.x))


def _minus_mean(n: int, epsilon: float) -> float:
    return -exact(n, P, epsilon).absolute.mean


def figure_5() -> Iterator[Claim]:
    """Mean absolute errors for epsilon = 0.1, over p."""
    quantities = MEAN | MEDIAN
    points = [(n, p, 0.1) for n in (100, 1000) for p in CHANCES]
    for point in points:
        yield from compared(point, quantities)
    yield simulation_agrees(points, quantities)
    found = [exact(100, p, epsilon).absolute for p, epsilon in SKEWED]
    for (p, epsilon), absolute in zip(SKEWED, found, strict=True):
        yield Claim(f"p {p:g}, epsilon {epsilon:g}: mean", absolute.mean)
        yield Claim(f"p {p:g}, epsilon {epsilon:g}: constant", absolute.constant)
    worse = any(absolute.median > absolute.constant * (1 + ROUNDING) for absolute in found)
    yield Claim("the median is worse than np", worse)
    tiny = exact(1, 0.001, 0.01).absolute
    yield Claim("n 1, p 0.001: mean over median", tiny.mean / tiny.median)
    means = [[exact(n, q, 0.1).absolute.mean for q in (p, 1 - p)] for n in (100, 1000) for p in (0.01, 0.2)]
    yield Claim("difference between p and 1 - p", max(abs(one - other) for one, other in means))


def figures_6_8() -> Iterator[Claim]:
    """The probabilities of (13), that the posterior mean is nearer to the truth than the answer itself."""
    levels = {100: (*EPSILONS, 3.0, 5.0), 1000: EPSILONS}
    points = [(n, P, epsilon) for n in levels for epsilon in levels[n]]
    points += [(n, p, 0.1) for n in levels for p in CHANCES if p != P]
    for point in points:
        yield from compared(point, BETTER)
    yield simulation_agrees(points, BETTER)
    yield Claim("more often than not, in all these", all(exact(*point).probability_better > 0.5 for point in points))
    for n in levels:
        found = float(minimize_scalar(partial(_better, n), bounds=(0.4, 2), options={"xatol": 1e-6}).x)
        yield Claim(f"n {n}: least at epsilon", round(found, 5))
        yield Claim(f"n {n}: the least value", _better(n, found))
    yield Claim("it falls as epsilon grows", not _better(100, 3.0) < _better(100, 5.0))
    yield Claim("n 10^5, p 0.5, epsilon 4", exact(10**5, 0.5, 4.0).probability_better)


def _better(n: int, epsilon: float) -> float:
    return exact(n, P, epsilon).probability_better


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
        between = found.bound <= Fraction(least) * (1 + ROUNDED) and Fraction(least) * (1 - ROUNDED) <= found.value
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
