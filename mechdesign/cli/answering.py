"""Commands whose body returns an `Answer`: what is done with it is the same for all."""

import json
import shlex
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from mechdesign import reports
from mechdesign.cli.file_types import InputFile, OutputFile, check_paths
from mechdesign.cli.option_names import Common, is_quiet, name_of, quiet_option, saying_options
from mechdesign.cli.options import json_option
from mechdesign.show.answer import Answer, OfShown

JSON, PLOT = "mechdesign.json", "mechdesign.plot"
"""Where a command's context says whether JSON, and whether a picture, is wanted."""


def is_json() -> bool:
    """Return whether JSON is wanted: what does not go with it is then refused first."""
    return bool(click.get_current_context().meta[JSON])


def is_plotted() -> bool:
    """Return whether a picture is wanted: what cannot be drawn is then refused first."""
    return bool(click.get_current_context().meta[PLOT])


def command_line(ctx: click.Context) -> str:
    """Return a command with what was given, as a shell takes it: what it reads by its name, nothing that it writes."""
    words = []
    for one in ctx.command.params:
        value, name = ctx.params.get(one.name or ""), name_of(one)
        written = ctx.get_parameter_source(one.name or "") is ParameterSource.COMMANDLINE
        if written and value is not None and not isinstance(one.type, OutputFile):
            for given in map(str, value if isinstance(value, tuple) else [value]):
                text = Path(given).name if isinstance(one.type, InputFile) else given
                words.append(text if isinstance(one, click.Argument) else name if value is True else f"{name}={text}")
    return shlex.join([*ctx.command_path.split(), *words])


class AnsweringCommand(click.Command):
    """A command that starts only where nothing that it reads or has written would be overwritten, and has `--json`.

    `--plot` draws the first of its answer's figures, `--report` writes it as a page.

    Parameters
    ----------
    written
        what JSON calls the files that options name, where that is not the option's name.
    unwritten
        which option would have written something, said where none was given.
    """

    def __init__(
        self, *arguments: Any, written: dict[str, str] | None = None, unwritten: str = "", **attributes: Any
    ) -> None:
        super().__init__(*arguments, **attributes)
        self.written, self.unwritten = written or {}, unwritten
        json_option(self)
        quiet_option(self)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read what was given; what is given twice is refused, since of two the first would be ignored."""
        times = Counter(self.make_parser(ctx).parse_args(args=list(args))[2])
        for one, count in times.items():
            if isinstance(one, click.Option) and count > 1 and not (one.multiple or one.is_flag or one.count):
                together = "; several go into one, separated by commas" if ",..." in (one.metavar or "") else ""
                raise click.UsageError(f"{name_of(one)}: expected once, found {count} times{together}", ctx)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those of other commands too in a section of their own."""
        sections: dict[str, list[tuple[str, str]]] = {"Options": [], "Common options": []}
        for one in self.get_params(ctx):
            record = one.get_help_record(ctx) if isinstance(one, click.Option) else None
            shared = isinstance(one, Common) or one is self.get_help_option(ctx)
            if record is not None:
                sections["Common options" if shared else "Options"].append(record)
        for heading, records in sections.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def invoke(self, ctx: click.Context) -> int:
        """Compare the files, then run."""
        check_paths(self.params, ctx.params)
        try:
            with saying_options():
                return self.run(ctx)
        except KeyboardInterrupt:  # click would print an empty line
            raise click.Abort from None

    def run(self, ctx: click.Context) -> int:
        """Run the body and show its answer; return the exit status."""
        options = dict(ctx.params)
        as_json, plot, report = ctx.params.pop("as_json"), ctx.params.pop("plot", None), ctx.params.pop("report", None)
        ctx.meta[JSON], ctx.meta[PLOT] = as_json, plot is not None
        kinds = {one.name or "": one.type for one in self.params if isinstance(one.type, OutputFile)}
        answer: Answer = super().invoke(ctx)
        if plot is not None and not answer.figures:  # interrupted
            options["plot"] = None
        elif plot is not None:
            reports.save_figure(next(iter(answer.figures.values()))(), plot)
        if report is not None:
            from mechdesign.show.as_blocks import page_of
            from mechdesign.show.render import write_page  # the templates load slowly

            write_page(page_of(answer, self.get_short_help_str(100).rstrip("."), command_line(ctx)), report)
        if as_json:
            from mechdesign.show.as_json import as_json as object_of

            found = object_of(answer) | {self.written.get(name, name): options[name] for name in kinds}
            click.echo(json.dumps(found, ensure_ascii=False, allow_nan=False))
        elif is_quiet():
            if answer.is_drawn:
                click.echo(answer.sentence)
            nothing = plot is None and report is None
            for warning in answer.warnings:
                if not (nothing and isinstance(warning, OfShown)):
                    click.echo(warning, err=True)
        else:
            from mechdesign.show.terminal import print_answer  # rich loads slowly

            files = [(options[name], kind) for name, kind in kinds.items() if options[name] is not None]
            print_answer(answer, [one for file, kind in files for one in (file, *kind.beside(file))], self.unwritten)
        if answer.error and not as_json:
            click.echo(f"mechdesign: {answer.error}", err=True)
        return answer.status


class AnsweringGroup(click.Group):
    """A group of such commands."""

    command_class = AnsweringCommand


command = partial(click.command, cls=AnsweringCommand)


def group(name: str) -> Callable[[Callable[..., Any]], AnsweringGroup]:
    """Return what makes a group of such commands of a function with its help."""
    return click.group(name, cls=AnsweringGroup)
