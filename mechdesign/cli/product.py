"""`mechdesign mechanism product`."""

import math
from typing import Any

import click

from mechdesign.certifier.certify import certify
from mechdesign.cli.options import json_option, layout_options
from mechdesign.cli.output import print_json
from mechdesign.cli.paths import FILE, OUTPUT, Command
from mechdesign.closed_form import ProductSanitisation, least_error
from mechdesign.errors import InputError
from mechdesign.exact.bounds import decimal_above, decimal_below, float_above, float_below
from mechdesign.exact.exponentials import LARGEST_ABOVE
from mechdesign.exact.numbers import parse_delta
from mechdesign.exact.text import format_number
from mechdesign.files.delimited import Layout
from mechdesign.mechanism.file import write_mechanism
from mechdesign.mechanism.foreign import read_foreign
from mechdesign.show.numbers import in_json
from mechdesign.show.terminal import console, table


@click.command("product", cls=Command, short_help="Sanitise each row of a database by itself, the same way.")
@click.argument("parent", type=FILE, metavar="MECHANISM")
@click.option("--rows", type=int, required=True, metavar="N", help="How many rows a database has; it is public.")
@click.option("--delta", default="0", show_default=True, metavar="D", help="At which to say what epsilon holds.")
@click.option(
    "-o", "--output", type=OUTPUT, metavar="MECHANISM.json", help="Write it out for all databases, 2,000 at most."
)
@layout_options
@json_option
def product_command(parent: str, rows: int, delta: str, output: str | None, layout: Layout, as_json: bool) -> None:
    """Make a product sanitisation: each row of a database by itself through MECHANISM, its parent, or a matrix.

    N rows are exactly as private as one, whatever N is; so is any query on what is released. If the parent is k-ary
    randomised response, no private mechanism on databases, of whatever kind, changes fewer rows in the worst case
    (Holohan et al., Theorem 10). To release data, sanitise with the parent: each record is a row.

    \b
    mechdesign mechanism k-ary yes no --epsilon 1 -o row.json
    mechdesign mechanism product row.json --rows 1000000
    mechdesign mechanism product row.json --rows 3 -o votes.json
    """
    allowed = parse_delta(delta)
    one = read_foreign(parent, layout=layout)
    try:
        product = ProductSanitisation(one, rows)
        changed = product.error()
        if output is not None:
            write_mechanism(product.mechanism(), output)
    except InputError as error:
        raise InputError(error.faults, source=parent) from None
    low, high = certify(one, epsilon=math.inf, delta=allowed, all_pairs=True).epsilon
    bounded = high if high <= LARGEST_ABOVE else math.inf
    least = least_error(len(one.categories), rows, epsilon=bounded, delta=allowed)
    if as_json:
        told: dict[str, Any] = {
            "rows": rows,
            "epsilon_lower": in_json(low),
            "epsilon_upper": in_json(high),
            "delta": float(allowed),
        }
        told |= {"changed": float_above(changed), "changed_exact": str(changed), "least": float_below(least)}
        print_json(told | {"mechanism": output})
        return
    out = console()
    out.print(f"Each of {rows:,} rows by itself through {parent}: all together are as private as one.")
    tight = f"the tight epsilon at delta {format_number(allowed)} is {high!r} (rounded up)"
    out.print(f"For databases that differ in one row {tight}.")
    out.print()
    told_of = table("", "", "expected number of rows that change, for the worst database")
    told_of.title = None
    told_of.add_row("this mechanism", decimal_above(changed))
    told_of.add_row("no mechanism as private is below", decimal_below(least))
    out.print(told_of)
    if output is not None:
        out.print(f"\nWritten: {output}.")
