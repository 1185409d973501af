"""The laws of a count before the answer: binomial, or masses that are listed.

A law lists the points of a window with the ratios of neighbouring masses, so that nothing underflows.
"""

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import logsumexp

from mechdesign.count.noise import Floats

DEPTH = 60.0
"""What a window leaves out weighs less than about e^-60 of what it holds."""


class Prior(Protocol):
    """The law of the true count, on 0..n."""

    @property
    def n(self) -> int:
        """The number of records."""

    @property
    def mean(self) -> float:
        """The expected count."""

    def reach(self, epsilon: float) -> tuple[float, float]:
        """Return (low, high): answers beyond them say no more than these do; for epsilon = 0, where the count lies."""

    def window(self, low: float, high: float, epsilon: float) -> tuple[Floats, Floats]:
        """Return the points x that matter for answers in [low, high], and masses w_i / w_{i-1} (the first is 1)."""

    def log_decay(self, epsilon: float) -> tuple[float, float]:
        """Return ln E e^{-epsilon K} and ln E e^{-epsilon (n - K)} of the count K."""

    def draws(self, runs: int, generator: np.random.Generator) -> Floats:
        """Return `runs` counts."""


def masses_of(log_ratios: Floats) -> Floats:
    """Return masses of total 1 from the logarithms of the ratios of neighbours; the first one is not used.

    Examples
    --------
    >>> masses_of(np.log([1.0, 2.0, 0.5]))
    array([0.25, 0.5 , 0.25])
    """
    logs = np.cumsum(np.concatenate(([0.0], log_ratios[1:])))
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
        """Return where the count lies if the answer lies far below, or far above."""
        low, high = self._tilted(epsilon)
        return max(-1.0, math.floor(low - self._width(low))), min(self.n + 1.0, math.ceil(high + self._width(high)))

    def _width(self, mean: float) -> float:
        """Return how far from its mean a binomial law of that mean still has mass e^-DEPTH, by Bernstein's bound."""
        variance = mean * (1 - mean / self.n)
        return DEPTH / 3 + math.sqrt(DEPTH**2 / 9 + 2 * DEPTH * variance)

    def window(self, low: float, high: float, epsilon: float) -> tuple[Floats, Floats]:
        """Return consecutive counts, and the ratios of their masses."""
        below, above = self._tilted(epsilon)
        # The masses below an answer fall off at least as fast as those of the binomial law with its mode there.
        first = min(max(low, 0.0), above)
        last = max(min(high, float(self.n)), below)
        x = np.arange(
            max(0, math.floor(first - self._width(first))), min(self.n, math.ceil(last + self._width(last))) + 1.0
        )
        ratios = np.ones(len(x))
        ratios[1:] = (self.n - x[:-1]) / x[1:] * (self.p / self.q)
        return x, ratios

    def log_decay(self, epsilon: float) -> tuple[float, float]:
        """Return ln (q + p e^-epsilon)^n and ln (p + q e^-epsilon)^n."""
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
    """Points in ascending order with masses > 0, all of them listed."""

    n: int
    x: Floats
    masses: Floats

    @property
    def mean(self) -> float:
        """The expected count."""
        return float(self.x @ self.masses)

    def reach(self, epsilon: float) -> tuple[float, float]:
        """Return just beyond the first and the last point."""
        del epsilon
        return float(self.x[0]) - 1, float(self.x[-1]) + 1

    def window(self, low: float, high: float, epsilon: float) -> tuple[Floats, Floats]:
        """Return all points, and the ratios of their masses."""
        del low, high, epsilon
        return self.x, np.concatenate(([1.0], self.masses[1:] / self.masses[:-1]))

    def log_decay(self, epsilon: float) -> tuple[float, float]:
        """Return both by summing."""
        down, up = (logsumexp(-epsilon * distance, b=self.masses) for distance in (self.x, self.n - self.x))
        return float(down), float(up)

    def draws(self, runs: int, generator: np.random.Generator) -> Floats:
        """Return counts drawn with replacement."""
        return generator.choice(self.x, size=runs, p=self.masses / self.masses.sum())
