"""A claim that is read from a file says what the file says; and one that is wanted says it as the file does."""

from fractions import Fraction

import networkx as nx
import pytest
from formulas import MADE

import mechdesign as md
from mechdesign.certificate.check import examined
from mechdesign.certificate.claim import Delta, Kind, Multiple, Ratio
from mechdesign.certificate.held import wished
from mechdesign.certificate.wanted import wanted
from mechdesign.graph.checks import checked

F = Fraction


@pytest.fixture(scope="module")
def chain() -> nx.Graph:
    graph = md.profile_graph(
        {"a": ["1/5", "4/5"], "b": ["2/5", "3/5"], "c": ["1/2", "1/2"]},
        edges=[("a", "b"), ("b", "c")],
        categories=["x", "y"],
        weights={"a": 1, "b": 2, "c": 5},
    )
    graph.nodes["b"].update(radius="1/50")
    return checked(graph)


def test_of_a_certificate(chain: nx.Graph) -> None:
    result = md.design(chain, epsilon="0.5", delta="1/100", objective=md.ExpectedLoss())
    claim = examined(result.certificate).claim
    assert (claim.kind, claim.objective, claim.parameter) == (Kind.CERTIFICATE, "expected-loss", "")
    assert (claim.value, claim.bound) == (result.value, result.bound)
    assert (claim.categories, claim.names) == (('"x"', '"y"'), ['"a"', '"b"', '"c"'])
    assert [profile.weight for profile in claim.profiles] == [F(1, 8), F(1, 4), F(5, 8)]
    assert [profile.limits and profile.limits[2] for profile in claim.profiles] == [None, F(1, 50), None]
    assert (claim.robust, claim.matrices) == (True, 3)
    assert (claim.epsilons, claim.deltas) == ([F(1, 2)] * 2, [F(1, 100)] * 2)
    assert claim.losses == ((F(0), F(1)), (F(1), F(0)))
    assert set(claim.graph().edges) == set(chain.edges)


def test_of_a_refutation() -> None:
    coin = md.mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    proof = examined(md.evidence(coin, epsilon=1)[1])
    assert (proof.claim.kind, proof.claim.objective, proof.claim.losses) == (Kind.REFUTATION, "", ())
    assert (proof.refuting, proof.multipliers, proof.formula) == ([0], {}, None)


def test_what_nobody_asks_for_is_as_in_the_file(chain: nx.Graph) -> None:
    proof = examined(md.design(chain, epsilon="0.5").certificate)
    for asked in (wished(proof.claim, wanted(proof)), wished(proof.claim, wanted(proof, graph=chain))):
        assert [(edge.epsilon, edge.delta) for edge in asked.edges] == [(F(1, 2), Delta(F(0)))] * 2
        assert [profile.distribution for profile in asked.profiles] == [
            profile.distribution for profile in proof.claim.profiles
        ]


def test_of_a_formula() -> None:
    two = md.profile_graph({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, edges=[("a", "b")], categories=["x", "y"])
    proof = examined(MADE["pair, delta"])
    assert [(edge.epsilon, edge.delta) for edge in proof.claim.edges] == [(Multiple(F(1)), Delta(F(1, 10)))]
    (edge,) = wished(proof.claim, wanted(proof, graph=two, epsilon=3, delta="1/20")).edges
    assert (edge.epsilon, edge.delta) == (Multiple(F(1)), Delta(F(1, 20)))
    proof = examined(MADE["pair, in delta"])
    assert [(edge.epsilon, edge.delta) for edge in proof.claim.edges] == [(Ratio(F(2)), Delta(F(0), F(1)))]
    (edge,) = wished(proof.claim, wanted(proof, graph=two)).edges
    assert (edge.epsilon, edge.delta) == (Ratio(F(2)), Delta(F(0), F(1)))
