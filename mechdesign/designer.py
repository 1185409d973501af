"""`design`: from a profile graph to the least-distorting mechanism, exactly private."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.baseline import baseline, category_costs
from mechdesign.certificate.realise import NoisyRows, Row, no_noise_needed, realised
from mechdesign.closed_form.one_bit_cluster import one_bit_cluster
from mechdesign.errors import InputError, SolverError
from mechdesign.exact import Epsilon, Number, parse_delta, parse_epsilon, shown
from mechdesign.graph import Label, checked, has_point_masses, support
from mechdesign.mechanism import Mechanism, reduced
from mechdesign.objective import MaxOffDiagonal, Objective, free_outputs, output_labels, profile_weights, value_of
from mechdesign.privacy import Requirement, requirements, unmet
from mechdesign.problem import Problem, Solution
from mechdesign.solver.canonical import canonical
from mechdesign.solver.full import solve_full
from mechdesign.solver.reference import solve_reference
from mechdesign.solver.structured import solve_structured

Progress = Callable[[int, int], object]


class Method(StrEnum):
    """How a design is found."""

    AUTO = "auto"
    STRUCTURED = "structured"
    HIGHS = "highs"
    REFERENCE = "reference"
    ONE_BIT_CLUSTER = "one-bit-cluster"


SOLVERS: dict[Method, Callable[[Problem], Solution]] = {
    Method.STRUCTURED: solve_structured,
    Method.HIGHS: solve_full,
    Method.REFERENCE: solve_reference,
}


@dataclass(frozen=True, eq=False)
class Design:
    """A mechanism with what is known of it.

    Attributes
    ----------
    mechanism
        exactly private.
    value
        the objective's value, computed exactly from the mechanism.
    bound
        no mechanism does better than this: bound <= optimum <= value.
    certificate
        the proof, as a JSON value; None until certificates are made.
    baseline
        what k-ary randomised response scores on the same objective.
    category_costs, baseline_category_costs
        max_i |P_i(y) - q^i_y| for each category ([GC] (6)), of the mechanism and of the baseline; None when the outputs
        are not the categories.
    stats
        seconds, components, how many of them needed no noise, for how many any optimum had to do.
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
    certificate: dict[str, Any] | None = None
    stats: dict[str, Any] = field(default_factory=dict)


def design(
    graph: nx.Graph,
    *,
    epsilon: Number,
    delta: Number = 0,
    objective: Objective | None = None,
    method: str = "auto",
    shared: bool = False,
    progress: Progress | None = None,
) -> Design:
    """Return the least-distorting mechanism that keeps neighbouring profiles (epsilon, delta)-indistinguishable.

    Every connected component is solved to its own optimum. What is returned is private in exact arithmetic.

    Parameters
    ----------
    graph
        a profile graph: k profiles over d categories.
    epsilon
        in nats, >= 0 or infinite; an edge's own epsilon replaces it, an edge's distance multiplies it.
    delta
        in [0, 1).
    objective
        `MaxOffDiagonal()` (the default), `ExpectedLoss(loss)` or `WorstLoss(loss)`.
    method
        "auto", "structured", "highs" (the full program), "reference" (cvxpy, the full program), "one-bit-cluster".
    shared
        one matrix for each connected component: the device does not know its profile.
    progress
        called with (components done, components) as the work goes on.

    Raises
    ------
    InputError
        if an argument cannot be used.
    SolverError
        if no solver gave an answer.

    References
    ----------
    [GC] (5) Smooth Categorical and (4) One Bit Cluster, arXiv:1903.09084.

    Examples
    --------
    >>> import mechdesign as md
    >>> result = md.design(md.read_graph("categorical-chain"), epsilon=0.5)
    >>> f"{float(result.value):.9f} against {float(result.baseline):.9f}"
    '0.056684742 against 0.215116...'
    """
    start = time.perf_counter()
    graph = checked(graph)
    epsilon, delta = parse_epsilon(epsilon), parse_delta(delta)
    objective = MaxOffDiagonal() if objective is None else objective
    if not isinstance(objective, Objective):
        raise InputError(
            f"objective: expected MaxOffDiagonal(), ExpectedLoss(...) or WorstLoss(...), found {shown(objective)}"
        )
    if method not in list(Method):
        raise InputError(f"method: expected one of {', '.join(Method)}, found {shown(method)}")
    if shared and method == Method.STRUCTURED:
        raise InputError('structured has no form for one shared matrix; use method "highs" or "reference"')
    stats: dict[str, Any] = {}
    labels = output_labels(objective, graph.graph["categories"])
    required = requirements(graph, epsilon, delta)
    if method == Method.ONE_BIT_CLUSTER:
        if shared:
            raise InputError("one-bit-cluster already uses one matrix for each connected component; leave shared out")
        mechanism = one_bit_cluster(graph, required)
    else:
        mechanism, stats = _designed(graph, labels, required, objective, Method(method), shared, progress)
    if unmet(mechanism.all_released(), required) is not None:
        raise SolverError("the mechanism made is not exactly private; please report this graph")
    mechanism.notes.update(epsilon=str(epsilon), delta=str(delta), objective=objective.name, method=str(method))
    stats["seconds"] = time.perf_counter() - start
    usual = baseline(graph, required, objective, epsilon, delta)
    return Design(
        mechanism=mechanism,
        graph=graph,
        epsilon=epsilon,
        delta=delta,
        objective=objective,
        method=str(method),
        value=value_of(objective, mechanism),
        bound=Fraction(0),
        baseline=value_of(objective, usual),
        category_costs=category_costs(mechanism),
        baseline_category_costs=category_costs(usual),
        stats=stats,
    )


