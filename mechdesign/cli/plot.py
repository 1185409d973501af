"""`mechdesign plot`."""

from pathlib import Path

import click
import networkx as nx

from mechdesign.cli.common import console, json_option, print_json
from mechdesign.cli.paths import GRAPH, PICTURE, Command
from mechdesign.errors import InputError
from mechdesign.files import read_json
from mechdesign.graph_file import graph_of, read_graph
from mechdesign.mechanism import FORMAT, Mechanism, mechanism_of


@click.command("plot", cls=Command)
@click.argument("target", type=GRAPH, metavar="GRAPH|MECHANISM")
@click.option("-o", "--output", type=PICTURE, required=True, metavar="FILE", help="PNG, SVG or PDF, by its ending.")
@click.option(
    "--kind",
    type=click.Choice(["graph", "matrices", "released"]),
    help="What to draw: the profile graph, the transition matrices, or what is released before and after.",
)
@json_option
def plot_command(target: str, output: str, kind: str | None, as_json: bool) -> None:
    """Draw a profile graph, or a mechanism's matrices or released distributions.

    \b
    mechdesign plot categorical-chain -o graph.svg
    mechdesign plot mechanism.json --kind released -o released.png
    """
    from mechdesign.report.graph_plot import plot_graph  # matplotlib loads slowly
    from mechdesign.report.plots import plot_matrices, plot_released, save_figure

    subject = _read(target)
    if isinstance(subject, Mechanism):
        kind = kind or "matrices"
        if kind == "graph":
            raise InputError("a mechanism has no edges; plot the graph that it was made for", source=target)
        figure = plot_matrices(subject) if kind == "matrices" else plot_released(subject)
    elif kind in (None, "graph"):
        kind = "graph"
        figure = plot_graph(subject)
    else:
        raise InputError(f"--kind {kind} needs a mechanism; design one with -o FILE first", source=target)
    save_figure(figure, output)
    if as_json:
        print_json({"kind": kind, "picture": output})
    else:
        console().print(f"Drawn: {output}")


def _read(target: str) -> Mechanism | nx.Graph:
    """Return the mechanism or the graph in a file, or a shipped graph."""
    if not Path(target).exists():
        return read_graph(target)
    document = read_json(target)
    if isinstance(document, dict) and document.get("format") == FORMAT:
        return mechanism_of(document, source=target)
    return graph_of(document, source=target)
