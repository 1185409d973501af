"""`mechdesign bench`."""

import re
from collections.abc import Sequence
from dataclasses import replace

import click

from mechdesign import reports
from mechdesign.bench.bench_answer import answer_of
from mechdesign.bench.driver import carried_out, runs_of
from mechdesign.bench.families import FAMILIES, family
from mechdesign.bench.methods import COMMAND, METHODS
from mechdesign.bench.outcome import Measurement, with_excess, write_rows
from mechdesign.cli.answering import command
from mechdesign.cli.file_types import DOCUMENT, PROGRAM
from mechdesign.cli.option_names import completes, option
from mechdesign.cli.options import plot_option
from mechdesign.cli.output import progress_bar
from mechdesign.errors import InputError
from mechdesign.exact.numbers import number
from mechdesign.exact.text import format_number, shown
from mechdesign.show.answer import Answer


@command("bench")
@option(
    "--families NAME,...",
    f"all, or some of {', '.join(FAMILIES)}.",
    default="ring",
    shell_complete=completes(["all", *FAMILIES]),
)
@option("--sizes KxD,...", "Profiles x categories.", default="10x10,20x10,40x10")
@option("--methods NAME,...", f"Some of {', '.join(METHODS)}. Default: all.", shell_complete=completes(METHODS))
@option("--method-command COMMAND", "Also measure another program: 'solver {mps} {solution}'.", PROGRAM, name="program")
@option("--epsilon E", "Privacy parameter in nats, > 0.", default="0.5")
@option("--time-limit S", "Seconds for each run.", float, default=60)
@option("-o/--output FILE", "Write the rows as they come, as JSON.", DOCUMENT)
@plot_option(help="Draw seconds and memory. PNG, SVG or PDF.")
def bench_command(
    families: str,
    sizes: str,
    methods: str | None,
    program: str | None,
    epsilon: str,
    time_limit: float,
    output: str | None,
) -> Answer:
    """Measure how solvers scale: each method on each graph, in a separate process.

    Other packages' answers are clipped and renormalised, as is customary; the table says what epsilon they then have,
    exactly, and how far they are above the certified bound. What gives no answer is a row that says so.

    The families of single values have as many categories as profiles, whatever --sizes says: KxD is KxK in counting and
    local; in grid, the largest square number up to K takes the place of K. Each graph is measured once.

    A program of --method-command solves the whole graph as one linear program, for single values with one matrix; to
    start it, and to write and read the files, counts.

    \b
    mechdesign bench --families ring,local --sizes 20x10,40x10,80x10 -o rows.json --plot scaling.svg
    mechdesign bench --sizes 20x10 --methods structured,highs-pdlp --method-command 'solver {mps} {solution}'
    """
    if not time_limit > 0:
        raise InputError(f"--time-limit: expected seconds > 0, found {shown(time_limit)}")
    epsilon, shape = format_number(number("--epsilon", epsilon, "a finite number > 0", above=0)), _sizes(sizes)
    chosen = list(FAMILIES) if families == "all" else _names(families)
    runs = runs_of(chosen, shape, _methods(methods, program), epsilon=epsilon, command=program or "")
    kept = Kept(output)
    stopped = ""
    try:
        with progress_bar("measuring") as progress:
            carried_out(runs, limit=time_limit, certificate=False, keep=kept.add, progress=progress)
    except KeyboardInterrupt:
        stopped = f"interrupted; {kept.where()}"
        if not kept.rows:
            raise click.Abort(stopped) from None
    rows = with_excess(kept.rows)
    return replace(
        answer_of(rows),
        status=130 if stopped else 0,
        error=stopped,
        warnings=_other_sizes(chosen, shape),
        figures={} if stopped else {"scaling": lambda: reports.plot_scaling(rows)},
    )


class Kept:
    """The rows as they come; in a file too, where one is wanted."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.rows: list[Measurement] = []

    def add(self, row: Measurement) -> None:
        """Add a row, counted once it is kept: an interruption may come at any time."""
        if self.path is not None:
            write_rows(with_excess([*self.rows, row]), self.path)
        self.rows.append(row)

    def where(self) -> str:
        """Return in words where they are."""
        if not self.rows:
            return "no run had ended"
        return "-o FILE keeps the rows" if self.path is None else f"{self.path} has the rows so far"


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _methods(text: str | None, program: str | None) -> list[str]:
    """Return the methods asked for; "command" is one of them where there is a program, and only there."""
    names = [name for name in METHODS if name != COMMAND] if text is None else _names(text)
    if program is None and COMMAND in names:
        raise InputError(f"--methods: {COMMAND} needs --method-command 'solver {{mps}} {{solution}}'")
    return names if program is None or COMMAND in names else [*names, COMMAND]


def _sizes(text: str) -> list[tuple[int, int]]:
    """Return the sizes in a list such as 10x5,20x10."""
    found = [re.fullmatch(r"\s*(\d{1,6})x(\d{1,6})\s*", part) for part in text.split(",")]
    sizes = [(int(match[1]), int(match[2])) for match in found if match is not None]
    if len(sizes) < len(found) or any(k < 4 or d < 2 for k, d in sizes):
        raise InputError(
            f"--sizes: expected PROFILESxCATEGORIES, 4x2 at least, such as 10x5,20x10; found {shown(text)}"
        )
    return sizes


def _other_sizes(families: Sequence[str], sizes: Sequence[tuple[int, int]]) -> list[str]:
    """Return which sizes are not those asked for, as a family has none such."""
    found = [(name, size, family(name).size(*size)) for name in families for size in sizes]
    others = [f"{name} {k}x{d} is {own[0]}x{own[1]}" for name, (k, d), own in found if own != (k, d)]
    return [f"Other sizes than asked for, see --help: {', '.join(others)}."] if others else []
