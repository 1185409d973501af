"""What holds for the true profiles, if they are only estimated: python benchmarks/robust_profiles.py.

True profiles are drawn, and n records of each. One mechanism is designed for the frequencies in this sample, as if they
were the truth, one for every profile within bounds that hold the truth with 95 %; each is then certified, exactly, for
the true profiles. It prints a row for each n; --plot draws the picture that stands in README.md.
"""

import json
import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from statistics import fmean, median
from typing import Any

import networkx as nx
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from shared import asked, timed

from mechdesign import certify, design, graph_from_table, profile_graph, save_figure
from mechdesign.exact.integers import rounded_to_total
from mechdesign.graph.uncertainty import uncertainty_of
from mechdesign.reports.figure import AFTER, BEFORE, INK
from mechdesign.show.fact_numbers import in_json

EPSILON, CONFIDENCE = "0.5", "0.95"
PROFILES, CATEGORIES = 6, 4
RECORDS = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
NOMINAL, ROBUST = "for the estimates", "within the bounds"
WAYS = (NOMINAL, ROBUST)
"""What a mechanism is designed for."""


@dataclass(frozen=True)
class Draw:
    """One sample: whether its bounds hold the truth, and of each way of designing what holds for the truth.

    Attributes
    ----------
    epsilons, deltas
        the tight epsilon for the true profiles, rounded up, and the delta that they need at the epsilon asked.
    values, known, usual
        the largest off-diagonal entry; that of the best mechanism for the truth, and of k-ary randomised response.
    seconds
        of the design within the bounds.
    """

    records: int
    held: bool
    missed: dict[str, bool]
    epsilons: dict[str, float]
    deltas: dict[str, float]
    values: dict[str, float]
    known: float
    usual: float
    seconds: float


def truth(rng: np.random.Generator) -> nx.Graph:
    """Return true profiles in a ring: Dirichlet laws with parameters 2, in thousandths."""
    laws = rng.dirichlet(np.full(CATEGORIES, 2.0), PROFILES)
    shares = {i: [Fraction(part, 1_000) for part in law] for i, law in enumerate(rounded_to_total(laws, 1_000))}
    ring = [(i, (i + 1) % PROFILES) for i in range(PROFILES)]
    return profile_graph(shares, edges=ring, categories=list(range(CATEGORIES)))


def sampled(rng: np.random.Generator, true: nx.Graph, records: int) -> nx.Graph:
    """Return the graph that from-table makes of so many records of each profile."""
    cells: dict[str, list[int]] = {"profile": [], "value": [], "count": []}
    for profile, law in true.nodes(data="distribution"):
        counts = rng.multinomial(records, [float(mass) for mass in law])
        for value, count in enumerate(counts.tolist()):
            for name, cell in zip(cells, (profile, value, count), strict=True):
                cells[name].append(cell)
    return graph_from_table(
        cells,
        profile="profile",
        value="value",
        count="count",
        edges=list(true.edges),
        categories=true.graph["categories"],
        confidence=CONFIDENCE,
        public=True,
    )


def drawn(rng: np.random.Generator, true: nx.Graph, records: int) -> Draw:
    """Return what comes of one sample."""
    graph = sampled(rng, true, records)
    estimated = design(graph, epsilon=EPSILON, nominal=True)
    with timed() as taken:
        robust = design(graph, epsilon=EPSILON)
    known = design(true, epsilon=EPSILON)
    results = dict(zip(WAYS, (estimated, robust), strict=True))
    verdicts = {way: certify(result.mechanism, true, epsilon=EPSILON) for way, result in results.items()}
    return Draw(
        records,
        all(uncertainty_of(graph.nodes[one]).holds(law) for one, law in true.nodes(data="distribution")),
        {way: not verdict.private for way, verdict in verdicts.items()},
        {way: verdict.epsilon[1] for way, verdict in verdicts.items()},
        {way: verdict.delta[1] for way, verdict in verdicts.items()},
        {way: float(result.value) for way, result in results.items()},
        float(known.value),
        float(known.baseline),
        taken.clock,
    )


def document(draw: Draw) -> dict[str, Any]:
    """Return a sample as JSON can hold it: an infinite epsilon is null."""
    return asdict(draw) | {"epsilons": {way: in_json(epsilon) for way, epsilon in draw.epsilons.items()}}


