"""`design`: from a profile graph to the least-distorting mechanism, exactly private."""

import math
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.certificate.certificate import Proof, certificate_of, whole_proof, written_above
from mechdesign.closed_form.one_bit_cluster import one_bit_cluster
from mechdesign.cover import cover, met
from mechdesign.designer.baseline import baseline, category_costs
from mechdesign.designer.caution import warning_of
from mechdesign.designer.component import Answer, Component, Method, components, solve_component
from mechdesign.errors import InputError, SolverError
from mechdesign.exact import Epsilon, Number, expected_one_of, parse_delta, parse_epsilon
from mechdesign.graph.file import as_graph
from mechdesign.graph.profile_graph import Label, check_all_own, has_point_masses, scaled, support
from mechdesign.mechanism.mechanism import Mechanism, reduced
from mechdesign.objective import MaxOffDiagonal, Objective, checked_objective, value_of
from mechdesign.parallel import batches, run_each
from mechdesign.privacy import requirements
from mechdesign.solver.command import words_of
from mechdesign.stopwatch import Stopwatch
from mechdesign.words import counted

Progress = Callable[[int, int], object]

BATCH = 100
"""Components of fewer probabilities P_i(x) than this travel to an executor together: a trip costs about as much."""


MOST_NUMBERS = 20_000_000
"""Transition or released probabilities of a design: 1,000 profiles over 50 categories have 2,500,000, in 0.7 GB."""


MOST_LIMITS = 10_000_000
"""Pairs of neighbours that are not in a clique, times outputs: 2,000,000 take 2 GB."""


@dataclass(frozen=True, eq=False, repr=False)
class Design:
    """A mechanism with what is known of it.

    Attributes
    ----------
    mechanism
        exactly private.
    value
        the objective's value, computed exactly from the mechanism; rounded up by 2^-120 at most where that would be
        thousands of digits long.
    bound
        no mechanism does better than this: bound <= optimum <= value.
    proof
        the multipliers behind the bound.
    scale_own
        whether epsilon is a multiple of the edges' own; those of `graph` are multiplied by it.
    stats
        seconds in all and by phase (the components' added up, wherever they ran), components, how many of them needed
        no noise, for how many any optimum had to do; `warning`: that nothing is protected, or that the loss means
        nothing, in words (None if neither).
    """

    mechanism: Mechanism
    graph: nx.Graph
    epsilon: Epsilon
    delta: Fraction
    objective: Objective
    method: str
    value: Fraction
    bound: Fraction
    baseline: Fraction
    category_costs: list[Fraction] | None
    baseline_category_costs: list[Fraction] | None
    proof: Proof
    stats: dict[str, Any]
    scale_own: bool = False

    def __repr__(self) -> str:
        value, bound = float(self.value), float(self.bound)
        return f"Design({self.objective.name} = {value:.9g}, bound {bound:.9g}, {counted(len(self.graph), 'profile')})"

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """The proof of privacy, value and bound as a JSON value: see `mechdesign.certificate.certificate`."""
        notes = {"made_by": "mechdesign", "method": self.method, "seconds": self.stats["seconds"]}
        return certificate_of(
            self.mechanism, self.graph, self.epsilon, self.delta, self.objective, self.proof, self.value, notes
        )


