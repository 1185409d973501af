"""Counts and other values on a path with deltas, and a loss: by chains, which are added where they pay.

What is released of each output is made of chains, see `mechdesign.solver.chains`; how much of each there is, is a
linear program, see `mechdesign.solver.chain_program`.

It begins with the chains of the geometric mechanism, those of delta = 0, and the same cut where their masses are about
a delta. Its multipliers price all other chains, and those that save something are added until there are none: then they
prove that no mechanism has a smaller loss. For a count of 200 there are some thousand chains with 600 rows, where the
whole program has 120,000 columns and 80,000 rows. Of a chain that ends where its probability is p there may be
delta / p at most: what it saves is as much of its price. Around a delta of 1e-9 most that have a price save nothing.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.objective import ExpectedLoss, WorstLoss
from mechdesign.problem import NEAR, NOTHING, Problem
from mechdesign.program.program import Program
from mechdesign.program.tolerances import MOST_ROUNDS
from mechdesign.solution import Minimum, Solution
from mechdesign.solver.chain_program import ChainProgram
from mechdesign.solver.chains import Chains, Cheapest
from mechdesign.solver.geometric_remap import values_on_path, vertex_of
from mechdesign.solver.highs import HIGHS_TOLERANCE, Basis
from mechdesign.solver.minimise import MANY_ROWS, MOST_ERROR, Wanted, minimum_of
from mechdesign.solver.stopping import offer
from mechdesign.stopwatch import announce


def has_chains(problem: Problem) -> bool:
    """Return whether a problem is solved here: a large one of values on a path, some edges of which have a delta.

    Worst losses have to grow with the distance, or chains of the geometric mechanism are no good ones to begin with.
    """
    if not isinstance(problem.objective, ExpectedLoss | WorstLoss) or not any(one.delta for one in problem.required):
        return False
    large = 2 * len(problem.required) * problem.outputs > MANY_ROWS
    path = values_on_path(problem) if large and problem.is_local else None
    return path is not None and (path.grow or not isinstance(problem.objective, WorstLoss))


def solve_by_chains(problem: Problem) -> Solution | str:
    """Return an optimum with its multipliers, also as a vertex; why there is none, if it is not found or not proved."""
    path = values_on_path(problem)
    assert path is not None
    master = ChainProgram.of(problem, path)
    if isinstance(master, str):
        return master
    search = _Search(master)
    chains = master.first().fresh(search.known)
    parts = [master.columns(chains)]
    start: Basis | None = None
    for number in range(MOST_ROUNDS):
        announce(f"solve, round {number + 1}: {len(chains.outputs)} chains")
        program = master.program(parts)
        vertex = minimum_of(program, Wanted.EASY_VERTEX, start=start)
        if isinstance(vertex, str):
            return vertex
        if vertex.error > NEAR / 2:
            return f"an error of {vertex.error:.1g} in what there is of chains"
        answer, new = search.step(program, vertex)
        if new is None:
            break
        offer(problem, partial(master.offered, chains, answer))
        parts.append(master.columns(new))
        chains, start = chains.with_others(new), vertex.basis and vertex.basis.with_columns(len(new.outputs))
    else:
        return f"the chains did not end within {MOST_ROUNDS} rounds"
    proved = master.proved_solution(chains, answer)
    return proved if isinstance(proved, str) else replace(proved, vertex=vertex_of(problem, proved))


class _Search:
    """New chains, by multipliers of those that there are: those of a vertex, as long as these lead on.

    Where an optimum has many multipliers, those of the next vertex may be far from those of the last, prove less, and
    ask for chains that make the loss no smaller. From the middle of all optimal multipliers few chains are missing.
    When none is, or they prove as much as an inner point can, it goes on by mixtures: a tenth of the multipliers that
    have proved most, and the rest of a vertex's. Without this "count 140x140, worst hamming, epsilon 1, delta 1e-6" of
    benchmarks/cliffs.py takes over 90 s of processor time, not 8 s. It begins in the tenth round in which the loss
    stays as it is: from the fifth on "count 100x100, worst absolute, epsilon 2, delta 0.001" would take 5.3 s, not
    1.6 s, as mixtures say less than vertices of what all optima have in common.
    """

    def __init__(self, master: ChainProgram) -> None:
        self.master = master
        self.known: set[bytes] = set()
        self._bound, self._centre = -math.inf, np.zeros(0)
        self._value, self._stays = math.inf, 0

    def step(self, program: Program, vertex: Minimum) -> tuple[Minimum, Chains | None]:
        """Return the vertex with multipliers that ask for new chains, and these; or with those that prove it."""
        value = abs(vertex.columns[0])
        self._stays += self._value - value <= NEAR * value
        self._value = value
        for answer, cheapest in self._priced_points(program, vertex):
            if self._is_stuck and self._is_proved(HIGHS_TOLERANCE):
                return replace(vertex, multipliers=self._centre), None
            new = cheapest.saving(NOTHING * value).fresh(self.known)
            if len(new.outputs):
                return answer, new
        return vertex, None

    def _priced_points(self, program: Program, vertex: Minimum) -> Iterator[tuple[Minimum, Cheapest]]:
        """Yield a vertex, priced; before it, where it does not lead on, with multipliers from the middle, and mixed."""
        before = self._bound
        own = self._priced(vertex, vertex.multipliers)
        if self._is_stuck and self._bound == before:
            middle = None if self._is_proved(MOST_ERROR) else minimum_of(program, accuracy=HIGHS_TOLERANCE)
            if isinstance(middle, Minimum):
                yield self._priced(vertex, middle.multipliers)
            yield self._priced(vertex, (self._centre + 9 * vertex.multipliers) / 10)
        yield own

    @property
    def _is_stuck(self) -> bool:
        return self._stays >= 10

    def _is_proved(self, share: float) -> bool:
        """Return whether the largest bound is within such a share of the loss."""
        value = self._value * self.master.unit
        return value - self._bound <= share * value

    def _priced(self, vertex: Minimum, multipliers: Floats) -> tuple[Minimum, Cheapest]:
        """Return a vertex with multipliers, which are kept if they prove most so far, and what is cheapest by them."""
        answer = replace(vertex, multipliers=multipliers)
        cheapest = self.master.cheapest(answer, NOTHING)
        bound = self.master.proved(answer, cheapest)
        if bound > self._bound:
            self._bound, self._centre = bound, multipliers
        return answer, cheapest
