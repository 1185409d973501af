"""The floor: the geometric mechanism with its posterior median does as well as the linear program's optimum."""

from fractions import Fraction
from typing import Any

import pandas as pd
import pytest
from scipy.stats import betabinom

from mechdesign import ExpectedLoss, InputError, design
from mechdesign.count import Beta, errors, least_error, prior_graph

POINTS = [
    (1, "3/10", "1"),
    (2, "1/2", "1/10"),
    (3, "1/100", "3"),
    (5, "3/10", "1"),
    (8, "9/10", "1/2"),
    (10, "1/2", "1/10"),
    (15, "1/5", "2"),
    (20, "3/10", "1"),
    (40, "3/10", "3"),
]


@pytest.mark.parametrize(("n", "p", "epsilon"), POINTS)
def test_formula_and_linear_program_agree(n: int, p: str, epsilon: str) -> None:
    found = design(prior_graph(n, p), epsilon=epsilon, objective=ExpectedLoss("absolute"))
    floor = least_error(n, p, epsilon)
    assert float(found.value) == pytest.approx(floor, rel=1e-6)
    assert float(found.bound) <= floor * (1 + 1e-12)
    assert floor <= float(found.value) * (1 + 1e-12)


def test_one_record() -> None:
    """Randomised response: the wrong answer with probability 1 / (1 + e^epsilon)."""
    assert least_error(1, 0.5, 1) == pytest.approx(0.2689414213699951, rel=1e-14)
    assert least_error(1, 0.01, 1) == pytest.approx(0.01, rel=1e-12)  # nothing beats answering 0


def test_graph() -> None:
    graph = prior_graph(3, "0.25")
    assert [graph.nodes[k]["weight"] for k in range(4)] == [Fraction(w, 64) for w in (27, 27, 9, 1)]
    assert list(graph.edges) == [(0, 1), (1, 2), (2, 3)]


@pytest.mark.parametrize("p", [Beta("3/2", 7), "beta:1.5,7"])
def test_graph_where_the_probability_is_not_known(p: Beta | str) -> None:
    graph = prior_graph(20, p)
    weights = [graph.nodes[k]["weight"] for k in range(21)]
    assert sum(weights) == 1
    assert [float(weight) for weight in weights] == pytest.approx(betabinom(20, 1.5, 7).pmf(range(21)), rel=1e-12)


def test_graph_of_masses() -> None:
    assert list(dict(prior_graph(2, [0.5, 3.0, 0.0]).nodes(data="weight")).values()) == [Fraction(1, 2), 3, 0]


@pytest.mark.parametrize(
    ("n", "p"),
    [
        (0, 0.5), (3, 1.5), (3, "x"), (2.5, 0.5), (2, "beta:1,0"), (2, "beta:1"), (2, None), (10**4, 0.5),
        (2, [1, 2]), (2, [1, -1, 1]), (2, [0, 0, 0]), (2, [1, 2, "x"]),
    ],
)  # fmt: skip
def test_bad_input(n: Any, p: Any) -> None:
    with pytest.raises(InputError):
        prior_graph(n, p)


def test_large() -> None:
    assert least_error(10**5, 0.3, 1) == pytest.approx(errors(10**5, 0.3, 1, noise="geometric").absolute.median)
    assert least_error(10**5, 0.3, 1) == pytest.approx(0.8509, abs=1e-3)  # 1/sinh(1) without a prior


def test_masses_of_pandas_go_by_their_labels() -> None:
    """As `value_counts` returns them, the largest first."""
    masses = pd.Series([2, 2, 1, 1, 1, 0]).value_counts(normalize=True)
    assert list(masses.index) == [1, 2, 0]
    assert prior_graph(2, masses).nodes[0]["weight"] == Fraction(masses[0])
    assert least_error(2, masses, 1) == least_error(2, [1 / 6, 1 / 2, 1 / 3], 1)
    with pytest.raises(InputError, match=r"prior: expected each of the counts 0, 1, \.\.\. once as a label"):
        prior_graph(2, masses.rename({0: 3}))
