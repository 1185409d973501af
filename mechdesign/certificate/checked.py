"""What the two checkers have read and found true: a `Claim` and what proves it, and the optimum that a formula has."""

import math
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Protocol

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.certificate import checker, formula_checker
from mechdesign.certificate.claim import Claim, Delta, Edge, Kind, Multiple, Profile, Ratio, Strength
from mechdesign.certificate.formula_checker import End
from mechdesign.exact.exponentials import exp_above, exp_below
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import shown, shown_epsilon
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import OBJECTIVES


class Piece(Protocol):
    """A quotient of polynomials in z between two ends."""

    start: End
    end: End
    numerator: list[int]
    denominator: list[int]


@dataclass(frozen=True, eq=False)
class Formula:
    """The optimum as a function of z: of e^(epsilon/root), or of delta where this is the parameter."""

    parameter: str
    root: int
    pieces: Sequence[Piece]

    def optima(self, epsilon: Epsilon | None = None, delta: Fraction | None = None) -> tuple[Fraction, Fraction]:
        """Return what the optimum is at most and at least: at this epsilon, or delta, or else wherever it holds.

        It falls as epsilon or delta grows, so at a z between two rationals it is between the optima there.
        """
        low, high = self.pieces[0].start.low, self.pieces[-1].end.high
        if self.parameter == "epsilon" and epsilon is not None:
            low, high = self._z(epsilon)
        elif self.parameter == "delta" and delta is not None:
            low = high = delta
        return self.value_at(low), self.value_at(high)

    def value_at(self, z: Any) -> Fraction:
        """Return the optimum at a rational z, or its limit at infinity."""
        piece = next(piece for piece in self.pieces if not _beyond(z, piece.end))
        if z == math.inf:
            falls = len(piece.numerator) < len(piece.denominator)
            return Fraction(0) if falls else Fraction(piece.numerator[-1], piece.denominator[-1])
        return _at(piece.numerator, z) / _at(piece.denominator, z)

    def beyond(self, epsilon: Epsilon | None, delta: Fraction | None) -> Iterator[str]:
        """Yield how what is asked for is beyond the range of the formula."""
        first, last = self.pieces[0].start.low, self.pieces[-1].end.high
        words = f"{shown(first)} on" if last == math.inf else f"{shown(first)} to {shown(last)}"
        if self.parameter == "epsilon" and epsilon is not None:
            low, high = self._z(epsilon)
            if low < first or high > last:
                power = "e^epsilon" if self.root == 1 else f"e^(epsilon/{self.root})"
                yield f"the certificate is for {power} from {words}, you asked for epsilon {shown_epsilon(epsilon)}"
        if self.parameter == "delta" and delta is not None and not first <= delta <= last:
            yield f"the certificate is for delta from {words}, you asked for {shown(delta)}"

    def _z(self, epsilon: Epsilon) -> tuple[Any, Any]:
        """Return numbers around e^(epsilon/root), z itself."""
        if not isinstance(epsilon, Fraction):
            return math.inf, math.inf
        return exp_below(epsilon / self.root), exp_above(epsilon / self.root)


def _beyond(z: Any, end: End) -> bool:
    """Tell whether a number is larger than an end, which may be the root of a polynomial."""
    if not end.polynomial:
        return bool(z > end.high)
    if not end.low < z < end.high:
        return bool(z >= end.high)
    return _at(end.polynomial, end.low) * _at(end.polynomial, z) < 0


def _at(f: Sequence[int], z: Fraction) -> Fraction:
    return sum((a * z**k for k, a in enumerate(f)), Fraction(0))


