"""The expected loss of the worst profile."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from mechdesign.arrays import Exact, Floats
from mechdesign.graph.distribution import support
from mechdesign.objective.base import Key, Posed
from mechdesign.objective.by_loss import ByLoss
from mechdesign.objective.multipliers import Multipliers, PrivacyMultipliers


@dataclass(frozen=True)
class WorstLoss(ByLoss):
    """The expected loss of the profile for which it is largest; `loss` as for ExpectedLoss.

    References
    ----------
    [HLM] Holohan, Leith and Mason, arXiv:1505.07254: (16) and Theorem 10, the worst expected number of changed rows.

    Examples
    --------
    >>> WorstLoss().name
    'worst-loss'
    """

    name: ClassVar[str] = "worst-loss"
    words: ClassVar[str] = "worst profile's expected loss"

    def counted(self, costs: Any, weights: Floats) -> Any:
        """Return each profile's cost: the largest counts."""
        del weights
        return costs

    def row_keys(self, problem: Posed, pairs: Iterable[tuple[int, int]]) -> Iterator[Key]:
        """Yield the position of each profile."""
        del pairs
        yield from (("objective", (i,)) for i in range(len(problem.exact)))

    def multipliers(
        self, privacy: PrivacyMultipliers, weights: Floats, entries: Callable[[Floats], Floats]
    ) -> Multipliers:
        """Return the weights as those of the profiles."""
        del entries
        return Multipliers(privacy, profiles=weights)

    def exact_multipliers(
        self, problem: Posed, found: Multipliers | None, prior: Sequence[Fraction]
    ) -> tuple[list[Exact] | None, Sequence[Fraction] | None, Fraction]:
        """Return weights of total 1; without any found, all on the profile that costs most without privacy."""
        del prior
        profiles = None if found is None else found.profiles
        shares = [Fraction(max(0.0, float(w))) for w in ([0.0] * len(problem.exact) if profiles is None else profiles)]
        if not any(shares):
            costs = _free_costs(problem)
            shares[costs.index(max(costs))] = Fraction(1)
        return None, [share / sum(shares) for share in shares], problem.loss_unit


def _free_costs(problem: Posed) -> list[Fraction]:
    """Return each profile's least expected loss, with no regard to privacy."""
    least = [min(row) for row in problem.losses]
    return [sum((mass * least[x] for x, mass in support(masses)), Fraction(0)) for masses in problem.exact]
