"""What is asked of `mend`, checked: a distance of rows, a loss that is one, digits that a spreadsheet keeps."""

from collections.abc import Sequence

from mechdesign.errors import InputError
from mechdesign.exact.numbers import whole
from mechdesign.exact.text import shown
from mechdesign.graph.labels import Label
from mechdesign.objective import checked_objective
from mechdesign.objective.base import LossTable
from mechdesign.objective.by_loss import ByLoss

MOST_DIGITS = 15
"""Spreadsheets keep no more."""


def check_digits(digits: object, doubles: bool) -> None:
    """Raise an InputError unless rows can be decimals of so many places."""
    if digits is None:
        return
    whole("digits", digits, at_most=MOST_DIGITS)
    if doubles:
        raise InputError("digits: expected either doubles or decimals of so many places, found both")


def checked_distance(objective: object) -> ByLoss:
    """Return an objective that is a distance of rows; others raise an InputError."""
    goal = checked_objective(objective)
    if not isinstance(goal, ByLoss):
        raise InputError(
            f"objective: expected ExpectedLoss(...) or WorstLoss(...), a distance of rows, found {goal.name}"
        )
    return goal


def checked_table(goal: ByLoss, outputs: Sequence[Label]) -> LossTable:
    """Return the loss on the outputs, which is to cost nothing where nothing changes, and never less."""
    m = len(outputs)
    try:
        table = goal.table(outputs)
    except InputError as error:
        raise InputError(error.told(after="; here the categories are the outputs")) from None
    if len(table[0]) != m:
        found = f"found {len(table)} x {len(table[0])}"
        raise InputError(f"loss: expected {m} x {m}, what it costs to move from each output to each other, {found}")
    wrong = [(x, y) for x in range(m) for y in range(m) if (table[x][y] != 0 if x == y else table[x][y] < 0)]
    if wrong:
        x, y = wrong[0]
        expected = "expected 0, as what stays costs nothing" if x == y else "expected a number >= 0"
        raise InputError(f"loss, row {x}, column {y}: {expected}, found {shown(table[x][y])}")
    return table
