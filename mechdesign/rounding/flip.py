"""From the flip that a solver finds for a component's bits to the least one that is exactly private."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from mechdesign.closed_form.one_bit_cluster import flip_probability, flipping, rounded_up
from mechdesign.privacy.cover import met
from mechdesign.privacy.released import released_by
from mechdesign.privacy.requirement import Requirement
from mechdesign.problem import NEAR, Problem
from mechdesign.program.one_bit import one_bit_program
from mechdesign.program.program import directed


def exact_flip(problem: Problem, flip: float | None) -> Fraction:
    """Return the least private flip, rounded up to a multiple of 2^-60, from a solver's or None.

    In one variable the limits that bind at the solver's flip are solved exactly, one by one. All of them are, where it
    found none, or was so far off that the largest of these flips is not private.

    References
    ----------
    [GC] Observation 9, Theorem 6.
    """
    if flip is not None:
        found = _largest(problem, _binding(problem, flip))
        if _is_private(problem, found):
            return found
    return _largest(problem, problem.required)


def _binding(problem: Problem, flip: float) -> list[Requirement]:
    strict, loose = directed(problem.required)
    program = one_bit_program(problem)
    excess = program.excess(np.array([flip]))[program.blocks["privacy"]].reshape(-1, 2).max(axis=1)
    bind = (edge for (_, _, edge), above in zip([*strict, *loose], excess, strict=True) if above > -NEAR)
    return list(dict.fromkeys(bind))


def _largest(problem: Problem, limits: Sequence[Requirement]) -> Fraction:
    chances = [distribution[1] for distribution in problem.exact]
    flips = (
        flip_probability(chances[edge.first], chances[edge.second], ratio=edge.ratio_below, delta=edge.delta)
        for edge in limits
    )
    return rounded_up(max(flips, default=Fraction(0)))


def _is_private(problem: Problem, flip: Fraction) -> bool:
    rows = flipping(flip)
    return met([released_by(masses, rows) for masses in problem.exact], problem.cover)
