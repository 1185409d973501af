"""`mechdesign zoo`."""

from typing import Any

import click

from mechdesign.cli.options import json_option
from mechdesign.cli.output import print_json, progress_bar
from mechdesign.cli.paths import Command
from mechdesign.exact.bounds import digits_above, float_above, float_below
from mechdesign.show.numbers import in_json
from mechdesign.show.terminal import console, table
from mechdesign.zoo.examination import Finding, examined

HEADINGS = ("package", "mechanism", "parameters", "epsilon claimed", "what holds exactly", "least change")


@click.command("zoo", cls=Command)
@click.option("--slow", is_flag=True, help="Also the linear programs that take more than a few seconds.")
@click.option("--markdown", is_flag=True, help="A table in Markdown.")
@json_option
def zoo_command(slow: bool, markdown: bool, as_json: bool) -> int:
    """Certify the mechanisms that other packages make: the epsilon they claim, and what holds exactly.

    Where the claim does not hold, the least change says how little is missing: the mean total variation of the rows
    from those of the nearest mechanism for which it does.

    A package that is not installed is a row that says so; mechdesign's extra `zoo` brings them all.
    """
    with progress_bar("examining") as progress:
        findings = examined(slow=slow, progress=progress)
    if as_json:
        print_json({"findings": [_plain(finding) for finding in findings]})
    elif markdown:
        lines = [HEADINGS, ("---",) * len(HEADINGS), *map(_cells, findings)]
        click.echo("\n".join(f"| {' | '.join(cells)} |" for cells in lines))
    else:
        rows = table("Mechanisms of other packages", *HEADINGS)
        for column in rows.columns:
            column.justify = "left"
        for finding in findings:
            rows.add_row(*_cells(finding))
        console().print(rows)
    return 0


def _cells(finding: Finding) -> tuple[str, ...]:
    specimen = finding.specimen
    claim = "" if finding.epsilon is None else repr(finding.epsilon).removesuffix(".0")
    package = f"{specimen.package} {finding.version}".rstrip()
    change = "" if finding.mended is None else digits_above(finding.mended.value, 3)
    return package, specimen.mechanism, specimen.parameters, claim, finding.words, change


def _plain(finding: Finding) -> dict[str, Any]:
    """Return the JSON object of a finding; an infinite epsilon is null."""
    specimen, verdict = finding.specimen, finding.verdict
    result: dict[str, Any] = {
        "package": specimen.package,
        "version": finding.version or None,
        "mechanism": specimen.mechanism,
        "parameters": specimen.parameters,
        "epsilon_claimed": finding.epsilon,
        "outcome": finding.outcome.value,
        "words": finding.words,
    }
    if verdict is not None:
        lower, upper = map(in_json, verdict.epsilon)
        result |= {"private": verdict.private, "epsilon_lower": lower, "epsilon_upper": upper}
        result |= {"delta_lower": verdict.delta[0], "delta_upper": verdict.delta[1]}
    if (mended := finding.mended) is not None:
        result |= {"least_change": float_above(mended.value), "least_change_bound": float_below(mended.bound)}
    return result
