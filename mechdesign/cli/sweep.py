"""`mechdesign design` with several epsilons: the privacy-utility curve as a table, a picture and files."""

import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import networkx as nx

from mechdesign.cli.curve_file import Points, keep_points, question_of, read_curve
from mechdesign.cli.design_files import write_design
from mechdesign.cli.design_text import (
    WITHIN,
    WORST_CASES,
    about_certificate,
    about_own,
    summary,
)
from mechdesign.cli.graph_text import heading_of
from mechdesign.cli.output import print_json, progress_bar
from mechdesign.designer.baseline import baseline_name
from mechdesign.designer.caution import adds_worst_cases, unbounded, warning_of
from mechdesign.designer.result import Design
from mechdesign.designer.sweeper import sweep
from mechdesign.errors import InputError
from mechdesign.exact.bounds import decimal_above, decimal_below
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import short, shown
from mechdesign.files.writing import made_folder
from mechdesign.graph.uncertainty import is_robust
from mechdesign.privacy.requirement import requirements
from mechdesign.show.terminal import console, table_of
from mechdesign.words import counted


@dataclass(frozen=True)
class Files:
    """Where a sweep writes: folders of mechanisms and certificates, the curve's file, its picture; None if nowhere.

    `spelled` says how each epsilon is written in a file's name.
    """

    mechanisms: str | None
    certificates: str | None
    curve: str | None
    plot: str | None
    spelled: Mapping[Epsilon, str]

    @property
    def kept(self) -> list[str]:
        """Where something stands as soon as an epsilon is done."""
        places = (self.curve, self.mechanisms, self.certificates)
        return list(dict.fromkeys(place for place in places if place is not None))

    def after_interruption(self) -> str:
        """Return in words where what was done can be found."""
        if not self.kept:
            return "not kept; --curve FILE would have"
        written = [place for place in self.kept if Path(place).exists()]
        return f"kept in {', '.join(written)}" if written else "nothing was written"

    def of(self, epsilon: Epsilon) -> dict[str, str | None]:
        """Return the files of one epsilon's mechanism and certificate."""
        folders = {"mechanism": self.mechanisms, "certificate": self.certificates}
        name = f"epsilon-{self.spelled[epsilon]}"
        if len(name) > 200 and any(folders.values()):
            raise InputError(f"epsilon: too long to name a file after, {shown(epsilon)}")
        return {
            kind: None if folder is None else str(Path(folder, f"{name}.{kind}.json"))
            for kind, folder in folders.items()
        }

    def write(self, result: Design) -> dict[str, str | None]:
        """Write a design's files and return which."""
        files = self.of(result.epsilon)
        for folder in (self.mechanisms, self.certificates):
            if folder is not None:
                made_folder(folder)
        write_design(result, **files)
        return files


def run_sweep(
    graph: nx.Graph,
    asked: Sequence[Epsilon],
    options: dict[str, Any],
    files: Files,
    executor: Executor | None,
    as_json: bool,
) -> None:
    """Design for each epsilon that the curve's file does not have yet, keep each as it ends, and show them all."""
    question = question_of(graph, options)
    points = {} if files.curve is None else read_curve(files.curve, question)
    missing = [epsilon for epsilon in asked if not _is_there(points.get(epsilon), files.of(epsilon))]

    def keep(result: Design) -> None:
        point = summary(result) | files.write(result)
        if files.curve is not None:
            keep_points(files.curve, question, points, {result.epsilon: point})
        points[result.epsilon] = point  # counted once it is kept: an interruption may come at any time

    try:
        with progress_bar("designing, by epsilon") as progress:
            sweep(graph, missing, executor=executor, progress=progress, done=keep, **options)
    except KeyboardInterrupt:
        there = sum(epsilon in points for epsilon in asked)
        done = f"{there} of {counted(len(asked), 'design')} done, {files.after_interruption()}"
        raise click.Abort(f"interrupted; {done}") from None
    solved = {epsilon: points[epsilon] for epsilon in asked}
    if files.plot is not None:
        usual = baseline_name(graph, Fraction(question["delta"]))
        _draw(solved, options["objective"].words, usual, files.plot, of_own=options["scale_own"])
    alone = unbounded(graph, nominal=options["nominal"])
    warning = warning_of(graph, requirements(graph, min(asked), Fraction(0)), options["objective"])
    warning = " ".join(filter(None, (alone, warning))) or None
    if as_json:
        written = {"warning": warning, "curve": files.curve, "plot": files.plot, "solved": len(missing)}
        print_json(question | {"points": list(solved.values())} | written)
    else:
        if warning is not None:
            console().print(warning)
        if is_robust(graph) and not options["nominal"]:
            console().print(WITHIN)
        _print(graph, question, options["objective"].words, solved, files, len(asked) - len(missing))
        if files.certificates is not None and (words := about_certificate(options["objective"])):
            console().print(words)


