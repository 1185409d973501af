"""Noised sums of weights that have a limit: the law of the noise, bounds at a number of records that tells nothing."""

import json
import random
import secrets
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from command import faults_of, refused, run
from scipy.special import betaincinv

import mechdesign as md
from mechdesign.geometric import furthest
from mechdesign.graph.from_table.row_weights import UNITS, WeightColumn
from mechdesign.graph.uncertainty import uncertainty_of

SAMPLER = "mechdesign.graph.from_table.histogram.two_sided_geometric"
MARGIN = "mechdesign.graph.from_table.count_ranges.furthest"
RECORDS: dict[str, Any] = {"job": ["a"] * 40 + ["b"] * 30, "use": ["x"] * 30 + ["y"] * 10 + ["x"] * 20 + ["y"] * 10}
DECLARED: dict[str, Any] = {"categories": ["x", "y", "z"], "profiles": ["a", "b"]}
RANGE = np.arange(8)
WEIGHTS = [1 + (7 * row) % 5 for row in range(70)]


def made(weights: Any = WEIGHTS, frame: dict[str, Any] = RECORDS, **options: Any) -> nx.Graph:
    asked: dict[str, Any] = {"noise": 8, "weight": "w", "weight_limit": 4} | DECLARED | options
    return md.graph_from_table(frame | {"w": weights}, profile="job", value="use", **asked)


def bounds_of(graph: nx.Graph) -> list[Any]:
    return [[node[key] for key in ("distribution", "lower", "upper")] for node in graph.nodes.values()]


def test_weights_are_cut_and_rounded_down_to_units() -> None:
    column = WeightColumn("w", Fraction(4))
    cells = ["0", "0.0039", "0.004", "1", "3.9999", "4", "4.1", "1e90"]
    assert column.read(cells, RANGE) == [0, 0, 1, 250, 999, 1000, 1000, 1000]


def drawn(monkeypatch: pytest.MonkeyPatch, frame: dict[str, Any]) -> tuple[list[int], Fraction]:
    """Return the sums of weights that noise is added to, and the noise's own epsilon for a unit."""
    asked: list[Fraction] = []

    def draw(epsilon: Fraction, _: Any) -> int:
        asked.append(epsilon)
        return 0

    monkeypatch.setattr(SAMPLER, draw)
    graph = made(frame["w"], frame, weigh_by_count=True)
    assert asked == [Fraction(8, 2 * UNITS)] * 6
    sums = [p * node.get("weight", 0) * UNITS / 4 for node in graph.nodes.values() for p in node["distribution"]]
    assert all(one.denominator == 1 for one in sums)
    return [int(one) for one in sums], asked[0]


def steps_apart(true: int, other: int) -> int:
    """Return the largest k such that an outcome is e^(k epsilon) times as likely, by the law of each of them.

    With q = e^-epsilon, P(n) is proportional to q^|n - true| for n > 0, and P(0) to q^true: all that is cut.
    """
    most = max(true, other) + 1
    return max(other - true, *(abs(n - other) - abs(n - true) for n in range(1, most + 1)))


NEIGHBOURS = [
    ("x", "4", 1000),
    ("x", "1000000", 1000),
    ("z", "4", 1000),
    ("y", "0.1", 25),
    ("y", "0.0001", 0),
]


@pytest.mark.parametrize(("use", "weight", "apart"), NEIGHBOURS)
def test_the_divergence_of_two_neighbouring_tables_is_at_most_half_of_the_noise(
    monkeypatch: pytest.MonkeyPatch, use: str, weight: str, apart: int
) -> None:
    """A record more or less, whatever it weighs: every sum is independent, so that logarithms add up."""
    small = {"job": ["a", "b", "b"], "use": ["x", "y", "x"], "w": ["1.5", "9", "0.3"]}
    more = {"job": [*small["job"], "a"], "use": [*small["use"], use], "w": [*small["w"], weight]}
    (one, epsilon), (other, _) = drawn(monkeypatch, small), drawn(monkeypatch, more)
    for these, those in ((one, other), (other, one)):
        apart_by = sum(steps_apart(m, n) for m, n in zip(these, those, strict=True))
        assert apart_by == apart
        assert apart_by * epsilon <= Fraction(8, 2)


