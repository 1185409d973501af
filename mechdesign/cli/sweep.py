"""`mechdesign design` with several epsilons: the privacy-utility curve as a table, a picture and files."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import networkx as nx

from mechdesign.cli.common import console, print_json, progress_bar, shown_epsilon, table
from mechdesign.cli.curve_file import question_of, read_curve, write_curve
from mechdesign.cli.design_text import baseline_name, heading_of, summary
from mechdesign.designer import Design
from mechdesign.errors import InputError
from mechdesign.exact import Epsilon, decimal_above, decimal_below, shown
from mechdesign.files import check_targets, write_json
from mechdesign.mechanism import write_mechanism
from mechdesign.sweeper import sweep


@dataclass(frozen=True)
class Files:
    """Where a sweep writes: folders of mechanisms and certificates, the curve's file, its picture; None if nowhere."""

    mechanisms: str | None
    certificates: str | None
    curve: str | None
    plot: str | None

    def check(self, inputs: tuple[str, ...]) -> None:
        """Raise an InputError, before any work is done, unless all can be written."""
        check_targets(self.curve, self.plot, inputs=inputs)
        for folder in (self.mechanisms, self.certificates):
            if folder is not None and not (Path(folder).is_dir() or _can_be_made(Path(folder))):
                raise InputError("expected a folder, for one file per epsilon; nothing was computed", source=folder)
        if self.plot is not None:
            from mechdesign.report.plots import check_ending  # matplotlib loads slowly

            check_ending(self.plot)

    @property
    def kept(self) -> list[str]:
        """Where something stands as soon as an epsilon is done."""
        places = (self.curve, self.mechanisms, self.certificates)
        return list(dict.fromkeys(place for place in places if place is not None))

    def of(self, epsilon: Epsilon) -> dict[str, str | None]:
        """Return the files of one epsilon's mechanism and certificate."""
        name = f"epsilon-{shown_epsilon(epsilon).replace('/', '_')}"
        if len(name) > 200:
            raise InputError(f"epsilon: too long to name a file after, {shown(epsilon)}")
        folders = {"mechanism": self.mechanisms, "certificate": self.certificates}
        return {
            kind: None if folder is None else str(Path(folder, f"{name}.{kind}.json"))
            for kind, folder in folders.items()
        }

    def write(self, result: Design) -> dict[str, str | None]:
        """Write a design's files and return which."""
        files = self.of(result.epsilon)
        if files["mechanism"] is not None:
            write_mechanism(result.mechanism, _in_its_folder(files["mechanism"]))
        if files["certificate"] is not None:
            write_json(result.certificate, _in_its_folder(files["certificate"]))
        return files


def _can_be_made(folder: Path) -> bool:
    return not folder.exists() and folder.parent.is_dir()


def _in_its_folder(path: str) -> str:
    """Return a path whose folder is there: made if it was not."""
    folder = Path(path).parent
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", source=str(folder)) from None
    return path


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
        points[result.epsilon] = summary(result) | files.write(result)
        if files.curve is not None:
            write_curve(files.curve, question, points)

    try:
        with progress_bar("designing, by epsilon") as progress:
            sweep(graph, missing, executor=executor, progress=progress, done=keep, **options)
    except KeyboardInterrupt:
        there = sum(epsilon in points for epsilon in asked)
        kept = f"kept in {', '.join(places)}" if (places := files.kept) else "not kept; --curve FILE would have"
        raise click.Abort(f"interrupted; {there} of {len(asked)} designs done, {kept}") from None
    shown_points = [points[epsilon] for epsilon in asked]
    if files.plot is not None:
        _draw(shown_points, options["objective"].words, baseline_name(graph, Fraction(question["delta"])), files.plot)
    if as_json:
        written = {"curve": files.curve, "plot": files.plot, "solved": len(missing)}
        print_json(question | {"points": shown_points} | written)
    else:
        _print(graph, question, options["objective"].words, shown_points, files, len(asked) - len(missing))


def _is_there(point: dict[str, Any] | None, files: dict[str, str | None]) -> bool:
    """Return whether a point was solved, and its files were written where they are wanted now."""
    return point is not None and all(
        path is None or (point.get(kind) == path and Path(path).exists()) for kind, path in files.items()
    )


def _print(
    graph: nx.Graph, question: dict[str, Any], words: str, points: list[dict[str, Any]], files: Files, taken_over: int
) -> None:
    out = console()
    out.print(f"{heading_of(graph, question['shared'])}; delta {question['delta']}, method {question['method']}")
    out.print()
    rows = table(words[0].upper() + words[1:], "epsilon", "value", "bound", "baseline", "ratio", "seconds")
    for point in points:
        value, baseline = Fraction(point["value_exact"]), Fraction(point["baseline"])
        ratio = f"{float(baseline / value):.3g}" if value else "-"
        digits = decimal_above(value), decimal_below(Fraction(point["bound_exact"])), decimal_above(baseline)
        rows.add_row(point["epsilon_exact"], *digits, ratio, f"{point['seconds']:.2f}")
    usual = baseline_name(graph, Fraction(question["delta"]))
    rows.caption = f"no private mechanism is below the bound; baseline: {usual}; ratio: baseline to value"
    rows.caption_justify = "left"
    out.print(rows)
    out.print()
    if taken_over:
        out.print(f"Taken over from {files.curve}: {taken_over} of {len(points)}.")
    written = files.kept + ([] if files.plot is None else [files.plot])
    out.print(f"Written: {', '.join(written)}." if written else "Not written; --curve FILE keeps the points.")


def _draw(points: list[dict[str, Any]], words: str, baseline: str, path: str) -> None:
    from mechdesign.report.plots import plot_utility, save_figure  # matplotlib loads slowly

    curve = [
        (float(Fraction(point["epsilon_exact"])), float(Fraction(point["value_exact"])), point["baseline"])
        for point in points
        if point["epsilon_exact"] != "inf"
    ]
    save_figure(plot_utility(curve, words, baseline), path)
