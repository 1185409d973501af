"""Every published result agrees with what is right, and what is right is derived here a second time."""

import math
from fractions import Fraction
from functools import cache
from importlib import import_module

import numpy as np
import pytest
from exactly import exp_64_above
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from optimum import optimum as by_definition
from scipy.optimize import linprog
from stated import assert_drawn, stated

from mechdesign import design, mechanism_from_matrix, profile_graph
from mechdesign.closed_form import flip_probability
from mechdesign.exact.exponentials import exp_below
from mechdesign.papers import RESULTS, Claim, Result
from mechdesign.papers.gc import (
    bernoulli_couplet,
    categorical_chain,
    largest_ratio,
    smooth_categorical,
    worst_ratio,
)
from mechdesign.papers.gc_composition import product, reused_losses
from mechdesign.papers.gc_figure_1a import flip_at, warner
from mechdesign.papers.gc_figure_1b import formula, response_costs
from mechdesign.papers.gc_figure_1c import smooth_costs
from mechdesign.papers.gc_observation_9 import least_flip, printed_bound, vacuous_share
from mechdesign.papers.gc_optimum import optimum
from mechdesign.papers.gc_small_epsilon import least_largest_cost
from mechdesign.papers.gc_theorem_8 import local_ratio, profile_ratio
from mechdesign.papers.gc_uniqueness import cost_ranges, least_squares_costs
from mechdesign.papers.result import agree

NAMES = [
    "gc-figure-1a",
    "gc-figure-1b",
    "gc-figure-1c",
    "gc-optimum",
    "gc-observation-9",
    "gc-uniqueness",
    "gc-small-epsilon",
    "gc-theorem-8",
    "gc-composition",
    "gc-bit-versus-categorical",
]
CLAIMED = {
    "gc-figure-1a": 6,
    "gc-figure-1c": 14,
    "gc-observation-9": 5,
    "gc-small-epsilon": 2,
    "gc-theorem-8": 2,
    "gc-composition": 2,
}
TITLES = {
    "gc-figure-1a": ["ε = 1", "ε = 0.5", "ε = 0.1"],
    "gc-figure-1b": ["k-ary randomised response"],
    "gc-figure-1c": ["Smooth Categorical"],
    "gc-optimum": ["optimum of (5)"],
    "gc-observation-9": ["ε = 0.1: 4.8%", "ε = 0.5: 19.7%", "ε = 1: 31.6%", "ε = 2: 43.2%"],
    "gc-uniqueness": [f"category {y}" for y in (1, 2, 3, 4)],
    "gc-small-epsilon": ["category 3 of the chain"],
}
CHAIN = np.array([[0.2, 0.3, 0.4, 0.1], [0.3, 0.3, 0.3, 0.1], [0.4, 0.4, 0.1, 0.1]])
EPSILONS = st.floats(0, 3, allow_nan=False)
MEANS = st.fractions(0, 1, max_denominator=40)
SEVERAL = settings(max_examples=35, deadline=None)


@cache
def result(name: str) -> Result:
    return RESULTS[name]()


def words_of(name: str) -> str:
    """Return what is said of a result, which takes no computing."""
    return str(import_module(f"mechdesign.papers.{name.replace('-', '_')}").WORDS)


def near(digits: str) -> object:
    """What rounds to these digits."""
    return pytest.approx(float(digits), abs=0.5001 * 10.0 ** -len(digits.partition(".")[2]), rel=0)


