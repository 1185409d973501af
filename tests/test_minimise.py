"""The ladder of solvers: each finds the same, the next is asked where an error is large, and failures are named."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from answered import answered
from cases import CHAIN, out_of_order

from mechdesign import SolverError, design
from mechdesign.arrays import Entries
from mechdesign.program.program import Program, RowBuilder
from mechdesign.program.units import InUnits
from mechdesign.solver import highs, vertices
from mechdesign.solver import minimise as module
from mechdesign.solver.clarabel import by_clarabel
from mechdesign.solver.minimise import (
    CLARABEL,
    CROSSOVER,
    FROM_WITHIN,
    INTERIOR,
    REGULAR,
    RESCALED,
    SIMPLEX,
    UNREFINED,
    Step,
    Wanted,
    minimise,
    minimum_of,
)
from mechdesign.solver.optimality import Answer, Refuted, error_of
from mechdesign.solver.vertices import to_vertex

STEPS = dict((UNREFINED, CLARABEL, REGULAR, FROM_WITHIN, RESCALED, INTERIOR, CROSSOVER, SIMPLEX))


def program(upper: float = 0.75, curvature: float | None = None) -> Program:
    """Minimise x + y (+ curvature (x² + y²) / 2) with x + y >= 1 and x <= `upper`, x, y >= 0, y <= 1/2."""
    rows = RowBuilder()
    rows.at_most(sp.csr_matrix([[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]]), np.array([-1.0, upper, 0.5]))
    return rows.program(np.ones(2), np.zeros(2), None if curvature is None else np.full(2, curvature))


def off_by(error: float, step: Step) -> Step:
    """Return the step with an answer that is farther off."""

    def solve(program: Program, accuracy: float) -> Any:
        answer = step[1](program, accuracy)
        return answer if isinstance(answer, str) else answer._replace(columns=answer.columns - error)

    return step[0], solve


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("curvature", [None, 1.0])
def test_each_step_finds_the_same(name: str, curvature: float | None) -> None:
    if curvature is not None and ("HiGHS" in name or "crossover" in name):
        pytest.skip("for linear programs")
    answer = STEPS[name](program(curvature=curvature), 0.0)
    assert not isinstance(answer, str)
    x, multipliers, prices, _ = answer
    assert x.sum() == pytest.approx(1, abs=1e-9)
    assert multipliers[0] == pytest.approx(1 if curvature is None else 1.5, abs=1e-6)
    assert (prices >= 0).all()
    assert error_of(program(curvature=curvature), x, multipliers, prices) <= 1e-10


def test_the_error_is_what_is_missed_most() -> None:
    x, multipliers, none = np.array([0.5, 0.5]), np.array([1.0, 0.0, 0.0]), np.zeros(2)
    assert error_of(program(), x, multipliers, none) == 0
    assert error_of(program(), x - 0.01, multipliers, none) == pytest.approx(0.02)  # a row is violated
    assert error_of(program(), x - np.array([0.75, -0.75]), multipliers, none) == pytest.approx(0.75)  # so is another
    assert error_of(program(), x, multipliers * 0.9, none) == pytest.approx(0.1)  # costs that nothing pays for
    assert error_of(program(), np.array([0.7, 0.5]), multipliers, none) == pytest.approx(0.2 / 1.2)  # values apart
    assert error_of(program(), x * np.nan, multipliers, none) == np.inf


def test_the_best_answer_is_taken_if_it_is_not_far_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CLARABEL", off_by(2e-9, CLARABEL))
    monkeypatch.setattr(module, "SIMPLEX", off_by(4e-9, SIMPLEX))
    assert minimise(program()).error == pytest.approx(4e-9, rel=0.01)
    monkeypatch.setattr(module, "SIMPLEX", ("HiGHS' simplex method", out_of_order))
    assert minimise(program()).error == pytest.approx(4e-9, rel=0.01)
    monkeypatch.setattr(module, "CLARABEL", off_by(1e-7, CLARABEL))
    words = "Clarabel: an error of 2e-07; HiGHS' simplex method: out of order"
    with pytest.raises(SolverError, match=f"no solver finds an optimum .{words}"):
        minimise(program())


def test_what_runs_away_from_probabilities_is_no_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, step in (("UNREFINED", UNREFINED), ("CLARABEL", CLARABEL), ("REGULAR", REGULAR)):
        monkeypatch.setattr(module, name, off_by(2.0, step))
    with pytest.raises(SolverError, match=r"Clarabel, more regular: an error of 4\)"):
        minimise(program(curvature=1.0))
    monkeypatch.setattr(module, "CLARABEL", off_by(0.2, CLARABEL))
    assert minimise(program(curvature=1.0)).error < 1e-9


def test_a_vertex_is_found_in_units_of_what_is_nearly_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, step in (("CROSSOVER", CROSSOVER), ("SIMPLEX", SIMPLEX)):
        monkeypatch.setattr(module, name, off_by(1e-6, step))
    monkeypatch.setattr(module, "REGULAR", ("Clarabel, more regular", out_of_order))
    found = minimise(program(), Wanted.VERTEX)
    assert found.error < 1e-12
    assert found.basis is not None
    for name in ("CROSSOVER", "SIMPLEX"):
        monkeypatch.setattr(module, name, (name, out_of_order))
    monkeypatch.setattr(module, "REGULAR", REGULAR)
    assert minimise(program(), Wanted.VERTEX).error < 1e-9  # without units another step has its turn


def test_a_large_program_that_clarabel_does_not_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MANY_ROWS", 1)
    for name, step in (("CLARABEL", CLARABEL), ("REGULAR", REGULAR)):
        monkeypatch.setattr(module, name, off_by(1e-7, step))
    assert minimise(program()).error < 1e-12


@pytest.mark.parametrize("curvature", [None, 1.0])
def test_a_program_in_other_units_has_the_same_answer(curvature: float | None) -> None:
    """Columns of very different size, multipliers and prices too: what `RESCALED` finds is an answer to the program."""
    whole = program(curvature=curvature)
    inside = InUnits.of(whole, np.array([1e-3, 4.0]))
    found = answered(CLARABEL[1](inside.program, 0.0))
    x, multipliers = inside.undone(found.columns, found.multipliers)
    assert error_of(whole, x, multipliers, found.prices / inside.units) < 1e-9
    np.testing.assert_allclose(abs(inside.program.matrix).power(2).sum(axis=1), 1)


@pytest.mark.parametrize("curvature", [None, 1.0])
@pytest.mark.parametrize("accuracy", [0.0, 1e-4])
def test_a_program_without_solution(curvature: float | None, accuracy: float) -> None:
    """What Clarabel returns then is a proof that there is none, with tiny residuals; it must not pass for an answer."""
    with pytest.raises(SolverError, match="PrimalInfeasible"):
        minimise(program(0.25, curvature), accuracy=accuracy)


@pytest.mark.parametrize("step", [CLARABEL, REGULAR], ids=lambda step: step[0])
@pytest.mark.parametrize("missing", [1e-9, 1e-7])
def test_a_level_that_is_hardly_too_low_is_refuted(missing: float, step: Step) -> None:
    """By multipliers that prove it: of x + y >= 1, x <= 1/2 - missing and y <= 1/2 all three, equally large."""
    refuted = step[1](program(0.5 - missing, 1.0), 0.0)
    assert isinstance(refuted, Refuted)
    assert refuted.multipliers / refuted.multipliers.max() == pytest.approx(1)


@pytest.mark.parametrize("missing", [1e-12, 1e-6, 0.01])
def test_a_huge_answer_is_none(missing: float) -> None:
    """An idle column without bound makes x huge, and Clarabel's residual, relative to x, tiny: "Solved", it may say."""
    rows = RowBuilder()
    rows.equal(sp.csr_matrix([[1.0, 1.0, 0.0]]), 1.0)
    idle = sp.csr_matrix([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, -1.0]])
    rows.at_most(idle, np.array([0.5, 0.5 - missing, 0.0]))
    nowhere = rows.program(np.array([-0.3, -0.7, 0.0]), np.full(3, -np.inf), np.array([1.0, 1.0, 0.0]))
    with pytest.raises(SolverError):
        minimise(nowhere)


