"""The problem of the classes: one profile stands for all of its class, one column for each class of pairs.

Lemma. The mean of an answer over the classes is private and costs no more: privacy and losses are convex, and the
classes are equitable (Grohe and others, see `refinement`). So an optimum is constant on each class, and the canonical
optimum, which is unique, is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Integers
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import Problem
from mechdesign.symmetry.colour_refinement import first_colours, proposed_classes
from mechdesign.symmetry.edges import Edges, directed_edges
from mechdesign.symmetry.equitable import are_equitable, edge_classes, profile_classes
from mechdesign.symmetry.numbered import given_in


@dataclass(frozen=True, eq=False)
class Limits:
    """The requirements on classes, (1) q_above <= e^epsilon q_below (+ slack), each for many on pairs.

    Attributes
    ----------
    key
        in order: a number for the three below.
    above, below
        classes of pairs.
    edge
        the number of the class of edges that it belongs to.
    times
        how many (a, b, y) it stands for.
    """

    key: Integers
    above: Integers
    below: Integers
    edge: Integers
    times: Integers


@dataclass(frozen=True, eq=False, kw_only=True)
class Quotient(Problem):
    """A problem of one profile for each class of them; `weights` are those of all profiles of the class together.

    `required` only says what is asked: each epsilon and delta once.

    Attributes
    ----------
    whole
        the problem of all profiles.
    classes
        k x m: the number of each pair's class.
    group
        the number of each profile's class, a position among the profiles of this problem.
    edges
        the directed requirements of the whole problem, without those that others imply.
    implied
        how many requirements others imply.
    edge
        the number of each edge's class, as it starts from a profile of some class.
    prior
        the exact weights of all profiles of each class together.
    """

    whole: Problem
    classes: Integers
    group: Integers
    edges: Edges
    edge: Integers
    implied: int
    prior: tuple[Fraction, ...]

    @cached_property
    def representatives(self) -> Integers:
        """The position of the profile that stands for each class."""
        return np.unique(self.group, return_index=True)[1]

    @cached_property
    def copies(self) -> Integers:
        """How many profiles each class has."""
        return np.bincount(self.group)

    @cached_property
    def columns(self) -> Integers:
        """The class of each pair of the profiles that stand for the others, r x m."""
        return self.classes[self.representatives]

    @cached_property
    def sizes(self) -> Integers:
        """How many pairs each class has."""
        return np.bincount(self.classes.ravel())

    @cached_property
    def distinct_losses(self) -> tuple[Integers, list[Fraction]]:
        """The losses that there are, which take a while to look through: those of the whole problem."""
        return self.whole.distinct_losses

    @cached_property
    def free(self) -> list[int]:
        """The output each category is given without privacy, which is that of the whole problem."""
        return self.whole.free

    @cached_property
    def first_edges(self) -> Integers:
        """The number of the first edge of each class of edges."""
        return np.unique(self.edge, return_index=True)[1]

    @cached_property
    def times_of_edges(self) -> Integers:
        """How many edges each class of edges has."""
        return np.bincount(self.edge)

    @cached_property
    def asked_by(self) -> Integers:
        """For each limit, the number of what it asks."""
        return self.edges.label[self.first_edges[self.limits.edge]]

    @cached_property
    def loose_limits(self) -> npt.NDArray[np.bool_]:
        """Which limits have a positive delta."""
        return self.edges.loose[self.first_edges][self.limits.edge]

    @cached_property
    def limits(self) -> Limits:
        """What the edges ask of classes, each thing once."""
        chosen = self.edges.of(self.representatives)
        keys = self._keys(chosen)
        found, numbers = np.unique(keys, return_inverse=True)
        copies = np.repeat(self.copies[self.group[self.edges.first[chosen]]], self.outputs)
        times = np.bincount(numbers.ravel(), weights=copies).astype(np.int64)
        count, kinds = len(self.sizes), len(self.first_edges)
        return Limits(found, found // kinds // count, found // kinds % count, found % kinds, times)

    def limits_of(self, edge: int) -> Integers:
        """Return the number of the limit of each output of an edge."""
        place: Integers = np.searchsorted(self.limits.key, self._keys(np.array([edge]))[0])
        return place

    def _keys(self, chosen: Integers) -> Integers:
        """Return a number for the classes at the ends of each of these edges, and for its own, by output."""
        above, below = self.classes[self.edges.first[chosen]], self.classes[self.edges.second[chosen]]
        ends: Integers = above * len(self.sizes) + below
        keys: Integers = ends * len(self.first_edges) + self.edge[chosen][:, None]
        return keys


def quotient_of(problem: Problem, prior: Sequence[Fraction]) -> Quotient | None:
    """Return the problem of the classes, exactly equitable; None if there are not so few that they are of use.

    `prior` are the profiles' exact weights. Profiles that have to release the same, share a matrix or are known only
    within bounds have none; nor has any objective but the losses and the largest off-diagonal entry.

    Examples
    --------
    >>> from mechdesign import ExpectedLoss, value_graph
    >>> from mechdesign.privacy.requirement import requirements
    >>> graph = value_graph(range(5))
    >>> exact = [attributes["distribution"] for attributes in graph.nodes.values()]
    >>> required = tuple(requirements(graph, Fraction(1), Fraction(0)))
    >>> problem = Problem(exact, required, ExpectedLoss(), np.full(5, 0.2), False)
    >>> quotient_of(problem, [Fraction(1, 5)] * 5).columns.tolist()
    [[0, 1, 1, 1, 1]]
    """
    if (
        problem.shared
        or problem.uncertain is not None
        or any(not edge.epsilon and not edge.delta for edge in problem.required)
    ):
        return None
    if not (problem.losses or problem.objective.by_cuts):
        return None  # another objective has rows of its own, whose multipliers would have to be made alike too
    colours = first_colours(problem)
    if colours is None:
        return None
    given = given_in(problem, prior)
    kept = problem.required if problem.cover.cliques else problem.independent_pairs
    edges = directed_edges(kept, len(problem.exact))
    classes = proposed_classes(problem, edges, given, colours)
    group = None if classes is None else profile_classes(classes)
    if classes is None or group is None or not are_equitable(problem, edges, given, classes, group):
        return None
    first = np.unique(group, return_index=True)[1].tolist()
    known = {one.name: getattr(problem, one.name) for one in fields(problem)}
    known |= {
        "exact": [problem.exact[i] for i in first],
        "required": tuple(Requirement(0, 0, *asked) for asked in edges.asked),
        "weights": np.bincount(group, weights=problem.weights),
    }
    shares = [Fraction(0)] * len(first)
    for number, share in zip(group.tolist(), prior, strict=True):
        shares[number] += share
    found = Quotient(
        **known,
        whole=problem,
        classes=classes,
        group=group,
        edges=edges,
        implied=len(problem.required) - len(kept),
        edge=np.unique(edge_classes(edges, classes) * len(first) + group[edges.first], return_inverse=True)[1],
        prior=tuple(shares),
    )
    return found if len(found.limits.above) < _plain_rows(problem) else None


def _plain_rows(problem: Problem) -> int:
    """Return how many rows of privacy the program of all profiles has."""
    cliques = sum(len(clique.members) for clique in problem.cover.cliques)
    return 2 * problem.outputs * (cliques + len(problem.independent_pairs))
