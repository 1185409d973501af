"""What every command says of itself, and what a shell completes."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from command import run

from mechdesign import shipped_graphs
from mechdesign.bench.families import FAMILIES
from mechdesign.cli.commands import GROUPS
from mechdesign.cli.file_types import CURVE, PICTURE, InputFile, OutputFile
from mechdesign.cli.main import command_line
from mechdesign.cli.option_names import Common
from mechdesign.objective import OBJECTIVES
from mechdesign.papers import RESULTS

README = Path(__file__).parents[1] / "mechdesign" / "cli" / "README.md"
MOST_OPTIONS = 226
"""Options of all commands, each for itself, with those that several share counted once."""


def groups(group: click.Group, parent: click.Context | None = None) -> Iterator[tuple[click.Group, click.Context]]:
    """Yield every group of commands."""
    context = click.Context(group, parent, group.name, **group.context_settings)
    yield group, context
    for command in group.commands.values():
        if isinstance(command, click.Group):
            yield from groups(command, context)


def test_the_first_screen_has_all_commands_by_what_they_are_for() -> None:
    lines = run("--help").out.splitlines()
    assert len(lines) < 40
    assert max(map(len, lines)) <= 80
    headings = {line.strip(":"): number for number, line in enumerate(lines) if line.endswith(":") and line[0] != " "}
    assert list(headings) == [*GROUPS, "Options of every command"]
    for heading, commands in GROUPS.items():
        listed = lines[headings[heading] + 1 : headings[heading] + 1 + len(commands)]
        assert [line.split(None, 1) for line in listed] == [[name, says] for name, (_, says) in commands.items()]
    assert {name for commands in GROUPS.values() for name in commands} == set(command_line.commands)


def test_the_first_command_is_one() -> None:
    first = next(line for line in run("--help").out.splitlines() if line.strip().startswith("mechdesign"))
    assert run(*first.split()[1:]).status == 0


def test_an_option_of_several_commands_is_declared_once_and_all_together_are_few() -> None:
    own = [name for name, one in parameters() if isinstance(one, click.Option) and not isinstance(one, Common)]
    shared = {tuple(one.opts): one.help for _, one in parameters() if isinstance(one, Common)}
    assert all(one.help == shared[tuple(one.opts)] for _, one in parameters() if isinstance(one, Common))
    assert len(own) + len(shared) <= MOST_OPTIONS


STRANGE = ("told", "held", "yours", "likewise", "of their own", "beside", "judged", "so many", "law", "laws")
"""Words that a newcomer stumbles over."""


@pytest.mark.parametrize("width", [80, 110])
def test_help_is_for_newcomers(width: int) -> None:
    commands = [*leaves(), *((group.name or "", group) for group, _ in groups(command_line))]
    for name, command in commands:
        top = click.Context(command_line, **command_line.context_settings)  # a group keeps what it is first asked with
        text = command.get_help(click.Context(command, top, name, max_content_width=width, terminal_width=width))
        assert not [word for word in STRANGE if re.search(rf"\b{word}\b", text.lower())], name


def test_the_help_of_design_fits_a_screen() -> None:
    lines = run("design", "--help").out.splitlines()
    assert len(lines) < 49  # a loss more is a line more
    assert max(map(len, lines)) <= 80


TWO_MEANINGS = {"--to", "--loss"}
"""`export --to FORM` and `formula --to EPSILON` are old names; `graph coarsen --loss` takes names alone, no table."""


def test_an_option_means_the_same_in_every_command() -> None:
    """What takes a file reads it everywhere, or writes it everywhere; what takes one of a few names always does."""
    found: dict[str, set[object]] = {}
    for _, one in parameters():
        if isinstance(one, click.Option):
            kind = next((kind for kind in (InputFile, OutputFile) if isinstance(one.type, kind)), one.is_flag)
            chosen = isinstance(one.type, click.Choice)
            found.setdefault(max(one.opts, key=len), set()).add((kind, chosen, one.multiple))
    assert {name for name, kinds in found.items() if len(kinds) > 1} == TWO_MEANINGS


def test_every_command_has_the_options_of_every_command() -> None:
    for name, command in leaves():
        assert {"--json", "--quiet"} <= {option for one in command.params for option in one.opts}, name


@pytest.mark.parametrize("width", [80, 110])
@pytest.mark.parametrize(
    ("group", "context"), list(groups(command_line))[1:], ids=lambda value: getattr(value, "name", None)
)
def test_lists_of_commands_say_each_in_one_whole_line(group: click.Group, context: click.Context, width: int) -> None:
    formatter = click.HelpFormatter(width=width - 2)
    group.format_commands(context, formatter)
    heading, *lines = formatter.getvalue().splitlines()
    assert heading == "Commands:"
    assert [line.split()[0] for line in lines] == sorted(group.commands)
    for line in lines:
        assert not line.endswith("..."), line


def completed(*words: str) -> dict[str, str]:
    """Return what the last word can become, with the kind of each."""
    completer = ShellComplete(command_line, {}, "mechdesign", "_MECHDESIGN_COMPLETE")
    return {item.value: item.type for item in completer.get_completions(list(words[:-1]), words[-1])}


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["design", ""], {"", *shipped_graphs()}),
        (["design", "cat"], {"cat", "categorical-chain"}),
        (["graph", "show", "vote"], {"vote", "vote-by-education"}),
        (["plot", "metric"], {"metric", "metric-grid-5x5"}),
        (["certify", "m.json", "--graph", "hob"], {"hob", "hobbies"}),
        (["design", "x", "--method", "h"], {"highs"}),
        (["design", "x", "--objective", ""], set(OBJECTIVES)),
        (["check", "x", "--objective", ""], {"max-off-diagonal", "expected-loss", "worst-loss"}),
        (["design", "x", "--loss", "h"], {"h", "hamming"}),
        (["bench", "--families", ""], {"all", *FAMILIES}),
        (["bench", "--families", "ring,co"], {"ring,complete", "ring,components", "ring,counting"}),
        (["bench", "--methods", "scipy,cvx"], {"scipy,cvxpy-clarabel", "scipy,cvxpy-highs"}),
        (["graph", "grid", "3", "3", "--metric", "m"], {"manhattan"}),
        (["mechanism", ""], {"exponential", "k-ary", "product"}),
        (["mechanism", "exponential", "cat"], {"cat", "categorical-chain"}),
        (["mechanism", "exponential", "x", "--utility", "h"], {"h", "hamming"}),
        (["reproduce", ""], {"all", "gc", "hlm", "nd", "sm", *RESULTS}),
        (["reproduce", "gc-fig"], {"gc-figure-1a", "gc-figure-1b", "gc-figure-1c"}),
        (["certify", "m.json", "--by", "s"], {"sets"}),
        (["count", "errors", "--distribution", "g"], {"geometric"}),
        (["audit", "laplace", "d.csv", "--query", "me"], {"mean", "median"}),
        (["audit", "linked", "d.csv", "--wanted", "su"], {"sum"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_names_are_completed(words: list[str], wanted: set[str]) -> None:
    """A file is the shell's own to complete: click then returns the word itself, of the kind "file", and first."""
    found = completed(*words)
    assert found.keys() == wanted
    assert [kind for kind in found.values() if kind == "file"] == ["file"] * (words[-1] in wanted)
    assert "file" not in list(found.values())[1:]


