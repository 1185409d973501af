"""`mend`: from a mechanism that is not private to the nearest one that is."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import networkx as nx
import numpy as np

from mechdesign.arrays import Exact
from mechdesign.certificate.bound import Bound, proved
from mechdesign.certificate.certificate import Proof, whole_proof
from mechdesign.certifier.applied import released_under
from mechdesign.certifier.certify import certify
from mechdesign.certifier.verdict import Verdict
from mechdesign.designer.component import Component, components, solve_component
from mechdesign.designer.method import Method
from mechdesign.designer.solving import Progress, solved
from mechdesign.errors import InputError, SolverError
from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import Number, parse_delta, parse_epsilon
from mechdesign.mechanism.given import AskedBy, Given, as_mechanism
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.mender.mend_arguments import check_digits, checked_distance, checked_table, graph_of_rows
from mechdesign.mender.mended import Mended
from mechdesign.mender.moved import as_given_where_alike, check_served, distance, made_for, post_processing, rewritten
from mechdesign.mender.private_doubles import in_private_decimals, in_private_doubles, private_undivided
from mechdesign.objective import ExpectedLoss, Goal
from mechdesign.objective.by_loss import ByLoss
from mechdesign.privacy.extremes import over_one_total
from mechdesign.privacy.released import Released, released_by
from mechdesign.privacy.requirement import Requirement, requirements
from mechdesign.problem import NOTHING, Problem
from mechdesign.rounding.releases import private_releases
from mechdesign.solver.stopping import Until
from mechdesign.stopwatch import announce
from mechdesign.words import expected_one_of

FINE = 256
"""Bits to which room is made where little is missing: more than doubles, or what is written by hand, are off by."""

METHODS = (Method.AUTO, Method.STRUCTURED, Method.HIGHS, Method.REFERENCE)


@dataclass(frozen=True, eq=False)
class Nearest:
    """What was found for a component: what each profile releases, exactly private together, and a bound."""

    released: list[Released]
    proof: Bound


def nearest(
    rows: nx.Graph,
    required: Sequence[Requirement],
    goal: ByLoss,
    *,
    method: Method,
    any_optimum: bool,
    executor: Executor | None,
    progress: Progress | None,
) -> tuple[list[Released], Proof]:
    """Return what each profile of a graph is to release so that all are private, and the proof that none is nearer.

    Raises
    ------
    SolverError
        if no solver gives an answer that can be made private.
    """
    parts = components(rows, required, goal, shared=False)
    way = partial(_of_component, method=method, any_optimum=any_optimum)
    answers = solved(parts, way, executor, progress)
    found = {
        i: one
        for part, answer in zip(parts, answers, strict=True)
        for i, one in zip(part.members, answer.released, strict=True)
    }
    proof = whole_proof(goal, [(part.members, part.problem) for part in parts], [one.proof for one in answers])
    return [found[i] for i in range(len(found))], proof


def _of_component(component: Component, until: Until, *, method: Method, any_optimum: bool) -> Nearest:
    problem = component.problem
    if problem.needs_no_noise:
        return Nearest(list(map(over_one_total, problem.exact)), proved(problem, None, component.prior))
    if method == Method.AUTO and (little := _by_room(problem)) is not None:
        return Nearest(little, proved(problem, None, component.prior))
    answer = solve_component(component, until, method, any_optimum=any_optimum)
    masses: list[list[Fraction]] = [[] for _ in problem.exact]
    rows: list[list[Exact]] = [[] for _ in problem.exact]
    for i, x, row in zip(answer.rows.profiles, answer.rows.categories, answer.rows.table, strict=True):
        masses[i].append(problem.exact[i][x])
        rows[i].append(row.astype(object))
    return Nearest(list(map(released_by, masses, rows)), answer.proof)


def _by_room(problem: Problem) -> list[Released] | None:
    """Return what is given, with as much room added to all as makes them private; None where that is not `NOTHING`."""
    nobody = np.zeros(len(problem.exact), dtype=bool)
    found = private_releases(problem, problem.target_in_doubles, nobody, FINE)
    if isinstance(found, str):
        announce(f"mend: {found}")
        return None
    goal, most = problem.objective, Fraction(NOTHING) * problem.loss_unit
    assert isinstance(goal, ByLoss)
    pairs = zip(map(over_one_total, problem.exact), found, strict=True)
    return found if all(distance(goal, problem.losses, *pair) <= most for pair in pairs) else None


@with_flags
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
    is returned is private in exact arithmetic. A mechanism that is private already is returned as it is, but for what
    `doubles` or `digits` ask.

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
        whether the rows are to be doubles, which .npy and other programs hold, exactly private both as they stand and
        divided by their rows' totals.
    digits
        the rows are to be decimals of at most so many places, of total 1, exactly private as such: spreadsheets keep
        15. They are rounded, and need not be the nearest of so few places; the bound is of all matrices. Not with
        `doubles`.
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
    goal = checked_distance(ExpectedLoss() if objective is None else objective)
    if method not in list(METHODS):
        raise InputError(f"method: {expected_one_of(METHODS, method)}")
    check_digits(digits, doubles)
    given, asked = as_mechanism(mechanism, graph, all_pairs=all_pairs)
    check_served(given, asked.profiles, doubles or digits is not None)
    names, released = released_under(given, asked)
    table = checked_table(goal, given.outputs)
    rows = graph_of_rows(given, asked, names, released)
    required = requirements(rows, wanted, allowed)
    judge = partial(certify, graph=asked, epsilon=wanted, delta=allowed)
    as_they_stand = partial(private_undivided, asked=asked, required=required)
    before = judge(given)
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
    rewrite = partial(rewritten, given, asked.profiles, released, plan=partial(post_processing, goal, table))
    fewest = as_given_where_alike(goal, table, released, found)
    made = rewrite(fewest)
    if fewest != found and not judge(made).private:
        made = rewrite(found)
    made = made_for(_representable(made, given, judge, doubles, digits, as_they_stand), asked)
    made.notes.update(epsilon=str(wanted), delta=str(allowed), objective=goal.name, mended=True)
    after = judge(made)
    if not after.private:
        raise SolverError("the mended mechanism is not exactly private; please report this mechanism")
    return Mended(
        mechanism=made,
        given=given,
        asked=asked,
        rows=rows,
        required=required,
        released=list(released_under(made, asked)[1]),
        before=before,
        after=after,
        epsilon=wanted,
        delta=allowed,
        objective=goal,
        method=method,
        digits=digits,
        proof=proof,
        stats={"seconds": time.perf_counter() - start},
    )


def _representable(
    made: Mechanism,
    given: Mechanism,
    judge: Callable[[Mechanism], Verdict],
    doubles: bool,
    digits: int | None,
    as_they_stand: Callable[[Mechanism], bool],
) -> Mechanism:
    """Return a private mechanism near the mended one whose rows are doubles or decimals, where these are wanted."""
    if doubles:
        return in_private_doubles(made, given, lambda one: judge(one).private is True and as_they_stand(one))
    if digits is not None:
        return in_private_decimals(made, digits, lambda one: judge(one).private is True)
    return made


def _no_weights(goal: ByLoss, rows: nx.Graph) -> list[Fraction] | None:
    """Return the profiles' weights in a proof that the distance is at least 0, where it chooses them."""
    return None if goal.additive else [Fraction(1)] * len(rows)
