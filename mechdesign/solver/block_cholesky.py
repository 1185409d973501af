"""Cholesky factors of symmetric matrices with a dense block for each node of a graph and for each of its edges.

Nodes with the fewest neighbours are eliminated first, which joins these; then the next, until those that are left are
joined to so many others that they make one dense block. Where edges are few, this takes few operations. Factors are
accurate also where entries are far apart.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import scipy.sparse as sp
from scipy.linalg import blas, lapack

from mechdesign.arrays import Floats, Integers
from mechdesign.errors import SolverError

Fronts = dict[int, list[int]]
"""Nodes with the neighbours that they have when they are eliminated."""


class Elimination:
    """In which order the nodes of a graph are eliminated, and which numbers the blocks have.

    The block of two nodes has the rows of the one that is eliminated later; of a node alone it has the node's number.

    Attributes
    ----------
    size
        how many rows and columns a block has.
    place
        for each node its place in the order, and a last one for nodes that do not exist.
    rounds, left, dense
        the nodes that are eliminated; those that are left, and for each two of them their positions and their block.
    operations
        about how many multiplications a factor takes.

    Raises
    ------
    SolverError
        if a factor takes over 2e10 multiplications.
    """

    def __init__(self, nodes: int, edges: Iterable[tuple[int, int]], size: int) -> None:
        rounds, left, self.operations = _rounds(nodes, edges, size)
        self.size, self.place = size, np.full(nodes + 1, nodes)
        self.place[[*(i for fronts in rounds for i in fronts), *left]] = np.arange(nodes)
        self._numbers = {(i, i): i for i in range(nodes)}
        self.rounds, self.left = [_Round(self, fronts) for fronts in rounds], np.array(left, dtype=np.int64)
        later, earlier = np.tril_indices(len(left))
        self.dense = later, earlier, self.numbers(self.left[later], self.left[earlier])

    @property
    def blocks(self) -> int:
        """How many blocks there are; the last of them is that of nodes that do not exist."""
        return len(self._numbers) + 1

    def numbers(self, one: Integers, other: Integers) -> Integers:
        """Return the numbers of the blocks of pairs of nodes."""
        nobody = len(self.place) - 1
        pairs = zip(one.ravel().tolist(), other.ravel().tolist(), strict=True)
        found = [-1 if nobody in pair else self._number(*pair) for pair in pairs]
        return np.array(found, dtype=np.int64).reshape(one.shape)

    def _number(self, i: int, j: int) -> int:
        return self._numbers.setdefault((i, j) if self.place[i] >= self.place[j] else (j, i), len(self._numbers))


class _Round:
    """Nodes that no edges join, and that are eliminated together.

    Attributes
    ----------
    nodes, fronts
        the nodes, and the neighbours of each, where it has fewer than others with nodes that do not exist.
    below
        the numbers of the blocks of each with its neighbours.
    later, earlier
        for each two neighbours of a node, their positions.
    changed, sums
        the numbers of the blocks of two neighbours, and the matrix that adds up what changes each.
    spread
        the matrix that adds up what changes each node.
    """

    def __init__(self, elimination: Elimination, fronts: Fronts) -> None:
        nobody, width = len(elimination.place) - 1, max(1, *map(len, fronts.values()))
        padded = [sorted(one, key=elimination.place.item) + [nobody] * (width - len(one)) for one in fronts.values()]
        self.nodes, self.fronts = np.array(list(fronts)), np.array(padded)
        self.below = elimination.numbers(self.fronts, np.broadcast_to(self.nodes[:, None], self.fronts.shape))
        self.later, self.earlier = np.tril_indices(width)
        numbers = elimination.numbers(self.fronts[:, self.later].T, self.fronts[:, self.earlier].T)
        self.changed, place = np.unique(numbers, return_inverse=True)
        self.sums, self.spread = adding(place.ravel(), len(self.changed)), adding(self.fronts.ravel(), nobody + 1)


def adding(place: Integers, count: int) -> sp.csr_matrix:
    """Return the matrix that adds up what goes to the same of so many places."""
    return sp.csr_matrix((np.ones(len(place)), (place, np.arange(len(place)))), shape=(count, len(place)))


def _rounds(nodes: int, edges: Iterable[tuple[int, int]], size: int) -> tuple[list[Fronts], list[int], float]:
    """Return the nodes that are eliminated, in rounds of such as no edges join; those that are left; the operations.

    Nodes with two neighbours need not wait for those with one: a path is then halved by each round. But operations of
    large blocks take longer than what a round takes besides: they are to be as few as can be.
    """
    joined: list[set[int]] = [set() for _ in range(nodes)]
    for i, j in edges:
        joined[i].add(j)
        joined[j].add(i)
    left, rounds, few, operations = list(range(nodes)), list[Fronts](), 2 if size < 64 else 0, 0.0
    while left:
        fewest = min(len(joined[i]) for i in left)
        if 3 * fewest > len(left):  # what is joined to a third of the others is soon joined to all of them
            break
        fronts = _eliminated(left, joined, max(few, fewest))
        left = [i for i in left if i not in fronts]
        rounds.append(fronts)
        widths = [len(front) for front in fronts.values()]
        operations = _affordable(operations + sum(1 + width + width**2 for width in widths) * size**3)
    return rounds, left, _affordable(operations + (len(left) * size) ** 3 / 3)


def _eliminated(left: Sequence[int], joined: list[set[int]], most: int) -> Fronts:
    """Eliminate nodes with at most so many neighbours, none beside another, and join these; return them."""
    fronts, beside = Fronts(), set[int]()
    for i in left:
        if len(joined[i]) <= most and i not in beside:
            fronts[i] = list(joined[i])
            beside |= joined[i]
    for i, front in fronts.items():
        for j in front:
            joined[j] = (joined[j] | joined[i]) - {i, j}
    return fronts


def _affordable(operations: float) -> float:
    """Return operations that are not too many."""
    if operations > 2e10:
        raise SolverError("the interior point's linear systems are too large")
    return operations


class BlockCholesky:
    """The factor of a matrix, of which these are the blocks, those that are 0 too, by their numbers.

    Raises
    ------
    SolverError
        if the matrix is far from definite.
    """

    def __init__(self, elimination: Elimination, blocks: Floats) -> None:
        self._left, self._rounds = elimination.left, list[tuple[_Round, Floats, Floats]]()
        size, before = elimination.size, np.einsum("iyy->iy", blocks[: len(elimination.place) - 1]).copy()
        for one in elimination.rounds:
            factors = [_cholesky(blocks[i], before[i]) for i in one.nodes.tolist()]
            inverses = np.array([lapack.dtrtri(factor)[0] for factor in factors])
            beside = blocks[one.below].reshape(len(factors), -1, size) @ inverses
            change = (beside @ beside.transpose(0, 2, 1)).reshape(*one.fronts.shape, size, -1, size)
            among = change[:, one.later, :, one.earlier].reshape(one.sums.shape[1], -1)
            blocks[one.changed] -= (one.sums @ among).reshape(-1, size, size)
            self._rounds.append((one, inverses, beside))
        later, earlier, numbers = elimination.dense
        last = before[self._left].ravel()
        dense = np.zeros((len(self._left), size, len(self._left), size))
        dense[later, :, earlier] = blocks[numbers]
        self._dense = _cholesky(dense.reshape(len(last), len(last)), last)

    def solve(self, right: Floats) -> Floats:
        """Return the solution for a right side, a row of it for each node."""
        size = right.shape[1]
        found, forward = np.vstack([right, np.zeros(size)]), list[Floats]()
        for one, inverses, beside in self._rounds:
            forward.append(found[one.nodes, None] @ inverses)
            found -= one.spread @ (beside @ forward[-1].transpose(0, 2, 1)).reshape(-1, size)
        if len(self._left):
            last = blas.dtrsv(self._dense, found[self._left].ravel(), trans=1)
            found[self._left] = blas.dtrsv(self._dense, last).reshape(-1, size)
        for (one, inverses, beside), here in zip(reversed(self._rounds), reversed(forward), strict=True):
            rest = here - found[one.fronts].reshape(len(here), 1, -1) @ beside
            found[one.nodes] = (inverses @ rest.transpose(0, 2, 1))[:, :, 0]
        return found[:-1]


def _cholesky(block: Floats, before: Floats) -> Floats:
    """Return the upper factor of a block, of which the lower half counts.

    To the diagonal comes 1e-12, and the least share of what stood there `before` that makes the block definite: as much
    may rounding errors have left where others were eliminated.
    """
    diagonal = block.diagonal().copy()
    for share in 10.0 ** np.arange(-15, -6):
        block.ravel()[:: len(block) + 1] = diagonal + 1e-12 + share * before
        factor, failed = lapack.dpotrf(block.T)
        if not failed:
            return np.asarray(factor)
    raise SolverError("the interior point's linear system is singular")
