"""`mechdesign bench`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from mechdesign.bench.driver import carried_out, runs_of
from mechdesign.bench.families import FAMILIES, family
from mechdesign.bench.file import check_ending, read_measurements, record
from mechdesign.bench.growth import growths
from mechdesign.bench.instances import write_instances
from mechdesign.bench.judges import Judgement
from mechdesign.bench.kept import Kept
from mechdesign.bench.machine import machine
from mechdesign.bench.measurement import Measurement
from mechdesign.bench.methods import COMMAND, METHODS
from mechdesign.bench.targets import TARGETS, judged
from mechdesign.cli.bench_text import print_benchmark
from mechdesign.cli.completion import completes_list
from mechdesign.cli.options import json_option
from mechdesign.cli.output import print_json, progress_bar
from mechdesign.cli.paths import PROGRAM, Command, OutputFile, OutputFolder, picture
from mechdesign.errors import InputError
from mechdesign.exact.numbers import parse_epsilon
from mechdesign.exact.text import format_number, shown
from mechdesign.show.terminal import console
from mechdesign.words import counted

USUAL = ("ring", "10x10,20x10,40x10")
USUAL_INSTANCES = ("all", "10x5,20x10")
"""Families and sizes; those of the instances are shipped."""

PICTURES = OutputFolder(
    "for the pictures", "*.svg", where=lambda options: Path(options["plot"]).is_dir(), check=picture
)
INSTANCES = OutputFolder("for the instances", "*.json", "*.mps.gz")


@click.command("bench", cls=Command)
@click.option(
    "--families",
    metavar="NAME,...",
    shell_complete=completes_list(["all", *FAMILIES]),
    help=f"all, or some of {', '.join(FAMILIES)} (default {USUAL[0]}).",
)
@click.option("--sizes", metavar="KxD,...", help=f"Profiles x categories (default {USUAL[1]}); see above.")
@click.option(
    "--methods",
    metavar="NAME,...",
    shell_complete=completes_list(METHODS),
    help=f"Some of {', '.join(METHODS)} (default all; {COMMAND} with --method-command).",
)
@click.option(
    "--method-command",
    "program",
    type=PROGRAM,
    metavar="'COMMAND {mps} {solution}'",
    help="Also measure a program of yours; see design --help.",
)
@click.option("--epsilon", default="0.5", show_default=True, metavar="E", help="Privacy parameter in nats, > 0.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the random graphs.")
@click.option("--time-limit", type=float, metavar="S", help="Seconds for each run (default 60; with --targets 600).")
@click.option("--certificates", is_flag=True, help="Also have checker.py check mechdesign's certificates.")
@click.option(
    "-o",
    "--output",
    type=OutputFile(check_ending),
    metavar="FILE",
    help="Where to keep the rows as they come, .json or .csv.",
)
@click.option("--resume", is_flag=True, help="Take from that file what it already has.")
@click.option(
    "--plot", type=PICTURES, metavar="FILE|FOLDER", help="Draw seconds and memory: one picture, or one for each family."
)
@click.option("--targets", is_flag=True, help="Measure what mechdesign is to reach; exit 1 if it misses something.")
@click.option(
    "--only",
    metavar="NAME,...",
    shell_complete=completes_list(TARGETS),
    help=f"With --targets: some of {', '.join(TARGETS)}.",
)
@click.option("--instances", type=INSTANCES, metavar="FOLDER", help="Write graph files and MPS with certified optima.")
@click.option("--markdown", is_flag=True, help="Tables in Markdown.")
@json_option
def bench_command(
    families: str | None,
    sizes: str | None,
    methods: str | None,
    program: str | None,
    epsilon: str,
    seed: int,
    time_limit: float | None,
    certificates: bool,
    output: str | None,
    resume: bool,
    plot: str | None,
    targets: bool,
    only: str | None,
    instances: str | None,
    markdown: bool,
    as_json: bool,
) -> int:
    """Measure how solvers scale: each method on each graph, in a process of its own.

    Other packages' answers are clipped and renormalised, as is customary; the table says what epsilon they then have,
    exactly, and how far they are above the certified bound. What gives no answer is a row that says so.

    The families of single values have as many categories as profiles, whatever --sizes says: KxD is KxK in counting and
    local; in grid, the largest square number up to K takes the place of K. Each graph is measured once.

    A program of yours, which the method command runs, gets the whole graph as one textbook program, for single values
    with one matrix. To start it, and to write and read the files, counts.

    \b
    mechdesign bench --families ring,local --sizes 20x10,40x10,80x10 -o rows.json --plot scaling.svg
    mechdesign bench --sizes 20x10 --methods structured,highs-pdlp --method-command 'solver {mps} {solution}'
    mechdesign bench --targets --only ring-50x20,grid-7x7
    mechdesign bench --instances FOLDER      (by default all families, 10x5 and 20x10)
    """
    if only is not None and not targets:
        raise InputError("--only: goes with --targets")
    if targets and (families or sizes or methods or program):
        raise InputError("--targets: has families, sizes and methods of its own; --only chooses among its rows")
    limit = (600 if targets else 60) if time_limit is None else time_limit
    if not limit > 0:
        raise InputError(f"--time-limit: expected seconds > 0, found {shown(time_limit)}")
    epsilon = _epsilon(epsilon)
    usual = USUAL if instances is None else USUAL_INSTANCES
    wanted, shape = families or usual[0], _sizes(sizes or usual[1])
    chosen = list(FAMILIES) if wanted == "all" else _names(wanted, [])
    if instances is not None:
        return _write_instances(instances, chosen, shape, epsilon, seed, as_json)
    runs = runs_of(chosen, shape, _methods(methods, program), epsilon=epsilon, seed=seed, command=program or "")
    kept = _kept(output, resume)
    stopped = ""
    judgements: dict[str, Judgement] = {}
    try:
        with progress_bar("measuring") as progress:
            common: dict[str, Any] = {"limit": limit, "earlier": kept.rows, "keep": kept.add, "progress": progress}
            if targets:
                rows, judgements = judged(_names(only, list(TARGETS)), **common)
            else:
                rows = carried_out(runs, certificate=certificates, **common)
    except KeyboardInterrupt:
        stopped = f"interrupted; {_goes_on(kept)}"
        if not kept.rows:
            raise click.Abort(stopped) from None
        rows = [row for row in kept.rows if targets or row.run in runs]
    drawn = _draw(rows, plot) if plot is not None and not stopped else []
    if as_json:
        why = {"error": stopped} if stopped else {}
        print_json(_summary(rows, judgements) | {"output": output, "plots": drawn} | why)
    else:
        if not targets:
            _say_other_sizes(chosen, shape)
        print_benchmark(rows, judgements, markdown=markdown)
    if stopped:
        if not as_json:
            click.echo(f"mechdesign: {stopped}", err=True)
        return 130
    return int(any(judgement.met is False for judgement in judgements.values()))


def _summary(rows: Sequence[Measurement], judgements: Mapping[str, Judgement]) -> dict[str, Any]:
    return {
        "rows": [record(row) for row in rows],
        "growth": [asdict(growth) for growth in growths(rows)],
        "targets": [{"name": name, **asdict(judgement)} for name, judgement in judgements.items()],
        "machine": machine(),
    }


def _names(text: str | None, default: list[str]) -> list[str]:
    return default if text is None else [name.strip() for name in text.split(",")]


def _methods(text: str | None, program: str | None) -> list[str]:
    """Return the methods asked for; "command" is one of them where there is a program, and only there."""
    names = _names(text, [name for name in METHODS if name != COMMAND])
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


def _say_other_sizes(families: Sequence[str], sizes: Sequence[tuple[int, int]]) -> None:
    """Print which sizes are not those asked for, as a family has none such."""
    found = [(name, size, family(name).size(*size)) for name in families for size in sizes]
    others = [f"{name} {k}x{d} is {own[0]}x{own[1]}" for name, (k, d), own in found if own != (k, d)]
    if others:
        click.echo(f"Other sizes than asked for, see --help: {', '.join(others)}.\n")


def _epsilon(text: str) -> str:
    """Return epsilon in its usual form, so that an earlier benchmark's rows are known again."""
    epsilon = parse_epsilon(text)
    if isinstance(epsilon, float) or epsilon == 0:
        raise InputError(f"--epsilon: expected a finite number > 0, found {shown(text)}")
    return format_number(epsilon)


