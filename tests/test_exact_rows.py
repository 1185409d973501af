"""Each rung of the ladder to exactly private rows is needed: named designs fail without it.

A design fails if none is found, if its value is above its bound, or if it is not the canonical optimum any more. What a
rung is for is in its docstring; benchmarks/ablate.py finds such designs.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

from mechdesign import SolverError, design, read_graph
from mechdesign.bench.strained import strained
from mechdesign.problem import Problem
from mechdesign.rounding import exact_rows, transport_plans
from mechdesign.rounding.contraction import Contracted


def fails(name: str) -> bool:
    try:
        result = strained(name).design()
    except SolverError:
        return True
    far = result.value - result.bound > max(Fraction(2, 10**9), result.value / 10**6)
    return far or result.stats["any_optimum"] > 0


def nothing(*_: Any) -> Iterator[Any]:
    return iter(())


def none(*_: Any) -> None:
    return None


def as_it_is(problem: Problem) -> Iterator[Problem]:
    yield problem


def each_alone(problem: Problem) -> Contracted:
    return Contracted(problem, problem, [[i] for i in range(len(problem.exact))])


RUNGS: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "refinement": (exact_rows, "_by_refinement", nothing),
    "targets": (exact_rows, "_from_targets", nothing),
    "contraction": (exact_rows, "contracted", each_alone),
    "flow": (transport_plans, "_flow", none),
    "stricter": (exact_rows, "_stricter", as_it_is),
}

GUARDS = [
    ("refinement", "extreme 87"),  # an epsilon of 1e-8 at violations of 1e-10
    ("refinement", "extreme 962"),
    ("targets", "extreme 214"),  # an optimum smaller than the solver's errors
    ("targets", "bell 12 0.5 30 max-off-diagonal none"),  # nearly all mass in one category
    ("contraction", "extreme 12"),  # edges of epsilon 0 beside others
    ("flow", "extreme 325"),  # plans that the heuristic does not find: far too much noise
    ("flow", "chain 8 max-off-diagonal none 0.05 0"),  # nothing strained: a small epsilon is enough
]


@pytest.mark.parametrize(("rung", "name"), GUARDS, ids=lambda one: str(one))
def test_each_rung_is_needed(rung: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not fails(name)
    monkeypatch.setattr(*RUNGS[rung])
    assert fails(name)


def test_mixing_alone_will_do_as_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refinement solves a program as large as the second stage's, so it must not come first."""
    usual = design(read_graph("categorical-chain"), epsilon="0.5")
    for rung in ("_by_refinement", "_from_targets"):
        monkeypatch.setattr(exact_rows, rung, nothing)
    alone = design(read_graph("categorical-chain"), epsilon="0.5")
    assert (alone.value, alone.stats["any_optimum"]) == (usual.value, 0)