def design(
    graph: nx.Graph | str | os.PathLike[str],
    *,
    epsilon: Number,
    delta: Number = 0,
    objective: Objective | None = None,
    method: str = "auto",
    shared: bool = False,
    any_optimum: bool = False,
    scale_own: bool = False,
    command: str | None = None,
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
        in nats, >= 0 or infinite; an edge's own epsilon replaces it, an edge's distance multiplies it.
    delta
        in [0, 1).
    objective
        `MaxOffDiagonal()` (the default), `ExpectedLoss(loss)` or `WorstLoss(loss)`.
    method
        "auto" ("structured"; then "highs" too where value and bound of a small component are apart), "structured",
        "highs" (the full program), "reference" (cvxpy, the full program), "one-bit-cluster", "pdlp" (on an NVIDIA GPU).
    shared
        one matrix for each connected component: the device does not know its profile.
    any_optimum
        leave out the search for the canonical one among the optima: faster, but which one comes is the solver's choice.
    scale_own
        epsilon multiplies the edges' own (see `scaled`); then every edge must have its own.
    command
        a solver from outside such as "solver {mps} {solution}", run for each component that needs noise; the method is
        then "command". See `mechdesign.solver.command`.
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
    objective = MaxOffDiagonal() if objective is None else objective
    method = checked_method(objective, method, shared, command)
    with timed("build"):
        graph = as_graph(graph)
        if scale_own:
            check_all_own(graph)
            graph = scaled(graph, epsilon)
        labels = objective.output_labels(graph.graph["categories"])
        _check_size(graph, len(labels))
        required = requirements(graph, epsilon, delta)
        parts = components(graph, required, objective, shared=shared)
        _check_limits(parts)
    solve = partial(solve_component, method=method, any_optimum=any_optimum, command=command)
    answers = _solved(parts, solve, executor, progress)
    for answer in answers:
        timed.add(answer.seconds)
    with timed("check"):
        if method == Method.ONE_BIT_CLUSTER:
            mechanism = one_bit_cluster(graph, required)
        else:
            free = objective.free_outputs(graph.graph["categories"])
            mechanism = _assembled(graph, labels, free, parts, answers)
        if not met(mechanism.all_released(), cover(required)):
            raise SolverError("the mechanism made is not exactly private; please report this graph")
        what = f"{epsilon} times each edge's own" if scale_own else str(epsilon)
        mechanism.notes.update(epsilon=what, delta=str(delta), objective=objective.name, method=str(method))
        value = written_above(value_of(objective, mechanism))
        usual = baseline(graph, required, objective, math.inf if scale_own else epsilon, delta)
    with timed("bound"):
        problems = [(part.members, part.problem) for part in parts]
        proof = whole_proof(objective, problems, [answer.proof for answer in answers])
    stats = {
        "components": len(parts),
        "without_noise": sum(not answer.noise for answer in answers),
        "any_optimum": sum(not answer.canonical for answer in answers),
        "seconds": time.perf_counter() - start,
        "phases": timed.seconds,
        "warning": warning_of(graph, required, objective),
    }
    return Design(
        mechanism=mechanism,
        graph=graph,
        epsilon=epsilon,
        delta=delta,
        objective=objective,
        method=str(method),
        value=value,
        bound=proof.bound,
        baseline=value_of(objective, usual),
        category_costs=category_costs(mechanism),
        baseline_category_costs=category_costs(usual),
        proof=proof,
        stats=stats,
        scale_own=scale_own,
    )


def checked_method(objective: object, method: str, shared: bool, command: str | None) -> Method:
    """Return the method that these arguments of `design` ask for.

    Raises
    ------
    InputError
        if they do not go together.
    """
    checked_objective(objective)
    if method not in list(Method):
        raise InputError(f"method: {expected_one_of(Method, method)}")
    if shared and method in (Method.STRUCTURED, Method.ONE_BIT_CLUSTER, Method.PDLP):
        raise InputError(f'{method} has no form for one shared matrix; use method "auto", "highs" or "reference"')
    if command is None and method == Method.COMMAND:
        raise InputError('method "command": expected a command too, such as "solver {mps} {solution}"')
    if command is None:
        return Method(method)
    if method not in (Method.AUTO, Method.COMMAND):
        raise InputError(f'a command is a method of its own; found the method "{method}" too')
    words_of(command)
    return Method.COMMAND


def _check_size(graph: nx.Graph, m: int) -> None:
    """Raise an InputError, before the memory is gone, if the mechanism or what leads to it would be too large."""
    d = len(graph.graph["categories"])
    rows = sum(len(support(distribution)) for _, distribution in graph.nodes(data="distribution"))
    largest = max(max(d, rows) * m, len(graph) * max(d, m))
    if largest > MOST_NUMBERS:
        sizes = f"{len(graph):,} profiles, {d:,} categories and {m:,} outputs"
        raise InputError(
            f"graph: {sizes} make {largest:,} probabilities, more than the {MOST_NUMBERS:,} that fit in memory; merge "
            "categories, or design parts of the graph that no edge joins one by one"
        )


def _check_limits(parts: Sequence[Component]) -> None:
    """Raise an InputError, before the memory is gone, if a component's pairs of neighbours are too many to be solved.

    Where all are alike and delta is 0, as in local privacy, or one follows from others, as on a line, they are few.
    """
    for problem in (part.problem for part in parts):
        limits = len(problem.cover.pairs) * problem.outputs
        if limits > MOST_LIMITS:
            limits = len(problem.independent_pairs) * problem.outputs
        if limits > MOST_LIMITS:
            sizes = f"{len(problem.independent_pairs):,} edges with limits of their own on {problem.outputs:,} outputs"
            raise InputError(
                f"graph: {sizes} make {limits:,} limits, and at most {MOST_LIMITS:,} fit in memory; merge categories "
                "or profiles"
            )


def _solved(
    parts: Sequence[Component],
    solve: Callable[[Component], Answer],
    executor: Executor | None,
    progress: Progress | None,
) -> list[Answer]:
    """Return each component's answer, in order; what needs no noise stays here, small ones travel together."""
    answers: dict[int, Answer] = {}

    def take(positions: Sequence[int], found: Sequence[Answer]) -> None:
        answers.update(zip(positions, found, strict=True))
        if progress is not None:
            progress(len(answers), len(parts))

    away = {}
    for i, part in enumerate(parts):
        if executor is None or part.problem.needs_no_noise:
            take([i], [solve(part)])
        else:
            away[i] = part.problem.profiles.size
    together = batches(away, BATCH)
    tasks = [[parts[i] for i in batch] for batch in together]
    run_each(partial(_solve_all, solve), tasks, executor, lambda number, found: take(together[number], found))
    return [answers[i] for i in range(len(parts))]


def _solve_all(solve: Callable[[Component], Answer], parts: Sequence[Component]) -> list[Answer]:
    return [solve(part) for part in parts]


def _assembled(
    graph: nx.Graph, labels: tuple[Label, ...], free: list[int], parts: Sequence[Component], answers: Sequence[Answer]
) -> Mechanism:
    """Return the mechanism of the components' rows; a category without noise keeps its free output."""
    rows = [np.array([int(y == kept) for y in range(len(labels))], dtype=object) for kept in free]
    index = np.tile(np.arange(len(free)), (len(graph), 1))
    for part, answer in zip(parts, answers, strict=True):
        for positions, x, row in answer.rows:
            index[[part.members[position] for position in positions], x] = len(rows)
            rows.append(row)
    if has_point_masses(graph):
        # Each profile always has the same value, so one table of the values' rows serves them all.
        for position, attributes in enumerate(graph.nodes.values()):
            x = support(attributes["distribution"])[0][0]
            rows[x] = rows[index[position, x]]
        rows = rows[: len(free)]
        index = np.broadcast_to(np.arange(len(free)), index.shape)
    else:
        used, numbers = np.unique(index, return_inverse=True)
        rows, index = [rows[row] for row in used], numbers.reshape(index.shape)
    return Mechanism(graph, labels, reduced(np.array(rows, dtype=object)), index)
