"""Losses: those with a name, tables and functions of one's own; what it costs to move mass by each, and how best to.

Given what is released, a profile's least expected loss is the cost of transport from its distribution there: by total
variation (Hamming), by cumulative differences (absolute), by the plan's own entries for any other loss.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats
from mechdesign.errors import InputError
from mechdesign.exact.numbers import over_common, parse_entry
from mechdesign.exact.text import shown
from mechdesign.graph.databases import row_distances
from mechdesign.graph.frames import as_frame
from mechdesign.graph.labels import Label
from mechdesign.mechanism.matrix import Matrix, matrix_of_frame
from mechdesign.objective.base import LossTable, Plans, Rows
from mechdesign.words import did_you_mean, first_faults

Called: TypeAlias = Callable[[Label, Label], object]
"""A loss as a function of the true and the reported category, by label."""

NAMED = 5
"""An error about many pairs names this many of them: as a rule all have one cause."""

Columns: TypeAlias = npt.NDArray[np.int64]

Cost: TypeAlias = tuple[int, tuple[Columns, Floats]]
"""The number of columns so far; the columns of a profile's cost, and what they cost."""


def _hamming(categories: Sequence[Label]) -> LossTable:
    d, one, zero = len(categories), Fraction(1), Fraction(0)
    return tuple((*(one,) * x, zero, *(one,) * (d - 1 - x)) for x in range(d))


def _absolute(categories: Sequence[Label]) -> LossTable:
    steps = [Fraction(step) for step in range(len(categories))]
    return tuple((*steps[x:0:-1], *steps[: len(steps) - x]) for x in range(len(steps)))


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
    return _distances(tuple(databases))


@lru_cache(maxsize=1)  # 4,096 databases have 16 million distances, and are asked for them several times
def _distances(databases: tuple[tuple[Label, ...], ...]) -> LossTable:
    losses = np.array([Fraction(changed) for changed in range(len(databases[0]) + 1)], dtype=object)
    return tuple(tuple(row) for row in losses[row_distances(databases)])


def _own(table: LossTable, categories: Sequence[Label]) -> LossTable:
    if len(table) != len(categories):
        raise InputError(f"loss: expected one row per category, {len(categories)}, found {len(table)}")
    return table


def _by_label(table: Matrix, categories: Sequence[Label]) -> LossTable:
    try:
        found = table.in_order(categories)
    except InputError as error:
        raise InputError(error.told("loss: ")) from None
    if found.is_square and found.outputs is not None and found.outputs != tuple(categories):
        expected = f"expected the categories {shown(tuple(categories))} as labels of the columns"
        raise InputError(f"loss: {expected}, found {shown(found.outputs)}; leave the labels out if the order is right")
    return _own(tuple(map(tuple, found.rows)), categories)


def called(loss: Called, categories: Sequence[Label]) -> LossTable:
    """Return the table of what a function says of each category x and reported category y; True is 1.

    Raises
    ------
    InputError
        naming pairs of which it says no number, or for which it fails.

    Examples
    --------
    >>> called(lambda x, y: abs(x - y) ** 2, [1, 2, 4])[0]
    (Fraction(0, 1), Fraction(1, 1), Fraction(9, 1))
    """
    faults: list[str] = []
    table = [[_called(loss, x, y, faults) for y in categories] for x in categories]
    if faults:
        raise InputError(first_faults(faults, NAMED))
    over_common([entry for row in table for entry in row], "the entries of the loss")
    return tuple(map(tuple, table))


def _called(loss: Called, x: Label, y: Label, faults: list[str]) -> Fraction:
    where = f"loss of reporting {shown(y)} for {shown(x)}"
    try:
        found = loss(x, y)
    except Exception as error:  # whatever a function of a user's own may raise
        faults.append(f"{where}: the function raised {type(error).__name__}: {error}")
        return Fraction(0)
    try:
        return Fraction(bool(found)) if isinstance(found, bool | np.bool_) else parse_entry(found)
    except InputError as error:
        faults.append(f"{where}: {error.faults[0]}")
        return Fraction(0)


def _add_variation(rows: Rows, profile: Floats, q: Columns, n: int, loss: Floats) -> Cost:
    """Lost mass: v_y >= P(y) - q_y, v >= 0; cost sum v = total variation, in the loss' unit."""
    import scipy.sparse as sp  # here, because it loads slowly and only solving needs it

    used = np.nonzero(profile)[0]
    new = n + np.arange(len(used))
    row = np.arange(len(used))
    block = sp.csr_matrix(
        (-np.ones(2 * len(used)), (np.tile(row, 2), np.concatenate([q[used], new]))), shape=(len(used), n + len(used))
    )
    rows.at_most(block, -profile[used])
    return n + len(used), (new, np.full(len(used), loss[0, 1]))


def _add_steps(rows: Rows, profile: Floats, q: Columns, n: int, loss: Floats) -> Cost:
    """Move u_y >= 0 from y up to y + 1, v_y >= 0 down: q_y - P(y) = u_(y-1) - u_y + v_y - v_(y-1); cost sum u + v."""
    import scipy.sparse as sp  # here, because it loads slowly and only solving needs it

    steps = len(q) - 1
    pick = sp.csr_matrix((np.ones(steps), (np.arange(steps), q[:-1])), shape=(steps, n))
    net = sp.diags([1.0, -1.0], [0, -1], shape=(steps, steps))  # the last output's equation follows from the others
    rows.equal(sp.hstack([pick, net, -net]), profile[:-1])
    return n + 2 * steps, (n + np.arange(2 * steps), np.full(2 * steps, loss[0, 1]))