def test_a_record_that_is_replaced_changes_what_is_likely_by_the_noise_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    one, epsilon = drawn(monkeypatch, {"job": ["a", "b"], "use": ["x", "y"], "w": [7, 1]})
    other, _ = drawn(monkeypatch, {"job": ["b", "b"], "use": ["z", "y"], "w": [70, 1]})
    assert sum(steps_apart(m, n) for m, n in zip(one, other, strict=True)) * epsilon == 8


def test_a_graph_is_the_same_whatever_the_records_where_the_noised_sums_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SAMPLER, lambda *_: -(10**9))
    asked: dict[str, Any] = {"confidence": "0.9", "weigh_by_count": True, "smoothing": 1}
    one, other = made(**asked), made([9] * 70, RECORDS | {"use": ["y", "z"] * 35}, **asked)
    assert dict(one.nodes.data()) == dict(other.nodes.data())
    assert one.graph == other.graph
    assert not {"count", "counts", "effective"} & set(one.nodes["a"])


@pytest.mark.parametrize("of", ["table", "population"])
@pytest.mark.parametrize("limit", ["1", "2.5"])
def test_equal_weights_at_the_limit_have_the_bounds_of_counts(
    monkeypatch: pytest.MonkeyPatch, of: str, limit: str
) -> None:
    """Digit by digit, where the noise and its margin are those of counts."""
    asked: dict[str, Any] = {"confidence": "0.9", "of": of}
    monkeypatch.setattr(SAMPLER, lambda *_: 2)
    plain = made(weight=None, weight_limit=None, **asked)
    monkeypatch.setattr(SAMPLER, lambda *_: 2 * UNITS)
    monkeypatch.setattr(MARGIN, lambda epsilon, miss: UNITS * furthest(UNITS * epsilon, miss))
    assert bounds_of(made([limit] * 70, weight_limit=limit, **asked)) == bounds_of(plain)


@pytest.mark.parametrize("epsilon", [Fraction(1, 8), Fraction(1), Fraction(4)])
def test_the_finer_noise_goes_less_than_one_weight_further(epsilon: Fraction) -> None:
    for miss in (Fraction(1, 2), Fraction(1, 300)):
        assert furthest(epsilon / UNITS, miss) < UNITS * (furthest(epsilon, miss) + 1)


def exact_profiles(limit: int) -> dict[str, list[Fraction]]:
    cut = [min(w, limit) for w in WEIGHTS]
    graph = md.graph_from_table(
        RECORDS | {"w": cut}, profile="job", value="use", weight="w", categories=["x", "y", "z"]
    )
    return {one: list(node["distribution"]) for one, node in graph.nodes.items()}


def test_with_little_noise_the_tables_own_bounds_are_the_cut_shares() -> None:
    graph = made(noise=10**6, confidence="0.95", of="table")
    for one, shares in exact_profiles(4).items():
        assert list(graph.nodes[one]["distribution"]) == shares
        for low, share, high in zip(graph.nodes[one]["lower"], shares, graph.nodes[one]["upper"], strict=True):
            assert low <= share <= high
            assert high - low <= Fraction(2, 100)


def test_coverage_of_the_tables_own_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "randbelow", random.Random(5).randrange)
    true, held = exact_profiles(4), 0
    for _ in range(60):
        graph = made(noise=4, confidence="0.7", of="table")
        held += all(uncertainty_of(graph.nodes[one]).holds(shares) for one, shares in true.items())
    assert held >= 42


def test_coverage_of_the_population(monkeypatch: pytest.MonkeyPatch) -> None:
    source = random.Random(6)
    monkeypatch.setattr(secrets, "randbelow", source.randrange)
    law, held = {"a": [Fraction(7, 10), Fraction(3, 10)], "b": [Fraction(1, 2), Fraction(1, 2)]}, 0
    for _ in range(60):
        use = [source.choices(["x", "y"], [float(p) for p in law[job]])[0] for job in RECORDS["job"]]
        weights = [source.choice([1, 2, 4]) for _ in use]
        graph = made(weights, RECORDS | {"use": use}, confidence="0.7", categories=["x", "y"])
        held += all(uncertainty_of(graph.nodes[one]).holds(shares) for one, shares in law.items())
    assert held >= 42


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_fewer_effective_records_never_narrow_an_end(share: float) -> None:
    """So a number of records from below is on the safe side of Kish's."""
    ends = [float(betaincinv(n * share, n * (1 - share) + 1, 0.05)) for n in (2, 3.5, 8, 20, 100.5, 1000)]
    assert all(fewer < more for fewer, more in pairwise(ends))


