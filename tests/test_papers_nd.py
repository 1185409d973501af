"""[ND]: what is said to be right is derived here a second time."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from mechdesign import ExpectedLoss, check_certificate, counting_graph, design
from mechdesign.count import least_error, prior_graph
from mechdesign.papers import RESULTS, nd
from mechdesign.papers.published import table, written


@pytest.mark.slow
def test_simulated_numbers_stand_beside_the_exact_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nd, "RUNS", 20_000)
    nd.simulated.cache_clear()
    rows = RESULTS["nd-figure-5"]().rows
    nd.simulated.cache_clear()
    assert sum("±" in row.note for row in rows) == 28
    assert any(row.what == "the simulation agrees" and row.note.startswith("within ") for row in rows)


def error_of_geometric_noise(n: int, epsilon: float) -> float:
    """Return the mean absolute error with the best reading of each noisy count, by the definition, for p = 0.3."""
    counts, decay = np.arange(n + 1), math.exp(-epsilon)
    apart = np.abs(counts[:, None] - counts)
    noise = decay**apart / (1 + decay)
    noise[:, 1:-1] *= 1 - decay  # 0 and n are released in the place of all beyond
    return float((apart @ (binom.pmf(counts, n, 0.3)[:, None] * noise)).min(axis=0).sum())


@pytest.mark.slow
@pytest.mark.parametrize(("n", "epsilon"), nd.STEPS)
def test_the_floor_another_way(n: int, epsilon: float) -> None:
    """Attained by geometric noise; and by a certificate nothing is better, even of the counts near the mean alone.

    To leave out the others' errors leaves no more, and a reading outside is never better than the nearest one inside.
    """
    attained = error_of_geometric_noise(n, epsilon)
    reach = math.ceil(6.5 * math.sqrt(0.21 * n))
    near = range(max(0, round(0.3 * n) - reach), min(n, round(0.3 * n) + reach) + 1)
    weights, graph = prior_graph(n, "0.3").nodes(data="weight"), counting_graph(len(near) - 1)
    for place, count in enumerate(near):
        graph.nodes[place]["weight"] = weights[count]
    proof = design(graph, epsilon=str(epsilon), objective=ExpectedLoss("absolute"), any_optimum=True).certificate
    bound = check_certificate(proof, graph=graph)[1] * sum((weights[count] for count in near), Fraction(0))
    assert float(bound) <= attained * (1 + 1e-12)
    assert attained == pytest.approx(float(bound), rel=1e-8)
    rows = {line["what"]: line for line in table("nd")["nd-floor"]}
    assert f"{attained:.6f}" == rows[f"n {n}, p 0.3, epsilon {epsilon:g}: optimal"]["reference"]
    assert least_error(n, 0.3, epsilon) == pytest.approx(attained, rel=1e-10)


@pytest.mark.parametrize(("n", "end", "largest"), [(100, 0.0118, 3.655428), (1000, 0.00119, 11.562228)])
def test_growth_of_the_error_ends(n: int, end: float, largest: float) -> None:
    """On both sides of the end the error is less, and with all noise it is that of the constant."""
    before, at, after, far = (nd.exact(n, 0.3, end * factor).absolute.mean for factor in (1.1, 1, 0.9, 0.001))
    assert at == pytest.approx(largest, abs=1e-6)
    assert max(before, after) < at
    assert far == pytest.approx(nd.exact(n, 0.3, 0.1).absolute.constant, rel=1e-5)
    words = written("nd")[1]["nd-figures-1-4"][1]
    assert f"{end:g}".lstrip("0") in words
    assert "does not go on" not in words