class TestEveryResult:
    def test_registry_is_in_order(self) -> None:
        assert [name for name in RESULTS if name.startswith("gc-")] == NAMES

    @pytest.mark.slow
    @pytest.mark.parametrize("name", NAMES)
    def test_result(self, name: str) -> None:
        """All in one test, for a result takes up to a second, and each test may have a process of its own."""
        one = result(name)
        assert one.name == name
        assert one.rows
        assert [row.what for row in one.rows if row.agrees is not True] == []
        assert len({row.what for row in one.rows}) >= len(one.rows) - 4  # "there" refers to the row before
        assert stated(one) == (0, CLAIMED.get(name, 0))  # the paper prints none of it
        assert one.words == words_of(name)
        assert "\n" not in one.words
        assert one.words.endswith(".")
        if name in TITLES:
            assert_drawn(one, TITLES[name])
        else:
            assert one.figure is None

    def test_errata(self) -> None:
        """Each is told, and what the text at hand may have misread is not called printed."""
        told = [words for name in NAMES for words in words_of(name).split("ERR-")[1:]]
        assert {words[:3] for words in told} >= {f"3.{number}" for number in range(1, 7)}
        for words in told:
            if words.startswith(("3.3", "3.4")):
                assert "the text at hand" in words
                assert "print" not in words


class TestAgree:
    @pytest.mark.parametrize(
        ("computed", "expected", "verdict"),
        [
            (2 / 3, "0.667", True),  # rounded
            (2 / 3, "0.666", False),  # cut off
            (Fraction(1, 8), "0.12", True),  # a tie may go either way
            (Fraction(1, 8), "0.13", True),
            (Fraction(1, 8) + Fraction(1, 10**9), "0.12", False),
            (0.4, "0.000000", False),
            (1 / 3, Fraction(1, 3), True),
            (1 / 3, 1 / 3 + 1e-8, False),
            (math.inf, math.inf, True),
            (1.0, math.inf, False),
            (True, True, True),
            (True, False, False),
            (1, True, False),  # a number is no claim
        ],
    )
    def test_at_the_digits_given(
        self, computed: Fraction | float, expected: str | Fraction | float, verdict: bool
    ) -> None:
        assert agree(computed, expected) is verdict

    def test_reference_decides(self) -> None:
        assert Claim("wrong in print", 0.0, "1.125", "0.000").agrees is True
        assert Claim("wrong here", 1.125, "1.125", "0.000").agrees is False
        assert Claim("right in print", 1.125, "1.125").agrees is True
        assert Claim("nothing known", 1.125).agrees is None

    def test_claims_count_as_print_does(self) -> None:
        assert Claim("holds", True, claimed=True).agrees is True
        assert Claim("does not hold", False, claimed=True).agrees is False
        assert Claim("does not hold, and is known not to", False, reference=False, claimed=True).agrees is True
        assert Claim("value of a formula", 1.125, claimed="1.125").agrees is True

    @pytest.mark.parametrize(
        ("row", "said"),
        [
            (Claim("printed", 1.0, "1.5"), "1.5"),
            (Claim("claimed", False, claimed=False), False),
            (Claim("ours", 1.0, reference=1.0), None),
        ],
    )
    def test_stated(self, row: Claim, said: object) -> None:
        assert row.stated == said


class TestOurOptimum:
    """[GC] Figure 1(c) is not refuted by the one of many optima that is chosen here."""

    def test_the_claim_holds_for_some_optimum(self) -> None:
        rows = [row for row in result("gc-figure-1c").rows if row.what.startswith("less informative")]
        assert [(row.computed, row.claimed, row.reference, row.note) for row in rows] == [
            (True, True, None, "for some optimum")
        ] * 7

    def test_what_holds_for_ours_is_not_held_against_the_paper(self) -> None:
        rows = [row for row in result("gc-figure-1c").rows if "chosen here" in row.what]
        assert [row.stated for row in rows] == [None] * 7
        assert {row.note for row in rows} == {"ours"}
        assert [row.what.split()[-1] for row in rows if row.computed is False] == ["19/50"]

    def test_another_optimum_has_the_order_where_ours_has_not(self) -> None:
        """The claim as the paper has it: by 0, 0.1, 0.2, 0.3 the categories 4, 2, 1, 3 differ between profiles."""
        first, second, third, fourth = least_squares_costs(categorical_chain(), Fraction(19, 50))
        assert fourth <= second <= first + 1e-9 <= third


