"""A design: a mechanism with what is known of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import networkx as nx

from mechdesign.certificate.certificate import Proof, certificate_of
from mechdesign.exact.numbers import Epsilon
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective import Objective
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
    bound
        no mechanism does better than this: bound <= optimum <= value. One matrix for each component is meant where that
        was asked for, otherwise one for each profile.
    class_bound
        no mechanism of the method's own class does better. For method "one-bit-cluster" these are flips of the bit, one
        for each component, and this may be above the bound; for all others it is the bound.
    proof
        the multipliers behind the bound.
    scale_own
        whether epsilon is a multiple of the edges' own; those of `graph` are multiplied by it.
    stats
        seconds in all and by phase (the components' added up, wherever they ran), components, how many of them needed
        no noise, for how many any optimum had to do; `warning`: that nothing is protected, or that the loss means
        nothing, in words (None if neither).
    """

    mechanism: Mechanism
    graph: nx.Graph
    epsilon: Epsilon
    delta: Fraction
    required: Sequence[Requirement]
    objective: Objective
    method: str
    value: Fraction
    bound: Fraction
    class_bound: Fraction
    baseline: Fraction
    category_costs: list[Fraction] | None
    baseline_category_costs: list[Fraction] | None
    proof: Proof
    stats: dict[str, Any]
    scale_own: bool = False

    def __repr__(self) -> str:
        value, bound = float(self.value), float(self.bound)
        return f"Design({self.objective.name} = {value:.9g}, bound {bound:.9g}, {counted(len(self.graph), 'profile')})"

    @cached_property
    def certificate(self) -> dict[str, Any]:
        """The proof of privacy, value and bound as a JSON value: see `mechdesign.certificate.certificate`."""
        notes = {"made_by": "mechdesign", "method": self.method, "seconds": self.stats["seconds"]}
        return certificate_of(self.mechanism, self.graph, self.required, self.objective, self.proof, self.value, notes)
