"""From a model's matrices in doubles to exactly private rows, by mixing them with other matrices that meet it.

The matrices found, and a centre that is private with something to spare, both meet the constraints; these are convex,
so that every mixture does. Mixing makes room for the errors of solver and rounding: the weight of the centre is raised,
from 0 and then by factors of four, until the rounded rows pass the exact check. Entries of 0 stay 0.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

import networkx as nx
import numpy as np

from mechdesign.arrays import Exact, Floats
from mechdesign.errors import SolverError
from mechdesign.exact.numbers import round_to_total
from mechdesign.graph.distribution import support
from mechdesign.privacy.cover import cover, met
from mechdesign.privacy.released import Released, released_through
from mechdesign.privacy.requirement import Requirement, connected
from mechdesign.rounding.mixing import ROW_BITS, etas, solved_for
from mechdesign.rounding.transport_plans import fitted


def private_rows(
    found: Floats,
    centre: Callable[[], Floats],
    graph: nx.Graph,
    groups: Sequence[int],
    required: Sequence[Requirement],
) -> Exact:
    """Return integer rows near matrices in doubles, table by table, that meet every requirement exactly.

    Parameters
    ----------
    found
        one d x d table for each matrix; an entry that must be 0 is 0.
    centre
        makes such tables that are private with something to spare; asked only where it is needed.
    graph, groups, required
        the profiles, which matrix each one uses, and what the edges require.

    Raises
    ------
    SolverError
        if no weight of the centre will do.
    """
    repair = _Repair(graph, groups, required)
    wanted = cover(tuple(required))
    middle: Floats | None = None
    for eta in etas():
        mixed = found
        if eta:
            middle = centre() if middle is None else middle
            mixed = (1 - float(eta)) * found + float(eta) * middle
        rows = repair.rounded(mixed)
        if rows is not None and met(repair.released(rows), wanted):
            return rows
    raise SolverError("the answer could not be made exactly private: the constraints leave no room beside privacy")


class _Repair:
    """Rounding of a graph's matrices, in which profiles joined by edges of epsilon = delta = 0 release the same."""

    def __init__(self, graph: nx.Graph, groups: Sequence[int], required: Sequence[Requirement]) -> None:
        self.groups = groups
        self.exact = [attributes["distribution"] for attributes in graph.nodes.values()]
        equal = [edge for edge in required if edge.epsilon == edge.delta == 0]
        self.same = [joined for joined in connected(len(self.exact), equal) if len(joined) > 1]

    def released(self, rows: Exact) -> list[Released]:
        """Return what each profile releases."""
        return [self._released(i, rows) for i in range(len(self.exact))]

    def rounded(self, matrices: Floats) -> Exact | None:
        """Return the matrices as integer rows; None if some that follow from others would have to be negative."""
        d = matrices.shape[-1]
        rows = np.array([round_to_total(row, 2**ROW_BITS) for row in matrices.reshape(-1, d).tolist()], dtype=object)
        rows = rows.reshape(matrices.shape)
        for joined in self.same:
            own = {self.groups[i] for i in joined}
            if len(own) > 1:
                for i in joined[1:]:
                    self._fit(rows, i, self._released(joined[0], rows))
            elif not self._solve(rows[own.pop()], joined):
                return None
        return None if ((rows > 0) & (matrices <= 0)).any() else rows

    def _released(self, i: int, rows: Exact) -> Released:
        return released_through((mass, rows[self.groups[i], x]) for x, mass in support(self.exact[i]))

    def _fit(self, rows: Exact, i: int, wanted: Released) -> None:
        """Change the rows of a profile so that it releases just what is wanted."""
        table, masses = rows[self.groups[i]], self.exact[i]
        total = math.lcm(wanted.total, *(mass.denominator for mass in masses))
        supply = [int(mass * total) for mass in masses]
        demand = [int(weight) * (total // wanted.total) for weight in wanted.weights]
        shares = [
            [float(mass * int(weight) / int(row.sum())) for weight in row]
            for mass, row in zip(masses, table, strict=True)
        ]
        for x, row in enumerate(fitted(np.array(shares), supply, demand)):
            if supply[x]:
                table[x] = row

    def _solve(self, table: Exact, joined: Sequence[int]) -> bool:
        """Change rows of one matrix so that profiles release the same; return whether that can be done."""
        pairs = list(pairwise(joined))
        equations = [[p - q for p, q in zip(self.exact[a], self.exact[b], strict=True)] for a, b in pairs]
        old = [[Fraction(int(weight), int(row.sum())) for weight in row] for row in table]
        for x, factors in solved_for(equations).items():
            row = [sum((f * old[z][y] for z, f in factors.items()), Fraction(0)) for y in range(len(table))]
            common = math.lcm(*(mass.denominator for mass in row))
            if min(row) < 0:
                return False
            table[x] = [int(mass * common) for mass in row]
        return True
