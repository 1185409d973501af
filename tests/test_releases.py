from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from answered import answered
from hypothesis import given
from hypothesis import strategies as st
from strategies import distributions

import mechdesign as md
from mechdesign import ExpectedLoss, MaxOffDiagonal
from mechdesign.designer.component import components
from mechdesign.privacy.gaps import hockey_stick, unmet
from mechdesign.privacy.released import Released, released_by
from mechdesign.privacy.requirement import Requirement, requirements
from mechdesign.problem import NEAR, Problem
from mechdesign.rounding.classes import releases_by_classes
from mechdesign.rounding.contraction import contracted
from mechdesign.rounding.equations import solved_for
from mechdesign.rounding.matrix_rows import matrix_rows
from mechdesign.rounding.releases import ROW_BITS, has_moved, private_releases
from mechdesign.rounding.room import Flags
from mechdesign.solver.structured import solve_structured
from mechdesign.symmetry.by_classes import by_classes

F = Fraction
CHAIN = [
    (F(2, 10), F(3, 10), F(4, 10), F(1, 10)),
    (F(3, 10), F(3, 10), F(3, 10), F(1, 10)),
    (F(4, 10), F(4, 10), F(1, 10), F(1, 10)),
]


def chain(epsilon: Fraction, delta: Fraction = Fraction(0), *, shared: bool = False, **options: Any) -> Problem:
    edges = tuple(Requirement(i, i + 1, epsilon, delta) for i in range(2))
    return Problem(CHAIN, edges, options.get("objective", MaxOffDiagonal()), np.ones(3) / 3, shared)


def released(problem: Problem, guess: Any, moved: Flags | None = None) -> list[Released]:
    """Return what leaves where a solver says this; contracted before, as it must be."""
    one = contracted(problem)
    mean = one.mean(guess)
    own = has_moved(one.problem, mean) if moved is None else moved[[group[0] for group in one.groups]]
    return one.each(answered(private_releases(one.problem, mean, own)))


@given(
    st.sampled_from(["0", "1/1000", "1/4", "1"]),
    st.sampled_from(["0", "1/100"]),
    st.integers(0, 2**32),
    st.none() | st.lists(st.booleans(), min_size=3, max_size=3),
)
def test_any_guess_becomes_private(epsilon: str, delta: str, seed: int, moved: list[bool] | None) -> None:
    """A solver may be wrong by far, and so may what is said to have moved: what leaves is private all the same."""
    problem = chain(F(epsilon), F(delta))
    noise = np.random.default_rng(seed).normal(size=(3, 4)) * 10.0 ** np.random.default_rng(seed).integers(-12, 1)
    exact = released(problem, problem.profiles + noise, moved if moved is None else np.array(moved))
    assert unmet(exact, problem.required) is None
    for one in exact:
        assert sum(one.weights) == one.total
        assert all(weight >= 0 for weight in one.weights)


@given(st.integers(0, 2**32))
def test_rationals_are_rounded_as_doubles_are(seed: int) -> None:
    problem = chain(F(1, 4))
    guess = np.random.default_rng(seed).dirichlet(np.ones(4), 3)
    rational = np.array([[F(mass) for mass in row] for row in guess.tolist()], dtype=object)
    both = (released(problem, one) for one in (guess, rational))
    assert [one.fractions() for one in next(both)] == [one.fractions() for one in next(both)]


def test_what_is_private_already_is_only_rounded() -> None:
    guess = np.array([[0.25, 0.25, 0.3, 0.2], [0.25, 0.3, 0.25, 0.2], [0.3, 0.25, 0.25, 0.2]])
    for one, own in zip(released(chain(F(1, 4)), guess), guess.tolist(), strict=True):
        assert all(abs(mass - F(near)) <= F(1, 2**50) for mass, near in zip(one.fractions(), own, strict=True))


@pytest.mark.parametrize("epsilon", ["0.05", "0.5", "1"])
def test_repair_costs_nearly_nothing(epsilon: str) -> None:
    """An optimum with errors of 1e-10 in every entry moves by about that much."""
    problem = chain(F(epsilon))
    optimum = solve_structured(problem).released
    noise = np.random.default_rng(0).normal(size=(3, 4)) * 1e-10
    exact = released(problem, optimum + noise - noise.mean(axis=1, keepdims=True))
    assert unmet(exact, problem.required) is None
    change = np.array([[float(mass) for mass in one.fractions()] for one in exact]) - optimum
    assert np.abs(change).max() < 1e-7


def test_profiles_that_need_not_move_keep_their_distribution_exactly() -> None:
    problem = chain(F(1, 2))
    exact = released(problem, np.array([CHAIN[0], [0.31, 0.31, 0.27, 0.11], [0.34, 0.34, 0.2, 0.12]], dtype=float))
    assert unmet(exact, problem.required) is None
    assert exact[0].fractions() == CHAIN[0]
    assert exact[1].fractions() != CHAIN[1]


def test_what_only_a_solvers_errors_move_stays_where_it_is() -> None:
    problem = chain(F(1, 2))
    target, sign = problem.target_in_doubles, np.array([1, -1, 1, -1])
    assert has_moved(problem, target + sign * NEAR / 2).tolist() == [False] * 3
    assert has_moved(problem, target + sign * np.array([[0], [2], [0]]) * NEAR).tolist() == [False, True, False]


