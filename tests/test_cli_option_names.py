"""Options that take one of a few names: what they say where another is given, before anything is read."""

import click
import pytest
from command import refused

from mechdesign.cli.main import command_line
from mechdesign.cli.option_names import OneOf


def options() -> list[tuple[str, click.Option]]:
    """Return every option of every command, after the command and itself."""
    groups = [command_line, *(one for one in command_line.commands.values() if isinstance(one, click.Group))]
    commands = [command for group in groups for command in group.commands.values()]
    found = [(command.name, one) for command in commands for one in command.params if isinstance(one, click.Option)]
    return [(f"{command} {one.opts[0]}", one) for command, one in found]


def test_those_that_take_one_of_a_few_names() -> None:
    named = {name for name, one in options() if isinstance(one.type, OneOf)}
    some = {"design --method", "certify --by", "posterior --distribution", "errors --distribution", "laplace --query"}
    assert named >= some | {"sanitise --unknown", "export --to"}
    assert not [name for name, one in options() if type(one.type) is click.Choice]


@pytest.mark.parametrize(
    "arguments",
    [
        ["design", "no-such-graph", "--epsilon", "1", "--method", "simplex"],
        ["certify", "no-such-file", "--by", "simplex"],
        ["count", "errors", "--n", "x", "--p", "x", "--epsilon", "1", "--distribution", "simplex"],
        ["audit", "laplace", "no-such-file", "--column", "c", "--epsilon", "1", "--query", "simplex"],
    ],
    ids=lambda arguments: arguments[-2],
)
def test_another_name_is_one_line_and_comes_first(arguments: list[str]) -> None:
    said = refused(*arguments)
    assert said.startswith(f"mechdesign: {arguments[-2]}: expected one of ")
    assert said.endswith(", found 'simplex'")
