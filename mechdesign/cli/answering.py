"""Commands whose body returns an `Answer`: what is done with it is the same for all."""

from typing import Any

import click

from mechdesign.cli.common import Common, is_quiet
from mechdesign.cli.options import AS_JSON
from mechdesign.cli.output import print_json
from mechdesign.cli.paths import Command, OutputFile
from mechdesign.show.answer import Answer

PLOT = "mechdesign.plot"
"""Where a command's context says whether a picture is wanted."""


def is_plotted() -> bool:
    """Return whether a picture is wanted: what cannot be drawn is then refused first."""
    return bool(click.get_current_context().meta[PLOT])


class AnsweringCommand(Command):
    """A command with `--json`; `--plot` draws the first of its answer's figures.

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
        self.params.insert(-1, Common(["--json", "as_json"], is_flag=True, help=AS_JSON))

    def run(self, ctx: click.Context) -> int:
        """Run the body and show its answer; return the exit status."""
        options = dict(ctx.params)
        as_json, plot = ctx.params.pop("as_json"), ctx.params.pop("plot", None)
        ctx.meta[PLOT] = plot is not None
        kinds = {one.name or "": one.type for one in self.params if isinstance(one.type, OutputFile)}
        answer: Answer = super().run(ctx)
        if plot is not None:
            from mechdesign.report.plots import save_figure  # matplotlib loads slowly

            save_figure(next(iter(answer.figures.values()))(), plot)
        if as_json:
            from mechdesign.show.as_json import as_json as object_of

            print_json(object_of(answer) | {self.written.get(name, name): options[name] for name in kinds})
        elif is_quiet():
            for warning in answer.warnings:
                click.echo(warning, err=True)
        else:
            from mechdesign.show.terminal import print_answer  # rich loads slowly

            files = [(options[name], kind) for name, kind in kinds.items() if options[name] is not None]
            print_answer(answer, [one for file, kind in files for one in (file, *kind.beside(file))], self.unwritten)
            if answer.error:
                click.echo(f"mechdesign: {answer.error}", err=True)
        return answer.status
