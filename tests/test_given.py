"""What stands for a mechanism or a graph: designs, matrices, files and names do what one expects of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mechdesign as md

NAME = "bernoulli-couplet"
GRAPH = md.read_graph(NAME)
COIN = [["3/4", "1/4"], ["1/4", "3/4"]]


def test_a_matrix_is_certified_with_its_rows_as_values() -> None:
    own = md.certify(md.mechanism_from_matrix(COIN), epsilon=1)
    assert not own.private
    assert md.certify(COIN, epsilon=1) == own
    assert md.certify(tuple(map(tuple, COIN)), epsilon=1) == own
    assert md.certify(np.array([[0.75, 0.25], [0.25, 0.75]]), epsilon=1) == own


def test_a_matrix_with_a_graph_has_the_graphs_categories_as_inputs() -> None:
    named = md.mechanism_from_matrix(COIN, inputs=GRAPH.graph["categories"])
    assert md.certify(COIN, GRAPH, epsilon=1) == md.certify(named, GRAPH, epsilon=1)
    with pytest.raises(md.InputError, match="inputs: expected 3 labels, one for each row, found 2"):
        md.certify(np.eye(3), GRAPH, epsilon=1)


def test_a_design_is_certified_on_its_own_graph() -> None:
    result = md.design(GRAPH, epsilon=1)
    assert md.certify(result, epsilon=1) == md.certify(result.mechanism, GRAPH, epsilon=1)
    other = md.profile_graph({"0": [1, 0], "1": [0, 1]}, edges=[], categories=GRAPH.graph["categories"])
    with pytest.raises(md.InputError, match="the mechanism has no rows for the profile '0'"):
        md.certify(result, other, epsilon=1)


def test_a_graph_may_be_given_by_its_name_or_its_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    md.write_graph(GRAPH, path)
    designs = [md.design(given, epsilon=1) for given in (GRAPH, NAME, path, str(path))]
    assert len({(one.value, one.bound) for one in designs}) == 1
    (curve,) = md.sweep(NAME, 1)
    assert curve.value == designs[0].value
    mechanism = designs[0].mechanism
    verdicts = [md.certify(mechanism, given, epsilon=1) for given in (GRAPH, NAME, path)]
    assert verdicts == [verdicts[0]] * 3
    assert md.privacy_curve(mechanism, NAME, [1]) == md.privacy_curve(mechanism, GRAPH, [1])


def test_a_mechanism_may_be_given_by_its_file(tmp_path: Path) -> None:
    path = tmp_path / "mechanism.json"
    mechanism = md.design(GRAPH, epsilon=1).mechanism
    md.write_mechanism(mechanism, path)
    assert md.certify(path, NAME, epsilon=1) == md.certify(str(path), GRAPH, epsilon=1)
    assert md.certify(path, GRAPH, epsilon=1) == md.certify(mechanism, GRAPH, epsilon=1)


@pytest.mark.parametrize("value", [None, 3, {"rows": []}, md.MaxOffDiagonal()])
@pytest.mark.parametrize("use", [lambda one: md.certify(one, epsilon=1), lambda one: md.privacy_curve(one, None, [1])])
def test_what_is_none_of_these_is_told_what_to_give(use: Callable[[Any], object], value: Any) -> None:
    words = f"expected a Mechanism, found {type(value).__name__}; mechanism_from_matrix makes one of a matrix"
    with pytest.raises(md.InputError, match=words):
        use(value)


@pytest.mark.parametrize("use", [lambda graph: md.design(graph, epsilon=1), lambda graph: md.sweep(graph, 1)])
def test_a_graph_that_is_none_is_told(use: Callable[[Any], object]) -> None:
    with pytest.raises(md.InputError, match=r"nowhere: no such file, and no shipped graph of that name"):
        use("nowhere")
    with pytest.raises(md.InputError, match=r"expected a networkx\.Graph, as .* makes it, found \[\]"):
        use([])
