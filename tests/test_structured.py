"""The structured solution: rows that come only when needed change no answer."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from mechdesign import ExpectedLoss, MaxOffDiagonal, WorstLoss, counting_graph
from mechdesign.bench.families import graph_of_family
from mechdesign.designer.component import components
from mechdesign.objective import Objective
from mechdesign.privacy.requirement import requirements
from mechdesign.program.program import Program
from mechdesign.solution import Minimum
from mechdesign.solver import cutting_planes
from mechdesign.solver.canonical import canonical
from mechdesign.solver.minimise import minimise
from mechdesign.solver.structured import solve_structured


def test_of_values_alone_larger_sets_are_never_cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    """In coarse rounds whatever nearly binds is a cut, and of a long count more of these came in each round."""
    graph = graph_of_family("counting", 40, 40, seed=1)
    (whole,) = components(graph, requirements(graph, Fraction(1, 2), Fraction(0)), MaxOffDiagonal(), shared=False)
    optimum, rows = solve_structured(whole.problem), []

    def counted(program: Program, *arguments: Any, **options: Any) -> Minimum:
        rows.append(len(program.upper))
        return minimise(program, *arguments, **options)

    monkeypatch.setattr(cutting_planes, "minimise", counted)
    monkeypatch.setattr(cutting_planes, "MANY_ROWS", 0)
    assert canonical(whole.problem, optimum) is not None
    assert len(rows) <= 4
    assert max(rows) <= 3 * 40 * 40 + 40


@pytest.mark.parametrize("delta", ["0", "1/100"])
@pytest.mark.parametrize("objective", [ExpectedLoss(), WorstLoss("absolute")])
def test_a_program_by_classes_holds_of_what_the_program_of_all_holds(objective: Objective, delta: str) -> None:
    """Any values of the variables leave of each row what the same probabilities leave of the rows it stands for."""
    graph = counting_graph(7)
    (part,) = components(graph, requirements(graph, Fraction(1, 2), Fraction(delta)), objective, shared=False)
    coarse = part.by_classes
    assert coarse is not None
    assert coarse.alike is not None
    x = np.random.default_rng(1).random(len(coarse.sizes))
    asked, all_asked = coarse.inequalities, part.problem.inequalities
    gaps = np.repeat(asked.gaps(x), asked.times)
    np.testing.assert_allclose(np.sort(gaps), np.sort(all_asked.gaps(x[coarse.alike.classes].ravel())), atol=1e-15)
    assert asked.excess(x) == pytest.approx(all_asked.excess(x[coarse.alike.classes].ravel()), abs=1e-14)
