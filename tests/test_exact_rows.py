"""Each rung of the ladder to exactly private rows is needed: named designs fail without it.

A design fails if none is found, if its value is above its bound, or if it is not the canonical optimum any more. What a
rung is for is in its docstring; benchmarks/ablate.py finds such designs.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from mechdesign import SolverError, design, read_graph
from mechdesign.arrays import Floats
from mechdesign.bench.strained import strained
from mechdesign.designer import component
from mechdesign.problem import Problem
from mechdesign.program.program import Program
from mechdesign.rounding import capped_plans, exact_rows
from mechdesign.rounding.contraction import Contracted
from mechdesign.solver import canonical, clarabel, highs


def faults(name: str) -> tuple[bool, bool]:
    """Return whether a design is far above its bound or none, and whether it is not the canonical optimum."""
    try:
        result = strained(name).design()
    except SolverError:
        return True, True
    far = result.value - result.bound > max(Fraction(2, 10**9), result.value / 10**6)
    return far, result.stats["any_optimum"] > 0


def nothing(*_: Any) -> Iterator[Any]:
    return iter(())


def nowhere(caps: Floats, _: Floats) -> Floats:
    """Return potentials at which nothing moves."""
    return caps * 0


def as_it_is(problem: Problem) -> Iterator[Problem]:
    yield problem


def each_alone(problem: Problem) -> Contracted:
    return Contracted(problem, problem, [[i] for i in range(len(problem.exact))])


def uncorrected(program: Program, solver: Any, x: Floats, duals: Floats) -> tuple[Floats, Floats]:
    del program, solver
    return x, duals


RUNGS: dict[str, tuple[Any, str, Any]] = {
    "stricter": (exact_rows, "_stricter", as_it_is),
    "refinement": (exact_rows, "_by_refinement", nothing),
    "targets": (exact_rows, "_from_targets", nothing),
    "contraction": (exact_rows, "contracted", each_alone),
    "potentials": (capped_plans, "balancing", nowhere),
    "second solver": (component, "MORE_ENTRIES", 0),
    "correction": (highs, "_magnified", uncorrected),
    "regularisation": (clarabel, "FACTORISATIONS", [one for one in clarabel.FACTORISATIONS if one[0] != 1e-12]),
    "weights": (canonical, "LOSS_WEIGHTS", canonical.LOSS_WEIGHTS[:1]),
}

GUARDS = [
    ("stricter", "extreme 175"),  # an epsilon of 1e-8, and one matrix for all
    ("stricter", "extreme 1326"),  # an epsilon of 1e-12 beside others of 30
    ("refinement", "extreme 87"),  # masses down to 1e-15
    ("refinement", "extreme 962"),  # all epsilons are 1e-12 or 1e-8
    ("targets", "extreme 214"),  # an optimum smaller than the solver's errors, at epsilon 30
    ("targets", "bell 12 0.5 30 max-off-diagonal none"),  # so too: nearly all mass is in one category
    ("contraction", "extreme 30"),  # an epsilon of 0
    ("potentials", "extreme 325"),  # in proportion too much moves between two categories
    ("potentials", "chain 8 max-off-diagonal none 0.05 0"),  # so too, where nothing is strained
    ("second solver", "extreme 921"),  # Clarabel's multipliers prove too little
    ("correction", "counting 8 worst-loss absolute 5 0 shared"),  # HiGHS' errors of 1e-10 are much of a small value
    ("regularisation", "extreme 962"),  # all epsilons are 1e-12 or 1e-8: the canonical optimum is lost
    ("weights", "extreme 49"),  # an exact penalty needs more than the first weight
]


@pytest.mark.parametrize(("rung", "name"), GUARDS, ids=lambda one: str(one))
def test_each_rung_is_needed(rung: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_it = faults(name)
    assert not with_it[0]
    monkeypatch.setattr(*RUNGS[rung])
    assert faults(name) > with_it


def test_mixing_alone_will_do_as_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refinement solves a program as large as the second stage's, so it must not come first."""
    usual = design(read_graph("categorical-chain"), epsilon="0.5")
    for rung in ("_by_refinement", "_from_targets"):
        monkeypatch.setattr(exact_rows, rung, nothing)
    alone = design(read_graph("categorical-chain"), epsilon="0.5")
    assert (alone.value, alone.stats["any_optimum"]) == (usual.value, 0)
