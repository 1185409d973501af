"""Graphs of one's own table: bounds around noised counts, by the exact law of the noise; what all that tells."""

import math
from fractions import Fraction
from itertools import product
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.exact.exponentials import exp_above, exp_below
from mechdesign.geometric import furthest
from mechdesign.graph.from_table.confidence import guarantee_in
from mechdesign.graph.from_table.count_ranges import Range, interval_outward, noised_ranges

SAMPLER = "mechdesign.graph.from_table.histogram.two_sided_geometric"
CELLS = {"job": ["a"] * 3 + ["b"] * 3, "use": ["x", "y", "z"] * 2, "n": [60, 30, 10, 20, 30, 50]}
DECLARED: dict[str, Any] = {"categories": ["x", "y", "z"], "profiles": ["a", "b"]}
EPSILONS = st.fractions(Fraction(1, 2), 4, max_denominator=40)
MISSES = st.fractions(Fraction(1, 10**6), Fraction(1, 2), max_denominator=10**6)


def made(frame: Any = CELLS, **options: Any) -> nx.Graph:
    asked: dict[str, Any] = {"noise": 2, "confidence": "0.95", "count": "n"} | DECLARED | options
    return md.graph_from_table(frame, profile="job", value="use", **asked)


def beyond(epsilon: Fraction, m: int, *, above: bool) -> Fraction:
    """Return a bound of P(|Z| > m), by adding up the law: 1 - sum over |z| <= m of (1 - q) / (1 + q) q^|z|."""
    bound = exp_above if above else exp_below
    q = 1 / bound(epsilon, bits=128)
    return 1 - (1 - q) / (1 + q) * (1 + 2 * sum((q**z for z in range(1, m + 1)), Fraction(0)))


@given(EPSILONS, MISSES)
def test_the_margin_is_the_least_by_the_exact_law(epsilon: Fraction, miss: Fraction) -> None:
    m = furthest(epsilon, miss)
    assert max(beyond(epsilon, m, above=above) for above in (True, False)) <= miss
    assert m == 0 or min(beyond(epsilon, m - 1, above=above) for above in (True, False)) > miss


def test_a_miss_that_no_noise_is_certain_to_keep_is_refused() -> None:
    with pytest.raises(md.InputError, match="confidence: so near to 1 that no noise is certain to be within"):
        furthest(Fraction(1), Fraction(1, 10**400))


COUNTS = st.lists(st.integers(0, 40), min_size=2, max_size=4)


@given(COUNTS, st.data(), st.booleans())
def test_where_all_noise_is_within_the_margin_the_ranges_hold_the_true_counts(
    counts: list[int], data: st.DataObject, public: bool
) -> None:
    epsilon, miss = Fraction(1, 2), Fraction(1, 20)
    margin = furthest(epsilon, miss)
    noise = data.draw(st.lists(st.integers(-margin, margin), min_size=len(counts), max_size=len(counts)))
    noised = [max(0, count + z) for count, z in zip(counts, noise, strict=True)]
    size = sum(counts)
    ranges = noised_ranges(noised, epsilon, miss, size if public else None)
    for count, one in zip(counts, ranges, strict=True):
        assert one.least <= count <= one.most
        assert one.least_others <= size - count <= one.most_others
        low, high = one.in_table
        assert not size or low <= Fraction(count, size) <= high
        exact = interval_outward(count, size, miss)
        low, high = one.in_population(miss)
        unit = Fraction(1, 10 ** (len(str(size)) + 1))  # ends are rounded outward, each to its own digits
        assert low <= exact[0] + unit
        assert high >= exact[1] - unit


def test_public_sizes_make_ranges_narrower_and_contradict_only_noise_beyond_its_margin() -> None:
    noised, margin = [30, 10], furthest(Fraction(1), Fraction(1, 20))
    assert margin == 3
    assert noised_ranges(noised, Fraction(1), Fraction(1, 20), None)[0] == Range(27, 33, 7, 13)
    assert noised_ranges(noised, Fraction(1), Fraction(1, 20), 36)[0] == Range(27, 29, 7, 9)
    assert noised_ranges(noised, Fraction(1), Fraction(1, 20), 90) == [Range(0, 90, 0, 90)] * 2


def masses_of(epsilon: Fraction, most: int) -> dict[int, float]:
    q = math.exp(-epsilon)
    return {z: (1 - q) / (1 + q) * q ** abs(z) for z in range(-most, most + 1)}


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("counts", [(0, 3), (5, 5), (1, 12)])
def test_coverage_of_the_tables_own_shares_over_all_noise(counts: tuple[int, int], public: bool) -> None:
    """By enumeration: 80 % are promised; what is left out of the enumeration counts as a miss, and is 1e-9."""
    epsilon, miss, size = Fraction(1), Fraction(1, 10), sum(counts)
    held = 0.0
    for (z, one), (w, other) in product(masses_of(epsilon, 22).items(), repeat=2):
        noised = [max(0, counts[0] + z), max(0, counts[1] + w)]
        ranges = noised_ranges(noised, epsilon, miss, size if public else None)
        shares = [r.in_table for r in ranges]
        if all(low <= Fraction(c, size) <= high for c, (low, high) in zip(counts, shares, strict=True)):
            held += one * other
    assert held >= 0.8


