"""`mechdesign estimate`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import click

from mechdesign import reports
from mechdesign.cli.answering import AnsweringCommand, is_plotted
from mechdesign.cli.file_types import FILE, PICTURE
from mechdesign.cli.options import layout_options, normalise_option, reading_options
from mechdesign.errors import InputError
from mechdesign.files.delimited import Layout
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


@click.command("estimate", cls=AnsweringCommand)
@click.argument("mechanism_file", type=FILE, metavar="MECHANISM")
@click.argument("released", type=FILE, metavar="RELEASED", required=False)
@click.option("--value", metavar="COLUMN", help="The column that was released; or A,B: several together.")
@click.option(
    "--profile",
    metavar="COLUMN",
    help="The column of the profile; with one matrix for all profiles, any column of groups.",
)
@click.option(
    "--these-rows", is_flag=True, help="Intervals for these rows, not for the population they are drawn from."
)
@click.option("--weight", metavar="COLUMN", help="The column of the rows' weights, as in a survey.")
@click.option("--strata", metavar="COLUMN", help="The column of the strata that rows were drawn in.")
@click.option("--cluster", metavar="COLUMN", help="The column of the clusters that were drawn, such as schools.")
@click.option("--subgroup", nargs=2, metavar="COLUMN LABEL", help="Shares of the rows alone that have LABEL in COLUMN.")
@click.option(
    "--difference",
    "differences",
    nargs=2,
    multiple=True,
    metavar="A B",
    help="How much larger shares are in group A of --profile than in B. Several times for several pairs.",
)
@click.option("--level", default="0.95", show_default=True, metavar="L", help="Of the intervals.")
@click.option("--simultaneous", is_flag=True, help="Intervals that hold all shares at once at the level, not each.")
@click.option("--plan", is_flag=True, help="Find how many rows are needed for --margin.")
@click.option("--margin", metavar="M", help="With --plan: half the width of an interval, such as 0.01 or 1%.")
@click.option("--plot", type=PICTURE, metavar="FILE", help="Draw the estimates with intervals, as PNG, SVG or PDF.")
@reading_options
@normalise_option
@layout_options
def estimate_command(
    mechanism_file: str,
    released: str | None,
    value: str | None,
    profile: str | None,
    these_rows: bool,
    weight: str | None,
    strata: str | None,
    cluster: str | None,
    subgroup: tuple[str, str] | None,
    differences: tuple[tuple[str, str], ...],
    level: str,
    simultaneous: bool,
    plan: bool,
    margin: str | None,
    reading: dict[str, Any],
    normalise: bool,
    layout: Layout,
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
    of_data: dict[str, object] = {
        "RELEASED": released,
        "--value": value,
        "--profile": profile,
        "--weight": weight,
        "--strata": strata,
    }
    of_data |= {"--cluster": cluster, "--subgroup": subgroup, "--difference": differences, "--plot": is_plotted()}
    of_data |= {"--simultaneous": simultaneous} | {f"--{name.replace('_', '-')}": reading[name] for name in reading}
    _check_options(plan, margin, of_data)
    mechanism = read_foreign(mechanism_file, layout=layout, normalise=normalise)
    if plan and margin is not None:
        planned = plan_rows(mechanism, margin, these_rows=these_rows, level=level).answer()
        return planned.then(reading_of(mechanism), Answer(facts=for_programs({"these_rows": these_rows})))
    found = estimate(
        mechanism,
        released,
        value=value,
        profile=profile,
        these_rows=these_rows,
        weight=weight,
        strata=strata,
        cluster=cluster,
        subgroup=subgroup,
        differences=differences,
        level=level,
        simultaneous=simultaneous,
        layout=layout,
        **reading,
    )
    return replace(
        found.answer().then(reading_of(mechanism)), figures={"estimates": lambda: reports.plot_estimates(found)}
    )


def _check_options(plan: bool, margin: str | None, of_data: Mapping[str, object]) -> None:
    """Raise an InputError where what is for a plan and what is for released data do not fit."""
    given = [name for name, value in of_data.items() if value]
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
