"""`mechdesign graph list | show`; what makes graphs has files of its own."""

from collections.abc import Container, Sequence
from fractions import Fraction
from textwrap import shorten
from typing import Any

import click

from mechdesign.cli.answering import command, group
from mechdesign.cli.file_types import GRAPH, WRITES_GRAPH, WRITTEN_GRAPH, GivenGraph
from mechdesign.cli.from_table import from_table_command
from mechdesign.cli.objective import objective_from
from mechdesign.cli.option_names import OneOf, completes, option, saying_options
from mechdesign.cli.options import delta_option, epsilon_option, listed, nominal_option
from mechdesign.cli.output import progress_bar
from mechdesign.cli.ready_made import READY_MADE
from mechdesign.designer.coarser_answer import coarser_answer, gain, gain_answer
from mechdesign.designer.design import design
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import brief, shown
from mechdesign.graph.coarsening import coarsened
from mechdesign.graph.document import document_of
from mechdesign.graph.graph_file import read_graph, write_graph
from mechdesign.graph.labels import Label
from mechdesign.graph.shipped import shipped_graphs
from mechdesign.graph.uncertainty import bounds_in_words, describe_within
from mechdesign.objective import NAMED_LOSSES, OBJECTIVES, profile_weights
from mechdesign.show.answer import Answer, Column, Table, for_people, for_programs, sentences
from mechdesign.show.fact_numbers import Exact, six
from mechdesign.words import did_you_mean, first_of

GROUP = "A,B[=NAME]"

WIDEST = 50
"""Characters of a source that a list shows; `graph show` gives it in full."""


@command(
    "coarsen",
    written={"output": "graph"},
    short_help="Join profiles or categories, and see what that changes.",
)
@click.argument("given", type=GRAPH, metavar="GRAPH")
@option(f"--join-profiles {GROUP}", "Profiles that become one, their mean; repeatable.", multiple=True)
@option(f"--join-categories {GROUP}", "Categories that are reported as one; repeatable.", multiple=True)
@option("-o/--output GRAPH.json", WRITES_GRAPH, WRITTEN_GRAPH)
@epsilon_option(help="In nats, >= 0, or inf: compare the designs before and after.")
@delta_option(help="In [0, 1).")
@option("--objective NAME", f"What is minimised: {', '.join(OBJECTIVES)}.", shell_complete=completes(OBJECTIVES))
@option("--loss", "Of objectives with a loss.", OneOf(NAMED_LOSSES))
@nominal_option
def coarsen_command(
    given: GivenGraph,
    join_profiles: Sequence[str],
    join_categories: Sequence[str],
    output: str | None,
    epsilon: Epsilon | None,
    delta: Fraction,
    objective: str | None,
    loss: str | None,
    nominal: bool,
) -> Answer:
    """Join profiles or categories of a graph: fewer of them tell less, and may need less noise.

    With --epsilon the designs before and after are compared. The largest off-diagonal entry may rise where categories
    are joined, as their entries add up; an expected loss of 0 or 1 does not. Where profiles are joined either may.

    \b
    mechdesign graph coarsen categorical-chain --join-categories 3,4=high --epsilon 0.5 -o coarse.json

    A group is a line of CSV, such as 'north,south' or 'north,south=coast'.
    """
    graph = given.graph
    joined = {
        "profiles": _groups("--join-profiles", "profile", join_profiles, list(graph), given.name),
        "categories": _groups("--join-categories", "category", join_categories, graph.graph["categories"], given.name),
    }
    if not any(joined.values()):
        raise InputError("expected --join-profiles or --join-categories, or both")
    if output is None and epsilon is None:
        raise InputError("expected -o FILE for the coarser graph, or --epsilon to see what it changes, or both")
    with saying_options(given.name):
        coarse = coarsened(graph, **joined)
    before = after = None
    if epsilon is not None:
        goal = objective_from(objective, loss)
        options: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "objective": goal, "nominal": nominal}
        with progress_bar("comparing"):
            before = design(graph, **options)
            after = gain(graph, options, **joined)
    if output is not None:
        write_graph(coarse, output)
    return coarser_answer(graph, coarse, joined).then(gain_answer(graph, before, after))


def _groups(
    option: str, what: str, texts: Sequence[str], labels: Sequence[Label], source: str
) -> dict[Label, list[Label]]:
    """Return the groups that were given as text, each with its name.

    Raises
    ------
    InputError
        naming what is no label of the graph, or could be two.
    """
    by_text: dict[str, list[Label]] = {}
    for label in labels:
        by_text.setdefault(str(label), []).append(label)
    found: dict[Label, list[Label]] = {}
    for text in texts:
        cells, name = _cells(option, text, by_text)
        unknown = [cell for cell in cells if cell not in by_text]
        there = f"(there are: {first_of(list(by_text))})"
        faults = [f"{option}: no {what} {shown(cell)} {there}{did_you_mean(by_text, cell)}" for cell in unknown]
        faults += [
            f"{option}: {what} {cell} may be {' or '.join(map(shown, by_text[cell]))}; rename one in the graph"
            for cell in cells
            if len(by_text.get(cell, ())) > 1
        ]
        if faults:
            raise InputError(faults, source=source)
        called = name or "+".join(cells)
        if called in found:
            raise InputError(f"{option}: two groups are named {shown(called)}; give names, A,B=NAME")
        found[called] = [by_text[cell][0] for cell in cells]
    return found


def _cells(option: str, text: str, known: Container[str]) -> tuple[list[str], str]:
    """Return the labels in a text, and the name after them; a label may have an equals sign too."""
    members, equals, name = text.rpartition("=")
    if not equals:
        return listed(option.strip("-"), text) or [], ""
    try:
        whole = listed(option.strip("-"), text) or []
    except InputError:  # quotes end before the name
        whole = []
    if whole and all(cell in known for cell in whole):
        return whole, ""
    return listed(option.strip("-"), members) or [], name.strip()


@group("graph")
def graph_group() -> None:
    """List, show and join profile graphs, and make them: from data, or ready-made ones."""


@graph_group.command("list")
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


@graph_group.command("show", short_help="Show a profile graph: its profiles and its edges.")
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
