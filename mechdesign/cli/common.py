"""Options that mean the same in every command that takes them; its help lists them after its own."""

from typing import Any

import click

QUIET = "mechdesign.quiet"
"""Where a command's context says that text is not wanted."""


class Common(click.Option):
    """An option that several commands share, with one meaning and one help text."""


def is_quiet() -> bool:
    """Return whether faults and warnings alone are wanted."""
    context = click.get_current_context(silent=True)
    return context is not None and context.meta.get(QUIET, False)


def quiet_option() -> Common:
    """Return `--quiet`."""

    def keep(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
        context.meta[QUIET] = wanted

    about = "Print faults and warnings alone."
    return Common(["--quiet"], is_flag=True, expose_value=False, callback=keep, help=about)


def write_options(command: click.Command, context: click.Context, formatter: click.HelpFormatter) -> None:
    """Write a command's options, those of other commands too in a section of their own."""
    sections: dict[str, list[Any]] = {"Options": [], "Common options": []}
    for one in command.get_params(context):
        record = one.get_help_record(context) if isinstance(one, click.Option) else None
        common = isinstance(one, Common) or one is command.get_help_option(context)
        if record is not None:
            sections["Common options" if common else "Options"].append(record)
    for heading, records in sections.items():
        if records:
            with formatter.section(heading):
                formatter.write_dl(records)
