"""Which linear programs `certify` solves with by="lp": those of the directed edges that need more than all before."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import highspy
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mechdesign as md
from mechdesign.certifier.known import Known
from mechdesign.privacy.all_pairs import every
from mechdesign.privacy.requirement import Directed, Requirement


def some_matrix(k: int, m: int, seed: int, largest: int = 3) -> md.Mechanism:
    weights = np.random.default_rng(seed).integers(0, largest + 1, (k, m)).tolist()
    rows = [row if any(row) else [1] * m for row in weights]
    return md.mechanism_from_matrix(np.array([[Fraction(weight, sum(row)) for weight in row] for row in rows], object))


def some_graph(seed: int, k: int) -> nx.Graph:
    """A graph of values whose edges have distances, deltas or epsilons of their own, or none."""
    draw = np.random.default_rng(seed)
    graph = md.value_graph(list(range(k)))
    own: list[dict[str, Any]] = [
        *({}, {"distance": 2}, {"distance": 0}, {"delta": "1/5"}, {"epsilon": "1/2"}, {"epsilon": "inf"}),
        {"epsilon": 1, "delta": "1/3"},
    ]
    for edge in graph.edges.values():
        edge.update(own[draw.integers(len(own))])
    return graph


def verdict_on_every_edge(*arguments: Any, **asked: Any) -> md.Verdict:
    """Return the verdict with the program of each directed edge solved."""

    def whole(_: Known, required: Sequence[Requirement]) -> list[Directed]:
        return every(required)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Known, "deciding", whole)
        return md.certify(*arguments, by="lp", **asked)


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.sampled_from(["inf", 0, "1/2", 2]), st.sampled_from([0, "1/10"]), st.booleans())
def test_the_verdict_is_that_of_all_programs(seed: int, epsilon: Any, delta: Any, alone: bool) -> None:
    """With ties, as the weights are few; the worst edge, its set and its gap as well."""
    arguments = some_matrix(4, 3, seed), None if alone else some_graph(seed, 4)
    asked = {"epsilon": epsilon, "delta": delta}
    assert md.certify(*arguments, by="lp", **asked) == verdict_on_every_edge(*arguments, **asked)
    assert md.certify(*arguments, by="lp", **asked).epsilon == md.certify(*arguments, **asked).epsilon


@pytest.mark.parametrize("delta", ["0", "1/20"])
def test_few_programs_are_solved(delta: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 15 profiles, 210 ordered pairs, which were solved two or three times each."""
    run, solved = highspy.Highs.run, []

    def counted(highs: highspy.Highs) -> Any:
        solved.append(highs)
        return run(highs)

    monkeypatch.setattr(highspy.Highs, "run", counted)
    mechanism = some_matrix(15, 10, 1, largest=1000)
    assert md.certify(mechanism, delta=delta, by="lp").epsilon == md.certify(mechanism, delta=delta).epsilon
    assert 1 < len(solved) < 60
