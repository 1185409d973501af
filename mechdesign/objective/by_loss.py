"""What the expected and the worst loss share: each profile's cost is sum_x P_i(x) sum_y A^i_xy l(x, y)."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Floats, Integers
from mechdesign.exact.numbers import over_common
from mechdesign.graph.distribution import support
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective.base import Cut, Goal, LossTable, Objective, Posed, Rows, bound_at_most
from mechdesign.objective.loss import Crossings
from mechdesign.objective.parsed_loss import Loss, Priced, kind_of, parse_loss
from mechdesign.objective.transport_plans import plan_each


class WithLoss(Goal):
    """A goal, a dataclass, that is made with a loss: it is a name, a function, or a table once it is made."""

    takes_loss: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "loss", parse_loss(self.loss))

    @property
    def kind(self) -> Loss:
        """What is asked of the loss."""
        return kind_of(self.loss)

    def table(self, categories: Sequence[Label]) -> LossTable:
        """Return the loss of reporting y for x, d x m, exactly."""
        return self.kind.table(categories)

    def settled(self, categories: Sequence[Label]) -> Self:
        """Return it with a table in place of a function, which is then called no more, or of a table with labels.

        Raises
        ------
        InputError
            naming the pairs of categories of which a function says no number, or labels that are not the categories.
        """
        named = isinstance(self.loss, str | tuple)
        return self if named else replace(self, loss=self.kind.table(categories))  # type: ignore[type-var]

    def needs_order(self) -> bool:
        """Return whether the loss counts steps between categories."""
        return self.kind.ordered


@dataclass(frozen=True)
class ByLoss(WithLoss, Objective):
    """An objective made of the profiles' expected losses."""

    loss: Any = "hamming"

    @property
    def cost_words(self) -> str:
        """What the cost of a single profile is called."""
        return "expected loss"

    @abstractmethod
    def counted(self, costs: Any, weights: Floats) -> Any:
        """Return what of the profiles' costs counts: the largest of it is the objective.

        The costs may be doubles, rows of a program, or a cvxpy expression.
        """

    def counts(self, weight: float) -> bool:
        """Return whether the cost of a profile of this weight counts."""
        del weight
        return True

    def output_labels(self, categories: Sequence[Label]) -> tuple[Label, ...]:
        """Return the outputs' labels: the categories, or 0..m-1 for a loss that is not square.

        Raises
        ------
        InputError
            if the loss has not one row per category, or its name does not go with these categories.
        """
        if not self.kind.checks_categories:
            return tuple(categories)
        m = len(self.table(categories)[0])
        return tuple(categories) if m == len(categories) else tuple(range(m))

    def free_outputs(self, categories: Sequence[Label]) -> list[int]:
        """Return, for each category, the output of least loss; itself, where no other has less."""
        places, values = distinct(self.table(categories))
        return [_least(row, x, values) for x, row in enumerate(places)]

    def may_be_negative(self, categories: Sequence[Label]) -> bool:
        """Return whether the loss has an entry below 0."""
        return any(value < 0 for value in distinct(self.table(categories))[1])

    @property
    def priced(self) -> Priced | None:
        """The kind of the loss, if what a change costs at least has a formula in the change alone."""
        return self.kind if isinstance(self.kind, Priced) else None

    def crossings(self, problem: Posed) -> Crossings | None:
        """Return the least cost as what crosses borders, in doubles of the problem, if it is known as such."""
        return self.kind.crossings(_doubles(problem))

    def costs(self, mechanism: Mechanism) -> list[Fraction]:
        """Return each profile's expected loss, exactly."""
        places, values = distinct(self.table(mechanism.categories))
        losses = [_whole(row, values) for row in places]
        row_loss = lru_cache(maxsize=None)(lambda row, x: _row_loss(mechanism, row, losses[x]))
        costs = []
        for rows, attributes in zip(mechanism.index, mechanism.graph.nodes.values(), strict=True):
            parts = support(attributes["distribution"])
            costs.append(sum((mass * row_loss(int(rows[x]), x) for x, mass in parts), Fraction(0)))
        return costs

    def add_entries(
        self, rows: Rows, problem: Posed, start: npt.NDArray[np.int64], distorting: Floats, level: float | None
    ) -> None:
        """Bound the costs that count, each a linear function of the entries."""
        import scipy.sparse as sp  # here, because it loads slowly and only solving needs it

        i, x = np.nonzero(problem.profiles)
        m = problem.outputs
        column = (start[i, x][:, None] + np.arange(m)).ravel()
        cost = (problem.profiles[i, x][:, None] * _doubles(problem)[x]).ravel()
        shape = (len(problem.profiles), len(distorting))
        costs = sp.csr_matrix((cost, (np.repeat(i, m), column)), shape=shape)
        bound_at_most(rows, sp.csr_matrix(self.counted(costs, problem.weights)), level)

    def add_released(self, rows: Rows, problem: Posed, cuts: Sequence[Cut], level: float | None) -> int:
        """Add each profile's transport cost, in columns of its own, and bound those that count by the next column."""
        import scipy.sparse as sp  # here, because it loads slowly and only solving needs it

        del cuts
        loss, m = _doubles(problem), problem.outputs
        n = len(problem.profiles) * m
        costs: list[tuple[npt.NDArray[np.int64], Floats]] = []
        start = np.zeros(len(problem.profiles))
        for i, profile in enumerate(problem.profiles):
            q = np.arange(i * m, (i + 1) * m)
            used = np.nonzero(profile)[0]
            if not self.counts(problem.weights[i]):
                costs.append((q[:0], np.zeros(0)))  # columns of a cost that does not count would have no bound
            elif len(used) == 1:
                start[i] = 0.0 if self.additive else _of_most(loss[used[0]])  # the mean has one row, which is long
                costs.append((q, loss[used[0]] - start[i]))
            else:
                n, cost = self.kind.add_transport(rows, profile, q, n, loss)
                costs.append(cost)
        who = np.repeat(np.arange(len(costs)), [len(columns) for columns, _ in costs])
        columns, values = (np.concatenate(parts) for parts in zip(*costs, strict=True))
        block = sp.csr_matrix((values, (who, columns)), shape=(len(costs), n))
        counted = partial(self.counted, weights=problem.weights)
        bound_at_most(rows, sp.csr_matrix(counted(block)), level, -counted(start))
        return n

    def transported(self, problem: Posed, released: Floats) -> Floats:
        """Return the columns that `add_released` adds for transport costs, where so much is released, at least cost."""
        loss = _doubles(problem)
        moved = [
            self.kind.transported(profile, q, loss)
            for profile, q, weight in zip(problem.profiles, released, problem.weights, strict=True)
            if self.counts(weight) and np.count_nonzero(profile) > 1
        ]
        return np.concatenate([np.zeros(0), *moved])

    def modelled(self, problem: Posed, matrices: Sequence[Any], value: Any) -> list[Any]:
        """Return that the expected losses that count are at most the value."""
        import cvxpy as cp  # here, because it takes a second to load

        pairs = zip(problem.profiles, matrices, strict=True)
        costs = cp.hstack([cp.sum(cp.multiply(P[:, None] * problem.loss, A)) for P, A in pairs])
        return [self.counted(costs, problem.weights) <= value]

    def reached(self, problem: Posed, profiles: Integers, categories: Integers, shares: Floats) -> float:
        """Return the largest of the expected losses that count."""
        costs = np.zeros(len(problem.profiles))
        losses = (shares * _doubles(problem)[categories]).sum(axis=1)
        np.add.at(costs, profiles, problem.profiles[profiles, categories] * losses)
        return float(np.max(self.counted(costs, problem.weights)))

    def plans(self, problem: Posed, supplies: Exact, demands: Exact, levels: Floats) -> Exact:
        """Return the plans that are cheapest for the loss."""
        del levels
        return plan_each(supplies, demands, partial(self.kind.plan, loss=_doubles(problem)))