def table(draws: Iterable[Draw]) -> list[str]:
    """Return the table in Markdown: for each number of records a row for each way of designing."""
    groups: dict[int, list[Draw]] = {}
    for draw in draws:
        groups.setdefault(draw.records, []).append(draw)
    titles = ["n", "designed", "misses", "epsilon, median", "epsilon, 95 %", "delta, largest", "bounds hold", "value"]
    titles += ["of the truth's", "of k-RR's"]
    heading = [f"| {' | '.join(titles)} | seconds |", f"|---:|---|{'---:|' * (len(titles) - 1)}"]
    return heading + [row(group, way) for _, group in sorted(groups.items()) for way in WAYS]


def row(draws: Sequence[Draw], way: str) -> str:
    """Return a row of the table: what holds for the truth, and mean values."""
    epsilons = sorted(draw.epsilons[way] for draw in draws)
    values = [draw.values[way] for draw in draws]
    of_truth = [value / draw.known for value, draw in zip(values, draws, strict=True)]
    parts = [
        f"{draws[0].records:,}",
        way,
        f"{fmean(draw.missed[way] for draw in draws):.1%}",
        f"{median(epsilons):.3f}",
        f"{epsilons[math.ceil(0.95 * len(draws)) - 1]:.3f}",
        f"{max(draw.deltas[way] for draw in draws):.2g}",
        f"{fmean(draw.held for draw in draws):.1%}" if way == ROBUST else "",
        f"{fmean(values):.4f}",
        f"{fmean(of_truth):.3f}",
        f"{fmean(values) / draws[0].usual:.3f}",
        f"{median(draw.seconds for draw in draws):.2f}" if way == ROBUST else "",
    ]
    return f"| {' | '.join(parts)} |"


def picture(draws: Sequence[Draw]) -> Figure:
    """Return three curves over n: how many mechanisms miss, what holds instead, what it costs."""
    figure = Figure(figsize=(10.5, 3.4), layout="constrained")
    misses, epsilons, values = figure.subplots(1, 3)
    records = sorted({draw.records for draw in draws})
    groups = [[draw for draw in draws if draw.records == n] for n in records]
    for way, colour in zip(WAYS, ("C1", AFTER), strict=True):
        misses.plot(records, [fmean(d.missed[way] for d in group) for group in groups], "o-", color=colour, label=way)
        values.plot(records, [fmean(d.values[way] for d in group) for group in groups], "o-", color=colour)
        _band(epsilons, records, [[d.epsilons[way] for d in group] for group in groups], colour)
    misses.axhline(1 - float(CONFIDENCE), color=INK, linewidth=0.8, linestyle=":", label="5 %")
    misses.set(ylabel=f"share that misses epsilon = {EPSILON}", ylim=(-0.03, 1.03))
    epsilons.axhline(float(EPSILON), color=INK, linewidth=0.8, linestyle=":")
    epsilons.set(ylabel="epsilon for the truth, 5 to 95 %", ylim=(0, 3 * float(EPSILON)))
    values.plot(records, [fmean(d.known for d in group) for group in groups], "--", color=INK, label="truth known")
    values.axhline(draws[0].usual, color=BEFORE, label="k-ary randomised response")
    values.set(ylabel="largest off-diagonal entry, mean", ylim=(0, None))
    for axes in (misses, epsilons, values):
        axes.set(xscale="log", xlabel="records of each profile, n")
        axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside lower center", ncols=5, fontsize=8, frameon=False)
    return figure


def _band(axes: Axes, records: Sequence[int], found: Sequence[Sequence[float]], colour: str) -> None:
    """Draw the median and where nine tenths are; what is infinite is above the picture."""
    low, middle, high = np.quantile(np.minimum(found, 1e3), [0.05, 0.5, 0.95], axis=1, method="higher")
    axes.plot(records, middle, "o-", color=colour)
    axes.fill_between(records, low, high, color=colour, alpha=0.2, linewidth=0)


def main() -> None:
    """Draw, design, certify; print the table or JSON."""
    arguments = asked(__doc__, runs=100, records=RECORDS, seed=1, json=False, plot=None)
    draws = []
    for number in range(arguments.runs):
        rng = np.random.default_rng((arguments.seed, number))
        true = truth(rng)
        draws += [drawn(rng, true, records) for records in arguments.records]
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {arguments.runs}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(json.dumps([document(draw) for draw in draws]) if arguments.json else "\n".join(table(draws)))
    if arguments.plot:
        save_figure(picture(draws), arguments.plot)


if __name__ == "__main__":
    main()
