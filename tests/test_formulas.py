"""Formulas: known closed forms derived, designs at random epsilons, breakpoints from both sides, proofs, rejections."""

import json
import math
import random
import re
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.divergence import divergence
from strategies import profile_graphs
from test_two_profiles import Masses, pairs, ratios

import mechdesign as md
from mechdesign.certificate import formula_checker
from mechdesign.errors import InputError
from mechdesign.formulas import optimal
from mechdesign.formulas import whole_range as covering
from mechdesign.formulas.polynomials import End
from mechdesign.formulas.released_functions import least_noise
from mechdesign.formulas.stretch import point_in

F = Fraction
CHAIN = [((4, 0, -1), (12, 0, 9)), ((3, -1), (9, 9)), ((0,), (1,))]


def functions(formula: md.Formula) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return [(piece.numerator, piece.denominator) for piece in formula.pieces]


def proved(formula: md.Formula) -> Any:
    """Return the fields of the proof once the stranger's checker has accepted it."""
    return formula_checker.check(json.dumps(formula.certificate))


def graph_of(*rows: list[int], edges: list[tuple[int, int]], **edge: Any) -> Any:
    """Return a graph of profiles with these counts."""
    profiles = {i: [F(count, sum(row)) for count in row] for i, row in enumerate(rows)}
    graph = md.profile_graph(profiles, edges=edges, categories=[f"c{x}" for x in range(len(rows[0]))])
    for pair in edges:
        graph.edges[pair].update(edge)
    return graph


PAIR = graph_of([1, 4], [4, 1], edges=[(0, 1)])


def test_table_1_of_gc() -> None:
    """[GC] Table I, chain P1-P2-P3: the closed form that theory derives."""
    formula = md.formula("categorical-chain")
    assert functions(formula) == CHAIN
    assert formula.breakpoints == [End.at(F(4, 3)), End.at(3)]
    assert proved(formula).parameter == "epsilon"
    assert formula(0) == 1 / 7
    assert formula.exact("4/3") == F(5, 63) == F(4 - F(16, 9), 12 + 16)
    assert formula(0.5) == pytest.approx(0.056684742, abs=1e-9)
    assert formula(math.inf) == 0


@pytest.mark.parametrize("k", range(2, 6))
def test_local_privacy_is_k_ary_response(k: int) -> None:
    """[HLM] Theorem 10 at delta = 0: one piece, 1 / (E + k - 1), to infinity."""
    formula = md.formula(md.value_graph([f"v{x}" for x in range(k)]))
    assert functions(formula) == [((1,), (k - 1, 1))]
    assert formula.pieces[0].high is None
    assert formula(math.inf) == 0
    proved(formula)


@pytest.mark.parametrize(("k", "ratio"), [(2, "3/2"), (3, "2"), (4, "1")])
def test_local_privacy_in_delta(k: int, ratio: str) -> None:
    """[HLM] Theorem 10: (1 - delta) / (E + k - 1)."""
    formula = md.formula(md.value_graph([f"v{x}" for x in range(k)]), ratio=ratio)
    below = F(ratio) + k - 1
    assert functions(formula) == [((below.denominator, -below.denominator), (below.numerator,))]
    assert formula("1/3") == pytest.approx(float(F(2, 3) / below), abs=1e-15)
    proved(formula)


@pytest.mark.parametrize("delta", [F(0), F(1, 50)])
@pytest.mark.parametrize("shared", [False, True])
@settings(max_examples=6, deadline=None)
@given(both=pairs(4), ratio=ratios)
def test_two_profiles_agree_with_their_closed_forms(
    both: tuple[Masses, Masses], ratio: Fraction, shared: bool, delta: Fraction
) -> None:
    """Exactly: the largest off-diagonal entry and the mean probability of a change."""
    graph = md.profile_graph(dict(enumerate(both)), edges=[(0, 1)], categories=list(range(len(both[0]))))
    for closed, objective in ((md.two_profiles, md.MaxOffDiagonal()), (md.two_profiles_hamming, md.ExpectedLoss())):
        formula = md.formula(graph, objective=objective, shared=shared, delta=delta)
        for E in (F(1), ratio, F(7)):
            assert formula.exact(E) == closed(*both, ratio=E, delta=delta, shared=shared)
        assert not formula.unsettled


def chain_with(**options: Any) -> md.Formula:
    return md.formula("categorical-chain", **options)


