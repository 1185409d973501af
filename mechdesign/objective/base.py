"""What an objective is asked: one question for each place where objectives differ.

Everything that depends on the objective is asked here, and answered in the file of each.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Protocol, TypeAlias

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Entries, Exact, Floats, Integers
from mechdesign.exact.numbers import over_common
from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.objective.multipliers import Multipliers, PrivacyMultipliers

LossTable: TypeAlias = tuple[tuple[Fraction, ...], ...]

Cut: TypeAlias = tuple[int, tuple[int, ...]]
"""A profile and the set S of outputs of one reachability constraint."""

Key: TypeAlias = tuple[str, tuple[int, ...]]
"""What a column or row of the textbook program is: its kind, and positions; see `mechdesign.program.names`."""

Block: TypeAlias = Any
"""A matrix of scipy.sparse, which is loaded only where one is made."""


class Posed(Protocol):
    """What an objective knows of the problem that it is minimised in: see `mechdesign.problem.Problem`."""

    @property
    def exact(self) -> Sequence[Sequence[Fraction]]:
        """The distributions."""

    @property
    def profiles(self) -> Floats:
        """The distributions in doubles, k x d."""

    @property
    def weights(self) -> Floats:
        """How much each profile counts in a mean."""

    @property
    def shared(self) -> bool:
        """Whether one matrix serves all profiles."""

    @property
    def outputs(self) -> int:
        """The number m of outputs."""

    @property
    def free(self) -> list[int]:
        """The output each category is given without privacy."""

    @property
    def losses(self) -> LossTable:
        """The loss table, exactly."""

    @property
    def loss_unit(self) -> Fraction:
        """What doubles of losses are over."""

    @property
    def loss(self) -> Floats | None:
        """The loss table over `loss_unit`, d x m."""


class Rows(Protocol):
    """Where an objective puts its rows of a program: see `mechdesign.program.program.Rows`."""

    def at_most(self, block: Block | Entries, bound: Floats | float, *, name: str = "") -> None:
        """Add block · x <= bound, under a name if its multipliers are wanted."""

    def equal(self, block: Block | Entries, value: Floats | float) -> None:
        """Add block · x = value."""


class Goal(ABC):
    """What a design minimises: what everything but solvers, rounding and proofs asks of it.

    Attributes
    ----------
    name, words
        in files and on the command line; in sentences.
    takes_loss, loss
        whether it is made with a loss, and which: a name, or a table.
    certified
        whether the certificate's checker knows it; of a design for another one a certificate proves privacy alone.
    """

    name: ClassVar[str]
    words: ClassVar[str]
    certified: ClassVar[bool] = True
    takes_loss: ClassVar[bool] = False
    loss: Any = None

    @property
    def cost_words(self) -> str:
        """What the cost of a single profile is called."""
        return self.words

    @abstractmethod
    def value(self, mechanism: Mechanism) -> Fraction:
        """Return the objective of a mechanism, from its rows and its graph's profiles."""

    def costs(self, mechanism: Mechanism) -> list[Fraction]:
        """Return each profile's cost; nothing where profiles have none of their own."""
        del mechanism
        return []

    def settled(self, categories: Sequence[Label]) -> "Goal":
        """Return it for given categories: itself, unless it has to be asked about each pair of them.

        Raises
        ------
        InputError
            if its answer for a pair cannot be used.
        """
        del categories
        return self

    def output_labels(self, categories: Sequence[Label]) -> tuple[Label, ...]:
        """Return the outputs' labels.

        Raises
        ------
        InputError
            if the objective does not go with these categories.
        """
        return tuple(categories)

    def free_outputs(self, categories: Sequence[Label]) -> list[int]:
        """Return, for each category, the output it would be given without privacy."""
        return list(range(len(categories)))

    def may_be_negative(self, categories: Sequence[Label]) -> bool:
        """Return whether some mechanism may have a value below 0."""
        del categories
        return False

    def needs_order(self) -> bool:
        """Return whether it means something only if the categories have an order."""
        return False


