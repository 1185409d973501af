"""The structured solution: rows that come only when needed change no answer."""

from fractions import Fraction
from typing import Any

import pytest

from mechdesign import MaxOffDiagonal
from mechdesign.bench.families import graph_of_family
from mechdesign.designer.component import components
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
