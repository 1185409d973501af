"""Designs that keep the overall shares: what they cost, what is said of them, and what they cannot be.

That they are private, optimal and the nearest, and keep what they say, is in test_agree.py.
"""

from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from answered import answered
from command import answer, done, run
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from oracles.divergence import assert_private
from oracles.optimum import optimum_of
from pages import Page
from strategies import bounded_graphs, deltas, epsilons
from test_agree import agree, kept

import mechdesign as md
from mechdesign.certificate.private import check_kept
from mechdesign.errors import SolverError
from mechdesign.graph.checks import checked
from mechdesign.problem import Kept
from mechdesign.rounding.room import keeping

TRAVEL = md.read_graph("travel-mode-by-income")
LOSSES = md.ExpectedLoss()
EVEN: dict[str, Any] = {"epsilon": Fraction(1, 2), "delta": Fraction(0), "objective": md.MaxOffDiagonal()}


def survey(*, edges: Any = "all", zero: bool = False) -> nx.Graph:
    """Four profiles of unequal weight; of two categories, one of which the second profile does not have."""
    return md.profile_graph(
        {"a": ["0.9", "0.1"], "b": [1, 0], "c": ["0.3", "0.7"], "d": ["0.5", "0.5"]},
        edges=edges,
        categories=["no", "yes"],
        weights={"a": 5, "b": 1, "c": 3, "d": 0 if zero else 2},
    )


@pytest.mark.parametrize("weight", [1, 10**8])
@pytest.mark.parametrize("method", ["auto", "highs", "reference"])
def test_weights_may_lie_far_apart(method: str, weight: int) -> None:
    """With a row for each output, of which the last follows from the others, Clarabel found the model infeasible."""
    profiles = {"a": ["4/17", "13/17"], "b": ["6/11", "5/11"], "c": ["1/2", "1/2"]}
    weights: dict[str, Fraction] = {"a": Fraction(weight), "b": Fraction(1, 100), "c": Fraction(1)}
    graph = md.profile_graph(profiles, edges="all", categories=["no", "yes"], weights=weights)
    graph.edges["a", "c"]["distance"] = 2
    agree(graph, optimum_of(checked(graph), **EVEN, keep_shares=True), **EVEN, keep_shares=True, method=method)


@pytest.mark.slow
def test_a_sweep_and_the_smallest_epsilon_keep_them() -> None:
    curve = md.sweep(TRAVEL, "0.2,0.5,1,inf", objective=LOSSES, keep_shares=True)
    assert all(map(kept, curve))
    assert [float(one.value) for one in curve] == sorted((float(one.value) for one in curve), reverse=True)
    assert curve[-1].value == 0
    found = md.smallest_epsilon(TRAVEL, "0.05", objective=LOSSES, keep_shares=True)
    assert kept(found.design)
    assert found.epsilon > md.smallest_epsilon(TRAVEL, "0.05", objective=LOSSES).epsilon


@pytest.mark.slow
@settings(max_examples=15)
@given(bounded_graphs(categories=2, profiles=3), epsilons(), deltas(), st.sampled_from([md.MaxOffDiagonal(), LOSSES]))
def test_within_bounds_it_is_at_the_distributions_given(graph: nx.Graph, epsilon: Any, delta: Any, goal: Any) -> None:
    assume(all(map(any, zip(*(node["distribution"] for node in graph.nodes.values()), strict=True))))
    made = md.design(graph, epsilon=epsilon, delta=delta, objective=goal, keep_shares=True)
    assert kept(made)
    assert made.bound <= made.value <= made.bound + Fraction(1, 10**7)
    assert_private(made.mechanism, checked(graph), epsilon, delta)
    asked = {"graph": graph, "epsilon": epsilon, "delta": delta}
    assert md.check_certificate(made.certificate, **asked) == (made.value, made.bound)


# --- what is refused --------------------------------------------------------------------------------------------------

