"""`mechdesign audit`: Laplace noise computed from the data, record by record."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import click

from mechdesign import reports
from mechdesign.audit.auditor import audit_query
from mechdesign.audit.exact_columns import Records, parse_bounds, parse_records
from mechdesign.audit.grid import best_on_grid
from mechdesign.audit.linked import linked_query
from mechdesign.audit.queries import QUERIES
from mechdesign.cli.answering import group
from mechdesign.cli.file_types import FILE
from mechdesign.cli.option_names import OneOf, option
from mechdesign.cli.options import layout_options, plot_option, positive_epsilon_option, report_option
from mechdesign.cli.output import progress_bar
from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.files.delimited import RECOGNISED, Layout
from mechdesign.files.numerals import column_with_points
from mechdesign.files.scan import read_table
from mechdesign.show.answer import Answer, for_programs

_query: dict[str, Any] = {"type": OneOf(QUERIES), "required": True}


@group("audit")
def audit_group() -> None:
    """Audit numeric answers whose Laplace noise is computed from the data."""


@audit_group.command("laplace", short_help="Audit an answer: is its noise, scaled to the data, private?")
@click.argument("data", type=FILE, metavar="DATA.csv")
@option("--column C", "The column of numbers.", required=True)
@option("--query", "What is answered.", **_query)
@positive_epsilon_option
@option("--u U", "Take the U-quantile of the noisy answer. Default: 0.75.")
@option("--response R", "Take this noisy answer.")
@option("--bounds L,U", "Of any record, chosen without looking at the data: shows a private mechanism.")
@option(
    "--grid POINTS",
    "With --bounds: the best mechanism on that many answers; 61 take seconds, more up to minutes.",
    int,
    name="points",
)
@plot_option(help="Draw the two distributions and their ratio, as PNG, SVG or PDF.")
@report_option
@layout_options
def laplace_command(
    data: str,
    column: str,
    query: str,
    epsilon: Fraction,
    u: str | None,
    response: str | None,
    bounds: str | None,
    points: int | None,
    layout: Layout,
) -> Answer:
    """Audit an answer with Laplace noise of scale (largest change from leaving one record out)/epsilon.

    Rows are counted from 1, below the header. With --json, epsilon is the least that holds, null if none does; the one
    asked for is `asked`, and delta is the least that holds with that one.

    Exit status: 0 private, 1 not.

    \b
    mechdesign audit laplace claims.csv --column claims --query mean --epsilon 2 --bounds 0,100
    """
    limits = None if bounds is None else parse_bounds(bounds.split(","))
    if points is not None and limits is None:
        raise InputError("--grid: goes with --bounds")
    records = read_records(data, column, query, layout=layout)
    audit = audit_query(records, query, epsilon, u=u, response=response, bounds=limits)
    found, best = audit.answer(), Answer(facts=for_programs({"grid": None}))
    if points is not None and limits is not None:
        with progress_bar("designing") as progress:
            designed = best_on_grid(query, n=audit.n, bounds=limits, epsilon=epsilon, points=points, progress=progress)
        best = designed.answer().within("grid")
    about = f"{data}, column {column}. {found.about}"
    return replace(
        found,
        about=about,
        figures={
            "The noisy answer, with and without the record that gives itself away most": lambda: reports.plot_laws(
                audit
            )
        },
    ).then(best)


@audit_group.command("linked", short_help="Derive one query's answer from another's.")
@click.argument("data", type=FILE, metavar="DATA.csv")
@option("--column C", "The column of numbers.", required=True)
@option("--wanted", "The query whose answer is derived.", **_query)
@option("--answered", "The query that is answered.", **_query)
@positive_epsilon_option
@option("--factor F", "Wanted = F x answered; known for the sum and the mean.")
@layout_options
def linked_command(
    data: str, column: str, wanted: str, answered: str, epsilon: Fraction, factor: str | None, layout: Layout
) -> Answer:
    """Show with how much noise one query's answer can be derived from another's.

    \b
    mechdesign audit linked claims.csv --column claims --wanted sum --answered mean --epsilon 2
    """
    records = read_records(data, column, wanted, answered, layout=layout)
    linked = linked_query(records, wanted=wanted, answered=answered, epsilon=epsilon, factor=factor)
    return replace(linked.answer(), about=f"{data}, column {column}.")


def read_records(path: str, column: str, *queries: str, layout: Layout = RECOGNISED) -> Records:
    """Return a column of numbers in a file, long enough for the queries.

    Raises
    ------
    InputError
        naming the file, the column and the rows.
    """
    cells = read_table(path, layout, [column])[column]
    fewest = max(QUERIES[query].fewest for query in queries)
    try:
        return parse_records(column_with_points(cells), fewest=fewest)
    except InputError as error:
        raise InputError([f"column {shown(column)}: {fault}" for fault in error.faults], source=path) from None
