"""Each rung of the ladder to exactly private rows is needed: named designs fail without it.

A design fails if none is found, if its value is above its bound, or if it is not the one that is defined any more. What
a rung is for is in its docstring; benchmarks/ablate.py finds such designs.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
from strained import strained

from mechdesign import SolverError, design, read_graph
from mechdesign.arrays import Floats
from mechdesign.objective import capped_plans
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import Problem
from mechdesign.program.program import Program
from mechdesign.rounding import exact_rows, refinement
from mechdesign.rounding.contraction import Contracted
from mechdesign.rounding.exact_rows import as_good
from mechdesign.solution import Solution
from mechdesign.solver import minimise
from mechdesign.solver.minimise import Step, Wanted


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


def each_alone(problem: Problem) -> Contracted:
    return Contracted(problem, problem, [[i] for i in range(len(problem.exact))])


LADDER = minimise._ladder


def without(step: Step) -> tuple[Any, str, Any]:
    def ladder(program: Program, wanted: Wanted) -> list[Step]:
        return [one for one in LADDER(program, wanted) if one is not step or wanted is Wanted.VERTEX]

    return minimise, "_ladder", ladder


def but_where_all_move(*arguments: Any, margin: float, **options: Any) -> Any:
    return refinement.refined(*arguments, margin=margin, **options) if margin else None


RUNGS: dict[str, tuple[Any, str, Any]] = {
    "stricter": (exact_rows, "stricter", as_they_are),
    "rounding first": (exact_rows, "_found", corrected_at_once),
    "refinement": (exact_rows, "refined", nothing),
    "all moved": (exact_rows, "refined", but_where_all_move),
    "contraction": (exact_rows, "contracted", each_alone),
    "potentials": (capped_plans, "balancing", nowhere),
    "Clarabel unrefined": without(minimise.UNREFINED),
    "Clarabel": without(minimise.CLARABEL),
    "Clarabel more regular": without(minimise.REGULAR),
    "simplex method": without(minimise.SIMPLEX),
}

GUARDS = [
    ("stricter", "extreme 2185"),  # an epsilon of 1e-12 beside one of 20, and one matrix for all
    ("rounding first", "extreme 81"),  # deltas of 1e-12, which a correction in doubles does not see
    ("refinement", "counting 8 worst-loss absolute 5 0 shared"),  # with rounding alone it is too far from the optimum
    ("all moved", "extreme 101"),  # what solvers leave where it is has to make room
    ("contraction", "extreme 30"),  # an epsilon of 0
    ("potentials", "chain 8 max-off-diagonal none 0.05 0"),  # in proportion too much moves between two categories
    ("Clarabel unrefined", "various 1921"),
    ("Clarabel", "extreme 3824"),
    ("Clarabel more regular", "extreme 139"),
    ("simplex method", "extreme 962"),  # Clarabel's multipliers prove too little
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
