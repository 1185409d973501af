"""The search for a component's optimum, followed: the best private rows and the best proof of all that is offered."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction

import numpy as np
from scipy.sparse.csgraph import shortest_path

from mechdesign.arrays import Floats
from mechdesign.certificate.bound import Bound, proved
from mechdesign.designer.caution import APART
from mechdesign.errors import SolverError
from mechdesign.objective import WorstLoss
from mechdesign.privacy.requirement import epsilons_between
from mechdesign.problem import NEAR, Problem
from mechdesign.rounding.exact_rows import exact_rows
from mechdesign.rounding.realise import NO_ROWS
from mechdesign.solution import Solution
from mechdesign.solver.closest import COARSE
from mechdesign.solver.stopping import GAP, INTERRUPTED, Stopped, Until, followed_by
from mechdesign.stopwatch import announced_to, listener

UNSEARCHED = "without a search"
"""How such rows are found."""

SHARE = 0.2
"""Of the time since the search began, how much rounding and proving what is offered may take."""

FIRST = 1.0
"""Seconds that go by before the first is rounded, unless a gap is wanted: most searches have ended by then."""


def unsearched(problem: Problem) -> Iterator[Solution]:
    """Yield what noise alone makes private, and one answer for all; of places the better of that and the best remap."""
    answer = _answer(problem)
    constant = np.tile(answer, (len(problem.exact), 1))
    places = problem.is_local and problem.has_single_values and all(one.epsilon for one in problem.required)
    if problem.loss is not None and places:
        losses = problem.profiles @ problem.loss
        found = _remapped(problem, losses), constant
        least = min(found, key=lambda one: _value(problem, (one * losses).sum(axis=1)))
        yield Solution(0.0, least, way=UNSEARCHED)
        return
    yield _with_matrices(problem, problem.target_in_doubles, np.identity(problem.outputs)[problem.free])
    yield _with_matrices(problem, constant, np.tile(answer, (len(problem.free), 1)))


def _with_matrices(problem: Problem, released: Floats, matrix: Floats) -> Solution:
    count = 1 if problem.shared else len(problem.exact)
    return Solution(0.0, released, np.broadcast_to(matrix, (count, *matrix.shape)), way=UNSEARCHED)


def _answer(problem: Problem) -> Floats:
    """Return one distribution for all: the output of least loss; without a loss, or where shares are kept, the mean."""
    if problem.loss is None or problem.kept is not None:
        weights = problem.weights if problem.weights.any() else None
        return np.array(np.average(problem.target_in_doubles, axis=0, weights=weights))
    losses = (problem.profiles @ problem.loss).T
    least = np.argmin([_value(problem, one) for one in losses])
    return np.array(np.arange(problem.outputs) == least, dtype=float)


def _value(problem: Problem, losses: Floats) -> float:
    """Return the objective, a loss, of each profile's mean loss."""
    return float(losses.max() if isinstance(problem.objective, WorstLoss) else problem.weights @ losses)


def _remapped(problem: Problem, losses: Floats) -> Floats:
    """Return the exponential mechanism of the epsilons along edges, with its best remap."""
    apart = epsilons_between(problem.required, len(problem.exact))
    answers = np.exp(-shortest_path(apart, method="D") / 2)
    answers /= answers.sum(axis=1, keepdims=True)
    best = ((answers * problem.weights[:, None]).T @ losses).argmin(axis=1)
    return np.array(answers @ np.identity(problem.outputs)[best])


