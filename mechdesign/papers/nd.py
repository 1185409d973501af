"""What the results of [ND] share: the source, exact errors, and the paper's simulation of 100,000 runs."""

import math
from collections.abc import Callable
from functools import cache

from mechdesign.count import Errors, Simulation, errors, simulated_errors
from mechdesign.papers.result import Claim

PAPER = "[ND] Naldi and D'Acquisto, arXiv:1407.0116"
RUNS = 100_000
FAR = 4.0
"""A simulated number is further than so many standard errors from the exact one in 6 of 100,000 cases."""

exact: Callable[[int, float, float], Errors] = cache(errors)
"""`errors(n, p, epsilon)`, each computed once."""


@cache
def simulated(n: int, p: float, epsilon: float) -> Simulation:
    """Return the paper's simulation, with a seed of its own for each point.

    Parameters
    ----------
    n, p, epsilon
        the number of records, the probability that one counts, the privacy level in nats.

    Examples
    --------
    >>> round(simulated(100, 0.3, 1.0).standard_errors.absolute.mean, 3)
    0.003
    """
    return simulated_errors(n, p, epsilon, runs=RUNS, seed=round(1e6 * p + 1e3 * epsilon) + n)


def compared(
    what: str, point: tuple[int, float, float], pick: Callable[[Errors], float], reference: str
) -> tuple[Claim, float]:
    """Return a row, exact beside simulated (in its note), and how many standard errors these are apart.

    Parameters
    ----------
    what
        the quantity's name.
    point
        n, p and epsilon.
    pick
        takes the quantity from all errors.
    reference
        its digits.

    Examples
    --------
    >>> compared("naive", (100, 0.3, 0.1), lambda one: one.absolute.naive, "10")[0].what
    'n 100, p 0.3, epsilon 0.1: naive'
    """
    value, simulation = pick(exact(*point)), simulated(*point)
    found, error = pick(simulation.found), pick(simulation.standard_errors)
    n, p, epsilon = point
    words = f"{found:.4g} ± {error:.1g}"
    return Claim(f"n {n}, p {p:g}, epsilon {epsilon:g}: {what}", value, reference=reference, note=words), abs(
        value - found
    ) / error


def deviation_of(epsilon: float) -> float:
    """Return the standard deviation of Laplace noise of scale 1 / epsilon.

    Examples
    --------
    >>> round(deviation_of(0.5), 6)
    2.828427
    """
    return math.sqrt(2) / epsilon


def simulation_agrees(distances: list[float]) -> Claim:
    """Return the claim that all simulated numbers are near the exact ones.

    Parameters
    ----------
    distances
        in standard errors.

    Examples
    --------
    >>> simulation_agrees([0.5, 3.0]).agrees, simulation_agrees([0.5, 5.0]).agrees
    (True, False)
    """
    note = f"within {max(distances):.1f} standard errors"
    return Claim("the simulation agrees", max(distances) < FAR, reference=True, note=note)
