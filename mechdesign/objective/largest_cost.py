"""The largest change of a category's probability.

It has rows of its own. As a model in cvxpy (`ByModel`), a third as long, it takes 7.2 s of processor time on a grid of
5 x 5 points, not 0.1, and 1.6 s on a ring of 20 profiles of 10 categories, not 0.05 (with one matrix for all 0.2, not
1.1); and it would know no bounds of profiles, no other methods, and no files for other solvers.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Floats, Integers
from mechdesign.graph.distribution import counts_of, support
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective.base import Block, Cut, Key, Objective, Posed, Rows, bound_at_most
from mechdesign.objective.multipliers import FINENESS, Multipliers, PrivacyMultipliers, integers
from mechdesign.objective.transport_plans import plan_each, proportional


@dataclass(frozen=True)
class LargestCost(Objective):
    """The largest |P_i(y) - q^i_y|: how far any category's released probability is from the true one, in any profile.

    It says how far published frequencies are off. Which category a record is reported as plays no part, so that the
    matrices are those that move the least mass.

    References
    ----------
    [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084: (6), with the profile's index mended.

    Examples
    --------
    >>> LargestCost().name
    'largest-cost'
    """

    name: ClassVar[str] = "largest-cost"
    words: ClassVar[str] = "largest change of a category's probability"
    least: ClassVar[Fraction] = Fraction(0)
    certified: ClassVar[bool] = False

    def costs(self, mechanism: Mechanism) -> list[Fraction]:
        """Return each profile's largest change, exactly."""
        result = []
        for attributes, released in zip(mechanism.graph.nodes.values(), mechanism.all_released(), strict=True):
            before = dict(support(attributes["distribution"]))
            changes = (abs(before.get(y, Fraction(0)) - mass) for y, mass in enumerate(released.fractions()))
            result.append(max(changes))
        return result

    def add_entries(
        self, rows: Rows, problem: Posed, start: npt.NDArray[np.int64], distorting: Floats, level: float | None
    ) -> None:
        """Bound q^i_y - P_i(y) and its negative for each profile and output."""
        import scipy.sparse as sp  # here, because it loads slowly and only solving needs it

        i, x = np.nonzero(problem.profiles)
        m = problem.outputs
        places = ((at[:, None] + np.arange(m)).ravel() for at in (i * m, start[i, x]))
        masses = np.repeat(problem.profiles[i, x], m)
        released = sp.csr_matrix((masses, tuple(places)), shape=(problem.profiles.size, len(distorting)))
        _bound_changes(rows, released, problem.profiles, level)

    def row_keys(self, problem: Posed, pairs: Iterable[tuple[int, int]]) -> Iterator[Key]:
        """Yield that each profile's probability of each category rises by so much at most, then that it falls."""
        del pairs
        k, m = problem.profiles.shape
        yield from ((kind, (i, y)) for kind in ("rise", "fall") for i in range(k) for y in range(m))

    def add_released(self, rows: Rows, problem: Posed, cuts: Sequence[Cut], level: float | None) -> int:
        """Add q^i_y - P_i(y) <= t and P_i(y) - q^i_y <= t for each profile and output."""
        import scipy.sparse as sp  # here, because it loads slowly and only solving needs it

        del cuts
        _bound_changes(rows, sp.identity(problem.profiles.size), problem.profiles, level)
        return problem.profiles.size

    def modelled(self, problem: Posed, matrices: Sequence[Any], value: Any) -> list[Any]:
        """Return that no category's probability changes by more than the value."""
        import cvxpy as cp  # here, because it takes a second to load

        return [cp.abs(P - P @ A) <= value for P, A in zip(problem.profiles, matrices, strict=True)]

    def multipliers(
        self, privacy: PrivacyMultipliers, weights: Floats, entries: Callable[[Floats], Floats]
    ) -> Multipliers:
        """Return the weights of q^i_y - P_i(y) <= t, and then of P_i(y) - q^i_y <= t, in one list."""
        del entries
        return Multipliers(privacy, entries=np.maximum(weights, 0.0))

    def exact_multipliers(
        self, problem: Posed, found: Multipliers | None, prior: Sequence[Fraction]
    ) -> tuple[list[Exact] | None, Sequence[Fraction] | None, Fraction]:
        """Return prices of the entries: with mu of total 1 at most, sum_y mu_iy (q^i_y - P_i(y)) <= t.

        The left side is sum_x P_i(x) sum_y A^i_xy (mu_iy - K_i) with K_i = sum_y mu_iy P_i(y). Prices are rounded down.
        """
        del prior
        if found is None or found.entries is None:
            return None, None, problem.loss_unit
        k, m = len(problem.exact), problem.outputs
        mu = np.zeros(2 * k * m, dtype=object)
        for (place,), weight in integers(found.entries, Fraction(1)):
            mu[place] = weight
        unit = Fraction(FINENESS, int(mu.sum()) or FINENESS)
        mu = mu * unit.numerator // unit.denominator
        signed = (mu[: k * m] - mu[k * m :]).reshape(k, m)
        tables = [_prices(P, own) for P, own in zip(problem.exact, signed, strict=True)]
        return [sum(tables[1:], start=tables[0])] if problem.shared else tables, None, unit

    def reached(self, problem: Posed, profiles: Integers, categories: Integers, shares: Floats) -> float:
        """Return the largest change."""
        released = np.zeros(problem.profiles.shape)
        np.add.at(released, profiles, problem.profiles[profiles, categories][:, None] * shares)
        return float(abs(released - problem.profiles).max())

    def plans(self, problem: Posed, supplies: Exact, demands: Exact, levels: Floats) -> Exact:
        """Return the plans that move the least mass."""
        del problem, levels
        return plan_each(supplies, demands, proportional)


def _bound_changes(rows: Rows, released: Block, profiles: Floats, level: float | None) -> None:
    import scipy.sparse as sp  # here, because it loads slowly and only solving needs it

    target = profiles.ravel()
    bound_at_most(rows, sp.vstack([released, -released]), level, np.concatenate([target, -target]))


def _prices(distribution: Sequence[Fraction], mu: Exact) -> Exact:
    """Return P(x) (mu_y - sum_y' mu_y' P(y')) as a d x m table of integers."""
    each, unit = counts_of(distribution)
    counts = np.array(each, dtype=object)
    return np.array(np.outer(counts, mu * unit - counts @ mu) // unit**2, dtype=object)
