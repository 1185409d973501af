"""`mechdesign design`."""

from fractions import Fraction
from typing import Any

import click
from rich.console import Console

from mechdesign.cli.common import console, json_option, objective_from, print_json, progress_bar, shown_epsilon, table
from mechdesign.component import Method
from mechdesign.designer import Design, design
from mechdesign.errors import InputError
from mechdesign.exact import decimal_above, decimal_below, float_above, float_below, format_number, parse_epsilon
from mechdesign.files import check_targets, write_json
from mechdesign.graph import is_local
from mechdesign.graph_file import read_graph
from mechdesign.mechanism import write_mechanism
from mechdesign.objective import output_labels

LONGEST = 30
"""Tables show at most this many profiles or categories."""


@click.command("design")
@click.argument("graph_name", metavar="GRAPH")
@click.option("--epsilon", required=True, metavar="E", help="Privacy parameter in nats, >= 0, or inf.")
@click.option("--delta", default="0", show_default=True, metavar="D", help="In [0, 1).")
@click.option("--objective", metavar="NAME", help="max-off-diagonal (default), expected-loss or worst-loss.")
@click.option("--loss", metavar="NAME|FILE.csv", help="hamming (default), absolute, or a table of numbers.")
@click.option("--method", default="auto", show_default=True, metavar="NAME", help=f"One of {', '.join(Method)}.")
@click.option("--shared", is_flag=True, help="One matrix per component: the device does not know its profile.")
@click.option("-o", "--output", metavar="MECHANISM.json", help="Where to write the mechanism.")
@click.option("--certificate", metavar="CERT.json", help="Where to write the proof, which anybody can check.")
@json_option
def design_command(
    graph_name: str,
    epsilon: str,
    delta: str,
    objective: str | None,
    loss: str | None,
    method: str,
    shared: bool,
    output: str | None,
    certificate: str | None,
    as_json: bool,
) -> None:
    """Design the least-distorting private mechanism for a profile graph.

    \b
    mechdesign design categorical-chain --epsilon 0.5 -o mechanism.json
    """
    goal = objective_from(objective, loss)
    parse_epsilon(epsilon)
    graph = read_graph(graph_name)
    try:
        output_labels(goal, graph.graph["categories"])
    except InputError as error:
        raise InputError(error.faults, source=loss or "") from None
    check_targets(output, certificate, inputs=(graph_name,))
    with progress_bar("designing, by component") as progress:
        result = design(
            graph, epsilon=epsilon, delta=delta, objective=goal, method=method, shared=shared, progress=progress
        )
    if output is not None:
        write_mechanism(result.mechanism, output)
    if certificate is not None:
        write_json(result.certificate, certificate)
    if as_json:
        print_json(summary(result) | {"mechanism": output, "certificate": certificate})
    else:
        print_design(console(), result)
        written = [path for path in (output, certificate) if path is not None]
        console().print(f"Written: {', '.join(written)}." if written else "Not written; -o FILE writes the mechanism.")


def summary(result: Design) -> dict[str, Any]:
    """Return the JSON object of a design: value rounded up, bound rounded down."""
    return {
        "value": float_above(result.value),
        "bound": float_below(result.bound),
        "value_exact": str(result.value),
        "bound_exact": str(result.bound),
        "epsilon": float(result.epsilon) if shown_epsilon(result.epsilon) != "inf" else "inf",
        "delta": float(result.delta),
        "objective": result.objective.name,
        "method": result.method,
        "profiles": result.graph.number_of_nodes(),
        "categories": len(result.graph.graph["categories"]),
        "edges": result.graph.number_of_edges(),
        "baseline": float_above(result.baseline),
        "category_costs": _floats(result.category_costs),
        "baseline_category_costs": _floats(result.baseline_category_costs),
        "components": result.stats.get("components"),
        "seconds": result.stats["seconds"],
    }


