"""What bounds around noised counts cost, and whether they hold: python benchmarks/own_table.py.

The population are the shipped departures by hour, of the carriers with most flights. Of each carrier n flights are
drawn: that is one's own table. Its graph is made from noised counts, with bounds of 95 %, of the table's own profiles
or of the population's; what is designed within them, and what for the noised shares alone, is certified, exactly, for
the true profiles. It prints a row for each noise and n, beside a design for profiles that are public, and k-ary
randomised response that spends the same budget on the value alone.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean, median
from typing import Any

import networkx as nx
import numpy as np
from shared import Table, asked, timed

from mechdesign import certify, design, graph_from_table, profile_graph, read_graph
from mechdesign.graph.uncertainty import uncertainty_of

EPSILON, CONFIDENCE = "0.5", "0.95"
CARRIERS = 5


@dataclass(frozen=True)
class Draw:
    """One table: whether its bounds hold the truth, whether designs miss that, what these cost, and seconds."""

    held: bool
    missed: bool
    missed_without: bool
    value: float
    public: float
    seconds: float


def population() -> dict[Any, list[Fraction]]:
    """Return the profiles of the carriers with most flights."""
    graph = read_graph("departure-by-carrier")
    most = sorted(graph, key=lambda one: -graph.nodes[one]["count"])[:CARRIERS]
    return {one: list(graph.nodes[one]["distribution"]) for one in most}


def known(shares: Mapping[Any, Sequence[Fraction]]) -> nx.Graph:
    """Return the graph of profiles that are known."""
    return profile_graph(shares, edges="all", categories=range(len(next(iter(shares.values())))))


def table_of(rng: np.random.Generator, laws: Mapping[Any, Sequence[Fraction]], records: int) -> dict[str, list[Any]]:
    """Return a table of so many records of each profile."""
    cells: dict[str, list[Any]] = {"profile": [], "value": [], "count": []}
    for profile, law in laws.items():
        for value, count in enumerate(rng.multinomial(records, [float(mass) for mass in law]).tolist()):
            for name, cell in zip(cells, (profile, value, count), strict=True):
                cells[name].append(cell)
    return cells


def drawn(rng: np.random.Generator, laws: Mapping[Any, Sequence[Fraction]], of: str, noise: str, records: int) -> Draw:
    """Return what comes of one table."""
    cells = table_of(rng, laws, records)
    how: dict[str, Any] = {"profile": "profile", "value": "value", "count": "count", "profiles": list(laws)}
    how["categories"] = range(len(next(iter(laws.values()))))
    graph = graph_from_table(cells, **how, noise=noise, confidence=CONFIDENCE, of=of)
    shares = dict(graph_from_table(cells, **how).nodes(data="distribution"))
    truth = known(shares if of == "table" else laws)
    with timed() as taken:
        robust = design(graph, epsilon=EPSILON)
    alone = design(graph, epsilon=EPSILON, nominal=True)
    return Draw(
        all(uncertainty_of(graph.nodes[one]).holds(law) for one, law in truth.nodes(data="distribution")),
        not certify(robust.mechanism, truth, epsilon=EPSILON).private,
        not certify(alone.mechanism, truth, epsilon=EPSILON).private,
        float(robust.value),
        float(design(truth, epsilon=EPSILON).value),
        taken.clock,
    )


def k_ary(epsilon: float, categories: int) -> float:
    """Return the off-diagonal entry of k-ary randomised response."""
    return 1 / (math.exp(epsilon) + categories - 1)


def main() -> None:
    """Draw, design, certify; print the table."""
    arguments = asked(
        __doc__,
        runs=20,
        of=("table", "population"),
        noise=("0.1", "0.5", "1"),
        records=(1_000, 10_000, 100_000),
        seed=1,
    )
    laws = population()
    rows = Table(
        "of",
        "noise",
        "n",
        "runs",
        "bounds hold",
        "misses",
        "without bounds",
        "value",
        "profiles public",
        "k-ary",
        "seconds",
    )
    for of in arguments.of:
        for noise in arguments.noise:
            for records in arguments.records:
                rngs = [np.random.default_rng((arguments.seed, run)) for run in range(arguments.runs)]
                draws = [drawn(rng, laws, of, noise, records) for rng in rngs]
                shares = [fmean(getattr(draw, name) for draw in draws) for name in ("held", "missed", "missed_without")]
                values = fmean(draw.value for draw in draws), fmean(draw.public for draw in draws)
                usual = k_ary(float(noise) + float(EPSILON), len(next(iter(laws.values()))))
                numbers = [f"{value:.4f}" for value in (*values, usual)]
                seconds = f"{median(draw.seconds for draw in draws):.2f}"
                rows.row(
                    of, noise, f"{records:,}", len(draws), *(f"{share:.1%}" for share in shares), *numbers, seconds
                )


if __name__ == "__main__":
    main()