class Search:
    """What is known of a component, whose solver works on `problem`: itself, or its classes.

    Attributes
    ----------
    accuracy
        to which linear programs need be solved just now.
    rows, value, way
        the best rows that were made exactly private, their objective in doubles over the `loss_unit`, how they were
        found.
    proof
        the best bound.
    searched
        whether any of it comes from a solver.
    """

    def __init__(self, problem: Problem, prior: tuple[Fraction, ...], until: Until) -> None:
        self.problem, self.prior, self.until = problem, prior, until
        self.accuracy, self.value, self.way, self.searched = 0.0, math.inf, "", True
        self.rows = NO_ROWS
        self.proof: Bound | None = None
        self._latest: Callable[[], Solution] | None = None
        self._began, self._spent, self._told = time.monotonic(), 0.0, ""

    @property
    def accuracies(self) -> list[float]:
        """To which linear programs are solved, in turn, until the gap is small enough: at first coarsely."""
        return [0.0] if self.until.gap is None else [COARSE * float(self.until.gap), 0.0]

    @contextmanager
    def followed(self) -> Iterator[None]:
        """Follow what is done within, and end it by `Stopped` when it is time."""
        hear = listener()

        def heard(words: str) -> None:
            if self.until.over():
                raise Stopped
            if hear is not None:
                hear(words + self._told)

        self._watched = hear is not None or self.until != Until(interruptible=self.until.interruptible)
        with followed_by(self), announced_to(heard):
            yield

    def take(self, found: Callable[[], Solution], gap: float | None = None) -> None:
        """Keep what is offered, as the best until it is settled, and settle it where there is time for that.

        Where a solver says how large its gap is, it is not settled before that is as small as is wanted.
        """
        self._latest = found
        if self.until.interruptible:
            INTERRUPTED.worth = True
        if gap is not None and self.until.gap is not None and gap > self.until.gap:
            return
        before = 0.0 if self.until.gap is not None else FIRST
        if self._watched and self._spent <= SHARE * (time.monotonic() - self._began - before):
            self.settle()

    def settle(self) -> None:
        """Make what was offered last exactly private, and prove a bound with it.

        Raises
        ------
        Stopped
            if they are as near to each other as is wanted.
        """
        if self._latest is None:
            return
        started, (found, self._latest) = time.monotonic(), (self._latest(), None)
        self._improve(found)
        self._spent += time.monotonic() - started
        if self.gap is not None:
            unit = float(self.problem.loss_unit)
            self._told = f"; value {self.value * unit:.6g}, bound {self._least * unit:.6g}, gap {100 * self.gap:.2g} %"
        if self.is_near:
            raise Stopped

    def end(self) -> None:
        """Settle what was offered last; where that is not near an optimum, see what does without a search.

        Raises
        ------
        SolverError
            if nothing can be made exactly private.
        """
        if self._latest is not None:
            self._improve(self._latest())
        elif not self.rows:
            self.searched = False
        if self.gap is None or self.gap > APART:
            for found in unsearched(self.problem):
                self._improve(found)
        if not self.rows:
            raise SolverError("nothing was found in time that could be made exactly private")

    def why(self) -> str:
        """Return why the search ends now; nothing if it need not."""
        return self.until.over() or (GAP if self.is_near else "")

    @property
    def gap(self) -> float | None:
        """By what share of the value the bound is below it; None if nothing is known."""
        if self.proof is None or not self.rows:
            return None
        return max(0.0, self.value - self._least) / self.value if self.value > 0 else 0.0

    @property
    def is_near(self) -> bool:
        """Whether value and bound are as near to each other as is wanted."""
        wanted, gap = self.until.gap, self.gap
        return wanted is not None and gap is not None and gap <= (1 - NEAR) * float(wanted)

    @property
    def _least(self) -> float:
        assert self.proof is not None
        return float(self.proof.least / self.problem.loss_unit)

    def _improve(self, found: Solution) -> None:
        value, rows = exact_rows(self.problem, _as_rows(found), math.inf)
        if rows and value < self.value:
            self.value, self.rows, self.way = value, rows, found.way
        if found.multipliers is not None or self.proof is None:
            proof = proved(self.problem, found.multipliers, self.prior)
            if self.proof is None or proof.least > self.proof.least:
                self.proof = proof


def _as_rows(found: Solution) -> Solution:
    """Return the same with probabilities that are such: what is not yet optimal may be below 0, or not add up to 1."""
    matrices = None if found.matrices is None else _distributions(found.matrices)
    return replace(found, released=_distributions(found.released), matrices=matrices, program=None, columns=None)


def _distributions(values: Floats) -> Floats:
    values = np.maximum(values, 0.0)
    totals = values.sum(axis=-1, keepdims=True)
    return np.where(totals > 0, values / np.where(totals > 0, totals, 1.0), 1 / values.shape[-1])
