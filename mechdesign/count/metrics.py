"""How far each estimate of a noisy count is from the true one, on average: exactly, or by simulation.

From the answer itself down to what no private mechanism can beat: naive, clipped, posterior mean, posterior median,
optimal.
"""

import math
from dataclasses import asdict, dataclass
from itertools import chain

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.count.averages import averages, check_records, sides
from mechdesign.count.bayes import posterior_mean, posterior_median
from mechdesign.count.laws import Prior, masses_of
from mechdesign.count.noise import LEAST_EPSILON, Noise, parse_count_epsilon, parse_noise
from mechdesign.count.prior import PriorLike, prior_of
from mechdesign.count.table import Table
from mechdesign.exact.numbers import Number, whole
from mechdesign.show.answer import Answer, for_people, for_programs
from mechdesign.show.as_blocks import Answering
from mechdesign.show.fact_numbers import Near

MEANT = {
    "naive": "the answer itself",
    "clipped": "the nearest in [0, n]",
    "mean": "of the posterior; least squared error",
    "median": "of the posterior; least absolute error",
    "constant": "n p, whatever the answer",
    "optimal": "no private mechanism does better",
}
MOST_RUNS = 10**7
"""Simulated answers: so many take a few GiB."""


@dataclass(frozen=True)
class Estimates:
    """One number for each estimate.

    Attributes
    ----------
    naive
        the answer y itself.
    clipped
        the nearest number in [0, n].
    mean, median
        of the posterior.
    constant
        the prior's mean (np), whatever the answer.
    """

    naive: float
    clipped: float
    mean: float
    median: float
    constant: float


@dataclass(frozen=True)
class Errors(Answering):
    """Errors averaged over the true count and the noise.

    Attributes
    ----------
    absolute, squared
        the mean absolute and mean squared errors.
    optimal
        the least mean absolute error of any epsilon-private mechanism.
    probability_better
        that the posterior mean is nearer to the true count than the answer is; with geometric noise the mean is taken
        for the answer where the counts above and below pull it apart by less than a billionth of both pulls.
    """

    absolute: Estimates
    squared: Estimates
    optimal: float
    probability_better: float

    def answer(self) -> Answer:
        """Return what is told of them."""
        absolute, squared = asdict(self.absolute) | {"optimal": self.optimal}, asdict(self.squared)
        rows = [
            [name, Near(error, digits=9), Near(squared.get(name), digits=9), MEANT[name]]
            for name, error in absolute.items()
        ]
        better = self.probability_better
        told = absolute | {"probability_better": better, "squared": squared}
        return Answer(
            f"The posterior mean is nearer than the answer with probability {better:.9g}.",
            facts=for_programs(told),
            tables=[for_people("Mean errors", ["estimate", "absolute", "squared", "what it is"], rows)],
        )


def errors(n: int, p: PriorLike, epsilon: Number, *, noise: str = "laplace") -> Errors:
    """Return the errors of all estimates, exact to rounding.

    That is to about 1e-11 of each for n = 10^6, and better for smaller n, also where an error is far below one count,
    as for p = 1e-22. But where nearly all of one's own masses lie at one count within, to about 1e-15 of one count.

    Parameters
    ----------
    n
        the number of records: at most 10^9, and at most 10^11 / epsilon^2, which takes less than a minute. If p is no
        probability, at most 500,000 and 5,000,000 / epsilon.
    p
        the probability that a record counts, a `Beta` law of it, or n + 1 masses.
    epsilon
        in nats, from 1e-70 to 700.
    noise
        "laplace" or "geometric".

    Raises
    ------
    InputError
        if an argument cannot be used.

    References
    ----------
    [ND] Naldi and D'Acquisto, arXiv:1407.0116: (12)-(14), there by simulation.

    Examples
    --------
    >>> found = errors(100, 0.3, 0.1)
    >>> found.absolute
    Estimates(naive=10.0, clipped=9.718826..., mean=3.397282..., median=3.387948..., constant=3.644922...)
    >>> found.optimal, found.probability_better
    (3.387282..., 0.760878...)
    """
    prior, nats, law = prior_of(n, p), parse_count_epsilon(epsilon, LEAST_EPSILON), parse_noise(noise)
    averaged = averages(prior, nats, law)
    least = averaged.median if law is Noise.GEOMETRIC else averages(prior, nats, Noise.GEOMETRIC).median
    size, variance = law.mean_size(nats), law.variance(nats)
    x, log_ratios = prior.window(*prior.reach(0), 0)
    masses = masses_of(log_ratios)
    beside = _beside_the_mean(x, masses)
    clipped = -size / 2 * float(masses @ (np.expm1(-nats * x) + np.expm1(nats * (x - prior.n))))
    clipped_square = float(masses @ (law.capped(nats, x) + law.capped(nats, prior.n - x)))
    return Errors(
        Estimates(size, clipped, averaged.mean, averaged.median, float(masses @ beside)),
        Estimates(variance, clipped_square, averaged.squared_mean, averaged.squared_median, float(masses @ beside**2)),
        least,
        averaged.better,
    )


