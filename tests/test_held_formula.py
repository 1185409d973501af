"""The proof of a formula held against what its reader wanted, and what it says at one epsilon or delta."""

import copy
import json
import math
import re
from fractions import Fraction
from typing import Any

import networkx as nx
import pytest
from formulas import MADE, Document, local

import mechdesign as md
from mechdesign import ExpectedLoss, MaxOffDiagonal, Rejected, WorstLoss, check_certificate

F = Fraction


def two(*, weights: Any = None, **limits: Any) -> nx.Graph:
    """The graph of `pair`."""
    masses = {"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}
    graph = md.profile_graph(masses, edges=[("a", "b")], categories=["x", "y"], weights=weights)
    graph.edges["a", "b"].update(limits)
    return graph


def three(**limits: Any) -> nx.Graph:
    """The graph of `local` on three values, with limits on one edge."""
    masses = {f"p{i}": [int(x == i) for x in range(3)] for i in range(3)}
    pairs = [("p1", "p0"), ("p2", "p0"), ("p2", "p1")]
    graph = md.profile_graph(masses, edges=pairs, categories=["v0", "v1", "v2"])
    graph.edges["p2", "p0"].update(limits)
    return graph


def one_edge_of_three() -> Document:
    """Three values of which two are to be hidden, with a loss of 0: nothing is asked of anybody."""
    document = copy.deepcopy(local(3, "worst-loss"))
    keep = ("labels", "profiles", "weights", "parameter", "root", "format")
    same = [[[1], [], []]] * 3
    span = {"from": "1", "to": None, "denominator": [1]}
    zeros: list[Any] = [[]] * 3
    return {key: document[key] for key in keep} | {
        "edges": [[0, 1, 0, 0]], "powers": [1], "deltas": ["0"], "objective": "expected-loss", "loss": [[0] * 3] * 3,
        "loss_unit": 1, "pieces": [span | {"numerator": []}],
        "primal": [span | {"value": [], "matrices": [same] * 3, "excess": [[[], []]]}],
        "dual": [span | {"privacy": [[[], []]], "deltas": [[[], []]], "entries": [zeros] * 3, "weights": [],
                         "levels": [zeros] * 3}],
    }  # fmt: skip


PAIR, MEAN, WORST = (MADE[f"pair, {name}"] for name in ("max-off-diagonal", "expected-loss", "worst-loss"))
DELTA, IN_DELTA, SQUARE = MADE["pair, delta"], MADE["pair, in delta"], MADE["pair, root of 3"]
LOCAL = MADE["local, max-off-diagonal"]
EDGE = 'edge "a"-"b": the certificate has '


def of_all(wanted: dict[str, Any]) -> dict[str, Any]:
    """What is wanted; of every pair of profiles, where no graph says of which."""
    return wanted if "graph" in wanted else wanted | {"all_pairs": True}


@pytest.mark.parametrize(
    ("document", "wanted"),
    [
        (PAIR, {}),
        (PAIR, {"graph": two()}),
        (PAIR, {"graph": two(), "epsilon": "0.5", "delta": 0, "objective": MaxOffDiagonal()}),
        (PAIR, {"graph": two(), "epsilon": math.inf}),
        (PAIR, {"epsilon": 0}),
        (PAIR, {"delta": 0}),
        (MEAN, {"graph": two(weights={"a": 3, "b": 3}), "objective": ExpectedLoss()}),
        (WORST, {"graph": two(weights={"a": 3, "b": 1}), "objective": WorstLoss("hamming")}),
        (DELTA, {"graph": two(), "delta": "1/10"}),
        (DELTA, {"graph": two(delta=F(1, 10)), "delta": "1/20"}),
        (DELTA, {"graph": two(delta=F(1, 10)), "epsilon": 1}),
        (DELTA, {"graph": two()}),
        (SQUARE, {"graph": two(distance=F(2)), "epsilon": "0.1"}),
        (SQUARE, {"graph": two(epsilon=F(2))}),
        (IN_DELTA, {"graph": two()}),
        (IN_DELTA, {"graph": two(distance=F(5, 3)), "delta": "0.3"}),
        (LOCAL, {"graph": three()}),
        (MADE["local, shared, delta"], {"graph": three(), "delta": "0.1", "epsilon": 2}),
    ],
)
def test_as_wanted(document: Document, wanted: Any) -> None:
    value, bound = check_certificate(document, **of_all(wanted))
    assert 0 <= bound <= value <= 1


@pytest.mark.parametrize(
    ("document", "wanted", "words"),
    [
        (PAIR, {"graph": three()}, 'the certificate does not have your category "v0"'),
        (PAIR, {"graph": md.value_graph("xy")}, 'the certificate does not have your profile "x"'),
        (
            PAIR,
            {"graph": md.profile_graph({"a": [1, 0], "b": [0, 1]}, edges=[], categories=["x", "y"])},
            'profile "a", category "x": the certificate has probability 0.75, you have probability 1',
        ),
        (PAIR, {"graph": two(epsilon=math.inf)}, 'the certificate has the edge "a"-"b", where you require nothing'),
        (
            one_edge_of_three(),
            {"graph": three()},
            'the certificate does not have your edge "p0"-"p2": it protects nobody there',
        ),
        (PAIR, {"graph": two(distance=F(2))}, f"{EDGE}1 times epsilon, you asked for 2 times epsilon"),
        (SQUARE, {"graph": two()}, f"{EDGE}2 times epsilon, you asked for 1 times epsilon"),
        (SQUARE, {"graph": two(epsilon=F(3))}, f"{EDGE}2 times epsilon, you asked for 3 times epsilon"),
        (  # one that stays while others vary
            LOCAL,
            {"graph": three(epsilon=F(1)), "epsilon": 2},
            'edge "p0"-"p2": the certificate has 1 times epsilon, you asked for epsilon 1',
        ),
        (PAIR, {"delta": "0.1"}, f"{EDGE}delta 0, you asked for delta 0.1"),
        (PAIR, {"graph": two(), "delta": "0.1"}, f"{EDGE}delta 0, you asked for delta 0.1"),
        (PAIR, {"graph": two(delta=F(1, 9)), "delta": 0}, f"{EDGE}delta 0, you asked for delta 1/9"),
        (DELTA, {"epsilon": "1"}, f"{EDGE}delta 0.1, you asked for delta 0"),
        (DELTA, {"graph": two(), "epsilon": "1"}, f"{EDGE}delta 0.1, you asked for delta 0"),
        (
            IN_DELTA,
            {"graph": two(delta=F(1, 9))},
            f"{EDGE}delta 0 + 1 times delta, you asked for delta 1/9",
        ),
        (IN_DELTA, {"epsilon": "0.7"}, f"{EDGE}e^epsilon 2, you asked for epsilon 0.7"),
        (IN_DELTA, {"epsilon": math.inf}, f"{EDGE}e^epsilon 2, you asked for epsilon inf"),
        (IN_DELTA, {"graph": two(), "epsilon": "0.7"}, f"{EDGE}e^epsilon 2, you asked for epsilon 0.7"),
        (IN_DELTA, {"graph": two(epsilon=F(1, 2))}, f"{EDGE}e^epsilon 2, you asked for epsilon 0.5"),
        (
            local(3, "worst-loss", parameter="delta", ratio=F(3, 2), delta=(0, "1")),
            {"graph": three(distance=F(2))},
            'edge "p0"-"p2": the certificate has e^epsilon 1.5, you asked for e^epsilon by its distance',
        ),
        (
            MADE["local, in delta"],
            {"graph": three()},
            "the certificate has delta 0.1 + 2 times delta, you asked for delta 0 + 1",
        ),
        (
            WORST,
            {"objective": MaxOffDiagonal()},
            "the certificate is about the objective worst-loss, you asked for max",
        ),
        (
            MEAN,
            {"objective": ExpectedLoss([[0, 2], [1, 0]])},
            '"x" reported as "y": the certificate has loss 1, you have loss 2',
        ),
        (
            MEAN,
            {"graph": two(weights={"a": 1, "b": 2})},
            'profile "a": the certificate has weight 0.5, you have weight 1/3',
        ),
        (PAIR, {"mechanism": md.mechanism_from_matrix([[1, 0], [0, 1]])}, "is about the optimum alone: it has no mech"),
    ],
)
def test_the_first_difference_is_said(document: Document, wanted: Any, words: str) -> None:
    with pytest.raises(Rejected) as reason:
        check_certificate(document, **of_all(wanted))
    assert reason.value.status == 19
    assert words in str(reason.value)


def test_a_distance_of_0_says_nothing_of_the_others() -> None:
    """Two are one point, e^epsilon 1; the others are to be 2 and 2^distance."""
    document = one_edge_of_three() | {"parameter": "delta", "ratios": ["1", "2", "4"], "slopes": ["1"]}
    document["edges"] = [[0, 1, 0, 0], [0, 2, 1, 0], [1, 2, 2, 0]]
    document["primal"][0]["excess"] = document["dual"][0]["privacy"] = [[[], []]] * 3
    document["dual"][0]["deltas"] = [[[], []]] * 3
    for name in ("pieces", "primal", "dual"):
        document[name][0] |= {"from": "0", "to": "1"}

    def graph(distance: int) -> nx.Graph:
        found = three()
        found.edges["p1", "p0"]["distance"], found.edges["p2", "p1"]["distance"] = F(0), F(distance)
        return found

    assert check_certificate(document, graph=graph(2)) == (Fraction(0), Fraction(0))
    with pytest.raises(Rejected, match=r"the certificate has e\^epsilon 4, you asked for e\^epsilon by its distance"):
        check_certificate(document, graph=graph(3))


@pytest.mark.parametrize(
    ("cut", "wanted", "words"),
    [
        ("20", {"epsilon": 3}, "the certificate is for e^epsilon from 1 to 20, you asked for epsilon 3"),
        ("20", {"epsilon": math.inf}, "the certificate is for e^epsilon from 1 to 20, you asked for epsilon inf"),
    ],
)
def test_beyond_its_range(cut: str, wanted: Any, words: str) -> None:
    document = copy.deepcopy(PAIR)
    for name in ("pieces", "primal", "dual"):
        document[name][-1]["to"] = cut
    check_certificate(document, all_pairs=True, epsilon="2.9")
    with pytest.raises(Rejected, match=re.escape(words)):
        check_certificate(document, **of_all(wanted))
    assert check_certificate(document) == (F(1, 3), F(0))


def test_the_optima_of_a_whole_range() -> None:
    """At most and at least; exact at a delta, and at epsilon 0 and infinity."""
    assert check_certificate(PAIR) == (F(1, 3), F(0))
    assert check_certificate(LOCAL) == (F(1, 3), F(0))
    assert check_certificate(PAIR, all_pairs=True, epsilon=0) == (F(1, 3), F(1, 3))
    assert check_certificate(LOCAL, all_pairs=True, epsilon=math.inf) == (F(0), F(0))
    assert check_certificate(IN_DELTA, all_pairs=True, delta="1/8") == (F(1, 24), F(1, 24))
    assert check_certificate(IN_DELTA) == (F(1, 12), F(0))
    assert check_certificate(IN_DELTA, all_pairs=True, delta="1/4") == (F(0), F(0))


def test_a_certificate_that_only_mentions_formulas(tmp_path: Any) -> None:
    """The format of the whole file decides; what is no JSON is said to be none."""
    result = md.design(md.read_graph("categorical-chain"), epsilon=1)
    certificate = result.certificate | {"notes": {"format": "mechdesign-formula/2"}}
    assert check_certificate(certificate) == (result.value, result.bound)
    path = tmp_path / "proof.json"
    for text in ('{"format": "mechdesign-formula/2"', '["mechdesign-formula/2"]', '{"a": "mechdesign-formula/2"}'):
        path.write_text(text)
        with pytest.raises(Rejected) as reason:
            check_certificate(path)
        assert reason.value.status == 2
    path.write_text(json.dumps(PAIR | {"root": 0}))
    with pytest.raises(Rejected, match="root: not from 1 to 999") as reason:
        check_certificate(path)
    assert reason.value.status == 2