def _floats(costs: list[Fraction] | None) -> list[float] | None:
    return None if costs is None else [float_above(cost) for cost in costs]


def print_design(out: Console, result: Design) -> None:
    """Print a design for people."""
    graph = result.graph
    name = graph.graph.get("name") or "profile graph"
    counts = f"{len(graph)} profiles, {len(graph.graph['categories'])} categories, {graph.number_of_edges()} edges"
    shared = any(len(group) > 1 for group in result.proof.groups)
    kind = "mechanism of one matrix" if shared else "mechanism"
    counts += "; one matrix for each component" if shared else ""
    out.print(f"{name}: {counts}; epsilon {shown_epsilon(result.epsilon)}, delta {format_number(result.delta)}")
    out.print()
    heading = table("", "", result.objective.words, "")
    heading.show_header = True
    heading.title = None
    heading.add_row("this mechanism", decimal_above(result.value), f"method {result.method}")
    heading.add_row(f"no private {kind} is below", decimal_below(result.bound), "exact, by duality")
    heading.add_row(baseline_name(result), decimal_above(result.baseline), compared(result))
    out.print(heading)
    out.print()
    out.print(_profile_table(result))
    if result.category_costs is not None:
        out.print()
        out.print(_category_table(result))
    out.print()
    out.print(
        f"Private in exact arithmetic: every edge, both ways, every set of outputs. {result.stats['seconds']:.2f} s."
    )


def baseline_name(result: Design) -> str:
    """Return what the baseline is called."""
    if result.delta > 0 or is_local(result.graph):
        return "optimal product sanitisation"  # k-ary randomised response where delta = 0
    two = len(result.graph.graph["categories"]) == 2
    return "Warner's randomised response" if two else "k-ary randomised response"


def compared(result: Design) -> str:
    """Return how the mechanism compares with the baseline, in words."""
    if abs(result.value - result.baseline) <= result.baseline / 10**9:
        return "the same, to nine digits"
    if result.value == 0:
        return "no noise is needed at all"
    ratio = float(result.baseline / result.value)
    return f"{ratio:.3g} times as much" if ratio >= 1 else f"{1 / ratio:.3g} times less"


def _profile_table(result: Design) -> Any:
    mechanism = result.mechanism
    square = mechanism.outputs == mechanism.categories
    wide = len(mechanism.outputs) <= 8
    rows = table(
        "Profiles", "profile", "cost", *(["moved"] if square else []), *(map(str, mechanism.outputs) if wide else [])
    )
    costs = result.objective.costs(mechanism)
    for profile, cost in list(zip(mechanism.profiles, costs, strict=True))[:LONGEST]:
        released = mechanism.released(profile)
        cells = [str(profile), f"{float(cost):.6f}"]
        if square:
            before = result.graph.nodes[profile]["distribution"]
            moved = sum(abs(p - q) for p, q in zip(before, released, strict=True)) / 2
            cells.append(f"{float(moved):.6f}")
        rows.add_row(*cells, *(f"{float(mass):.5f}" for mass in released if wide))
    rows.caption = "cost: the profile's own; moved: total variation between its distribution and what it releases"
    rows.caption += "; then what it releases" if wide else ""
    rows.caption += f"; the first {LONGEST} of {len(costs)}" if len(costs) > LONGEST else ""
    rows.caption_justify = "left"
    return rows


def _category_table(result: Design) -> Any:
    rows = table("Cost per category", "category", "this mechanism", baseline_name(result))
    assert result.category_costs is not None
    assert result.baseline_category_costs is not None
    costs = list(zip(result.mechanism.categories, result.category_costs, result.baseline_category_costs, strict=True))
    for category, cost, usual in costs[:LONGEST]:
        rows.add_row(str(category), f"{float(cost):.6f}", f"{float(usual):.6f}")
    rows.caption = "the largest change of a category's probability in any profile, max |P(y) - q(y)|"
    rows.caption_justify = "left"
    return rows
