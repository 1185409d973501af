"""Many small components in one projection: each has what it has alone."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from answered import answered

import mechdesign as md
from mechdesign.bench.families import graph_of_family
from mechdesign.certificate.bound import proved
from mechdesign.designer import answers_together as module
from mechdesign.designer.answers_together import answers_together
from mechdesign.designer.component import Component, components
from mechdesign.graph.graph_file import as_graph
from mechdesign.objective import Objective
from mechdesign.privacy.requirement import requirements
from mechdesign.problem import Problem
from mechdesign.rounding.exact_rows import rows_of_parts
from mechdesign.solver import together
from mechdesign.solver.canonical import canonical
from mechdesign.solver.stopping import Until
from mechdesign.solver.structured import solve_structured
from mechdesign.solver.together import Both, solve_together, suited_together

GRAPH = graph_of_family("components", 100, 6, 3)


def parts(epsilon: str = "1/2", delta: str = "0", *, goal: Objective | None = None) -> list[Component]:
    graph = as_graph(GRAPH)
    required = requirements(graph, Fraction(epsilon), Fraction(delta))
    return components(graph, required, goal or md.MaxOffDiagonal(), shared=False)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """So few probabilities as these are enough."""
    monkeypatch.setattr(together, "LEAST", 100)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", ["1/10", "1/2", "3/2"])
def test_each_has_its_own_optimum_and_nearest_design(epsilon: str) -> None:
    some = [part for part in parts(epsilon) if not part.problem.needs_no_noise]
    found = solve_together([part.problem for part in some], bool)
    assert sum(both is not None for both in found) >= len(some) - 1
    for part, both in zip(some, found, strict=True):
        if both is not None:
            optimum = solve_structured(part.problem)
            assert both.optimum.value == pytest.approx(optimum.value, rel=1e-8)
            nearest = canonical(part.problem, optimum)
            assert nearest is not None
            assert abs(both.released - nearest.released).max() < 1e-6
            bound = proved(part.problem, both.optimum.multipliers(), part.prior).least
            assert float(bound) == pytest.approx(both.optimum.value, rel=1e-8)


@pytest.mark.usefixtures("few")
def test_an_edge_that_asks_for_nearly_nothing_goes_with_the_others() -> None:
    """An epsilon of 10^6, of which doubles hold no e^epsilon, beside one of 1/2."""
    some = [part.problem for part in parts()]
    some = [
        replace(one, required=(replace(one.required[0], epsilon=Fraction(10**6)), *one.required[1:])) for one in some
    ]
    some = [one for one in some if not one.needs_no_noise]
    assert suited_together(some) == list(range(len(some)))
    both = solve_together(some, bool)
    pairs = [(one, found) for one, found in zip(some, both, strict=True) if found is not None]
    assert len(pairs) >= len(some) - 1
    for problem, found in pairs:
        assert found.optimum.value == pytest.approx(solve_structured(problem).value, rel=1e-8)


@pytest.mark.usefixtures("few")
def test_what_suits_it(monkeypatch: pytest.MonkeyPatch) -> None:
    some = [part.problem for part in parts()]
    assert suited_together(some) == list(range(len(some)))
    assert suited_together(some, lambda i: i > 0) == list(range(1, len(some)))
    assert suited_together(some[:1]) == []
    assert suited_together([part.problem for part in parts(delta="1/10")]) == []
    assert suited_together([part.problem for part in parts(goal=md.ExpectedLoss("hamming"))]) == []
    assert suited_together([part.problem for part in parts("1e-10")]) == []
    assert suited_together([part.problem for part in parts("1000000")]) == list(range(len(some)))
    monkeypatch.setattr(together, "MOST", 100)
    small = [i for i, problem in enumerate(some) if problem.profiles.size <= 100]
    assert 1 < len(small) < len(some)
    assert suited_together(some) == small
    monkeypatch.setattr(together, "LEAST", 100_000)
    assert suited_together(some) == []


@pytest.mark.usefixtures("few")
def test_a_design_says_which_way_they_went() -> None:
    found = md.design(GRAPH, epsilon="0.5")
    assert found.stats["way"]["pairs that decide; projection"] > 1
    assert found.value - found.bound <= Fraction(1, 10**8) * found.value
    assert md.certify(found.mechanism, GRAPH, epsilon="0.5").private


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("options", [{"any_optimum": True}, {"gap": "1%"}, {"seconds": 100}, {"method": "highs"}])
def test_what_may_end_early_or_goes_another_way_goes_alone(
    options: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "solve_together", None)
    md.design(md.read_graph("commutes"), epsilon="0.5", **options)  # type: ignore[arg-type]


@pytest.mark.usefixtures("few")
def test_what_is_not_settled_goes_the_other_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "ROUNDS", 1)
    assert "pairs that decide; projection" not in md.design(GRAPH, epsilon="0.5").stats["way"]


def test_when_it_is_over_nothing_more_is_found() -> None:
    assert solve_together([part.problem for part in parts()], lambda: True) == [None] * len(parts())


def test_rows_that_cost_too_much_are_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found is made exact; where that is not as good as the optimum, a component is solved alone."""
    some = parts()

    def far(problems: Sequence[Problem], over: Callable[[], object]) -> list[Both | None]:
        (first, *others) = solve_together(problems, over)
        assert first is not None
        return [first._replace(released=np.full(first.released.shape, 1 / 6)), *others]

    monkeypatch.setattr(together, "LEAST", 100)
    usual = answers_together(some, Until())
    monkeypatch.setattr(module, "solve_together", far)
    found = answers_together(some, Until())
    assert usual[0] is not None
    assert found[0] is None
    assert [one is None for one in found[1:]] == [one is None for one in usual[1:]]


@pytest.mark.usefixtures("few")
def test_what_is_made_exact_together_is_what_each_is_alone() -> None:
    """One problem is a part of many: its rows are the same to the last digit."""
    some = [part.problem for part in parts()]
    released = [solve_structured(problem).released for problem in some]
    for (value, rows), problem, one in zip(answered(rows_of_parts(some, released)), some, released, strict=True):
        ((alone, own),) = answered(rows_of_parts([problem], [one]))
        assert value == alone
        assert rows.table.tolist() == own.table.tolist()
        assert (rows.profiles == own.profiles).all()


@pytest.mark.usefixtures("few")
def test_only_what_may_have_the_largest_bound_is_proved() -> None:
    found = [one for one in answers_together(parts(), Until()) if one is not None]
    largest = max(found, key=lambda one: one.proof.least)
    assert largest.proof.weights.privacy.lam.any()
    assert all(one.value <= float(largest.proof.least) for one in found if one.proof.least == 0)
