"""The laws of a count before the answer: binomial, or masses that are listed.

A law lists the points of a window with the logarithms of the ratios of neighbouring masses: masses that underflow still
count, for a noisy answer may weigh them e^{epsilon n} times as much as others.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from scipy.special import logsumexp

from mechdesign.arrays import Floats

DEPTH = 60.0
"""What a window leaves out weighs less than about e^-60 of what it holds."""

DEEPEST = 800.0
"""Of masses that are listed, a window leaves out only what is e^-800 times as likely as another point: 0 in doubles."""


def logs_of(log_ratios: Floats, start: int | None = None) -> Floats:
    """Return the logarithms of masses over that at `start`; the first ratio is not used.

    They are summed outward from there, so that a law symmetric about `start` has symmetric logarithms, to the last bit.
    Without it they are summed from the largest mass, so that those which weigh most are the most precise.

    Examples
    --------
    >>> logs_of(np.array([0.0, 3.0, -2000.0]))
    array([   -3.,     0., -2000.])
    """
    if start is None:
        start = int(np.argmax(np.cumsum(np.concatenate(([0.0], log_ratios[1:])))))
    below, above = -np.cumsum(log_ratios[start:0:-1])[::-1], np.cumsum(log_ratios[start + 1 :])
    return np.concatenate((below, [0.0], above))


def masses_of(log_ratios: Floats, start: int | None = None) -> Floats:
    """Return masses of total 1 from the logarithms of the ratios of neighbours; see `logs_of`.

    Examples
    --------
    >>> masses_of(np.log([1.0, 2.0, 0.5]))
    array([0.25, 0.5 , 0.25])
    """
    logs = logs_of(log_ratios, start)
    masses: Floats = np.exp(logs - logs.max())
    return np.asarray(masses / masses.sum())


@dataclass(frozen=True)
class Binomial:
    """n records, each counted with probability p = 1 - q, 0 < p < 1."""

    n: int
    p: float
    q: float

    @property
    def mean(self) -> float:
        """The expected count, n p."""
        return self.n * self.p

    def _tilted(self, epsilon: float) -> tuple[float, float]:
        """Return the means of the binomial laws of masses w_k e^{-epsilon k} and w_k e^{epsilon k}."""
        shrink = math.exp(-epsilon)
        low = self.n * self.p * shrink / (self.q + self.p * shrink)
        return low, self.n * self.p / (self.p + self.q * shrink)

    def reach(self, epsilon: float) -> tuple[float, float]:
        """Return (low, high): answers beyond them say no more than these do; for epsilon = 0, where the count lies."""
        low, high = self._tilted(epsilon)
        return max(-1.0, math.floor(low - self._width(low))), min(self.n + 1.0, math.ceil(high + self._width(high)))

    def _width(self, mean: float) -> float:
        """Return how far from its mean a binomial law of that mean still has mass e^-DEPTH, by Bernstein's bound."""
        variance = mean * (1 - mean / self.n)
        return DEPTH / 3 + math.sqrt(DEPTH**2 / 9 + 2 * DEPTH * variance)

    def window(self, low: float, high: float, epsilon: float) -> tuple[Floats, Floats]:
        """Return the counts x that matter for answers in [low, high], and ln w_i / w_{i-1} (the first is not used)."""
        below, above = self._tilted(epsilon)
        # The masses below an answer fall off at least as fast as those of the binomial law with its mode there.
        first = min(max(low, 0.0), above)
        last = max(min(high, float(self.n)), below)
        x = np.arange(
            max(0, math.floor(first - self._width(first))), min(self.n, math.ceil(last + self._width(last))) + 1.0
        )
        log_ratios = np.zeros(len(x))
        log_ratios[1:] = (np.log(self.n - x[:-1]) - np.log(x[1:])) + (math.log(self.p) - math.log(self.q))
        return x, log_ratios

    def log_decay(self, epsilon: float) -> tuple[float, float]:
        """Return ln E e^{-epsilon K} and ln E e^{-epsilon (n - K)} of the count K."""
        return self.n * _log_mix(self.q, self.p, epsilon), self.n * _log_mix(self.p, self.q, epsilon)

    def draws(self, runs: int, generator: np.random.Generator) -> Floats:
        """Return binomial counts."""
        return generator.binomial(self.n, self.p, runs).astype(np.float64)


def _log_mix(q: float, p: float, epsilon: float) -> float:
    """Return ln (q + p e^-epsilon) for q + p = 1."""
    lost = p * math.expm1(-epsilon)
    return math.log1p(lost) if lost > -0.5 else math.log(q + p * math.exp(-epsilon))


@dataclass(frozen=True, eq=False)
class Masses:
    """Points in ascending order with masses > 0, all of them listed by ln w_i / w_{i-1} (the first is not used)."""

    n: int
    x: Floats
    log_ratios: Floats

    @cached_property
    def _logs(self) -> Floats:
        return logs_of(self.log_ratios)

    @cached_property
    def mean(self) -> float:
        """The expected count."""
        return float(self.x @ masses_of(self.log_ratios))

    def reach(self, epsilon: float) -> tuple[float, float]:
        """Return as `Binomial.reach`."""
        low = _first(self._logs - epsilon * self.x)
        high = len(self.x) - 1 - _first((self._logs + epsilon * self.x)[::-1])
        return float(self.x[low]) - 1, float(self.x[high]) + 1

    def window(self, low: float, high: float, epsilon: float) -> tuple[Floats, Floats]:
        """Return the points, but for the ends that matter for no answer in between, and their ratios."""
        # All these answers weigh the points below `low` alike, and those above `high`.
        below, above = self.x <= low, self.x >= high
        first = _first((self._logs + epsilon * self.x)[below])
        last = len(self.x) - _first((self._logs - epsilon * self.x)[above][::-1])
        return self.x[first:last], self.log_ratios[first:last]

    def log_decay(self, epsilon: float) -> tuple[float, float]:
        """Return as `Binomial.log_decay`, by summing."""
        down, up = (logsumexp(self._logs - epsilon * distance) for distance in (self.x, self.n - self.x))
        return float(down - logsumexp(self._logs)), float(up - logsumexp(self._logs))

    def draws(self, runs: int, generator: np.random.Generator) -> Floats:
        """Return counts drawn with replacement."""
        return generator.choice(self.x, size=runs, p=masses_of(self.log_ratios))


Prior: TypeAlias = Binomial | Masses
"""The law of the true count, on 0..n."""


def _first(logs: Floats) -> int:
    """Return the first place whose weight, of this logarithm, is not negligible."""
    return int(np.argmax(logs > logs.max() - DEEPEST)) if len(logs) else 0
