"""`mechdesign check`."""

from typing import Any

import click

from mechdesign.certificate import formula_checker
from mechdesign.certificate.check import ANOTHER, examined, hold
from mechdesign.certificate.checker import REFUTATION, Rejected, statement
from mechdesign.certificate.formula_checker import FORMULA
from mechdesign.certificate.held import graph_in, only_releases_alike
from mechdesign.certificate.held_formula import optima
from mechdesign.cli.foreign_text import divided_words, foreign_summary
from mechdesign.cli.objective import objective_from, objective_options
from mechdesign.cli.options import json_option, layout_options, normalise_option
from mechdesign.cli.output import print_json
from mechdesign.cli.paths import FILE, GRAPH, Command
from mechdesign.cli.yours import read_yours
from mechdesign.errors import InputError
from mechdesign.exact.bounds import digits_above, digits_below, float_above, float_below, printed_above
from mechdesign.files.delimited import Layout
from mechdesign.files.kinds import CERTIFICATE, COMPRESSED, REFUTED, expecting
from mechdesign.files.kinds import FORMULA as PROOF
from mechdesign.graph.file import read_graph
from mechdesign.objective import CERTIFIED, ExpectedLoss, Goal


@click.command("check", cls=Command)
@click.argument("certificate", type=FILE, metavar="CERT.json")
@click.option(
    "--graph", "graph_name", type=GRAPH, metavar="GRAPH", help="Your graph: profiles, distributions, edges must agree."
)
@click.option(
    "--epsilon", metavar="E", help="The epsilon you want, in nats, where an edge of GRAPH has none of its own."
)
@click.option("--delta", metavar="D", help="The delta you want, likewise; 0 if only an epsilon is given.")
@objective_options("What you want minimised", kinds=CERTIFIED)
@click.option(
    "--mechanism", "mechanism_file", type=FILE, metavar="MECHANISM", help="Yours: the probabilities must agree."
)
@normalise_option
@layout_options
@json_option
def check_command(
    certificate: str,
    graph_name: str | None,
    epsilon: str | None,
    delta: str | None,
    objective: str | None,
    loss: str | None,
    mechanism_file: str | None,
    normalise: bool,
    layout: Layout,
    as_json: bool,
) -> int:
    """Check a certificate, say what it proves, and hold it against what you wanted.

    A certificate may be genuine and yet about another graph, epsilon or mechanism than yours: give them all. What
    is not given is not compared. Of the proof of a formula, --epsilon (or --delta) says where you want the optimum.
    Exit 0 accepted; 1 rejected, or a difference; 2 not a certificate.

    \b
    mechdesign check proof.json --graph categorical-chain --epsilon 0.5 --mechanism mechanism.json
    """
    try:
        c = examined(certificate)
        graph = None if graph_name is None else read_graph(graph_name)
        if epsilon is not None and not (c.format == FORMULA and c.parameter == "delta"):
            delta = delta or "0"
        wanted: dict[str, Any] = {"graph": graph, "epsilon": epsilon, "delta": delta, "mechanism": None}
        wanted["objective"] = _objective(c, objective, loss, layout)
        if mechanism_file is not None:
            wanted["mechanism"] = read_yours(c, graph, mechanism_file, layout, normalise)
        hold(c, **wanted)
    except Rejected as reason:
        return _rejected(reason, certificate, as_json)
    if c.format == FORMULA:
        del wanted["mechanism"]
    held = [name for name, value in wanted.items() if value is not None]
    others = [name for name in wanted if name not in held]
    yours = wanted.get("mechanism")
    by_release = yours is not None and graph is None and only_releases_alike(c, yours)
    normalised = {} if yours is None else {"normalised": foreign_summary(yours)["normalised"]}
    if as_json and c.format == FORMULA:
        print_json(formula_summary(c, epsilon, delta) | {"held_against": held})
    elif as_json:
        print_json(summary(c) | {"held_against": held, "by_release": by_release} | normalised)
    else:
        click.echo(_formula_words(c, epsilon, delta) if c.format == FORMULA else statement(c))
        lines = (("As you wanted", held), ("Not compared with yours", others))
        click.echo("\n".join(f"{words}: {', '.join(names)}." for words, names in lines if names))
        if by_release:
            click.echo("Compared by what comes out: each input, or profile, releases exactly what its namesake does.")
        if yours is not None and (divided := divided_words(yours)) is not None:
            click.echo(f"Compared with your matrix as it was normalised, not as it is: {divided}.")
    return int(c.format == REFUTATION)


