"""What `design` of the command line does: one mechanism, or a curve of several, each kept as soon as it is there."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import click
import networkx as nx

from mechdesign import reports
from mechdesign.cli.answering import is_plotted
from mechdesign.cli.output import progress_bar
from mechdesign.cli.workers import keeping_the_best
from mechdesign.designer.caution import adds_worst_cases, warning_of
from mechdesign.designer.design import design
from mechdesign.designer.design_answer import WITHIN, WORST_CASES, about_certificate, about_own
from mechdesign.designer.design_files import write_design
from mechdesign.designer.edge_prices import check_has_prices
from mechdesign.designer.method import checked_method
from mechdesign.designer.price_answer import price_answer
from mechdesign.designer.result import Design
from mechdesign.designer.smallest_epsilon import smallest_epsilon
from mechdesign.designer.sweeper import sweep
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon
from mechdesign.exact.text import shown
from mechdesign.files.writing import made_folder
from mechdesign.graph.properties import heading_of, scaled
from mechdesign.graph.uncertainty import is_robust, nominal
from mechdesign.privacy.asked import UNBOUNDED
from mechdesign.privacy.requirement import requirements
from mechdesign.reports.curve_file import Points, Question, curve_of, keep_points, point_of, question_of, read_curve
from mechdesign.show.answer import Answer, for_programs, sentences
from mechdesign.show.language import ENGLISH
from mechdesign.solver.linear_program import map_of, write_program
from mechdesign.solver.stopping import INTERRUPTION
from mechdesign.words import counted


@dataclass(frozen=True)
class Targets:
    """The files to write, by what is in them; None if not.

    Of several epsilons, mechanisms and certificates stand in folders; `several` says how each is written in a file's
    name.
    """

    mechanism: str | None
    certificate: str | None
    curve: str | None
    mps: str | None = None
    several: Mapping[Epsilon, str] | None = None

    def points(self, question: Question) -> Points:
        """Return the points that the curve's file has."""
        return {} if self.curve is None else read_curve(self.curve, question)

    def of(self, epsilon: Epsilon) -> dict[str, str | None]:
        """Return the files of one epsilon's mechanism and certificate."""
        files = {"mechanism": self.mechanism, "certificate": self.certificate}
        if self.several is None:
            return files
        name = f"epsilon-{self.several[epsilon]}"
        if len(name) > 200 and any(files.values()):
            raise InputError(f"epsilon: too long to name a file after, {shown(epsilon)}")
        return {
            kind: None if folder is None else str(Path(folder, f"{name}.{kind}.json")) for kind, folder in files.items()
        }

    def keep(self, result: Design, question: Question, points: Points) -> None:
        """Write a design's files, and add it to the points and to their file."""
        files = self.of(result.epsilon)
        for folder in (self.mechanism, self.certificate):
            if self.several is not None and folder is not None:
                made_folder(folder)
        write_design(result, **files)
        point = point_of(result) | files
        if self.curve is not None:
            keep_points(self.curve, question, points, {result.epsilon: point})
        points[result.epsilon] = point  # counted once it is kept: an interruption may come at any time

    def after_interruption(self) -> str:
        """Return in words where what was done of several can be found."""
        kept = dict.fromkeys(place for place in (self.curve, self.mechanism, self.certificate) if place is not None)
        if not kept:
            return "not kept; --curve FILE would have"
        written = [place for place in kept if Path(place).exists()]
        return f"kept in {', '.join(written)}" if written else "nothing was written"


def run_design(
    graph: nx.Graph,
    epsilon: Epsilon,
    options: dict[str, Any],
    targets: Targets,
    executor: Executor | None,
    *,
    prices: bool = False,
) -> Answer:
    """Design for one epsilon, write what is wanted, and return what is told of it."""
    question, points = _started(graph, options, targets, prices)
    if targets.mps is not None:
        _write_program(graph, epsilon, options, targets.mps)
    with progress_bar("designing, by component") as progress, keeping_the_best(executor is not None):
        result = design(graph, epsilon=epsilon, executor=executor, progress=progress, **options)
    if INTERRUPTION not in result.ended:
        return _finished(result, question, points, targets, prices)
    if result.stats["unsearched"] == result.stats["components"] - result.stats["without_noise"]:
        raise click.Abort  # it could be had at once
    kept = "" if targets.curve is None else f", which {targets.curve} does not keep"
    answer = _finished(result, question, points, replace(targets, curve=None), prices)
    return replace(answer, status=130, error=f"interrupted; this is the best so far{kept}")


def run_smallest(
    graph: nx.Graph,
    sought: dict[str, Any],
    options: dict[str, Any],
    targets: Targets,
    executor: Executor | None,
    *,
    prices: bool = False,
) -> Answer:
    """Design at the smallest epsilon that is enough for what is sought, and tell of both."""
    question, points = _started(graph, options, targets, prices)
    with progress_bar("looking for the smallest epsilon"):
        found = smallest_epsilon(graph, **sought, executor=executor, **options)
    if targets.mps is not None:
        _write_program(graph, found.epsilon, options, targets.mps)
    made = _finished(found.design, question, points, targets, prices)
    return replace(made, facts=[*found.facts(), *made.facts])


def _started(graph: nx.Graph, options: dict[str, Any], targets: Targets, prices: bool) -> tuple[Question, Points]:
    """Refuse what could not be shown of a design; return what a curve answers, and the points that it has."""
    if prices:
        check_has_prices(options["method"])
    if is_plotted() and prices:
        reports.check_graph(graph)
    elif is_plotted():
        reports.check_design(graph, options["objective"])
    question = question_of(graph, options)
    return question, targets.points(question)


def _finished(result: Design, question: Question, points: Points, targets: Targets, prices: bool) -> Answer:
    """Write what is wanted of a design, and return what is told of it."""
    targets.keep(result, question, points)
    remarks = ["" if targets.certificate is None else about_certificate(result.objective)]
    program = {"map": None if targets.mps is None else map_of(targets.mps)}
    parts = [price_answer(result)] if prices else []
    parts.append(Answer(facts=[*for_programs(program), *sentences(*remarks)]))
    return replace(result.answer().then(*parts), figures={"design": lambda: _drawn(result, prices)})


def _drawn(result: Design, prices: bool) -> "reports.Figure":
    """Return the picture of a design or, with prices, of what the edges cost."""
    if prices:
        return reports.plot_graph(result.graph, prices=result.prices())
    return reports.plot_design(result)


def _write_program(graph: nx.Graph, epsilon: Epsilon, options: dict[str, Any], path: str) -> None:
    checked_method(*(options[key] for key in ("objective", "method", "shared", "command")))
    asked = {key: options[key] for key in ("delta", "objective", "shared")}
    if is_robust(graph) and not options["nominal"]:
        raise InputError("--mps: the program of profiles known only within bounds has no end; use --nominal too")
    own = nominal(scaled(graph, epsilon) if options["scale_own"] else graph)
    write_program(own, path, epsilon=epsilon, **asked)


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
