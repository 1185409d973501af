"""`mechdesign certify`."""

from typing import Any

import click
import networkx as nx

from mechdesign.caution import unprotected
from mechdesign.certifier import Verdict, certify, privacy_curve
from mechdesign.cli.common import (
    console,
    json_option,
    layout_options,
    normalise_option,
    print_json,
    shown_epsilon,
    table,
)
from mechdesign.cli.foreign_text import foreign_summary, print_foreign
from mechdesign.cli.paths import FILE, GRAPH, PICTURE, Command
from mechdesign.comparison import Comparison, with_optimal_product
from mechdesign.delimited import Layout
from mechdesign.errors import InputError
from mechdesign.exact import (
    decimal_below,
    float_above,
    float_below,
    format_number,
    parse_delta,
    parse_epsilon,
)
from mechdesign.foreign import read_foreign
from mechdesign.graph_file import read_graph
from mechdesign.least_ratio import By


@click.command("certify", cls=Command)
@click.argument("mechanism_file", type=FILE, metavar="MECHANISM")
@click.option(
    "--graph", "graph_name", type=GRAPH, metavar="GRAPH", help="Whose edges; default: every pair of inputs or profiles."
)
@click.option("--epsilon", required=True, metavar="E", help="Privacy parameter in nats, >= 0, or inf.")
@click.option("--delta", default="0", show_default=True, metavar="D", help="In [0, 1).")
@click.option("--by", default="sets", show_default=True, metavar="WAY", help=f"One of {', '.join(By)}.")
@click.option("--curve", type=PICTURE, metavar="FILE", help="Draw delta over epsilon, as PNG, SVG or PDF.")
@normalise_option
@layout_options
@json_option
def certify_command(
    mechanism_file: str,
    graph_name: str | None,
    epsilon: str,
    delta: str,
    by: str,
    curve: str | None,
    normalise: bool,
    layout: Layout,
    as_json: bool,
) -> int:
    """Certify a mechanism, or refute it with a witness; exactly.

    MECHANISM is mechdesign's own JSON, or a matrix: .csv, .npy, or .json with a list of rows. In a CSV file the first
    line and the first column may hold labels, with the corner between them empty.
    Exit 0 certified, 1 refuted.

    \b
    mechdesign certify mechanism.json --graph categorical-chain --epsilon 0.5
    mechdesign certify matrix.csv --epsilon 1 --delta 1e-6
    """
    parse_epsilon(epsilon)
    parse_delta(delta)
    graph = read_graph(graph_name) if graph_name is not None else None
    mechanism = read_foreign(mechanism_file, graph, layout=layout, normalise=normalise)
    try:
        verdict = certify(mechanism, graph, epsilon=epsilon, delta=delta, by=by)
    except InputError as error:
        raise InputError(error.faults, source=mechanism_file) from None
    comparison = with_optimal_product(mechanism, graph, parse_epsilon(epsilon), parse_delta(delta))
    if curve is not None:
        _draw_curve(mechanism, graph, verdict, curve)
    warning = unprotected(graph, ()) if verdict.worst is None else None
    if as_json:
        made = foreign_summary(mechanism) | {"optimal_product": _compared(comparison), "warning": warning}
        print_json(summary(verdict) | made)
    else:
        if warning is not None:
            console().print(warning)
        print_foreign(mechanism)
        print_verdict(verdict, epsilon, delta)
        if comparison is not None:
            print_comparison(comparison)
    return int(not verdict.private)


def summary(verdict: Verdict) -> dict[str, Any]:
    """Return the JSON object of a verdict; an infinite epsilon is null."""
    worst = None
    if verdict.worst is not None:
        gap = verdict.worst.gap[0 if not verdict.private else 1]
        worst = {
            "edge": list(verdict.worst.edge),
            "set": list(verdict.worst.set),
            "gap": float(gap),
            "gap_exact": str(gap),
        }
    lower, upper = (None if value == float("inf") else value for value in verdict.epsilon)
    return {
        "private": verdict.private,
        "epsilon_lower": lower,
        "epsilon_upper": upper,
        "delta_lower": verdict.delta[0],
        "delta_upper": verdict.delta[1],
        "worst": worst,
        "exact": True,
        "by_rounding": verdict.by_rounding,
        "sentence": verdict.sentence(),
    }


def print_verdict(verdict: Verdict, epsilon: str, delta: str) -> None:
    """Print a verdict for people."""
    out = console()
    asked = f"epsilon {shown_epsilon(parse_epsilon(epsilon))}, delta {format_number(parse_delta(delta))}"
    out.print(f"Asked: {asked}.")
    out.print(verdict.sentence())
    out.print()
    rows = table("", "", "at least", "at most")
    rows.title = None
    rows.add_row("tight epsilon, at the delta asked", *(repr(value) for value in verdict.epsilon))
    rows.add_row("tight delta, at the epsilon asked", *(repr(value) for value in verdict.delta))
    out.print(rows)
    if verdict.worst is not None:
        i, j = verdict.worst.edge
        out.print()
        out.print(f"Worst edge: {i} against {j}, on the set of outputs {{{', '.join(map(str, verdict.worst.set))}}}:")
        gap = verdict.worst.gap[0 if not verdict.private else 1]
        out.print(f"  Pr({i} in it) - e^epsilon Pr({j} in it) - delta = {float(gap):.6g}.")


def print_comparison(comparison: Comparison) -> None:
    """Print what the mechanism gives away against the optimal product sanitisation."""
    out = console()
    out.print()
    rows = table("", "Probability of reporting another value, for the worst value", "")
    rows.title = None
    rows.add_row("this mechanism", f"{float(comparison.error):.9f}")
    rows.add_row("optimal product sanitisation, same epsilon and delta", decimal_below(comparison.optimal_below))
    rows.add_row(
        "lost" if comparison.lost >= 0 else "gained, at the price of privacy", f"{abs(float(comparison.lost)):.9f}"
    )
    out.print(rows)


def _compared(comparison: Comparison | None) -> dict[str, float] | None:
    if comparison is None:
        return None
    error, optimal = float_above(comparison.error), float_below(comparison.optimal_below)
    return {"error": error, "optimal": optimal, "lost": float(comparison.lost)}


def _draw_curve(mechanism: Any, graph: nx.Graph | None, verdict: Verdict, path: str) -> None:
    from mechdesign.report.plots import plot_curve, save_figure  # matplotlib loads slowly

    end = verdict.epsilon[1] if 0 < verdict.epsilon[1] < float("inf") else 5.0
    save_figure(plot_curve(privacy_curve(mechanism, graph, [end * step / 60 for step in range(67)])), path)
