"""Nothing slow is loaded before it is needed, as users wait for it. `benchmarks/start.py` measures the seconds."""

import subprocess
import sys
from importlib import import_module

import click
import pytest

from mechdesign.cli.commands import COMMANDS
from mechdesign.cli.main import command_line

OURS = "import mechdesign"
HELP = "from mechdesign.cli.main import main; main(['--help'])"
COMPLETION = (
    "from click.shell_completion import ShellComplete; from mechdesign.cli.main import command_line as group\n"
    "found = ShellComplete(group, {}, 'mechdesign', '').get_completions([], 'de')\n"
    "assert [(one.value, one.help.split()[0]) for one in found] == [('design', 'Design')]"
)
MISSPELT = "from mechdesign.cli.main import main; assert main(['desing']) == 2"
DESIGN = "from mechdesign.cli.main import main; main(['design', 'categorical-chain', '--epsilon', '0.5'])"
FORMULA = "from mechdesign.cli.main import main; main(['formula', 'categorical-chain'])"
LIBRARY = "from mechdesign import certify, profile_graph, read_graph"
SLOW = {"cvxpy", "matplotlib", "pandas", "pyarrow", "scipy.optimize", "scipy.special", "scipy.stats"}
SOLVING = {"clarabel", "highspy", "scipy"}
COMMON = {"networkx", "numpy", "rich"}


def loaded(program: str) -> set[str]:
    """Return the modules that a fresh Python has loaded after a program."""
    listed = f"import sys\n{program}\nprint('', *sys.modules, sep='\\n', file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", listed], check=True, capture_output=True, text=True)
    return set(done.stderr.split())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "never"),
    [
        (OURS, SLOW | SOLVING | COMMON | {"click"}),
        (HELP, SLOW | SOLVING | COMMON),
        (COMPLETION, SLOW | SOLVING | COMMON),
        (MISSPELT, SLOW | SOLVING | COMMON),
        (LIBRARY, SLOW | {"clarabel", "highspy", "rich"}),
        (DESIGN, SLOW),
        (FORMULA, SLOW | {"clarabel", "scipy"}),
    ],
    ids=["import", "--help", "completion", "misspelt", "names", "design", "formula"],
)
def test_nothing_slow_is_loaded_before_it_is_needed(program: str, never: set[str]) -> None:
    assert not loaded(program) & never


def test_the_list_of_commands_is_that_of_the_modules() -> None:
    for name, (attribute, line) in COMMANDS.items():
        command = getattr(import_module(f"mechdesign.cli.{name}"), attribute)
        assert isinstance(command, click.Command)
        assert command.name == name
        assert line.endswith(".")
        assert command_line.commands[name] is command
