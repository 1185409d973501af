"""`mechdesign design` with several epsilons: the privacy-utility curve as a table, a picture and files."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
import networkx as nx

from mechdesign import reports
from mechdesign.cli.output import progress_bar
from mechdesign.designer.caution import adds_worst_cases, warning_of
from mechdesign.designer.design_answer import (
    WITHIN,
    WORST_CASES,
    about_certificate,
    about_own,
)
from mechdesign.designer.design_files import write_design
from mechdesign.designer.result import Design
from mechdesign.designer.sweeper import sweep
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import shown
from mechdesign.files.writing import made_folder
from mechdesign.graph.properties import heading_of
from mechdesign.graph.uncertainty import is_robust
from mechdesign.privacy.asked import UNBOUNDED
from mechdesign.privacy.requirement import requirements
from mechdesign.reports.curve_file import Points, curve_of, keep_points, point_of, question_of, read_curve
from mechdesign.show.answer import Answer, for_programs, sentences
from mechdesign.show.language import ENGLISH
from mechdesign.words import counted


@dataclass(frozen=True)
class Files:
    """Where a sweep writes: folders of mechanisms and certificates, the curve's file, its picture; None if nowhere.

    `spelled` says how each epsilon is written in a file's name.
    """

    mechanisms: str | None
    certificates: str | None
    curve: str | None
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
) -> Answer:
    """Design for each epsilon that the curve's file does not have yet, keep each as it ends, and tell of them all."""
    question = question_of(graph, options)
    points = {} if files.curve is None else read_curve(files.curve, question)
    missing = [epsilon for epsilon in asked if not _is_there(points.get(epsilon), files.of(epsilon))]

    def keep(result: Design) -> None:
        point = point_of(result) | files.write(result)
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
    alone = UNBOUNDED if options["nominal"] and is_robust(graph) else None
    warning = warning_of(graph, requirements(graph, min(asked), Fraction(0)), options["objective"])
    warnings = list(filter(None, (alone, warning)))
    told = {"points": list(solved.values()), "warning": " ".join(warnings) or None, "solved": len(missing)}
    remarks = _remarks(graph, question, solved, files, len(asked) - len(missing))
    if files.certificates is not None:
        remarks.append(about_certificate(options["objective"]))
    curve = curve_of(question, solved, options["objective"].words)
    return Answer(
        about=f"{heading_of(graph, question['shared'])}; delta {question['delta']}, method {question['method']}",
        facts=[*for_programs(question | told), *sentences(*remarks)],
        tables=[curve.table()],
        warnings=warnings,
        figures={
            "utility": lambda: reports.plot_utility(
                curve.drawn(), curve.name(ENGLISH), curve.baseline, of_own=curve.own
            )
        },
    )


def _is_there(point: dict[str, Any] | None, files: dict[str, str | None]) -> bool:
    """Return whether a point was solved, and its files were written where they are wanted now."""
    return point is not None and all(
        path is None or (point.get(kind) == path and Path(path).exists()) for kind, path in files.items()
    )


def _remarks(graph: nx.Graph, question: dict[str, Any], points: Points, files: Files, taken_over: int) -> list[str]:
    remarks = [about_own(graph, scaled="scale_own" in question)]
    if any(point.get("robust") for point in points.values()):
        remarks.append(WITHIN)
    if _adds_worst_cases(graph, question, points):
        remarks.append(WORST_CASES)
    if taken_over:
        remarks.append(f"Taken over from {files.curve}: {taken_over} of {len(points)}.")
    return remarks


def _adds_worst_cases(graph: nx.Graph, question: dict[str, Any], points: Points) -> bool:
    robust = any(point.get("robust") for point in points.values())
    return robust and adds_worst_cases(graph, requirements(graph, min(points), Fraction(question["delta"])))
