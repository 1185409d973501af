"""A mended mechanism as text, and as JSON."""

from typing import Any

from rich.console import Console

from mechdesign.cli.foreign_text import foreign_summary
from mechdesign.cli.output import in_json, table
from mechdesign.designer.baseline import baseline_name
from mechdesign.exact.bounds import digits_above, digits_below, float_above, float_below
from mechdesign.exact.text import format_number, shown_epsilon
from mechdesign.graph.own_epsilons import own_epsilons
from mechdesign.mender.mended import Mended
from mechdesign.objective.parsed_loss import kind_of
from mechdesign.words import counted

LISTED = 20
"""So many rows are printed; JSON has all."""


def summary(result: Mended) -> dict[str, Any]:
    """Return the JSON object: the keys of a design, each row's distance rounded up, and what holds before and after."""
    edges, names = result.rows.number_of_edges(), list(map(str, result.changes))
    if len(set(names)) < len(names):
        names = list(map(repr, result.changes))
    sides = {"before": result.before, "after": result.after}
    return {
        "value": float_above(result.value),
        "bound": float_below(result.bound),
        "value_exact": str(result.value),
        "bound_exact": str(result.bound),
        "epsilon": in_json(result.epsilon),
        "epsilon_exact": shown_epsilon(result.epsilon),
        "delta": float(result.delta),
        "objective": result.objective.name,
        "method": result.method,
        "profiles": len(result.rows),
        "categories": len(result.mechanism.categories),
        "outputs": len(result.mechanism.outputs),
        "edges": edges,
        "edges_asked": edges - len(own_epsilons(result.rows)),
        "edges_from": str(result.asked.source),
        **result.after.protected.summary(),
        "baseline": float_above(result.baseline),
        "baseline_name": baseline_name(result.rows, result.delta),
        "seconds": result.stats["seconds"],
        "warning": result.warning,
        "changed": sum(map(bool, result.changes.values())),
        "changes": dict(zip(names, map(float_above, result.changes.values()), strict=True)),
        "doubles": result.mechanism.rows.given_doubles is not None,
        "digits": result.digits,
        **{f"private_{when}": verdict.private for when, verdict in sides.items()},
        **{f"epsilon_{when}": in_json(verdict.epsilon[1]) for when, verdict in sides.items()},
        **{f"delta_{when}": verdict.delta[1] for when, verdict in sides.items()},
    } | foreign_summary(result.given)


def print_mended(out: Console, result: Mended, graph_name: str | None) -> None:
    """Print a mended mechanism for people."""
    if result.warning is not None:
        out.print(f"{result.warning}\n")
    rows = f"{counted(len(result.rows), 'row')} of {counted(len(result.mechanism.outputs), 'output')}"
    asked = f"epsilon {shown_epsilon(result.epsilon)}, delta {format_number(result.delta)}"
    out.print(f"{rows}; {asked}, on {result.asked.said(result.after.protected, graph_name or '')}")
    if result.before.private and result.unchanged:
        out.print("Private already: nothing is changed.\n")
    else:
        out.print()
        _print_values(out, result)
    _print_privacy(out, result)
    if not result.unchanged:
        out.print()
        _print_changes(out, result)
    out.print()
    what = "These doubles are private" if result.mechanism.rows.given_doubles is not None else "Private"
    what = what if result.digits is None else f"These decimals, of {counted(result.digits, 'place')}, are private"
    out.print(
        f"{what} in exact arithmetic: every edge, both ways, every set of outputs. {result.stats['seconds']:.2f} s."
    )


def _print_values(out: Console, result: Mended) -> None:
    which = "mean" if result.objective.additive else "largest"
    distance = kind_of(result.objective.loss).distance
    values = table("", "", f"{which} {distance} from the given rows", "")
    values.title = None
    values.add_row("this mechanism", digits_above(result.value), f"method {result.method}")
    values.add_row("no private one is nearer than", digits_below(result.bound), "exact, by duality")
    values.add_row(f"the given one, then {baseline_name(result.rows, result.delta)}", digits_above(result.baseline), "")
    out.print(values)
    out.print()


def _print_privacy(out: Console, result: Mended) -> None:
    verdicts = result.before, result.after
    rows = table("", "", "before", "after")
    rows.title = None
    if result.before.edges_asked or result.before.own is None:
        rows.add_row("tight epsilon, at the delta asked", *(repr(one.epsilon[1]) for one in verdicts))
    if result.before.own is not None:
        scales = (one.scale for one in verdicts)
        rows.add_row("tight multiple of the edges' own epsilons", *(repr(one[1]) for one in scales if one is not None))
    rows.add_row("tight delta, at the epsilon asked", *(repr(one.delta[1]) for one in verdicts))
    out.print(rows)


def _print_changes(out: Console, result: Mended) -> None:
    changed = sorted(((name, far) for name, far in result.changes.items() if far), key=lambda pair: -pair[1])
    out.print(f"Rows that change: {len(changed)} of {len(result.changes)}", style="bold")
    rows = table("", "row", "distance")
    rows.title = None
    for name, far in changed[:LISTED]:
        rows.add_row(str(name), digits_above(far))
    out.print(rows)
    if len(changed) > LISTED:
        out.print(f"the {LISTED} largest; {len(changed) - LISTED} more change, --json lists all")
