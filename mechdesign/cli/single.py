"""`mechdesign design` with one epsilon: one mechanism, as files, as a picture, as a point of a curve."""

from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

import click
import networkx as nx

from mechdesign import reports
from mechdesign.cli.answering import is_plotted
from mechdesign.cli.output import progress_bar
from mechdesign.cli.targets import Targets
from mechdesign.cli.workers import keeping_the_best
from mechdesign.designer.design import design
from mechdesign.designer.design_answer import about_certificate
from mechdesign.designer.edge_prices import check_has_prices
from mechdesign.designer.method import checked_method
from mechdesign.designer.price_answer import price_answer
from mechdesign.designer.result import Design
from mechdesign.designer.smallest_epsilon import smallest_epsilon
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon
from mechdesign.graph.properties import scaled
from mechdesign.graph.uncertainty import is_robust, nominal
from mechdesign.reports.curve_file import Points, Question, question_of
from mechdesign.show.answer import Answer, for_programs, sentences
from mechdesign.solver.linear_program import map_of, write_program
from mechdesign.solver.stopping import INTERRUPTION


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
