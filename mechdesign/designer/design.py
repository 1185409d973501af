"""`design`: from a profile graph to the least-distorting mechanism, exactly private."""

import os
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial
from typing import Any

import networkx as nx

from mechdesign.certificate.certificate import whole_proof, written_above
from mechdesign.certificate.private import check_kept, check_private
from mechdesign.designer.answers_together import answers_together
from mechdesign.designer.assembly import assembled
from mechdesign.designer.cluster_design import solve_cluster
from mechdesign.designer.component import BY_CLASSES, Answer, Component, components, solve_component
from mechdesign.designer.found import Found
from mechdesign.designer.method import Method, check_keeps, check_robust, checked_detours, checked_method, until_of
from mechdesign.designer.model_design import solve_model
from mechdesign.designer.result import Design
from mechdesign.designer.solving import Progress, solved
from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import Number, parse_delta, parse_epsilon
from mechdesign.graph.from_table.confidence import guarantee_in, noise_in
from mechdesign.graph.graph_file import as_graph
from mechdesign.graph.properties import check_all_own, scaled
from mechdesign.graph.uncertainty import is_robust
from mechdesign.graph.uncertainty import nominal as at_distributions
from mechdesign.objective import Goal, MaxOffDiagonal, Objective, checked_objective
from mechdesign.objective.by_model import ByModel, value_in
from mechdesign.privacy.requirement import as_multiples, requirements
from mechdesign.stopwatch import Stopwatch


@with_flags
def design(
    graph: nx.Graph | str | os.PathLike[str],
    *,
    epsilon: Number,
    delta: Number = 0,
    objective: Goal | None = None,
    method: str = "auto",
    shared: bool = False,
    any_optimum: bool = False,
    scale_own: bool = False,
    command: str | None = None,
    nominal: bool = False,
    keep_shares: bool = False,
    gap: Number | None = None,
    seconds: Number | None = None,
    detours: Number | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Design:
    """Return the least-distorting mechanism that keeps neighbouring profiles (epsilon, delta)-indistinguishable.

    Every connected component is solved to its own optimum. What is returned is private in exact arithmetic.

    Parameters
    ----------
    graph
        a profile graph: k profiles over d categories; or the name of a shipped one, or the path of its file.
    epsilon
        in nats, >= 0 or infinite; a float is the decimal that it prints as. An edge's own epsilon replaces it, an
        edge's distance multiplies it.
    delta
        in [0, 1).
    objective
        `MaxOffDiagonal()` (the default), `ExpectedLoss(loss)`, `WorstLoss(loss)`, `LargestCost()`,
        `WeightedOffDiagonal(weights)`, `MutualInformation(at_most)`; or one of your own, `Convex(build)`.
    method
        "auto" ("structured"; then "highs" too where value and bound of a small component are apart), "structured",
        "highs" (the full program), "reference" (cvxpy, the full program), "one-bit-cluster" (for
        two categories: each component's bits are flipped with one probability, the least private, whatever the
        objective; then `class_bound` is of such mechanisms, `bound` of all). An objective that is written down in cvxpy
        goes through it: "auto" and "reference" are the same then.
    shared
        one matrix for each connected component: the device does not know its profile.
    any_optimum
        any of the optima, faster, but which one comes is the solver's choice. Otherwise the design is the nearest: of
        all mechanisms whose value is within a billionth of the optimum the one whose released distributions are
        closest to the profiles' (least sum of squares).
    scale_own
        epsilon multiplies the edges' own (see `scaled`); then every edge must have its own.
    command
        a solver from outside such as "solver {mps} {solution}", run for each component that needs noise; the method is
        then "command". See `mechdesign.solver.command`.
    nominal
        take profiles that are known only within bounds (see `mechdesign.graph.uncertainty`) at their distributions
        alone. Otherwise what is returned is private for every distribution within the bounds. The objective is that at
        the distributions in both cases.
    keep_shares
        over all profiles together, by their weights in the graph (equal unless it has any), what is released has
        exactly the distribution that the truth has: sum_i w_i q^i = sum_i w_i P_i at the distributions given. The graph
        is then one problem, and `bound` is of mechanisms that keep the shares; `free` is the design without.
    gap
        end as soon as the bound is proved to be below the value by no more than this share of it, such as 0.01 or "1%".
        It is then any mechanism so good, not the nearest design. Methods that have nothing before they have an optimum
        end with that.
    seconds
        end after so long, with the best private mechanism that there is by then, and its proof: rounding and proof come
        on top. Components that nothing was found for in time get the best that needs no search.
    detours
        design on fewer edges, a spanner: an edge is left out where the epsilons of others add up along a path to no
        more than so many times its own, and these are made smaller until that is no more than its own. It is private
        on all edges as ever, and `bound` is of all; it is not the nearest design, and its `gap` says how far from the
        optimum it may be. For metric privacy of many places. Without delta.
    executor
        where components are solved: a process pool, `dask.distributed.Client().get_executor()`, ...; here if None.
    progress
        called with (components done, components) as the work goes on; what is being done in one of them meanwhile goes
        to whoever listens by `mechdesign.stopwatch.announced_to`.

    Raises
    ------
    InputError
        if an argument cannot be used.
    SolverError
        if no solver gave an answer.

    References
    ----------
    [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084: (5) Smooth Categorical and (4) One Bit Cluster.

    Examples
    --------
    >>> import mechdesign as md
    >>> result = md.design(md.read_graph("categorical-chain"), epsilon=0.5)
    >>> f"{float(result.value):.9f} against {float(result.baseline):.9f}"
    '0.056684742 against 0.215112919'
    """
    start, timed = time.perf_counter(), Stopwatch()
    epsilon, delta = parse_epsilon(epsilon), parse_delta(delta)
    objective = MaxOffDiagonal() if objective is None else checked_objective(objective)
    method = checked_method(objective, method, shared, command)
    until = until_of(gap, seconds, objective, method)
    with timed("build"):
        graph = as_graph(graph)
        if scale_own:
            check_all_own(graph)
            unscaled, graph = graph, scaled(graph, epsilon)
        longest = checked_detours(detours, objective, method, graph, delta)
        unbounded = nominal and is_robust(graph)
        if nominal:
            graph = at_distributions(graph)
        objective = objective.settled(graph.graph["categories"])
        required = requirements(graph, epsilon, delta)
        if keep_shares:
            check_keeps(objective, method, graph, shared=shared)
        parts = components(graph, required, objective, shared=shared, keep_shares=keep_shares)
    if isinstance(objective, ByModel):
        any_one = any_optimum or gap is not None
        found = solve_model(graph, parts, required, objective, shared=shared, any_optimum=any_one)
        if progress is not None:
            progress(1, 1)
    else:
        assert isinstance(objective, Objective)
        how: dict[str, Any] = {"any_optimum": any_optimum, "command": command, "detours": longest}
        usual = partial(solve_component, method=method, **how)
        solve = solve_cluster if method == Method.ONE_BIT_CLUSTER else usual
        check_robust(method, [part.problem for part in parts])
        by_classes = method in BY_CLASSES
        # What may end early does so component by component, each in its time.
        whole = by_classes and not any_optimum and gap is None and seconds is None and longest is None
        together = answers_together if whole else None
        answers = solved(parts, solve, executor, progress, until=until, by_classes=by_classes, together=together)
        found = _put_together(graph, objective, parts, answers)
        if longest is not None:
            found.counts["detours"] = _detours(parts, answers)
    timed.add(found.seconds)
    what = f"{epsilon} times each edge's own" if scale_own else str(epsilon)
    limits = {"epsilon": what, "delta": str(delta)} if graph.number_of_edges() else {}  # without edges none holds
    found.mechanism.notes.update(limits, objective=objective.name, method=str(method))
    if isinstance(unit := graph.graph.get("unit"), str):
        found.mechanism.notes["unit"] = unit
    if is_robust(graph) and (said := guarantee_in(graph, epsilon, delta)) is not None:
        found.mechanism.notes["bounds"] = said
    if (by_counts := noise_in(graph.graph.get("made"))) is not None:
        found.mechanism.notes["noise"] = str(by_counts)
    with timed("check"):
        value = written_above(value_in(objective, found.mechanism, found.proof.groups))
        check_private(found.mechanism, required, found.problems)
        if found.proof.kept is not None:
            check_kept(found.mechanism, found.proof.kept[0])
    free = None
    if keep_shares and not until.over():
        same: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "scale_own": scale_own, "nominal": nominal}
        same |= {"objective": objective, "method": method, "shared": shared, "any_optimum": any_optimum}
        same |= {"gap": gap, "seconds": until.seconds, "detours": detours}
        free = design(unscaled if scale_own else graph, **same, executor=executor)
    return Design(
        mechanism=found.mechanism,
        graph=graph,
        epsilon=epsilon,
        delta=delta,
        required=as_multiples(required, unscaled) if scale_own else required,
        objective=objective,
        method=str(method),
        value=value,
        proof=found.proof,
        stats={**found.counts, "seconds": time.perf_counter() - start, "phases": timed.seconds},
        scale_own=scale_own,
        bound_by=found.bound_by,
        free=free,
        unbounded=unbounded,
    )


