"""A design: a mechanism with what is known of it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import networkx as nx

from mechdesign.certificate.certificate import Proof, certificate_of
from mechdesign.closed_form.best_pair import best_pair
from mechdesign.designer.baseline import baseline, category_costs
from mechdesign.designer.caution import warning_of
from mechdesign.designer.method import Method
from mechdesign.designer.one_bit_cluster import class_bound
from mechdesign.exact.numbers import Epsilon
from mechdesign.graph.uncertainty import is_robust
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import MaxOffDiagonal, Objective, value_of
from mechdesign.privacy.requirement import Requirement
from mechdesign.words import counted


@dataclass(frozen=True, eq=False, repr=False)
class Design:
    """A mechanism with what is known of it.

    Attributes
    ----------
    mechanism
        exactly private.
    required
        what the edges require.
    value
        the objective's value, computed exactly from the mechanism; rounded up by 2^-120 at most where that would be
        thousands of digits long.
    proof
        the bound and the multipliers behind it.
    scale_own
        whether epsilon is a multiple of the edges' own; those of `graph` are multiplied by it.
    stats
        seconds in all and by phase (the components' added up, wherever they ran), components, how many of them needed
        no noise, for how many any optimum had to do.
    """

    mechanism: Mechanism
    graph: nx.Graph
    epsilon: Epsilon
    delta: Fraction
    required: Sequence[Requirement]
    objective: Objective
    method: str
    value: Fraction
    proof: Proof
    stats: dict[str, Any]
    scale_own: bool = False

    def __repr__(self) -> str:
        value, bound = float(self.value), float(self.bound)
        return f"Design({self.objective.name} = {value:.9g}, bound {bound:.9g}, {counted(len(self.graph), 'profile')})"

    @property
    def robust(self) -> bool:
        """Whether it is private for every distribution within the bounds of profiles, not only for those given."""
        return is_robust(self.graph)

    @property
    def bound(self) -> Fraction:
        """No mechanism does better than this: bound <= optimum <= value.

        One matrix for each component is meant where that was asked for, otherwise one for each profile.
        """
        return self.proof.bound

    @cached_property
    def class_bound(self) -> Fraction:
        """No mechanism of the method's own class does better than this.

        For method "one-bit-cluster" these are flips of the bit, one for each component, and this may be above the
        bound; for all others it is the bound.
        """
        if self.method != Method.ONE_BIT_CLUSTER:
            return self.bound
        return max(self.bound, class_bound(self.graph, self.required, self.objective))

    @cached_property
    def pair_bound(self) -> Fraction | None:
        """What the best pair of profiles alone asks for: a bound in closed form; None for a loss.

        See `mechdesign.closed_form.best_pair`.
        """
        if not isinstance(self.objective, MaxOffDiagonal):
            return None
        exact = [attributes["distribution"] for attributes in self.graph.nodes.values()]
        return best_pair(exact, self.required).level

    @cached_property
    def baseline(self) -> Fraction:
        """The objective's value of the mechanism that a design is compared with, see `mechdesign.designer.baseline`."""
        return value_of(self.objective, self._compared)

    @cached_property
    def category_costs(self) -> list[Fraction] | None:
        """How far each category's released probability is from the true one, at most; None for other outputs."""
        return category_costs(self.mechanism)

    @cached_property
    def baseline_category_costs(self) -> list[Fraction] | None:
        """The same for the mechanism that it is compared with."""
        return category_costs(self._compared)

    @cached_property
    def _compared(self) -> Mechanism:
        epsilon = math.inf if self.scale_own else self.epsilon
        return baseline(self.graph, self.required, self.objective, epsilon, self.delta, outputs=self.mechanism.outputs)

    @cached_property
    def warning(self) -> str | None:
        """That nothing is protected, or that the loss means nothing, in words; None if neither."""
        return warning_of(self.graph, self.required, self.objective)

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """The proof of privacy, value and bound as a JSON value: see `mechdesign.certificate.certificate`."""
        notes = {"made_by": "mechdesign", "method": self.method, "seconds": self.stats["seconds"]}
        return certificate_of(self.mechanism, self.graph, self.required, self.objective, self.proof, self.value, notes)
