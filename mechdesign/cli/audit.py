"""`mechdesign audit`: Laplace noise computed from the data, record by record."""

from pathlib import Path
from typing import Any

import click

from mechdesign.audit.arguments import parse_bounds
from mechdesign.audit.auditor import Audit, audit_query
from mechdesign.audit.grid import OnGrid, best_on_grid
from mechdesign.audit.linked import linked_query
from mechdesign.audit.queries import QUERIES
from mechdesign.audit.records import Records, parse_records
from mechdesign.audit.remedy import Mended
from mechdesign.cli.audit_text import print_audit
from mechdesign.cli.names import OneOf
from mechdesign.cli.options import json_option, layout_options
from mechdesign.cli.output import command_line, print_json, print_made, progress_bar
from mechdesign.cli.paths import FILE, PAGE, PICTURE, Command
from mechdesign.errors import InputError
from mechdesign.exact.text import short, shown
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.files.numerals import column_with_points
from mechdesign.files.scan import read_table
from mechdesign.show.numbers import in_json
from mechdesign.show.terminal import console, table
from mechdesign.words import expected_one_of

_query: dict[str, Any] = {"type": OneOf(QUERIES), "required": True}


@click.group("audit")
def audit_group() -> None:
    """Audit numeric answers whose Laplace noise is computed from the data."""


@audit_group.command("laplace", cls=Command, short_help="Audit an answer: is its noise, scaled to the data, private?")
@click.argument("data", type=FILE, metavar="DATA.csv")
@click.option("--column", required=True, metavar="C", help="The column of numbers.")
@click.option("--query", help="What is answered.", **_query)
@click.option("--epsilon", required=True, metavar="E", help="Privacy parameter in nats, > 0.")
@click.option("--u", metavar="U", help="Take the U-quantile of the noisy answer. Default: 0.75.")
@click.option("--response", metavar="R", help="Take this noisy answer.")
@click.option(
    "--bounds", metavar="L,U", help="Of any record, chosen without looking at the data: shows a private mechanism."
)
@click.option(
    "--grid",
    type=int,
    metavar="POINTS",
    help="With --bounds: the best mechanism on that many answers; 61 take seconds, more up to minutes.",
)
@click.option(
    "--plot", type=PICTURE, metavar="FILE", help="Draw the two distributions and their ratio, as PNG, SVG or PDF."
)
@click.option("--report", type=PAGE, metavar="FILE.html", help="Write it as one page, in plain words.")
@layout_options
@json_option
def laplace_command(
    data: str,
    column: str,
    query: str,
    epsilon: str,
    u: str | None,
    response: str | None,
    bounds: str | None,
    grid: int | None,
    plot: str | None,
    report: str | None,
    layout: Layout,
    as_json: bool,
) -> int:
    """Audit an answer with Laplace noise of scale (largest change from leaving one record out)/epsilon.

    Rows are counted from 1, below the header. With --json, epsilon is the least that holds, null if none does; the one
    asked for is `asked`, and delta is the least that holds with that one.

    Exit status: 0 private, 1 not.

    \b
    mechdesign audit laplace claims.csv --column claims --query mean --epsilon 2 --bounds 0,100
    """
    limits = None if bounds is None else parse_bounds(bounds.split(","))
    if grid is not None and limits is None:
        raise InputError("--grid: goes with --bounds")
    records = read_records(data, column, query, layout=layout)
    audit = audit_query(records, query, epsilon, u=u, response=response, bounds=limits)
    best = None
    if grid is not None and limits is not None:
        with progress_bar("designing") as progress:
            best = best_on_grid(query, n=audit.n, bounds=limits, epsilon=epsilon, points=grid, progress=progress)
    if plot is not None:
        _draw(audit, plot)
    if report is not None:
        options: dict[str, Any] = {
            "column": column,
            "query": query,
            "epsilon": epsilon,
            "u": u,
            "response": response,
            "bounds": bounds,
        }
        options |= {"grid": grid, "encoding": layout.encoding, "delimiter": layout.delimiter}
        _report(audit, best, data, column, command_line("audit laplace", Path(data).name, **options), report)
    if as_json:
        print_json(summary(audit, best) | {"plot": plot, "report": report})
    else:
        print_audit(console(), f"{data}, column {column}", audit, best)
        print_made(plot, report)
    return int(not audit.private)


