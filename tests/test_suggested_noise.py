"""Which noise to take for a total budget: what is tried, that no record is read, and that less would cost more."""

from fractions import Fraction
from math import exp
from pathlib import Path
from typing import Any

import pytest
from command import answer, done, faults_of, refused

import mechdesign as md

ASKED: dict[str, Any] = {"records": 1000, "confidence": "0.95", "of": "table"}
WORDS = ["graph", "from-table", "no-such.csv", "--profile", "job", "--value", "use", "--suggest-noise", "1"]
GIVEN = ["--records", "1000", "--confidence", "0.95", "--categories", "x,y,z"]


@pytest.mark.slow
def test_the_best_trial_costs_least_and_those_beside_it_were_tried() -> None:
    found = md.suggest_noise("categorical-chain", 1, **ASKED)
    assert [one.noise + one.epsilon for one in found.trials] == [1] * len(found.trials)
    noises = [one.noise for one in found.trials]
    assert noises == sorted(noises)
    assert {found.best.noise - Fraction(1, 20), found.best.noise + Fraction(1, 20)} & set(noises)
    assert found.best.value == min(one.value for one in found.trials)
    assert found.best.value < found.trials[0].value
    assert found.best.value < found.trials[-1].value


@pytest.mark.slow
def test_with_more_records_more_is_left_for_the_value() -> None:
    few, many = (md.suggest_noise("categorical-chain", 1, **ASKED | {"records": n}) for n in (300, 30_000))
    assert few.best.noise > many.best.noise
    assert few.best.value > many.best.value


@pytest.mark.slow
def test_with_public_sizes_noise_counts_twice() -> None:
    found = md.suggest_noise("categorical-chain", 1, **ASKED, public_sizes=True)
    assert all(2 * one.noise + one.epsilon == 1 for one in found.trials)


@pytest.mark.slow
def test_a_design_for_the_bounds_of_such_a_table_costs_as_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the suggestion says of its own profiles holds of a table that has them, if the noise that is drawn is 0."""
    monkeypatch.setattr("mechdesign.graph.from_table.histogram.two_sided_geometric", lambda *_: 0)
    found = md.suggest_noise("categorical-chain", 2, **ASKED).best
    chain = md.read_graph("categorical-chain")
    rows = [
        (profile, value, int(mass * 1000))
        for profile, law in chain.nodes(data="distribution")
        for value, mass in zip(chain.graph["categories"], law, strict=True)
    ]
    frame = dict(zip(("p", "v", "n"), map(list, zip(*rows, strict=True)), strict=True))
    how: dict[str, Any] = {"profile": "p", "value": "v", "count": "n", "edges": list(chain.edges), "of": "table"}
    how |= {"profiles": list(chain), "categories": chain.graph["categories"], "confidence": "0.95"}
    graph = md.graph_from_table(frame, noise=found.noise, **how)
    assert md.design(graph, epsilon=found.epsilon).value == found.value


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"total": 0}, "total: expected an epsilon > 0, found 0"),
        ({"confidence": 1}, "confidence: expected a number between 0 and 1, found 1"),
        ({"records": 0}, "records: expected a positive integer, found 0"),
        ({"of": "all"}, "of: expected one of population, table, found 'all'"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], fault: str) -> None:
    assert faults_of(md.suggest_noise, "categorical-chain", **{"total": 1} | ASKED | options) == [fault]


# --- from the shell -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command_reads_no_table_and_writes_nothing(tmp_path: Path) -> None:
    """The table is not even there; edges may be in a file."""
    edges = tmp_path / "e.csv"
    edges.write_text("one,other\na,b\n")
    words = [*WORDS, *GIVEN, "--profiles", "a,b", "--of", "table", "--edges", str(edges)]
    found, said = answer(*words), done(*words)
    assert found["noise"] + found["epsilon"] == pytest.approx(1)
    assert said.startswith(f"Of a budget of 1: --noise {found['noise_exact']}, then design --epsilon")
    assert "No record was read" in said
    assert found["baseline"] == pytest.approx(1 / (exp(1) + 2))
    assert "k-ary randomised response, no noise, epsilon 1" in said
    assert ("Take it: it is better" in said) == (found["baseline"] <= found["trials"][0]["value"])
    assert list(tmp_path.iterdir()) == [edges]


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (GIVEN, "suggest-noise: give profiles too, so that no record need be read"),
        ([*GIVEN[2:], "--profiles", "a,b"], "suggest-noise: give records too, so that no record need be read"),
        ([*GIVEN[:2], *GIVEN[4:], "--profiles", "a,b"], "suggest-noise: give the confidence too, such as 0.95"),
        ([*GIVEN, "--profiles", "a,b", "--noise", "1"], "suggest-noise: says which noise to take"),
        ([*GIVEN, "--profiles", "a,b", "--edges", "team"], "suggest-noise: column team of the edges would have to be"),
    ],
)
def test_what_is_missing_is_said(words: list[str], fault: str) -> None:
    assert fault in refused(*WORDS, *words)


def test_without_a_suggestion_a_file_is_needed() -> None:
    assert "missing option '-o' / '--output'" in refused(*WORDS[:-2])
