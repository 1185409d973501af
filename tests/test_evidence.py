"""Evidence: whatever the verdict, the checker confirms it from the file alone."""

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mechdesign as md
from mechdesign import InputError, mechanism_from_matrix
from mechdesign.certificate import checker
from mechdesign.certifier.evidence import evidence


@given(
    st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any), min_size=2, max_size=4),
    st.fractions(0, 3, max_denominator=20),
    st.fractions(0, "1/2", max_denominator=20),
)
def test_either_verdict(weights: list[list[int]], epsilon: Fraction, delta: Fraction) -> None:
    mechanism = mechanism_from_matrix([[f"{w}/{sum(row)}" for w in row] for row in weights])
    verdict, document = evidence(mechanism, epsilon=epsilon, delta=delta)
    c = checker.check(json.dumps(document))
    assert (c.format == checker.CERTIFICATE) == verdict.private
    k = len(weights)
    assert len(c.edges) == (k * (k - 1) // 2 if verdict.private else 1)


@pytest.mark.parametrize("epsilon", ["0.5", "0.49", "inf", 800])
def test_on_a_graph(epsilon: Any) -> None:
    """Its profiles in another order, with distributions of its own; held against it, the certificate agrees."""
    graph = md.read_graph("categorical-chain")
    mechanism = md.design(graph, epsilon="0.5").mechanism
    other = md.profile_graph(
        {name: graph.nodes[name]["distribution"] for name in ("P3", "P1", "P2")},
        edges=list(graph.edges),
        categories=graph.graph["categories"],
    )
    verdict, document = evidence(mechanism, other, epsilon=epsilon)
    assert verdict.private == (epsilon != "0.49")
    if verdict.private:
        md.check_certificate(document, graph=other, epsilon=epsilon)
        found = md.check_certificate(document, graph=graph, epsilon=epsilon, mechanism=mechanism)
        assert found == (Fraction(0), Fraction(0))
    else:
        assert checker.check(json.dumps(document)).names == [f'"{name}"' for name in verdict.worst.edge]  # type: ignore[union-attr]


def test_one_matrix_serves_profiles_that_it_does_not_name() -> None:
    matrix = mechanism_from_matrix([["1/2"] * 2] * 2, inputs=["x", "y"])
    graph = md.profile_graph({"a": [1, 0], "b": ["1/3", "2/3"]}, edges=[("a", "b")], categories=["x", "y"])
    verdict, document = evidence(matrix, graph, epsilon=0)
    assert verdict.private
    md.check_certificate(document, graph=graph, epsilon=0, mechanism=matrix)


def test_too_large() -> None:
    with pytest.raises(InputError, match="too large"):
        evidence(mechanism_from_matrix(np.full((250, 250), 1 / 250)), epsilon=1)


@pytest.mark.parametrize(
    ("epsilon", "delta"),
    [("1.13140211149110056192", "0"), ("1", "0.09310199305876945480"), ("1.1314021114911005", "1/8")],
)
def test_private_by_little(epsilon: str, delta: str) -> None:
    """By less than 64 bits of e^epsilon show: here ln 3.1 rounded up in the 20th decimal."""
    mechanism = mechanism_from_matrix([["31/41", "10/41"], ["10/41", "31/41"]])
    verdict, document = evidence(mechanism, epsilon=epsilon, delta=delta)
    assert verdict.private
    assert checker.check(json.dumps(document)).format == checker.CERTIFICATE


def test_private_only_beyond_what_a_certificate_says() -> None:
    large = 10**320
    kept, changed = f"{large}/{large + 1}", f"1/{large + 1}"
    mechanism = mechanism_from_matrix([[kept, changed], [changed, kept]])
    assert md.certify(mechanism, epsilon=1000).private
    with pytest.raises(InputError, match="at an epsilon above 700 only"):
        evidence(mechanism, epsilon=1000)


def test_nothing_is_said_of_distortion() -> None:
    verdict, document = evidence(mechanism_from_matrix([["1/2", "1/2"]] * 2), epsilon=1)
    assert verdict.private
    words = checker.statement(checker.check(json.dumps(document)))
    assert words.splitlines()[-1] == "a proof of privacy alone: nothing is proved of its distortion"