def _add_plan(rows: Rows, profile: Floats, q: Columns, n: int, loss: Floats) -> Cost:
    """Move z_xy >= 0 with sum_y z_xy = P(x) and sum_x z_xy = q_y; cost sum z l."""
    import scipy.sparse as sp  # here, because it loads slowly and only solving needs it

    used = np.nonzero(profile)[0]
    m = len(q)
    size = len(used) * m
    supply = sp.hstack([sp.csr_matrix((len(used), n)), sp.kron(sp.identity(len(used)), np.ones((1, m)))])
    rows.equal(supply, profile[used])
    pick = sp.csr_matrix((-np.ones(m), (np.arange(m), q)), shape=(m, n))
    rows.equal(sp.hstack([pick, sp.kron(np.ones((1, len(used))), sp.identity(m))]), 0.0)
    return n + size, (n + np.arange(size), loss[used].ravel())


def _variation_prices(change: Floats, unit: float) -> Floats:
    """Each output that loses mass pays."""
    return np.where(change < 0, -unit, 0.0)


def _steps_prices(change: Floats, unit: float) -> Floats:
    """Mass beyond the border between y and y + 1 pays, or is paid: what crosses it goes one way."""
    crossing = np.where(np.cumsum(change, axis=1)[:, :-1] > 0, unit, -unit)
    prices = np.zeros(change.shape)
    prices[:, :-1] = np.cumsum(crossing[:, ::-1], axis=1)[:, ::-1]
    return prices


def _variation_apart(first: Floats, second: Floats, ratios: Floats) -> Floats:
    """By how much P(S) exceeds E R(S), for the set S by which it is most."""
    return np.array(np.maximum(0.0, first - ratios * second).sum(axis=1))


def _steps_apart(first: Floats, second: Floats, ratios: Floats) -> Floats:
    """By how much on either side of each border, in all."""
    below, other = np.cumsum(first, axis=1), np.cumsum(second, axis=1)
    most = np.maximum(below - ratios * other, (1 - below) - ratios * (1 - other))[:, :-1]
    return np.array(np.maximum(0.0, most).sum(axis=1) / (first.shape[1] - 1))


@dataclass(frozen=True, eq=False)
class Priced:
    """A loss whose least cost is the largest of linear functions of what is released.

    Attributes
    ----------
    prices
        of one more unit of each output that add up to the cost of a change of what is released, and for any other
        change to no more than its cost; the loss' unit is given too.
    apart
        what two neighbours lose together at least, by what they are and e^epsilon; one unit and E units count the same.
    """

    prices: Callable[[Floats, float], Floats]
    apart: Callable[[Floats, Floats, Floats], Floats]


@dataclass(frozen=True, eq=False)
class Loss:
    """A kind of loss.

    Attributes
    ----------
    table
        makes the d x m table for given categories.
    checks_categories
        whether it goes with some categories only, or has outputs of its own.
    ordered
        whether it means something only if the categories have an order.
    add_transport
        adds rows and columns of a profile's transport cost, given its released distribution in columns q.
    plan
        the transport plan of this cost.
    priced
        the cost as the largest of linear functions; None if it is not known as such.
    """

    table: Callable[[Sequence[Label]], LossTable]
    checks_categories: bool = True
    ordered: bool = False
    add_transport: Callable[[Rows, Floats, Columns, int, Floats], Cost] = _add_plan
    plan: Plans = "cheapest"
    priced: Priced | None = None


NAMED_LOSSES: dict[str, Loss] = {
    "hamming": Loss(
        _hamming,
        checks_categories=False,
        add_transport=_add_variation,
        plan="proportional",
        priced=Priced(_variation_prices, _variation_apart),
    ),
    "absolute": Loss(
        _absolute,
        checks_categories=False,
        ordered=True,
        add_transport=_add_steps,
        plan="monotone",
        priced=Priced(_steps_prices, _steps_apart),
    ),
    "rows": Loss(_rows),
}


def kind_of(loss: str | LossTable | Matrix | Called) -> Loss:
    """Return the kind of a loss that is given as a name, as a table or as a function."""
    if isinstance(loss, str):
        return NAMED_LOSSES[loss]
    if isinstance(loss, Matrix):
        return Loss(partial(_by_label, loss))
    return Loss(partial(called, loss) if callable(loss) else partial(_own, loss))


def parse_loss(loss: object) -> str | LossTable | Matrix | Called:
    """Return a loss as a name, as a function, or as an exact table; as a `Matrix` if its rows or columns have labels.

    Raises
    ------
    InputError
        if it is none of these.
    """
    if callable(loss):
        return loss
    if isinstance(loss, str):
        if loss not in NAMED_LOSSES:
            names = ", ".join(f'"{name}"' for name in NAMED_LOSSES)
            near = did_you_mean(NAMED_LOSSES, loss)
            raise InputError(f"loss: expected {names}, a table or a function, found {shown(loss)}{near}")
        return loss
    if isinstance(loss, Matrix):
        return loss
    # Labels that count are kept until the categories tell whether they are these.
    frame = as_frame(loss)
    named = Matrix(loss) if frame is None else matrix_of_frame(frame, range(len(frame.rows)))
    table = np.asarray(named.rows, dtype=object)
    if table.ndim != 2 or 0 in table.shape:
        raise InputError(f"loss: expected a table of d rows and m columns, found shape {table.shape}")
    faults = []
    rows: list[list[Fraction]] = []
    for x, row in enumerate(table):
        rows.append([])
        for y, value in enumerate(row):
            try:
                rows[-1].append(parse_entry(value))
            except InputError as error:
                faults.append(f"loss, row {x}, column {y}: {error.faults[0]}")
    if faults:
        raise InputError(faults)
    over_common([entry for row in rows for entry in row], "the entries of the loss")
    exact = tuple(tuple(row) for row in rows)
    return exact if named.inputs is None and named.outputs is None else replace(named, rows=exact)
