"""`mechdesign check`."""

from dataclasses import replace
from typing import Any

import click
import networkx as nx

from mechdesign.certificate.check import ANOTHER, checker_for, examined, hold
from mechdesign.certificate.checked_answer import answer_of, answer_of_rejected
from mechdesign.certificate.checker import Rejected
from mechdesign.certificate.claim import Claim
from mechdesign.certificate.rows import read_compared
from mechdesign.certificate.wanted import check_said_of_whom, wanted
from mechdesign.cli.answering import command, is_json
from mechdesign.cli.file_types import FILE, GRAPH, GivenGraph
from mechdesign.cli.objective import objective_from, objective_options
from mechdesign.cli.option_names import option
from mechdesign.cli.options import cells_options
from mechdesign.files.delimited import Layout
from mechdesign.files.kinds import MECHANISM, kind_of
from mechdesign.mechanism.foreign import foreign_words, read_foreign
from mechdesign.objective import CERTIFIED, ExpectedLoss, Goal
from mechdesign.show.answer import Answer, for_programs


@command("check")
@click.argument("certificate", type=FILE, metavar="CERT.json", required=False)
@option("--graph GRAPH", "The graph that the proof should be about.", GRAPH)
@option("--all-pairs", "Every pair of profiles should be proved.")
@option("--epsilon E", "The epsilon that should be proved, in nats.")
@option("--delta D", "The delta that should be proved; 0 with --epsilon alone.")
@objective_options("What should be minimised", kinds=CERTIFIED)
@option("--mechanism MECHANISM", "The mechanism that the proof should be about.", FILE, name="mechanism_file")
@option("--mended-from MATRIX", "The matrix that mend started from.", FILE, name="matrix_file")
@option("--print-checker", "Print a program that checks CERT.json with Python alone.")
@cells_options
def check_command(
    certificate: str | None,
    graph: GivenGraph | None,
    all_pairs: bool,
    epsilon: str | None,
    delta: str | None,
    objective: str | None,
    loss: str | None,
    mechanism_file: str | None,
    matrix_file: str | None,
    print_checker: bool,
    cells: dict[str, Any],
) -> Answer:
    """Check a certificate, say what it proves, and whether that is what you wanted.

    A certificate may be genuine, and yet about another graph, epsilon or mechanism than you think. So give all of them,
    with --graph, or with --all-pairs if every pair of profiles must be protected. What you leave out is not compared.
    Of the proof of a formula, --epsilon or --delta says where you want the optimum; if it was made with --scale-own,
    epsilon multiplies those of the edges. Of what mend wrote, --mended-from names the matrix to which no private
    mechanism is nearer.

    Exit status: 0 accepted, or confirmed if you said what you wanted; 1 refuted (it proves that a mechanism is not
    private), forged (it does not prove what it states), or not wanted; 2 unreadable. With --json the word is `reason`.

    \b
    mechdesign check proof.json --graph categorical-chain --epsilon 0.5 --mechanism mechanism.json
    mechdesign check proof.json --all-pairs --epsilon 1 --mechanism mended.csv --mended-from vendor.csv
    mechdesign check proof.json --print-checker > checker.py
    """
    if print_checker:
        return _printed(checker_for(certificate))
    if certificate is None:
        raise click.UsageError("missing argument 'CERT.json'", click.get_current_context())
    options = {"epsilon": epsilon, "delta": delta, "objective": objective, "loss": loss, "mechanism": mechanism_file}
    asked = [f"--{name}" for name, value in options.items() if value is not None]
    check_said_of_whom(graph is not None or all_pairs, asked, "--graph GRAPH", "--all-pairs")
    try:
        proof = examined(certificate)
        wished = None if graph is None else graph.graph
        mechanism, read = None, []
        if mechanism_file is not None:
            of_matrices = objective is not None or loss is not None
            whose: dict[str, Any] = {"mended": matrix_file is not None, "matrices": of_matrices}
            own = matrix_file is not None and kind_of(mechanism_file) is MECHANISM  # the option is for the other file
            whose |= cells | {"normalise": cells["normalise"] and not own}
            mechanism = read_compared(proof, wished, mechanism_file, **whose)
        held = wanted(
            proof,
            graph=wished,
            all_pairs=all_pairs,
            epsilon=epsilon,
            delta=delta,
            mechanism=mechanism,
            objective=_objective(proof.claim, objective, loss, cells["layout"], wished),
        )
        if matrix_file is not None:
            from mechdesign.mender.mend_arguments import rows_of  # loads slowly

            matrix = read_foreign(matrix_file, held.graph, **cells)
            read = [(matrix_file, matrix), (mechanism_file, mechanism)]
            held = replace(held, mended_from=rows_of(matrix, held.graph, all_pairs=all_pairs))
        hold(proof, held)
    except Rejected as reason:
        return answer_of_rejected(reason, certificate)
    found = answer_of(proof, held)
    if not read:
        return found
    said = [f"{path}: {words}" for path, one in read if one is not None for words in foreign_words(one)]
    return replace(found, warnings=said)


def _printed(program: str) -> Answer:
    """Print a program as it is; in JSON it is text."""
    if not is_json():
        click.echo(program, nl=False)
        click.get_current_context().exit()
    return Answer(facts=for_programs({"checker": program}))


def _objective(claim: Claim, name: str | None, loss: str | None, layout: Layout, graph: nx.Graph | None) -> Goal | None:
    """Return the objective wanted; a loss alone goes with the certificate's."""
    if name is None and loss is None:
        return None
    own = claim.objective
    if name is None and own in CERTIFIED and not CERTIFIED[own].takes_loss:
        raise Rejected(ANOTHER, f"the certificate is about the objective {own}, which has no loss")
    wanted = (own or ExpectedLoss.name) if name is None else name
    return objective_from(wanted, loss, claim.labels(claim.categories), layout, CERTIFIED, graph)