@pytest.mark.parametrize("chance", [Fraction(0), Fraction(1, 10), Fraction(3, 5)])
def test_coverage_of_the_population_over_all_samples_and_noise(chance: Fraction) -> None:
    """By enumeration: 80 % are promised, half of the miss for two counts' noise, half for the sample."""
    epsilon, trials, held = Fraction(1), 8, 0.0
    law = masses_of(epsilon, 14)
    for successes in range(trials + 1):
        mass = math.comb(trials, successes) * float(chance**successes * (1 - chance) ** (trials - successes))
        if not mass:
            continue
        for (z, one), (w, other) in product(law.items(), repeat=2):
            noised = [max(0, successes + z), max(0, trials - successes + w)]
            low, high = noised_ranges(noised, epsilon, Fraction(1, 20), None)[0].in_population(Fraction(1, 10))
            held += mass * one * other * (low <= chance <= high)
    assert held >= 0.8


def test_bounds_are_from_the_noised_counts_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the records: where the noised counts are the same, so is all else."""
    monkeypatch.setattr(SAMPLER, lambda *_: -(10**9))
    other = CELLS | {"n": [1, 2, 3, 4, 5, 6]}
    assert [dict(node) for node in made().nodes.values()] == [dict(node) for node in made(other).nodes.values()]
    assert made(of="table").nodes["a"]["counts"] == [0, 0, 0]
    assert "count" not in made().nodes["a"]


def outward(records: int, others: int) -> Fraction:
    unit = 10 ** (len(str(records + others)) + 1)
    return Fraction(math.floor(Fraction(records, records + others) * unit), unit)


def test_bounds_of_the_table_and_of_the_population_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SAMPLER, lambda *_: 1)
    m = furthest(Fraction(1), Fraction(1, 20) / 6)
    table = made(of="table").nodes["a"]
    assert table["counts"] == [61, 31, 11]
    assert table["lower"][0] == outward(61 - m, 31 + 11 + 2 * m)
    assert table["upper"][0] == 1 - outward(31 + 11 - 2 * m, 61 + m)
    m = furthest(Fraction(1), Fraction(1, 40) / 6)
    people, miss = made().nodes["a"], Fraction(1, 40) / 6
    assert people["lower"][0] == interval_outward(61 - m, 61 + 31 + 11 + m, miss)[0]
    assert people["upper"][0] == interval_outward(61 + m, 61 + 31 + 11 - m, miss)[1]


@pytest.mark.parametrize("of", ["table", "population"])
def test_with_little_noise_bounds_are_those_of_exact_counts(of: str) -> None:
    own = made(noise=200, of=of, public_sizes=True).nodes["a"]
    if of == "table":
        assert (
            tuple(own["lower"])
            == tuple(own["upper"])
            == tuple(own["distribution"])
            == (Fraction(6, 10), Fraction(3, 10), Fraction(1, 10))
        )
    else:
        ends = [interval_outward(count, 100, Fraction(1, 40) / 6) for count in (60, 30, 10)]
        assert list(zip(own["lower"], own["upper"], strict=True)) == ends


def test_the_graph_carries_the_budget_the_level_and_what_it_is_of() -> None:
    said = made(of="table").graph["made"]
    assert {key: said["noise"][key] for key in ("epsilon", "added_or_removed", "sizes", "of_one_person")} == {
        "epsilon": "2",
        "added_or_removed": "1",
        "sizes": "noised",
        "of_one_person": "2",
    }
    assert (said["confidence"]["level"], said["confidence"]["of"]) == ("0.95", "table")
    assert said["confidence"]["guarantee"] == (
        "with probability at least 95 % over the noise, (epsilon, delta)-private for the table's own profiles;"
        " certainly for every profile within the graph's bounds"
    )
    people = made(public_sizes=True)
    assert "over the noise and the sample" in people.graph["made"]["confidence"]["guarantee"]
    assert "half of the probability of a miss" in people.graph["made"]["confidence"]["intervals"]
    assert people.graph["made"]["noise"]["of_one_person"] == "4"
    assert "if two people change places" in people.graph["made"]["noise"]["guarantee"]
    assert people.nodes["a"]["count"] == 100
    assert "public" not in said
    assert "warning" not in said


@pytest.mark.parametrize(
    ("edges", "delta", "ending"),
    [
        ([("a", "b")], 0, "the released value epsilon 1: together epsilon 3"),
        ([("a", "b")], Fraction(1, 10), "the released value epsilon 1: together epsilon 3, with delta times e^1"),
        ([("a", "b", {"epsilon": 2})], 0, "the released value the edge's epsilon: together their sum"),
    ],
)
def test_the_sum_is_that_of_what_is_asked(edges: Any, delta: Fraction, ending: str) -> None:
    said = guarantee_in(made(edges=edges), Fraction(1), delta)
    assert said is not None
    assert said.endswith(ending)


@pytest.mark.parametrize("told", [None, 3, "much", "-1"])
def test_what_others_wrote_of_the_noise_is_no_budget(told: Any) -> None:
    graph = nx.Graph(made={"confidence": {"guarantee": "sure"}, "noise": {"of_one_person": told}})
    assert guarantee_in(graph, Fraction(1)) == "sure"
