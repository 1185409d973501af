from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mechdesign.rounding.mixing import ROW_BITS, etas, repaired, repaired_shared, solved_for
from strategies import distributions

from mechdesign import ExpectedLoss, MaxOffDiagonal
from mechdesign.privacy.gaps import hockey_stick, unmet
from mechdesign.privacy.released import released_through
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import Problem
from mechdesign.solver.structured import solve_structured

F = Fraction
CHAIN = [
    (F(2, 10), F(3, 10), F(4, 10), F(1, 10)),
    (F(3, 10), F(3, 10), F(3, 10), F(1, 10)),
    (F(4, 10), F(4, 10), F(1, 10), F(1, 10)),
]


def chain(epsilon: Fraction, delta: Fraction = Fraction(0), *, shared: bool = False, **options: Any) -> Problem:
    edges = tuple(Requirement(i, i + 1, epsilon, delta) for i in range(2))
    return Problem(CHAIN, edges, options.get("objective", MaxOffDiagonal()), np.ones(3) / 3, shared)


def test_mixing_goes_from_nothing_to_everything() -> None:
    weights = list(etas())
    assert weights[0] == 0
    assert weights[-1] == 1
    assert weights == sorted(weights)


@given(st.sampled_from(["0", "1/1000", "1/4", "1"]), st.sampled_from(["0", "1/100"]), st.integers(0, 2**32))
def test_any_guess_becomes_private(epsilon: str, delta: str, seed: int) -> None:
    """A solver may be wrong by far: what leaves is private all the same."""
    problem = chain(F(epsilon), F(delta))
    noise = np.random.default_rng(seed).normal(size=(3, 4)) * 10.0 ** np.random.default_rng(seed).integers(-12, 0)
    guess = problem.profiles + noise
    exact = repaired(problem, guess)
    assert unmet(exact, problem.required) is None
    for one in exact:
        assert sum(one.weights) == one.total
        assert all(weight >= 0 for weight in one.weights)


@pytest.mark.parametrize("epsilon", ["0.05", "0.5", "1"])
def test_repair_costs_nearly_nothing(epsilon: str) -> None:
    """An optimum with errors of 1e-10 in every entry moves by about that much."""
    problem = chain(F(epsilon))
    optimum = solve_structured(problem).released
    noise = np.random.default_rng(0).normal(size=(3, 4)) * 1e-10
    exact = repaired(problem, optimum + noise - noise.mean(axis=1, keepdims=True))
    assert unmet(exact, problem.required) is None
    change = np.array([[float(mass) for mass in one.fractions()] for one in exact]) - optimum
    assert np.abs(change).max() < 1e-7


def test_profiles_that_need_not_move_keep_their_distribution_exactly() -> None:
    problem = chain(F(1, 2))
    exact = repaired(problem, np.array([CHAIN[0], [0.31, 0.31, 0.27, 0.11], [0.34, 0.34, 0.2, 0.12]], dtype=float))
    assert unmet(exact, problem.required) is None
    assert exact[0].fractions() == CHAIN[0]
    assert exact[1].fractions() != CHAIN[1]


def test_totals_allow_integer_plans() -> None:
    problem = chain(F(1, 2))
    for one in repaired(problem, np.array([CHAIN[1]] * 3, dtype=float) + 1e-3):
        assert all((mass * one.total).denominator == 1 for mass in (F(1, 10), F(2, 10), F(3, 10)))
        assert one.total < 2 ** (ROW_BITS + 1)


def test_categories_that_nobody_has_stay_empty() -> None:
    """A column that is 0 for one profile and 1e-14 for its neighbour would be an infinite epsilon."""
    edge = (Requirement(0, 1, F(1, 2), F(0)),)
    problem = Problem([(F(1, 2), F(1, 2), F(0)), (F(1, 4), F(3, 4), F(0))], edge, MaxOffDiagonal(), np.ones(2), False)
    guess = np.array([[0.45, 0.55, 1e-14], [0.35, 0.65, -1e-14]])
    exact = repaired(problem, guess)
    assert [one.weights[2] for one in exact] == [0, 0]
    assert np.array([one.fractions() for one in exact], dtype=float) == pytest.approx(guess, abs=1e-9)
    assert unmet(exact, edge) is None


@given(st.sampled_from(["0", "1/1000", "1/4", "1"]), st.sampled_from(["0", "1/100"]), st.integers(0, 2**32))
def test_any_shared_matrix_becomes_private(epsilon: str, delta: str, seed: int) -> None:
    problem = chain(F(epsilon), F(delta), shared=True, objective=ExpectedLoss())
    guess = np.random.default_rng(seed).dirichlet(np.ones(4), 4)
    table = repaired_shared(problem, guess)
    assert table.shape == (4, 4)
    assert all(type(weight) is int and weight >= 0 for weight in table.ravel())
    released = [released_through(zip(profile, table, strict=True)) for profile in CHAIN]
    for edge in problem.required:
        for a, b in edge.directions():
            assert hockey_stick(released[a], released[b], edge.ratio_below) <= edge.delta


@given(st.integers(1, 4).flatmap(lambda d: st.lists(st.tuples(distributions(d), distributions(d)), max_size=3)))
def test_dependent_unknowns_solve_the_equations(pairs: list[tuple[tuple[Fraction, ...], ...]]) -> None:
    equations = [[p - q for p, q in zip(first, second, strict=True)] for first, second in pairs]
    dependent = solved_for(equations)
    size = len(equations[0]) if equations else 0
    assert all(other not in dependent for factors in dependent.values() for other in factors)
    for free in set(range(size)) - set(dependent):
        x = [F(y == free) for y in range(size)]
        for unknown, factors in dependent.items():
            x[unknown] = factors.get(free, F(0))
        assert all(sum(c * v for c, v in zip(equation, x, strict=True)) == 0 for equation in equations)
    rank = np.linalg.matrix_rank(np.array(equations, dtype=float)) if size else 0
    assert len(dependent) == rank


def test_small_coefficients_are_not_divided_by() -> None:
    """A row found by dividing by 1e-30 would be none of probabilities once the others are rounded."""
    tiny = F(1, 10**30)
    dependent = solved_for([[tiny, F(1), -1 - tiny, F(0)], [tiny, F(1, 2), F(0), -F(1, 2) - tiny]])
    assert dependent.keys() == {2, 3}
    assert all(abs(factor) <= 1 for factors in dependent.values() for factor in factors.values())