def test_profiles_that_need_not_move_do_where_the_others_would_not_be_private() -> None:
    """The second one's last output exceeds what the first one's target allows."""
    problem = chain(F(1, 2))
    guess = np.array([CHAIN[0], [0.2, 0.3, 0.3, 0.2], [0.2, 0.3, 0.3, 0.2]], dtype=float)
    moved = np.array([False, True, True])
    exact = answered(private_releases(problem, guess, moved))
    assert unmet(exact, problem.required) is None
    assert exact[0].fractions() != CHAIN[0]


def test_totals_allow_integer_plans() -> None:
    problem = chain(F(1, 2))
    for one in released(problem, np.array([CHAIN[1]] * 3, dtype=float) + 1e-3):
        assert all((mass * one.total).denominator == 1 for mass in (F(1, 10), F(2, 10), F(3, 10)))
        assert one.total < 2**ROW_BITS


def test_categories_that_nobody_has_stay_empty() -> None:
    """A column that is 0 for one profile and 1e-14 for its neighbour would be an infinite epsilon."""
    edge = (Requirement(0, 1, F(1, 2), F(0)),)
    problem = Problem([(F(1, 2), F(1, 2), F(0)), (F(1, 4), F(3, 4), F(0))], edge, MaxOffDiagonal(), np.ones(2), False)
    guess = np.array([[0.45, 0.55, 1e-14], [0.35, 0.65, -1e-14]])
    exact = released(problem, guess)
    assert [one.weights[2] for one in exact] == [0, 0]
    assert np.array([one.fractions() for one in exact], dtype=float) == pytest.approx(guess, abs=1e-9)
    assert unmet(exact, edge) is None


@given(st.sampled_from(["0", "1/1000", "1/4", "1"]), st.sampled_from(["0", "1/100"]), st.integers(0, 2**32))
def test_any_shared_matrix_becomes_private(epsilon: str, delta: str, seed: int) -> None:
    problem = chain(F(epsilon), F(delta), shared=True, objective=ExpectedLoss())
    guess = np.random.default_rng(seed).dirichlet(np.ones(4), 4)
    made = answered(matrix_rows(problem, guess[None]))
    rows = dict(zip(made.categories.tolist(), made.table[made.numbers].tolist(), strict=True))
    table = [rows[x] for x in range(4)]
    assert all(type(weight) is int and weight >= 0 for row in table for weight in row)
    after = [released_by(profile, table) for profile in CHAIN]
    for edge in problem.required:
        for a, b in edge.directions():
            assert hockey_stick(after[a], after[b], edge.ratio_below) <= edge.delta


CLASSES = [
    (md.value_graph(range(5)), ExpectedLoss(), "0"),
    (md.value_graph(range(4)), MaxOffDiagonal(), "1/100"),
    (md.counting_graph(7), ExpectedLoss("absolute"), "1/50"),
    (md.database_graph(range(2), 3), ExpectedLoss("rows"), "0"),
    (md.database_graph(range(3), 2), md.WorstLoss("rows"), "1/10"),
    (md.profile_graph({"a": ["2/3", "1/3"], "b": ["1/3", "2/3"]}, edges="all", categories=[0, 1]), ExpectedLoss(), "0"),
]


@given(st.sampled_from(CLASSES), st.sampled_from(["1/1000", "1/4", "1"]), st.integers(0, 2**32), st.booleans())
def test_any_guess_for_classes_becomes_private_and_stays_alike(
    case: tuple[Any, Any, str], epsilon: str, seed: int, rational: bool
) -> None:
    graph, objective, delta = case
    (part,) = components(graph, requirements(graph, F(epsilon), F(delta)), objective, shared=False)
    problem = by_classes(part.problem, part.prior)
    assert problem is not None
    assert problem.alike is not None
    rng = np.random.default_rng(seed)
    guess: Any = (
        problem.target_in_doubles
        + (rng.normal(size=len(problem.sizes)) * 10.0 ** rng.integers(-12, 1))[problem.variables]
    )
    moved = rng.random(len(guess)) < 0.8
    if rational:
        guess = np.array([[F(mass) for mass in row] for row in guess.tolist()], dtype=object)
    exact = answered(releases_by_classes(problem, guess, moved))
    assert unmet(exact, part.problem.required) is None
    shares: dict[int, set[Fraction]] = {}
    for one, row, masses in zip(exact, problem.alike.classes.tolist(), part.problem.exact, strict=True):
        assert sum(one.weights) == one.total
        assert all((mass * one.total).denominator == 1 for mass in masses)
        for c, mass in zip(row, one.fractions(), strict=True):
            assert mass >= 0
            shares.setdefault(c, set()).add(mass)
    assert all(len(found) == 1 for found in shares.values())


def test_an_answer_that_is_nonsense_becomes_private() -> None:
    """Where nothing is said to be released all outputs are, alike."""
    graph, objective, _ = CLASSES[0]
    (part,) = components(graph, requirements(graph, F(1), F(0)), objective, shared=False)
    problem = by_classes(part.problem, part.prior)
    assert problem is not None
    for one in (
        *releases_by_classes(problem, np.full((1, 5), -1.0), np.array([True])),
        *private_releases(part.problem, np.full((5, 5), -1.0), np.ones(5, dtype=bool)),
    ):
        assert [round(mass, 15) for mass in one.fractions()] == [F(1, 5)] * 5


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
