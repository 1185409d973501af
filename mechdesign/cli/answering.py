"""Commands whose body returns an `Answer`: what is done with it is the same for all."""

from typing import Any

import click

from mechdesign.cli.output import print_json
from mechdesign.cli.paths import Command, OutputFile
from mechdesign.show.answer import Answer


class AnsweringCommand(Command):
    """A command with `--json`; `--plot` draws the first of its answer's figures.

    Parameters
    ----------
    written
        what JSON calls the files that options name, where that is not the option's name.
    """

    def __init__(self, *arguments: Any, written: dict[str, str] | None = None, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.written = written or {}
        as_json = "One JSON object on standard output, nothing else; null for infinity."
        self.params.append(click.Option(["--json", "as_json"], is_flag=True, help=as_json))

    def run(self, ctx: click.Context) -> int:
        """Run the body and show its answer; return the exit status."""
        as_json, plot = ctx.params.pop("as_json"), ctx.params.pop("plot", None)
        files = {one.name: ctx.params.get(one.name or "") for one in self.params if isinstance(one.type, OutputFile)}
        files |= {"plot": plot} if "plot" in files else {}
        answer: Answer = super().run(ctx)
        if plot is not None:
            from mechdesign.report.plots import save_figure  # matplotlib loads slowly

            save_figure(next(iter(answer.figures.values()))(), plot)
        if as_json:
            from mechdesign.show.as_json import as_json as object_of

            print_json(object_of(answer) | {self.written.get(name, name): path for name, path in files.items()})
        else:
            from mechdesign.show.terminal import print_answer  # rich loads slowly

            print_answer(answer, [path for path in files.values() if path is not None])
        return answer.status
