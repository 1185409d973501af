"""The tables of `mechdesign bench`."""

import math
from collections.abc import Sequence

import click

from mechdesign.bench.growth import Growth, growths
from mechdesign.bench.machine import machine
from mechdesign.bench.outcome import PHASES, Measurement
from mechdesign.show.laid_out import telling
from mechdesign.show.terminal import console, table
from mechdesign.words import counted

Lines = Sequence[Sequence[str]]
METHOD_HEADINGS = ("method", *PHASES, "seconds", "MiB", "true epsilon", "excess")
GROWTH_HEADINGS = ("family", "method", "categories", "profiles", "exponent")
NEAR = 1e-3
"""A true epsilon relatively as near as this is shown by how far it is off."""


def print_benchmark(rows: Sequence[Measurement]) -> None:
    """Print the tables of rows and growth, and where this ran."""
    print_rows(rows)
    print_growths(growths(rows))
    click.echo(", ".join(f"{name} {fact}" for name, fact in machine().items() if fact is not None))


def print_rows(rows: Sequence[Measurement]) -> None:
    """Print a table for each graph, a line for each method; what gave no answer is explained below it."""
    cases: dict[tuple[object, ...], list[Measurement]] = {}
    for row in rows:
        cases.setdefault(row.run.case, []).append(row)
    for own in cases.values():
        checked = any(row.certificate is not None for row in own)
        headings = (*METHOD_HEADINGS, "certificate") if checked else METHOD_HEADINGS
        lines = [_method_cells(row)[: len(headings)] for row in own]
        _print_table(_title(own), headings, lines)
        for row in own:
            if row.words:
                click.echo(f"{row.run.method}: {row.words}")
        click.echo()


def print_growths(found: Sequence[Growth]) -> None:
    """Print the fitted exponents, if there are any."""
    lines = [
        (
            growth.family,
            growth.method,
            "as many" if growth.categories is None else str(growth.categories),
            ", ".join(map(str, growth.profiles)),
            f"{growth.exponent:.2f}",
        )
        for growth in found
    ]
    if lines:
        _print_table("Seconds grow with the number of profiles to the power", GROWTH_HEADINGS, lines)
        click.echo()


def _print_table(title: str, headings: Sequence[str], lines: Lines) -> None:
    """Print a table of numbers, with only those columns that say something."""
    console().print(title, style="bold")
    headings, lines = telling(headings, lines)
    rows = table("", *headings)
    rows.title, rows.padding = None, (0, 1)
    for cells in lines:
        rows.add_row(*cells)
    console().print(rows)


def _title(rows: Sequence[Measurement]) -> str:
    run = rows[0].run
    first = next((row for row in rows if row.edges is not None), rows[0])
    size = "" if first.edges is None else f"; {counted(first.edges, 'edge')}, {first.unknowns} transition probabilities"
    delta = "" if run.delta == "0" else f", delta {run.delta}"
    objective = f", {run.objective}" if run.objective else ""
    asked = f"epsilon {run.epsilon}{delta}{objective}, seed {run.seed}"
    return f"{run.family} {run.profiles} x {run.categories}, {asked}{size}"


def _method_cells(row: Measurement) -> list[str]:
    if not row.done:
        return [row.run.method, *[""] * len(PHASES), "", "", "", row.outcome, ""]
    phases = [_seconds(row.phases.get(phase)) for phase in PHASES]
    memory = "" if row.memory is None else f"{row.memory:.0f}"
    excess = "" if row.excess is None else f"{row.excess:.1e}"
    return [
        row.run.method,
        *phases,
        _seconds(row.seconds),
        memory,
        _true_epsilon(row),
        excess,
        _seconds(row.certificate),
    ]


def _seconds(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if value < 10 else f"{value:.1f}"


def _true_epsilon(row: Measurement) -> str:
    """Return the true epsilon; where it is near the one asked for as that and how far it is off, such as 0.5+3e-09."""
    if row.true_epsilon is None:
        return ""
    asked = float(row.run.epsilon)
    if math.isinf(row.true_epsilon):
        return "inf"
    off = row.true_epsilon - asked
    if abs(off) > NEAR * asked:
        return f"{row.true_epsilon:.3g}"
    return f"{asked:g}{off:+.0e}" if off else f"{asked:g}"
