"""The commands by name. Each is loaded when it is called; help, completion and misspelt names load none."""

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Any, cast

import click
from click.shell_completion import CompletionItem

GROUPS = {
    "Make": {
        "graph": ("graph_group", "Make profile graphs, from data or ready-made; show them."),
        "design": ("design_command", "Design the least-distorting private mechanism for a graph."),
        "mechanism": ("mechanism_group", "Mechanisms that have a formula, such as randomised response."),
        "mend": ("mend_command", "Find the private mechanism nearest to one that is not."),
        "formula": ("formula_command", "Find the optimum as an exact function of e^epsilon."),
    },
    "Judge": {
        "certify": ("certify_command", "Prove that a mechanism or a matrix is private, or that it is not."),
        "check": ("check_command", "Check a proof that somebody gave you."),
        "audit": ("audit_group", "Audit answers whose noise is computed from the data."),
        "compose": ("compose_command", "Find what several releases reveal together."),
    },
    "Use": {
        "sanitise": ("sanitise_command", "Apply a mechanism to a file of data, of any size."),
        "estimate": ("estimate_command", "Estimate true shares from released data, with intervals."),
        "count": ("count_group", "Release a noisy count, and estimate the true one."),
        "export": ("export_command", "Write a mechanism as JavaScript or doubles, a proof as VIPR."),
    },
    "Show": {
        "plot": ("plot_command", "Draw a profile graph or a mechanism."),
        "report": ("report_command", "Write one page on what is protected, and what it costs."),
    },
    "For researchers": {
        "reproduce": ("reproduce_command", "Compute what four papers print, next to what they print."),
        "bench": ("bench_command", "Measure how solvers scale, on families of graphs."),
    },
}
"""By what they are for: name -> what the command is called in the module `mechdesign.cli.NAME`, and what it does."""
COMMANDS = {name: entry for commands in GROUPS.values() for name, entry in commands.items()}

EVERY = {
    "--json": 'One JSON object on standard output; a fault is {"error": ...}.',
    "--quiet": "Print faults and warnings alone; the exit status tells the rest.",
    "-h, --help": "What a command takes, with examples. And: mechdesign --version.",
}
"""The options of every command, as the list of commands shows them."""


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

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, and the options of each of them."""
        self.format_commands(ctx, formatter)
        with formatter.section("Options of every command"):
            formatter.write_dl(list(EVERY.items()))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by what they are for, in columns that begin at the same place."""
        del ctx
        width = max(map(len, COMMANDS))
        for heading, commands in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(width), line) for name, (_, line) in commands.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands that begin so, and what any command completes: its options."""
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        found = [CompletionItem(name, help=COMMANDS[name][1]) for name in names]
        return found + click.Command.shell_complete(self, ctx, incomplete)