def _designed(
    graph: nx.Graph,
    labels: tuple[Label, ...],
    required: Sequence[Requirement],
    objective: Objective,
    method: Method,
    shared: bool,
    progress: Progress | None,
) -> tuple[Mechanism, dict[str, Any]]:
    """Solve component by component and put the rows together."""
    distributions = [attributes["distribution"] for attributes in graph.nodes.values()]
    weights = profile_weights(graph)
    total = sum(weights)
    free = free_outputs(objective, len(graph.graph["categories"]))
    rows = [np.array([int(y == kept) for y in range(len(labels))], dtype=object) for kept in free]
    index = np.tile(np.arange(len(rows)), (len(distributions), 1))
    components = _components(len(distributions), required)
    stats: dict[str, Any] = {"components": len(components), "without_noise": 0, "any_optimum": 0}
    for done, (members, own) in enumerate(components):
        problem = Problem(
            exact=[distributions[i] for i in members],
            required=own,
            objective=objective,
            weights=np.array([float(weights[i] / total) for i in members]),
            shared=shared,
        )
        for positions, x, row in _noisy_rows(problem, method, stats):
            index[[members[position] for position in positions], x] = len(rows)
            rows.append(row)
        if progress is not None:
            progress(done + 1, len(components))
    return _assembled(graph, labels, rows, index), stats


def _components(count: int, required: Sequence[Requirement]) -> list[tuple[list[int], tuple[Requirement, ...]]]:
    """Return the members of each connected component, and its requirements by positions among them."""
    graph = nx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from((edge.first, edge.second) for edge in required)
    members = [sorted(component) for component in nx.connected_components(graph)]
    place = {i: (number, position) for number, group in enumerate(members) for position, i in enumerate(group)}
    own: list[list[Requirement]] = [[] for _ in members]
    for edge in required:
        number, first = place[edge.first]
        own[number].append(replace(edge, first=first, second=place[edge.second][1]))
    return list(zip(members, map(tuple, own), strict=True))


def _noisy_rows(problem: Problem, method: Method, stats: dict[str, Any]) -> NoisyRows:
    """Return the rows of one component that differ from the free ones."""
    if no_noise_needed(problem):
        stats["without_noise"] += 1
        return []
    if method == Method.AUTO:
        method = Method.HIGHS if problem.shared else Method.STRUCTURED
    optimum = SOLVERS[method](problem)
    chosen = canonical(problem, optimum)
    if chosen is None:
        stats["any_optimum"] += 1
    return realised(problem, chosen or optimum)


def _assembled(graph: nx.Graph, labels: tuple[Label, ...], rows: list[Row], index: npt.NDArray[np.int64]) -> Mechanism:
    """Return the mechanism of these rows, without those that nobody uses."""
    if has_point_masses(graph):
        # Each profile always has the same value, so one table of the values' rows serves them all.
        for position, attributes in enumerate(graph.nodes.values()):
            x = support(attributes["distribution"])[0][0]
            rows[x] = rows[index[position, x]]
        rows = rows[: index.shape[1]]
        index = np.broadcast_to(np.arange(len(rows)), index.shape)
    else:
        used, numbers = np.unique(index, return_inverse=True)
        rows, index = [rows[row] for row in used], numbers.reshape(index.shape)
    return Mechanism(graph, labels, reduced(np.array(rows, dtype=object)), index)
