"""Counts and other values on a path with deltas, and an expected loss: by chains, which are added where they pay.

What is released of each output is made of chains, see `mechdesign.solver.chains`; how much of each there is, is a
linear program, see `mechdesign.solver.chain_program`.

It begins with the chains of the geometric mechanism, those of delta = 0, and the same cut where their masses are about
a delta. Its multipliers price all other chains, and the arms of those that save something are added until there are
none: then they prove that no mechanism has a smaller loss. For a count of 200 there are some thousand arms with 800
rows, where the whole program has 120,000 columns and 80,000 rows. Of a chain that ends where its probability is p there
may be delta / p at most: what it saves is as much of its price. Around a delta of 1e-9 most that have a price save
nothing.

Worst losses are not solved here: with large deltas there are chains without end, and "count 100x100, worst squares,
epsilon 0.1, delta 0.2" of benchmarks/cliffs.py would take 55 s of processor time, where the whole program takes 2 s.
"""

import math
from dataclasses import replace
from functools import partial

from mechdesign.objective import ExpectedLoss
from mechdesign.problem import NEAR, NOTHING, Problem
from mechdesign.program.tolerances import MOST_ROUNDS
from mechdesign.solution import Minimum, Solution
from mechdesign.solver.chain_program import ChainProgram
from mechdesign.solver.chains import Arms
from mechdesign.solver.geometric_remap import values_on_path, vertex_of
from mechdesign.solver.highs import FINEST, HIGHS_TOLERANCE
from mechdesign.solver.minimise import MANY_ROWS, Wanted, minimum_of
from mechdesign.solver.stopping import offer
from mechdesign.solver.vertices import Basis
from mechdesign.stopwatch import announce


def has_chains(problem: Problem) -> bool:
    """Return whether a problem is solved here: a large one of values on a path, some edges of which have a delta."""
    if not isinstance(problem.objective, ExpectedLoss) or not any(one.delta for one in problem.required):
        return False
    large = problem.privacy_rows > MANY_ROWS and problem.is_local
    return large and values_on_path(problem) is not None


def solve_by_chains(problem: Problem) -> Solution | str:
    """Return an optimum with its multipliers, also as a vertex; why there is none, if it is not found or not proved."""
    path = values_on_path(problem)
    assert path is not None
    search, over = _Search(problem, ChainProgram.of(problem, path)), None
    for number in range(MOST_ROUNDS):
        announce(f"solve, round {number + 1}: {len(search.arms.outputs)} arms of chains")
        over = search.step()
        if over is not None:
            break
    proved = search.proved()
    if proved is None:
        return over or f"the chains did not end within {MOST_ROUNDS} rounds"
    return replace(proved, vertex=vertex_of(problem, proved))


class _Search:
    """Arms of chains, more in each step, the last vertex of their program, and the best bound so far."""

    def __init__(self, problem: Problem, master: ChainProgram) -> None:
        self.problem, self.master = problem, master
        self._known: set[bytes] = set()
        self.arms = master.fresh(master.first(), self._known)
        self._parts = [master.columns(self.arms)]
        self._start: Basis | None = None
        self._found: tuple[Arms, Minimum, float] | None = None
        self._bound, self._least, self._stays = -math.inf, math.inf, 0

    def step(self) -> str | None:
        """Find a vertex, what it proves, and new arms; return why there are none, if it is over."""
        program = self.master.program(self._parts, self.arms)
        vertex = minimum_of(program, Wanted.EASY_VERTEX, start=self._start)
        if isinstance(vertex, str):
            return vertex
        if vertex.error > NEAR / 2:
            return f"an error of {vertex.error:.1g} in what there is of chains"
        value = float(program.cost @ vertex.columns)
        self._found = self.arms, vertex, value
        own = self.master.proof(self.master.prices(vertex.multipliers, abs(value), NOTHING))
        self._bound = max(self._bound, own.bound / self.master.unit)
        new = self.master.fresh(own.cheapest.saving(NOTHING * abs(value)), self._known)
        over = self._is_proved(value) or not len(new.outputs)
        if over and (vertex.error <= FINEST or self._start is None):
            return "doubles do not hold what is to be proved of chains"
        offer(self.problem, partial(self.master.solution, self.arms, vertex.columns, own))
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
        return self._stays >= 3 and value - self._bound <= HIGHS_TOLERANCE * abs(value)

    def proved(self) -> Solution | None:
        """Return the last vertex as a solution, with what proves that it is an optimum; None if nothing does.

        Multipliers as they are say what is common to all optima; where they prove nothing, limits count by more.
        """
        if self._found is None:
            return None
        arms, vertex, value = self._found
        for more in (0.0, NEAR / 4 / self.master.limits):
            proof = self.master.proof(self.master.prices(vertex.multipliers, abs(value), more))
            solution = self.master.solution(arms, vertex.columns, proof)
            if abs(solution.value - proof.bound) <= NEAR * abs(solution.value):
                return solution
        return None
