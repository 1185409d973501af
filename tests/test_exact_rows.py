"""Each rung of the ladder to exactly private rows is needed: named designs fail without it.

A design fails if none is found, if its value is above its bound, or if it is not the one that is defined any more. What
a rung is for is in its docstring; benchmarks/ablate.py finds such designs.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest

from mechdesign import SolverError, design, read_graph
from mechdesign.arrays import Floats
from mechdesign.bench.strained import strained
from mechdesign.designer import component
from mechdesign.objective import capped_plans
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import Problem
from mechdesign.program.program import Program
from mechdesign.rounding import exact_rows
from mechdesign.rounding.contraction import Contracted
from mechdesign.rounding.exact_rows import as_good
from mechdesign.solution import Solution
from mechdesign.solver import clarabel, highs


def faults(name: str) -> tuple[bool, bool]:
    """Return whether a design is above its bound or none, and whether it is not the one that is defined."""
    try:
        result = strained(name).design()
    except SolverError:
        return True, True
    far = result.value - result.bound > Fraction(1, 10**12) + Fraction(2, 10**9) * result.bound
    return far, result.stats["any_optimum"] > 0


def nothing(*_: Any, **__: Any) -> None:
    return None


def nowhere(caps: Floats, _: Floats) -> Floats:
    """Return potentials at which nothing moves."""
    return caps * 0


def as_they_are(required: Sequence[Requirement]) -> Iterator[tuple[Requirement, ...]]:
    yield tuple(required)


FOUND = exact_rows._found


def corrected_at_once(problem: Problem, answer: Solution) -> Iterator[Any]:
    return islice(FOUND(problem, answer), 1, None)


def corrected_once(problem: Problem, answer: Solution) -> Iterator[Any]:
    return islice(FOUND(problem, answer), 2)


def each_alone(problem: Problem) -> Contracted:
    return Contracted(problem, problem, [[i] for i in range(len(problem.exact))])


def uncorrected(program: Program, solver: Any, x: Floats, duals: Floats) -> tuple[Floats, Floats]:
    del program, solver
    return x, duals


def all_but(regularisation: float, refined: bool) -> tuple[Any, str, Any]:
    others = [one for one in clarabel.FACTORISATIONS if one != (regularisation, refined)]
    assert len(others) == len(clarabel.FACTORISATIONS) - 1
    return clarabel, "FACTORISATIONS", others


RUNGS: dict[str, tuple[Any, str, Any]] = {
    "stricter": (exact_rows, "stricter", as_they_are),
    "rounding first": (exact_rows, "_found", corrected_at_once),
    "refinement": (exact_rows, "refined", nothing),
    "all moved": (exact_rows, "_found", corrected_once),
    "single profiles": (exact_rows, "FEW_PAIRS", 0),
    "contraction": (exact_rows, "contracted", each_alone),
    "potentials": (capped_plans, "balancing", nowhere),
    "second solver": (component, "MORE_ENTRIES", 0),
    "correction": (highs, "_magnified", uncorrected),
    "unrefined": all_but(1e-10, False),
    "regularisation 1e-10": all_but(1e-10, True),
    "regularisation 1e-12": all_but(1e-12, True),
    "regularisation 1e-8": all_but(1e-8, True),
}

GUARDS = [
    ("stricter", "extreme 2185"),  # an epsilon of 1e-12 beside one of 20, and one matrix for all
    ("stricter", "extreme 1326"),  # an epsilon of 1e-12 beside others of 30
    ("rounding first", "extreme 81"),  # deltas of 1e-12, which a correction in doubles does not see
    ("rounding first", "tree 8 worst-loss random 2 0.01"),  # nothing strained: it is only a poorer answer
    ("refinement", "extreme 325"),  # with rounding alone it is too far from the optimum
    ("refinement", "counting 8 worst-loss absolute 5 0 shared"),  # a value of 0.01, one matrix for all
    ("all moved", "grid 9 expected-loss hamming 30 0"),  # what solvers leave where it is has to make room
    ("single profiles", "values 6 worst-loss absolute 1e-8 1e-12"),  # room alike over classes costs too much
    ("contraction", "extreme 30"),  # an epsilon of 0
    ("potentials", "extreme 325"),  # in proportion too much moves between two categories
    ("potentials", "chain 8 max-off-diagonal none 0.05 0"),  # so too, where nothing is strained
    ("second solver", "extreme 921"),  # Clarabel's multipliers prove too little
    ("correction", "counting 12 worst-loss absolute 8 0 shared"),  # HiGHS' errors of 1e-10 are much of a small value
    ("unrefined", "various 1921"),
    ("regularisation 1e-10", "tree 8 worst-loss random 2 0.01"),
    ("regularisation 1e-12", "extreme 141"),
    ("regularisation 1e-8", "values 6 worst-loss absolute 1e-8 1e-12"),
]


@pytest.mark.parametrize(("rung", "name"), GUARDS, ids=lambda one: str(one))
def test_each_rung_is_needed(rung: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_it = faults(name)
    assert not with_it[0]
    monkeypatch.setattr(*RUNGS[rung])
    assert faults(name) > with_it


def test_every_rung_has_a_design_that_needs_it() -> None:
    assert {rung for rung, _ in GUARDS} == RUNGS.keys()


def test_room_alone_will_do_as_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refinement solves a program as large as the second stage's, so it must not come first."""
    usual = design(read_graph("categorical-chain"), epsilon="0.5")
    monkeypatch.setattr(exact_rows, "refined", None)
    alone = design(read_graph("categorical-chain"), epsilon="0.5")
    assert (alone.value, alone.stats["any_optimum"]) == (usual.value, 0)


def test_what_is_as_good() -> None:
    """Twice as far from the optimum as the nearest is looked for: 2e-9 of it, or 2e-13 of the largest loss."""
    for least in (1.0, 0.25, 1e-3):
        assert as_good(least * (1 + 1.9e-9), least)
        assert not as_good(least * (1 + 2.1e-9), least)
    assert as_good(1.9e-13, 0.0)
    assert not as_good(2.1e-13, 0.0)
