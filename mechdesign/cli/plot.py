"""`mechdesign plot`."""

import shlex
from typing import Any

import click
import networkx as nx

from mechdesign import reports
from mechdesign.cli.answering import command
from mechdesign.cli.file_types import FILE, GRAPH_OR_MECHANISM, PICTURE
from mechdesign.cli.option_names import OneOf, option
from mechdesign.cli.options import cells_options
from mechdesign.errors import InputError
from mechdesign.files import kinds
from mechdesign.graph.graph_file import read_graph
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.show.answer import Answer, for_programs


@command("plot", written={"output": "picture"})
@click.argument("target", type=GRAPH_OR_MECHANISM, metavar="GRAPH|MECHANISM")
@option("-o/--output FILE", "Write a PNG, SVG or PDF file.", PICTURE, required=True)
@option("--kind", "The profile graph, the matrices, or what is released.", OneOf(["graph", "matrices", "released"]))
@option("--mechanism FILE", "Draw a graph twice: without privacy, and with this mechanism.", FILE)
@cells_options
def plot_command(
    target: str,
    output: str,
    kind: str | None,
    mechanism: str | None,
    cells: dict[str, Any],
) -> Answer:
    """Draw a profile graph, or the matrices or released distributions of a mechanism.

    \b
    mechdesign plot categorical-chain -o graph.svg
    mechdesign plot categorical-chain --mechanism mechanism.json -o before-and-after.svg
    mechdesign plot mechanism.json --kind released -o released.png
    """
    subject = _read(target, cells)
    if mechanism is not None and (isinstance(subject, Mechanism) or kind not in (None, "graph")):
        raise InputError("--mechanism goes with a graph, drawn without privacy and under it", source=target)
    if isinstance(subject, Mechanism):
        kind = kind or "matrices"
        if kind == "graph":
            draws = f"mechdesign plot GRAPH --mechanism {shlex.quote(target)} -o picture.svg draws both"
            raise InputError(f"--kind graph needs a graph, found a mechanism; {draws}", source=target)
        figure = reports.plot_matrices(subject) if kind == "matrices" else reports.plot_released(subject)
    elif kind in (None, "graph"):
        kind = "graph"
        under = None if mechanism is None else read_foreign(mechanism, **cells)
        figure = reports.plot_graph(subject, under)
    else:
        raise InputError(f"--kind {kind} needs a mechanism; design one with -o FILE first", source=target)
    reports.save_figure(figure, output)
    return Answer(facts=for_programs({"kind": kind}))


def _read(target: str, cells: dict[str, Any]) -> Mechanism | nx.Graph:
    """Return the mechanism, the matrix or the graph in a file, or a shipped graph."""
    if kinds.kind_of(target) in (kinds.MECHANISM, kinds.MATRIX, kinds.TEXT):
        return read_foreign(target, **cells)
    with kinds.expecting(kinds.GRAPH, kinds.MECHANISM, kinds.MATRIX, path=target):
        return read_graph(target)
