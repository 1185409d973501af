"""The linear program in the matrices' entries whose coefficients are polynomials of one variable."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from flint import fmpq, fmpq_poly

from mechdesign.certificate.claim import Delta, Edge, Multiple, Ratio
from mechdesign.formulas.polynomials import constant, monomial, rational
from mechdesign.formulas.terms import Terms
from mechdesign.graph.distribution import support
from mechdesign.objective import ExpectedLoss, MaxOffDiagonal, profile_shares

Key: TypeAlias = tuple[str, int, int, int]
"""What a column or a row is: its kind and up to three positions, the rest 0."""

ZERO = fmpq_poly([])

Cells: TypeAlias = Mapping[int, fmpq_poly]
"""Column -> coefficient, where not 0."""


@dataclass(frozen=True)
class Row:
    """cells · x <= bound, or = bound for an equation."""

    cells: Cells
    bound: fmpq_poly
    equation: bool


@dataclass(frozen=True, eq=False)
class Program:
    """Minimise cost · x for x >= 0 under rows.

    Attributes
    ----------
    columns
        ("entry", group, x, y); ("value", 0, 0, 0): what the objective's rows are at most; ("excess", i, j, y).
    rows
        ("total", group, x, 0): an equation; ("privacy", i, j, y); ("delta", i, j, 0); ("entry", group, x, y) and
        ("loss", i, 0, 0): the objective's own.
    cost
        column -> number, where not 0.
    least_loss
        what was taken from every loss, so that none is below 0: the program's optimum is less by this.
    """

    columns: list[Key]
    rows: dict[Key, Row]
    cost: dict[int, fmpq]
    least_loss: Fraction


def program_of(terms: Terms) -> Program:
    """Return the program of a formula: [GC] (5) for the largest off-diagonal entry.

    References
    ----------
    [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084.
    """
    return _Builder(terms).program()


class _Builder:
    """A program while it is made."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        categories = terms.graph.graph["categories"]
        self.losses = terms.objective.table(categories)
        self.m = len(terms.objective.output_labels(categories))
        self.least = min((loss for row in self.losses for loss in row), default=Fraction(0))
        self.members: dict[tuple[int, int], list[tuple[int, Fraction]]] = {}
        for i, (group, masses) in enumerate(zip(terms.groups, terms.distributions, strict=True)):
            for x, mass in support(masses):
                self.members.setdefault((group, x), []).append((i, mass))
        self.columns: dict[Key, int] = {}
        self.rows: dict[Key, Row] = {}
        self.cost: dict[int, fmpq] = {}

    def column(self, kind: str, *place: int) -> int:
        """Return a column's number, a new one where it has none."""
        padded = (kind, *(*place, 0, 0, 0)[:3])
        return self.columns.setdefault(padded, len(self.columns))  # type: ignore[arg-type]

    def add(self, key: Key, cells: Cells, bound: fmpq_poly, *, equation: bool = False) -> None:
        """Add a row."""
        self.rows[key] = Row({column: value for column, value in cells.items() if not value.is_zero()}, bound, equation)

    def program(self) -> Program:
        """Return all of it."""
        for group, x in self.members:
            entries = {self.column("entry", group, x, y): constant(1) for y in range(self.m)}
            self.add(("total", group, x, 0), entries, constant(1), equation=True)
        for edge in self.terms.edges:
            for i, j in ((edge.first, edge.second), (edge.second, edge.first)):
                self.privacy(edge, i, j)
        self.objective()
        return Program(list(self.columns), self.rows, self.cost, self.least)

    def released(self, i: int, y: int) -> Iterator[tuple[int, Fraction]]:
        """Yield the columns of q_i(y) = sum_x P_i(x) A_i(x, y) with their coefficients."""
        group = self.terms.groups[i]
        for x, mass in support(self.terms.distributions[i]):
            yield self.column("entry", group, x, y), mass

    def privacy(self, edge: Edge, i: int, j: int) -> None:
        """Add q_i(y) <= ratio q_j(y) + excess, and sum_y excess <= delta."""
        asked, excess = edge.epsilon, edge.delta != Delta(Fraction(0))
        if isinstance(asked, Multiple):
            ratio = monomial(1, int(asked.times * self.terms.root))
        else:
            assert isinstance(asked, Ratio)
            assert asked.ratio is not None
            ratio = constant(asked.ratio)
        for y in range(self.m):
            cells = {column: constant(mass) for column, mass in self.released(i, y)}
            for column, mass in self.released(j, y):
                cells[column] = cells.get(column, constant(0)) - rational(mass) * ratio
            if excess:
                cells[self.column("excess", i, j, y)] = constant(-1)
            self.add(("privacy", i, j, y), cells, constant(0))
        if excess:
            cells = {self.column("excess", i, j, y): constant(1) for y in range(self.m)}
            self.add(("delta", i, j, 0), cells, constant(edge.delta.least) + monomial(edge.delta.slope, 1))

    def objective(self) -> None:
        """Add the objective's rows and costs."""
        if isinstance(self.terms.objective, ExpectedLoss):
            for i, share in enumerate(profile_shares(self.terms.graph)):
                for column, loss in self.losses_of(i):
                    self.cost[column] = self.cost.get(column, fmpq(0)) + rational(loss * share)
            return
        value = self.column("value")
        self.cost[value] = fmpq(1)
        if isinstance(self.terms.objective, MaxOffDiagonal):
            for group, x in self.members:
                for y in range(self.m):
                    if y != x:
                        cells = {self.column("entry", group, x, y): constant(1), value: constant(-1)}
                        self.add(("entry", group, x, y), cells, constant(0))
            return
        for i in range(len(self.terms.groups)):
            cells = {column: constant(loss) for column, loss in self.losses_of(i)}
            self.add(("loss", i, 0, 0), {**cells, value: constant(-1)}, constant(0))

    def losses_of(self, i: int) -> Iterator[tuple[int, Fraction]]:
        """Yield the columns of a profile's expected loss, less the least loss, with their coefficients."""
        group = self.terms.groups[i]
        for x, mass in support(self.terms.distributions[i]):
            for y in range(self.m):
                yield self.column("entry", group, x, y), mass * (self.losses[x][y] - self.least)