class TestOneBit:
    @pytest.mark.parametrize(
        ("epsilon", "symmetric", "from_zero"),
        [
            (
                "1",
                ["0.000000", "0.000000", "0.114902", "0.211177", "0.268941"],
                ["0.094416", "0.158838", "0.205600", "0.241089", "0.268941"],
            ),
            (
                "1/2",
                ["0.000000", "0.193852", "0.295901", "0.346926", "0.377541"],
                ["0.190708", "0.276106", "0.324549", "0.355758", "0.377541"],
            ),
            ("1/10", ["0.375104", "0.437552", "0.458368", "0.468776", "0.475021"], []),
        ],
    )
    def test_figure_1a(self, epsilon: str, symmetric: list[str], from_zero: list[str]) -> None:
        level = Fraction(epsilon)
        for step, digits in enumerate(symmetric, start=1):
            half = Fraction(step, 10)
            assert float(flip_at(level, Fraction(1, 2) - half, Fraction(1, 2) + half)) == near(digits)
        for step, digits in enumerate(from_zero, start=1):
            assert float(flip_at(level, Fraction(0), Fraction(step, 5))) == near(digits)
        assert float(warner(level)) == near(symmetric[-1])

    @SEVERAL
    @given(p=MEANS, q=MEANS, epsilon=EPSILONS)
    def test_formula_is_the_least_that_4_allows(self, p: Fraction, q: Fraction, epsilon: float) -> None:
        p, q = min(p, q), max(p, q)
        ratio = exp_below(Fraction(epsilon))
        formula = flip_probability(p, q, ratio=ratio) if ratio > 1 or p != q else Fraction(0)
        assert abs(least_flip(p, q, ratio) - formula) < Fraction(1, 10**12)
        assert float(formula) == pytest.approx(flip_by_program(float(p), float(q), math.exp(epsilon)), abs=1e-7)

    @SEVERAL
    @given(p=MEANS, q=MEANS, epsilon=st.fractions(Fraction(1, 100), 3, max_denominator=100))
    def test_every_pair_lies_between_the_two_curves(self, p: Fraction, q: Fraction, epsilon: Fraction) -> None:
        p, q = min(p, q), max(p, q)
        half = (q - p) / 2
        least, most = (
            flip_at(epsilon, Fraction(1, 2) - half, Fraction(1, 2) + half),
            flip_at(epsilon, Fraction(0), q - p),
        )
        assert least <= flip_at(epsilon, p, q) <= most <= warner(epsilon)

    @pytest.mark.parametrize(
        ("p", "q", "printed", "solution"),
        [
            ("9/10", "9/10", "1.125", "0.000000"),
            ("3/10", "3/10", "1.75", "0.000000"),
            ("4/5", "17/20", "1.422846", "0.000000"),
            ("1/10", "3/20", "1.279056", "0.000000"),
            ("0", "1/10", "1.231417", "0.052130"),  # although e^epsilon p <= q
        ],
    )
    def test_printed_bound_is_not_the_solution(self, p: str, q: str, printed: str, solution: str) -> None:
        ratio = exp_below(Fraction(1))
        assert float(printed_bound(Fraction(p), Fraction(q), ratio)) == near(printed)
        assert float(least_flip(Fraction(p), Fraction(q), ratio)) == near(solution)

    @SEVERAL
    @given(p=MEANS, q=MEANS, epsilon=st.fractions(Fraction(1, 100), 3, max_denominator=100))
    def test_printed_bound_is_exact_or_says_nothing(self, p: Fraction, q: Fraction, epsilon: Fraction) -> None:
        p, q = min(p, q), max(p, q)
        ratio = exp_below(epsilon)
        assume(2 * (q - ratio * p) + ratio != 1)  # else it divides by zero
        assume(2 * (p - ratio * q) + ratio != 1)
        bound = printed_bound(p, q, ratio)
        assert bound == flip_probability(p, q, ratio=ratio) or bound > Fraction(1, 2)

    @pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 2.0])
    def test_share_where_it_says_nothing(self, epsilon: float) -> None:
        """Two triangles with a corner at (1/2, 1/2), each of area (E - 1)/(8 E); the whole has area 1/2."""
        assert vacuous_share(epsilon) == pytest.approx((1 - math.exp(-epsilon)) / 2, abs=2e-5)

    @pytest.mark.parametrize(("epsilon", "percent"), [(0.1, "4.85"), (0.5, "19.75"), (1.0, "31.67"), (2.0, "43.29")])
    def test_a_coarse_grid_counts_too_much(self, epsilon: float, percent: str) -> None:
        """On 1001 x 1001 points the diagonal, where the bound says nothing, counts as much as any other line."""
        E = math.exp(epsilon)
        p, q = np.meshgrid(np.linspace(0, 1, 1001), np.linspace(0, 1, 1001), indexing="ij")
        low = np.minimum(q - E * p, (1 - p) - E * (1 - q))
        assert 100 * (low < -(E - 1) / 2)[p <= q].mean() == pytest.approx(float(percent), abs=0.01)

    @pytest.mark.parametrize(
        ("p", "q", "epsilon", "smooth", "flip"),
        [
            ("0.4", "0.6", "0.2", "0.083610", "0.250830"),
            ("0.3", "0.6", "0.1", "0.195432", "0.418100"),
            ("0", "1", "1", "0.268941", "0.268941"),
        ],
    )
    def test_categorical_beats_flipping(self, p: str, q: str, epsilon: str, smooth: str, flip: str) -> None:
        graph = bernoulli_couplet(Fraction(p), Fraction(q))
        assert float(design(graph, epsilon=epsilon).value) == near(smooth)
        assert float(design(graph, epsilon=epsilon, method="one-bit-cluster").value) == near(flip)


