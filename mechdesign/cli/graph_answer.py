"""What is told of a graph that was written to a file."""

import networkx as nx

from mechdesign.graph.edge_table import OWN
from mechdesign.graph.properties import sizes_of
from mechdesign.show.answer import Answer, Fact, for_programs, sentences
from mechdesign.words import counted


def answer_of_graph(graph: nx.Graph, path: str) -> Answer:
    """Return the size of a graph, how many of its edges have what of their own, and how to see it."""
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
    )
