"""What a component's answer is made of: a fault is said, and the nearest design's rows are as good as the optimum's."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from mechdesign import SolverError, design, read_graph
from mechdesign.designer import component, stages
from mechdesign.problem import ACCEPTED, NEAR, Problem
from mechdesign.rounding import exact_rows
from mechdesign.rounding.realise import NO_ROWS
from mechdesign.solution import Solution

F = Fraction
CHAIN = read_graph("categorical-chain")


def fails(*_: object, **__: object) -> Any:
    raise SolverError("no optimum")


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

        monkeypatch.setattr(stages, "canonical", mixed)
        result = design(CHAIN, epsilon="0.5", method="highs")
        assert result.stats["any_optimum"] == (not kept)
        assert result.value <= usual.value * (1 + F(ACCEPTED * NEAR))
        assert (result.value > usual.value * (1 + F(NEAR) / 4)) == kept

    def test_the_optimum_will_do_where_it_cannot_be_made_private(self, monkeypatch: pytest.MonkeyPatch) -> None:
        usual = design(CHAIN, epsilon="0.5", shared=True)
        tried = []

        def fails_once(*arguments: Any) -> Any:
            tried.append(arguments)
            return (math.inf, NO_ROWS) if len(tried) == 1 else exact_rows.exact_rows(*arguments)

        monkeypatch.setattr(component, "exact_rows", fails_once)
        result = design(CHAIN, epsilon="0.5", shared=True)
        assert len(tried) == 2
        assert result.stats["any_optimum"] == 1
        assert result.value == pytest.approx(float(usual.value), rel=2 * NEAR)

    def test_neither_can_be_made_private(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(exact_rows, "matrix_rows", lambda *_: "no room")
        with pytest.raises(SolverError, match="could not be made exactly private"):
            design(CHAIN, epsilon="0.5", shared=True)