def _kept(output: str | None, resume: bool) -> Kept:
    """Return what keeps the rows that come, with those of an earlier benchmark."""
    if output is None:
        if resume:
            raise InputError("--resume: goes with --output")
        return Kept()
    if not Path(output).exists():
        return Kept(output)
    if not resume:
        raise InputError("is there already; --resume goes on with it, or give another name", source=output)
    return Kept(output, read_measurements(output))


def _goes_on(kept: Kept) -> str:
    if not kept.rows:
        return "no run had ended"
    return (
        "-o FILE keeps the rows" if kept.path is None else f"{kept.path} has the rows so far, --resume goes on with it"
    )


def _draw(rows: Sequence[Measurement], target: str) -> list[str]:
    """Draw all rows into a file, or each family's into one of its own in a folder; return the files."""
    from mechdesign.report.plots import save_figure  # matplotlib loads slowly
    from mechdesign.report.scaling import plot_scaling

    if not Path(target).is_dir():
        save_figure(plot_scaling(rows), target)
        return [target]
    drawn = []
    for name in dict.fromkeys(row.run.family for row in rows):
        drawn.append(str(Path(target) / f"{name}.svg"))
        save_figure(plot_scaling([row for row in rows if row.run.family == name]), drawn[-1])
    return drawn


def _write_instances(
    folder: str, families: list[str], sizes: list[tuple[int, int]], epsilon: str, seed: int, as_json: bool
) -> int:
    with progress_bar("writing instances") as progress:
        entries = write_instances(Path(folder), families, sizes, epsilon=epsilon, seed=seed, progress=progress)
    if as_json:
        print_json({"folder": folder, "instances": entries})
    else:
        console().print(f"Written: {counted(len(entries), 'instance')} and their index into {folder}.")
    return 0
