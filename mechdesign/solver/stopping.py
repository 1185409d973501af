"""When a search may end before it has found the optimum: it is proved near enough, its time is over, or a user ends it.

Solvers offer what they have on their way, `offer`: released distributions, multipliers, or both, however inaccurate.
Whoever follows the search makes them exactly private and proves bounds with them, and so can keep the best. Solvers ask
for nothing but the time that is left and whether it is over. `announce`, in every round of every solver, is where a
search ends, by `Stopped`.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

from mechdesign.problem import Problem
from mechdesign.solution import Solution

GAP, TIME, INTERRUPTION = "gap", "time", "interruption"
"""Why a search has ended early."""


class Stopped(Exception):  # noqa: N818
    """A search has ended early; what it has offered is all that there is."""


@dataclass(frozen=True)
class Until:
    """When a search ends at the latest.

    Attributes
    ----------
    gap
        the share of the value by which the bound may be below it; None for as little as can be.
    deadline
        by the clock, `time.time`: other processes have the same.
    interruptible
        whether an interruption ends it with what it has.
    """

    gap: Fraction | None = None
    deadline: float = float("inf")
    interruptible: bool = False

    def over(self) -> str:
        """Return why it has to end now; nothing if it need not."""
        if self.interruptible and INTERRUPTED.asked:
            return INTERRUPTION
        return TIME if time.time() >= self.deadline else ""

    @property
    def seconds(self) -> float | None:
        """How many are left; None without a deadline."""
        return None if self.deadline == float("inf") else max(1e-3, self.deadline - time.time())

    def share(self, size: int, left: int) -> "Until":
        """Return the same for work of a size, with its share of the time for all that is left."""
        if self.deadline == float("inf") or not size:
            return self
        now = time.time()
        return replace(self, deadline=now + (self.deadline - now) * size / left)


OPTIMUM = Until()
"""Not before the optimum is found."""


class Interrupted:
    """What is known of interruptions: one keeps what has been found; where nothing has, or at the second, all ends."""

    def __init__(self) -> None:
        self.kept, self.asked, self.worth, self._solvers = False, False, False, 0

    def __call__(self, *_: object) -> None:
        """Take a signal.

        Within a solver of another language nothing may be raised; it asks soon.

        Raises
        ------
        KeyboardInterrupt
            if there is nothing to keep, or nothing to wait for.
        """
        again, self.asked = self.asked, True
        if (again or not self.worth) and not self._solvers:
            raise KeyboardInterrupt

    def note(self, *_: object) -> None:
        """Take a signal in a process that works for another one, which decides."""
        self.asked = True

    @contextmanager
    def kept_if(self, *, found: bool) -> Iterator[None]:
        """Let designs within keep the best if they are interrupted, from now on if any of it may have been `found`."""
        self.kept, self.asked, self.worth = True, False, found
        try:
            yield
        finally:
            self.kept = self.asked = False

    @contextmanager
    def in_solver(self) -> Iterator[None]:
        """Say that a solver of another language runs within."""
        self._solvers += 1
        try:
            yield
        finally:
            self._solvers -= 1


INTERRUPTED = Interrupted()


class Follower(Protocol):
    """Who follows the search for a problem's optimum."""

    problem: Problem
    until: Until
    accuracy: float

    def take(self, found: Callable[[], Solution], gap: float | None = None) -> None:
        """Take what a solver has, made when it is asked for."""


_FOLLOWER: ContextVar[Follower | None] = ContextVar("follower", default=None)


@contextmanager
def followed_by(follower: Follower) -> Iterator[None]:
    """Let somebody follow the search within."""
    token = _FOLLOWER.set(follower)
    try:
        yield
    finally:
        _FOLLOWER.reset(token)


@contextmanager
def followed_as(problem: Problem, other: Problem, made: Callable[[Solution], Solution]) -> Iterator[None]:
    """Let who follows the search for a problem's optimum follow that of another within: what it offers is `made` so."""
    outer = _FOLLOWER.get()
    if outer is None or outer.problem is not problem:
        yield
        return
    with followed_by(_Forward(other, outer.until, outer.accuracy, outer, made)):
        yield


@dataclass(eq=False)
class _Forward:
    """Who hands on what is offered for another problem."""

    problem: Problem
    until: Until
    accuracy: float
    outer: Follower
    made: Callable[[Solution], Solution]

    def take(self, found: Callable[[], Solution], gap: float | None = None) -> None:
        self.outer.take(lambda: self.made(found()), gap)


def offer(problem: Problem, found: Callable[[], Solution], gap: float | None = None) -> None:
    """Offer what there is: if it has no multipliers, what is released alone; of a part of the problem it is no use.

    The `gap` is what a solver says of it in doubles, if it can.
    """
    follower = _FOLLOWER.get()
    if follower is not None and follower.problem is problem:
        follower.take(found, gap)


def accuracy_for(problem: Problem) -> float:
    """Return to what accuracy a problem's linear program need be solved; 0 for the best."""
    follower = _FOLLOWER.get()
    return follower.accuracy if follower is not None and follower.problem is problem else 0.0


def seconds_left() -> float:
    """Return the seconds that are left."""
    follower = _FOLLOWER.get()
    return float("inf") if follower is None else max(0.0, follower.until.deadline - time.time())


def is_over() -> bool:
    """Return whether the search has to end now."""
    follower = _FOLLOWER.get()
    return follower is not None and bool(follower.until.over())


def is_interruptible() -> bool:
    """Return whether an interruption has to be looked for."""
    follower = _FOLLOWER.get()
    return follower is not None and follower.until.interruptible