@dataclass(frozen=True, eq=False)
class Checked:
    """A proof that was checked.

    Attributes
    ----------
    claim, statement
        what it proves, and the same in words.
    rows
        (group, category) -> weights of the outputs.
    released
        of each profile, weights of the outputs and their total; of one within bounds each at least.
    multipliers
        (a, b, y) -> weights of the constraints of privacy that prove the bound.
    refuting, ratio
        of a refutation, the set of outputs, and the rational above e^epsilon.
    formula
        of a formula, its pieces.
    """

    claim: Claim
    statement: str
    rows: Mapping[tuple[int, int], Sequence[int]]
    released: Sequence[tuple[Sequence[int], int]]
    multipliers: Mapping[tuple[int, int, int], int]
    refuting: Sequence[int] = ()
    ratio: Fraction = Fraction(0)
    formula: Formula | None = None

    @cached_property
    def graph(self) -> nx.Graph:
        """The profile graph that it is about, each edge with its epsilon and delta."""
        return self.claim.graph()

    def rows_of(self, profile: int) -> Iterator[tuple[int, Sequence[int]]]:
        """Yield each category that a profile may have, with its row."""
        one = self.claim.profiles[profile]
        most = one.distribution if one.limits is None else one.limits[1]
        for x, mass in enumerate(most):
            if mass:
                yield x, self.rows[one.group, x]

    def mechanism(self, graph: nx.Graph) -> tuple[Mechanism, npt.NDArray[np.bool_]]:
        """Return the mechanism, and for each profile and category whether the file says how it is reported.

        A category that no profile of a matrix has is not in the file; a row that nobody uses stands in its place.
        """
        places = {place: number for number, place in enumerate(self.rows)}
        table = np.empty((len(places), len(self.claim.outputs)), dtype=object)
        table[:] = [[weight // math.gcd(*row) for weight in row] for row in self.rows.values()]
        size = len(self.claim.profiles), len(self.claim.categories)
        index, known = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.bool_)
        for i, profile in enumerate(self.claim.profiles):
            for x in range(size[1]):
                known[i, x] = (profile.group, x) in places
                index[i, x] = places.get((profile.group, x), 0)
        return Mechanism(graph, tuple(self.claim.labels(self.claim.outputs)), table, index), known


def checked_certificate(text: str, size: int) -> Checked:
    """Return what a certificate or a refutation proves; raise Rejected if nothing."""
    c = checker.check(text, size)
    rows = {(g, x): row for g, matrix in enumerate(c.matrices) for x, row in enumerate(matrix) if row}
    released = [(least, total) for _, least, total in c.released]
    deltas = list(map(Delta, c.deltas))
    if c.format == checker.REFUTATION:
        above = Fraction(c.above[c.edges[0][2]], 2**c.bits)
        claim = Claim(Kind.REFUTATION, **_head(c, c.epsilons, deltas))
        return Checked(claim, checker.statement(c), rows, released, {}, c.set, above)
    used = {edge for edge, *_, lam in c.privacy if lam}
    shares = _shares(c.shares.weights, sum(c.shares.weights)) if c.shares else ()
    head = _head(c, c.epsilons, deltas, used)
    claim = Claim(Kind.CERTIFICATE, **head, **_aim(c), value=c.value, bound=c.bound, shares=shares)
    multipliers = {(c.edges[n][way], c.edges[n][1 - way], y): weight for n, way, y, weight in c.privacy if weight}
    return Checked(claim, checker.statement(c), rows, released, multipliers)


def checked_formula(text: str, size: int) -> Checked:
    """Return what the proof of a formula proves; raise the other checker's Rejected if nothing."""
    c = formula_checker.check(text, size)
    multiples = [Multiple(Fraction(power, c.root)) for power in c.powers]
    strengths = multiples if c.parameter == "epsilon" else list(map(Ratio, c.ratios))
    head = _head(c, strengths, list(map(Delta, c.deltas, c.slopes)))
    formula = Formula(c.parameter, c.root, c.pieces)
    value, bound = formula.optima()
    claim = Claim(Kind.FORMULA, **head, **_aim(c), value=value, bound=bound, parameter=c.parameter)
    return Checked(claim, formula_checker.statement(c), {}, [], {}, formula=formula)


def _head(
    c: SimpleNamespace, strengths: Sequence[Strength], deltas: Sequence[Delta], used: Container[int] | None = None
) -> dict[str, Any]:
    """Return the fields of a claim that say of whom it is; it rests on the edges used, or on all."""
    edges = (
        Edge(i, j, strengths[epsilon], deltas[delta], used is None or n in used)
        for n, (i, j, epsilon, delta) in enumerate(c.edges)
    )
    kind = OBJECTIVES.get(getattr(c, "objective", ""))
    is_mean = kind is not None and kind.additive
    weights = _shares(c.weights, sum(c.weights)) if is_mean else [None] * len(c.profiles)
    return {
        "categories": tuple(c.categories),
        "outputs": tuple(c.outputs),
        "profiles": tuple(map(_profile, c.names, c.profiles, weights)),
        "edges": tuple(edges),
    }


def _profile(name: str, one: SimpleNamespace, weight: Fraction | None) -> Profile:
    distribution = _shares(one.masses, one.total)
    bounds = getattr(one, "bounds", None)
    if bounds is None:
        return Profile(name, distribution, None, weight, one.group)
    lower, upper = (_shares(side, one.total) for side in (bounds.lower, bounds.upper))
    return Profile(name, distribution, (lower, upper, Fraction(bounds.radius, one.total)), weight, one.group)


def _aim(c: SimpleNamespace) -> dict[str, Any]:
    """Return the fields of a claim that say what is least."""
    return {"objective": c.objective, "losses": tuple(_shares(row, c.loss_unit) for row in c.loss)}


def _shares(parts: Sequence[int], total: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(part, total) for part in parts)