def flip_by_program(p: float, q: float, ratio: float) -> float:
    """Solve (4) as a linear program: a release of mean p is 1 with probability p + (1 - 2 p) alpha."""
    one, other = (p, 1 - 2 * p), (q, 1 - 2 * q)
    zero = [(1 - start, -slope) for start, slope in (one, other)]
    pairs = [(one, other), (other, one), (zero[0], zero[1]), (zero[1], zero[0])]
    slopes = [[a[1] - ratio * b[1]] for a, b in pairs]
    bounds = [ratio * b[0] - a[0] for a, b in pairs]
    return float(linprog([1.0], A_ub=slopes, b_ub=bounds, bounds=[(0, 0.5)]).x[0])


class TestOptimum:
    @pytest.mark.parametrize(
        ("epsilon", "digits"),
        [
            (0.0, "0.142857143"),
            (0.05, "0.1319037"),
            (0.1, "0.1208473"),
            (0.25, "0.0876085"),
            (0.5, "0.0566847"),
            (0.75, "0.0314761"),
            (1.0, "0.0084184"),
            (1.05, "0.0041000"),
            (math.log(3), "0.000000000000"),
        ],
    )
    def test_formula(self, epsilon: float, digits: str) -> None:
        assert optimum(epsilon) == near(digits)

    def test_it_is_derived(self) -> None:
        rows = result("gc-optimum").rows[:3]
        assert [row.what.split(" for ")[0] for row in rows] == [
            "t*: derived is (4 - E^2) / (3 (4 + 3 E^2))",
            "t*: derived is (3 - E) / (9 (1 + E))",
            "t*: derived is 0",
        ]

    @SEVERAL
    @given(epsilon=st.floats(0, 1.3))
    def test_formula_is_what_the_definition_gives(self, epsilon: float) -> None:
        steps = [(i, i + 1, exp_64_above(epsilon), Fraction(0)) for i in range(2)]
        masses = [[Fraction(str(mass)) for mass in row] for row in CHAIN]
        found = by_definition(masses, steps, [[0], [1], [2]], outputs=4)
        assert optimum(epsilon) == pytest.approx(float(found), abs=1e-15)

    @pytest.mark.parametrize("method", ["structured", "highs", "reference"])
    @pytest.mark.parametrize("epsilon", ["0.02", "0.2", "0.2877", "0.29", "0.6", "0.9", "1.0986"])
    def test_methods_find_it(self, epsilon: str, method: str) -> None:
        found = design(categorical_chain(), epsilon=epsilon, method=method)
        assert found.value >= found.bound
        assert float(found.value) == pytest.approx(optimum(float(epsilon)), abs=1e-9)

    def test_identity_from_ln_3_on(self) -> None:
        assert design(categorical_chain(), epsilon=1.0986123).value == 0
        assert design(categorical_chain(), epsilon=1.0986122).value > 0


