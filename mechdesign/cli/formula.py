"""`mechdesign formula`."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import click

from mechdesign import reports
from mechdesign.certificate.certificate_file import write_certificate
from mechdesign.cli.answering import command, is_json
from mechdesign.cli.file_types import GRAPH, OUTPUT, GivenGraph
from mechdesign.cli.objective import objective_from, objective_options
from mechdesign.cli.option_names import option, saying_options
from mechdesign.cli.options import layout_options, nominal_option, plot_option, report_option
from mechdesign.cli.output import progress_bar
from mechdesign.errors import InputError
from mechdesign.exact.numbers import Epsilon, number
from mechdesign.exact.text import shown
from mechdesign.files.delimited import Layout
from mechdesign.formulas.find import formula, parse_end
from mechdesign.objective import CERTIFIED, MaxOffDiagonal
from mechdesign.show.answer import Answer


@command("formula", short_help="Find the optimum as an exact function of e^epsilon.")
@click.argument("given", type=GRAPH, metavar="GRAPH")
@objective_options("What is minimised", default=MaxOffDiagonal.name, kinds=CERTIFIED)
@option("--delta D", "In [0, 1). Default: 0.")
@option("--ratio E", "At this e^epsilon, such as 3/2, as a function of delta.")
@option("--from X", "Where the range begins.", name="low", default="0")
@option("--to X", "Where it ends. Default: inf; of delta 1.", name="high")
@option("--shared", "One matrix for all profiles that are linked.")
@nominal_option
@option("--scale-own", "epsilon multiplies the epsilons of GRAPH's edges.")
@option("--released", "Also what profiles release under its mechanism.")
@option("--latex", "Print it in LaTeX alone.")
@option("--certificate PROOF.json", "Write the proof of all pieces.", OUTPUT)
@plot_option(help="Draw it, as PNG, SVG or PDF.")
@report_option
@layout_options
def formula_command(
    given: GivenGraph,
    objective: str | None,
    loss: str | None,
    delta: str | None,
    ratio: str | None,
    low: str,
    high: str | None,
    released: bool,
    latex: bool,
    certificate: str | None,
    layout: Layout,
    **asked: Any,
) -> Answer:
    """Find the optimum of a profile graph as an exact function of E = e^epsilon, piece by piece, and prove it.

    Between finitely many breakpoints it is a rational function with rational coefficients, all found in exact
    arithmetic.

    \b
    mechdesign formula categorical-chain
    mechdesign formula categorical-chain --objective expected-loss --to 3 --certificate proof.json --plot formula.svg
    mechdesign formula categorical-chain --ratio 3/2
    """
    if latex and is_json():
        raise InputError("--latex: prints LaTeX, --json JSON, which has it too; expected one of them")
    goal = objective_from(objective, loss, given.graph.graph["categories"], layout, CERTIFIED, graph=given.graph)
    with progress_bar("finding pieces"):
        found = formula(given.graph, objective=goal, **asked, **_range(delta, ratio, low, high))
    if certificate is not None:
        with saying_options(certificate):
            proof = found.certificate
        write_certificate(proof, certificate)
    told = Answer(found.latex()) if latex else found.answer(released=released)
    return replace(told, figures={"The optimum": lambda: reports.plot_formula(found)})


def _range(delta: str | None, ratio: str | None, low: str, high: str | None) -> dict[str, Any]:
    """Return the range, and what goes with it, as `formula` takes them."""
    if ratio is None:
        return {"epsilon": _between(low, high or "inf", parse_end), "delta": delta or "0"}
    if delta is not None:
        raise InputError("--delta: with --ratio the formula is a function of it, from --from to --to")
    in_range = partial(number, "delta", expected="a number from 0 to 1", at_least=0, at_most=1)
    return {"ratio": ratio, "delta": _between(low, high or "1", in_range)}


def _between(low: str, high: str, parse: Callable[[object], Epsilon]) -> tuple[str, str]:
    """Return the ends of a range; what is wrong with them is said of the options."""
    ends = []
    for name, text in (("--from", low), ("--to", high)):
        try:
            ends.append(parse(text))
        except InputError as error:
            raise InputError(f"{name}: {error.faults[0]}") from None
    if not ends[0] < ends[1]:
        raise InputError(f"--to: expected a number above that of --from, {shown(low)}, found {shown(high)}")
    return low, high