def test_the_graph_says_that_weights_are_cut() -> None:
    graph = made(confidence="0.95", of="table", smoothing="0.5")
    said = graph.graph["made"]
    assert (said["weight"], said["weight_limit"]) == ("w", "4")
    assert said["weights"] == "weights above 4 count as 4, all are rounded down to multiples of 0.004"
    assert said["noise"]["law"].endswith("probability of z proportional to e^(-epsilon |z| / 2000)")
    assert (said["noise"]["added_or_removed"], said["noise"]["of_one_person"]) == ("4", "8")
    assert said["confidence"]["guarantee"].startswith(
        "with probability at least 95 % over the noise, (epsilon, delta)-private for the table's own profiles with"
        " weights cut to 4"
    )
    people = made(confidence="0.95").graph["made"]["confidence"]
    assert people["guarantee"].startswith("with probability about 95 % over the noise and the sample")
    assert "sum of weights / 4, at most Kish's" in people["intervals"]


def test_smoothing_and_prior_weights_are_in_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SAMPLER, lambda *_: 250)
    node = made([1] * 70, weigh_by_count=True, smoothing=2).nodes["a"]
    assert node["weight"] == 40 + 3
    assert list(node["distribution"]) == [Fraction(n, 49) for n in (30 + 3, 10 + 3, 3)]


@pytest.mark.parametrize(
    ("options", "faults"),
    [
        ({"weight_limit": 0}, ["weight_limit: expected a number > 0, found 0"]),
        ({"weight_limit": "-2"}, ["weight_limit: expected a number > 0, found -2"]),
        ({"weight_limit": "many"}, ["weight_limit: expected a number such as 0.3 or \"3/10\", found 'many'"]),
        ({"weight_limit": float("nan")}, ['weight_limit: expected a number such as 0.3 or "3/10", found nan']),
        (
            {"noise": None},
            ["weight_limit: cuts weights where counts are noised; give both weight= and noise=, or leave it out"],
        ),
        (
            {"weight": None},
            ["weight_limit: cuts weights where counts are noised; give both weight= and noise=, or leave it out"],
        ),
        (
            {"confidence": "0.9", "public_sizes": True},
            ["public_sizes: numbers of records say nothing of sums of weights, which are noised; leave it out"],
        ),
        (
            {"confidence": "0.9", "design_effect": 2},
            ["design_effect: with weights and noise the number of records is hidden; only weight_limit= counts"],
        ),
    ],
)
def test_what_does_not_go_with_a_limit(options: dict[str, Any], faults: list[str]) -> None:
    assert faults_of(made, **options) == faults


def test_more_counts_than_records_are_refused_whatever_these_weigh() -> None:
    few = {"job": ["a", "b"], "use": ["x", "y"]}
    with pytest.raises(md.InputError, match="6 counts, of only 2 records"):
        made([4, 4], few, confidence="0.9")


def test_the_command(tmp_path: Path) -> None:
    table, graph = tmp_path / "survey.csv", tmp_path / "g.json"
    lines = [f"{j},{u},{w}\n" for j, u, w in zip(RECORDS["job"], RECORDS["use"], WEIGHTS, strict=True)]
    table.write_text("job,use,w\n" + "".join(lines))
    asked = ["graph", "from-table", str(table), "--profile", "job", "--value", "use", "--weight", "w"]
    asked += ["--categories", "x,y,z", "--profiles", "a,b", "-o", str(graph)]
    status, out, _ = run(*asked, "--noise", "8", "--weight-limit", "4", "--confidence", "0.95", "--of", "table")
    assert status == 0
    told = " ".join(out.split())
    assert "Weights above 4 count as 4, all are rounded down to multiples of 0.004." in told
    assert json.loads(graph.read_text())["graph"]["made"]["weight_limit"] == "4"
    before = graph.read_bytes()
    for options, fault in (
        (("--noise", "8"), "--weight: with noise a person would change a count"),
        (
            ("--weight-limit", "4"),
            "--weight-limit: cuts weights where counts are noised; give both --weight and --noise",
        ),
        (("--noise", "8", "--weight-limit", "0"), "--weight-limit: expected a number > 0, found 0"),
    ):
        assert fault in refused(*asked, *options)
        assert graph.read_bytes() == before
