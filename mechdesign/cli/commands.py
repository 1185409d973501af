"""The commands by name. Each is loaded when it is called; help, completion and misspelt names load none."""

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Any, cast

import click
from click.shell_completion import CompletionItem

COMMANDS = {
    "audit": ("audit_group", "Audit answers whose noise is computed from the data."),
    "bench": ("bench_command", "Measure how solvers scale, on families of graphs."),
    "certify": ("certify_command", "Certify a mechanism, or refute it with a witness; exactly."),
    "check": ("check_command", "Check a certificate, and hold it against what you want."),
    "compose": ("compose_command", "What several releases to independent data reveal together."),
    "count": ("count_group", "Release a noisy count, and say what it tells of the true one."),
    "design": ("design_command", "Design the least-distorting private mechanism for a graph."),
    "estimate": ("estimate_command", "From released data back to shares, with intervals."),
    "export": ("export_command", "Write a mechanism as JavaScript, or as a matrix of doubles."),
    "formula": ("formula_command", "The optimum as an exact function of e^epsilon, proved."),
    "graph": ("graph_group", "List, show and join profile graphs, and make them."),
    "mechanism": ("mechanism_group", "Make the mechanisms that have a formula, exactly private."),
    "mend": ("mend_command", "Find the private mechanism nearest to one that is not."),
    "plot": ("plot_command", "Draw a profile graph or a mechanism."),
    "report": ("report_command", "Say in one page what is protected, and what it costs."),
    "reproduce": ("reproduce_command", "Compute what the papers print, beside what they print."),
    "sanitise": ("sanitise_command", "Apply a mechanism to a file of data, of any size."),
}
"""Name -> what the command is called in the module `mechdesign.cli.NAME`, and what lists of commands say of it."""


class Loading(Mapping[str, click.Command]):
    """The commands; asking for one imports its module."""

    def __getitem__(self, name: str) -> click.Command:
        attribute, _ = COMMANDS[name]
        command: click.Command = getattr(import_module(f"mechdesign.cli.{name}"), attribute)
        return command

    def __contains__(self, name: object) -> bool:
        return name in COMMANDS

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class LazyGroup(click.Group):
    """The group of all these commands; it lists them without loading them."""

    def __init__(self, **options: Any) -> None:
        super().__init__(commands=cast(MutableMapping[str, click.Command], Loading()), **options)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.list_commands(ctx)])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands that begin so, and what any command completes: its options."""
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        found = [CompletionItem(name, help=COMMANDS[name][1]) for name in names]
        return found + click.Command.shell_complete(self, ctx, incomplete)
