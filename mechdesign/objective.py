"""What a design minimises: MaxOffDiagonal, ExpectedLoss, WorstLoss.

With A^i the transition matrix of profile i and P_i its distribution, a profile's cost is its largest off-diagonal
entry max_{x != y} A^i_xy ([GC] (5)), or its expected loss sum_x P_i(x) sum_y A^i_xy l(x, y).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.errors import InputError
from mechdesign.exact import did_you_mean, over_common, parse_number, shown
from mechdesign.graph.databases import row_distances
from mechdesign.graph.profile_graph import Label, support
from mechdesign.mechanism.mechanism import Mechanism

LossTable: TypeAlias = tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True)
class MaxOffDiagonal:
    """The largest probability with which any profile reports a category as another one.

    References
    ----------
    [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084: (5).

    Examples
    --------
    >>> MaxOffDiagonal().name
    'max-off-diagonal'
    """

    name: ClassVar[str] = "max-off-diagonal"
    words: ClassVar[str] = "largest off-diagonal entry"

    def costs(self, mechanism: Mechanism) -> list[Fraction]:
        """Return each profile's largest off-diagonal entry, exactly."""
        largest = [self._row(mechanism, row) for row in range(len(mechanism.weights))]
        return [max(largest[row][x] for x, row in enumerate(rows)) for rows in mechanism.index]

    def _row(self, mechanism: Mechanism, row: int) -> "_LargestExcept":
        return _LargestExcept(mechanism.weights[row], mechanism.totals[row])

    def total(self, costs: Sequence[Fraction], weights: Sequence[Fraction]) -> Fraction:
        """Return the largest cost."""
        del weights
        return max(costs)


class _LargestExcept:
    """The largest entry of a row other than that of column x, for any x, found once."""

    def __init__(self, weights: npt.NDArray[np.object_], total: int) -> None:
        order = np.argsort(weights, kind="stable")[::-1][:2]
        self.first, self.values = int(order[0]), [Fraction(int(weights[y]), int(total)) for y in order]

    def __getitem__(self, x: int) -> Fraction:
        if x != self.first:
            return self.values[0]
        return self.values[1] if len(self.values) > 1 else Fraction(0)


@dataclass(frozen=True)
class ExpectedLoss:
    """The expected loss, averaged over profiles by their weights (default: equally).

    Parameters
    ----------
    loss
        "hamming" (0 or 1: for a database, 1 if any row changes), "absolute" (difference of positions among the
        categories), "rows" (of databases: how many rows change, the Hamming distance), or a d x m array.

    Raises
    ------
    InputError
        if the loss is not one of these.

    References
    ----------
    [HLM] Holohan, Leith and Mason, arXiv:1505.07254: (16), for "rows".

    Examples
    --------
    >>> ExpectedLoss("absolute").table(["low", "middle", "high"])[0]
    (Fraction(0, 1), Fraction(1, 1), Fraction(2, 1))
    >>> ExpectedLoss("rows").table([("a", "a"), ("a", "b"), ("b", "b")])[0]
    (Fraction(0, 1), Fraction(1, 1), Fraction(2, 1))
    """

    loss: Any = "hamming"
    name: ClassVar[str] = "expected-loss"
    words: ClassVar[str] = "expected loss"

    def __post_init__(self) -> None:
        object.__setattr__(self, "loss", _parse_loss(self.loss))

    def table(self, categories: Sequence[Label]) -> LossTable:
        """Return the loss of reporting y for x, d x m, exactly."""
        return _table(self.loss, categories)

    def costs(self, mechanism: Mechanism) -> list[Fraction]:
        """Return each profile's expected loss, exactly."""
        return _expected(mechanism, self.table(mechanism.categories))

    def total(self, costs: Sequence[Fraction], weights: Sequence[Fraction]) -> Fraction:
        """Return the mean of the costs by weight."""
        return sum((cost * weight for cost, weight in zip(costs, weights, strict=True)), Fraction(0)) / sum(weights)


@dataclass(frozen=True)
class WorstLoss:
    """The expected loss of the profile for which it is largest; `loss` as for ExpectedLoss.

    Examples
    --------
    >>> WorstLoss().name
    'worst-loss'
    """

    loss: Any = "hamming"
    name: ClassVar[str] = "worst-loss"
    words: ClassVar[str] = "worst profile's expected loss"

    def __post_init__(self) -> None:
        object.__setattr__(self, "loss", _parse_loss(self.loss))

    def table(self, categories: Sequence[Label]) -> LossTable:
        """Return the loss of reporting y for x, d x m, exactly."""
        return _table(self.loss, categories)

    def costs(self, mechanism: Mechanism) -> list[Fraction]:
        """Return each profile's expected loss, exactly."""
        return _expected(mechanism, self.table(mechanism.categories))

    def total(self, costs: Sequence[Fraction], weights: Sequence[Fraction]) -> Fraction:
        """Return the largest cost."""
        del weights
        return max(costs)


Objective: TypeAlias = MaxOffDiagonal | ExpectedLoss | WorstLoss
OBJECTIVES = {kind.name: kind for kind in (MaxOffDiagonal, ExpectedLoss, WorstLoss)}


def value_of(objective: Objective, mechanism: Mechanism) -> Fraction:
    """Return the objective's value, computed exactly from the mechanism itself."""
    return objective.total(objective.costs(mechanism), profile_weights(mechanism.graph))


def profile_weights(graph: nx.Graph) -> list[Fraction]:
    """Return the profiles' prior weights, as given (default 1 each)."""
    return [attributes.get("weight", Fraction(1)) for attributes in graph.nodes.values()]


def output_labels(objective: Objective, categories: Sequence[Label]) -> tuple[Label, ...]:
    """Return the outputs' labels: the categories, or 0..m-1 for a loss that is not square.

    Raises
    ------
    InputError
        if the loss has not one row per category, or its name does not go with these categories.
    """
    if isinstance(objective, MaxOffDiagonal) or objective.loss in ("hamming", "absolute"):
        return tuple(categories)
    m = len(objective.table(categories)[0])
    return tuple(categories) if m == len(categories) else tuple(range(m))


def free_outputs(objective: Objective, categories: Sequence[Label]) -> list[int]:
    """Return, for each category, the output it would be given without privacy: itself, or that of least loss."""
    if isinstance(objective, MaxOffDiagonal):
        return list(range(len(categories)))
    table = objective.table(categories)
    return [min(range(len(row)), key=lambda y, row=row, x=x: (row[y], y != x, y)) for x, row in enumerate(table)]  # type: ignore[misc]


def _expected(mechanism: Mechanism, table: LossTable) -> list[Fraction]:
    """Return sum_x P_i(x) sum_y A^i_xy l(x, y) for each profile i."""
    losses = [np.array(row, dtype=object) for row in table]
    costs = []
    for rows, attributes in zip(mechanism.index, mechanism.graph.nodes.values(), strict=True):
        parts = support(attributes["distribution"])
        costs.append(sum((mass * _row_loss(mechanism, rows[x], losses[x]) for x, mass in parts), Fraction(0)))
    return costs


def _row_loss(mechanism: Mechanism, row: int, losses: npt.NDArray[np.object_]) -> Fraction:
    return Fraction(sum(mechanism.weights[row] * losses)) / int(mechanism.totals[row])


def _parse_loss(loss: object) -> str | LossTable:
    if isinstance(loss, str):
        if loss not in NAMED_LOSSES:
            names = ", ".join(f'"{name}"' for name in NAMED_LOSSES)
            near = did_you_mean(NAMED_LOSSES, loss)
            raise InputError(f"loss: expected {names} or a table, found {shown(loss)}{near}")
        return loss
    table = np.asarray(loss, dtype=object)
    if table.ndim != 2 or 0 in table.shape:
        raise InputError(f"loss: expected a table of d rows and m columns, found shape {table.shape}")
    faults = []
    rows: list[list[Fraction]] = []
    for x, row in enumerate(table):
        rows.append([])
        for y, value in enumerate(row):
            try:
                rows[-1].append(parse_number(value))
            except InputError as error:
                faults.append(f"loss, row {x}, column {y}: {error.faults[0]}")
    if faults:
        raise InputError(faults)
    over_common([entry for row in rows for entry in row], "the entries of the loss")
    return tuple(tuple(row) for row in rows)


def _table(loss: str | LossTable, categories: Sequence[Label]) -> LossTable:
    if isinstance(loss, str):
        return NAMED_LOSSES[loss](categories)
    if len(loss) != len(categories):
        raise InputError(f"loss: expected one row per category, {len(categories)}, found {len(loss)}")
    return loss


def _hamming(categories: Sequence[Label]) -> LossTable:
    d = len(categories)
    return tuple(tuple(Fraction(x != y) for y in range(d)) for x in range(d))


def _absolute(categories: Sequence[Label]) -> LossTable:
    d = len(categories)
    return tuple(tuple(Fraction(abs(x - y)) for y in range(d)) for x in range(d))


def _rows(categories: Sequence[Label]) -> LossTable:
    """Return in how many rows two databases differ."""
    databases = [label for label in categories if isinstance(label, tuple)]
    lengths = {len(database) for database in databases}
    if len(databases) < len(categories) or len(lengths) != 1:
        other = next((label for label in categories if not isinstance(label, tuple)), categories[-1])
        raise InputError(
            'loss "rows": expected every category to be a database, a tuple of as many rows as all others (see '
            f'database_graph), found {shown(other)}; "hamming" is 0 or 1 for any categories'
        )
    losses = [Fraction(changed) for changed in range(lengths.pop() + 1)]
    return tuple(tuple(losses[changed] for changed in row) for row in row_distances(databases).tolist())


NAMED_LOSSES: dict[str, Callable[[Sequence[Label]], LossTable]] = {
    "hamming": _hamming,
    "absolute": _absolute,
    "rows": _rows,
}