def _doubles(problem: Posed) -> Floats:
    loss = problem.loss
    assert loss is not None
    return loss


def _of_most(losses: Floats) -> float:
    """Return the loss of most outputs, if there is one: a row that counts from it has few entries; else 0.

    The probabilities of the outputs add up to 1. Without that "values on a regular graph 50x50, worst hamming, epsilon
    0.5, delta 1e-6" of benchmarks/cliffs.py takes 1.5 s of processor time, not 1.05 s.
    """
    values, counts = np.unique(losses, return_counts=True)
    return float(values[counts.argmax()]) if 2 * counts.max() > len(losses) else 0.0


def distinct(table: LossTable) -> tuple[Integers, list[Fraction]]:
    """Return the losses that there are, and for each entry of a table the position of its own among them.

    Examples
    --------
    >>> distinct([[Fraction(0), Fraction(3)], [Fraction(3), Fraction(0)]])[0].tolist()
    [[0, 1], [1, 0]]
    """
    numbers: dict[Fraction, int] = {}
    known: dict[int, int] = {}  # by identity: Fractions are slow to hash, and many entries are the same one
    places = np.zeros((len(table), len(table[0]) if table else 0), dtype=np.int64)
    for place, row in zip(places, table, strict=True):
        own = list(map(id, row))
        if not known.keys() >= set(own):
            known |= {key: numbers.setdefault(entry, len(numbers)) for key, entry in zip(own, row, strict=True)}
        place[:] = list(map(known.__getitem__, own))
    return places, list(numbers)


def _whole(row: Integers, values: Sequence[Fraction]) -> tuple[Exact, int]:
    """Return the losses of a row of places as integers, and what they are over."""
    used = np.unique(row)
    integers, unit = over_common([values[place] for place in used.tolist()], "losses")
    return np.array(integers, dtype=object)[np.searchsorted(used, row)], unit


def _least(row: Integers, x: int, values: Sequence[Fraction]) -> int:
    """Return the output of least loss in a row of places: x itself, where it is one, else the first."""
    least = min(np.unique(row).tolist(), key=values.__getitem__)
    return x if x < len(row) and row[x] == least else int(np.argmax(row == least))


def _row_loss(mechanism: Mechanism, row: int, losses: tuple[Exact, int]) -> Fraction:
    whole, unit = losses
    weights = mechanism.rows.exact(row)
    return Fraction(int(weights @ whole), int(weights.sum()) * unit)
