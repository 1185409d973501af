"""The exact optimum that bounds are held to: right wherever its search begins, and where it is known by hand."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.linear_program import Program
from oracles.optimum import optimum
from scipy.optimize import linprog

F = Fraction
BEALE = Program(
    {0: F(-3, 4), 1: F(20), 2: F(-1, 2), 3: F(6)},
    [{0: F(1, 4), 1: F(-8), 2: F(-1), 3: F(9)}, {0: F(1, 2), 1: F(-12), 2: F(-1, 2), 3: F(3)}, {2: F(1)}],
    [F(0), F(0), F(1)],
    4,
)
"""Where the simplex method runs in circles unless it takes care which column enters."""


def from_everywhere(program: Program, data: st.DataObject) -> Fraction:
    """Return the least value, with another start than HiGHS' basis."""
    columns = st.sampled_from(range(program.n + program.m))
    start = st.lists(columns, min_size=program.m, max_size=program.m, unique=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "start", lambda: data.draw(start))
        return program.least()


@given(st.data())
def test_a_program_that_goes_in_circles(data: st.DataObject) -> None:
    assert BEALE.least() == from_everywhere(BEALE, data) == F(-5, 4)


@st.composite
def programs(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    """With a solution, and bounded from below by rows that bound each column."""
    n, m = draw(st.integers(1, 4)), draw(st.integers(0, 3))
    number = st.integers(-4, 4)
    rows = draw(st.lists(st.lists(number, min_size=n, max_size=n), min_size=m, max_size=m))
    inside = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    limits = [sum(a * x for a, x in zip(row, inside, strict=True)) + draw(st.integers(0, 2)) for row in rows]
    bounded = np.identity(n, dtype=int).tolist()
    return draw(st.lists(number, min_size=n, max_size=n)), rows + bounded, limits + [3] * n


@given(programs(), st.data())
def test_any_program_from_any_start(made: tuple[Any, Any, Any], data: st.DataObject) -> None:
    costs, rows, limits = made
    sparse = [{j: F(entry) for j, entry in enumerate(row) if entry} for row in rows]
    program = Program({j: F(cost) for j, cost in enumerate(costs)}, sparse, [F(one) for one in limits], len(costs))
    found = program.least()
    assert found == from_everywhere(program, data)
    assert float(found) == pytest.approx(linprog(costs, A_ub=rows, b_ub=limits, method="highs").fun, abs=1e-9)


@pytest.mark.parametrize("E", [F(1), F(3, 2), F(10) ** 300])
@pytest.mark.parametrize("k", [2, 3, 5])
def test_randomised_response(k: int, E: Fraction) -> None:
    """Each of k values from each other: 1 / (E + k - 1) off the diagonal, and k - 1 times that in all."""
    values = [[int(x == y) for y in range(k)] for x in range(k)]
    edges = [(i, j, E, F(0)) for i in range(k) for j in range(i)]
    wrong = [[int(x != y) for y in range(k)] for x in range(k)]
    assert optimum(values, edges, [range(k)], outputs=k) == 1 / (E + k - 1)
    for weights in (None, [1] * k):
        assert optimum(values, edges, [range(k)], outputs=k, loss=wrong, weights=weights) == (k - 1) / (E + k - 1)


def test_a_part_of_delta_goes_where_it_helps_most() -> None:
    """Two values, [HLM] Theorem 10: (1 - delta) / (E + 1)."""
    edges = [(0, 1, F(2), F(1, 10))]
    assert optimum([[1, 0], [0, 1]], edges, [range(2)], outputs=2) == F(9, 10) / 3
