"""`mechdesign graph list | show | from-table`."""

from pathlib import Path
from textwrap import shorten

import click

from mechdesign.cli.common import console, json_option, print_json, table
from mechdesign.cli.paths import EDGES, FILE, GRAPH, OUTPUT, Command
from mechdesign.errors import InputError
from mechdesign.exact import format_number
from mechdesign.graph import describe
from mechdesign.graph_file import document_of, read_graph, shipped_graphs, write_graph
from mechdesign.tables import graph_from_table, read_table

LONGEST = 60
"""Profiles shown."""
WIDEST = 50
"""Characters of a source that a list shows; `graph show` gives it in full."""


@click.group("graph")
def graph_group() -> None:
    """List and show profile graphs, and make them from data."""


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


@graph_group.command("show", cls=Command)
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
    rows = table("Profiles", "profile", "distribution", "neighbours")
    rows.columns[1].justify = rows.columns[2].justify = "left"
    for profile, attributes in list(graph.nodes.items())[:LONGEST]:
        near = ", ".join(str(other) + _edge_words(graph.edges[profile, other]) for other in graph[profile])
        rows.add_row(str(profile), describe(attributes["distribution"], categories), near)
    if len(graph) > LONGEST:
        rows.caption = f"the first {LONGEST} of {len(graph)}"
    out.print(rows)
    if "normalised" in graph.graph:
        out.print(f"\nNormalised exactly to total 1: {', '.join(map(str, graph.graph['normalised']))}.")


def _edge_words(attributes: dict[str, object]) -> str:
    own = [f"{key} {_plain(attributes[key])}" for key in ("distance", "epsilon", "delta") if key in attributes]
    return f" ({', '.join(own)})" if own else ""


def _plain(value: object) -> str:
    text = format_number(value) if hasattr(value, "denominator") else str(value)  # type: ignore[arg-type]
    return text if len(text) <= 10 else f"{float(value):.6g}"  # type: ignore[arg-type]


@graph_group.command("from-table", cls=Command)
@click.argument("data", type=FILE, metavar="DATA")
@click.option("--profile", required=True, metavar="COLUMN", help="The column that names the profile.")
@click.option("--value", required=True, metavar="COLUMN", help="The column whose value is reported.")
@click.option(
    "--edges",
    type=EDGES,
    default="all",
    show_default=True,
    metavar="all|COLUMN|FILE.csv",
    help="Which profiles must not be told apart: every pair, those that agree in a column, or the pairs in a file.",
)
@click.option("--count", metavar="COLUMN", help="How many records a row stands for.")
@click.option("--smoothing", default="0", show_default=True, metavar="A", help="Added to every count.")
@click.option("--weigh-by-count", is_flag=True, help="Give each profile its number of records as prior weight.")
@click.option("-o", "--output", type=OUTPUT, required=True, metavar="GRAPH.json", help="Where to write the graph.")
@json_option
def from_table_command(
    data: str,
    profile: str,
    value: str,
    edges: str,
    count: str | None,
    smoothing: str,
    weigh_by_count: bool,
    output: str,
    as_json: bool,
) -> None:
    """Make a profile graph from a table of data (CSV, Parquet, Feather).

    \b
    mechdesign graph from-table usage.csv --profile job --value usage --edges department -o usage.json
    """
    columns = read_table(data)
    pairs = _pairs(edges) if edges.endswith(".csv") else edges
    try:
        graph = graph_from_table(
            columns,
            profile=profile,
            value=value,
            edges=pairs,
            count=count,
            smoothing=smoothing,
            weigh_by_count=weigh_by_count,
            name=Path(output).stem,
            source=f"made from {data}",
        )
    except InputError as error:
        both = data if isinstance(pairs, str) else f"{data} with edges from {edges}"
        raise InputError(error.faults, source=both) from None
    write_graph(graph, output)
    sizes = {
        "profiles": len(graph),
        "categories": len(graph.graph["categories"]),
        "edges": graph.number_of_edges(),
        "graph": output,
    }
    if as_json:
        print_json(sizes)
    else:
        counts = f"{sizes['profiles']} profiles, {sizes['categories']} categories, {sizes['edges']} edges"
        console().print(f"{counts}. Written to {output}; see it with: mechdesign graph show {output}")


def _pairs(path: str) -> list[tuple[str, str]]:
    """Return the pairs in the first two columns of a CSV file with a heading."""
    columns = list(read_table(path).values())
    if len(columns) < 2:
        raise InputError("expected two columns of profiles, found one", source=path)
    first, second = columns[:2]
    return list(zip(first, second, strict=True))