def lots(count: int) -> Program:
    """Minimise so many columns that add up to 1, each at least half of the next."""
    chain = sp.diags([-1.0, 0.5], [0, 1], shape=(count - 1, count))
    rows = RowBuilder()
    rows.equal(sp.csr_matrix(np.ones((1, count))), 1.0)
    rows.at_most(chain, 0.0)
    return rows.program(np.arange(count) / count, np.zeros(count))


def test_a_large_sparse_program_comes_to_its_vertex_from_within(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CROSSOVER", "REGULAR", "SIMPLEX", "SIMPLEX_RESCALED"):
        monkeypatch.setattr(module, name, (name, out_of_order))
    with pytest.raises(SolverError, match=r"optimum \(CROSSOVER: out of order"):
        minimise(lots(20), Wanted.VERTEX)
    monkeypatch.setattr(module, "MANY_ROWS", 10)
    found = minimise(lots(20), Wanted.VERTEX)
    assert found.columns == pytest.approx(np.eye(20)[0])
    assert found.error < 1e-12
    columns, rows = found.basis.beside
    assert columns.sum() + rows.sum() == 20


@pytest.mark.parametrize("interruptible", [False, True])
def test_highs_is_stopped_once_the_time_is_over(interruptible: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within its simplex method, its interior-point method and a crossover: what it has got is no optimum, if any."""
    whole = replace(lots(400), cost=np.random.default_rng(1).random(400))
    nearly = replace(whole, cost=np.append(whole.cost[40:0:-1], whole.cost[40:]))
    inner = answered(REGULAR[1](nearly, 0.0))
    for place in (highs, vertices):
        monkeypatch.setattr(place, "is_over", lambda: True)
    monkeypatch.setattr(highs, "is_interruptible", lambda: interruptible)
    found = [
        *(step(whole, 0.0) for _, step in (SIMPLEX, INTERIOR, CROSSOVER)),
        to_vertex(whole, InUnits.plain(whole), inner, 200),
    ]
    is_optimum = [not isinstance(x, str) and error_of(whole, x.columns, x.multipliers, x.prices) < 1e-8 for x in found]
    assert is_optimum == [not interruptible] * 4


def test_a_large_program_whose_factors_are_filled_goes_another_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MANY_ROWS", 10)
    triples, rows = np.random.default_rng(0).permuted(np.tile(np.arange(400), (800, 1)), axis=1)[:, :3], RowBuilder()
    rows.at_most(Entries(800, np.repeat(np.arange(800), 3), triples.ravel(), np.ones(2400)), 1.0)
    for name in ("CROSSOVER", "REGULAR", "SIMPLEX"):
        monkeypatch.setattr(module, name, (name, out_of_order))
    with pytest.raises(SolverError, match=r"Clarabel with a crossover: factors .* filled; CROSSOVER: out of order"):
        minimise(rows.program(-np.ones(400), np.zeros(400)), Wanted.VERTEX)


@pytest.mark.parametrize(("off", "asked", "iterations"), [(0.0, [1e-8], [10]), (1e-7, [1e-8, 1e-7], [2, 10])])
def test_what_is_far_off_within_and_from_a_vertex_is_found_again_with_more_regularisation(
    off: float, asked: list[float], iterations: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    regularisations, limits = list[float](), list[int]()

    def far(*given: Any, regularisation: float, **how: Any) -> Answer:
        regularisations.append(regularisation)
        found = answered(by_clarabel(*given, regularisation=regularisation, **how))
        return found._replace(columns=found.columns + off * (len(regularisations) == 1))

    def moved(program: Program, inside: InUnits, inner: Answer, most: int) -> Answer | str:
        limits.append(most)
        return "Iteration limit reached" if most == 2 else to_vertex(program, inside, inner, most)

    monkeypatch.setattr(module, "by_clarabel", far)
    monkeypatch.setattr(module, "to_vertex", moved)
    assert answered(FROM_WITHIN[1](lots(20), 0.0)).columns == pytest.approx(np.eye(20)[0])
    assert (regularisations, limits) == (asked, iterations)


def test_no_vertex_is_looked_for_far_from_what_is_within() -> None:
    """What crossover leaves may take half as many iterations as there are rows."""
    random, rows = np.random.default_rng(1), RowBuilder()
    rows.at_most(sp.csr_matrix(random.random((40, 60))), 1.0)
    whole = rows.program(-random.random(60), np.zeros(60))
    near, far = (answered(REGULAR[1](replace(whole, cost=cost), 0.0)) for cost in (whole.cost, -random.random(60)))
    plain = InUnits.plain(whole)
    assert whole.cost @ answered(to_vertex(whole, plain, near, 20)).columns == pytest.approx(whole.cost @ near.columns)
    assert to_vertex(whole, plain, far, 20) == "Iteration limit reached"


@pytest.mark.parametrize("off", [[], [1], [1, 2], [2]])
def test_a_vertex_that_is_not_exact_is_looked_for_in_units_of_what_was_found(
    off: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The better of the two is taken; one that is not found is the worst."""
    plain = list[bool]()

    def moved(program: Program, inside: InUnits, inner: Answer, most: int) -> Answer | str:
        plain.append(inside.program is program)
        found = answered(to_vertex(program, inside, inner, most))
        return found._replace(columns=found.columns + 1e-10 * len(plain)) if len(plain) in off else found

    monkeypatch.setattr(module, "to_vertex", moved)
    found = answered(FROM_WITHIN[1](lots(20), 0.0))
    assert plain == ([True, False] if 1 in off else [True])
    assert (error_of(lots(20), *found[:3]) < 1e-12) == (off != [1, 2])
    monkeypatch.setattr(module, "to_vertex", lambda *_: "Solve error")
    assert FROM_WITHIN[1](lots(20), 0.0) == "Solve error"


def test_an_answer_from_within_is_kept_where_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    inner = answered(REGULAR[1](lots(20), 0.0))
    monkeypatch.setattr(module, "is_over", lambda: True)
    kept = answered(FROM_WITHIN[1](lots(20), 0.0))
    assert kept.basis is None
    np.testing.assert_array_equal(kept.columns, inner.columns)


def test_a_program_with_more_rows_starts_from_the_vertex_before() -> None:
    kept = np.array([True, True, False])
    fewer = program().restricted(kept, np.ones(2, dtype=bool))
    before = minimise(fewer, Wanted.VERTEX)
    after = minimise(program(), Wanted.VERTEX, start=before.basis.of(kept, np.ones(3, dtype=bool)))
    assert before.columns.tolist() == [0, 1]
    assert after.columns.tolist() == [0.5, 0.5]
    assert before.error == after.error == 0


@pytest.mark.parametrize(
    ("shared", "names"), [(False, ("CLARABEL", "INTERIOR", "SIMPLEX")), (True, ("CROSSOVER", "REGULAR", "SIMPLEX"))]
)
def test_where_all_fail_each_says_why(shared: bool, names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SIMPLEX", "CROSSOVER", "CLARABEL", "REGULAR", "INTERIOR"):
        monkeypatch.setattr(module, name, (name, out_of_order))
    with pytest.raises(SolverError, match="; ".join(f"{name}: out of order" for name in names)):
        design(CHAIN, epsilon="1/2", shared=shared)


def test_of_what_is_corrected_afterwards_a_share_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row without a multiplier is violated by 5e-9: as it is, the next step is asked."""
    posed = program(curvature=1.0)
    answer = CLARABEL[1](posed, 0.0)
    assert not isinstance(answer, str)
    answer = answer._replace(columns=np.array([0.5 - 5e-9, 0.5 + 5e-9]))
    assert error_of(posed, answer.columns, answer.multipliers, answer.prices) == pytest.approx(5e-9, rel=0.01)
    asked: list[str] = []

    def step(name: str) -> Step:
        def solve(*_: object) -> Any:
            asked.append(name)
            return answer

        return name, solve

    monkeypatch.setattr(module, "_ladder", lambda *_: [step("first"), step("second")])
    for share, steps in ((1.0, ["first", "second"]), (0.1, ["first"])):
        asked.clear()
        assert not isinstance(minimum_of(posed, share=share), str)
        assert asked == steps
