"""Mechanisms: for each profile and category, a row of integer weights over the outputs.

A mechanism turns (profile i, category x) into output y with probability weight / total of the row (i, x). Rows are
stored once and shared: `index[i, x]` says which row serves profile i at category x.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Floats, Integers
from mechdesign.errors import InputError
from mechdesign.exact.integers import shortest
from mechdesign.exact.text import shown
from mechdesign.graph.cell_labels import Reading, reading_of
from mechdesign.graph.distribution import support
from mechdesign.graph.labels import Label, check_hashes, check_in_order, is_label
from mechdesign.graph.properties import has_point_masses
from mechdesign.mechanism.probabilities import integer_rows
from mechdesign.notebook import InNotebooks, frame
from mechdesign.privacy.asked import Asked, Source
from mechdesign.privacy.released import Released
from mechdesign.privacy.stored_rows import Mixture, Rows
from mechdesign.words import counted

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Mechanism(InNotebooks):
    """A finite mechanism with exact rows.

    Attributes
    ----------
    graph
        the profiles it was made for, with their distributions, and the edges that it was made for; without any, every
        pair of them (a profile graph).
    outputs
        m labels.
    rows
        the rows of integer weights >= 0, none all zero. A table of integers, as numpy has it, becomes `Rows`.
    index
        (profiles, categories): which row serves which.
    notes
        how it was made.
    """

    graph: nx.Graph
    outputs: tuple[Label, ...]
    rows: Rows
    index: Integers
    notes: dict[str, Any]

    def __init__(
        self,
        graph: nx.Graph,
        outputs: tuple[Label, ...],
        rows: Rows | npt.NDArray[Any],
        index: Integers,
        notes: dict[str, Any] | None = None,
    ) -> None:
        stored = rows if isinstance(rows, Rows) else Rows(rows)
        vars(self).update(graph=graph, outputs=outputs, rows=stored, index=index, notes={} if notes is None else notes)

    def __repr__(self) -> str:
        profiles, outputs = counted(len(self.profiles), "profile"), counted(len(self.outputs), "output")
        categories = counted(len(self.categories), "category")
        alike = ", one matrix" if len(self.profiles) > 1 and self.one_matrix else ""
        return f"Mechanism({profiles}, {categories} to {outputs}{alike})"

    @property
    def categories(self) -> tuple[Label, ...]:
        """The d inputs' labels."""
        return tuple(self.graph.graph["categories"])

    inputs = categories

    @property
    def reading(self) -> Reading:
        """By which rule the table was read that its profiles were made from; the usual one if that is not known."""
        return reading_of(self.graph.graph.get("made"))

    @property
    def hidden_column(self) -> str | None:
        """The column of a table that the profiles were made from: what the mechanism hides; None if it is not known."""
        return self._made_from("profile")

    @property
    def weight_column(self) -> str | None:
        """The column of a table with the weights that its profiles were made with; None if there was none."""
        return self._made_from("weight")

    def _made_from(self, key: str) -> str | None:
        made = self.graph.graph.get("made")
        column = made.get(key) if isinstance(made, dict) else None
        return column if isinstance(column, str) else None

    @cached_property
    def profiles(self) -> tuple[Label, ...]:
        """The k profiles' labels."""
        return tuple(self.graph)

    @property
    def asked(self) -> Asked:
        """Which pairs of its profiles must not be told apart: the edges it was made for; without any, every pair.

        Examples
        --------
        >>> import mechdesign as md
        >>> md.design("categorical-chain", epsilon=0.5).mechanism.asked.edges
        2
        """
        found = Asked(self.graph, Source.MECHANISM)
        return found if self.graph.number_of_edges() else found.every()

    @cached_property
    def weights(self) -> Exact:
        """All rows as one table of integers, (number of rows) x m."""
        return self.rows.table()

    @cached_property
    def totals(self) -> Exact:
        """The total of each row."""
        return np.array(self.weights.sum(axis=1), dtype=object)

    @cached_property
    def largest(self) -> tuple[Exact | Integers, Exact | Integers, Integers, Exact | Integers]:
        """Of each row the largest weight, the largest of the others (0 for none), where the first is, and the total."""
        return self.rows.largest()

    @cached_property
    def one_matrix(self) -> bool:
        """Whether all profiles have the same rows."""
        return self.index.strides[0] == 0 or bool((self.index == self.index[:1]).all())

    @cached_property
    def is_matrix(self) -> bool:
        """Whether it is one matrix, and its profiles are but the inputs of that."""
        inputs = tuple(self.graph) == self.categories and has_point_masses(self.graph)
        own = (support(node["distribution"])[0][0] for node in self.graph.nodes.values())
        return self.one_matrix and inputs and list(own) == list(range(len(self.graph)))

    @cached_property
    def _position(self) -> dict[Label, int]:
        return {profile: position for position, profile in enumerate(self.graph)}

    def serving(self, profile: Label) -> int:
        """Return the position whose rows serve a profile: its own; any, if all have the same.

        Raises
        ------
        KeyError
            if there is no such profile, and each has rows of its own.
        """
        return self._position.get(profile, 0) if self.one_matrix else self._position[profile]

    def matrix(self, profile: Label) -> Floats:
        """Return the transition matrix of a profile, d x m, in nearest doubles.

        Raises
        ------
        KeyError
            if there is no such profile.
        """
        return self.rows.doubles(self.index[self._position[profile]])

    def row(self, profile: Label, category: Label) -> tuple[Fraction, ...]:
        """Return Pr(output | profile, category) for the m outputs, exactly.

        Raises
        ------
        KeyError
            if there is no such profile or category.
        """
        if category not in self.categories:
            raise KeyError(category)
        row = self.rows.exact(self.index[self._position[profile], self.categories.index(category)])
        total = int(row.sum())
        return tuple(Fraction(int(weight), total) for weight in row)

    def released(self, profile: Label) -> tuple[Fraction, ...]:
        """Return the distribution over the m outputs that a profile releases, P_i A^i, exactly.

        Raises
        ------
        KeyError
            if there is no such profile.
        """
        return self.released_weights(self.graph.nodes[profile]["distribution"], self._position[profile]).fractions()

    def released_weights(self, distribution: Sequence[Fraction], position: int) -> Released:
        """Return what the profile at `position` would release if its distribution were this one."""
        return self.rows.mixed([self._mixture(distribution, position)])[0]

    def _mixture(self, distribution: Sequence[Fraction], position: int) -> Mixture:
        used = support(distribution)
        rows = self.index[position, [x for x, _ in used]].tolist()
        return [(row, mass) for row, (_, mass) in zip(rows, used, strict=True)]

    def released_as(self, distributions: Iterable[Sequence[Fraction]], positions: Iterable[int]) -> Rows:
        """Return what profiles would release that have these distributions, and the rows of those at `positions`."""
        return self.rows.released(list(map(self._mixture, distributions, positions)))

    def all_released(self) -> Rows:
        """Return what each profile releases, in order."""
        distributions = (attributes["distribution"] for attributes in self.graph.nodes.values())
        return self.released_as(distributions, range(len(self.profiles)))

    def to_frame(self) -> "pd.DataFrame":
        """Return all probabilities as a table of pandas, in nearest doubles.

        It has a column for each of the m outputs, and a line for each profile and category, k d in all; where all
        profiles have the same matrix, a line for each of the d categories.

        Raises
        ------
        InputError
            if pandas is not installed.

        Examples
        --------
        >>> from mechdesign.mechanism.from_matrix import mechanism_from_matrix
        >>> print(mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["no", "yes"]).to_frame())
                    no   yes
        category
        no        0.75  0.25
        yes       0.25  0.75
        """
        table = self.rows.doubles()
        profiles = self.profiles[:1] if self.one_matrix else self.profiles
        entries = table[self.index[: len(profiles)].ravel()].T
        rows = [[i for i in profiles for _ in self.categories], list(self.categories) * len(profiles)]
        if self.one_matrix:
            return frame(dict(zip(self.outputs, entries, strict=True)), rows[1:], ["category"])
        return frame(dict(zip(self.outputs, entries, strict=True)), rows, ["profile", "category"])

    def then(self, channel: npt.ArrayLike, *, outputs: Sequence[Label]) -> "Mechanism":
        """Return this mechanism followed by a further channel, m x len(outputs); privacy cannot get worse.

        The channel's entries are exact (floats are the rationals they are); each row must sum to 1 within 1e-9.

        Raises
        ------
        InputError
            if the channel does not fit.

        References
        ----------
        [GC] Geumlek and Chaudhuri 2019, arXiv:1903.09084: Observation 3 (post-processing).

        Examples
        --------
        >>> from mechdesign.mechanism.from_matrix import mechanism_from_matrix
        >>> coin = mechanism_from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], inputs=["no", "yes"])
        >>> coin.then([[1], [1]], outputs=["silence"]).row("no", "no")
        (Fraction(1, 1),)
        """
        check_in_order(outputs, "outputs")
        check_outputs(outputs)
        rows = integer_rows(channel)[0].table()
        if len(rows) != len(self.outputs) or rows.shape[1] != len(outputs):
            raise InputError(
                f"channel: expected {len(self.outputs)} x {len(outputs)}, found {len(rows)} x {rows.shape[1]}"
            )
        totals = rows.sum(axis=1)
        common = math.lcm(*totals)
        weights = shortest(self.weights @ (rows * (common // totals)[:, None]))
        return Mechanism(self.graph, tuple(outputs), weights, self.index, dict(self.notes))


def check_mechanism(value: object) -> Mechanism:
    """Return a mechanism as it is, or say how to come by one.

    Raises
    ------
    InputError
        if it is a design, a matrix or anything else.

    Examples
    --------
    >>> check_mechanism([[1, 0], [0, 1]])
    Traceback (most recent call last):
    mechdesign.errors.InputError: expected a Mechanism, found list; mechanism_from_matrix makes one of a matrix
    """
    if not isinstance(value, Mechanism):
        designed = isinstance(getattr(value, "mechanism", None), Mechanism)
        remedy = "give its `.mechanism`" if designed else "mechanism_from_matrix makes one of a matrix"
        raise InputError(f"expected a Mechanism, found {type(value).__name__}; {remedy}")
    return value


def check_outputs(outputs: Sequence[Label]) -> None:
    """Raise an InputError unless the outputs are labels, no two the same."""
    faults = output_faults(outputs)
    if faults:
        raise InputError(faults)


def output_faults(outputs: Sequence[Label]) -> list[str]:
    """Return what is wrong with outputs as labels, no two the same."""
    check_hashes(outputs, "outputs")
    faults = [f"outputs[{j}]: expected a label, found {shown(y)}" for j, y in enumerate(outputs) if not is_label(y)]
    if not faults and len(set(outputs)) < len(outputs):
        faults.append("outputs: an output is given twice")
    return faults
