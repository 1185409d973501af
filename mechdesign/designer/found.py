"""What is found for a whole graph, by components or as one model, before it is checked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mechdesign.certificate.certificate import Proof
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.problem import Problem


@dataclass(frozen=True, eq=False)
class Found:
    """A mechanism with what no mechanism is below.

    Attributes
    ----------
    proof
        the bound, with its multipliers where a certificate can state them.
    bound_by
        "duality" for a bound that is proved exactly, "solver" for what a solver says in doubles.
    problems
        members and problem of each component, whose cliques make checking faster.
    counts
        components, how many of them needed no noise, for how many any optimum had to do, for how many the bound is
        proved with our own solver's multipliers as the one that was asked gave none, and how many went each `way`.
    seconds
        how long each phase took.
    """

    mechanism: Mechanism
    proof: Proof
    bound_by: str
    problems: Sequence[tuple[list[int], Problem]]
    counts: dict[str, Any]
    seconds: dict[str, float]
