"""`mechdesign design` with several epsilons: the privacy-utility curve as a table, a picture and files."""

from collections.abc import Sequence
from concurrent.futures import Executor
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import click
import networkx as nx

from mechdesign import reports
from mechdesign.cli.output import progress_bar
from mechdesign.cli.targets import Targets
from mechdesign.designer.caution import adds_worst_cases, warning_of
from mechdesign.designer.design_answer import WITHIN, WORST_CASES, about_certificate, about_own
from mechdesign.designer.sweeper import sweep
from mechdesign.exact.numbers import Epsilon
from mechdesign.graph.properties import heading_of
from mechdesign.graph.uncertainty import is_robust
from mechdesign.privacy.asked import UNBOUNDED
from mechdesign.privacy.requirement import requirements
from mechdesign.reports.curve_file import Points, Question, curve_of, question_of
from mechdesign.show.answer import Answer, for_programs, sentences
from mechdesign.show.language import ENGLISH
from mechdesign.words import counted


def run_sweep(
    graph: nx.Graph,
    asked: Sequence[Epsilon],
    options: dict[str, Any],
    targets: Targets,
    executor: Executor | None,
) -> Answer:
    """Design for each epsilon that the curve's file does not have yet, keep each as it ends, and tell of them all."""
    question = question_of(graph, options)
    points = targets.points(question)
    missing = [epsilon for epsilon in asked if not _is_there(points.get(epsilon), targets.of(epsilon))]
    keep = partial(targets.keep, question=question, points=points)
    try:
        with progress_bar("designing, by epsilon") as progress:
            sweep(graph, missing, executor=executor, progress=progress, done=keep, **options)
    except KeyboardInterrupt:
        there = sum(epsilon in points for epsilon in asked)
        done = f"{there} of {counted(len(asked), 'design')} done, {targets.after_interruption()}"
        raise click.Abort(f"interrupted; {done}") from None
    solved = {epsilon: points[epsilon] for epsilon in asked}
    alone = UNBOUNDED if options["nominal"] and is_robust(graph) else None
    warning = warning_of(graph, requirements(graph, min(asked), Fraction(0)), options["objective"])
    warnings = list(filter(None, (alone, warning)))
    told = {
        "points": list(solved.values()),
        "warning": " ".join(warnings) or None,
        "solved": len(missing),
    }
    remarks = _remarks(graph, question, solved)
    if taken_over := len(asked) - len(missing):
        remarks.append(f"Taken over from {targets.curve}: {taken_over} of {len(solved)}.")
    if targets.certificate is not None:
        remarks.append(about_certificate(options["objective"]))
    curve = curve_of(question, solved, options["objective"].words)
    return Answer(
        about=f"{heading_of(graph, question['shared'])}; delta {question['delta']}, method {question['method']}",
        facts=[*for_programs({**question, **told}), *sentences(*remarks)],
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


def _remarks(graph: nx.Graph, question: Question, points: Points) -> list[str]:
    remarks = [about_own(graph, scaled="scale_own" in question)]
    if any(point.get("robust") for point in points.values()):
        remarks.append(WITHIN)
        if adds_worst_cases(graph, requirements(graph, min(points), Fraction(question["delta"]))):
            remarks.append(WORST_CASES)
    return remarks
