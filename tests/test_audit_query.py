"""`audit_query`: the illustration of [SM], the named queries against their definitions, the verdicts, bad input."""

import math
import random
import statistics
from collections.abc import Callable, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import pytest

from mechdesign import InputError
from mechdesign.audit import QUERIES, Outcome, audit_query

DEFINED: dict[str, Callable[[Sequence[Fraction]], Any]] = {
    "sum": sum,
    "mean": lambda x: sum(x) / Fraction(len(x)),
    "count": len,
    "variance": statistics.variance,
    "max": max,
    "min": min,
    "median": statistics.median,
}
SMALL = [[Fraction(random.Random(seed).randint(-6, 6), 2) for _ in range(4 + seed % 5)] for seed in range(24)]
"""A sample, none special: 4 to 8 records each, many of them equal."""
SPREAD = [list(map(Fraction, some)) for some in combinations_with_replacement((-3, -2, 0, 1, 3), 4)]
SPREAD += [[side * Fraction(value, 10) for value in (-30, -20, -20, -1, 20, 20)] for side in (1, -1)]
"""Records near the mean and far from it: either can move the variance most."""


@pytest.mark.parametrize("query", QUERIES)
def test_named_queries_are_what_they_are_called(query: str) -> None:
    define = DEFINED[query]
    for values in SMALL + SPREAD:
        audit = audit_query(values, query, 1)
        rest = [values[:i] + values[i + 1 :] for i in range(len(values))]
        assert audit.exact_answer == define(values)
        assert audit.sensitivity == audit.scale == max(abs(define(values) - define(some)) for some in rest)
        assert audit.records.answers.tolist() == [float(define(some)) for some in rest]
        farthest = [
            max(abs(define(some) - define(some[:j] + some[j + 1 :])) for j in range(len(some))) for some in rest
        ]
        assert audit.records.sensitivities.tolist() == pytest.approx([float(part) for part in farthest], rel=1e-15)
        assert audit.records.same_scale.tolist() == [part == audit.sensitivity for part in farthest]


@pytest.mark.parametrize("query", QUERIES)
def test_a_function_is_audited_as_the_query_it_computes(query: str) -> None:
    def function(x: Any) -> Any:
        return DEFINED[query]([Fraction(value) for value in x])

    for values in SMALL[:10]:
        named, asked = audit_query(values, query, 2), audit_query(values, function, 2)
        assert (named.exact_answer, named.sensitivity) == (asked.exact_answer, asked.sensitivity)
        for field in ("answers", "scales", "same_scale", "p2", "p3", "delta_with", "delta_without"):
            assert np.array_equal(getattr(named.records, field), getattr(asked.records, field)), field


def log_tail(response: Fraction, answer: Fraction, scale: Fraction) -> Decimal:
    """Return ln P[answer + noise >= response], from the definition."""
    if scale == 0:
        return Decimal(0 if response <= answer else "-inf")
    z = exact((response - answer) / scale)
    return -z - Decimal(2).ln() if z > 0 else (1 - z.exp() / 2).ln()


