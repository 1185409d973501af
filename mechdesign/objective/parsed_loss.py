"""Losses as they are given: a name, a table, with labels or without, or a function of one's own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TypeAlias

import numpy as np

from mechdesign.errors import InputError, telling
from mechdesign.exact.faults import Faults
from mechdesign.exact.numbers import over_common, parse_entry
from mechdesign.exact.text import shown
from mechdesign.graph.frames import Matrix, matrix_in, uneven_rows
from mechdesign.graph.labels import Label
from mechdesign.objective.base import LossTable
from mechdesign.objective.loss import Loss as Loss
from mechdesign.objective.loss import Priced as Priced
from mechdesign.objective.named_losses import DISTANCE_LOSSES, NAMED_LOSSES
from mechdesign.words import did_you_mean

Called: TypeAlias = Callable[[Label, Label], object]
"""A loss as a function of the true and the reported category, by label."""
FOR_DISTANCES = "; for the distances of a graph, give md.distances(graph), such as md.ExpectedLoss(md.distances(graph))"


def _own(table: LossTable, categories: Sequence[Label]) -> LossTable:
    if len(table) != len(categories):
        raise InputError(f"loss: expected one row per category, {len(categories)}, found {len(table)}")
    return table


def _by_label(table: Matrix, categories: Sequence[Label]) -> LossTable:
    with telling("loss: "):
        found = table.in_order(categories)
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
        raise InputError(faults)
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


@dataclass(frozen=True, eq=False)
class TableLoss(Loss):
    """A table, a table with labels, or a function; `make` returns the table for given categories."""

    make: Callable[[Sequence[Label]], LossTable]

    def table(self, categories: Sequence[Label]) -> LossTable:
        """Return the d x m table for given categories."""
        return self.make(categories)


def kind_of(loss: str | LossTable | Matrix | Called) -> Loss:
    """Return the kind of a loss that is given as a name, as a table or as a function."""
    if isinstance(loss, str):
        return NAMED_LOSSES[loss]
    if isinstance(loss, Matrix):
        return TableLoss(partial(_by_label, loss))
    return TableLoss(partial(called, loss) if callable(loss) else partial(_own, loss))


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
            near = FOR_DISTANCES if loss in DISTANCE_LOSSES else did_you_mean(NAMED_LOSSES, loss)
            raise InputError(f"loss: expected {names}, a table or a function, found {shown(loss)}{near}")
        return loss
    if isinstance(loss, Matrix):
        return loss
    # Labels that count are kept until the categories tell whether they are these.
    found = matrix_in(loss)
    named = Matrix(loss) if found is None else found.named(range(len(found.rows)))
    if uneven := uneven_rows(named.rows):
        raise InputError([f"loss: {fault}" for fault in uneven])
    table = np.asarray(named.rows, dtype=object)
    if table.ndim != 2 or 0 in table.shape:
        raise InputError(f"loss: expected a table of d rows and m columns, found shape {table.shape}")
    faults = Faults()
    rows = [
        [faults.number(f"loss, row {x}, column {y}", value, parse=parse_entry) for y, value in enumerate(row)]
        for x, row in enumerate(table)
    ]
    faults.check()
    over_common([entry for row in rows for entry in row], "the entries of the loss")
    exact = tuple(tuple(row) for row in rows)
    return replace(named, rows=exact) if named.is_labelled else exact
