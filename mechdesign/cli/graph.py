"""`mechdesign graph list | show`; what makes graphs has files of its own."""

from textwrap import shorten
from typing import Any

import click

from mechdesign.cli.coarsen import coarsen_command
from mechdesign.cli.from_table import from_table_command
from mechdesign.cli.options import json_option
from mechdesign.cli.output import print_json
from mechdesign.cli.paths import GRAPH, Command
from mechdesign.cli.ready_made import READY_MADE
from mechdesign.exact.text import brief
from mechdesign.graph.document import document_of
from mechdesign.graph.file import read_graph
from mechdesign.graph.shipped import shipped_graphs
from mechdesign.graph.uncertainty import bounds_in_words, describe_within
from mechdesign.objective import profile_weights
from mechdesign.show.terminal import console, table

LONGEST = 60
"""Profiles shown."""
WIDEST = 50
"""Characters of a source that a list shows; `graph show` gives it in full."""


@click.group("graph")
def graph_group() -> None:
    """List, show and join profile graphs, and make them: from data, or ready-made ones."""


@graph_group.command("list", cls=Command)
@json_option
def list_command(as_json: bool) -> None:
    """List the profile graphs that come with mechdesign."""
    graphs = {name: read_graph(path) for name, path in shipped_graphs().items()}
    sizes = {name: (len(g), len(g.graph["categories"]), g.number_of_edges()) for name, g in graphs.items()}
    if as_json:
        keys = ("profiles", "categories", "edges")
        listed = [
            {"name": name, **dict(zip(keys, sizes[name], strict=True)), "source": g.graph.get("source", "")}
            for name, g in graphs.items()
        ]
        print_json({"graphs": listed})
        return
    rows = table("Shipped profile graphs", "name", "profiles", "categories", "edges", "source")
    rows.columns[-1].justify = "left"
    for name, graph in graphs.items():
        source = shorten(graph.graph.get("source", ""), WIDEST, placeholder=" …")
        rows.add_row(name, *map(str, sizes[name]), source)
    console().print(rows)


@graph_group.command("show", cls=Command, short_help="Show a profile graph: its profiles and its edges.")
@click.argument("name", type=GRAPH, metavar="GRAPH")
@json_option
def show_command(name: str, as_json: bool) -> None:
    """Show a profile graph: its profiles with their distributions, and its edges."""
    graph = read_graph(name)
    if as_json:
        print_json(document_of(graph))
        return
    out = console()
    categories = graph.graph["categories"]
    out.print(f"{graph.graph.get('name') or name}: {graph.graph.get('source') or 'no source given'}")
    out.print()
    weighed = any("weight" in attributes for attributes in graph.nodes.values())
    rows = table("Profiles", "profile", *(["prior"] if weighed else []), "distribution", "neighbours")
    rows.columns[-2].justify = rows.columns[-1].justify = "left"
    weights = profile_weights(graph)
    total = sum(weights)
    for (profile, attributes), weight in list(zip(graph.nodes.items(), weights, strict=True))[:LONGEST]:
        near = ", ".join(str(other) + _edge_words(graph.edges[profile, other]) for other in graph[profile])
        prior = [f"{float(weight / total):.6g}"] if weighed else []
        rows.add_row(str(profile), *prior, describe_within(attributes, categories), near)
    if len(graph) > LONGEST:
        rows.caption = f"the first {LONGEST} of {len(graph)}"
    out.print(rows)
    if (within := bounds_in_words(graph)) is not None:
        out.print(f"\n{within}.")
    if "normalised" in graph.graph:
        out.print(f"\nNormalised exactly to total 1: {', '.join(map(str, graph.graph['normalised']))}.")


def _edge_words(attributes: dict[str, Any]) -> str:
    own = [f"{key} {brief(attributes[key], 10, 6)}" for key in ("distance", "epsilon", "delta") if key in attributes]
    return f" ({', '.join(own)})" if own else ""


for _command in (from_table_command, coarsen_command, *READY_MADE):
    graph_group.add_command(_command)
