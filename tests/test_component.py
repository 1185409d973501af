"""Where one solver will not do, another is asked; the better rows and the better proof stay."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from mechdesign import ExpectedLoss, SolverError, design, read_graph
from mechdesign.bench.families import graph_of_family
from mechdesign.certificate.bound import Bound, Weights
from mechdesign.designer import component
from mechdesign.designer.component import Answer
from mechdesign.designer.method import Method
from mechdesign.problem import ACCEPTED, NEAR, Problem
from mechdesign.rounding import exact_rows
from mechdesign.rounding.matrix_rows import matrix_rows
from mechdesign.solution import Solution
from mechdesign.solver import structured, within
from mechdesign.solver.structured import solve_structured

F = Fraction
CHAIN = read_graph("categorical-chain")


def fails(*_: object, **__: object) -> Any:
    raise SolverError("no optimum")


class TestTheOtherSolver:
    def test_it_is_asked_where_the_usual_one_fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        usual = design(CHAIN, epsilon="0.5")
        monkeypatch.setattr(component, "solve_structured", fails)
        other = design(CHAIN, epsilon="0.5")
        assert other.value == pytest.approx(float(usual.value), abs=1e-9)
        assert other.value - other.bound <= F(1, 10**9)

    def test_both_may_fail(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(component, "solve_structured", fails)
        monkeypatch.setitem(component.SOLVERS, Method.HIGHS, fails)
        with pytest.raises(SolverError, match="no optimum"):
            design(CHAIN, epsilon="0.5")

    @pytest.mark.parametrize("options", [{"method": "structured"}, {"method": "auto", "shared": True}], ids=str)
    def test_it_is_not_asked_for_what_was_wanted_just_so(
        self, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(component.SOLVERS, Method.STRUCTURED, fails)
        monkeypatch.setattr(component, "solve_shared", fails)
        with pytest.raises(SolverError, match="no optimum"):
            design(CHAIN, epsilon="0.5", **options)

    def test_where_the_usual_one_fails_it_is_asked_in_larger_components_up_to_a_limit(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(component, "solve_structured", fails)
        monkeypatch.setattr(component, "FEW_ENTRIES", 0)  # up to which it is asked about a gap
        monkeypatch.setattr(component, "MORE_ENTRIES", 3 * 4 * 4)
        assert design(CHAIN, epsilon="0.5").value < F(6, 100)
        monkeypatch.setattr(component, "MORE_ENTRIES", 3 * 4 * 4 - 1)
        with pytest.raises(SolverError, match="no optimum"):
            design(CHAIN, epsilon="0.5")

    def test_a_poor_bound_is_made_good(self, monkeypatch: pytest.MonkeyPatch) -> None:
        solve = solve_structured

        def without_multipliers(*arguments: Any, **options: Any) -> Any:
            found = solve(*arguments, **options)
            assert found.multipliers is not None
            nothing = {pair: 0 * lam for pair, lam in found.multipliers.privacy.items()}
            return replace(found, multipliers=replace(found.multipliers, privacy=nothing))

        good = design(CHAIN, epsilon="0.5")
        monkeypatch.setattr(component, "solve_structured", without_multipliers)
        assert design(CHAIN, epsilon="0.5", method="highs").bound == pytest.approx(float(good.bound), abs=1e-9)
        result = design(CHAIN, epsilon="0.5")
        assert result.value - result.bound <= F(1, 10**9)
        assert result.mechanism.weights.tolist() == good.mechanism.weights.tolist()


class TestTheCanonicalOne:
    """Its rows are as good as the optimum's, or the optimum's are taken."""

    @pytest.mark.parametrize(("worse", "kept"), [(0.75 * ACCEPTED * NEAR, True), (2 * ACCEPTED * NEAR, False)])
    def test_only_if_it_is_nearly_optimal(self, worse: float, kept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        usual = design(CHAIN, epsilon="0.5", method="highs", any_optimum=True)

        def mixed(problem: Problem, optimum: Solution) -> Solution:
            """Nearer to uniform: still private, and a little worse."""
            share = worse * optimum.value / (0.25 - optimum.value)
            released = optimum.released * (1 - share) + share / problem.outputs
            return replace(optimum, released=released, program=None, columns=None)

        monkeypatch.setattr(component, "canonical", mixed)
        result = design(CHAIN, epsilon="0.5", method="highs")
        assert result.stats["any_optimum"] == (not kept)
        assert result.value <= usual.value * (1 + F(ACCEPTED * NEAR))
        assert (result.value > usual.value * (1 + F(NEAR) / 4)) == kept

    def test_the_optimum_will_do_where_it_cannot_be_made_private(self, monkeypatch: pytest.MonkeyPatch) -> None:
        usual = design(CHAIN, epsilon="0.5", shared=True)
        tried = []

        def fails_once(*arguments: Any) -> Any:
            tried.append(arguments)
            return (math.inf, []) if len(tried) == 1 else exact_rows.exact_rows(*arguments)

        monkeypatch.setattr(component, "exact_rows", fails_once)
        result = design(CHAIN, epsilon="0.5", shared=True)
        assert len(tried) == 2
        assert result.stats["any_optimum"] == 1
        assert result.value == pytest.approx(float(usual.value), rel=2 * NEAR)

    def test_corrected_it_may_be_made_private_where_it_could_not_be(self, monkeypatch: pytest.MonkeyPatch) -> None:
        usual = design(CHAIN, epsilon="0.5", shared=True)
        tried = []

        def fails_once(*arguments: Any) -> Any:
            tried.append(arguments)
            return fails() if len(tried) == 1 else matrix_rows(*arguments)

        monkeypatch.setattr(exact_rows, "matrix_rows", fails_once)
        result = design(CHAIN, epsilon="0.5", shared=True)
        assert len(tried) == 2
        assert result.stats["any_optimum"] == 0
        assert result.value == pytest.approx(float(usual.value), rel=2 * NEAR)

    def test_neither_can_be_made_private(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(exact_rows, "matrix_rows", fails)
        with pytest.raises(SolverError, match="could not be made exactly private"):
            design(CHAIN, epsilon="0.5", shared=True)


class TestTheBetterOne:
    WEIGHTS = Weights({}, None, None)
    FIRST = Answer([], Bound(F(1, 4), WEIGHTS), True, True, 0.5, {"solve": 1.0})

    def test_noise_does_not_replace_the_canonical_rows(self) -> None:
        other = replace(self.FIRST, canonical=False, value=0.5 * (1 - NEAR), proof=Bound(F(1, 2), self.WEIGHTS))
        kept = component._better(self.FIRST, other)
        assert (kept.canonical, kept.value, kept.proof.least) == (True, 0.5, F(1, 2))
        assert kept.seconds == {"solve": 2.0}

    def test_better_rows_and_the_better_proof_may_come_from_different_solvers(self) -> None:
        other = replace(self.FIRST, canonical=False, value=0.4, proof=Bound(F(1, 8), self.WEIGHTS))
        kept = component._better(self.FIRST, other)
        assert (kept.canonical, kept.value, kept.proof.least) == (False, 0.4, F(1, 4))


def test_an_optimum_from_within_that_is_not_good_is_found_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []

    def roughly(problem: Problem) -> Solution | None:
        answer = within.solve_within(problem)
        assert answer is not None
        assert answer.multipliers is not None
        found.append(answer)
        privacy = {pair: weights * 0.99 for pair, weights in answer.multipliers.privacy.items()}
        return replace(answer, multipliers=replace(answer.multipliers, privacy=privacy))

    monkeypatch.setattr(within, "MANY_ROWS", 0)
    monkeypatch.setattr(component, "FEW_ENTRIES", 0)
    monkeypatch.setattr(structured, "solve_within", roughly)
    graph = graph_of_family("scaled", 8, 4, 1)
    result = design(graph, epsilon=1, objective=ExpectedLoss("absolute"))
    assert len(found) == 1
    assert result.value - result.bound <= result.value / 10**8
    assert result.stats["any_optimum"] == 0
