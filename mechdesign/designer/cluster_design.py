"""One Bit Cluster, [GC] §VI.A: every bit of a connected component is flipped with one probability, the least private.

It is a linear program of its own, [GC] (4), with one variable for each component. What it reaches is compared with two
bounds: that of all mechanisms, in which every profile has a matrix of its own, and that of its own class.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

import networkx as nx
import numpy as np

from mechdesign.certificate.bound import BOUND_UNIT, proved
from mechdesign.closed_form.one_bit_cluster import check_bits, cluster_flips, flipped_by, flipping
from mechdesign.designer.component import Answer, Component
from mechdesign.errors import InputError
from mechdesign.exact.exponentials import MAX_EPSILON, exp_above
from mechdesign.objective import Objective, profile_weights
from mechdesign.privacy.requirement import Requirement
from mechdesign.rounding.flip import exact_flip
from mechdesign.rounding.realise import NoisyRows, reached
from mechdesign.solver.least_flip import solve_flip
from mechdesign.solver.stopping import Until
from mechdesign.solver.structured import solve_structured
from mechdesign.stopwatch import Stopwatch

FLOOR_BITS = 80
"""Lower bounds of flips are multiples of 2^-80: 2^-20 times what a flip is rounded up by."""


def solve_cluster(component: Component, until: Until) -> Answer:
    """Return the least flip of a component's bits, exactly private, with a proof of what any mechanism can do.

    It is the least flip whatever the objective, which is only measured; it ends when that is found, not at any time.

    Raises
    ------
    InputError
        unless there are two categories and two outputs.
    SolverError
        if a solver finds no optimum.
    """
    del until
    problem, timed = component.problem, Stopwatch()
    check_bits(problem.categories)
    if problem.outputs != 2:
        raise InputError(
            f"one-bit-cluster: expected a loss of two outputs, found {problem.outputs}; use another method"
        )
    flip, multipliers = Fraction(0), None
    if not problem.needs_no_noise:
        with timed("solve"):
            multipliers = solve_structured(problem).multipliers
    if problem.required and not (problem.needs_no_noise and problem.free == [0, 1]):
        with timed("solve"):
            guess = solve_flip(problem)
        with timed("repair"):
            flip = exact_flip(problem, guess)
    with timed("bound"):
        proof = proved(problem, multipliers, component.prior)
    k = len(component.members)
    profiles, bits = np.divmod(np.arange(2 * k), 2)
    rows = NoisyRows(profiles, bits, bits, np.array(flipping(flip), dtype=object))
    return Answer(rows, proof, flip > 0, True, reached(problem, rows), timed.seconds, way="one bit cluster")


def class_bound(graph: nx.Graph, required: Sequence[Requirement], objective: Objective) -> Fraction:
    """Return what no private flips, one of at most 1/2 for each component, are below: in closed form, rounded down.

    A profile's cost is linear in its flip, so it is least at the least private flip or at 1/2.

    References
    ----------
    [GC] Observation 9, Theorem 6, with a rational above e^epsilon.

    Examples
    --------
    >>> import mechdesign as md
    >>> from mechdesign.privacy.requirement import requirements
    >>> graph = md.read_graph("bernoulli-couplet")
    >>> float(class_bound(graph, requirements(graph, Fraction(1, 2), Fraction(0)), md.MaxOffDiagonal()))
    0.29590...
    """
    # Beyond MAX_EPSILON e^epsilon is not bounded from above, and hardly anything need be flipped.
    bounded = [edge for edge in required if edge.epsilon <= MAX_EPSILON]
    flips = cluster_flips(graph, bounded, lambda edge: exp_above(edge.epsilon))
    ends = [Fraction(math.floor(flip * 2**FLOOR_BITS), 2**FLOOR_BITS) for flip in flips], [Fraction(1, 2)] * len(flips)
    costs = [objective.costs(flipped_by(graph, end)) for end in ends]
    least = objective.total([min(pair) for pair in zip(*costs, strict=True)], profile_weights(graph))
    return Fraction(math.floor(least * BOUND_UNIT), BOUND_UNIT)