class Objective(Goal):
    """A goal of linear programs: the mean, or the largest, of costs that are linear functions of the entries.

    Attributes
    ----------
    additive
        whether it is the mean of the profiles' costs by weight, and so the sum of its components' shares; otherwise it
        is the largest of the costs.
    least
        what no mechanism is below and needs no proof; None if the losses decide.
    by_cuts
        whether its rows of the program in the released distributions are too many to be there from the start, so that
        they are added when violated.
    """

    additive: ClassVar[bool] = False
    least: ClassVar[Fraction | None] = None
    by_cuts: ClassVar[bool] = False
    # What it is, exactly.

    @abstractmethod
    def costs(self, mechanism: Mechanism) -> list[Fraction]:
        """Return each profile's cost, exactly."""

    def total(self, costs: Sequence[Fraction], weights: Sequence[Fraction]) -> Fraction:
        """Return the objective, exactly, from the profiles' costs: the largest, unless it is a mean."""
        del weights
        return max(costs)

    def value(self, mechanism: Mechanism) -> Fraction:
        """Return the objective of a mechanism, exactly."""
        return self.total(self.costs(mechanism), profile_weights(mechanism.graph))

    def table(self, categories: Sequence[Label]) -> LossTable:
        """Return the loss of reporting y for x, d x m, exactly; nothing for an objective without a loss."""
        del categories
        return ()

    # Its rows of the linear programs.

    @abstractmethod
    def add_entries(
        self, rows: Rows, problem: Posed, start: npt.NDArray[np.int64], distorting: Floats, level: float | None
    ) -> None:
        """Add rows that bound the objective, given all matrix entries, by the next column or by `level`.

        A^i_xy is in column `start[i, x]` + y; `distorting` is 1 for each column off its category's free output, else 0.
        """

    @abstractmethod
    def row_keys(self, problem: Posed, pairs: Iterable[tuple[int, int]]) -> Iterator[Key]:
        """Yield what each of these rows is, in order; `pairs` are the matrix rows (profile, category)."""

    @abstractmethod
    def add_released(self, rows: Rows, problem: Posed, cuts: Sequence[Cut], level: float | None) -> int:
        """Add rows that bound the objective, given released distributions, by the next column or by `level`.

        Column i m + y is q^i_y; new columns may come after these. Return how many there are then.
        """

    def first_cuts(self, problem: Posed) -> list[Cut]:
        """Return the cuts to start from."""
        del problem
        return []

    def violated_cuts(self, problem: Posed, released: Floats, level: float, tolerance: float) -> list[Cut]:
        """Return cuts that the released distributions violate by more than the tolerance, if the objective is level."""
        del problem, released, level, tolerance
        return []

    @abstractmethod
    def modelled(self, problem: Posed, matrices: Sequence[Any], value: Any) -> list[Any]:
        """Return that the objective is at most `value` as cvxpy constraints on the profiles' matrices.

        Written down from the definition: this shares nothing with the rows above.
        """

    # What proves that no mechanism does better.

    def multipliers(
        self, privacy: PrivacyMultipliers, weights: Floats, entries: Callable[[Floats], Floats]
    ) -> Multipliers:
        """Return multipliers, with what the `weights` of the objective's own rows add to those of privacy.

        `entries` makes them weights of single matrix entries, k x d x m.
        """
        del weights, entries
        return Multipliers(privacy)

    def exact_multipliers(
        self, problem: Posed, found: Multipliers | None, prior: Sequence[Fraction]
    ) -> tuple[list[Exact] | None, Sequence[Fraction] | None, Fraction]:
        """Return exact prices of entries and weights of profiles, where it has them, and the unit of privacy's."""
        del found, prior
        return None, None, problem.loss_unit

    # From doubles to exact rows.

    @abstractmethod
    def reached(self, problem: Posed, profiles: Integers, categories: Integers, shares: Floats) -> float:
        """Return the objective over `loss_unit`, in doubles, of rows, each a profile's at a category."""

    @abstractmethod
    def plans(self, problem: Posed, supplies: Exact, demands: Exact, levels: Floats) -> Exact:
        """Return integer plans, n x d x m, that cost it least, from n profiles' distributions to what they release.

        Supplies and demands are the sums of rows and columns; the `levels` are those of the profiles' parts.
        """

    def levels(self, profiles: Floats, released: Floats, of: Integers) -> Floats:
        """Return for each profile the least share that has to be moved from some category to some other in its part.

        `of` is the number of its part. It is 0 unless plans keep to such a share.
        """
        del released, of
        return np.zeros(len(profiles))


def profile_weights(graph: nx.Graph) -> list[Fraction]:
    """Return the profiles' prior weights, as given (default 1 each)."""
    one = Fraction(1)
    return [attributes.get("weight", one) for attributes in graph.nodes.values()]


def profile_shares(graph: nx.Graph) -> list[Fraction]:
    """Return the profiles' shares of all weight."""
    weights, _ = over_common(profile_weights(graph))
    total = sum(weights)
    shares = {weight: Fraction(weight, total) for weight in set(weights)}
    return [shares[weight] for weight in weights]


def scale_at(level: float) -> float:
    """Return by what a row that is at most a level is multiplied, so that what it may be off by is a share of that."""
    return 1 / max(level, 1e-4)


def bound_at_most(rows: Rows, block: Block, level: float | None, start: Floats | float = 0.0) -> None:
    """Add block · x - start <= the column after the block's last, or <= `level`."""
    block, (count, width) = block.tocoo(), block.shape
    if level is None:
        places = np.append(block.row, np.arange(count)), np.append(block.col, np.full(count, width))
        rows.at_most(Entries(count, *places, np.append(block.data, -np.ones(count))), start, name="objective")
    else:
        scale = scale_at(level)
        rows.at_most(Entries(count, block.row, block.col, scale * block.data), scale * (level + start))
