"""One connected component in doubles, as solvers see it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Floats, Integers
from mechdesign.exact.numbers import over_common
from mechdesign.graph.distribution import counts_of, support
from mechdesign.graph.labels import Label
from mechdesign.graph.uncertainty import Uncertainty
from mechdesign.objective import LossTable, Objective
from mechdesign.objective.by_loss import distinct
from mechdesign.objective.multipliers import Multipliers as Multipliers
from mechdesign.objective.multipliers import PrivacyMultipliers as PrivacyMultipliers
from mechdesign.privacy.alike import Alike
from mechdesign.privacy.cover import Cover, cover, met, without_implied
from mechdesign.privacy.extremes import extremes, met_within
from mechdesign.privacy.gaps import unmet
from mechdesign.privacy.inequalities import Inequalities
from mechdesign.privacy.released import Released
from mechdesign.privacy.requirement import Requirement

NEAR, NOTHING = 1e-9, 1e-13
"""The design is the nearest to the profiles of all mechanisms whose value is this close to the optimum: by this share
of it, or of the largest loss. Among the optima themselves there would be no interior, and an interior-point method
might find no answer. Where that is nothing, it is 1e-13, which solvers are asked for and hardly reach: smaller numbers
are what rounding errors leave.

The same shares tell what counts in what solvers find: a profile is moved by more than the first; all optima meet a
limit with equality if one leaves less than that, and the multiplier is above the second and above what is left. On
rings, trees and grids of up to 500 profiles the multiplier is above 1e-9 or what is left below it, mostly by three
digits."""

CORRECTED, ACCEPTED = 1.5, 2.0
"""How often as far from the optimum as the nearest is looked for its corrections are, and its exact rows may be."""


def near_optimal(value: float, times: float = 1.0) -> float:
    """Return the value as far from the optimum as the nearest is looked for, or so many times, over the `loss_unit`."""
    return value + times * max(NEAR * abs(value), NOTHING)


@dataclass(frozen=True, eq=False)
class Kept:
    """Overall shares that are kept: sum_i shares_i q^i = totals, a row for each output that couples all profiles.

    There is always a private mechanism that does: the one that releases the totals, whatever the profile.
    """

    shares: tuple[Fraction, ...]
    totals: tuple[Fraction, ...]

    @classmethod
    def of(cls, shares: Sequence[Fraction], distributions: Sequence[Sequence[Fraction]]) -> "Kept":
        """Return what keeps the mean of the distributions by their shares."""
        columns = zip(*distributions, strict=True)
        totals = (sum((w * p for w, p in zip(shares, one, strict=True) if p), Fraction(0)) for one in columns)
        return cls(tuple(shares), tuple(totals))


@dataclass(frozen=True, eq=False)
class Problem:
    """Find the least-distorting matrices A^1..A^k, or one for all when `shared`.

    Attributes
    ----------
    exact
        the k distributions over d categories.
    required
        the requirements, by positions among these k profiles.
    objective
        what to minimise.
    weights
        k doubles: how much each profile counts in an expected loss.
    shared
        whether one matrix serves all profiles.
    labels
        of the d categories, for losses that depend on them; their positions if left out.
    uncertain
        for each profile, the set of the distributions that privacy has to hold for; None if all are known.
    alike
        the classes of its map from probabilities to variables; None where each has a variable of its own. The profiles
        are then those that stand for their class, with the weight of all of it, and `required` only says what is asked:
        each epsilon and delta once.
    origin
        the problem of all profiles then.
    kept
        the overall shares that are kept, if any are.
    of
        for each profile the number of its part, if there are several that no edge joins: then it is many problems.
    """

    exact: Sequence[Sequence[Fraction]]
    required: tuple[Requirement, ...]
    objective: Objective
    weights: Floats
    shared: bool
    labels: Sequence[Label] | None = None
    uncertain: Sequence[Uncertainty] | None = None
    alike: Alike | None = None
    origin: "Problem | None" = None
    kept: Kept | None = None
    of: Integers | None = None

    @property
    def whole(self) -> "Problem":
        """The problem of all profiles."""
        return self.origin or self

    @property
    def is_plain(self) -> bool:
        """Whether each probability is a variable of its own, of known profiles that share no matrix."""
        return self.alike is None and self.uncertain is None and not self.shared

    @property
    def is_local(self) -> bool:
        """Whether besides profiles are coupled by edges alone, and not by overall shares that are kept."""
        return self.is_plain and self.kept is None

    @property
    def requires_most_pairs(self) -> bool:
        """Whether at least half of all pairs of profiles are required."""
        return 4 * len(self.required) >= len(self.exact) ** 2

    @property
    def privacy_rows(self) -> int:
        """The number of rows that are required of single outputs, both ways."""
        return 2 * len(self.required) * self.outputs

    @property
    def part_of(self) -> Integers:
        """For each profile the number of its part."""
        return np.zeros(len(self.exact), dtype=np.int64) if self.of is None else self.of

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return int(self.part_of[-1]) + 1

    @cached_property
    def variables(self) -> Integers:
        """The map: the number of the variable of each probability q^i_y, k x m."""
        if self.alike is not None:
            return self.alike.variables
        return np.arange(len(self.exact) * self.outputs).reshape(-1, self.outputs)

    @cached_property
    def sizes(self) -> Integers:
        """How many probabilities each variable stands for."""
        return np.ones(self.variables.size, dtype=np.int64) if self.alike is None else self.alike.sizes

    @cached_property
    def inequalities(self) -> Inequalities:
        """What privacy asks of the variables, without what cliques ask."""
        if self.alike is not None:
            return self.alike.inequalities
        return Inequalities.of(self.independent_pairs, self.outputs)

    @property
    def categories(self) -> Sequence[Label]:
        """The labels of the categories."""
        return range(len(self.exact[0])) if self.labels is None else self.labels

    @cached_property
    def profiles(self) -> Floats:
        """The distributions in doubles, k x d."""
        result = np.zeros((len(self.exact), len(self.exact[0])))
        for row, distribution in zip(result, self.exact, strict=True):
            for x, mass in support(distribution):
                over, under = mass.as_integer_ratio()  # the nearest double all the same, and sooner
                row[x] = over / under
        return result

    @cached_property
    def single(self) -> npt.NDArray[np.bool_]:
        """Which profiles are single values."""
        return np.array(np.count_nonzero(self.profiles, axis=1) == 1)

    @property
    def has_single_values(self) -> bool:
        """Whether each profile is a single value."""
        return bool(self.single.all())

    @cached_property
    def sets(self) -> Sequence[Uncertainty]:
        """For each profile, the set of the distributions that privacy has to hold for: one alone, if it is known."""
        if self.uncertain is not None:
            return self.uncertain
        return [Uncertainty(own, own, own) for own in map(tuple, self.exact)]

    @cached_property
    def counts(self) -> tuple[Exact, list[int]]:
        """The distributions as integers, k x d, and what each profile's are over, which is the least."""
        counts = [counts_of(distribution) for distribution in self.exact]
        return np.array([row for row, _ in counts], dtype=object), [unit for _, unit in counts]

    @cached_property
    def target_counts(self) -> Exact:
        """What the profiles would release without privacy as integers over the same, k x m."""
        counts, result = self.counts[0], np.zeros((len(self.exact), self.outputs), dtype=object)
        for x, y in enumerate(self.free):
            result[:, y] += counts[:, x]
        return result

    @cached_property
    def possible(self) -> npt.NDArray[np.bool_]:
        """Which categories each profile may have, k x d: those whose rows play a part."""
        if self.uncertain is None:
            return self.profiles > 0
        return np.array([[reach > 0 for reach in one.reach] for one in self.uncertain])

    @cached_property
    def loss(self) -> Floats | None:
        """The loss table over `loss_unit`, d x m; None for an objective without a loss."""
        if not self.losses:
            return None
        places, values = self.distinct_losses
        return np.array([float(value / self.loss_unit) for value in values])[places]

    @cached_property
    def losses(self) -> LossTable:
        """The loss table, exactly; nothing for an objective without a loss."""
        return self.objective.table(self.categories)

    @cached_property
    def loss_unit(self) -> Fraction:
        """The largest loss: solvers' tolerances mean the same whatever losses are counted in."""
        return max(map(abs, self.distinct_losses[1]), default=Fraction(0)) or Fraction(1)

    @cached_property
    def distinct_losses(self) -> tuple[Integers, list[Fraction]]:
        """The losses that there are, and for each entry of the table, d x m, the position of its own among them."""
        return distinct(self.losses) if self.origin is None else self.origin.distinct_losses

    @cached_property
    def whole_losses(self) -> tuple[int, npt.NDArray[np.object_]]:
        """A common denominator of the losses, and the losses over it as d x m integers."""
        places, values = self.distinct_losses
        integers, finest = over_common(values)
        return finest, np.array(integers, dtype=object)[places]

    @cached_property
    def cover(self) -> Cover:
        """The requirements as cliques and pairs; for sets as pairs, since a clique would hold each set to itself."""
        pairs_alone = self.uncertain is not None or self.alike is not None
        return Cover([], list(self.required)) if pairs_alone else cover(self.required)

    @cached_property
    def independent_pairs(self) -> list[Requirement]:
        """The pairs of the cover that no others imply."""
        return without_implied(self.cover.pairs, len(self.profiles))

    @cached_property
    def output_labels(self) -> tuple[Label, ...]:
        """The labels of the outputs."""
        return self.objective.output_labels(self.categories)

    @property
    def outputs(self) -> int:
        """The number m of outputs."""
        return len(self.output_labels)

    @cached_property
    def free(self) -> list[int]:
        """The output each category is given without privacy."""
        return self.objective.free_outputs(self.categories) if self.origin is None else self.origin.free

    @cached_property
    def target(self) -> list[list[Fraction]]:
        """What the profiles would release without privacy, exactly, k x m."""
        free, m = self.free, self.outputs
        result = []
        for distribution in self.exact:
            released = [Fraction(0)] * m
            for x, mass in support(distribution):
                released[free[x]] += mass
            result.append(released)
        return result

    @cached_property
    def needs_no_noise(self) -> bool:
        """Whether the free mechanism already meets every requirement, exactly."""
        if not self.required:
            return True
        if self.uncertain is not None:
            rows = [[int(y == kept) for y in range(self.outputs)] for kept in self.free]
            return met_within([extremes(one, rows) for one in self.uncertain], self.required)
        first = self.required[0]
        if unmet([self._unmoved(first.first), self._unmoved(first.second)], [replace(first, first=0, second=1)]):
            return False  # as nearly always, and all others need not be looked at
        return met([self._unmoved(i) for i in range(len(self.exact))], self.cover)

    def _unmoved(self, i: int) -> Released:
        """Return what a profile would release without privacy."""
        counts, unit = counts_of(self.exact[i])
        weights = np.zeros(self.outputs, dtype=object)
        for x, y in enumerate(self.free):
            weights[y] += counts[x]
        return Released(weights, unit)

    @cached_property
    def target_in_doubles(self) -> Floats:
        """The target in doubles, k x m."""
        result = np.zeros((len(self.exact), self.outputs))
        for x, y in enumerate(self.free):
            result[:, y] += self.profiles[:, x]
        return result
