"""Counts and other values on a path with deltas, and a loss: by chains, which are added where they pay.

What is released of each output is made of chains, see `mechdesign.solver.chains`; how much of each there is, is a
linear program, see `mechdesign.solver.chain_program`.

It begins with the chains of the geometric mechanism, those of delta = 0, and the same cut where their masses are about
a delta. Its multipliers price all other chains, and the arms of those that save something are added until there are
none: then they prove that no mechanism has a smaller loss. For a count of 200 there are some thousand arms with 800
rows, where the whole program has 120,000 columns and 80,000 rows. Of a chain that ends where its probability is p there
may be delta / p at most: what it saves is as much of its price. Around a delta of 1e-9 most that have a price save
nothing.

Where an optimum has many multipliers, those of a vertex may prove next to nothing, and ask for chains without end that
make the loss no smaller. Those of the geometric mechanism prove its loss, less what deltas save of it at most, which is
little where they are small: without them "count 140x140, worst hamming, epsilon 1, delta 1e-6" of benchmarks/cliffs.py
takes 35 s of processor time, not 4 s.
"""

import math
from dataclasses import replace
from functools import partial

import numpy as np

from mechdesign.objective import ExpectedLoss, WorstLoss
from mechdesign.problem import NEAR, NOTHING, Problem
from mechdesign.program.released_program import released_program
from mechdesign.program.tolerances import MOST_ROUNDS
from mechdesign.solution import Minimum, Solution
from mechdesign.solver.chain_program import ChainProgram
from mechdesign.solver.chains import Arms
from mechdesign.solver.cutting_planes import solution_of
from mechdesign.solver.geometric_remap import values_on_path, vertex_of
from mechdesign.solver.highs import FINEST, HIGHS_TOLERANCE
from mechdesign.solver.minimise import MANY_ROWS, MOST_ERROR, Wanted, minimum_of
from mechdesign.solver.optimality import Answer, error_of
from mechdesign.solver.stopping import offer
from mechdesign.solver.vertices import Basis, to_vertex
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
    search, over = _Search(problem, master), None
    for number in range(MOST_ROUNDS):
        announce(f"solve, round {number + 1}: {len(search.arms.outputs)} arms of chains")
        over = search.step()
        if over is not None:
            break
    proved = search.proved()
    if proved is not None:
        return replace(proved, vertex=vertex_of(problem, proved))
    announce(f"solve otherwise: {over or f'the chains did not end within {MOST_ROUNDS} rounds'}")
    return _beside_geometric(problem, master)


def _beside_geometric(problem: Problem, master: ChainProgram) -> Solution | str:
    """Return the vertex of the whole program beside the geometric mechanism, where deltas save next to nothing.

    Chains are told apart worst there. Without this "count 100x100, worst hamming, epsilon 1, delta 1e-9" of
    benchmarks/cliffs.py takes 8 s of processor time, not 3 s.
    """
    proof = master.proof(master.geometric_prices())
    geometric = master.geometric_solution(proof)
    if geometric.value - proof.bound > MOST_ERROR * abs(geometric.value):
        return "deltas save more than next to nothing"
    program, near = released_program(problem, ()), vertex_of(problem, geometric)
    answer = to_vertex(program, Answer(near.columns, near.multipliers, np.zeros(0)))
    if isinstance(answer, str):
        return answer
    error = error_of(program, answer.columns, answer.multipliers, answer.prices)
    if error > NEAR / 2:
        return f"an error of {error:.1g} beside the geometric mechanism"
    vertex = Minimum(answer.columns, answer.multipliers, error, answer.basis)
    found = solution_of(problem, program, vertex)
    return replace(found, program=None, columns=None, way="whole program", vertex=vertex)


class _Search:
    """Arms of chains, more in each step, the last vertex of their program, and the best proof so far."""

    def __init__(self, problem: Problem, master: ChainProgram) -> None:
        self.problem, self.master = problem, master
        self._known: set[bytes] = set()
        self.arms = master.fresh(master.first(), self._known)
        self._parts = [master.columns(self.arms)]
        self._start: Basis | None = None
        self._found: tuple[Arms, Minimum] | None = None
        self._best = master.proof(master.geometric_prices())
        self._least, self._stays = math.inf, 0

    def step(self) -> str | None:
        """Find a vertex, what it proves, and new arms; return why there are none, if it is over."""
        vertex = minimum_of(self.master.program(self._parts, self.arms), Wanted.EASY_VERTEX, start=self._start)
        if isinstance(vertex, str):
            return vertex
        if vertex.error > NEAR / 2:
            return f"an error of {vertex.error:.1g} in what there is of chains"
        self._found, value = (self.arms, vertex), float(vertex.columns[0])
        own = self.master.proof(self.master.prices(vertex, NOTHING))
        self._best = max(self._best, own, key=lambda proof: proof.bound)
        new = self.master.fresh(own.cheapest.saving(NOTHING * abs(value)), self._known)
        over = self._is_proved(value) or not len(new.outputs)
        if over and (vertex.error <= FINEST or self._start is None):
            return "doubles do not hold what is to be proved of chains"
        offer(self.problem, partial(self.master.solution, self.arms, vertex, own))
        self._add(new, None if over else vertex.basis)
        return None

    def _add(self, new: Arms, basis: Basis | None) -> None:
        """Add arms, and begin the next step at a vertex; without one, for its last digits, with no start."""
        arms = self.arms.with_others(new)
        rows = int(arms.pairs.max() - self.arms.pairs.max())
        self._start = None if basis is None else basis.with_others(len(new.outputs), rows)
        self.arms = arms
        self._parts.append(self.master.columns(new))

    def _is_proved(self, value: float) -> bool:
        """Return whether a loss that stays as it is, is proved.

        One that falls is not, if by less than can be seen of it: the multipliers of a vertex from which no chain saves
        anything say better what all optima have in common.
        """
        self._stays += self._least - value <= NOTHING * abs(value)
        self._least = min(self._least, value)
        return self._stays >= 3 and value - self._best.bound / self.master.unit <= HIGHS_TOLERANCE * abs(value)

    def proved(self) -> Solution | None:
        """Return the last vertex as a solution, with what proves that it is an optimum; None if nothing does.

        Multipliers as they are say what is common to all optima; where they prove nothing, it is the best proof so far,
        or limits count by more.
        """
        if self._found is None:
            return None
        arms, vertex = self._found
        for more in (0.0, None, NEAR / 4 / self.master.limits):
            proof = self._best if more is None else self.master.proof(self.master.prices(vertex, more))
            solution = self.master.solution(arms, vertex, proof)
            if abs(solution.value - proof.bound) <= NEAR * abs(solution.value):
                return solution
        return None
