"""`mechdesign design`."""

from typing import Any

import click

from mechdesign.cli.answering import command
from mechdesign.cli.file_types import (
    CURVE,
    GRAPH,
    LOSS,
    PROGRAM,
    GivenGraph,
    Options,
    OutputFile,
    OutputFolder,
    document,
)
from mechdesign.cli.objective import objective_from, objective_options
from mechdesign.cli.option_names import OneOf, given_of, option, saying_options
from mechdesign.cli.options import (
    Quantity,
    delta_option,
    epsilon_option,
    layout_options,
    nominal_option,
    plot_option,
    workers_option,
)
from mechdesign.cli.run_design import Targets, run_design, run_smallest, run_sweep
from mechdesign.cli.workers import worker_pool
from mechdesign.designer.method import DESIGNED, Method
from mechdesign.designer.sweeper import spelled_epsilons
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon
from mechdesign.files.delimited import Layout
from mechdesign.graph.properties import check_all_own
from mechdesign.objective import MaxOffDiagonal
from mechdesign.show.answer import Answer
from mechdesign.solver.linear_program import map_of

EPSILONS = Quantity(spelled_epsilons, "epsilon")
"""One epsilon or several, each with how it is written in a file's name."""


def _several(options: Options) -> bool:
    """Return whether several epsilons are asked for."""
    return len(options["epsilon"] or ()) > 1


def _places(kind: str) -> OutputFolder:
    check = document if kind == "mechanism" else (lambda name: None)
    return OutputFolder("for one file per epsilon", f"epsilon-*.{kind}.json", where=_several, check=check)


UNWRITTEN = "-o FILE writes the mechanism, --curve FILE the points"

SOUGHT = ("at_most", "rows", "margin")
"""What the smallest epsilon may be sought for."""

EARLY = ("gap", "seconds", "detours")
"""What ends a search before the optimum of all edges is found."""

APART = (
    ("keep_shares", "mps", "--mps: the program that it writes does not keep shares; leave out --keep-shares"),
    ("detours", "mps", "--mps: the program that it writes has all edges; leave out --detours"),
    ("detours", "prices", "--prices: edges that detours make up for have none; leave out --detours"),
)
"""Options that do not go together, and why."""


@command("design", written={"output": "mechanism"}, unwritten=UNWRITTEN)
@click.argument("given", type=GRAPH, metavar="GRAPH")
@epsilon_option(type=EPSILONS, help="In nats; several: 0.1,0.5 or 0.1:2:20.")
@option("--at-most V", "Find the least epsilon for this value.")
@option("--rows N", "With --margin: the least for N rows.", int)
@option("--margin M", "Half the width of an interval, such as 0.01 or 1%.")
@delta_option(help="In [0, 1).")
@option("--gap SHARE", "Stop as near to the optimum as 0.01 or 1%.")
@option("--time SECONDS", "Stop then, with the best so far.", name="seconds")
@option("--detours F", "Design on fewer edges, with detours up to F.")
@objective_options("What is minimised", default=MaxOffDiagonal.name)
@option(
    "--method NAME",
    f"How to solve: {', '.join(Method)}; default: auto.",
    OneOf(Method, DESIGNED),
    default="auto",
    show_default=False,
)
@option("--shared", "One matrix for all profiles that are linked.")
@option("--any-optimum", "Any optimum, not the nearest to the profiles.")
@nominal_option
@option("--keep-shares", "Overall shares stay exactly as they are.")
@option("--scale-own", "E multiplies the epsilons of GRAPH's edges.")
@option("-o/--output FILE.json", "Write the mechanism; of several, a folder.", _places("mechanism"))
@option("--certificate CERT.json", "Write the proof; .json.gz is compressed.", _places("certificate"))
@option("--curve CURVE.json", "Keep values; solve only what is missing.", CURVE)
@plot_option(help="Draw it, as PNG, SVG or PDF.")
@option("--prices", "Say what each edge costs; --plot draws that.")
@option("--mps FILE", "Write the linear program, and FILE.map.json.", OutputFile(beside=lambda name: [map_of(name)]))
@option("--method-command COMMAND", "Such as 'solver {mps} {solution}'.", PROGRAM, name="command")
@layout_options
@workers_option
def design_command(
    given: GivenGraph,
    epsilon: dict[Epsilon, str] | None,
    objective: str | None,
    loss: str | None,
    output: str | None,
    certificate: str | None,
    curve: str | None,
    prices: bool,
    mps: str | None,
    layout: Layout,
    workers: int,
    **options: Any,
) -> Answer:
    """Design the least-distorting private mechanism, one for each epsilon.

    \b
    mechdesign design categorical-chain --epsilon 0.5 -o mechanism.json
    mechdesign design categorical-chain --epsilon 0.1:2:20 --curve curve.json

    GRAPH is a JSON or GraphML file, or a name in mechdesign graph list.
    """
    graph = given.graph
    if options["scale_own"]:
        check_all_own(graph, source=given.name)
    goal = objective_from(objective, loss, graph.graph["categories"], layout, graph=graph)
    file = None if loss is None else LOSS.find(loss)
    with saying_options(given.name if file is None else str(file)):
        goal.output_labels(graph.graph["categories"])
    _check_together(epsilon)
    sought, early = ({name: options.pop(name) for name in names} for names in (SOUGHT, EARLY))
    options["objective"] = goal
    several = epsilon if len(epsilon or ()) > 1 else None
    targets = Targets(output, certificate, curve, mps, several)
    with worker_pool(workers) as executor:
        if epsilon is None:
            return run_smallest(graph, sought, options, targets, executor, prices=prices)
        if several is not None:
            return run_sweep(graph, list(several), options, targets, executor)
        return run_design(graph, next(iter(epsilon)), options | early, targets, executor, prices=prices)


def _check_together(epsilon: dict[Epsilon, str] | None) -> None:
    """Refuse what does not go together: an epsilon and what one is sought for, several and what shows one design."""
    wanted, early, alone = given_of(*SOUGHT), given_of(*EARLY), given_of("mps", "prices")
    if epsilon is None and not wanted:
        raise InputError("--epsilon: give one, or --at-most a value, and the smallest epsilon for it is found")
    if epsilon is not None and wanted:
        raise InputError(f"--epsilon: is what {wanted[0]} asks for; leave out one of them")
    if len(epsilon or ()) > 1 and alone:
        raise InputError(f"{alone[0]}: goes with one epsilon")
    if early and (len(epsilon or ()) != 1 or given_of("curve")):
        raise InputError(f"{early[0]}: goes with one --epsilon, and without --curve: these need optima")
    for one, other, why in APART:
        if len(given_of(one, other)) == 2:
            raise InputError(why)