NAMES = {"given": "hobbies", "graph": "hobbies", "target": "hobbies", "objective": "worst-loss", "loss": "absolute"}
"""Arguments and options that take names, and one that they take."""


def leaves() -> list[tuple[str, click.Command]]:
    """Return every command that is no group, after its name."""
    commands = [command for group, _ in groups(command_line) for command in group.commands.values()]
    return [(command.name or "", command) for command in commands if not isinstance(command, click.Group)]


def parameters() -> list[tuple[str, click.Parameter]]:
    """Return every parameter of every command, after its command's name and its own."""
    return [(f"{name} {one.name}", one) for name, command in leaves() for one in command.params]


def test_curves_are_data_and_plots_are_pictures_in_every_command() -> None:
    """A curve is a .json file, which can be read again; a plot is a picture."""
    curves = {name: one for name, one in parameters() if "--curve" in one.opts}
    plots = {name: one for name, one in parameters() if "--plot" in one.opts}
    assert curves.keys() == {"certify curve", "design curve"}
    assert all((one.type, one.metavar) == (CURVE, "CURVE.json") for one in curves.values())
    assert len(plots) >= 7
    for name, one in plots.items():
        assert one.type is PICTURE, name
    others = [name for name, one in parameters() if isinstance(one, click.Option) and one.type is PICTURE]
    assert set(others) <= {*plots, "plot output"}


def test_graphs_objectives_and_losses_are_completed_everywhere() -> None:
    for name, one in parameters():
        if one.name in NAMES:
            found = one.shell_complete(click.Context(command_line), "")
            assert NAMES[one.name] in [item.value for item in found], name


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_readme_says_how_to_switch_completion_on(monkeypatch: pytest.MonkeyPatch, shell: str) -> None:
    assert f"_MECHDESIGN_COMPLETE={shell}_source mechdesign" in README.read_text(encoding="utf-8")
    monkeypatch.setenv("_MECHDESIGN_COMPLETE", f"{shell}_source")
    said = run()
    assert said.status == 0
    assert "_MECHDESIGN_COMPLETE" in said.out


def test_a_shell_that_there_is_none_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "_MECHDESIGN_COMPLETE", "abacus_source")
    assert run()[:2] == (1, "")
