"""Clarabel's answers: taken if they are accurate, refused if it found none."""

import numpy as np
import pytest
import scipy.sparse as sp

from mechdesign.errors import SolverError
from mechdesign.program.program import Program, Rows
from mechdesign.solver.clarabel import minimise_quadratic


def program(upper: float, curvature: float | None) -> Program:
    """Minimise x + y (+ curvature (x² + y²) / 2) with x + y >= 1 and x <= `upper`, x, y >= 0, y <= 1/2."""
    rows = Rows()
    rows.at_most(sp.csr_matrix([[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]]), np.array([-1.0, upper, 0.5]))
    return rows.program(np.ones(2), np.zeros(2), None if curvature is None else np.full(2, curvature))


@pytest.mark.parametrize("curvature", [None, 1.0])
def test_minimiser_and_multipliers(curvature: float | None) -> None:
    x, multipliers = minimise_quadratic(program(0.75, curvature))
    assert x.sum() == pytest.approx(1, abs=1e-9)
    assert multipliers[0] == pytest.approx(1 if curvature is None else 1.5, abs=1e-6)
    if curvature is not None:
        assert x == pytest.approx([0.5, 0.5], abs=1e-6)


@pytest.mark.parametrize("curvature", [None, 1.0])
@pytest.mark.parametrize("accuracy", [0.0, 1e-4])
def test_a_program_without_solution(curvature: float | None, accuracy: float) -> None:
    """What Clarabel returns then is a proof that there is none, with tiny residuals; it must not pass for an answer."""
    with pytest.raises(SolverError):
        minimise_quadratic(program(0.25, curvature), accuracy)


@pytest.mark.parametrize("missing", [1e-12, 1e-6, 0.01])
def test_a_huge_answer_is_none(missing: float) -> None:
    """An idle column without bound makes x huge, and Clarabel's residual, relative to x, tiny: "Solved", it may say."""
    rows = Rows()
    rows.equal(sp.csr_matrix([[1.0, 1.0, 0.0]]), 1.0)
    idle = sp.csr_matrix([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, -1.0]])
    rows.at_most(idle, np.array([0.5, 0.5 - missing, 0.0]))
    nowhere = rows.program(np.array([-0.3, -0.7, 0.0]), np.full(3, -np.inf), np.array([1.0, 1.0, 0.0]))
    with pytest.raises(SolverError):
        minimise_quadratic(nowhere)
