"""HiGHS' answers, corrected in the last digits."""

import math
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mechdesign import WorstLoss, design, profile_graph
from mechdesign.arrays import Floats
from mechdesign.bench.families import graph_of_family
from mechdesign.designer.component import Component, components
from mechdesign.privacy.requirement import requirements
from mechdesign.program.program import Program
from mechdesign.program.transport import transport_program
from mechdesign.program.units import InUnits
from mechdesign.solver import vertices
from mechdesign.solver.highs import by_interior_point, run_highs
from mechdesign.solver.vertices import by_crossover, by_simplex


def strained(epsilon: int = 5, loss: Any = "hamming") -> Component:
    """One matrix for a count: HiGHS stops with constraints violated by up to its 1e-10, reduced costs by up to 1e-8."""
    graph = graph_of_family("counting", 20, 20, seed=1)
    required = requirements(graph, Fraction(epsilon), Fraction(0))
    (whole,) = components(graph, required, WorstLoss(loss), shared=True)
    return whole


def violation(program: Program, x: Floats) -> float:
    activity = program.matrix @ x
    return float(max((activity - program.upper).max(), (program.lower - activity).max(), (program.floor - x).max()))


@pytest.mark.parametrize(("solve", "most"), [(by_simplex, 1e-15), (by_crossover, 1e-15), (by_interior_point, 1e-9)])
def test_every_kind_of_row_and_column(solve: Any, most: float) -> None:
    """Minimise x + 2 y + z with x + y + z = 1, x - y <= 1/3, z >= 1/6 (below z there is none), x >= 1/7 y."""
    third = 1 / 3
    program, _ = transport_program(strained().problem)
    small = replace(
        program,
        cost=np.array([1.0, 2.0, 1.0]),
        matrix=type(program.matrix)(
            np.array([[1.0, 1.0, 1.0], [1.0, -1.0, 0.0], [0.0, 0.0, -1.0], [-1.0, 1 / 7, 0.0]])
        ),
        lower=np.array([1.0, -np.inf, -np.inf, -np.inf]),
        upper=np.array([1.0, third, -1 / 6, 0.0]),
        floor=np.array([0.0, 0.0, -np.inf]),
    )
    x, multipliers, prices, _ = solve(small, 0.0)
    assert small.cost @ x == pytest.approx(1, abs=most)
    assert violation(small, x) <= most
    assert (multipliers[1:] >= 0).all()  # that of the equation may be negative
    assert (prices >= 0).all()


@pytest.mark.parametrize("good", [False, True])
@pytest.mark.parametrize(("failing", "tried"), [([], 1), ([1], 3), ([1, 3], 3), ([1, 2], 2)])
def test_a_correction_that_fails_is_tried_again_in_units_of_what_was_found(
    monkeypatch: pytest.MonkeyPatch, failing: list[int], tried: int, good: bool
) -> None:
    """None may go on for ever; if all fail, or if it is good, the vertex is as it was found."""
    attempts, limits = list[bool](), list[int]()
    pose, run = vertices._pose_correction, run_highs

    def posed(program: Program, solver: Any, inside: InUnits, *given: Any) -> None:
        attempts.append(inside.program is program)
        pose(program, solver, inside, *given)

    def corrected(solver: Any, **how: Any) -> Any:
        limits.append(solver.getOptionValue("simplex_iteration_limit")[1])
        return "Solve error" if attempts and len(attempts) in failing else run(solver, **how)

    program, _ = transport_program(strained().problem)
    for name, replaced in (("_pose_correction", posed), ("run_highs", corrected), ("is_good", lambda *_: good)):
        monkeypatch.setattr(vertices, name, replaced)
    answer = by_simplex(program, 0.0)
    tried = min(tried, 1) if good else tried
    assert attempts == [True, False, True][:tried]
    assert limits[1:] == [1_000, len(program.upper) // 2, len(program.upper) // 2][:tried]
    assert not isinstance(answer, str)
    as_found, in_units = (good and failing) or failing == [1, 2], failing == [1, 3]
    assert violation(program, answer.columns) <= (1e-9 if as_found else 1e-11 if in_units else 1e-13)


SIMPLEX = "from mechdesign.silent_highs import SilentHighs; highs = SilentHighs(); highs.addVar(0, 1); highs.run()"
REFERENCE = "import mechdesign as md; md.design('bernoulli-couplet', epsilon=1, method='reference')"


@pytest.mark.slow
@pytest.mark.parametrize("made", [SIMPLEX, REFERENCE], ids=["ours", "through cvxpy"])
def test_it_says_nothing_from_its_first_step_on(capfd: pytest.CaptureFixture[str], made: str) -> None:
    """Standard output is the answer's; in a process that has not made one yet, since it introduces itself once."""
    subprocess.run([sys.executable, "-c", made], check=True)
    assert capfd.readouterr() == ("", "")


def test_another_solver_where_simplex_fails() -> None:
    """Bell curves with masses down to 1e-47, epsilon 0: HiGHS' simplex calls the program infeasible."""
    profiles = {}
    for i in range(9):
        heights = [math.exp(-(((x - i * 5 / 9) / 0.3) ** 2) / 2) for x in range(5)]
        profiles[i] = [Fraction(height) / sum(map(Fraction, heights)) for height in heights]
    edges = [(i, j) for i in range(9) for j in range(i)]
    result = design(profile_graph(profiles, edges=edges, categories=list(range(5))), epsilon=0, method="highs")
    assert result.value - result.bound <= Fraction(1, 10**7)
