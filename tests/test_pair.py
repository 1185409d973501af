"""Two profiles alone: level and multipliers by the theorem are the optimum, and the nearest design is the solver's."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_two_profiles import Masses, deltas, pairs

import mechdesign as md
from mechdesign.certificate.bound import proved
from mechdesign.designer.component import components
from mechdesign.privacy.requirement import requirements
from mechdesign.problem import Problem
from mechdesign.solver.canonical import canonical
from mechdesign.solver.core import solve_core
from mechdesign.solver.pair import solve_pair
from mechdesign.solver.structured import solve_structured
from mechdesign.stopwatch import announced_to

HALF = [Fraction(1, 2)] * 2
UNLIKE = [Fraction(1, 10), Fraction(3, 10), Fraction(6, 10)], [Fraction(5, 10), Fraction(2, 10), Fraction(3, 10)]


def problem_of(
    both: tuple[Masses, Masses], epsilon: Fraction, delta: Fraction = Fraction(0), *, shared: bool = False
) -> Problem:
    graph = md.profile_graph(dict(enumerate(both)), edges=[(0, 1)], categories=list(range(len(both[0]))))
    return components(graph, requirements(graph, epsilon, delta), md.MaxOffDiagonal(), shared=shared)[0].problem


@settings(max_examples=20, deadline=None)
@given(pairs(6), st.fractions(0, 4, max_denominator=20), deltas)
def test_its_multipliers_prove_its_level(both: tuple[Masses, Masses], epsilon: Fraction, delta: Fraction) -> None:
    problem = problem_of(both, epsilon, delta)
    assume(not problem.needs_no_noise)
    found = solve_pair(problem)
    assert found is not None
    assert found.value == float(md.two_profiles(*both, epsilon=epsilon, delta=delta))
    assert float(proved(problem, found.multipliers, HALF).least) == pytest.approx(found.value, rel=1e-12, abs=1e-15)


@settings(max_examples=10, deadline=None)
@given(pairs(5), st.fractions(0, 2, max_denominator=10), deltas)
def test_the_nearest_design_is_the_same(both: tuple[Masses, Masses], epsilon: Fraction, delta: Fraction) -> None:
    problem = problem_of(both, epsilon, delta)
    assume(not problem.needs_no_noise)
    here, there = solve_core(problem), solve_structured(problem)
    assert here is not None
    assert here.value == pytest.approx(there.value, abs=1e-10)
    chosen, usual = canonical(problem, here), canonical(problem, there)
    assert chosen is not None
    assert usual is not None
    assert abs(chosen.released - usual.released).max() < 1e-5


def test_a_design_asks_no_solver_for_the_level() -> None:
    graph = md.profile_graph(dict(enumerate(UNLIKE)), edges=[(0, 1)], categories=["x", "y", "z"])
    said: list[str] = []
    with announced_to(said.append):
        made = md.design(graph, epsilon="1/2", delta="1/50")
    assert [words for words in said if words.startswith("solve, round")] == []
    assert [words for words in said if words.startswith("canonical, round")] != []
    assert 0 <= made.value - made.bound <= made.bound * Fraction(2, 10**9)


def test_where_it_does_not_apply() -> None:
    assert solve_core(problem_of(UNLIKE, Fraction(1, 2), shared=True)) is None
    assert solve_core(problem_of(([Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]), Fraction(10**6))) is None
