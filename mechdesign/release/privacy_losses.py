"""Privacy losses of many releases together, on a grid, rounded so that what is computed is a bound.

An output y of probability p(y) under one profile and q(y) under its neighbour has the loss ln p(y) / q(y). Losses of
independent releases add up, so their law is a convolution; and the law under p gives the tight delta at each epsilon,

    delta(epsilon) = P(loss infinite) + E[max(0, 1 - e^(epsilon - loss))].

This grows with every loss and every mass. So for a bound from above (`above`):

- A loss between the points a and b of the grid is split: p(y) = p_a + p_b and q(y) = q_a + q_b with p_a = e^a q_a and
  p_b = e^b q_b. Whoever cannot tell the two parts apart sees y, so that the split release is at most more telling,
  also together with others. The error is of second order in the step.
- Masses are rounded up. All sums are of numbers >= 0, so that n of them in doubles, in whatever order, are off by less
  than n units in the last place, relatively.
- Tails of less than `spare` become an infinite loss, or the least loss that is kept.

And from below: losses are rounded down to the grid, masses down, and tails are left out.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.exact.bounds import float_above, float_below, largest_double
from mechdesign.exact.exponentials import log_bounds
from mechdesign.privacy.released import Released

UNIT = 2.0**-52
LEAST = 1e-150
"""Masses below become this, or none: then no product of two is too small for a double of full precision."""
FINEST = 30
"""Binary places of the step below the largest loss: doubles then know a loss to 2^-21 of a step, and so its masses."""


@dataclass(frozen=True, eq=False)
class Losses:
    """The law of a privacy loss: masses at (start + i) 2^exponent and at infinity, bounds from above or from below."""

    start: int
    exponent: int
    masses: Floats
    infinite: float
    above: bool

    @property
    def step(self) -> float:
        """Between two points of the grid."""
        return 2.0**self.exponent

    def together(self, other: "Losses", *, cells: int, spare: float) -> "Losses":
        """Return the law of the sum of two independent losses, on a grid of at most so many cells."""
        coarse = max(self.exponent, other.exponent)
        one, two = self.coarsened(coarse), other.coarsened(coarse)
        terms = min(len(one.masses), len(two.masses))
        masses = _outward(np.convolve(one.masses, two.masses), terms, self.above)
        both = one.infinite + two.infinite - (0.0 if self.above else one.infinite * two.infinite)
        infinite = float(_outward(np.array([both]), 3, self.above)[0]) if both else 0.0
        result = Losses(one.start + two.start, coarse, masses, infinite, self.above)._cut(spare)
        while len(result.masses) > cells:
            result = result._coarser()
        return result

    def times(self, releases: int, *, cells: int, spare: float) -> "Losses":
        """Return the law of the sum of so many independent losses, by squaring; `spare` is for each sum."""
        result, power = None, self
        while True:
            if releases % 2:
                result = power if result is None else result.together(power, cells=cells, spare=spare)
            releases //= 2
            if not releases:
                assert result is not None  # releases >= 1
                return result
            power = power.together(power, cells=cells, spare=spare)

    def delta(self, epsilon: float) -> float:
        """Return the bound of delta at a finite epsilon."""
        losses = (self.start + np.arange(len(self.masses))) * self.step
        beyond = losses > epsilon
        terms = self.masses[beyond] * -np.expm1(epsilon - losses[beyond])
        total = self.infinite + float(terms.sum())
        return float(_outward(np.array([total]), len(terms) + 8, self.above)[0]) if total else 0.0

    def epsilon(self, delta: Fraction) -> float:
        """Return a bound of the least epsilon >= 0 at a delta: one that is enough, or one that is no more than that."""
        allowed = largest_double(delta)
        if self.delta(0.0) <= allowed:
            return 0.0
        if self.infinite > allowed:
            return math.inf
        low, high = 0.0, max(0.0, (self.start + len(self.masses)) * self.step)
        while (middle := (low + high) / 2) not in (low, high):
            if self.delta(middle) <= allowed:
                high = middle
            else:
                low = middle
        return high if self.above else low

    def coarsened(self, exponent: int) -> "Losses":
        """Return the law on a grid with the step 2^exponent, which is not finer."""
        result = self
        while result.exponent < exponent:
            result = result._coarser()
        return result

    def _coarser(self) -> "Losses":
        """Return the law on every other point of the grid."""
        odd_start = self.start % 2
        padded = np.concatenate([np.zeros(odd_start), self.masses, np.zeros(2)])
        even, odd = padded[: len(padded) // 2 * 2 : 2], padded[1 : len(padded) // 2 * 2 : 2]
        if self.above:
            upper = 1 / (1 + math.exp(-self.step))
            even = even + _outward(odd * (1 - upper), 8, True)
            even[1:] += _outward(odd[:-1] * upper, 8, True)
            masses = _outward(even, 3, True)
        else:
            masses = _outward(even + odd, 2, False)
        return replace(self, start=(self.start - odd_start) // 2, exponent=self.exponent + 1, masses=_trimmed(masses))

    def _cut(self, spare: float) -> "Losses":
        """Return the law without tails of a mass of at most `spare`."""
        upward, downward = np.cumsum(self.masses), np.cumsum(self.masses[::-1])
        first, last = int(np.searchsorted(upward, spare / 2)), int(np.searchsorted(downward, spare / 2))
        if first + last >= len(self.masses):
            return self
        masses, infinite = self.masses[first : len(self.masses) - last].copy(), self.infinite
        if self.above and first:
            masses[0] += _outward(upward[first - 1 : first], len(upward), True)[0]
            masses[0] *= 1 + UNIT
        if self.above and last:
            infinite = (infinite + _outward(downward[last - 1 : last], len(upward), True)[0]) * (1 + UNIT)
        return replace(self, start=self.start + first, masses=masses, infinite=float(infinite))


def at_least(laws: Sequence[Losses], *, cells: int) -> Losses:
    """Return a law from above that bounds all of these: at no loss is less mass at it and beyond.

    Laws that lie far apart are on a grid of so many cells that reaches from the one to the other.

    Examples
    --------
    >>> one, other = (Losses(0, 0, np.array(masses), 0.0, True) for masses in ([0.5, 0.5], [0.6, 0.1, 0.3]))
    >>> at_least([one, other], cells=9).masses.round(6)
    array([0.5, 0.2, 0.3])
    """
    if len(laws) == 1:
        return laws[0]
    exponent = max(law.exponent for law in laws)
    while True:
        rows = [law.coarsened(exponent) for law in laws]
        start, end = min(row.start for row in rows), max(row.start + len(row.masses) for row in rows)
        if end - start <= cells:
            break
        exponent += 1
    beyond = np.zeros(end - start)
    for row in rows:
        masses = np.zeros(end - start)
        masses[row.start - start : row.start - start + len(row.masses)] = row.masses
        tails = masses[::-1].cumsum()[::-1] + row.infinite
        beyond = np.maximum(beyond, _outward(tails, len(tails) + 1, True))
    infinite = max(row.infinite for row in rows)
    masses = _outward(np.maximum(beyond - np.append(beyond[1:], infinite), 0.0), 2, True)
    return Losses(start, exponent, masses, infinite, True)


def _outward(values: Floats, terms: int, above: bool) -> Floats:
    """Return bounds of sums of so many products of numbers >= 0 that were computed in doubles."""
    if above:
        return np.asarray(np.where(values > 0, np.maximum(values * (1 + (terms + 4) * UNIT), LEAST), 0.0))
    lowered = values * (1 - (terms + 4) * UNIT)
    return np.asarray(np.where(lowered < LEAST, 0.0, lowered))


def _trimmed(masses: Floats) -> Floats:
    """Return the masses without the zeros that padding left at the end."""
    return masses[: int(np.flatnonzero(masses)[-1]) + 1] if masses.any() else masses[:1]


class _Atom(NamedTuple):
    """One output: bounds of its loss, and its mass, bounded."""

    low: float
    high: float
    mass: float


def losses_of(first: Released, second: Released, *, above: bool, cells: int, spare: float) -> Losses:
    """Return the law of one release's loss under `first` against `second`.

    Parameters
    ----------
    above
        whether to bound it from above.
    cells
        of the grid, at most.
    spare
        how much mass at either end may become infinite, or the least loss that is kept; 0 keeps all.

    Examples
    --------
    >>> p, q = (Released(np.array(weights, dtype=object), 4) for weights in ([3, 1], [1, 3]))
    >>> above, below = (losses_of(p, q, above=side, cells=64, spare=0.0) for side in (True, False))
    >>> below.delta(0.5) <= 3 / 4 - math.exp(0.5) / 4 <= above.delta(0.5), above.delta(0.5) - below.delta(0.5) < 0.02
    (True, True)
    """
    atoms, never = _atoms(first, second, above)
    atoms, moved = _kept(atoms, above, spare)
    infinite = float_above(never + Fraction(moved)) if above else float_below(never)
    if not atoms:
        return Losses(0, 0, np.zeros(1), infinite, above)
    reach = max(max(abs(atom.low), abs(atom.high)) for atom in atoms)
    width = atoms[-1].high - atoms[0].low
    exponent = max(_exponent(width / (cells - 3)), _exponent(reach or 1.0) - FINEST)
    step = 2.0**exponent
    start = math.floor(atoms[0].low / step)
    masses = np.zeros(math.floor(atoms[-1].high / step) - start + 2)
    for atom in atoms:
        _put(masses, atom, start, step, above)
    return Losses(start, exponent, _outward(masses, len(atoms), above), infinite, above)


def _exponent(number: float) -> int:
    """Return the least e with 2^e >= number; far down for 0."""
    return math.ceil(math.log2(number)) if number > 0 else -1000


def _atoms(first: Released, second: Released, above: bool) -> tuple[list[_Atom], Fraction]:
    """Return the outputs of finite loss, those of the same ratio as one, by rising loss; and the others' mass."""
    masses: dict[Fraction, Fraction] = {}
    infinite = Fraction(0)
    for a, b in zip(first.weights, second.weights, strict=True):
        if a and b:
            ratio = Fraction(int(a) * second.total, int(b) * first.total)
            masses[ratio] = masses.get(ratio, Fraction(0)) + Fraction(int(a), first.total)
        elif a:
            infinite += Fraction(int(a), first.total)
    rounded = float_above if above else float_below
    atoms = (_Atom(*_loss_bounds(ratio), rounded(mass)) for ratio, mass in masses.items())
    return sorted(atoms), infinite


