"""Colour refinement: the coarsest partition of the released probabilities that looks the same from all of a class.

Pairs (profile i, output y) have one colour if they have it in all that the program says of them: in target, weight and
losses of the profile, and, for each kind of edge, in how many neighbours j there are for which (j, y) has which colour.
Colours are hashes of 64 bits, which are the same by chance once in a long while: they propose, `equitable` decides.

References
----------
Grohe, Kersting, Mladenov, Selman, Dimension reduction via colour refinement, ESA 2014, arXiv:1307.5697.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from mechdesign.arrays import Integers
from mechdesign.graph.distribution import support
from mechdesign.privacy.inequalities import Edges
from mechdesign.problem import Problem

FEWER = 2
"""Classes must be so many times fewer than pairs, or there is no point in them."""

LOOKED_UP = 1000
"""Up to so many colours each pair's is looked up among them; sorting all pairs with their places takes as long at some
ten thousand: 1.3 s for 4 million pairs, where sorting the colours alone takes 0.09 s."""

AT_ONCE = 2**22
"""Pairs at the ends of edges that are hashed at once."""

IN_CACHE = 2**15
"""Integers that are mixed at once: of 16 million, in a quarter of the time that whole tables take."""

Hashes = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Given:
    """What is given exactly, numbered.

    Attributes
    ----------
    kinds
        d x m: the number of the loss; without losses 0 where a category keeps its free output, 1 elsewhere.
    prior
        the profiles' shares of the weight.
    points
        the profiles that have one category only, and which.
    """

    kinds: Integers
    prior: Sequence[Fraction]
    points: tuple[Integers, Integers]

    @property
    def spread(self) -> Integers:
        """The profiles that have several categories."""
        return np.setdiff1d(np.arange(len(self.prior)), self.points[0])


def given_in(problem: Problem, prior: Sequence[Fraction]) -> Given:
    """Return what is given."""
    supports = [support(distribution) for distribution in problem.exact]
    points = [(i, one[0][0]) for i, one in enumerate(supports) if len(one) == 1]
    profiles, categories = (np.array([pair[side] for pair in points], dtype=np.int64) for side in (0, 1))
    return Given(_kinds(problem), prior, (profiles, categories))


def _kinds(problem: Problem) -> Integers:
    if problem.losses:
        return problem.distinct_losses[0]
    kinds = np.ones((len(problem.free), problem.outputs), dtype=np.int64)
    kinds[np.arange(len(problem.free)), problem.free] = 0
    return kinds


def first_colours(problem: Problem, prior: Sequence[Fraction]) -> Hashes | None:
    """Return a colour of each pair, k x m, by target and share of the weight; None if these are too many to be of use.

    This takes little time, and is as far as graphs of random profiles get.
    """
    target = problem.target_in_doubles
    shares = np.array(prior, dtype=np.float64)
    colours = _mixed(target.view(np.uint64), 1) + _mixed(shares.view(np.uint64), 2)[:, None]
    return colours if len(np.unique(colours)) <= target.size // FEWER else None


def proposed_classes(problem: Problem, edges: Edges, given: Given, colours: Hashes) -> Integers | None:
    """Return the number of each pair's class, which no further refinement splits; None if they become too many."""
    most = colours.size // FEWER
    before, found = 0, np.unique(colours)
    while before < len(found) <= most:
        before = len(found)
        colours = _refined(problem, edges, given, colours)
        found = np.unique(colours)
    return _numbered(colours, found) if len(found) <= most else None


def _numbered(colours: Hashes, found: Hashes) -> Integers:
    """Return the place of each colour among all, in order: by looking it up where they are few, else by sorting."""
    if len(found) <= LOOKED_UP:
        return np.array(np.searchsorted(found, colours), dtype=np.int64)
    return np.unique(colours, return_inverse=True)[1].reshape(colours.shape)


def _refined(problem: Problem, edges: Edges, given: Given, colours: Hashes) -> Hashes:
    """Return colours by what is seen from each pair: its row, its column's neighbours, the categories by their loss."""
    own = _mixed(colours, 3)
    result = _mixed(own + own.sum(axis=1)[:, None], 4) + _neighbours(edges, colours, own)
    points, where = given.points
    result[points] += _mixed(given.kinds, 5)[where]
    others = given.spread
    if len(others):
        result[others] += _categories(problem.profiles[others], _mixed(given.kinds, 6), own[others])
    return _mixed(result, 7)


def _neighbours(edges: Edges, before: Hashes, own: Hashes) -> Hashes:
    """Return sum_j of the edge's colour times that of (j, y), for each pair (i, y)."""
    colours = _mixed(edges.label, 8) | np.uint64(1)
    if edges.loose.any():
        other = _mixed(before, 9)
        for some in _parts(np.flatnonzero(edges.loose), own.shape[1]):
            colours[some] += _mixed((own[edges.first[some]] * other[edges.second[some]]).sum(axis=1), 10)
    return joined(edges, colours, own)


def joined(edges: Edges, factors: npt.NDArray[Any], table: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return, for each profile i, the sum over its edges of their factor times the other profile's row; modulo 2^64.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from mechdesign.privacy.inequalities import directed_edges
    >>> from mechdesign.privacy.requirement import Requirement
    >>> edges = directed_edges([Requirement(0, 1, Fraction(1), Fraction(0))], 2)
    >>> joined(edges, np.array([2, 3]), np.array([[1, 1], [5, 7]])).tolist()
    [[10, 14], [3, 3]]
    """
    k = len(table)
    if 2 * len(edges.first) <= k * k:
        shape = sp.csr_matrix((factors, edges.second, edges.start), shape=(k, k))
        return np.asarray(shape @ table)
    # Nearly all are neighbours, most with the same factor: what differs from that has few entries.
    dense = np.zeros((k, k), dtype=factors.dtype)
    dense[edges.first, edges.second] = factors
    values, counts = np.unique(factors, return_counts=True)
    usual = values[counts.argmax() :][:1]
    found: npt.NDArray[Any] = sp.csr_matrix(dense - usual) @ table + usual * table.sum(axis=0)
    return found


def _categories(masses: npt.NDArray[np.float64], kinds: Hashes, own: Hashes) -> Hashes:
    """Return how each output stands to the categories of its profile, as these stand to the outputs."""
    there = _mixed(_mixed(masses.view(np.uint64), 11) + own @ kinds.T, 12) * (masses > 0)
    return np.array(there @ kinds, dtype=np.uint64)


def _parts(places: Integers, width: int) -> list[Integers]:
    return np.array_split(places, len(places) * width // AT_ONCE + 1)


def _mixed(values: npt.NDArray[np.generic], salt: int) -> Hashes:
    """Return hashes of integers of 64 bits: Stafford's mixer, as in splitmix64."""
    mixed = values.astype(np.uint64, order="C")
    flat = mixed.reshape(-1)
    for start in range(0, flat.size, IN_CACHE):
        bits = flat[start : start + IN_CACHE]
        bits += np.uint64(salt * 0x9E3779B97F4A7C15 % 2**64)
        bits ^= bits >> np.uint64(30)
        bits *= np.uint64(0xBF58476D1CE4E5B9)
        bits ^= bits >> np.uint64(27)
        bits *= np.uint64(0x94D049BB133111EB)
        bits ^= bits >> np.uint64(31)
    return mixed
