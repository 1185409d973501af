"""What is said of a graph, as text; of one that was written, as JSON too."""

from typing import Any

import networkx as nx
from rich.console import Console

from mechdesign.graph.edge_table import OWN
from mechdesign.graph.properties import sizes_of
from mechdesign.words import counted


def summary_of(graph: nx.Graph, path: str) -> dict[str, Any]:
    """Return the size of a graph that was written to a file, and how many edges have what of their own."""
    return {
        "profiles": len(graph),
        "categories": len(graph.graph["categories"]),
        "edges": graph.number_of_edges(),
        "own": _own(graph),
        "graph": path,
    }


def print_written(out: Console, graph: nx.Graph, path: str) -> None:
    """Print that, for people."""
    out.print(f"{sizes_of(graph)}. Written to {path}; see it with: mechdesign graph show {path}")
    own = [f"{key} ({counted(number, 'edge')})" for key, number in _own(graph).items()]
    if own:
        out.print(f"Of their own edges have: {', '.join(own)}.")


def _own(graph: nx.Graph) -> dict[str, int]:
    """Return how many edges have an epsilon, a delta and a distance of their own, of those that some have."""
    counts = {key: sum(key in attributes for _, _, attributes in graph.edges(data=True)) for key in OWN}
    return {key: number for key, number in counts.items() if number}
