"""`mechdesign graph values | counting | grid | from-points | database`: graphs of single values."""

import warnings
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
import networkx as nx

from mechdesign.cli.answering import command
from mechdesign.cli.file_types import FILE, WRITES_GRAPH, WRITTEN_GRAPH
from mechdesign.cli.graph_answer import NO_EDGES, answer_of_graph
from mechdesign.cli.option_names import Common, OneOf, in_options, option, saying_options
from mechdesign.cli.options import labels_argument, labels_from, layout_options, listed
from mechdesign.count import prior_graph
from mechdesign.errors import InputError
from mechdesign.files.delimited import Layout
from mechdesign.files.scan import scan
from mechdesign.graph.databases import database_graph
from mechdesign.graph.distribution import PointMass
from mechdesign.graph.from_table.distinct import distinct
from mechdesign.graph.from_table.pairs import Header, pairs_in_file
from mechdesign.graph.graph_file import write_graph
from mechdesign.graph.labels import Label
from mechdesign.graph.places import point_graph
from mechdesign.graph.positions import Unit
from mechdesign.graph.profile_graph import profile_graph
from mechdesign.graph.values import (
    Metric,
    absolute_difference,
    counting_graph,
    grid_graph,
    value_graph,
    weights_in_order,
)
from mechdesign.show.answer import Answer

_command = partial(command, written={"output": "graph"})
_output = option("-o/--output GRAPH.json", WRITES_GRAPH, WRITTEN_GRAPH, required=True)
_within = option("--within D", "Join points up to this distance. Default: all.", cls=Common)
_number = partial(click.argument, type=int)


@_command(
    "values",
    short_help="Make the graph of local or metric privacy on some values.",
)
@labels_argument
@option("--metric", "Of numbers: epsilon is per unit of their difference.", OneOf(["absolute"]))
@option("--weights W,W,...", "How likely each value is, in their order. Default: all alike.")
@option(
    "--edges FILE",
    "A table of the pairs that must be indistinguishable, which may have columns epsilon, delta and distance."
    " Default: every pair.",
    FILE,
)
@_output
@layout_options
def values_command(
    values: tuple[str, ...],
    file: str | None,
    metric: str | None,
    weights: str | None,
    edges: str | None,
    output: str,
    layout: Layout,
) -> Answer:
    """Make the graph of local privacy: one profile for each value, which is always that, and every pair an edge.

    Values are integers, or else text. One argument may hold several, as a line of CSV. Before one that begins with a
    dash write --.

    \b
    mechdesign graph values agree disagree unsure -o answers.json
    mechdesign graph values 0,1,2,5,10 --metric absolute -o doses.json
    mechdesign graph values agree disagree unsure --edges pairs.csv -o answers.json
    """
    labels = labels_from(values, file)
    if metric is not None and edges is not None:
        raise click.UsageError("--metric joins every pair; in a file of --edges a column distance says the same")
    shares = listed("weights", weights)
    if edges is None:
        far = absolute_difference if metric else None
        graph = value_graph(labels, metric=far, weights=shares, name=Path(output).stem)
    else:
        graph = _joined(labels, shares, edges, layout, Path(output).stem)
    return _written(graph, output)


def _joined(values: Sequence[Label], shares: Sequence[str] | None, edges: str, layout: Layout, name: str) -> nx.Graph:
    """Return the graph of values that are joined by the pairs in a file."""
    pairs, _ = pairs_in_file(Path(edges), Header.AUTO, layout, values)
    certain = {value: PointMass(position, len(values)) for position, value in enumerate(values)}
    weights = None if shares is None else dict(zip(values, weights_in_order(shares, values), strict=True))
    return profile_graph(certain, edges=pairs, categories=values, weights=weights, name=name)


@_command("counting", short_help="Make the graph of a count of N people.")
@_number("n", metavar="N")
@option(
    "--p P|beta:A,B",
    "Weigh the counts: each person counts with probability P, or with one from a beta distribution, beta:2,38."
    " Default: every count is as likely.",
)
@_output
def counting_command(n: int, p: str | None, output: str) -> Answer:
    """Make the graph of a count of N people: the values 0 to N, neighbours differ by one.

    Any other prior is the weight of each node in the file that is written; in Python mechdesign.count.prior_graph takes
    it as a list.

    \b
    mechdesign graph counting 20 --p 0.1 -o count.json
    mechdesign design count.json --epsilon 1 --objective expected-loss --loss absolute
    """
    return _written(counting_graph(n) if p is None else prior_graph(n, p), output)


