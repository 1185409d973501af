"""What a shell completes beside files (`mechdesign.cli.file_types`): names of objectives, methods, results."""

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def completes(names: Iterable[str]) -> Complete:
    """Return what completes one of these names."""
    known = list(names)

    def complete(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in known if name.startswith(begun)]

    return complete


def completes_list(names: Iterable[str]) -> Complete:
    """Return what completes the last of several names with commas between them."""
    known = list(names)

    def complete(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
        before, comma, last = begun.rpartition(",")
        return [CompletionItem(f"{before}{comma}{name}") for name in known if name.startswith(last)]

    return complete