class TestCosts:
    @pytest.mark.parametrize(("epsilon", "digits"), [("0", "0.150000"), ("1/20", "0.148102")])
    def test_k_ary_response_costs_every_category_the_same(self, epsilon: str, digits: str) -> None:
        assert [float(cost) for cost in response_costs(Fraction(epsilon))] == [near(digits)] * 4

    @SEVERAL
    @given(epsilon=st.fractions(0, 5, max_denominator=50))
    def test_k_ary_formula(self, epsilon: Fraction) -> None:
        assert [float(cost) for cost in response_costs(epsilon)] == pytest.approx([formula(float(epsilon))] * 4)

    @pytest.mark.parametrize(
        ("epsilon", "ranges"),
        [
            ("0", "0.100000 0.171429 0.050000 0.128571 0.171429 0.171429 0.028571 0.100000"),
            ("1/10", "0.070100 0.145017 0.032515 0.145017 0.145017 0.145017 0.024169 0.108763"),
            ("1/2", "0.000000 0.068022 0.000000 0.068022 0.051016 0.068022 0.005668 0.051016"),
            ("1", "0.000000 0.010102 0.000000 0.010102 0.007577 0.010102 0.000842 0.007577"),
        ],
    )
    def test_ranges_over_the_optima(self, epsilon: str, ranges: str) -> None:
        found = [end for ends in cost_ranges(categorical_chain(), Fraction(epsilon)) for end in ends]
        assert found == [near(digits) for digits in ranges.split()]

    @pytest.mark.parametrize(
        ("epsilon", "costs"),
        [
            ("0", "0.115690 0.063704 0.171429 0.050823"),
            ("1/10", "0.072750 0.055474 0.145017 0.045911"),
            ("1/4", "0.042652 0.039050 0.105130 0.034283"),
            ("1/2", "0.022674 0.022674 0.051016 0.017005"),
            ("3/4", "0.012590 0.012590 0.028329 0.009443"),
            ("1", "0.003367 0.003367 0.007577 0.002526"),
        ],
    )
    def test_least_squared_off_diagonals(self, epsilon: str, costs: str) -> None:
        found = least_squares_costs(categorical_chain(), Fraction(epsilon))
        assert found == [near(digits) for digits in costs.split()]

    @pytest.mark.parametrize("epsilon", ["0.4813", "1/2", "3/4", "1"])
    def test_explicit_forms_from_the_golden_ratio_on(self, epsilon: str) -> None:
        t = optimum(float(Fraction(epsilon)))
        ours = [float(cost) for cost in smooth_costs(Fraction(epsilon))]
        assert ours == pytest.approx([0.3 * t, 0.3 * t, 0.9 * t, 0.3 * t], abs=1e-8)
        least_squares = least_squares_costs(categorical_chain(), Fraction(epsilon))
        assert least_squares == pytest.approx([0.4 * t, 0.4 * t, 0.9 * t, 0.3 * t], abs=1e-7)

    @pytest.mark.parametrize("epsilon", ["0", "1/10", "1/4", "19/50", "1/2", "3/4", "1"])
    def test_optimum_returned_is_the_closest_to_the_profiles(self, epsilon: str) -> None:
        closest = closest_costs(float(Fraction(epsilon)))
        assert [float(cost) for cost in smooth_costs(Fraction(epsilon))] == pytest.approx(closest, abs=5e-7)

    @pytest.mark.slow
    @settings(max_examples=15, deadline=None)
    @given(epsilon=st.fractions(0, Fraction(11, 10), max_denominator=60))
    def test_optimum_returned_is_within_the_ranges(self, epsilon: Fraction) -> None:
        for cost, (low, high) in zip(smooth_costs(epsilon), cost_ranges(categorical_chain(), epsilon), strict=True):
            assert low - 1e-9 <= float(cost) <= high + 1e-9

    def test_categories_1_and_2_change_places_for_a_while(self) -> None:
        for epsilon, crossed in (("0.357", False), ("0.359", True), ("0.404", True), ("0.406", False)):
            first, second, *_ = (float(cost) for cost in smooth_costs(Fraction(epsilon)))
            assert (second > first + 1e-9) is crossed