def _detours(parts: Sequence[Component], answers: Sequence[Answer]) -> dict[str, Any]:
    """Return on how many edges a graph was designed, of how many, and the longest detour for one of the others."""
    found = [answer.detours or (len(part.problem.required), 1.0) for part, answer in zip(parts, answers, strict=True)]
    edges = sum(len(part.problem.required) for part in parts)
    return {"kept": sum(kept for kept, _ in found), "edges": edges, "longest": max(longest for _, longest in found)}


def _put_together(
    graph: nx.Graph, objective: Objective, parts: Sequence[Component], answers: Sequence[Answer]
) -> Found:
    """Return the mechanism of a whole graph and its bound, from what was found for the components."""
    timed = Stopwatch()
    for answer in answers:
        timed.add(answer.seconds)
    problems = [(part.members, part.problem) for part in parts]
    with timed("bound"):
        proof = whole_proof(objective, problems, [answer.proof for answer in answers])
    return Found(
        mechanism=assembled(graph, parts, answers),
        proof=proof,
        bound_by="duality",
        problems=problems,
        counts={
            "components": len(parts),
            "without_noise": sum(not answer.noise for answer in answers),
            "any_optimum": sum(not answer.canonical for answer in answers),
            "own_multipliers": sum(answer.own_multipliers for answer in answers),
            "way": dict(Counter(answer.way for answer in answers)),
            "ended": dict(Counter(answer.ended for answer in answers if answer.ended)),
            "unsearched": sum(not answer.searched for answer in answers),
        },
        seconds=timed.seconds,
    )
