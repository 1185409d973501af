"""How far values are above their bounds, exactly, where it is hardest to be near: python benchmarks/gaps.py.

Every family of `mechdesign bench` with every objective and loss, every delta and epsilon, one matrix each or shared. It
prints the designs whose gap is above 10^-8 of the value and above 10^-12, then how many designs there were, the largest
gap, and the seconds they took; it exits with 1 if there were any. With `--all` every design is a row.
"""

import sys
from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
from shared import Table, asked, size_of, timed

from mechdesign import SolverError, design
from mechdesign.bench.families import FAMILIES, graph_of_family
from mechdesign.objective import OBJECTIVES, ExpectedLoss, MaxOffDiagonal, Objective, WorstLoss

RELATIVE, ABSOLUTE = Fraction(1, 10**8), Fraction(1, 10**12)
"""A gap up to this share of the value, or up to this, is none."""

SEED = 1
"""Of the random graphs and the random loss."""

EPSILONS, DELTAS = ("0.05", "0.5", "2", "5"), ("0", "0.01", "0.1")
LOSSES = ("hamming", "absolute", "random")


@dataclass(frozen=True)
class Case:
    """What is designed, in words; the loss is "" for the largest off-diagonal entry."""

    family: str
    objective: str
    loss: str
    epsilon: str
    delta: str
    shared: bool

    def __str__(self) -> str:
        words = [self.family, self.objective, self.loss, f"epsilon {self.epsilon}", f"delta {self.delta}"]
        return " ".join(word for word in [*words, "shared" * self.shared] if word)


@dataclass(frozen=True)
class Outcome:
    """What came of it; without value and bound the design failed, for a reason in words."""

    case: Case
    seconds: float
    value: Fraction = Fraction(0)
    bound: Fraction = Fraction(0)
    failed: str = ""

    @property
    def gap(self) -> Fraction:
        """By how much the value is above the bound."""
        return self.value - self.bound

    @property
    def near(self) -> bool:
        """Whether that is as little as it should be."""
        return not self.failed and self.gap <= max(RELATIVE * self.value, ABSOLUTE)


def cases(arguments: Namespace) -> Iterator[Case]:
    """Yield what is asked for, family by family."""
    for family, name in product(arguments.families, arguments.objectives):
        losses = [""] if OBJECTIVES[name] is MaxOffDiagonal else arguments.losses
        for loss, epsilon, delta, shared in product(losses, arguments.epsilons, arguments.deltas, arguments.shared):
            yield Case(family, name, loss, epsilon, delta, shared == "yes")


def objective_of(case: Case, categories: int) -> Objective:
    """Return the objective of a case; a random loss has whole numbers from 1 to 99, and 0 for the truth."""
    if not case.loss:
        return MaxOffDiagonal()
    loss = np.random.default_rng(SEED).integers(1, 100, (categories, categories)) * (1 - np.eye(categories, dtype=int))
    kind = WorstLoss if case.objective == WorstLoss.name else ExpectedLoss
    return kind(loss.tolist() if case.loss == "random" else case.loss)


def outcome_of(size: tuple[int, int], case: Case) -> Outcome:
    """Return what comes of a case at a size."""
    graph = graph_of_family(case.family, *size, seed=SEED)
    objective = objective_of(case, len(graph.graph["categories"]))
    try:
        with timed() as taken:
            made = design(graph, epsilon=case.epsilon, delta=case.delta, objective=objective, shared=case.shared)
    except SolverError as error:
        return Outcome(case, taken.clock, failed=str(error))
    return Outcome(case, taken.clock, made.value, made.bound)


def cells(outcome: Outcome) -> list[str]:
    """Return an outcome as a row of a table."""
    numbers = [f"{float(outcome.value):.9g}", f"{float(outcome.bound):.9g}", f"{float(outcome.gap):.1e}"]
    return [str(outcome.case), *(["", "", outcome.failed] if outcome.failed else numbers), f"{outcome.seconds:.2f}"]


def summary(outcomes: list[Outcome]) -> str:
    """Return how many there were, how many of them are exceptions, the largest gap, and the seconds."""
    # Below the absolute aim a relative gap says nothing, as where no noise is needed.
    shares = [(float(one.gap / one.value), str(one.case)) for one in outcomes if one.gap > ABSOLUTE]
    largest = "largest relative gap {:.1e} ({})".format(*max(shares)) if shares else "no gap"
    far = sum(not one.near for one in outcomes)
    seconds = sum(one.seconds for one in outcomes)
    return f"{len(outcomes)} designs, {far} above the aim; {largest}; {seconds:.0f} s"


def main() -> None:
    """Print the exceptions as they come, then the summary."""
    arguments = asked(
        __doc__,
        size="20x10",
        families=list(FAMILIES),
        objectives=list(OBJECTIVES),
        losses=LOSSES,
        shared=("no", "yes"),
        epsilons=EPSILONS,
        deltas=DELTAS,
        processes=2,
        all=False,
    )
    shown, outcomes = Table("design", "value", "bound", "gap", "seconds"), []
    with ProcessPoolExecutor(arguments.processes) as executor:
        for outcome in executor.map(partial(outcome_of, size_of(arguments.size)), list(cases(arguments))):
            outcomes.append(outcome)
            if arguments.all or not outcome.near:
                shown.row(*cells(outcome))
    print(f"\n{summary(outcomes)}")
    sys.exit(0 if all(outcome.near for outcome in outcomes) else 1)


if __name__ == "__main__":
    main()