def _objective(c: Any, name: str | None, loss: str | None, layout: Layout) -> Goal | None:
    """Return the objective wanted; a loss alone goes with the certificate's."""
    if name is None and loss is None:
        return None
    own = getattr(c, "objective", None)
    if name is None and own in CERTIFIED and not CERTIFIED[own].takes_loss:
        raise Rejected(ANOTHER, f"the certificate is about the objective {own}, which has no loss")
    wanted = (own or ExpectedLoss.name) if name is None else name
    return objective_from(wanted, loss, graph_in(c).graph["categories"], layout, CERTIFIED)


def _rejected(reason: Rejected, certificate: str, as_json: bool) -> int:
    if reason.status == 2:
        packed = (COMPRESSED,) if certificate.lower().endswith(".json.gz") else ()
        with expecting(CERTIFICATE, REFUTED, PROOF, *packed, path=certificate):
            raise InputError(str(reason), source=certificate) from None
    if as_json:
        print_json({"accepted": False, "status": reason.status, "reason": str(reason)})
    else:
        click.echo(f"{'Not what you wanted' if reason.status == ANOTHER else 'Rejected'}: {reason}")
    return 1


def summary(c: Any) -> dict[str, Any]:
    """Return the JSON object of what the fields of a certificate or refutation prove; numbers rounded outward."""
    result = {
        "accepted": c.format != REFUTATION,
        "profiles": len(c.profiles),
        "categories": len(c.categories),
        "edges": len(c.edges),
        "epsilon_least": float_below(min(c.epsilons)) if c.edges else None,
        "epsilon_largest": printed_above(max(c.epsilons)) if c.edges else None,
        "delta_largest": printed_above(max(c.deltas)) if c.edges else None,
        "groups": len(set(c.groups)),
        "statement": statement(c),
    }
    if c.format == REFUTATION:
        return result
    exact = {"value_exact": str(c.value), "bound_exact": str(c.bound)}
    return result | {"objective": c.objective, "value": float_above(c.value), "bound": float_below(c.bound)} | exact


def _formula_words(c: Any, epsilon: str | None, delta: str | None) -> str:
    """Return what the proof of a formula proves; and the optimum where it is wanted."""
    words = formula_checker.statement(c)
    wanted = epsilon if c.parameter == "epsilon" else delta
    if wanted is None:
        return words
    value, bound = optima(c, epsilon=epsilon, delta=delta)
    return f"{words}\nat {c.parameter} {wanted} the optimum is {digits_below(bound)} to {digits_above(value)}"


def formula_summary(c: Any, epsilon: str | None = None, delta: str | None = None) -> dict[str, Any]:
    """Return the JSON object of what the proof of a formula proves; where an epsilon or delta is given, at that."""
    value, bound = optima(c, epsilon=epsilon, delta=delta)
    return {
        "accepted": True,
        "profiles": len(c.profiles),
        "categories": len(c.categories),
        "edges": len(c.edges),
        "groups": len(set(c.groups)),
        "objective": c.objective,
        "parameter": c.parameter,
        "root": c.root,
        "pieces": [
            {
                "from": formula_checker.end_words(piece.start),
                "to": formula_checker.end_words(piece.end),
                "numerator": piece.numerator,
                "denominator": piece.denominator,
            }
            for piece in c.pieces
        ],
        "value": float_above(value),
        "bound": float_below(bound),
        "value_exact": str(value),
        "bound_exact": str(bound),
        "statement": formula_checker.statement(c),
    }