OPTIONS: list[dict[str, Any]] = [
    {"objective": md.ExpectedLoss("absolute")},
    {"objective": md.WorstLoss()},
    {"objective": md.WorstLoss([[x * y - 3 for y in range(4)] for x in range(4)])},
    {"objective": md.ExpectedLoss([[abs(2 * x - y) for y in range(7)] for x in range(4)])},
    {"shared": True},
    {"delta": "1/50"},
    {"epsilon": ("1/10", 2), "objective": md.ExpectedLoss(), "shared": True},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_objective_at_random_epsilons(options: dict[str, Any]) -> None:
    """Between bound and value of `design`, and the proof holds."""
    formula = chain_with(**options)
    proved(formula)
    others = {key: value for key, value in options.items() if key != "epsilon"}
    for epsilon in (0.13, 0.71):
        design = md.design("categorical-chain", epsilon=epsilon, **others)
        assert float(design.bound) - 1e-15 <= formula(epsilon) <= float(design.value) + 1e-15


@settings(max_examples=12, deadline=None)
@given(profile_graphs(most_profiles=3, most_categories=3), st.integers(0, 10**6))
def test_random_graphs(graph: Any, seed: int) -> None:
    """A sample of what benchmarks/formula.py does at length."""
    chance = random.Random(seed)
    options: dict[str, Any] = {"objective": chance.choice([md.MaxOffDiagonal(), md.ExpectedLoss(), md.WorstLoss()])}
    formula = md.formula(graph, **options)
    assert not formula.unsettled
    proved(formula)
    epsilon = chance.uniform(0, 3)
    design = md.design(graph, epsilon=epsilon, **options)
    assert float(design.bound) - 1e-15 <= formula(epsilon) <= float(design.value) + 1e-15
    for before, after in pairwise(formula.pieces):
        low, high = after.low.narrow(F(1, 2**80)).low - F(1, 2**70), after.low.high + F(1, 2**70)
        assert abs(before(low) - after(low)) < F(1, 2**50)
        assert before(low) >= after(high)
        assert (before.numerator, before.denominator) != (after.numerator, after.denominator)


@pytest.mark.slow
def test_an_algebraic_breakpoint() -> None:
    """Two pieces cross where 96 - 92 E + 5 E^2 = 0."""
    formula = md.formula("commutes")
    first = formula.breakpoints[0]
    assert [int(c) for c in first.polynomial.coeffs()] == [96, -92, 5]
    low, high = first.isolated()
    before, after = formula.pieces[:2]
    assert before(low) > after(low) - F(1, 10**9)
    assert (before(low) - after(low)) * (before(high) - after(high)) < 0
    written = formula.certificate["pieces"][0]["to"]
    assert written == {"polynomial": [96, -92, 5], "interval": [str(low), str(high)]}
    assert float(first) == pytest.approx((92 - math.sqrt(92**2 - 4 * 5 * 96)) / 10)


def test_distances_and_own_epsilons_are_powers() -> None:
    """Edges at distance 2 ask for E^2, at distance 1/2 for the root of E."""
    far = graph_of([1, 4], [4, 1], edges=[(0, 1)], distance=F(2))
    half = graph_of([1, 4], [4, 1], edges=[(0, 1)], distance=F(1, 2))
    own = graph_of([1, 4], [4, 1], edges=[(0, 1)], epsilon=F(3, 2))
    plain = md.formula(PAIR)
    assert functions(plain) == [((4, -1), (4, 4)), ((0,), (1,))]
    assert functions(md.formula(far)) == [((4, 0, -1), (4, 0, 4)), ((0,), (1,))]
    root = md.formula(half)
    assert (root.terms.root, root.terms.letter, functions(root)) == (2, "z", functions(plain))
    assert root.exact(4) == plain.exact(2)
    assert root(1.0) == plain(0.5)
    assert md.formula(own, scale_own=True)(0.4) == pytest.approx(plain(0.6), abs=1e-15)
    for formula in (root, md.formula(own, scale_own=True)):
        proved(formula)
    with pytest.raises(InputError, match=r"z = E\^\(1/2\) is rational, found 2"):
        root.exact(2)


def test_an_edge_of_epsilon_0_and_one_of_infinite_epsilon() -> None:
    graph = graph_of([1, 4], [4, 1], [1, 1], edges=[(0, 1), (1, 2)])
    graph.edges[0, 1]["epsilon"], graph.edges[1, 2]["epsilon"] = 0, "inf"
    formula = md.formula(graph)
    assert functions(formula) == [((3,), (8,))]
    proved(formula)


def test_nothing_is_protected() -> None:
    formula = md.formula(graph_of([1, 4], [4, 1], edges=[]))
    assert functions(formula) == [((0,), (1,))]
    proved(formula)


def test_own_deltas_and_delta_given() -> None:
    graph = graph_of([1, 4], [4, 1], edges=[(0, 1)], delta=F(1, 10))
    assert md.formula(graph, delta="1/3").exact(2) == md.formula(PAIR, delta="1/10").exact(2)
    assert functions(md.formula(graph, ratio=2)) == [((1,), (8,))]  # its own: no function of delta


def test_in_delta_it_is_the_same_as_in_epsilon() -> None:
    formula = md.formula("categorical-chain", ratio="3/2", objective=md.ExpectedLoss("absolute"))
    proved(formula)
    assert all(len(piece.numerator) <= 2 and len(piece.denominator) == 1 for piece in formula.pieces)
    for delta in ("0", "1/40", "1/7"):
        other = md.formula("categorical-chain", delta=delta, objective=md.ExpectedLoss("absolute"))
        assert formula.exact(delta) == other.exact("3/2")
    assert formula.exact(1) == formula(1) == 0
    for outside in (-1, "1.01"):
        with pytest.raises(InputError, match="delta: expected a number from 0 to 1, for which the formula was asked"):
            formula.exact(outside)


@pytest.mark.slow
def test_the_range() -> None:
    formula = chain_with(epsilon=("1/4", 1))
    assert repr(formula) == "Formula(max-off-diagonal, epsilon 0.25 to 1, 2 pieces, breakpoints 0.287682)"
    assert formula("0.25") == chain_with()("0.25")
    assert formula(1) == chain_with()(1)
    proved(formula)
    for outside in (0, 1.01, "inf"):
        with pytest.raises(InputError, match=r"from 0\.25 to 1, for which the formula was asked, found"):
            formula(outside)
    with pytest.raises(InputError, match="for which the formula was asked, found 3"):
        formula.exact(3)
    with pytest.raises(InputError, match=r"number >= 1, found '0.5'"):
        formula.exact("0.5")


def test_what_is_not_settled_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covering, "MOST_BASES", 8)
    formula = chain_with()
    assert list(formula.unsettled)[-1].high is None
    assert repr(formula).endswith("unsettled)")
    with pytest.raises(InputError, match="the formula is not settled there; `design` computes the optimum"):
        formula(5)
    assert formula(0.01) == pytest.approx(float(md.design("categorical-chain", epsilon=0.01).value), abs=1e-9)
    with pytest.raises(InputError, match=r"no proof: not settled is E from .*, E from 4/3 to inf;"):
        formula.certificate  # noqa: B018
    assert re.search(r"\n% not settled: E from 4/3 to inf$", formula.latex())