def _beside_the_mean(x: Floats, masses: Floats) -> Floats:
    """Return how far each count is from the mean, precisely: seen from the likeliest, which it may be close to."""
    away = x - x[np.argmax(masses)]
    return np.asarray(np.abs(away - masses @ away))


@dataclass(frozen=True)
class Simulation:
    """Errors as found by simulation.

    Attributes
    ----------
    found
        the errors.
    standard_errors
        of each of them.
    """

    found: Errors
    standard_errors: Errors


def simulated_errors(
    n: int, p: PriorLike, epsilon: Number, *, noise: str = "laplace", runs: int = 100_000, seed: int = 0
) -> Simulation:
    """Return the errors of all estimates in `runs` simulated answers: a check of `errors`.

    Parameters
    ----------
    n, p, epsilon, noise
        as for `errors`.
    runs
        from 2 to 10^7; Naldi and D'Acquisto have 100,000.
    seed
        the same seed gives the same numbers.

    Raises
    ------
    InputError
        if an argument cannot be used.

    Examples
    --------
    >>> simulation = simulated_errors(100, 0.3, 0.1)
    >>> abs(simulation.found.absolute.mean - 3.39728256) < 4 * simulation.standard_errors.absolute.mean
    True
    """
    prior, nats, law = prior_of(n, p), parse_count_epsilon(epsilon, LEAST_EPSILON), parse_noise(noise)
    check_records(prior, nats)
    whole("runs", runs, at_least=2, at_most=MOST_RUNS)
    whole("seed", seed, at_least=0)
    generator = np.random.default_rng(seed)
    truth = prior.draws(runs, generator)
    y = truth + law.draws(nats, runs, generator)
    remapped = posterior_median(truth + Noise.GEOMETRIC.draws(nats, runs, generator), n, p, epsilon)
    estimates = _estimates(prior, n, p, epsilon, y)
    absolute = [np.abs(estimate - truth) for estimate in estimates]
    table = Table(nats, *prior.window(*prior.reach(0), nats))
    side = sides(table, table.split(y), law)
    off = np.maximum(side * (estimates[2] - y), 0)  # how far the mean is from the answer, on its side
    better = (side * (truth - y) > off / 2).astype(np.float64)
    means, deviations = [], []
    squared = (error**2 for error in absolute)  # one at a time, for the memory
    for sample in chain(absolute, squared, [np.abs(remapped - truth), better]):
        means.append(float(sample.mean()))
        deviations.append(float(sample.std(ddof=1) / math.sqrt(runs)))
    return Simulation(_collected(means), _collected(deviations))


def _estimates(prior: Prior, n: int, p: PriorLike, epsilon: Number, y: Floats) -> list[Floats]:
    bayes = [posterior_mean(y, n, p, epsilon), posterior_median(y, n, p, epsilon)]
    return [y, np.clip(y, 0, prior.n), *bayes, np.full_like(y, prior.mean)]


def _collected(values: list[float]) -> Errors:
    return Errors(Estimates(*values[:5]), Estimates(*values[5:10]), values[10], values[11])