def exact(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / number.denominator


def check_all(values: Sequence[Any], query: str, epsilon: Fraction, response: Fraction) -> None:
    """Compare probabilities, ratios and losses with their definitions, in decimals of many digits."""
    audit = audit_query(values, query, epsilon, response=response)
    found = audit.records
    define, numbers = DEFINED[query], list(map(Fraction, values))
    rest = [numbers[:i] + numbers[i + 1 :] for i in range(len(values))]

    def farthest(some: list[Fraction]) -> Any:
        return max(abs(define(some) - define(some[:j] + some[j + 1 :])) for j in range(len(some)))

    with localcontext(Context(prec=200, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[])):
        whole, scale = define(numbers), farthest(numbers) / epsilon
        p1 = log_tail(response, whole, scale)
        assert audit.p1 == pytest.approx(float(p1.exp()), rel=1e-12, abs=1e-300)
        for i, some in enumerate(rest):
            answer, own = define(some), farthest(some) / epsilon
            p2, p3 = (log_tail(response, answer, of) for of in (scale, own))
            assert found.p3[i] == pytest.approx(float(p3.exp()), rel=1e-12, abs=1e-300)
            assert found.ratio_provider[i] == pytest.approx(float((p1 - p2).exp()), rel=1e-12, abs=1e-300)
            assert found.ratio_intruder[i] == pytest.approx(float((p1 - p3).exp()), rel=1e-12, abs=1e-300)
            for loss, first, second in ((found.loss_with[i], scale, own), (found.loss_without[i], own, scale)):
                most = exact(second / first).ln() + exact(abs(whole - answer) / second) if first <= second else math.inf
                assert loss == pytest.approx(float(most), rel=1e-13, abs=0)


class TestCancellation:
    """Whatever cancels in doubles."""

    @pytest.mark.parametrize("query", ["sum", "mean", "variance", "max"])
    @pytest.mark.parametrize("response", ["7", "300", "1e14", "1e17", "-1e17", "1e100"])
    def test_far_responses(self, query: str, response: str) -> None:
        for epsilon in (Fraction(2), Fraction(1, 10**13), Fraction(10**12, 3)):
            check_all((1, 2, 4, 8, 16), query, epsilon, Fraction(response))

    def test_where_two_far_tails_are_equal(self) -> None:
        values, epsilon = (1, 2, 4, 8, -16), Fraction(10**15)
        whole = audit_query(values, "mean", epsilon)
        rest = audit_query(values[:4], "mean", epsilon)
        assert whole.scale > rest.scale
        assert whole.exact_answer < rest.exact_answer
        slower, faster = whole.scale / (whole.scale - rest.scale), rest.scale / (whole.scale - rest.scale)
        for beyond in (0, 1, -3):
            response = slower * rest.exact_answer - faster * whole.exact_answer + beyond * whole.scale
            check_all(values, "mean", epsilon, response)

    @pytest.mark.parametrize("epsilon", [2, Fraction(1, 3), 10**16, Fraction(10**90, 3)])
    def test_laws_that_are_the_same_lose_nothing(self, epsilon: Fraction) -> None:
        found = audit_query([0, 1, 1, 3, 7], "max", epsilon).records
        assert found.loss_with[:3].tolist() == found.loss_without[:3].tolist() == [0, 0, 0]
        check_all([0, 1, 1, 3, 7], "max", Fraction(epsilon), Fraction(5))

    @pytest.mark.parametrize("digits", [2, 9, 18, 60])
    def test_quantiles_near_one(self, digits: int) -> None:
        for u, side in ((f"0.{'9' * digits}", 1), (f"1e-{digits}", -1)):
            audit = audit_query([1, 1, 1], "count", 1, u=u)
            assert audit.response == pytest.approx(3 + side * (digits * math.log(10) - math.log(2)), rel=1e-14)

    @pytest.mark.parametrize("query", ["mean", "variance", "max"])
    def test_scales_of_very_different_sizes(self, query: str) -> None:
        values = ["1e100", *(f"{i}e-300" for i in (1, 2, 3, 7))]
        for epsilon in (Fraction(1), Fraction(1, 10**100)):
            check_all(values, query, epsilon, Fraction(1))
            found = audit_query(values, query, epsilon).records
            assert ((found.delta >= 0) & (found.delta <= 1)).all()

    @pytest.mark.parametrize("query", [name for name in QUERIES if name != "count"])
    @pytest.mark.parametrize("unit", [Fraction(1, 10**170), Fraction(5e-324), Fraction(1, 10**900), Fraction(10**90)])
    def test_the_unit_plays_no_part(self, query: str, unit: Fraction) -> None:
        first = audit_query([1, 2, 4, 8, 16], query, 2)
        second = audit_query([value * unit for value in (1, 2, 4, 8, 16)], query, 2)
        assert first.p1 == pytest.approx(second.p1, rel=1e-12)
        for field in ("p2", "p3", "ratio_provider", "ratio_intruder", "delta", "loss_with", "loss_without"):
            assert np.allclose(getattr(first.records, field), getattr(second.records, field), rtol=1e-12, atol=0), field


class TestVerdict:
    def test_luck_is_not_privacy(self) -> None:
        audit = audit_query([1, -1, 1], "sum", 2)  # every record left out leaves the scale at 1/2
        assert (audit.private, audit.outcome, audit.tight_epsilon, audit.delta) == (False, Outcome.NOT_SHOWN, 2, 0)
        assert "Not shown" in audit.sentence()

    def test_scales_differ_by_less_than_a_double_can_tell(self) -> None:
        values = ["1", "1", "1.00000000000000000000000000000001"]
        audit = audit_query(values, "sum", 1)
        assert audit.records.scales.tolist() == [1.0, 1.0, 1.0]
        assert audit.records.same_scale.tolist() == [True, True, False]
        assert audit.outcome is Outcome.REFUTED
        assert 0 < audit.records.delta[2] < 1e-31

    def test_no_noise_at_all(self) -> None:
        audit = audit_query([5, 5, 5, 5], "mean", 1)
        assert audit.scale == audit.tight_epsilon == audit.delta == 0
        assert not audit.private
        assert audit.p1 == 1

    def test_an_answer_without_noise_gives_itself_away(self) -> None:
        audit = audit_query([1, 5, 5], "max", 1)
        assert audit.scale == 0
        assert audit.records.delta_with.tolist() == audit.records.delta_without.tolist() == [0, 1, 1]
        assert audit.records.loss_with.tolist() == audit.records.loss_without.tolist() == [0, math.inf, math.inf]


class TestInference:
    def test_is_the_record_that_makes_the_answer(self) -> None:
        for query, values in (
            ("sum", [1, 2, 3, 90]),
            ("mean", [1, 2, 3, 90]),
            ("max", [1, 2, 3, 90]),
            ("min", [9, 8, 7, -90]),
        ):
            audit = audit_query(values, query, 1, response=str(values[-1] * 2))
            record = float(audit.records.inferred[3])
            side = 1 if values[-1] > 0 else -1
            level = audit.records.answers[3] + side * audit.records.scales[3] * math.log(5000)
            assert float(DEFINED[query]([*map(Fraction, values[:3]), Fraction(record)])) == pytest.approx(level)

    def test_noise_smaller_than_the_last_digit_of_the_answer(self) -> None:
        audit = audit_query([1, 2, 3, 90], "sum", 10**20, response=1000)
        assert float(audit.records.inferred[3]) == pytest.approx(3e-20 * math.log(5000), rel=1e-12, abs=0)

    def test_nothing_follows_from_an_answer_met(self) -> None:
        assert np.isnan(audit_query([5, 5, 5, 5], "mean", 1).records.inferred).all()
        assert audit_query([5, 5, 5, 5], "mean", 1, response=6).records.inferred.tolist() == [5, 5, 5, 5]


@pytest.mark.parametrize("query", QUERIES)
def test_many_records(query: str) -> None:
    values = np.random.default_rng(0).normal(10, 2, 20_000)
    audit = audit_query(values, query, 1, bounds=(0, 20))
    assert len(audit.records.delta) == 20_000
    assert float(audit.exact_answer) == pytest.approx(float(DEFINED[query](values.tolist())))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "at least 3 records, found 0"),
        ([1], "at least 3 records, found 1"),
        ([1, 2, "x"], "row 3: .* found text"),
        ([1, math.nan, 2], "row 2: .* not finite"),
        ([1, None, 2], "row 2"),
        ([1, "", 2], "row 2"),
        ([1, True, 2], "row 2: .* type bool"),
        ([1, [2], 3], "row 2"),
        ([1, math.inf, 3], "row 2"),
        ([1, 2, "1e101"], "row 3: .*1e100"),
        (["x"] * 14, "and 2 more"),
        (7, "column of numbers"),
        ("123", "column of numbers"),
    ],
    ids=str,
)
def test_bad_records(values: Any, message: str) -> None:
    with pytest.raises(InputError, match=f"(?s){message}"):
        audit_query(values, "mean", 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epsilon": 0}, "epsilon"),
        ({"epsilon": -1}, "epsilon"),
        ({"epsilon": math.nan}, "epsilon"),
        ({"epsilon": math.inf}, "epsilon"),
        ({"epsilon": "1e200"}, "epsilon"),
        ({"epsilon": "x"}, "epsilon"),
        ({"query": "mode"}, "query: expected one of sum, mean"),
        ({"query": 3}, "query: expected"),
        ({"u": 0}, "u: expected"),
        ({"u": 1}, "u: expected .*, found 1"),
        ({"u": "1e-400"}, "u: expected .*, found '1e-400'"),
        ({"u": "x"}, "u: expected"),
        ({"response": "x"}, "response: expected"),
        ({"response": "1e999"}, "response: .*1e100"),
        ({"bounds": (0, "1e999")}, "bounds: .*1e100"),
        ({"u": 0.5, "response": 1}, "found both"),
        ({"bounds": (2, 1)}, "L < U, found 2 and 1"),
        ({"bounds": (1, 1)}, "L < U"),
        ({"bounds": (1,)}, "bounds: expected two"),
        ({"bounds": "01"}, "bounds: expected two"),
        ({"bounds": (0, math.nan)}, "bounds: expected a number"),
        ({"query": len, "bounds": (0, 1)}, "bounds: no data show"),
        ({"query": lambda x: None}, "query: expected a number of size at most 1e200, found None"),
        ({"query": lambda x: x}, "query: expected a number of size at most 1e200, found array"),
        ({"query": lambda x: 10**400}, "query: expected a number of size at most 1e200"),
        ({"query": lambda x: 1e300 if len(x) < 3 else 0}, "size at most 1e200 without row 1 and 2"),
        ({"query": lambda x: math.nan}, "query: expected a number of size at most 1e200, found nan"),
        ({"query": lambda x: 0 if len(x) > 2 else "no"}, "without row 1 and 2"),
    ],
)
def test_bad_arguments(options: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"query": "mean", "epsilon": 1} | options
    with pytest.raises(InputError, match=message):
        audit_query([1, 2, 3, 4], **arguments)


@pytest.mark.parametrize(("query", "fewest"), [("sum", 2), ("count", 2), ("mean", 3), ("variance", 4), (np.mean, 3)])
def test_fewest_records(query: Any, fewest: int) -> None:
    assert audit_query(range(fewest), query, 1).n == fewest
    with pytest.raises(InputError, match=f"at least {fewest} records, found {fewest - 1}"):
        audit_query(range(fewest - 1), query, 1)


def test_too_many_records_for_a_function() -> None:
    with pytest.raises(InputError, match="at most 1000 records, found 1001"):
        audit_query(range(1001), np.mean, 1)


def test_the_least_delta_is_said_rounded_up() -> None:
    """With one that is rounded down the noise would not be private."""
    audit = audit_query([1, 2, 3, 10], "mean", 1)
    assert 0.592 < audit.delta < 0.5925
    assert "the least delta is 0.593. " in audit.sentence()