@pytest.mark.parametrize(("digits", "apart"), [(1500, 5), (1990, 1000)])
def test_numbers_that_could_not_be_written_are_not_settled(digits: int, apart: int) -> None:
    """Python writes 4,300 digits; these ask for more, in a function, or in the number from which on it is 0."""
    unit = 10**digits
    rows = [[unit // 3 + unit // apart * i, unit - unit // 3 - unit // apart * i + i] for i in range(3)]
    formula = md.formula(graph_of(*rows, edges=[(0, 1), (1, 2)]))
    assert not formula.pieces
    assert all("more than 3,913 digits" in why for why in formula.unsettled.values())
    assert "not settled" in formula.latex()


def test_latex_and_sympy() -> None:
    formula = md.formula("commutes", epsilon=(0, 2))
    lines = formula.latex().splitlines()
    assert lines[1] == r"  \frac{12 - 5 E}{6 (8 + 5 E)} & 1 \le E \le \rho_{1}, \\"
    assert lines[3] == r"  0 & \frac{8}{3} \le E \le e^{2}."
    assert lines[-1] == r"% \rho_{1} \approx 1.110500634 \text{ is a root of } 96 - 92 x + 5 x^{2}"
    symbolic = formula.sympy()
    (E,) = symbolic.free_symbols
    for value in (F(1), F(21, 20), F(2), F(3)):
        assert F(str(symbolic.subs(E, f"{value}"))) == formula.exact(value)
    delta = md.formula("categorical-chain", ratio=2, delta=(0, "1/2")).latex()
    assert r"0 \le \delta \le \frac{1}{10}" in delta


def test_sympy_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sympy", None)
    with pytest.raises(InputError, match=r"pip install 'mechdesign\[sympy\]'"):
        md.formula(PAIR).sympy()


@pytest.mark.parametrize("options", [*OPTIONS, {}, {"ratio": "3/2"}], ids=str)
def test_what_is_released(options: dict[str, Any]) -> None:
    """The functions are distributions and private, within each interval; and the intervals are all of the range."""
    formula = chain_with(**options)
    whole = formula.released
    assert whole[0].stretch.low == formula.pieces[0].low
    assert whole[-1].stretch.high == formula.pieces[-1].high
    assert all(before.stretch.high == after.stretch.low for before, after in pairwise(whole))
    for part in whole:
        z = point_in(part.stretch, 2)
        rows = [[_at(above, z) / _at(below, z) for above, below in row] for row in part.profiles]
        assert all(sum(row) == 1 for row in rows)
        delta = z if "ratio" in options else F(options.get("delta", 0))
        ratio = F(options.get("ratio", z))
        for edge in formula.terms.edges:
            for i, j in permutations(edge.pair):
                assert divergence(rows[i], rows[j], ratio) <= delta


def test_what_is_released_is_the_optimum_of_least_noise() -> None:
    """Where no category need be changed none is, though [GC]'s optimum, the largest entry, is 0 for other matrices."""
    formula = chain_with()
    assert len(formula.released) < len(formula.found.primal)
    assert formula.released[-1].profiles[0] == [((1,), (5,)), ((3,), (10,)), ((2,), (5,)), ((1,), (10,))]


def test_the_second_stage_where_the_denominator_falls() -> None:
    """3 (17 - 10 E) / (68 - 5 E): in lowest terms, with a positive leading coefficient, both are negative."""
    formula = md.formula(graph_of([1, 3, 1], [5, 6, 6], edges=[(0, 1)]), shared=True)
    assert functions(formula)[0] == ((51, -30), (68, -5))
    assert not least_noise(formula.terms, formula.program, formula.pieces[0]).unsettled


def test_multipliers_without_a_limit_at_epsilon_0() -> None:
    graph = graph_of([0, 3, 1], [2, 0, 3], [1, 3, 2], edges=[(0, 1), (1, 2)])
    formula = md.formula(graph, shared=True, objective=md.WorstLoss())
    [side] = [side for side in formula.found.dual if side.stretch.low == End.at(1)]
    assert side.denominator(1) == 0
    proved(formula)


@pytest.mark.parametrize("within", [(50, "inf"), (0, 700)], ids=str)
def test_ratios_that_no_double_holds(within: tuple[Any, Any]) -> None:
    """HiGHS refuses coefficients of 1e15; from 709.8 on, as within the range to infinity, e^epsilon is no double."""
    formula = md.formula(md.value_graph(["a", "b", "c"]), epsilon=within)
    assert functions(formula) == [((1,), (2, 1))]
    assert not formula.unsettled
    assert formula(100) == pytest.approx(math.exp(-100))


def doubles(*counts: list[int], edges: list[tuple[int, int]]) -> Any:
    profiles = {i: [x / sum(row) for x in row] for i, row in enumerate(counts)}
    return md.profile_graph(profiles, edges=edges, categories=[f"c{x}" for x in range(len(counts[0]))])


@pytest.mark.slow
def test_probabilities_that_are_doubles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ties are broken at 1e-17, where HiGHS sees none: what is missing of its basis is magnified until it does."""
    counts, edges = ([5, 8, 5, 8], [3, 8, 8, 5], [8, 2, 3, 1], [3, 8, 2, 3]), [(0, 3), (1, 3)]
    asked: dict[str, Any] = {"objective": md.WorstLoss(), "shared": True, "epsilon": (0, 3)}
    formula = md.formula(doubles(*counts, edges=edges), **asked)
    proved(formula)
    assert formula(0.5) == pytest.approx(md.formula(graph_of(*counts, edges=edges), **asked)(0.5), abs=1e-15)
    monkeypatch.setattr(optimal, "REFINEMENTS", 0)
    assert md.formula(doubles(*counts, edges=edges), **asked).unsettled


def test_a_tie_that_cannot_be_seen_leaves_an_interval_of_almost_no_length() -> None:
    """At E - 1 = 1e-17 coefficients of 1e-17 decide: that is said, with the remedy, and all else is as ever."""
    counts, edges = ([8, 2, 2, 3], [3, 3, 1, 5], [5, 5, 3, 8]), [(0, 2), (1, 2)]
    formula = md.formula(doubles(*counts, edges=edges), objective=md.WorstLoss(), epsilon=(0, 3))
    [gap] = formula.unsettled
    assert gap.high is not None
    assert float(gap.high) - float(gap.low) < 1e-15
    assert formula.unsettled[gap].endswith("give probabilities and losses as short fractions")
    exact = md.formula(graph_of(*counts, edges=edges), objective=md.WorstLoss())
    assert formula(0.5) == pytest.approx(exact(0.5), abs=1e-15)
    proved(exact)


def test_a_distance_in_delta_is_a_power_of_the_ratio() -> None:
    far = graph_of([1, 4], [4, 1], edges=[(0, 1)], distance=F(2))
    assert functions(md.formula(far, ratio="3/2")) == functions(md.formula(PAIR, ratio="9/4"))
    assert functions(md.formula(far, ratio="3/2")) != functions(md.formula(PAIR, ratio="3/2"))


def test_where_the_least_noise_is_not_settled_it_is_the_optimum_that_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = chain_with()
    monkeypatch.setattr(covering, "MOST_BASES", 1)
    found, proved_by = [one.stretch for one in formula.released], [side.stretch for side in formula.found.primal]
    assert {one.low for one in found} < {one.low for one in proved_by}
    assert [one.high for one in found] == [*(one.low for one in found[1:]), None]


def _at(values: tuple[int, ...], z: Fraction) -> Fraction:
    return sum((c * z**power for power, c in enumerate(values)), F(0))


def uncertain() -> Any:
    graph = graph_of([1, 4], [4, 1], edges=[(0, 1)])
    graph.nodes[0]["radius"] = "1/10"
    return graph


REJECTED: list[tuple[Callable[[], Any], str]] = [
    (lambda: md.formula(uncertain()), "no formula for profiles known only within bounds"),
    (lambda: md.formula(PAIR, objective=md.LargestCost()), "formulas are for max-off-diagonal, expected-loss"),
    (lambda: md.formula(graph_of([1, 4], [4, 1], edges=[(0, 1)], epsilon=F(1, 3))), "edge 0-1: it has an epsilon of"),
    (lambda: md.formula(PAIR, scale_own=True), "only epsilons of the edges' own can be scaled"),
    (lambda: md.formula(graph_of([1, 4], [4, 1], edges=[(0, 1)], distance=F(61))), "powers of z .* up to 61"),
    (lambda: md.formula(graph_of([1, 4], [4, 1], edges=[(0, 1)], distance=F(1, 2)), ratio=2), "whole distances, found"),
    (lambda: md.formula(PAIR, epsilon=(0, 1e5)), "epsilon: expected an end of at most 700, or inf, found 100000.0"),
    (lambda: md.formula(PAIR, ratio="two"), "ratio: expected e.epsilon, a number >= 1, found 'two'"),
    (
        lambda: md.formula(PAIR, ratio="1e999"),
        "e.epsilon = 10000.* to the power of the distance 1 has too many digits",
    ),
    (
        lambda: md.formula(graph_of([1, 4], [4, 1], edges=[(0, 1)], distance=F(10**6)), ratio="3/2"),
        "e.epsilon = 1.5 to the power of the distance 1000000 has too many digits",
    ),
    (lambda: md.formula(PAIR, epsilon=(1, 1)), "from a smaller to a larger number, found"),
    (lambda: md.formula(PAIR, epsilon=3), "epsilon: expected a range, two numbers, found 3"),  # type: ignore[arg-type]
    (lambda: md.formula(PAIR, epsilon=(-1, 1)), "epsilon: expected a number >= 0"),
    (lambda: md.formula(PAIR, delta=1), r"delta: expected a number in \[0, 1\), found 1"),
    (lambda: md.formula(PAIR, delta=(0, "1/2")), "goes with ratio"),
    (lambda: md.formula(PAIR, ratio="1/2"), r"ratio: expected e\^epsilon, a number >= 1, found"),
    (lambda: md.formula(PAIR, ratio=2, delta=(0, 2)), "delta: expected a range within 0 and 1, found"),
    (lambda: md.formula("no-such-graph"), "no-such-graph"),
]


@pytest.mark.parametrize(("call", "words"), REJECTED, ids=[words for _, words in REJECTED])
def test_what_is_rejected(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        call()


def test_nominal_takes_the_distributions_alone() -> None:
    assert functions(md.formula(uncertain(), nominal=True)) == functions(md.formula(PAIR))


def test_too_large_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mechdesign.formulas.find.MOST_CELLS", 10)
    with pytest.raises(InputError, match="2 profiles, 2 categories and 1 edges need"):
        md.formula(PAIR)
