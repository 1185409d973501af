"""`mechdesign mechanism product`."""

import math
from fractions import Fraction

import click

from mechdesign.certifier.certify import certify
from mechdesign.cli.answering import AnsweringCommand
from mechdesign.cli.file_types import DOCUMENT, FILE
from mechdesign.cli.option_names import in_options
from mechdesign.cli.options import layout_options
from mechdesign.cli.quantities import delta_option
from mechdesign.closed_form import ProductSanitisation, least_error
from mechdesign.errors import InputError
from mechdesign.exact.exponentials import LARGEST_ABOVE
from mechdesign.exact.text import format_number
from mechdesign.files.delimited import Layout
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.mechanism.mechanism_file import write_mechanism
from mechdesign.show.answer import Answer, Fact, for_programs
from mechdesign.show.fact_numbers import Down, Exact, Up, Within


@click.command(
    "product",
    cls=AnsweringCommand,
    written={"output": "mechanism"},
    short_help="Sanitise each row of a database by itself, the same way.",
)
@click.argument("parent", type=FILE, metavar="MECHANISM")
@click.option("--rows", "n", type=int, required=True, metavar="N", help="How many rows a database has; it is public.")
@delta_option(help="At which to say what epsilon holds.")
@click.option(
    "-o", "--output", type=DOCUMENT, metavar="MECHANISM.json", help="Write it for all databases, 2,000 at most."
)
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
    try:
        product = ProductSanitisation(one, n)
        changed = product.error()
        if output is not None:
            write_mechanism(product.mechanism(), output)
    except InputError as error:
        raise in_options(error, parent) from None
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