SWAP = md.ExpectedLoss([[1, 0], [0, 1]])
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "cvxpy": (
        {"objective": md.WeightedOffDiagonal([[1, 2], [3, 4]])},
        "the objective weighted-off-diagonal goes through cvxpy: state it there, as a constraint",
    ),
    "outputs": (
        {"objective": md.ExpectedLoss([[0, 1, 1], [1, 0, 1]])},
        "what is released must be the categories, found other outputs",
    ),
    "swap": ({"objective": SWAP}, "by the loss 'no' is best reported as another category, which keeps no shares"),
    "bits": (
        {"method": "one-bit-cluster"},
        "method one-bit-cluster has no form for it; use auto, structured, highs or reference",
    ),
    "command": ({"command": "cp a {solution}"}, "method command has no form for it; use auto"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_had(name: str) -> None:
    options, words = REFUSED[name]
    with pytest.raises(md.InputError) as error:
        md.design(survey(), epsilon=1, keep_shares=True, **options)
    assert str(error.value).startswith(f"keep_shares, --keep-shares: {words}")


def test_one_matrix_is_for_linked_profiles() -> None:
    apart = survey(edges=[("a", "b"), ("c", "d")])
    words = "one matrix is for profiles that are linked, but edges do not link all: leave out shared=True, --shared"
    with pytest.raises(md.InputError, match=words):
        md.design(apart, epsilon=1, keep_shares=True, shared=True)
    made = md.design(survey(), epsilon=1, keep_shares=True, shared=True)
    assert made.mechanism.one_matrix
    assert made.free is not None
    assert made.free.shared
    assert kept(made)


def test_a_profile_of_no_weight_has_no_share() -> None:
    with pytest.raises(md.InputError, match="profile 'd' has weight 0, so that nobody's share is kept by it: leave it"):
        md.design(survey(zero=True), epsilon=1, keep_shares=True)


def test_a_category_that_only_bounds_allow() -> None:
    graph = md.profile_graph({"a": [1, 0], "b": [1, 0]}, edges="all", categories=["no", "yes"])
    graph.nodes["a"]["radius"] = Fraction(1, 10)
    words = "no profile has 'yes', though bounds allow it; take nominal=True, --nominal"
    with pytest.raises(md.InputError, match=words):
        md.design(graph, epsilon=1, keep_shares=True)
    assert kept(md.design(graph, epsilon=1, keep_shares=True, nominal=True))


def test_a_mechanism_that_misses_them_is_never_returned() -> None:
    made = md.design(TRAVEL, epsilon="0.5")
    profiles = [node["distribution"] for node in TRAVEL.nodes.values()]
    with pytest.raises(SolverError, match="does not keep the shares exactly; please report this graph"):
        check_kept(made.mechanism, Kept.of([Fraction(1, 5)] * 5, profiles))


def test_an_output_that_nobody_has_cannot_be_released() -> None:
    """The least c above the room: for targets (1/2, 1/2) what is released as (3, 1) of 4 takes (0, 2)."""
    shares = Kept((Fraction(1),), (Fraction(1, 2), Fraction(1, 2)))
    half, one = np.array([[Fraction(1, 2)] * 2], dtype=object), np.ones(1, dtype=bool)
    weights, nothing = np.array([[3, 1]], dtype=object), np.zeros(2, dtype=object)
    assert answered(keeping(shares, nothing, weights, half, 4, one)).tolist() == [0, 2]
    fifths = np.array([[Fraction(2, 5), Fraction(3, 5)]], dtype=object)  # 3 of 2/5 takes a total of 8: 7.5 rounded up
    assert answered(keeping(shares, nothing, weights, fifths, 4, one)).tolist() == [Fraction(1, 5), Fraction(19, 5)]
    none_of_it = np.array([[Fraction(1), Fraction(0)]], dtype=object)
    assert keeping(shares, nothing, weights, none_of_it, 4, one) == "an output is released that no profile has"


# --- what is said -----------------------------------------------------------------------------------------------------

SAID = "Overall shares are kept exactly: over all profiles, by their weights, what is released has the distribution"


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    asked = ("design", "travel-mode-by-income", "--epsilon", "0.5", "--objective", "expected-loss", "--keep-shares")
    said = done(*asked, "-o", "m.json", "--certificate", "c.json")
    assert SAID in said
    assert "no private mechanism that keeps the shares is below" in said
    assert "where shares need not be kept 0.043" in said
    assert "times less" in said
    return tmp_path


@pytest.mark.slow
@pytest.mark.usefixtures("made")
def test_a_stranger_and_an_officer_read_it() -> None:
    asked = ("check", "c.json", "--graph", "travel-mode-by-income", "--epsilon", "0.5")
    said = done(*asked, "--mechanism", "m.json")
    assert "overall shares kept exactly, by the profiles' weights" in said
    assert "no private mechanism that keeps the overall shares with these outputs is below" in said
    assert answer(*asked)["keeps_shares"]
    graph = md.read_graph("travel-mode-by-income")
    graph.nodes["under 15"]["weight"] = Fraction(2)
    md.write_graph(graph, "other.json")
    refused = run("check", "c.json", "--graph", "other.json", "--epsilon", "0.5")
    assert refused.status == 1
    assert "share of the total" in refused.out + refused.err
    done("report", "m.json", "c.json", "-o", "r.html")
    done("report", "m.json", "c.json", "-o", "d.html", "--language", "de")
    words, german = (Page(Path(name)).words for name in ("r.html", "d.html"))
    assert "no method that keeps the limit and the overall shares can do with less than" in words
    assert "Over all groups together each answer is released exactly as often as it is true" in words
    assert "kein Verfahren, das die Grenze und die Anteile im Ganzen einhält" in german
    assert "Über alle Gruppen zusammen wird jede Antwort genau so häufig freigegeben" in german
