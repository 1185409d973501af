"""`mechdesign design`."""

from fractions import Fraction
from typing import Any

import click

from mechdesign.cli.answering import AnsweringCommand
from mechdesign.cli.names import OneOf
from mechdesign.cli.objective import objective_from, objective_options
from mechdesign.cli.options import layout_options
from mechdesign.cli.paths import CURVE, GRAPH, LOSS, PICTURE, PROGRAM, Options, OutputFile, OutputFolder
from mechdesign.cli.quantities import Quantity, delta_option, epsilon_option
from mechdesign.cli.single import Targets, run_design
from mechdesign.cli.sweep import Files, run_sweep
from mechdesign.cli.workers import worker_pool, workers_option
from mechdesign.designer.method import Method
from mechdesign.designer.sweeper import spelled_epsilons
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon
from mechdesign.files.delimited import Layout
from mechdesign.graph.file import read_graph
from mechdesign.graph.own_epsilons import check_all_own
from mechdesign.objective import MaxOffDiagonal
from mechdesign.show.answer import Answer
from mechdesign.solver.linear_program import map_of

EPSILONS = Quantity(spelled_epsilons, "epsilon")
"""One epsilon or several, each with how it is written in a file's name."""


def _several(options: Options) -> bool:
    """Return whether several epsilons are asked for."""
    return len(options["epsilon"]) > 1


def _places(kind: str) -> OutputFolder:
    return OutputFolder("for one file per epsilon", f"epsilon-*.{kind}.json", where=_several)


UNWRITTEN = "-o FILE writes the mechanism, --curve FILE the points"


@click.command("design", cls=AnsweringCommand, written={"output": "mechanism"}, unwritten=UNWRITTEN)
@click.argument("graph_name", type=GRAPH, metavar="GRAPH")
@epsilon_option(type=EPSILONS, required=True, help="In nats, >= 0, or inf. Several: 0.1,0.5,1 or 0.1:2:20.")
@delta_option(help="In [0, 1).")
@objective_options("What is minimised", default=MaxOffDiagonal.name)
@click.option(
    "--method",
    type=OneOf(Method),
    default="auto",
    show_default=True,
    help="How to solve; auto is structured, and also highs where a bound is not close.",
)
@click.option("--shared", is_flag=True, help="One matrix per component: the device does not know its profile.")
@click.option("--any-optimum", is_flag=True, help="Any of the optima, faster; not the nearest to the profiles.")
@click.option("--nominal", is_flag=True, help="Profiles as they are given, not all that are within their bounds.")
@click.option("--scale-own", is_flag=True, help="E multiplies the epsilons that edges have of their own.")
@click.option(
    "-o",
    "--output",
    type=_places("mechanism"),
    metavar="MECHANISM.json",
    help="Where to write the mechanism; a folder for several.",
)
@click.option(
    "--certificate",
    type=_places("certificate"),
    metavar="CERT.json",
    help="Where to write the proof, which anybody can check; likewise. As .json.gz it is compressed.",
)
@click.option(
    "--curve",
    type=CURVE,
    metavar="CURVE.json",
    help="Keep the points as they end; of several, solve what is missing.",
)
@click.option(
    "--plot",
    type=PICTURE,
    metavar="FILE",
    help="Draw the design; of several, value and baseline. PNG, SVG or PDF.",
)
@click.option("--prices", is_flag=True, help="Say what each edge costs; --plot then draws edges as wide as they cost.")
@click.option(
    "--mps",
    type=OutputFile(beside=lambda name: [map_of(name)]),
    metavar="FILE",
    help="First write the linear program as MPS, and FILE.map.json with its names.",
)
@click.option(
    "--method-command",
    "command",
    type=PROGRAM,
    metavar="'COMMAND {mps} {solution}'",
    help="Solve with a program of yours; see above.",
)
@layout_options
@workers_option
def design_command(
    graph_name: str,
    epsilon: dict[Epsilon, str],
    delta: Fraction,
    objective: str | None,
    loss: str | None,
    method: str,
    shared: bool,
    any_optimum: bool,
    nominal: bool,
    scale_own: bool,
    output: str | None,
    certificate: str | None,
    curve: str | None,
    prices: bool,
    mps: str | None,
    command: str | None,
    layout: Layout,
    workers: int,
) -> Answer:
    """Design the least-distorting private mechanism for a profile graph; or one for each of several epsilons.

    \b
    mechdesign design categorical-chain --epsilon 0.5 -o mechanism.json --plot design.svg
    mechdesign design categorical-chain --epsilon 0.1:2:20 --curve curve.json --plot curve.svg
    mechdesign design categorical-chain --epsilon 0.5 --method-command 'highs {mps} --solution_file {solution}'

    A command of --method-command is run, without a shell, for each component of the graph that needs noise: it reads
    the linear program in every matrix entry at {mps} and writes to {solution} a line for each column that is not 0, its
    name and value, and if it can for each row, its name and multiplier; or HiGHS' own format. An answer to the file of
    --mps that was found elsewhere is brought back by 'cp ANSWER {solution}'. No row may be violated by more than 0.001;
    the column level may be left out. What is answered is made exactly private, and the bound proved (from our own
    solver's multipliers if there are none), as with other methods; --any-optimum keeps its own optimum. There is no
    time limit but 'timeout 60 solver ...'. Exit 3 if it fails.
    """
    graph = read_graph(graph_name)
    if scale_own:
        check_all_own(graph, source=graph_name)
    goal = objective_from(objective, loss, graph.graph["categories"], layout)
    try:
        goal.output_labels(graph.graph["categories"])
    except InputError as error:
        file = None if loss is None else LOSS.find(loss)
        raise InputError(error.faults, source=graph_name if file is None else str(file)) from None
    options: dict[str, Any] = {"objective": goal, "method": method, "shared": shared, "any_optimum": any_optimum}
    options |= {"delta": delta, "scale_own": scale_own, "command": command, "nominal": nominal}
    for name, given in (("--mps", mps is not None), ("--prices", prices)):
        if len(epsilon) > 1 and given:
            raise InputError(f"{name}: goes with one epsilon")
    with worker_pool(workers) as executor:
        if len(epsilon) > 1:
            return run_sweep(graph, list(epsilon), options, Files(output, certificate, curve, epsilon), executor)
        targets = Targets(output, certificate, curve, mps)
        return run_design(graph, next(iter(epsilon)), options, targets, executor, prices=prices)
