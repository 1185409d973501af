"""`mechdesign mechanism k-ary | exponential | product`: mechanisms that have a formula."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import click
import networkx as nx
import numpy as np

from mechdesign.certifier.certify import certify
from mechdesign.cli.answering import command, group
from mechdesign.cli.file_types import DOCUMENT, FILE, GRAPH, LOSS, LOSSES, GivenGraph
from mechdesign.cli.objective import named_loss, read_loss
from mechdesign.cli.option_names import option, saying_options
from mechdesign.cli.options import delta_option, epsilon_option, labels_argument, labels_from, layout_options
from mechdesign.closed_form.k_ary import k_ary
from mechdesign.closed_form.private_exponential import private_exponential
from mechdesign.closed_form.product_sanitisation import ProductSanitisation, least_error
from mechdesign.errors import InputError
from mechdesign.exact.bounds import decimal_below
from mechdesign.exact.exponentials import LARGEST_ABOVE, MAX_EPSILON
from mechdesign.exact.numbers import Epsilon, parse_entry
from mechdesign.exact.text import format_number, shown_epsilon
from mechdesign.files.delimited import Layout
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.mechanism.mechanism_file import write_mechanism
from mechdesign.objective import LOSS_WORDS, ExpectedLoss, WorstLoss
from mechdesign.show.answer import Answer, Fact, for_programs
from mechdesign.show.fact_numbers import Down, Exact, Near, Up, Within
from mechdesign.size import check_size

Function = TypeVar("Function", bound=Callable[..., Any])

MOST_VALUES = 1_000
"""Values of a mechanism that is written out: a million probabilities."""

A_LOSS = (
    "The truth has the least utility of all, for every value: this looks like a loss. A utility is larger the better; "
    "give the table with the sign of each number changed."
)

CAPPED = f"An epsilon above {MAX_EPSILON} counts as {MAX_EPSILON}: this is more private than what was asked for."
"""Said of k-ary randomised response."""

_WRITING: dict[str, Any] = {"written": {"output": "mechanism"}}

_output = option("-o/--output MECHANISM.json", "Write the mechanism.", DOCUMENT, required=True)


@command(
    "product",
    written={"output": "mechanism"},
    short_help="Sanitise each row of a database by itself, the same way.",
)
@click.argument("parent", type=FILE, metavar="MECHANISM")
@option("--rows N", "How many rows a database has; it is public.", int, name="n", required=True)
@delta_option(help="At which to say what epsilon holds.")
@option("-o/--output MECHANISM.json", "Write it for all databases, 2,000 at most.", DOCUMENT)
@layout_options
def product_command(parent: str, n: int, delta: Fraction, output: str | None, layout: Layout) -> Answer:
    """Make a product sanitisation: each row of a database by itself through MECHANISM, its parent, or a matrix.

    N rows are exactly as private as one, whatever N is; so is any query on what is released. If the parent is k-ary
    randomised response, no private mechanism on databases, of whatever kind, changes fewer rows in the worst case
    (Holohan et al., Theorem 10). To release data, sanitise with the parent: each record is a row.

    \b
    mechdesign mechanism k-ary yes no --epsilon 1 -o row.json
    mechdesign mechanism product row.json --rows 1000000
    mechdesign mechanism product row.json --rows 3 -o votes.json
    """
    one = read_foreign(parent, layout=layout)
    with saying_options(parent):
        product = ProductSanitisation(one, n)
        changed = product.error()
        if output is not None:
            write_mechanism(product.mechanism(), output)
    low, high = certify(one, delta=delta, all_pairs=True).epsilon
    bounded = high if high <= LARGEST_ABOVE else math.inf
    least = least_error(len(one.categories), n, epsilon=bounded, delta=delta)
    under = "expected number of rows that change, for the worst database"
    tight = f"the tight epsilon at delta {format_number(delta)} is {high!r} (rounded up)"
    return Answer(
        f"For databases that differ in one row {tight}.",
        about=f"Each of {n:,} rows by itself through {parent}: all together are as private as one.",
        facts=[
            *for_programs({"rows": n}),
            Fact("epsilon", number=Within(low, high)),
            Fact("delta", number=Exact(delta)),
            Fact("changed", "this mechanism", Up(changed), exact=True, under=under),
            Fact("least", "no mechanism as private is below", Down(least), under=under),
        ],
    )


@group("mechanism")
def mechanism_group() -> None:
    """Make the mechanisms that have a formula. e^E is rounded towards privacy, so they are private exactly."""


mechanism_group.add_command(product_command)


@mechanism_group.command("k-ary", **_WRITING, short_help="Randomised response: keep a value, or report another.")
@labels_argument
@epsilon_option(help="What is required, in nats, or inf.")
@option("--ratio R", "The same as e^epsilon, exactly: 3 or 5/2.")
@delta_option(help="In [0, 1).")
@_output
def k_ary_command(
    values: tuple[str, ...],
    file: str | None,
    epsilon: Epsilon | None,
    ratio: str | None,
    delta: Fraction,
    output: str,
) -> Answer:
    """Make k-ary randomised response: each other value with probability (1 - D) / (e^E + k - 1).

    Of all mechanisms that are private for every pair of values it changes values least at worst. To count more
    than a few values others need far fewer reports: graphs/tutorials/devices.md has one, and estimate --plan compares.

    \b
    mechdesign mechanism k-ary agree disagree unsure --epsilon 1 -o response.json
    mechdesign certify response.json --epsilon 1
    """
    labels = labels_from(values, file)
    if len(labels) == 1:
        is_file = values and Path(values[0]).is_file()
        found = f"{values[0]} is a file; the values themselves are expected" if is_file else "a response needs two"
        raise InputError(f"VALUES: {found}, such as: mechanism k-ary yes no")
    check_size(len(labels), MOST_VALUES, "there would be {} values", "merge some")
    mechanism = k_ary(labels, epsilon=epsilon, ratio=ratio, delta=delta)
    asked = {} if epsilon is None else {"epsilon": shown_epsilon(epsilon)}
    mechanism.notes.update(asked, delta=format_number(delta), method="k-ary")
    write_mechanism(mechanism, output)
    kept = mechanism.row(labels[0], labels[0])[0]
    how = f"is kept with probability {decimal_below(kept)}, or any other reported, with equal probability"
    facts = [*for_programs({"values": len(labels)}), Fact("kept", number=Near(kept), exact=True)]
    capped = epsilon is not None and MAX_EPSILON < epsilon < math.inf
    return Answer(f"Each of {len(labels)} values {how}.", facts=facts, warnings=[CAPPED] if capped else [])


@mechanism_group.command("exponential", **_WRITING, short_help="The exponential mechanism of a utility, on a graph.")
@click.argument("given", type=GRAPH, metavar="GRAPH")
@epsilon_option(required=True, help="What is required, in nats; epsilons and distances of edges count.")
@option(
    "--utility NAME|FILE",
    f"The negative of a loss: {LOSS_WORDS}, distance (of edges), squared-distance; or a table of utilities, with"
    " a row for each category.",
    LOSS,
    default="hamming",
)
@_output
@layout_options
def exponential_command(
    given: GivenGraph,
    epsilon: Epsilon,
    utility: str,
    output: str,
    layout: Layout,
) -> Answer:
    """Make the exponential mechanism: P(y | x) proportional to e^(s u(x, y)), for a utility u.

    The scale s is the largest for which privacy on every edge follows from how much utilities of neighbouring values
    differ; where all values have the same sum of e^(s u), as in databases, without the usual factor of two (Holohan et
    al.). A larger one may be private too: md.private_exponential finds it with tight=True. What is lost is the utility
    of a value's best output, less that of what is reported.

    \b
    mechdesign graph counting 10 -o count.json
    mechdesign mechanism exponential count.json --epsilon 1 --utility absolute -o mechanism.json
    mechdesign certify mechanism.json --graph count.json --epsilon 1
    """
    graph = given.graph
    categories = graph.graph["categories"]
    table = None if utility in LOSSES else read_loss(utility, categories, layout, option="--utility")
    with saying_options(given.name if table is None else utility):
        utilities = _negative(utility, graph) if table is None else table.rows
        outputs = None if table is None else table.outputs
        mechanism = private_exponential(graph, utilities, epsilon=epsilon, outputs=outputs)
    losses = _losses(utilities)
    mean, worst = (_value(objective, mechanism) for objective in (ExpectedLoss(losses), WorstLoss(losses)))
    write_mechanism(mechanism, output)
    scale = float(mechanism.notes["scale"])
    return Answer(
        f"Utilities are multiplied by {scale:.6g}.",
        facts=[
            *for_programs({"scale": scale}),
            Fact("expected_loss", "this mechanism", Up(mean), under="expected loss"),
            Fact("worst_loss", "this mechanism, for the worst profile", Up(worst), under="expected loss"),
        ],
        warnings=[A_LOSS] if _looks_like_a_loss(losses) else [],
    )


def _negative(loss: str, graph: nx.Graph) -> Any:
    """Return the table of utilities that is the negative of a named loss."""
    table = ExpectedLoss(named_loss(loss, graph)).table(graph.graph["categories"])
    return -np.array(table, dtype=object)


def _looks_like_a_loss(losses: Sequence[Sequence[Fraction]]) -> bool:
    """Return whether, of a table that is square, the truth is what loses most, in each row."""
    square = 1 < len(losses) == len(losses[0])
    return square and all(row[x] > max([*row[:x], *row[x + 1 :]]) for x, row in enumerate(losses))


def _losses(utilities: Any) -> list[list[Fraction]]:
    """Return what each output loses of the utility of a value's best one."""
    exact = [[parse_entry(value) for value in row] for row in np.asarray(utilities, dtype=object).tolist()]
    return [[max(row) - value for value in row] for row in exact]


def _value(objective: ExpectedLoss | WorstLoss, mechanism: Mechanism) -> Fraction:
    weights = [attributes.get("weight", Fraction(1)) for attributes in mechanism.graph.nodes.values()]
    return objective.total(objective.costs(mechanism), weights)
