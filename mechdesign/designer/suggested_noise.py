"""How much of a budget the counts of one's own table should have, and how much the released value: tried beforehand.

Trying it with the table would spend privacy that nobody counts. So no record is read: what is tried are profiles that
are public or simulated, with as many records as one says there are, and the bounds that the noise would give them.
"""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import networkx as nx
import numpy as np

from mechdesign.designer.design import design
from mechdesign.exact.faults import Faults
from mechdesign.exact.flags import with_flags
from mechdesign.exact.integers import rounded_to_total
from mechdesign.exact.numbers import Number, parse_share, whole
from mechdesign.graph.from_table.confidence import Confidence, Of
from mechdesign.graph.from_table.histogram import Release, rounded
from mechdesign.graph.graph_file import as_graph
from mechdesign.graph.labels import Label
from mechdesign.graph.uncertainty import nominal
from mechdesign.objective.base import Goal
from mechdesign.words import word_of

SHARES = 20
"""Of the budget, in which it is divided; every second is tried, and those beside the best."""


@dataclass(frozen=True)
class Trial:
    """A way to divide the budget, and what the design within the bounds then costs."""

    noise: Fraction
    epsilon: Fraction
    value: Fraction


@dataclass(frozen=True)
class SuggestedNoise:
    """The division of a budget that costs least, and all that were tried.

    Attributes
    ----------
    total
        the budget: what noised counts and released value tell together.
    trials
        what was tried, by noise.
    objective
        what a design minimises, in words.
    baseline
        what the mechanism that everybody would use costs with the whole budget: it needs no profiles, and so no noise.
    baseline_name
        what that is called, such as k-ary randomised response.
    """

    total: Fraction
    trials: tuple[Trial, ...]
    objective: str
    baseline: Fraction
    baseline_name: str

    @property
    def best(self) -> Trial:
        """The trial that costs least; of equals that with the least noise epsilon."""
        return min(self.trials, key=lambda one: (one.value, one.noise))


@with_flags
def suggest_noise(
    graph: nx.Graph | str | os.PathLike[str],
    total: Number,
    *,
    records: int,
    confidence: Number,
    of: str = "population",
    public_sizes: bool = False,
    objective: Goal | None = None,
    shared: bool = False,
) -> SuggestedNoise:
    """Return the `noise` for `graph_from_table` at which a design costs least, for a total budget; no record is read.

    What is tried is how a design for a graph that is public would fare if its profiles had to be estimated, from so
    many records of each. The graph is a guess: a poor one costs utility, never privacy.

    Parameters
    ----------
    graph
        profiles that are public and may be much like the true ones, with the edges that will be asked for; its bounds
        are left out.
    total
        the epsilon that noised counts and released value tell together.
    records
        about how many records each profile has, as far as is known without looking.
    confidence, of, public_sizes
        as for `graph_from_table`.
    objective, shared
        what is minimised, and whether all profiles that are linked have one matrix, as for `design`.

    Raises
    ------
    InputError
        if the total is not positive, the confidence not between 0 and 1, or `records` no number of records.

    Examples
    --------
    >>> found = suggest_noise("categorical-chain", 2, records=1000, confidence=0.95, of="table")
    >>> found.best.noise + found.best.epsilon
    Fraction(2, 1)
    """
    faults = Faults()
    budget = faults.number("total", total, "an epsilon > 0", above=0)
    level = faults.number("confidence", confidence, "a number between 0 and 1", above=0, below=1, parse=parse_share)
    faults.check()
    whole("records", records)
    guess, whose = nominal(as_graph(graph)), word_of(Of, "of", of)
    trials: dict[int, Trial] = {}

    def try_out(share: int) -> None:
        if 0 < share < SHARES and share not in trials:
            spent = budget * share / SHARES
            noise, epsilon = spent / 2 if public_sizes else spent, budget - spent
            release = Release(noise=noise, public_sizes=public_sizes)
            bounded = estimated(guess, records, Confidence(level, whose, release))
            made = design(bounded, epsilon=epsilon, objective=objective, shared=shared)
            trials[share] = Trial(noise, epsilon, made.value)

    for share in range(2, SHARES, 2):
        try_out(share)
    best = min(trials, key=lambda share: (trials[share].value, share))
    for share in (best - 1, best + 1):
        try_out(share)
    known = design(guess, epsilon=budget, objective=objective)
    tried = tuple(trials[share] for share in sorted(trials))
    return SuggestedNoise(budget, tried, known.objective.words, known.baseline, known.baseline_name)


def estimated(guess: nx.Graph, records: int, sure: Confidence) -> nx.Graph:
    """Return the graph as it would be estimated from so many records of each profile, were no noise drawn but 0."""
    result, categories = guess.copy(), guess.graph["categories"]
    shares: dict[Label, Sequence[Fraction]] = {
        one: rounded(law, records) for one, law in guess.nodes(data="distribution")
    }
    tally = {
        one: Counter({x: int(mass * records) for x, mass in zip(categories, law, strict=True)})
        for one, law in shares.items()
    }
    sizes, alike = dict.fromkeys(tally, records), dict.fromkeys(tally, Fraction(1))
    lower, upper = sure.bounds(tally, categories, shares, sizes, alike)
    for one, law in shares.items():
        result.nodes[one].update(distribution=law, lower=lower[one], upper=upper[one])
    return result


def simulated(profiles: Sequence[Label], categories: Sequence[Label]) -> dict[Label, list[Fraction]]:
    """Return profiles that are nobody's: Dirichlet laws with parameters 2, in thousandths, always the same.

    Examples
    --------
    >>> sum(simulated(["a"], ["x", "y", "z"])["a"])
    Fraction(1, 1)
    """
    laws = np.random.default_rng(1).dirichlet(np.full(len(categories), 2.0), len(profiles))
    parts = rounded_to_total(laws, 1_000)
    return {one: [Fraction(int(part), 1_000) for part in law] for one, law in zip(profiles, parts, strict=True)}