def _is_there(point: dict[str, Any] | None, files: dict[str, str | None]) -> bool:
    """Return whether a point was solved, and its files were written where they are wanted now."""
    return point is not None and all(
        path is None or (point.get(kind) == path and Path(path).exists()) for kind, path in files.items()
    )


def _print(
    graph: nx.Graph, question: dict[str, Any], words: str, points: Points, files: Files, taken_over: int
) -> None:
    out = console()
    scaled = "scale_own" in question
    out.print(f"{heading_of(graph, question['shared'])}; delta {question['delta']}, method {question['method']}")
    if about := about_own(graph, scaled=scaled):
        out.print(about)
    delta = Fraction(question["delta"])
    robust = any(point.get("robust") for point in points.values())
    added = robust and adds_worst_cases(graph, requirements(graph, min(points), delta))
    if robust:
        out.print(WITHIN)
    if added:
        out.print(WORST_CASES)
    out.print()
    lines = []
    for epsilon, point in points.items():
        value, baseline = Fraction(point["value_exact"]), Fraction(point["baseline"])
        ratio = f"{float(baseline / value):.3g}" if value else "-"
        usual = decimal_above(baseline) if requirements(graph, epsilon, delta) else "-"
        found = decimal_above(value), decimal_below(Fraction(point["bound_exact"])), _own_bound(point)
        lines.append([short(epsilon), *found, usual, ratio, f"{point['seconds']:.2f}"])
    headings = [
        "own epsilons times" if scaled else "epsilon",
        "value",
        "bound",
        "bound of its class",
        "baseline",
        "ratio",
        "seconds",
    ]
    rows = table_of(words[0].upper() + words[1:], headings, lines)
    rows.caption = f"no {'mechanism so proved' if added else 'private mechanism'} is below the bound"
    if any(line[3] != "-" for line in lines):
        rows.caption += f", no {question['method']} below that of its class"
    if any(line[4] != "-" for line in lines):
        rows.caption += f"; baseline: {baseline_name(graph, delta)}"
    if any(line[5] != "-" for line in lines):
        rows.caption += "; ratio: baseline to value"
    rows.caption_justify = "left"
    out.print(rows)
    out.print()
    if taken_over:
        out.print(f"Taken over from {files.curve}: {taken_over} of {len(points)}.")
    written = files.kept + ([] if files.plot is None else [files.plot])
    out.print(f"Written: {', '.join(written)}." if written else "Not written; --curve FILE keeps the points.")


def _own_bound(point: dict[str, Any]) -> str:
    """Return the bound of the method's own class, if it says more than that of all mechanisms."""
    bound = Fraction(point["bound_exact"])
    own = Fraction(point.get("class_bound_exact", bound))
    return decimal_below(own) if own > bound + bound / 10**9 else "-"


def _draw(points: Points, words: str, baseline: str, path: str, *, of_own: bool) -> None:
    from mechdesign.report.plots import plot_utility, save_figure  # matplotlib loads slowly

    curve = [
        (float(epsilon), float(Fraction(point["value_exact"])), point["baseline"])
        for epsilon, point in points.items()
        if epsilon <= sys.float_info.max  # those beyond have no place on an axis
    ]
    save_figure(plot_utility(curve, words, baseline, of_own=of_own), path)