@_command("grid", short_help="Make the graph of the points of a grid, with distances.")
@_number("rows", metavar="ROWS")
@_number("columns", metavar="COLUMNS")
@option("--metric", "How distances are measured.", OneOf(Metric), default="euclidean")
@option("--spacing D", "From one point to the next.", default="1")
@_within
@_output
def grid_command(rows: int, columns: int, metric: str, spacing: str, within: str | None, output: str) -> Answer:
    """Make the graph of places: the points of a grid, for metric privacy, where E is per unit of distance.

    A point is named [row, column] in files. Square roots are rounded down, to the private side.

    \b
    mechdesign graph grid 5 8 --spacing 0.5 -o town.json
    mechdesign graph grid 9 9 --metric manhattan --within 1 -o blocks.json
    """
    return _written(grid_graph(rows, columns, metric=metric, spacing=spacing, within=within), output)


@_command("from-points", short_help="Make the graph of places, with distances, from a table.")
@click.argument("data", type=FILE, metavar="DATA")
@option("--at LAT,LON|X,Y", "The two columns of coordinates.", required=True)
@option("--label COLUMN", "The column of the places' names. Default: 1, 2, 3, ...")
@option("--prior COLUMN", "The column that says how often each place is visited.")
@option("--unit", "On the Earth, in this unit; default: in the plane.", OneOf(Unit))
@_within
@_output
@layout_options
def from_points_command(
    data: str,
    at: str,
    label: str | None,
    prior: str | None,
    unit: str | None,
    within: str | None,
    output: str,
    layout: Layout,
) -> Answer:
    """Make the graph of places from a table of coordinates, for metric privacy, where E is per unit of distance.

    With --unit the columns are latitude and longitude in degrees, and distances are along great circles. They are
    rounded down to a millionth of the unit, to the private side.

    \b
    mechdesign graph from-points stations.csv --at lat,lon --unit km --label name --prior visits -o stations.json
    mechdesign design stations.json --epsilon 2 --objective expected-loss --loss distance
    """
    columns = listed("at", at) or []
    wanted: dict[str, Any] = {"label": label, "prior": prior, "unit": unit, "within": within, "name": Path(output).stem}
    with saying_options(data):
        names = [*columns, *(one for one in (label, prior) if one is not None)]
        with scan(data, names, layout=layout) as stream:
            rows = distinct(stream, names)
        with warnings.catch_warnings(record=True, action="always") as caught:
            graph = point_graph(rows, at=columns, source=f"made from {data}", **wanted)
    told = in_options(InputError([str(one.message) for one in caught])).faults
    return _written(graph, output).then(Answer(warnings=told))


@_command("database", short_help="Make the graph of all databases of N rows.")
@labels_argument
@option("--rows N", "How many rows a database has; it is public.", int, name="n", required=True)
@_output
def database_command(values: tuple[str, ...], file: str | None, n: int, output: str) -> Answer:
    """Make the graph of all databases of N rows, each one of these values; neighbours differ in one row.

    A database is named by the list of its rows. At most 10,000 are listed; of more than that each row is sanitised by
    itself, see: mechdesign mechanism product.

    \b
    mechdesign graph database yes,no --rows 3 -o votes.json
    mechdesign design votes.json --epsilon 1 --objective worst-loss --loss rows -o votes-mechanism.json
    """
    return _written(database_graph(labels_from(values, file), n), output)


def _written(graph: nx.Graph, output: str) -> Answer:
    """Write a graph, and say so."""
    write_graph(graph, output)
    alone = [] if graph.number_of_edges() else [f"{NO_EDGES}."]
    return answer_of_graph(graph, output).then(Answer(warnings=alone))


READY_MADE: tuple[click.Command, ...] = (
    values_command,
    counting_command,
    grid_command,
    from_points_command,
    database_command,
)
