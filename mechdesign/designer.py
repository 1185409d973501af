"""`design`: from a profile graph to the least-distorting mechanism, exactly private."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import networkx as nx
import numpy as np

from mechdesign.baseline import baseline, category_costs
from mechdesign.certificate.certificate import Proof, certificate_of, whole_proof
from mechdesign.closed_form.one_bit_cluster import one_bit_cluster
from mechdesign.component import Answer, Component, Method, components, solve_component
from mechdesign.errors import InputError, SolverError
from mechdesign.exact import Epsilon, Number, parse_delta, parse_epsilon, shown
from mechdesign.graph import Label, checked, has_point_masses, support
from mechdesign.mechanism import Mechanism, reduced
from mechdesign.objective import MaxOffDiagonal, Objective, free_outputs, output_labels, value_of
from mechdesign.privacy import requirements, unmet

Progress = Callable[[int, int], object]


@dataclass(frozen=True, eq=False, repr=False)
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
    proof
        the multipliers behind the bound.
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
    proof: Proof
    stats: dict[str, Any]

    def __repr__(self) -> str:
        value, bound = float(self.value), float(self.bound)
        return f"Design({self.objective.name} = {value:.9g}, bound {bound:.9g}, {len(self.graph)} profiles)"

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """The proof of privacy, value and bound as a JSON value: see `mechdesign.certificate.certificate`."""
        notes = {"made_by": "mechdesign", "method": self.method, "seconds": self.stats["seconds"]}
        return certificate_of(
            self.mechanism, self.graph, self.epsilon, self.delta, self.objective, self.proof, self.value, notes
        )


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
    '0.056684742 against 0.215112919'
    """
    start = time.perf_counter()
    graph = checked(graph)
    epsilon, delta = parse_epsilon(epsilon), parse_delta(delta)
    objective = MaxOffDiagonal() if objective is None else objective
    _check_arguments(objective, method, shared)
    labels = output_labels(objective, graph.graph["categories"])
    required = requirements(graph, epsilon, delta)
    parts = components(graph, required, objective, shared=shared)
    answers = []
    for part in parts:
        answers.append(solve_component(part, Method(method)))
        if progress is not None:
            progress(len(answers), len(parts))
    if method == Method.ONE_BIT_CLUSTER:
        mechanism = one_bit_cluster(graph, required)
    else:
        mechanism = _assembled(graph, labels, free_outputs(objective, len(graph.graph["categories"])), parts, answers)
    if unmet(mechanism.all_released(), required) is not None:
        raise SolverError("the mechanism made is not exactly private; please report this graph")
    mechanism.notes.update(epsilon=str(epsilon), delta=str(delta), objective=objective.name, method=str(method))
    usual = baseline(graph, required, objective, epsilon, delta)
    problems = [(part.members, part.problem) for part in parts]
    proof = whole_proof(objective, problems, [answer.weights for answer in answers])
    stats = {
        "components": len(parts),
        "without_noise": sum(not answer.noise for answer in answers),
        "any_optimum": sum(not answer.canonical for answer in answers),
        "seconds": time.perf_counter() - start,
    }
    return Design(
        mechanism=mechanism,
        graph=graph,
        epsilon=epsilon,
        delta=delta,
        objective=objective,
        method=str(method),
        value=value_of(objective, mechanism),
        bound=proof.bound,
        baseline=value_of(objective, usual),
        category_costs=category_costs(mechanism),
        baseline_category_costs=category_costs(usual),
        proof=proof,
        stats=stats,
    )


def _check_arguments(objective: object, method: str, shared: bool) -> None:
    if not isinstance(objective, Objective):
        kinds = "MaxOffDiagonal(), ExpectedLoss(...) or WorstLoss(...)"
        raise InputError(f"objective: expected {kinds}, found {shown(objective)}")
    if method not in list(Method):
        raise InputError(f"method: expected one of {', '.join(Method)}, found {shown(method)}")
    if shared and method in (Method.STRUCTURED, Method.ONE_BIT_CLUSTER):
        raise InputError(f'{method} has no form for one shared matrix; use method "auto", "highs" or "reference"')


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
