"""The problem with one variable for each class of what is alike, in place of one for each probability.

Lemma. The mean of an answer over the classes is private and costs no more: privacy and losses are convex, and the
classes are equitable (Grohe and others, see `refinement`). So an optimum is constant on each class, and the canonical
optimum, which is unique, is.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from mechdesign.privacy.alike import Alike
from mechdesign.privacy.inequalities import directed_edges
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import Problem
from mechdesign.symmetry.colour_refinement import first_colours, given_in, proposed_classes
from mechdesign.symmetry.equitable import are_equitable, edge_classes, profile_classes


def by_classes(problem: Problem, prior: Sequence[Fraction]) -> Problem | None:
    """Return the problem with a map to classes, exactly equitable; None if there are not so few that they are of use.

    Its profiles are those that stand for their class, with the weight of all of it.

    Examples
    --------
    >>> from mechdesign import ExpectedLoss, value_graph
    >>> from mechdesign.privacy.requirement import requirements
    >>> graph = value_graph(range(5))
    >>> exact = [attributes["distribution"] for attributes in graph.nodes.values()]
    >>> required = tuple(requirements(graph, Fraction(1), Fraction(0)))
    >>> problem = Problem(exact, required, ExpectedLoss(), np.full(5, 0.2), False)
    >>> by_classes(problem, [Fraction(1, 5)] * 5).variables.tolist()
    [[0, 1, 1, 1, 1]]
    """
    alike = _alike(problem, prior)
    if alike is None or len(alike.inequalities.above) >= _plain_rows(problem):
        return None
    return replace(
        problem,
        exact=[problem.exact[i] for i in alike.representatives.tolist()],
        required=tuple(Requirement(0, 0, *asked) for asked in alike.edges.asked),
        weights=np.bincount(alike.group, weights=problem.weights).astype(np.float64),
        alike=alike,
        origin=problem,
    )


def _alike(problem: Problem, prior: Sequence[Fraction]) -> Alike | None:
    """Return the classes; None if there are none to speak of.

    Profiles that have to release the same, share a matrix or are known only within bounds have none; nor has any
    objective but the losses and the largest off-diagonal entry: it has rows of its own, whose multipliers would have to
    be made alike too. What is the largest of the profiles' costs does not depend on their weights.
    """
    same = any(not edge.epsilon and not edge.delta for edge in problem.required)
    if same or not problem.is_local or not (problem.losses or problem.objective.by_cuts):
        return None
    if not problem.objective.additive:
        prior = [Fraction(1, len(prior))] * len(prior)
    colours = first_colours(problem, prior)
    if colours is None:
        return None
    given = given_in(problem, prior)
    kept = problem.required if problem.cover.cliques else problem.independent_pairs
    edges = directed_edges(kept, len(problem.exact))
    classes = proposed_classes(problem, edges, given, colours)
    group = None if classes is None else profile_classes(classes)
    if classes is None or group is None or not are_equitable(problem, edges, given, classes, group):
        return None
    starts = edge_classes(edges, classes) * (int(group.max()) + 1) + group[edges.first]
    edge = np.unique(starts, return_inverse=True)[1]
    return Alike(classes, group, edges, edge, len(problem.required) - len(kept))


def _plain_rows(problem: Problem) -> int:
    """Return how many rows of privacy the program of all profiles has."""
    cliques = sum(len(clique.members) for clique in problem.cover.cliques)
    return 2 * problem.outputs * (cliques + len(problem.independent_pairs))
