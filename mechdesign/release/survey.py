"""How rows were drawn: weights, strata and clusters, added up batch by batch by unit, group and output."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats, Integers
from mechdesign.errors import InputError
from mechdesign.exact.text import shown, shown_cell
from mechdesign.graph.from_table.distinct import NAMED, encoded_cells
from mechdesign.graph.from_table.row_weights import WeightColumn
from mechdesign.graph.labels import Label
from mechdesign.release.codebook import Codes, Groups
from mechdesign.release.label_columns import LabelColumn
from mechdesign.release.samples import Design, Drawn, Sample

MOST_UNITS = 10_000_000
"""Strata, or clusters, in one table."""

APART = 1 << 20
"""So many sums of batches are kept apart before they are added up, or as many as those that are."""

Sums: TypeAlias = tuple[Integers, Floats]
"""(3, entries) each: units, groups and outputs; and how many rows have these, their weights and the squares."""


@dataclass(frozen=True)
class Survey:
    """The columns that say how rows were drawn, or their cells; None for what is not so.

    Attributes
    ----------
    weight, strata, cluster
        what each row counts for, the stratum that it is from, and the cluster that was drawn in it.
    """

    weight: Any = None
    strata: Any = None
    cluster: Any = None

    @property
    def given(self) -> dict[str, Any]:
        """Those that are given, by what they are."""
        found = {"weight": self.weight, "strata": self.strata, "cluster": self.cluster}
        return {what: one for what, one in found.items() if one is not None}

    def checked(self, these_rows: bool) -> "Survey":
        """Return it, or raise an InputError where it says how rows were drawn that are wanted for themselves."""
        if these_rows and (self.strata is not None or self.cluster is not None):
            what = "strata" if self.strata is not None else "cluster"
            raise InputError(
                f"{what}: says how rows were drawn; with these_rows= only noise was; leave one of them out"
            )
        return self

    def words(self, these_rows: bool) -> str:
        """Return in words how standard errors are found."""
        if not self.given:
            return ""
        drawn = f"{'clusters' if 'cluster' in self.given else 'rows'} as drawn with replacement"
        within = f"{drawn}{' within strata' if 'strata' in self.given else ''}"
        how = "of the mechanism's noise in weighted sums" if these_rows else f"linearised (Taylor), {within}"
        weighted = "weighted; " if "weight" in self.given else ""
        return f"{weighted}standard errors {how}; intervals by effective numbers of rows"


EVERY_ROW = Survey()
"""Rows that count alike and were drawn one by one."""


class SurveyRows:
    """Sums of the rows, of their weights and the squares of these, as they are read; none where nothing is given."""

    def __init__(self, survey: Survey, missing_words: Iterable[str]) -> None:
        self.given, self.rows = survey.given, 0
        name = self.given.get("weight")
        self.weights = WeightColumn(name if isinstance(name, str) else "")
        self.labels = {
            what: LabelColumn(
                name if isinstance(name, str) else "",
                Groups(f"labels of {what}", MOST_UNITS, missing_words),
                options={},
            )
            for what, name in self.given.items()
            if what != "weight"
        }
        self._sums: list[Sums] = []
        self.lightest, self.heaviest = np.inf, -np.inf
        self.stratum_of: dict[int, int] = {}
        self.sizes: Integers = np.zeros(1, np.int64)
        self._twice: list[tuple[int, int]] = []

    def add(self, columns: Mapping[str, Any], groups: Codes, outputs: Codes, good: npt.NDArray[np.bool_]) -> None:
        """Take in rows, of which only the `good` ones have a group and an output that count."""
        if not self.given:
            return
        weights, none = self._read_weights(columns, len(groups)), np.zeros(len(groups), np.int64)
        codes = {what: one.codes(columns[what]).astype(np.int64) for what, one in self.labels.items()}
        strata, units = codes.get("strata", none), codes.get("cluster", codes.get("strata", none))
        known = (strata >= 0) & (units >= 0)
        if "cluster" in codes:
            self._place(units[known], strata[known], np.flatnonzero(known))
        else:
            more = np.bincount(strata[known], minlength=len(self.sizes))
            self.sizes = more + np.pad(self.sizes, (0, len(more) - len(self.sizes)))
        self.lightest = min(self.lightest, weights[good].min(initial=np.inf))
        self.heaviest = max(self.heaviest, weights[good].max(initial=-np.inf))
        keep = known & good & (weights > 0)
        self._add_up(units[keep], groups[keep], outputs[keep], weights[keep])
        self.rows += len(groups)

    def _read_weights(self, columns: Mapping[str, Any], rows: int) -> Floats:
        if "weight" not in self.given:
            return np.ones(rows)
        cells, places = encoded_cells(columns["weight"])
        return np.array([float(one) for one in self.weights.read(cells, places)])[places]

    def _add_up(self, units: Integers, groups: Codes, outputs: Codes, weights: Floats) -> None:
        self._sums.append(_added([(np.stack([units, groups, outputs]), np.stack([weights**0, weights, weights**2]))]))
        first, *others = (values.shape[1] for _, values in self._sums)
        if sum(others) > max(APART, first):
            self._sums = [_added(self._sums)]

    def _place(self, clusters: Integers, strata: Integers, rows: Integers) -> None:
        """Note which stratum each cluster is in."""
        _, first = np.unique(clusters * (strata.max(initial=0) + 1) + strata, return_index=True)
        for at in first.tolist():
            cluster, stratum = int(clusters[at]), int(strata[at])
            if self.stratum_of.setdefault(cluster, stratum) != stratum:
                self._twice.append((cluster, self.rows + int(rows[at]) + 1))

    def faults(self) -> list[str]:
        """Return what is wrong with the columns."""
        faults = self.weights.faults()
        for one in self.labels.values():
            faults += one.faults() if one.refused else []
        for cluster, row in self._twice[:NAMED]:
            column = self.labels["cluster"]
            place = f"column {shown(column.name)}" if column.name else "cluster"
            name = shown_cell(column.book.names[cluster])
            faults.append(
                f"{place}: cluster {name} is in two strata, in row {row:,} in another than before; name clusters so"
                " that no two strata share a name"
            )
        return faults

    def samples(self, groups: Mapping[Label, int], counts: Mapping[Label, Any]) -> dict[Label, Sample]:
        """Return the rows of each group.

        Raises
        ------
        InputError
            where the weights of a group are 0, or nothing tells how much the units of a stratum differ.
        """
        if not self.given or (not self.labels and self.lightest == self.heaviest > 0):
            return {label: Sample(counts[label].astype(np.float64)) for label in groups}
        keys, sums = _added(self._sums)
        order = np.argsort(keys[1], kind="stable")
        (units, whose, outputs), sums = keys[:, order], sums[:, order]
        found: dict[Label, Sample] = {}
        design = self._design()
        for label, place in groups.items():
            mine = slice(*np.searchsorted(whose, [place, place + 1]).tolist())
            if mine.start == mine.stop:
                raise InputError(f"{self.weights.place}: all weights of {shown(label)} are 0")
            found[label] = Drawn.of(design, len(counts[label]), units[mine], outputs[mine], sums[:, mine])
        return found

    def _design(self) -> Design:
        """Return the strata of units, and how many were drawn in each."""
        strata, sizes = np.arange(len(self.sizes)), self.sizes
        if "cluster" in self.given:
            strata = np.array([self.stratum_of[cluster] for cluster in range(len(self.stratum_of))], np.int64)
            sizes = np.bincount(strata)
        alone = np.flatnonzero(sizes == 1)
        if len(alone):
            what = "cluster" if "cluster" in self.given else "row"
            said = f"one {what} alone, which does not tell how much they differ"
            if "strata" not in self.given:
                raise InputError(f"{what}: there is {said}")
            name = shown_cell(self.labels["strata"].book.names[alone[0]])
            raise InputError(f"strata: stratum {name} has {said}; join strata")
        return Design(strata, sizes, "cluster" in self.given)


def _added(parts: Sequence[Sums]) -> Sums:
    """Return the sums of entries of the same unit, group and output."""
    keys, values = (np.concatenate(some, axis=1) for some in zip(*parts, strict=True))
    sizes = tuple((keys.max(axis=1, initial=0) + 1).tolist())
    there, place = np.unique(np.ravel_multi_index(tuple(keys), sizes), return_inverse=True)
    added = [np.bincount(place, one, minlength=len(there)) for one in values]
    return np.stack(np.unravel_index(there, sizes)), np.array(added, np.float64)
