"""The expected loss, averaged over profiles."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from mechdesign.arrays import Exact, Floats
from mechdesign.objective.base import Key, Posed
from mechdesign.objective.by_loss import ByLoss
from mechdesign.objective.multipliers import Multipliers


@dataclass(frozen=True)
class ExpectedLoss(ByLoss):
    """The expected loss, averaged over profiles by their weights (default: equally).

    Parameters
    ----------
    loss
        "hamming" (0 or 1: for a database, 1 if any row changes), "absolute" (difference of positions among the
        categories), "rows" (of databases: how many rows change, the Hamming distance), "circular" (steps on a ring of
        the categories, such as hours), a d x m array, a DataFrame, of which the labels count, or a function of two
        labels, the true and the reported category's.

    Raises
    ------
    InputError
        if the loss is not one of these.

    References
    ----------
    [HLM] Holohan, Leith and Mason, arXiv:1505.07254: (16), for "rows".

    Examples
    --------
    >>> ExpectedLoss("absolute").table(["low", "middle", "high"])[0]
    (Fraction(0, 1), Fraction(1, 1), Fraction(2, 1))
    >>> ExpectedLoss("rows").table([("a", "a"), ("a", "b"), ("b", "b")])[0]
    (Fraction(0, 1), Fraction(1, 1), Fraction(2, 1))
    """

    name: ClassVar[str] = "expected-loss"
    words: ClassVar[str] = "expected loss"
    additive: ClassVar[bool] = True

    def total(self, costs: Sequence[Fraction], weights: Sequence[Fraction]) -> Fraction:
        """Return the mean of the costs by weight."""
        return sum((cost * weight for cost, weight in zip(costs, weights, strict=True)), Fraction(0)) / sum(weights)

    def counted(self, costs: Any, weights: Floats) -> Any:
        """Return the mean."""
        return weights @ costs

    def counts(self, weight: float) -> bool:
        """Return whether a profile of this weight has a share in the mean."""
        return bool(weight)

    def row_keys(self, problem: Posed, pairs: Iterable[tuple[int, int]]) -> Iterator[Key]:
        """Yield nothing but that there is one row."""
        del problem, pairs
        yield "objective", ()

    def exact_multipliers(
        self, problem: Posed, found: Multipliers | None, prior: Sequence[Fraction]
    ) -> tuple[list[Exact] | None, Sequence[Fraction] | None, Fraction]:
        """Return the profiles' prior weights, which are given."""
        del found
        return None, prior, problem.loss_unit
