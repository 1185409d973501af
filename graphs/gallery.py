"""Write the gallery of closed forms: ``python graphs/gallery.py`` makes FORMULAS.md anew, in about a minute.

Shipped graphs that are small enough, and families of graphs. Each formula is derived by `mechdesign.formula`, and its
proof is accepted by the checker before it is written.
"""

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import networkx as nx

import mechdesign as md
from mechdesign.certificate import formula_checker
from mechdesign.formulas.pieces import plain, polynomial, shown_end
from mechdesign.formulas.polynomials import End

FILE = Path(__file__).with_name("FORMULAS.md")
MOST = 2_000
"""Profiles times categories times edges of a shipped graph that is small enough."""

INTRODUCTION = """\
# Which closed forms have been found?

The least distortion as a function of E = e^epsilon, from E = 1 on, for delta = 0. Each was derived in exact arithmetic
by `mechdesign formula`, and its proof, for all epsilon at once, accepted by the
[checker](../mechdesign/certificate/formula_checker.py). `--released` says which mechanism attains it, `--certificate`
writes the proof, `--latex` is for a paper; [more](../mechdesign/formulas/README.md).

- *entry*: the largest off-diagonal entry, each profile with a matrix of its own
- *entry, shared*: the same with one matrix for each component
- *mean*: the mean probability that another category is reported, by the profiles' weights, equal if there are none
- *worst*: that of the worst profile

`python graphs/gallery.py` writes this page.
"""

OBJECTIVES: dict[str, dict[str, Any]] = {
    "entry": {"objective": md.MaxOffDiagonal()},
    "entry, shared": {"objective": md.MaxOffDiagonal(), "shared": True},
    "mean": {"objective": md.ExpectedLoss()},
    "worst": {"objective": md.WorstLoss()},
}

Rows = list[list[Fraction]]


def values(k: int) -> Rows:
    """Return profiles that are single values."""
    return [[Fraction(x == i) for x in range(k)] for i in range(k)]


def peaks(k: int) -> Rows:
    """Return profiles with twice as much of their own category as of each other."""
    return [[Fraction(1 + (x == i), k + 1) for x in range(k)] for i in range(k)]


def bits(k: int) -> Rows:
    """Return profiles of a bit that is 1 with probability 1/(k + 1), 2/(k + 1), and so on."""
    return [[1 - Fraction(i + 1, k + 1), Fraction(i + 1, k + 1)] for i in range(k)]


PROFILES: dict[str, Callable[[int], Rows]] = {
    "Single values: profile i has category i": values,
    "Peaks: profile i has category i with probability 2/(k + 1), each other of k with 1/(k + 1)": peaks,
    "Bits: profile i has a 1 with probability i/(k + 1)": bits,
}
SHAPES: dict[str, tuple[int, Callable[[int], nx.Graph]]] = {
    "path": (2, nx.path_graph),
    "complete": (3, nx.complete_graph),
    "cycle": (4, nx.cycle_graph),
    "star about the first": (4, lambda k: nx.star_graph(k - 1)),
}
"""Each with the least number of profiles for which it is none of those before."""

LARGEST = 6


def small() -> list[str]:
    """Return the names of the shipped graphs that are small enough."""

    def size(name: str) -> int:
        graph = md.read_graph(name)
        edges: int = graph.number_of_edges()
        return len(graph) * len(graph.graph["categories"]) * edges

    return [name for name in sorted(md.shipped_graphs()) if size(name) <= MOST]


def family(profiles: Callable[[int], Rows], shape: str, k: int) -> nx.Graph:
    """Return the graph of a family with k profiles."""
    rows = profiles(k)
    edges = list(SHAPES[shape][1](k).edges)
    return md.profile_graph(dict(enumerate(rows)), edges=edges, categories=[str(x) for x in range(len(rows[0]))])


def sections() -> Iterator[tuple[str, list[tuple[str, nx.Graph]]]]:
    """Yield headings, each with graphs and what they are called."""
    yield "Graphs that come with mechdesign", [(name, md.read_graph(name)) for name in small()]
    for heading, profiles in PROFILES.items():
        named = [
            (f"{shape}, k = {k}", family(profiles, shape, k))
            for shape, (least, _) in SHAPES.items()
            for k in range(least, LARGEST + 1)
        ]
        yield heading, named


def line(name: str, graph: nx.Graph, objective: str) -> str:
    """Return the line of a table, once the proof is accepted."""
    found = md.formula(graph, **OBJECTIVES[objective])
    formula_checker.check(json.dumps(found.certificate))
    last = len(found.pieces) - 1
    parts = []
    for number, piece in enumerate(found.pieces):
        text = plain(piece.numerator, piece.denominator)
        before = "then " if number == last and number else ""
        parts.append(f"{before}{text}" + ("" if piece.high is None else f" up to E = {_end(piece.high)}"))
    return f"| {name} | {objective} | {'; <br>'.join(parts)} |"


def _end(end: End) -> str:
    if end.is_rational:
        return shown_end(end)
    return f"{shown_end(end)}, a root of {polynomial([int(c) for c in end.polynomial.coeffs()])}"


def page() -> Iterator[str]:
    """Yield the lines of the page."""
    yield INTRODUCTION.rstrip()
    for heading, named in sections():
        yield f"\n## {heading}\n\n| graph | | optimum |\n|---|---|---|"
        for name, graph in named:
            for objective in OBJECTIVES:
                yield line(name, graph, objective)


def main() -> None:
    """Write the page."""
    FILE.write_text("\n".join(page()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