@audit_group.command("linked", cls=Command, short_help="Derive one query's answer from another's.")
@click.argument("data", type=FILE, metavar="DATA.csv")
@click.option("--column", required=True, metavar="C", help="The column of numbers.")
@click.option("--wanted", help="The query whose answer is derived.", **_query)
@click.option("--answered", help="The query that is answered.", **_query)
@click.option("--epsilon", required=True, metavar="E", help="Privacy parameter in nats, > 0.")
@click.option("--factor", metavar="F", help="Wanted = F x answered; known for the sum and the mean.")
@layout_options
@json_option
def linked_command(
    data: str, column: str, wanted: str, answered: str, epsilon: str, factor: str | None, layout: Layout, as_json: bool
) -> None:
    """Show with how much noise one query's answer can be derived from another's.

    \b
    mechdesign audit linked claims.csv --column claims --wanted sum --answered mean --epsilon 2
    """
    records = read_records(data, column, wanted, answered, layout=layout)
    linked = linked_query(records, wanted=wanted, answered=answered, epsilon=epsilon, factor=factor)
    if as_json:
        exact = {
            "factor": linked.factor,
            "scale": linked.wanted.scale,
            "effective_scale": linked.effective_scale,
            "epsilon": linked.wanted.epsilon,
            "effective_epsilon": linked.effective_epsilon,
        }
        print_json({key: in_json(value) for key, value in exact.items()})
        return
    rows = table(f"The {wanted} of {data}, column {column}", "", "scale of its noise", "epsilon")
    rows.add_row(f"asked as the {wanted}", short(linked.wanted.scale), short(linked.wanted.epsilon))
    name = f"{short(linked.factor)} x the {answered}"
    rows.add_row(name, short(linked.effective_scale), short(linked.effective_epsilon))
    console().print(rows)


def read_records(path: str, column: str, *queries: str, layout: Layout = RECOGNISED) -> Records:
    """Return a column of numbers in a file, long enough for the queries.

    Raises
    ------
    InputError
        naming the file, the column and the rows.
    """
    columns = read_table(path, layout)
    if column not in columns:
        raise InputError(f"--column: {expected_one_of(columns, column)}", source=path)
    fewest = max(QUERIES[query].fewest for query in queries)
    try:
        return parse_records(column_with_points(columns[column]), fewest=fewest)
    except InputError as error:
        raise InputError([f"column {shown(column)}: {fault}" for fault in error.faults], source=path) from None


def _draw(audit: Audit, path: str) -> None:
    from mechdesign.report.laws import plot_laws  # matplotlib loads slowly
    from mechdesign.report.plots import save_figure

    save_figure(plot_laws(audit), path)


def _report(audit: Audit, best: OnGrid | None, data: str, column: str, command: str, path: str) -> None:
    from mechdesign.report.page.of_audit import page_of_audit  # the templates load slowly
    from mechdesign.show.render import write_page

    write_page(page_of_audit(audit, best, Path(data).name, column, [command]), path)


def summary(audit: Audit, best: OnGrid | None) -> dict[str, Any]:
    """Return the JSON object of an audit; what is infinite, or says nothing, is null.

    `epsilon` is the least that holds, null if none does; the one asked for is `asked`, and `delta` belongs to that one.
    """
    found = audit.records
    columns = {
        "answer": found.answers,
        "scale": found.scales,
        "p2": found.p2,
        "p3": found.p3,
        "ratio_provider": found.ratio_provider,
        "ratio_intruder": found.ratio_intruder,
        "delta": found.delta,
        "delta_with": found.delta_with,
        "delta_without": found.delta_without,
        "inferred": found.inferred,
    }
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    return {
        "private": audit.private,
        "epsilon": in_json(audit.tight_epsilon),
        "delta": audit.delta,
        "records": [
            {"index": index, "p1": audit.p1} | {key: in_json(cell) for key, cell in zip(columns, row, strict=True)}
            for index, row in enumerate(rows, start=1)
        ],
        "mended": None if audit.mended is None else _mended(audit.mended),
        "grid": None if best is None else _grid(best),
        "query": audit.query,
        "asked": float(audit.epsilon),
        "answer": float(audit.answer),
        "sensitivity": float(audit.sensitivity),
        "scale": float(audit.scale),
        "response": audit.response,
        "sentence": audit.sentence(),
    }


def _mended(mended: Mended) -> dict[str, Any]:
    return {
        "scale": float(mended.scale),
        "bias": float(mended.bias),
        "delta": mended.delta,
        "bounds": [float(bound) for bound in mended.bounds],
        "answer": float(mended.public.answer),
        "sensitivity": float(mended.public.sensitivity),
        "n_private": [
            {"what": part.what} | {key: float(getattr(part, key)) for key in ("answer", "scale", "epsilon")}
            for part in mended.private_count
        ],
    }


def _grid(best: OnGrid) -> dict[str, Any]:
    return {
        "points": len(best.values),
        "step": float(best.step),
        "reach": best.reach,
        "fitting": best.fitting,
        "error": float(best.error),
        "bound": float(best.bound),
        "laplace": float(best.laplace),
        "laplace_clamped": best.clamped,
        "error_rounded": float(best.rounded),
        "laplace_clamped_anywhere": best.clamped_anywhere,
    }
