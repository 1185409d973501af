"""The program of a small change: its base, its limits, and the moves that make it."""

from fractions import Fraction

import numpy as np
import pytest

from mechdesign import ExpectedLoss, SolverError
from mechdesign.designer.nearest import MARGINS, feasible
from mechdesign.objective import Objective
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import Problem
from mechdesign.program import moves
from mechdesign.program.changes import FINE, Base, Changes, base_of
from mechdesign.solver.minimise import minimise

F = Fraction


def problem(miss: Fraction, objective: Objective, delta: Fraction | int = 0, k: int = 2) -> Problem:
    """Rows of three outputs at epsilon ln 3, nearly, the first of which is too large by the miss in its first."""
    rows = [[F(3, 8) + miss, F(1, 2) - miss, F(1, 8)], *([[F(1, 8), F(3, 4), F(1, 8)]] * (k - 1))]
    epsilon = F(10986122886681098, 10**16)  # e^epsilon is 3 and 1e-16 or so
    required = tuple(Requirement(i, j, epsilon, F(delta)) for j in range(k) for i in range(j))
    return Problem(rows, required, objective, np.full(k, 1 / k), False)


@pytest.mark.parametrize("exponent", [9, 15, 30, 100])
def test_the_base_is_as_fine_as_the_miss(exponent: int) -> None:
    posed = problem(F(1, 10**exponent), ExpectedLoss())
    base = base_of(posed)
    missed = F(3, 8) + F(1, 10**exponent) - posed.required[0].ratio_below * F(1, 8)
    if missed > 0:
        assert F(base.miss, 2**base.bits) == pytest.approx(float(missed / 3), rel=1e-12)
    assert base.miss == 0 or base.miss.bit_length() >= FINE


def test_nothing_is_missed() -> None:
    posed = problem(F(-1, 10**9), ExpectedLoss())
    assert Base(posed, 256).miss == 0


@pytest.mark.parametrize("k", [2, 5])  # pairs, a clique
@pytest.mark.parametrize("delta", [F(0), F(1, 10**12)])
@pytest.mark.parametrize("loss", ["hamming", "absolute", [[0, 1, 2], [1, 0, 1], [2, 1, 0]]])
def test_the_change_is_the_cheapest(loss: object, delta: Fraction, k: int) -> None:
    """The first row loses what the others do not allow, a third of it where they meet it: whatever is cheaper."""
    posed = problem(F(1, 10**11), ExpectedLoss(loss), delta, k)
    changes = Changes(posed, base_of(posed), MARGINS[0])
    found = minimise(changes.program)
    x, duals = found.columns, found.multipliers
    base = changes.base
    value = float(changes.program.cost @ x) * base.miss / 2**base.bits * float(posed.loss_unit)
    lowered = 1e-11 - float(delta)  # in the first row; to raise the others costs a third, for each of them
    assert value == pytest.approx(min(lowered, (k - 1) * lowered / 3) / k, rel=1e-4)
    rows = changes.changed(x)
    assert all(row is None or row.sum() == 2**base.bits for row in rows)
    weights = duals[changes.program.blocks["objective"]]
    assert feasible(posed, base, changes.multipliers(duals), weights).privacy


def test_what_does_not_change_is_left_alone() -> None:
    posed = problem(F(1, 10**11), ExpectedLoss(), k=5)
    changes = Changes(posed, base_of(posed), MARGINS[0])
    rows = changes.changed(minimise(changes.program).columns)
    assert [row is None for row in rows] == [False, True, True, True, True]


def test_a_loss_table_of_many_outputs_is_left_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    posed = problem(F(1, 10**11), ExpectedLoss([[0, 1, 2], [1, 0, 1], [2, 1, 0]]))
    monkeypatch.setattr(moves, "MOST_MOVES", 10)
    with pytest.raises(SolverError, match="too many moves between outputs"):
        Changes(posed, base_of(posed), 0.0)
