"""The command `mechdesign`, and what its exit statuses mean."""

import io
import sys
from collections.abc import Sequence

import click

from mechdesign.cli.audit import audit_group
from mechdesign.cli.bench import bench_command
from mechdesign.cli.certify import certify_command
from mechdesign.cli.check import check_command
from mechdesign.cli.count import count_group
from mechdesign.cli.design import design_command
from mechdesign.cli.graph import graph_group
from mechdesign.cli.plot import plot_command
from mechdesign.cli.reproduce import reproduce_command
from mechdesign.cli.zoo import zoo_command
from mechdesign.errors import InputError, MechdesignError

EXIT_STATUSES = (
    "Exit status: 0 done, and what was asked for holds; 1 it does not: refuted, not private, a result that differs, a "
    "target missed; 2 bad input; 3 no answer found; 130 interrupted; 141 nobody read the answer."
)


@click.group(
    name="mechdesign",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog=EXIT_STATUSES,
)
@click.version_option(package_name="mechdesign")
def command_line() -> None:
    """Design, prove and certify least-distorting privacy mechanisms, in exact arithmetic.

    GRAPH is a file, or the name of a shipped profile graph (see: mechdesign graph list). Numbers are exact: 0.3 and
    3/10 are the same. Every command takes --json for one machine-readable object on standard output.
    """


_COMMANDS = (
    design_command,
    certify_command,
    check_command,
    graph_group,
    plot_command,
    reproduce_command,
    zoo_command,
    audit_group,
    count_group,
    bench_command,
)
for _command in _COMMANDS:
    command_line.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; bad input ends in one message, never in a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name may hold what the terminal cannot show
    try:
        return command_line.main(args=arguments, prog_name="mechdesign", standalone_mode=False) or 0
    except click.ClickException as error:
        error.show()
        return 2
    except (click.Abort, KeyboardInterrupt) as error:
        return _fail(str(error) or "interrupted; nothing was written", 130)
    except InputError as error:
        return _fail(str(error), 2)
    except MechdesignError as error:
        return _fail(str(error), 3)
    except SystemExit:  # click's, with status 1, when the reader of a pipe has gone; here 1 says: refuted
        return 141  # what shells show for other programs then
    except OSError as error:  # such as a full disk
        return _fail(f"stopped by the system: {error}", 2)


def _fail(message: str, status: int) -> int:
    click.echo(f"mechdesign: {message}", err=True)
    return status
