"""`mechdesign estimate`."""

from collections.abc import Mapping
from typing import Any, TypeVar

import click

from mechdesign.cli.options import json_option, layout_options, normalise_option
from mechdesign.cli.output import print_json
from mechdesign.cli.paths import FILE, PICTURE, Command
from mechdesign.cli.reading import reading_options
from mechdesign.errors import InputError
from mechdesign.exact.text import format_number
from mechdesign.files.delimited import Layout
from mechdesign.graph.labels import Label, Labels
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.release.estimates import Estimate, Estimates, estimate
from mechdesign.release.plan import Plan, plan_rows
from mechdesign.show.terminal import console, table
from mechdesign.words import counted

Value = TypeVar("Value")

LISTED = 200
"""So many lines of estimates are printed; JSON has all."""


@click.command("estimate", cls=Command)
@click.argument("mechanism_file", type=FILE, metavar="MECHANISM")
@click.argument("released", type=FILE, metavar="RELEASED", required=False)
@click.option("--value", metavar="COLUMN", help="The column that was released.")
@click.option(
    "--profile",
    metavar="COLUMN",
    help="The column that names the profile, if it was released; where all profiles have the same matrix, any group.",
)
@click.option(
    "--these-rows", is_flag=True, help="Intervals for the rows at hand, not for the population they were drawn from."
)
@click.option("--plan", is_flag=True, help="How many rows it takes, from the mechanism alone; with --margin.")
@click.option("--margin", metavar="M", help="For --plan: how far an interval may reach to either side, such as 0.01.")
@click.option("--plot", type=PICTURE, metavar="FILE", help="Draw the estimates with intervals. PNG, SVG or PDF.")
@reading_options
@normalise_option
@layout_options
@json_option
def estimate_command(
    mechanism_file: str,
    released: str | None,
    value: str | None,
    profile: str | None,
    these_rows: bool,
    plan: bool,
    margin: str | None,
    plot: str | None,
    reading: dict[str, Any],
    normalise: bool,
    layout: Layout,
    as_json: bool,
) -> None:
    """Estimate the shares of the true categories from released data, by profile, with intervals of 95 %.

    RELEASED is what sanitise wrote with MECHANISM, or a table like it: CSV, Parquet or Arrow, of any size.

    Each share has a maximum likelihood estimate, which is between 0 and 1, and an unbiased one with its standard error,
    which may not be. What is released of some mechanisms does not determine all shares, or so little that 10^10 rows
    would not tell them; then there are bounds only.
    Without --profile all rows are taken together.

    \b
    mechdesign estimate mechanism.json released.parquet --value usage --profile job --plot usage.svg
    mechdesign estimate mechanism.json --plan --margin 0.01
    """
    _check_options(plan, margin, released, value, profile, plot)
    mechanism = read_foreign(mechanism_file, layout=layout, normalise=normalise)
    if plan:
        _print_plan(_planned(mechanism, margin, these_rows), these_rows, as_json)
        return
    found = estimate(mechanism, released, value=value, profile=profile, these_rows=these_rows, layout=layout, **reading)
    if plot is not None:
        from mechdesign.report.estimates_plot import plot_estimates  # matplotlib loads slowly
        from mechdesign.report.plots import save_figure

        save_figure(plot_estimates(found), plot)
    if as_json:
        print_json(summary(found) | {"plot": plot})
    else:
        _print(found, plot)


def _check_options(plan: bool, margin: str | None, released: str | None, *others: str | None) -> None:
    value = others[0]
    if plan:
        if margin is None:
            raise InputError("--plan: say with --margin how far an interval may reach to either side, such as 0.01")
        if released is not None or any(other is not None for other in others):
            raise InputError("--plan: takes the mechanism alone; leave out RELEASED, --value, --profile and --plot")
    elif margin is not None:
        raise InputError("--margin: goes with --plan")
    elif released is None:
        raise InputError("RELEASED: say which file holds what was released; or --plan for how many rows it takes")
    elif value is None:
        raise InputError("--value: say which column was released")


def _planned(mechanism: Mechanism, margin: str | None, these_rows: bool) -> Plan:
    assert margin is not None  # checked with the options
    try:
        return plan_rows(mechanism, margin, these_rows=these_rows)
    except InputError as error:
        raise InputError([f"--{fault}" if fault.startswith("margin") else fault for fault in error.faults]) from None


def summary(found: Estimates) -> dict[str, Any]:
    """Return the JSON object of estimates; null where the released data do not determine a share."""
    return {
        "profiles": {
            profile: {category: _numbers(one) for category, one in _named(shares, "categories").items()}
            for profile, shares in _named(found.profiles, "profiles").items()
        },
        "rows": sum(found.rows.values()),
        "rows_by_profile": _named(found.rows, "profiles"),
        "method": found.method,
        "these_rows": found.these_rows,
        "remarks": list(found.remarks),
    }


def _named(values: Mapping[Label, Value], what: str) -> dict[str, Value]:
    """Return values by their labels as text; raise an InputError where one would take another's place."""
    return dict(zip(Labels(values, what).texts, values.values(), strict=True))


def _numbers(one: Estimate) -> dict[str, Any]:
    keys = ("estimate", "unbiased", "se", "low", "high", "bounded")
    return {key: getattr(one, key) for key in keys}


def _print(found: Estimates, plot: str | None) -> None:
    out = console()
    listed = table("Shares", "profile", "category", "estimate", "unbiased", "standard error", "low", "high")
    lines = [(profile, category, one) for profile, shares in found.profiles.items() for category, one in shares.items()]
    for profile, category, one in lines[:LISTED]:
        numbers = (one.estimate, one.unbiased, one.se, one.low, one.high)
        listed.add_row(
            str(profile), str(category), *("-" if number is None else f"{number:z.4f}" for number in numbers)
        )
    out.print(listed)
    if lines[LISTED:]:
        out.print(f"and {len(lines) - LISTED} more; --json has all")
    whom = "the rows at hand" if found.these_rows else "the population that the rows were drawn from"
    out.print(f"\n{counted(sum(found.rows.values()), 'row')}. Low and high: 95 % intervals for {whom}, for each share.")
    for remark in found.remarks:
        out.print(remark)
    if plot is not None:
        out.print(f"Drawn: {plot}")


def _print_plan(plan: Plan, these_rows: bool, as_json: bool) -> None:
    if as_json:
        profiles = _named(plan.profiles, "profiles")
        undetermined = {str(profile): [str(x) for x in found] for profile, found in plan.undetermined.items()}
        answer = {"rows": plan.rows, "margin": float(plan.margin), "margin_exact": format_number(plan.margin)}
        print_json(answer | {"profiles": profiles, "undetermined": undetermined, "these_rows": these_rows})
        return
    out = console()
    listed = table("Rows needed", "profile", "rows")
    for profile, rows in plan.profiles.items():
        listed.add_row(str(profile), "no number is enough" if rows is None else str(rows))
    out.print(listed)
    out.print(f"\nFor 95 % intervals of at most {format_number(plan.margin)} to either side, whatever the true shares.")
    for profile, categories in plan.undetermined.items():
        names = ", ".join(map(str, categories))
        out.print(f"{profile}: what is released does not determine the shares of {names}; data give bounds only.")