def closest_costs(epsilon: float) -> list[float]:
    """Return the costs (6) of the optimum closest to the profiles, through cvxpy and the full matrices."""
    import cvxpy as cp

    level = optimum(epsilon) + 1e-10  # the face has no interior otherwise
    matrices = [cp.Variable((4, 4), nonneg=True) for _ in CHAIN]
    q = [P @ A for P, A in zip(CHAIN, matrices, strict=True)]
    constraints = [cp.sum(A, axis=1) == 1 for A in matrices]
    constraints += [A[~np.eye(4, dtype=bool)] <= level for A in matrices]
    for a, b in ((0, 1), (1, 0), (1, 2), (2, 1)):
        constraints.append(q[a] * math.exp(-epsilon) <= q[b])
    distance = sum(cp.sum_squares(one - P) for one, P in zip(q, CHAIN, strict=True))
    cp.Problem(cp.Minimize(distance), constraints).solve(solver=cp.HIGHS)
    moved = np.abs(np.array([one.value for one in q]) - CHAIN)
    return [float(cost) for cost in moved.max(axis=0)]


class TestSmallEpsilon:
    def test_root(self) -> None:
        root = float(result("gc-small-epsilon").rows[0].computed)
        E = math.exp(root)
        assert root == near("0.094971877")
        assert abs(2 * E**3 + 15 * E**2 - 8 * E - 12) < 1e-12
        assert 1.2 * optimum(root - 1e-6) > formula(root - 1e-6)
        assert 1.2 * optimum(root + 1e-6) < formula(root + 1e-6)

    @pytest.mark.parametrize(
        ("epsilon", "cost", "response"), [("0", "0.171429", "0.150000"), ("1/20", "0.158284", "0.148102")]
    )
    def test_k_ary_response_wins_against_every_optimum(self, epsilon: str, cost: str, response: str) -> None:
        low, high = cost_ranges(categorical_chain(), Fraction(epsilon))[2]
        assert (low, high) == (near(cost), near(cost))
        assert formula(float(Fraction(epsilon))) == near(response)

    @pytest.mark.parametrize("epsilon", ["3/100", "19/100", "7/25"])
    def test_every_optimum_costs_category_3_the_same(self, epsilon: str) -> None:
        ends = cost_ranges(categorical_chain(), Fraction(epsilon))[2]
        assert ends == pytest.approx([1.2 * optimum(float(Fraction(epsilon)))] * 2, abs=1e-8)

    @pytest.mark.parametrize(
        ("epsilon", "digits"),
        [
            ("0", "0.150000"),
            ("1/20", "0.137510"),
            ("1/10", "0.125083"),
            ("1/4", "0.088770"),
            ("1/2", "0.051016"),
            ("3/4", "0.028329"),
            ("1", "0.007577"),
        ],
    )
    def test_best_for_the_largest_cost(self, epsilon: str, digits: str) -> None:
        assert least_largest_cost(categorical_chain(), Fraction(epsilon)) == near(digits)

    @settings(max_examples=15, deadline=None)
    @given(epsilon=st.fractions(0, 1, max_denominator=60))
    def test_nothing_beats_the_best(self, epsilon: Fraction) -> None:
        found = design(categorical_chain(), epsilon=epsilon)
        assert found.category_costs is not None
        best = least_largest_cost(categorical_chain(), epsilon)
        assert best <= min(float(max(found.category_costs)), formula(float(epsilon))) + 1e-9


