"""The published results of [ND] come out, and its errata are said in words."""

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom
from stated import assert_drawn, stated

from mechdesign import ExpectedLoss, check_certificate, counting_graph, design
from mechdesign.count import least_error, prior_graph
from mechdesign.papers import (
    RESULTS,
    nd,
    nd_figure_5,
    nd_figures_1_4,
    nd_figures_6_8,
    nd_floor,
    nd_prior,
    nd_theorem_1,
)

NAMES = ("nd-theorem-1", "nd-prior", "nd-figures-1-4", "nd-figure-5", "nd-figures-6-8", "nd-floor")
STATED = {
    "nd-theorem-1": (0, 16),
    "nd-prior": (3, 1),
    "nd-figures-1-4": (0, 14),
    "nd-figure-5": (0, 0),
    "nd-figures-6-8": (0, 2),
    "nd-floor": (0, 0),
}
TITLES = {
    "nd-figures-1-4": [f"Figure {1 + place}: n = {n}" for place, n in enumerate((100, 1000, 100, 1000))],
    "nd-figure-5": ["Figure 5: ε = 0.1"],
    "nd-figures-6-8": ["Figure 6", "Figure 7", "Figure 8: ε = 0.1"],
    "nd-floor": ["n = 100, p = 0.3", "n = 1000, p = 0.3"],
}
MODULES = (nd_theorem_1, nd_prior, nd_figures_1_4, nd_figure_5, nd_figures_6_8, nd_floor)


def test_registry_is_in_order() -> None:
    assert tuple(name for name in RESULTS if name.startswith("nd-")) == NAMES


@pytest.fixture(scope="module")
def fewer_runs() -> Iterator[None]:
    """Simulate 20,000 answers for each point: their standard errors are larger, and what agrees with them the same."""
    nd.simulated.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nd, "RUNS", 20_000)
        yield
    nd.simulated.cache_clear()


@pytest.mark.slow
@pytest.mark.usefixtures("fewer_runs")
@pytest.mark.parametrize("name", NAMES)
def test_result(name: str) -> None:
    result = RESULTS[name]()
    assert result.name == name
    assert stated(result) == STATED[name]
    assert [row.what for row in result.rows if row.agrees is False] == []
    assert len({row.what for row in result.rows}) == len(result.rows)
    assert sum(row.agrees is True for row in result.rows) >= len(result.rows) / 2
    if "figure" in name:
        assert sum("±" in row.note for row in result.rows) >= 28
        assert any(row.what == "the simulation agrees" and row.computed is True for row in result.rows)
    if name in TITLES:
        assert_drawn(result, TITLES[name])
    else:
        assert result.figure is None


def error_of_geometric_noise(n: int, epsilon: float) -> float:
    """Return the mean absolute error with the best reading of each noisy count, by the definition, for p = 0.3."""
    counts, decay = np.arange(n + 1), math.exp(-epsilon)
    apart = np.abs(counts[:, None] - counts)
    noise = decay**apart / (1 + decay)
    noise[:, 1:-1] *= 1 - decay  # 0 and n are released in the place of all beyond
    return float((apart @ (binom.pmf(counts, n, 0.3)[:, None] * noise)).min(axis=0).sum())


@pytest.mark.slow
@pytest.mark.parametrize(("n", "epsilon"), nd_floor.REFERENCE)
def test_the_floor_another_way(n: int, epsilon: float) -> None:
    """Attained by geometric noise; and by a certificate nothing is better, even of the counts near the mean alone.

    To leave out the others' errors leaves no more, and a reading outside is never better than the nearest one inside.
    """
    attained = error_of_geometric_noise(n, epsilon)
    reach = math.ceil(8 * math.sqrt(0.21 * n))
    near = range(max(0, round(0.3 * n) - reach), min(n, round(0.3 * n) + reach) + 1)
    weights, graph = prior_graph(n, "0.3").nodes(data="weight"), counting_graph(len(near) - 1)
    for place, count in enumerate(near):
        graph.nodes[place]["weight"] = weights[count]
    proof = design(graph, epsilon=str(epsilon), objective=ExpectedLoss("absolute"), any_optimum=True).certificate
    bound = check_certificate(proof, graph=graph)[1] * sum((weights[count] for count in near), Fraction(0))
    assert float(bound) <= attained * (1 + 1e-12)
    assert attained == pytest.approx(float(bound), rel=1e-8)
    assert f"{attained:.6f}" == nd_floor.REFERENCE[n, epsilon].split()[-1]
    assert least_error(n, 0.3, epsilon) == pytest.approx(attained, rel=1e-10)


@pytest.mark.parametrize(("n", "end", "largest"), [(100, 0.0118, 3.655428), (1000, 0.00119, 11.562228)])
def test_growth_of_the_error_ends(n: int, end: float, largest: float) -> None:
    """On both sides of the end the error is less, and with all noise it is that of the constant."""
    before, at, after, far = (nd.exact(n, 0.3, end * factor).absolute.mean for factor in (1.1, 1, 0.9, 0.001))
    assert at == pytest.approx(largest, abs=1e-6)
    assert max(before, after) < at
    assert far == pytest.approx(nd.exact(n, 0.3, 0.1).absolute.constant, rel=1e-5)
    words = nd_figures_1_4.WORDS
    assert f"{end:g}".lstrip("0") in words
    assert "does not go on" not in words


def test_words() -> None:
    words = [module.WORDS for module in MODULES]
    assert all("\n" not in one and one.endswith(".") for one in words)
    assert [number for number in range(1, 10) if f"ERR-0.{number}" not in " ".join(words)] == []


def test_printed_minimum_is_not_right_for_even_n() -> None:
    rows = {row.what: row for row in nd_theorem_1.reproduce().rows}
    wrong = rows["n 2, epsilon 1: least of all"]
    assert wrong.published is None
    assert wrong.claimed == nd_theorem_1.printed_least(2, 1.0)
    assert isinstance(wrong.claimed, float)
    assert wrong.claimed > float(wrong.computed) * 1.12
    assert rows["n 2, epsilon 1: at (n - 1)/2"].claimed is None  # the paper says that it is no whole number
