"""What is told of a graph that was written to a file."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import networkx as nx

from mechdesign.designer.caution import unlinked
from mechdesign.exact.text import format_number
from mechdesign.graph.edge_table import OWN
from mechdesign.graph.properties import sizes_of
from mechdesign.show.answer import Answer, Column, Fact, Table, for_programs, sentences
from mechdesign.show.fact_numbers import Exact
from mechdesign.words import counted

FILES = "column-{}.json"
"""The file of each column's graph, by its number."""

NO_EDGES = "The graph has no edges, so nothing will be protected"

SUM = (
    "Design each with the same --epsilon: each gets its share of it. Of which of two neighbouring profiles a person is,"
    " all releases together then tell epsilon at most, if within each profile the columns are independent. A --delta is"
    " not divided."
)

DEPENDENT = (
    "In this table they are not independent: up to total variation {0:.4f}. With that the sum holds at a delta that is"
    " larger by {0:.4f} (1 + e^epsilon). Without --split it needs no such thing."
)

UNKNOWN = "How far from independent they are is not known. Without --split nothing depends on it."


def answer_of_split(graphs: Sequence[nx.Graph], told: Sequence[Answer]) -> Answer:
    """Return what each graph is for, and what all of them tell together."""
    rows = []
    for number, graph in enumerate(graphs, start=1):
        made, sizes = graph.graph["made"], [len(graph), len(graph.graph["categories"]), graph.number_of_edges()]
        rows.append([FILES.format(number), made["value"], Exact(Fraction(made["split"]["share"])), *sizes])
    keys = ("file", "value", "share", "profiles", "categories", "edges")
    names = ("file", "column", "share of epsilon", "profiles", "categories", "edges")
    columns = [Column(key, name) for key, name in zip(keys, names, strict=True)]
    warnings = dict.fromkeys(warning for one in told for warning in one.warnings)
    return Answer(
        f"{counted(len(graphs), 'graph')}, one for each column.",
        facts=sentences(*_together(graphs), *_noised(graphs)),
        tables=[Table("graphs", "The graphs", columns, rows)],
        warnings=list(warnings),
    )


def _together(graphs: Sequence[nx.Graph]) -> Iterator[str]:
    """Yield what the releases of all columns tell together."""
    split = graphs[0].graph["made"]["split"]
    yield SUM
    if "dependence" not in split:
        yield UNKNOWN
    elif (far := Fraction(split["dependence"])) > 0:
        yield DEPENDENT.format(math.ceil(far * 10_000) / 10_000)


def _noised(graphs: Sequence[nx.Graph]) -> Iterator[str]:
    """Yield what noise all graphs have together."""
    noises = [graph.graph["made"].get("noise") for graph in graphs]
    if noises[0] is not None:
        total = sum((Fraction(noise["epsilon"]) for noise in noises), Fraction())
        yield f"All graphs together are noised with epsilon {format_number(total)}: {noises[0]['guarantee']}."
    if any("confidence" in graph.graph["made"] for graph in graphs):
        yield "The bounds of all graphs hold at once with the confidence that was asked for."


def answer_of_graph(graph: nx.Graph, path: str) -> Answer:
    """Return the size of a graph, how many of its edges have what of their own, how to see it, and who has no edge."""
    counts = {key: sum(key in attributes for _, _, attributes in graph.edges(data=True)) for key in OWN}
    own = {key: number for key, number in counts.items() if number}
    sizes = {"profiles": len(graph), "categories": len(graph.graph["categories"]), "edges": graph.number_of_edges()}
    listed = ", ".join(f"{key} ({counted(number, 'edge')})" for key, number in own.items())
    return Answer(
        f"{sizes_of(graph)}.",
        facts=[
            *for_programs(sizes | {"own": own}),
            *sentences(f"Edges have their own: {listed}." if own else None),
            Fact(words="See it with", copied=f"mechdesign graph show {path}"),
        ],
        warnings=[one for one in [unlinked(graph)] if one is not None],
    )
