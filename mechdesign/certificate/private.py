"""Whether a mechanism is private, exactly: this decides, whatever led to it."""

from collections.abc import Sequence

from mechdesign.errors import SolverError
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.privacy.cover import met
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import Problem


def check_private(
    mechanism: Mechanism, required: Sequence[Requirement], parts: Sequence[tuple[list[int], Problem]]
) -> None:
    """Raise a SolverError unless the mechanism meets every requirement of its graph, exactly.

    The components, (members, problem) each, are used only for the cliques in them; their requirements must be those of
    the graph.
    """
    released = mechanism.all_released()
    there = {
        (members[edge.first], members[edge.second]): (edge.epsilon, edge.delta)
        for members, problem in parts
        for edge in problem.required
    }
    whole = all(there.get((edge.first, edge.second)) == (edge.epsilon, edge.delta) for edge in required)
    if not whole or not all(met([released[i] for i in members], problem.cover) for members, problem in parts):
        raise SolverError("the mechanism made is not exactly private; please report this graph")
