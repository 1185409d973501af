"""`mend`: from a mechanism that is not private to the nearest one that is."""

import time
from collections.abc import Sequence
from concurrent.futures import Executor
from fractions import Fraction
from functools import partial

import networkx as nx

from mechdesign.certificate.certificate import Proof, written_above
from mechdesign.certifier.applied import released_under
from mechdesign.certifier.certify import certify
from mechdesign.designer.method import Method
from mechdesign.designer.solving import Progress
from mechdesign.errors import InputError, SolverError
from mechdesign.exact.numbers import Number, parse_delta, parse_epsilon
from mechdesign.exact.text import shown
from mechdesign.graph.checks import check_number_of_edges
from mechdesign.graph.labels import Label
from mechdesign.mechanism.given import AskedBy, Given, as_mechanism
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.mender.mended import Mended
from mechdesign.mender.moved import distance, post_processing
from mechdesign.mender.nearest import nearest
from mechdesign.mender.private_doubles import in_private_decimals, in_private_doubles
from mechdesign.mender.rewritten import check_served, made_for, rewritten
from mechdesign.objective import ExpectedLoss, Goal, checked_objective, profile_weights
from mechdesign.objective.by_loss import ByLoss
from mechdesign.privacy.asked import Asked
from mechdesign.privacy.released import Released
from mechdesign.privacy.requirement import requirements
from mechdesign.words import expected_one_of

METHODS = (Method.AUTO, Method.STRUCTURED, Method.HIGHS, Method.REFERENCE)

MOST_DIGITS = 15
"""Spreadsheets keep no more."""


