"""`mechdesign estimate`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from mechdesign import reports
from mechdesign.cli.answering import command
from mechdesign.cli.file_types import FILE
from mechdesign.cli.option_names import given_of, option
from mechdesign.cli.options import cells_options, plot_option, reading_options
from mechdesign.errors import InputError
from mechdesign.mechanism.foreign import read_foreign, reading_of
from mechdesign.release.estimating import estimate
from mechdesign.release.plan import plan_rows
from mechdesign.show.answer import Answer, for_programs
from mechdesign.words import listed

WEIGHTED = (
    "Weighted data need the design effect times as many rows:"
    " 1 + the squared coefficient of variation of the weights (Kish)"
)
"""What a plan says to those who have weights."""


@command("estimate")
@click.argument("mechanism_file", type=FILE, metavar="MECHANISM")
@click.argument("released", type=FILE, metavar="RELEASED", required=False)
@option("--value COLUMN", "The column that was released; or A,B: several together.")
@option("--profile COLUMN", "The column of the profile; with one matrix for all profiles, any column of groups.")
@option("--these-rows", "Intervals for these rows, not for the population they are drawn from.")
@option("--weight COLUMN", "The column of the rows' weights, as in a survey.")
@option("--strata COLUMN", "The column of the strata that rows were drawn in.")
@option("--cluster COLUMN", "The column of the clusters that were drawn, such as schools.")
@option("--subgroup COLUMN LABEL", "Shares of the rows alone that have LABEL in COLUMN.", nargs=2)
@option(
    "--difference A B",
    "How much larger shares are in group A of --profile than in B. Several times for several pairs.",
    name="differences",
    nargs=2,
    multiple=True,
)
@option("--level L", "Of the intervals.", default="0.95")
@option("--simultaneous", "Intervals that hold all shares at once at the level, not each.")
@option("--plan", "Find how many rows are needed for --margin.")
@option("--margin M", "With --plan: half the width of an interval, such as 0.01 or 1%.")
@plot_option(help="Draw the estimates with intervals, as PNG, SVG or PDF.")
@reading_options()
@cells_options
def estimate_command(
    mechanism_file: str,
    released: str | None,
    these_rows: bool,
    level: str,
    plan: bool,
    margin: str | None,
    reading: dict[str, Any],
    cells: dict[str, Any],
    **of_data: Any,
) -> Answer:
    """Estimate the shares of the true categories from released data, by profile, with intervals.

    RELEASED is what sanitise wrote with MECHANISM, or a table like it: CSV, Parquet or Arrow, of any size.

    Each share has a maximum likelihood estimate, which is between 0 and 1, and an unbiased one with its standard error,
    which may not be. What some mechanisms release does not determine all shares; then there are bounds alone. Without
    --profile all rows are taken together.

    \b
    mechdesign estimate mechanism.json released.parquet --value usage --profile job --plot usage.svg
    mechdesign estimate mechanism.json --plan --margin 0.01
    """
    _check_options(plan, margin, given_of("released", "plot", *of_data, *reading))
    mechanism = read_foreign(mechanism_file, **cells)
    if plan and margin is not None:
        planned = plan_rows(mechanism, margin, these_rows=these_rows, level=level).answer()
        return planned.then(reading_of(mechanism), Answer(facts=for_programs({"these_rows": these_rows})))
    how: dict[str, Any] = {"these_rows": these_rows, "level": level, "layout": cells["layout"], **reading}
    found = estimate(mechanism, released, **of_data, **how)
    told = found.answer().then(reading_of(mechanism))
    return replace(told, figures={"estimates": lambda: reports.plot_estimates(found)})


def _check_options(plan: bool, margin: str | None, given: Sequence[str]) -> None:
    """Raise an InputError where what is for a plan and what was given for released data do not fit."""
    if plan:
        if margin is None:
            raise InputError("--plan: say with --margin how far an interval may reach to either side, such as 0.01")
        if given:
            weighted = f". {WEIGHTED}" if "--weight" in given else ""
            raise InputError(f"--plan: takes the mechanism alone; leave out {listed(given)}{weighted}")
    elif margin is not None:
        raise InputError("--margin: goes with --plan")
    elif "RELEASED" not in given:
        raise InputError("RELEASED: say which file holds what was released; or --plan for how many rows it takes")
    elif "--value" not in given:
        raise InputError("--value: say which column was released")
