from fractions import Fraction

import numpy as np
import pytest

from mechdesign import ExpectedLoss, MaxOffDiagonal, WorstLoss
from mechdesign.objective import Objective
from mechdesign.problem import Problem

F = Fraction


def problem(objective: Objective) -> Problem:
    return Problem([(F(1, 3), F(2, 3)), (F(0), F(1))], (), objective, np.array([0.5, 0.5]), False)


def test_doubles() -> None:
    assert problem(MaxOffDiagonal()).profiles.tolist() == [[1 / 3, 2 / 3], [0, 1]]
    assert problem(MaxOffDiagonal()).loss is None
    assert problem(ExpectedLoss()).loss.tolist() == [[0, 1], [1, 0]]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("objective", "outputs", "target"),
    [
        (MaxOffDiagonal(), 2, [[F(1, 3), F(2, 3)], [0, 1]]),
        (ExpectedLoss([[0, 0, 5], [9, 1, 0]]), 3, [[F(1, 3), 0, F(2, 3)], [0, 0, 1]]),
        (WorstLoss([[3, 0], [3, 0]]), 2, [[0, 1], [0, 1]]),  # both categories have the same free output
    ],
    ids=str,
)
def test_targets(objective: Objective, outputs: int, target: list[list[Fraction]]) -> None:
    assert problem(objective).outputs == outputs
    assert problem(objective).target == target