def mend(
    mechanism: Given,
    graph: AskedBy = None,
    *,
    epsilon: Number,
    delta: Number = 0,
    objective: Goal | None = None,
    method: str = "auto",
    any_optimum: bool = False,
    doubles: bool = False,
    digits: int | None = None,
    all_pairs: bool = False,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Mended:
    """Return the private mechanism nearest to one that is not.

    What its profiles release (of a matrix: its rows) are distributions over the outputs; sought are those nearest to
    them that are private, by post-processing each: to a billionth of their distance, or 2e-13 of the largest loss. What
    is returned is private in exact arithmetic. A mechanism that is private already is returned as it is.

    Parameters
    ----------
    mechanism
        any finite mechanism, a matrix (its rows are the inputs) or the path of a file, as in `certify`.
    graph
        a profile graph over the same inputs, whose edges, distances, epsilons and weights count; without it those that
        the mechanism was made for count, and of a matrix every pair of inputs.
    epsilon, delta
        what is wanted, as in `design`.
    objective
        `ExpectedLoss()` (the default), the mean of the profiles' distances by their weights, or `WorstLoss()`, the
        largest. Distance is total variation, or with a loss on the outputs the least expected loss of moving there.
    method
        as in `design`.
    any_optimum
        any of the nearest ones, faster, rather than the one of them, to a billionth, with the least squares; where less
        than 1e-13 of the largest loss is needed it is any.
    doubles
        whether the rows are to be doubles, which .npy and other programs hold, exactly private as such.
    digits
        the rows are to be decimals of at most so many places, of total 1, exactly private as such: spreadsheets keep
        15. Not with `doubles`.
    all_pairs
        as in `certify`.
    executor, progress
        as in `design`.

    Raises
    ------
    InputError
        if an argument cannot be used.
    SolverError
        if no solver gave an answer, or none of the doubles, or decimals, near it are private.

    References
    ----------
    [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084: Observation 3 (post-processing), (5) with a loss.

    Examples
    --------
    >>> import mechdesign as md
    >>> mended = md.mend([["0.8", "0.2"], ["0.2", "0.8"]], epsilon="1.0986122886")
    >>> f"{float(mended.value):.9f}", mended.before.private, mended.after.private
    ('0.050000000', False, True)
    """
    start = time.perf_counter()
    wanted, allowed = parse_epsilon(epsilon), parse_delta(delta)
    goal = _checked(ExpectedLoss() if objective is None else objective)
    if method not in list(METHODS):
        raise InputError(f"method: {expected_one_of(METHODS, method)}")
    _check_digits(digits, doubles)
    given, asked = as_mechanism(mechanism, graph, all_pairs=all_pairs)
    names, released = released_under(given, asked)
    check_served(given, asked.profiles, doubles or digits is not None)
    table = _checked_table(goal, given.outputs)
    rows = _graph_of_rows(given, asked, names, released)
    required = requirements(rows, wanted, allowed)
    private = partial(certify, graph=asked, epsilon=wanted, delta=allowed)
    before = private(given)
    if before.private:
        found, proof = list(released), Proof(Fraction(0), {}, {}, _no_weights(goal, rows), list(range(len(names))))
    else:
        found, proof = nearest(
            rows,
            required,
            goal,
            method=Method(method),
            any_optimum=any_optimum,
            executor=executor,
            progress=progress,
        )
    made = rewritten(given, asked.profiles, released, found, partial(post_processing, goal, table))
    if doubles:
        made = in_private_doubles(made, given, lambda one: private(one).private is True)
    elif digits is not None:
        made = in_private_decimals(made, digits, lambda one: private(one).private is True)
    made = made_for(made, asked)
    made.notes.update(epsilon=str(wanted), delta=str(allowed), objective=goal.name, mended=True)
    after = private(made)
    if not after.private:
        raise SolverError("the mended mechanism is not exactly private; please report this mechanism")
    found = list(released_under(made, asked)[1])
    changes = {name: distance(goal, table, one, other) for name, one, other in zip(names, released, found, strict=True)}
    return Mended(
        mechanism=made,
        given=given,
        asked=asked,
        rows=rows,
        required=required,
        released=found,
        before=before,
        after=after,
        epsilon=wanted,
        delta=allowed,
        objective=goal,
        method=method,
        digits=digits,
        changes=changes,
        value=written_above(goal.total(list(changes.values()), profile_weights(rows))),
        proof=proof,
        stats={"seconds": time.perf_counter() - start},
    )


def _check_digits(digits: object, doubles: bool) -> None:
    if digits is None:
        return
    if isinstance(digits, bool) or not isinstance(digits, int) or not 1 <= digits <= MOST_DIGITS:
        raise InputError(f"digits: expected a whole number from 1 to {MOST_DIGITS}, found {shown(digits)}")
    if doubles:
        raise InputError("digits: expected either doubles or decimals of so many places, found both")


def rows_of(mechanism: Given, graph: nx.Graph | None, *, all_pairs: bool) -> nx.Graph:
    """Return the profile graph of what is mended, `Mended.rows`: what profiles release, and the pairs asked for."""
    given, asked = as_mechanism(mechanism, graph, all_pairs=all_pairs)
    return _graph_of_rows(given, asked, *released_under(given, asked))


def _checked(objective: object) -> ByLoss:
    goal = checked_objective(objective)
    if not isinstance(goal, ByLoss):
        raise InputError(
            f"objective: expected ExpectedLoss(...) or WorstLoss(...), a distance of rows, found {goal.name}"
        )
    return goal


def _checked_table(goal: ByLoss, outputs: Sequence[Label]) -> tuple[tuple[Fraction, ...], ...]:
    """Return the loss on the outputs, which is to cost nothing where nothing changes, and never less."""
    m = len(outputs)
    try:
        table = goal.table(outputs)
    except InputError as error:
        raise InputError(error.told(after="; here the categories are the outputs")) from None
    if len(table[0]) != m:
        found = f"found {len(table)} x {len(table[0])}"
        raise InputError(f"loss: expected {m} x {m}, what it costs to move from each output to each other, {found}")
    wrong = [(x, y) for x in range(m) for y in range(m) if (table[x][y] != 0 if x == y else table[x][y] < 0)]
    if wrong:
        x, y = wrong[0]
        expected = "expected 0, as what stays costs nothing" if x == y else "expected a number >= 0"
        raise InputError(f"loss, row {x}, column {y}: {expected}, found {shown(table[x][y])}")
    return table


def _graph_of_rows(given: Mechanism, asked: Asked, names: Sequence[Label], released: Sequence[Released]) -> nx.Graph:
    """Return the profile graph of what is released: its categories are the outputs, its edges those that matter."""
    graph = asked.profiles
    about = {key: graph.graph[key] for key in ("name", "ordered") if key in graph.graph}
    if given.outputs != given.categories:
        about.pop("ordered", None)
    result = nx.Graph(categories=given.outputs, **about)
    for name, one in zip(names, released, strict=True):
        weight = {"weight": graph.nodes[name]["weight"]} if "weight" in graph.nodes[name] else {}
        result.add_node(name, distribution=one.fractions(), **weight)
    if asked.every_pair:
        check_number_of_edges(asked.edges)
    result.add_edges_from(asked.graph().edges(data=True))
    return result


def _no_weights(goal: ByLoss, rows: nx.Graph) -> list[Fraction] | None:
    """Return the profiles' weights in a proof that the distance is at least 0, where it chooses them."""
    return None if goal.additive else [Fraction(1)] * len(rows)