def distributions(length: int) -> st.SearchStrategy[list[Fraction]]:
    weights = st.lists(st.integers(0, 9), min_size=length, max_size=length).filter(any)
    return weights.map(lambda row: [Fraction(weight, sum(row)) for weight in row])


class TestProperties:
    """Theorem 8, Observations 4 and 5 hold exactly; re-use does not compose."""

    @SEVERAL
    @given(pairs=st.lists(st.tuples(distributions(3), distributions(3)), min_size=2, max_size=2))
    def test_ratios_of_independent_releases_multiply(self, pairs: list[tuple[list[Fraction], list[Fraction]]]) -> None:
        (a, b), (c, d) = pairs
        first, second, both = largest_ratio(a, b), largest_ratio(c, d), largest_ratio(product(a, c), product(b, d))
        assert both == first * second

    @SEVERAL
    @given(moved=st.tuples(distributions(3), distributions(3)), kept=distributions(3))
    def test_a_release_that_does_not_move_adds_nothing(
        self, moved: tuple[list[Fraction], list[Fraction]], kept: list[Fraction]
    ) -> None:
        a, b = moved
        assert worst_ratio([(product(a, kept), product(b, kept))]) == worst_ratio([moved])

    def test_zeros(self) -> None:
        half, sure = [Fraction(1, 2), Fraction(1, 2), Fraction(0)], [Fraction(1), Fraction(0), Fraction(0)]
        assert largest_ratio(sure, half) == 2
        assert largest_ratio(half, sure) == math.inf

    def test_reuse(self) -> None:
        assert reused_losses(Fraction(0)) == (0.0, 0.0, math.inf)
        assert reused_losses(Fraction(1, 10)) == (0.0, 0.0, near("2.944439"))

    def test_two_profiles_that_both_move_lose_more_than_observation_5_allows(self) -> None:
        rows = {row.what: float(row.computed) for row in result("gc-composition").rows}
        assert rows["loss of two profiles when one may move"] == pytest.approx(0.5, abs=1e-6)
        assert rows["loss of two profiles when both may move"] == pytest.approx(0.75, abs=1e-6)

    @SEVERAL
    @given(
        table=st.lists(st.lists(st.integers(1, 9), min_size=3, max_size=3), min_size=3, max_size=3),
        profiles=st.tuples(distributions(3), distributions(3)),
    )
    def test_locally_private_is_profile_based_private(
        self, table: list[list[int]], profiles: tuple[list[Fraction], list[Fraction]]
    ) -> None:
        rows = np.array([[Fraction(weight, sum(row)) for weight in row] for row in table], dtype=object)
        graph = profile_graph(dict(enumerate(profiles)), edges="all", categories=range(3))
        mechanism = mechanism_from_matrix(rows)
        a, b = (np.array(profile, dtype=object) @ rows for profile in profiles)
        local = max(x / y for one in rows for other in rows for x, y in zip(one, other, strict=True))
        assert local_ratio(mechanism) == local
        assert profile_ratio(mechanism, graph) == max(*(a / b), *(b / a)) <= local

    def test_problem_is_that_of_the_chain(self) -> None:
        assert np.array_equal(smooth_categorical(categorical_chain(), Fraction(1)).profiles, CHAIN)
