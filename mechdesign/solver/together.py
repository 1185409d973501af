"""Many small problems solved together: optimum and nearest design of the largest off-diagonal entry of each.

They are one projection, of all of their profiles at once, each to the level of its own problem: a step for thousands of
profiles takes hardly longer than one for twenty. What the best edge asks for has a closed form, with its multipliers,
and is the optimum of most. Where the violations do not become less the level is too low, and the optimum of the few
profiles that pull most takes its place. A problem that is not settled in so many rounds is left to the other ways.
"""

from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import NamedTuple

import numpy as np

from mechdesign.arrays import Floats, Integers
from mechdesign.closed_form.best_pair import levels_of
from mechdesign.errors import SolverError
from mechdesign.exact.exponentials import MAX_EPSILON
from mechdesign.objective.multipliers import Multipliers
from mechdesign.objective.reachability import entry_prices
from mechdesign.privacy.requirement import both_ways, of_each
from mechdesign.problem import NEAR, Problem
from mechdesign.program.tolerances import VIOLATION
from mechdesign.solver.decisive_pairs import solve_part
from mechdesign.solver.dualised import Dualised
from mechdesign.solver.priced_rows import Flags
from mechdesign.solver.projection import GRADIENT_ROUNDS, MOST_PULL, SHARE, Projection, is_projection
from mechdesign.solver.side_by_side import side_by_side
from mechdesign.stopwatch import announce

ROUNDS = 12
"""Rounds after which what is not settled is left to the other ways. Of 16 rings with chords, 10 categories and an
epsilon of 0.5 all are settled but one; with 0.1, where 6 are not, it takes as long as to solve each alone. With twice
as many rounds 2 are not, in 1.5 times the time."""

LESS = 0.7
"""In a third of the gradient rounds violations become less than this share of what they were, or else the level may be
too low, and the profiles that pull most decide. Of 113 rings with chords, 5 to 50 profiles and 10 categories, 44 have
another optimum than their best edge: their violations stay above 0.8 times what they were, four fifths of the others'
fall below 0.45, and with the profiles that pull at least a tenth of the most all 44 optima are found."""

LEAST, MOST = 2_000, 1_000
"""Released probabilities of all problems from which on they are solved together, and of one up to which it is small."""


class Optimum(NamedTuple):
    """The value of an optimum, and its multipliers, which are made when they are asked for: few are."""

    value: float
    multipliers: Callable[[], Multipliers | None]


class Both(NamedTuple):
    """An optimum, and what the nearest design releases; the seconds that these took."""

    optimum: Optimum
    released: Floats
    seconds: float


def suited_together(problems: Sequence[Problem], is_plain: Callable[[int], bool] = lambda _: True) -> list[int]:
    """Return which problems are solved together: not one alone, and none if they are few, see `is_projection`.

    Whether one `is_plain` is asked last, only of the others: to look for classes may take longer than to solve it.
    """
    suited = [
        i
        for i, problem in enumerate(problems)
        if problem.profiles.size <= MOST
        and is_projection(problem)
        and all(edge.epsilon > NEAR for edge in problem.required)
        and is_plain(i)
    ]
    many = len(suited) > 1 and sum(problems[i].profiles.size for i in suited) >= LEAST
    return suited if many else []


def solve_together(problems: Sequence[Problem], over: Callable[[], object]) -> list[Both | None]:
    """Return the optimum and the nearest design of each problem; None where they are not found before it is `over`."""
    start, found = perf_counter(), dict[int, tuple[Optimum, Floats]]()
    left, optima = np.arange(len(problems)), best_edges(problems)
    for _ in range(ROUNDS):
        search = _Together([problems[i] for i in left.tolist()], optima)
        raised = search.settle(over)
        for number, optimum, released in zip(left.tolist(), optima, search.found, strict=True):
            if released is not None:
                found[number] = optimum, released
        left, optima = left[list(raised)], list(raised.values())
        if not len(left):
            break
    seconds = (perf_counter() - start) / max(1, len(found))
    return [Both(*found[i], seconds) if i in found else None for i in range(len(problems))]


