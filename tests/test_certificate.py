"""Certificates of whole designs: tight on every shipped graph, for every method, unharmed by being written and read."""

import json
import re
from fractions import Fraction
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import mechdesign as md
from mechdesign import (
    ExpectedLoss,
    InputError,
    MaxOffDiagonal,
    Rejected,
    WorstLoss,
    check_certificate,
    design,
    profile_graph,
)
from mechdesign.certificate.certificate import FORMAT
from mechdesign.certificate.claim_fields import is_long
from mechdesign.objective import Objective

F = Fraction


def assert_tight(result: md.Design) -> None:
    """The checker accepts it as written in a file, and value - bound is at most 1e-8 of the value, or 1e-9."""
    assert check_certificate(json.loads(json.dumps(result.certificate))) == (result.value, result.bound)
    assert 0 <= result.value - result.bound <= max(F(1, 10**9), result.value / 10**8)


@pytest.mark.slow
@pytest.mark.parametrize(("place", "objective"), [*enumerate([MaxOffDiagonal(), ExpectedLoss(), WorstLoss()])])
@pytest.mark.parametrize(("number", "name"), [*enumerate(md.shipped_graphs())])
def test_shipped(number: int, name: str, place: int, objective: Objective) -> None:
    """Each graph with each objective and each epsilon, each objective with each epsilon."""
    epsilon = ("0.1", "0.5", "1")[(number + place) % 3]
    assert_tight(design(md.read_graph(name), epsilon=epsilon, objective=objective))


@pytest.mark.slow
def test_a_mean_over_many_profiles() -> None:
    """Of distributions in doubles: written out its value would have 5000 digits; it is rounded up."""
    rows = np.random.default_rng(1).dirichlet(np.ones(3), 500)
    profiles = {i: [float(mass) for mass in row] for i, row in enumerate(rows)}
    graph = profile_graph(profiles, edges=[(i, i + 1) for i in range(499)], categories=list("abc"))
    result = design(graph, epsilon="0.5", objective=ExpectedLoss())
    value, bound = check_certificate(json.loads(json.dumps(result.certificate)))
    assert result.bound == bound <= result.value <= value < result.value + F(1, 2**120)
    assert len(result.certificate["value"]) < 100


def primes(count: int) -> list[int]:
    """Return so many primes of five digits."""
    candidates = range(10001, 99999, 2)
    return [n for n in candidates if all(n % divisor for divisor in range(3, 317, 2))][:count]


def test_numbers_too_long_for_a_certificate() -> None:
    """The design succeeds; its certificate is refused in words, not by the checker."""
    even = ["1/2", "1/2"]
    edges = [(0, 1)]
    awkward = [F(1, prime) for prime in primes(260)]
    profiles = dict.fromkeys(range(260), even)
    many = profile_graph(profiles, edges=edges, categories=["a", "b"], weights=dict(enumerate(awkward)))
    losses = [[F(0), *awkward], [*awkward, F(0)]]
    wide = profile_graph({0: even, 1: ["1/3", "2/3"]}, edges=edges, categories=["a", "b"])
    rest = 1 - sum(awkward, F(0))
    long = profile_graph({0: [*awkward, rest], 1: [*awkward, rest]}, edges=edges, categories=list(range(261)))
    for result, key in (
        (design(many, epsilon=1, objective=ExpectedLoss()), "weights"),
        (design(wide, epsilon=1, objective=ExpectedLoss(losses)), "loss, loss_unit"),
        (design(long, epsilon=1), "profiles"),
        (design(wide, epsilon=F(10**1000 + 1, 10**1001)), "epsilons"),
        (design(wide, epsilon=1, delta=F(1, 10**1001)), "deltas"),
        (design(wide, epsilon="0.1", objective=ExpectedLoss([[0, 10**976], [10**976, 0]])), "value, (bound, )?privacy"),
        (design(nx.relabel_nodes(wide, {0: "7" * 1000}), epsilon=1), "labels"),
    ):
        with pytest.raises(InputError, match=f"no certificate: its {key} would need more than 999 digits"):
            _ = result.certificate


def test_integers_that_python_does_not_write_are_too_long() -> None:
    assert [is_long([[1, value]]) for value in (10**998, -(10**999), 10**5000, "1/" + "9" * 1000)] == [
        False,
        *[True] * 3,
    ]


@pytest.mark.slow
def test_a_large_loss() -> None:
    """Its value has a short denominator and a numerator of a thousand digits."""
    draw = np.random.default_rng(0)
    weights = [[int(count) for count in row] for row in draw.integers(1, 1000, (40, 12))]
    graph = profile_graph(
        {i: [F(count, sum(row)) for count in row] for i, row in enumerate(weights)},
        edges=[(i, (i + 1) % 40) for i in range(40)],
        categories=list(range(12)),
    )
    loss = [[10**950 * (x != y) for y in range(12)] for x in range(12)]
    result = design(graph, epsilon=1, objective=ExpectedLoss(loss))
    assert len(str(result.objective.value(result.mechanism).numerator)) > 1000
    assert_tight(result)


def test_written_and_read(tmp_path: Path) -> None:
    result = design(md.read_graph("categorical-chain"), epsilon="0.5", objective=WorstLoss("absolute"))
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(result.certificate, indent=1))
    assert check_certificate(path) == check_certificate(str(path)) == (result.value, result.bound)
    assert json.loads(path.read_text()) == result.certificate
    assert result.certificate["format"] == FORMAT
    assert set(result.certificate["notes"]) == {"made_by", "method", "seconds"}


def test_notes_are_no_part_of_the_proof() -> None:
    result = design(md.read_graph("categorical-chain"), epsilon="0.5")
    for notes in (None, "anything", {"value": "0"}):
        assert check_certificate(result.certificate | {"notes": notes}) == (result.value, result.bound)
    without = {key: part for key, part in result.certificate.items() if key != "notes"}
    assert check_certificate(without) == (result.value, result.bound)


def test_an_infinite_epsilon_requires_nothing() -> None:
    result = design(md.read_graph("categorical-chain"), epsilon="inf")
    assert result.certificate["edges"] == result.certificate["epsilons"] == []
    assert check_certificate(result.certificate) == (Fraction(0), Fraction(0))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path, words in ((tmp_path, "cannot be read: this is a folder"), (tmp_path / "none.json", "no such file")):
        with pytest.raises(Rejected, match=f"^{re.escape(str(path))}: {words}"):
            check_certificate(path)
    (tmp_path / "bad.json").write_bytes(b"\xff")
    with pytest.raises(Rejected, match=r"bad\.json: cannot be read"):
        check_certificate(tmp_path / "bad.json")


def test_a_file_that_is_rejected_is_named(tmp_path: Path) -> None:
    result = design(md.read_graph("categorical-chain"), epsilon="0.5")
    path = tmp_path / "proof.json"
    md.write_certificate(result.certificate, path)
    with pytest.raises(Rejected, match=f'^{re.escape(str(path))}: edge "P1"-"P2": the certificate has') as reason:
        check_certificate(str(path), graph="categorical-chain", epsilon=1)
    assert reason.value.status == 19
    md.write_certificate(result.certificate | {"value": "0"}, path)
    with pytest.raises(Rejected, match=f"^{re.escape(str(path))}: "):
        check_certificate(path)
