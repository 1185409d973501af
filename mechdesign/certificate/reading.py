"""What the two checkers have read and found true, as a `Claim` and what proves it."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.certificate import checker, formula_checker
from mechdesign.certificate.claim import Claim, Delta, Edge, Kind, Multiple, Profile, Ratio, Strength
from mechdesign.certificate.optimum import Formula
from mechdesign.graph.uncertainty import Limits
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import OBJECTIVES


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
        of each profile, weights of the outputs and their total; of one within bounds at its own distribution.
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
    refutes = c.format == checker.REFUTATION
    edges = [
        Edge(i, j, epsilon, Delta(delta)) for (i, j), epsilon, delta in zip(c.edges, c.epsilons, c.deltas, strict=True)
    ]
    if refutes:
        claim = Claim(Kind.REFUTATION, tuple(c.categories), tuple(c.outputs), _profiles(c), tuple(edges))
        return Checked(claim, checker.statement(c), _rows(c), _released(c), {}, c.set, c.above[0])
    used = {edge for edge, *_, lam in c.privacy if lam}
    claim = Claim(
        Kind.CERTIFICATE,
        tuple(c.categories),
        tuple(c.outputs),
        _profiles(c),
        tuple(Edge(e.first, e.second, e.epsilon, e.delta, n in used) for n, e in enumerate(edges)),
        c.objective,
        _losses(c),
        c.value,
        c.bound,
    )
    multipliers = {(c.edges[n][way], c.edges[n][1 - way], y): weight for n, way, y, weight in c.privacy if weight}
    return Checked(claim, checker.statement(c), _rows(c), _released(c), multipliers)


def checked_formula(text: str, size: int) -> Checked:
    """Return what the proof of a formula proves; raise the other checker's Rejected if nothing."""
    c = formula_checker.check(text, size)
    strengths: Iterable[Strength] = (
        [Multiple(Fraction(power, c.root)) for power in c.powers] if c.parameter == "epsilon" else map(Ratio, c.ratios)
    )
    edges = [
        Edge(i, j, strength, Delta(delta, slope))
        for (i, j), strength, delta, slope in zip(c.edges, strengths, c.deltas, c.slopes, strict=True)
    ]
    formula = Formula(c.parameter, c.root, c.pieces)
    claim = Claim(
        Kind.FORMULA,
        tuple(c.categories),
        tuple(c.outputs),
        _profiles(c),
        tuple(edges),
        c.objective,
        _losses(c),
        *formula.optima(),
        c.parameter,
    )
    return Checked(claim, formula_checker.statement(c), {}, [], {}, formula=formula)


def _profiles(c: SimpleNamespace) -> tuple[Profile, ...]:
    kind = OBJECTIVES.get(getattr(c, "objective", ""))
    weights: Sequence[Fraction | None] = [None] * len(c.profiles)
    if kind is not None and kind.additive:
        weights = [Fraction(weight, sum(c.weights)) for weight in c.weights]
    return tuple(
        Profile(name, tuple(distribution), _limits(c, i), weight, group)
        for i, (name, distribution, weight, group) in enumerate(
            zip(c.profiles, c.distributions, weights, c.groups, strict=True)
        )
    )


def _limits(c: SimpleNamespace, i: int) -> Limits | None:
    """Return within which limits a profile is known; formulas are of distributions alone."""
    if not getattr(c, "radius", None) or not c.radius[i] or c.lower[i] == c.upper[i]:
        return None
    unit = sum(c.masses[i])
    lower, upper = (tuple(Fraction(mass, unit) for mass in side[i]) for side in (c.lower, c.upper))
    return lower, upper, Fraction(c.radius[i], unit)


def _losses(c: SimpleNamespace) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(Fraction(loss, c.loss_unit) for loss in row) for row in c.loss)


def _rows(c: SimpleNamespace) -> dict[tuple[int, int], Sequence[int]]:
    return {place: row for place, (row, _) in c.shared.items()}


def _released(c: SimpleNamespace) -> list[tuple[Sequence[int], int]]:
    return list(zip(c.least, c.totals, strict=True))