class _Together:
    """One projection of the problems that are `left`, each to the level of its optimum.

    Attributes
    ----------
    found
        what each problem releases; None where that is not found.
    left
        the numbers of those that are not settled, in the order of their profiles.
    of
        for each profile which of those left is its problem.
    """

    def __init__(self, problems: Sequence[Problem], optima: Sequence[Optimum]) -> None:
        self.problems, self.optima = problems, optima
        self.found: list[Floats | None] = [None] * len(problems)
        whole = side_by_side(problems)
        self.of, self.left = whole.part_of, np.arange(len(problems))
        levels, directed = np.array([optimum.value for optimum in optima]), list(both_ways(whole.required))
        self.search = Projection(Dualised(whole.target_in_doubles, directed, levels[self.of], self.of))

    def settle(self, over: Callable[[], object]) -> dict[int, Optimum]:
        """Find what they release; return, by their numbers, optima of those whose level is too low."""
        raised: dict[int, Optimum] = {}
        seen = np.full(len(self.left), np.inf)
        for number in range(1, ROUNDS + 1):
            if over() or not len(self.left):
                break
            self.search.improve(number)
            rest, settled = self._add_violated()
            if (number + GRADIENT_ROUNDS // 3) % GRADIENT_ROUNDS == 0:
                seen[self.left] = rest
            if number % GRADIENT_ROUNDS == 0:
                raised |= self._raised(np.flatnonzero(~settled & (rest > LESS * seen[self.left])))
            if number >= GRADIENT_ROUNDS:
                self._leave(settled, np.isin(self.left, list(raised)))
        return raised

    def _add_violated(self) -> tuple[Floats, Flags]:
        """Add rows, each problem's where they are violated by a tenth of what its rows are still violated by, or more.

        Return that, and which problems are settled.
        """
        ascent, rest = self.search.ascent, np.zeros(len(self.left))
        np.maximum.at(rest, self.of, self.search.rows.largest(ascent.rest))
        least = np.maximum(VIOLATION, rest / 10)[self.of]
        new = self.search.rows.add_violated(ascent.released, least, least)
        settled = rest <= VIOLATION
        settled[self.of[new]] = False
        return rest, settled

    def _raised(self, places: Integers) -> dict[int, Optimum]:
        """Return the optima of the profiles that pull most in these problems, where they are above the level."""
        pull, raised = self.search.pull, dict[int, Optimum]()
        for place in places.tolist():
            number, mine = int(self.left[place]), pull[self.of == place]
            order = np.argsort(-mine, kind="stable")[:MOST_PULL]
            members = sorted(order[mine[order] >= SHARE * mine.max()].tolist())
            try:
                found = solve_part(self.problems[number], members)
            except SolverError as error:
                announce(f"solve, component {number + 1}: {error}")
                continue
            if found.value > self.optima[number].value + VIOLATION:
                raised[number] = Optimum(found.value, partial(getattr, found, "multipliers"))
        return raised

    def _leave(self, settled: Flags, others: Flags) -> None:
        """Keep the answers of what is settled, and go on without it and the others."""
        gone = settled | others
        if not gone.any():
            return
        released, chosen = self.search.answer, ~gone[self.of]
        for place in np.flatnonzero(settled).tolist():
            self.found[int(self.left[place])] = released[self.of == place]
        self.search = self.search.only(chosen)
        self.of, self.left = (np.cumsum(~gone) - 1)[self.of[chosen]], self.left[~gone]


def best_edges(problems: Sequence[Problem]) -> list[Optimum]:
    """Return the optimum of the best edge of each problem, with its multipliers."""
    whole = side_by_side(problems)
    directed, of = list(both_ways(whole.required)), whole.part_of
    ends = np.array([(a, b) for a, b, _ in directed])
    ratios = np.exp(of_each([one.epsilon for _, _, one in directed], lambda epsilon: float(min(epsilon, MAX_EPSILON))))
    levels, sets = levels_of(whole.target_in_doubles, ends, ratios)
    order = np.lexsort((levels, of[ends[:, 0]]))
    numbers = np.arange(len(problems))
    best = order[np.searchsorted(of[ends[order, 0]], numbers, side="right") - 1]
    edges = ends[best] - np.searchsorted(of, numbers)[:, None]
    rows = zip(problems, edges.tolist(), levels[best].tolist(), sets[best], ratios[best].tolist(), strict=True)
    return [Optimum(level, partial(_of_edge, problem, edge, one, E)) for problem, edge, level, one, E in rows]


def _of_edge(problem: Problem, edge: Sequence[int], asked: Flags, ratio: float) -> Multipliers:
    """Return multipliers of the optimum of an edge (i, j), for all, as `mechdesign.closed_form.two_profiles` proves it.

    For the set S by which i asks j for the level, q^i(S) <= E q^j(S) has one weight, and what is within reach of i, on
    all other outputs, and of j, on these, have the same and E times that; the prices of their entries add up to 1.
    """
    (i, j), outputs = edge, np.flatnonzero(asked).tolist()
    m, size = problem.outputs, len(outputs)
    mass, other = (float(problem.profiles[a, list(outputs)].sum()) for a in edge)
    weight = 1 / ((m - size) * mass + ratio * size * (1 - other))
    others = tuple(y for y in range(m) if y not in outputs)
    cuts, weights = [(i, others), (j, tuple(outputs))], np.array([weight, ratio * weight])
    entries = entry_prices(problem.profiles, cuts, weights)
    privacy = np.zeros(m)
    privacy[list(outputs)] = weight
    return Multipliers({(i, j): privacy}, entries)
