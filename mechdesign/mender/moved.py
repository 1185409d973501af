"""From one released distribution to another: what it costs, the post-processing, and the mechanism with other rows."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import networkx as nx
import numpy as np

from mechdesign.errors import InputError
from mechdesign.exact.integers import shortest
from mechdesign.exact.text import shown
from mechdesign.graph.distribution import support
from mechdesign.graph.properties import has_point_masses
from mechdesign.graph.uncertainty import bounded
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective.base import LossTable
from mechdesign.objective.by_loss import ByLoss
from mechdesign.objective.transport_plans import Plan
from mechdesign.privacy.asked import Asked
from mechdesign.privacy.released import Released, released_by
from mechdesign.privacy.stored_rows import Rows
from mechdesign.problem import NOTHING


def distance(objective: ByLoss, table: LossTable, before: Released, after: Released) -> Fraction:
    """Return the least expected loss of a post-processing from one distribution to the other, exactly.

    For a loss that cannot tell, what the plan of `post_processing` costs, which is near the least.

    Examples
    --------
    >>> before, after = (Released(np.array(weights, dtype=object), 10) for weights in ([5, 3, 2], [4, 3, 3]))
    >>> from mechdesign.objective import ExpectedLoss
    >>> [str(distance(ExpectedLoss(loss), (), before, after)) for loss in ("hamming", "absolute")]
    ['1/10', '1/5']
    """
    if objective.priced is None:
        return _cost(post_processing(objective, table, before, after), table)
    change = (after.weights * before.total - before.weights * after.total) * Fraction(1)
    cost: Fraction = objective.priced.costs(change[None])[0]
    return cost / (before.total * after.total)


def by_rounding(table: LossTable) -> Fraction:
    """Return up to which distance a change is one of rounding alone, such as a solver's."""
    return Fraction(NOTHING) * max((entry for row in table for entry in row), default=Fraction(0))


def as_given_where_alike(
    objective: ByLoss, table: LossTable, before: Sequence[Released], after: Sequence[Released]
) -> list[Released]:
    """Return the distributions after, those before in place of what is moved by rounding alone."""
    most, pairs = by_rounding(table), zip(before, after, strict=True)
    return [one if one != other and distance(objective, table, one, other) <= most else other for one, other in pairs]


def post_processing(objective: ByLoss, table: LossTable, before: Released, after: Released) -> Plan:
    """Return integers in the proportions of P(x) B_xy for the post-processing B of that cost from P to the other.

    Examples
    --------
    >>> before, after = (Released(np.array(weights, dtype=object), 10) for weights in ([5, 3, 2], [4, 3, 3]))
    >>> from mechdesign.objective import ExpectedLoss
    >>> (post_processing(ExpectedLoss(), (), before, after) // 10).tolist()
    [[4, 0, 1], [0, 3, 0], [0, 0, 2]]
    """
    supply, demand = before.weights * after.total, after.weights * before.total
    unit = max((entry for row in table for entry in row), default=None) or Fraction(1)
    loss = np.array([[float(entry / unit) for entry in row] for row in table])
    return objective.kind.plan(supply.tolist(), demand.tolist(), loss)


def _cost(plan: Plan, table: LossTable) -> Fraction:
    losses = np.array([list(row) for row in table], dtype=object)
    return Fraction((plan * losses).sum()) / int(plan.sum())


def check_served(mechanism: Mechanism, profiles: nx.Graph, doubles: bool) -> None:
    """Raise an InputError unless each profile can be given other rows without changing those of another.

    And, for doubles, unless one matrix serves all.
    """
    if within := bounded(profiles):
        raise InputError(
            f"expected profiles that are known, found {shown(within[0])} known only within bounds; what is mended for "
            "one distribution would not be private for the others"
        )
    single = mechanism.one_matrix and has_point_masses(profiles)
    strange = [profile for profile in profiles if profile not in set(mechanism.profiles)]
    if strange and not single:
        raise InputError(
            "expected a mechanism that knows the graph's profiles, or profiles that are single values, no two the "
            f"same; found one matrix for all that does not know {shown(strange[0])}, so that no row can be mended for "
            "one profile alone; mechdesign design GRAPH --shared makes such a matrix anew"
        )
    if doubles and not single:
        raise InputError(
            "expected one matrix for all profiles, found one for each; doubles, and decimals, go with one matrix"
        )


def can_be_mended(mechanism: Mechanism, profiles: nx.Graph) -> bool:
    """Return whether `check_served` has no objection."""
    try:
        check_served(mechanism, profiles, doubles=False)
    except InputError:
        return False
    return True


def rewritten(
    mechanism: Mechanism,
    profiles: nx.Graph,
    before: Sequence[Released],
    after: Sequence[Released],
    plan: Callable[[Released, Released], Plan],
) -> Mechanism:
    """Return the mechanism with rows through which the profiles that are asked about release other distributions.

    Where profiles are single values, these are the rows. Otherwise each row is followed by its profile's
    post-processing: the mean distance of its rows is then just that of what it released.
    """
    places = [i for i, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
    if not places:
        return replace(mechanism, notes=dict(mechanism.notes))
    supports = [support(attributes["distribution"]) for attributes in profiles.nodes.values()]
    if mechanism.one_matrix and has_point_masses(profiles):
        rows = list(mechanism.rows.table(mechanism.index[0]))
        for i in places:
            rows[supports[i][0][0]] = after[i].weights
        index = np.broadcast_to(np.arange(len(rows)), mechanism.index.shape)
        return Mechanism(
            mechanism.graph, mechanism.outputs, Rows(shortest(np.array(rows))), index, dict(mechanism.notes)
        )
    names, rows, index = list(profiles), list(mechanism.weights), np.array(mechanism.index)
    for i in places:
        position = mechanism.serving(names[i])
        channel = plan(before[i], after[i])
        for x, _ in supports[i]:
            row = rows[mechanism.index[position, x]]
            rows.append(released_by(list(map(Fraction, row[row > 0])), channel[row > 0]).weights)
            index[position, x] = len(rows) - 1
    used, numbers = np.unique(index, return_inverse=True)
    kept = Rows(shortest(np.array([rows[row] for row in used], dtype=object)))
    return Mechanism(mechanism.graph, mechanism.outputs, kept, numbers.reshape(index.shape), dict(mechanism.notes))


def made_for(mechanism: Mechanism, asked: Asked) -> Mechanism:
    """Return a mechanism that says that it is for the pairs asked about; profiles that have rows of their own stay."""
    if not set(asked.names) < set(mechanism.profiles):
        graph = nx.create_empty_copy(asked.profiles) if asked.every_pair else asked.profiles
    else:
        graph = nx.create_empty_copy(mechanism.graph)
        graph.add_nodes_from(asked.profiles.nodes(data=True))
        graph.add_edges_from(asked.graph().edges(data=True))
    graph = _made_as(mechanism.graph, graph)
    if mechanism.one_matrix:
        return replace(
            mechanism, graph=graph, index=np.broadcast_to(mechanism.index[0], (len(graph), mechanism.index.shape[1]))
        )
    return replace(mechanism, graph=graph, index=mechanism.index[list(map(mechanism.serving, graph))])


def _made_as(before: nx.Graph, graph: nx.Graph) -> nx.Graph:
    """Return the graph, which says how the one before was made where it says nothing of it: what data are read by."""
    said, own = before.graph.get("made"), graph.graph.get("made", {})
    if before is graph or not isinstance(said, dict) or not isinstance(own, dict) or said | own == own:
        return graph
    graph = graph.copy()
    graph.graph["made"] = said | own
    return graph
