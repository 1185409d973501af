"""Sweeps, and what `design` says about how it was done: any optimum, phases."""

import math
from fractions import Fraction
from typing import Any

import pytest
from oracles.divergence import assert_private

from mechdesign import Design, InputError, WorstLoss, check_certificate, design, read_graph, sweep
from mechdesign.designer.method import Method
from mechdesign.designer.sweeper import MOST, parse_epsilons

CHAIN = read_graph("categorical-chain")
PHASES = {"build", "solve", "canonical", "repair", "check", "bound"}


class TestParseEpsilons:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("0.5", ["1/2"]),
            ("inf", [math.inf]),
            ("1,0.1,1/3", ["1/10", "1/3", 1]),  # ascending
            (" 0.1 , 0.10,1/10", ["1/10"]),  # each once
            ("0.1:2:20", [Fraction(n, 10) for n in range(1, 21)]),  # exact, with both ends
            ("0:1:4", [0, "1/3", "2/3", 1]),
            ("1e-3:1/3:2", ["1/1000", "1/3"]),
            ("1:2:2,inf,1.5", [1, "3/2", 2, math.inf]),
        ],
    )
    def test_lists_and_ranges(self, text: str, expected: list[Any]) -> None:
        found = parse_epsilons(text)
        assert found == [value if value == math.inf else Fraction(value) for value in expected]

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("", "found ''"),
            ("0.1,", "found ''"),
            ("0.1,,1", "found ''"),
            ("0.1;0.2", "found '0.1;0.2'"),
            ("-0.1,1", "found '-0.1'"),
            ("1:2", "from:to:count such as 0.1:2:20, count 2 to 10000, found '1:2'"),
            ("1:2:3:4", "found '1:2:3:4'"),
            ("2:1:3", "found '2:1:3'"),
            ("2:0.1:3", "epsilon: expected from:to:count with from below to, such as 0.1:2:20, found '2:0.1:3'"),
            ("1:1:2", "epsilon: expected from:to:count with from below to, such as 0.1:2:20, found '1:1:2'"),
            ("1:1:2", "found '1:1:2'"),
            ("1:inf:3", "found '1:inf:3'"),
            ("1:2:1", "found '1:2:1'"),
            (f"1:2:{MOST + 1}", "count 2 to 10000"),
            ("1:2:3.5", "found '1:2:3.5'"),
            ("1:b:3", "found '1:b:3'"),
            ("-1:2:3", "found '-1:2:3'"),
        ],
    )
    def test_what_cannot_be_used_is_named(self, text: str, words: str) -> None:
        with pytest.raises(InputError) as caught:
            parse_epsilons(text)
        assert words in str(caught.value)


class TestSweep:
    def test_each_point_is_that_epsilons_design(self) -> None:
        options: dict[str, Any] = {"delta": "0.01", "objective": WorstLoss("absolute"), "method": "highs"}
        for point in sweep(CHAIN, [0.5, "1/3", math.inf], **options):
            alone = design(CHAIN, epsilon=point.epsilon, **options)
            assert (point.value, point.bound, point.method) == (alone.value, alone.bound, "highs")
            assert (point.mechanism.weights == alone.mechanism.weights).all()
            assert_private(point.mechanism, CHAIN, point.epsilon, Fraction(1, 100))

    def test_in_the_order_given(self) -> None:
        asked = ["1", "0.2", "1", "inf"]
        assert [point.epsilon for point in sweep(CHAIN, asked)] == [1, Fraction(1, 5), 1, math.inf]
        assert sweep(CHAIN, []) == []

    @pytest.mark.parametrize("none", [None, True, -1, object()])
    def test_what_is_no_number_is_named(self, none: Any) -> None:
        with pytest.raises(InputError, match="epsilon: expected a number"):
            sweep(CHAIN, none)

    def test_each_is_handed_over_before_the_next_begins(self) -> None:
        told: list[object] = []

        def done(result: Design) -> None:
            told.append(result.epsilon)

        sweep(CHAIN, [1, 2], done=done, progress=lambda *counts: told.append(counts))
        assert told == [1, (1, 2), 2, (2, 2)]

    def test_what_is_done_survives_an_interruption(self) -> None:
        kept: list[Design] = []

        def done(result: Design) -> None:
            kept.append(result)
            if len(kept) == 2:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            sweep(CHAIN, "0.1:1:10", done=done)
        assert [result.epsilon for result in kept] == [Fraction(1, 10), Fraction(2, 10)]

    @pytest.mark.parametrize(
        "arguments",
        [{"epsilons": [1, -1]}, {"epsilons": "1:2"}, {"epsilons": [1], "delta": 2}, {"epsilons": [1], "method": "no"}],
        ids=str,
    )
    def test_arguments_that_cannot_be_used(self, arguments: dict[str, Any]) -> None:
        with pytest.raises(InputError):
            sweep(CHAIN, **arguments, done=lambda result: pytest.fail(f"{result} was designed"))


class TestAnyOptimum:
    @pytest.mark.parametrize("method", [method for method in Method if method not in ("one-bit-cluster", "command")])
    def test_it_is_as_good_as_private_and_as_proved(self, method: str) -> None:
        graph = read_graph("commutes")
        canonical, any_one = (design(graph, epsilon="0.4", method=method, any_optimum=x) for x in (False, True))
        assert_private(any_one.mechanism, graph, Fraction(2, 5))
        assert abs(any_one.bound - canonical.bound) <= Fraction(1, 10**12)  # of two profiles by their closed form
        assert float(any_one.value) == pytest.approx(float(canonical.value), rel=1e-7)
        assert check_certificate(any_one.certificate) == (any_one.value, any_one.bound)

    def test_the_statistics_say_so(self) -> None:
        graph = read_graph("commutes")
        assert design(graph, epsilon="0.4", any_optimum=True).stats["any_optimum"] == 2
        assert design(graph, epsilon="0.4").stats["any_optimum"] == 0
        assert design(graph, epsilon=100, any_optimum=True).stats["any_optimum"] == 0  # nothing to choose


class TestPhases:
    def test_they_add_up_to_the_seconds(self) -> None:
        stats = design(read_graph("departure-by-destination"), epsilon="0.1").stats
        assert set(stats["phases"]) == PHASES
        assert all(seconds > 0 for seconds in stats["phases"].values())
        assert 0.8 * stats["seconds"] < sum(stats["phases"].values()) <= stats["seconds"]

    def test_without_noise_nothing_is_solved(self) -> None:
        assert set(design(CHAIN, epsilon=10).stats["phases"]) == {"build", "check", "bound"}
