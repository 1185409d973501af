"""What was asked of a method, and what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction

from mechdesign.exact.bounds import float_above

PHASES = ("build", "compile", "solve", "canonical", "repair", "check", "bound")


class Ending(StrEnum):
    """How a run ended."""

    DONE = "done"
    TIMED_OUT = "timed out"
    NO_OPTIMUM = "no optimum"
    FAILED = "failed"
    MISSING = "not installed"
    UNFIT = "does not apply"


@dataclass(frozen=True)
class Run:
    """A method on a family's graph; with an `objective` of `OBJECTIVES` in place of the family's own, if it has one.

    `command` is what the method "command" runs.
    """

    family: str
    profiles: int
    categories: int
    method: str
    epsilon: str = "0.5"
    seed: int = 1
    objective: str = ""
    delta: str = "0"
    command: str = ""

    @property
    def case(self) -> tuple[object, ...]:
        """What runs of different methods have in common."""
        return self.family, self.profiles, self.categories, self.epsilon, self.seed, self.objective, self.delta


@dataclass(frozen=True)
class Measurement:
    """What came of a run; `mechdesign.bench.file` says what the fields mean."""

    run: Run
    outcome: Ending
    words: str = ""
    edges: int | None = None
    unknowns: int | None = None
    phases: dict[str, float] = field(default_factory=dict)
    seconds: float | None = None
    memory: float | None = None
    value: float | None = None
    bound_exact: str | None = None
    true_epsilon: float | None = None
    excess: float | None = None
    certificate: float | None = None
    limit: float | None = None

    @property
    def done(self) -> bool:
        """Whether the method gave an answer."""
        return self.outcome == Ending.DONE

    def first_stage(self) -> float:
        """Return the seconds until an optimum was known: to build, compile and solve."""
        return sum(self.phases.get(phase, 0.0) for phase in PHASES[:3])


def with_excess(rows: Sequence[Measurement]) -> list[Measurement]:
    """Return the rows with their excess over their own bound, else over the best one certified for the same case."""
    best: dict[tuple[object, ...], Fraction] = {}
    for row in rows:
        if row.bound_exact is not None:
            bound = Fraction(row.bound_exact)
            best[row.run.case] = max(bound, best.get(row.run.case, bound))
    return [replace(row, excess=_excess(row, best.get(row.run.case))) for row in rows]


def _excess(row: Measurement, best: Fraction | None) -> float | None:
    bound = best if row.bound_exact is None else Fraction(row.bound_exact)
    if bound is None or row.value is None:
        return None
    return float_above((Fraction(row.value) - bound) / (bound or 1))