def _loss_bounds(ratio: Fraction) -> tuple[float, float]:
    """Return doubles (lower, upper) around ln(ratio)."""
    if ratio >= 1:
        return log_bounds(ratio)
    low, high = log_bounds(1 / ratio)
    return -high, -low


def _kept(atoms: Sequence[_Atom], above: bool, spare: float) -> tuple[list[_Atom], float]:
    """Return the atoms without tails of at most `spare` / 2 each, and the upper tail's mass; sums are rounded up."""
    first, last, low, high = 0, len(atoms), 0.0, 0.0
    while first < last - 1 and (more := (low + atoms[first].mass) * (1 + UNIT)) <= spare / 2:
        first, low = first + 1, more
    while first < last - 1 and (more := (high + atoms[last - 1].mass) * (1 + UNIT)) <= spare / 2:
        last, high = last - 1, more
    kept = list(atoms[first:last])
    if above and first:
        kept[0] = kept[0]._replace(mass=(kept[0].mass + low) * (1 + UNIT))
    return kept, high


def _put(masses: Floats, atom: _Atom, start: int, step: float, above: bool) -> None:
    """Add an atom to the cells of a grid that begins at `start` steps."""
    if not above:
        masses[math.floor(atom.low / step) - start] += atom.mass
        return
    cell = math.floor(atom.high / step)
    whole = -math.expm1(-step)
    share_above = min(1.0, -math.expm1(cell * step - atom.high) / whole * (1 + 16 * UNIT))
    share_below = max(0.0, -math.expm1(min(cell * step - atom.low, 0.0)) / whole * (1 - 16 * UNIT))
    masses[cell - start] += atom.mass * (1 - share_below) * (1 + 4 * UNIT)
    masses[cell + 1 - start] += atom.mass * share_above * (1 + 4 * UNIT)
