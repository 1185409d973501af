"""`mechdesign graph list | show`; what makes graphs has files of its own."""

from textwrap import shorten
from typing import Any

import click

from mechdesign.cli.answering import AnsweringCommand
from mechdesign.cli.coarsen import coarsen_command
from mechdesign.cli.file_types import GRAPH, GivenGraph
from mechdesign.cli.from_table import from_table_command
from mechdesign.cli.ready_made import READY_MADE
from mechdesign.exact.text import brief
from mechdesign.graph.document import document_of
from mechdesign.graph.graph_file import read_graph
from mechdesign.graph.shipped import shipped_graphs
from mechdesign.graph.uncertainty import bounds_in_words, describe_within
from mechdesign.objective import profile_weights
from mechdesign.show.answer import Answer, Column, Table, for_people, for_programs, sentences
from mechdesign.show.fact_numbers import Exact, six

WIDEST = 50
"""Characters of a source that a list shows; `graph show` gives it in full."""


@click.group("graph")
def graph_group() -> None:
    """List, show and join profile graphs, and make them: from data, or ready-made ones."""


@graph_group.command("list", cls=AnsweringCommand)
def list_command() -> Answer:
    """List the profile graphs that come with mechdesign."""
    rows = []
    for name, path in shipped_graphs().items():
        graph = read_graph(path)
        source = graph.graph.get("source", "")
        sizes = len(graph), len(graph.graph["categories"]), graph.number_of_edges()
        rows.append([name, *sizes, Exact(source, shorten(source, WIDEST, placeholder=" …"))])
    columns = [Column(name, name) for name in ("name", "profiles", "categories", "edges", "source")]
    return Answer(tables=[Table("graphs", "Shipped profile graphs", columns, rows)])


@graph_group.command("show", cls=AnsweringCommand, short_help="Show a profile graph: its profiles and its edges.")
@click.argument("given", type=GRAPH, metavar="GRAPH")
def show_command(given: GivenGraph) -> Answer:
    """Show a profile graph: its profiles with their distributions, and its edges."""
    graph = given.graph
    weights = profile_weights(graph)
    weighed = any("weight" in attributes for attributes in graph.nodes.values())
    rows = []
    for (profile, attributes), weight in zip(graph.nodes.items(), weights, strict=True):
        near = ", ".join(str(other) + _edge_words(graph.edges[profile, other]) for other in graph[profile])
        prior = six(weight / sum(weights)) if weighed else None
        rows.append([str(profile), prior, describe_within(attributes, graph.graph["categories"]), near])
    within, normalised = bounds_in_words(graph), ", ".join(map(str, graph.graph.get("normalised", ())))
    remarks = [
        f"{within}." if within else None,
        f"Normalised exactly to total 1: {normalised}." if normalised else None,
    ]
    return Answer(
        f"{graph.graph.get('name') or given}: {graph.graph.get('source') or 'no source given'}",
        facts=[*for_programs(document_of(graph)), *sentences(*remarks)],
        tables=[for_people("Profiles", ["profile", "prior", "distribution", "neighbours"], rows)],
    )


def _edge_words(attributes: dict[str, Any]) -> str:
    own = [f"{key} {brief(attributes[key], 10, 6)}" for key in ("distance", "epsilon", "delta") if key in attributes]
    return f" ({', '.join(own)})" if own else ""


for _command in (from_table_command, coarsen_command, *READY_MADE):
    graph_group.add_command(_command)
