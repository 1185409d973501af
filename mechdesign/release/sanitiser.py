"""Applying a mechanism to data: record batch by record batch, each with random bits of its own.

What is released is a column of the mechanism's outputs, and whatever else the caller keeps: a kept column is released
as it is. The column's dictionary is the mechanism's full list of outputs in its order, never what happened to occur.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from mechdesign.arrays import Integers
from mechdesign.errors import InputError, telling
from mechdesign.exact.flags import with_flags
from mechdesign.exact.text import shown
from mechdesign.files.source import picked, plain_column, plain_type
from mechdesign.files.tables import check_columns, parts_of
from mechdesign.graph.labels import Label, Labels
from mechdesign.mechanism.mechanism import Mechanism, check_mechanism
from mechdesign.release.bits import fresh_bits, seeded_bits
from mechdesign.release.codebook import Codes, column_of, released_type
from mechdesign.release.kept import Kept, Never
from mechdesign.release.label_columns import JoinedColumn, Rule, Written, columns_read, separated
from mechdesign.release.sampling import Sampler
from mechdesign.words import counted, word_of

HIDDEN = (
    "keep: {} is what the mechanism hides; released beside each value, it leaves nothing of what is proved. Leave it"
    " out; or keep_anyway=True"
)
"""Why the column of the profile is not kept."""

KEPT = "{} is kept, beside each value: it is what the mechanism hides, and what is proved of it protects nobody."

KEPT_WEIGHT = (
    "{} is kept, beside each value: it has the weights that the profiles were made with. Where weights differ between"
    " strata or profiles, one tells which of them a person is of, and nothing of what is proved protects that."
)


class Unknown(StrEnum):
    """What to do about rows whose value or profile is none of the mechanism's, or missing."""

    ERROR = "error"
    DROP = "drop"


class Sanitiser:
    """A mechanism that is ready to be applied to batches of data; it counts what it has seen.

    Parameters
    ----------
    mechanism
        whose categories are the values, and whose profiles are the profiles.
    value
        the column to sanitise; "" where there are no columns but only values.
    profile
        the column that says whose row it is; not needed where all profiles have the same rows.
    keep
        further columns to release, as they are.
    keep_anyway
        whether the column that the mechanism hides may be among them.
    unknown
        "error" or "drop".
    seed_not_for_release
        makes the outcome the same each time, and so worthless as a release.
    counts_kept
        whether it is counted what the kept columns tell, for `warnings`.
    reading
        by which rule cells are read, see `mechdesign.release.label_columns`.

    Raises
    ------
    InputError
        if the columns do not go together, the rule asks for a category that there is not, or a profile is needed and
        none is given.
    """

    @with_flags
    def __init__(
        self,
        mechanism: Mechanism,
        *,
        value: str,
        profile: str | None = None,
        keep: Sequence[str] = (),
        keep_anyway: bool = False,
        unknown: str = "error",
        seed_not_for_release: int | None = None,
        counts_kept: bool = False,
        **reading: Unpack[Rule],
    ) -> None:
        self.mechanism = check_mechanism(mechanism)
        check_name("value", value)
        if profile is not None:
            check_name("profile", profile)
        self.value, self.profile, self.keep = value, profile, _names(keep)
        self._kept = Kept(mechanism, value, profile) if counts_kept and self.keep else None
        self.rows = self.released = 0
        drop = word_of(Unknown, "unknown", unknown) == Unknown.DROP
        if faults := list(self._faults(keep_anyway)):
            raise InputError(faults)
        self._bits = fresh_bits if seed_not_for_release is None else seeded_bits(seed_not_for_release)
        Labels(mechanism.outputs, "outputs")  # data must tell them apart
        self._index = np.ascontiguousarray(mechanism.index[:1] if mechanism.one_matrix else mechanism.index)
        self._is_usual = bool((self._index[0] == np.arange(self._index.shape[1])).all())
        self._found = columns_read(mechanism, value, profile, drop=drop, **reading)
        self.parts: tuple[str, ...] = (value,)
        self.never = Never(mechanism.graph, by_profile=profile is not None)

    def _faults(self, keep_anyway: bool) -> Iterator[str]:
        """Yield why the columns do not go together."""
        if self.value in self.keep:
            yield f"keep: {shown(self.value)} is the column that is sanitised; kept, it would be released as it is"
        if self.profile == self.value:
            yield f"profile: {shown(self.value)} is the column that is sanitised; the profile is another"
        yield from (HIDDEN.format(shown(name)) for name in self.hidden_kept if not keep_anyway)
        if self.profile is None and not self.mechanism.one_matrix:
            matrices = len(np.unique(self.mechanism.index, axis=0))  # one for each part that edges join, if shared
            many = f"{matrices:,} matrices for its {counted(len(self.mechanism.profiles), 'profile')}"
            yield f"profile: the mechanism has {many}; say which column names the profile"

    @cached_property
    def _sampler(self) -> Sampler:
        """Made when something is to be drawn: who only checks data needs none."""
        return Sampler(self.mechanism.rows)

    @property
    def hidden_kept(self) -> list[str]:
        """The kept columns that the mechanism hides: the one its profiles were made from, the one that names them."""
        return [name for name in self.keep if name in (self.mechanism.hidden_column, self.profile)]

    @property
    def coded(self) -> list[str]:
        """The columns of labels that are read."""
        return [*self.parts, *(found.name for found in self._found[1:])]

    @property
    def kept_plain(self) -> list[str]:
        """The kept columns that are not read as labels."""
        return [name for name in self.keep if name != self.profile]

    @property
    def needed(self) -> list[str]:
        """All columns that are read."""
        return [*self.coded, *self.kept_plain]

    @property
    def read_if_there(self) -> list[str]:
        """The column that the profiles were made from, if it is counted what kept ones tell of it."""
        return [self._kept.column] if self._kept and self._kept.column else []

    @property
    def left_out(self) -> int:
        """How many rows were left out so far."""
        return self.rows - self.released

    @property
    def is_faulty(self) -> bool:
        """Whether there were rows to leave out that may not be dropped; then nothing more is released."""
        return any(found.refused for found in self._found)

    @property
    def may_drop(self) -> bool:
        """Whether there may be rows that are left out."""
        return any(found.dropped for found in self._found)

    @property
    def stood_in(self) -> dict[Label, int]:
        """How many values were counted as the category of what is missing, or is none of the others."""
        return +self._found[0].stood_in

    def check_schema(self, schema: pa.Schema) -> None:
        """Raise an InputError unless the columns are there; the value's may be several."""
        parts = parts_of(self.value, schema.names)
        if parts != self.parts and len(parts) > 1:
            wrong = [shown(name) for name in parts if name == self.profile or name in self.keep]
            if wrong:
                raise InputError(f"value: {', '.join(wrong)} is sanitised; neither keep it nor name it as the profile")
            self._found[0], self.parts = JoinedColumn(self._found[0], parts), parts
        check_columns(schema.names, self.needed)

    def schema(self, schema: pa.Schema) -> pa.Schema:
        """Return the columns that come out where these go in: the kept ones, then the sanitised one."""
        self.check_schema(schema)
        types = {name: plain_type(schema.field(name).type) for name in self.kept_plain}
        if self.profile is not None:
            types[self.profile] = released_type(self.mechanism.profiles)
        for name, (_, labels) in self.written(np.empty(0, np.int32)).items():
            types[name] = released_type(labels)
        return pa.schema([(name, types[name]) for name in (*self.keep, *self.parts)])

    def written(self, outputs: npt.NDArray[Any]) -> Mapping[str, Written]:
        """Return for each column that outputs, given by their positions, are written to, what it holds of which."""
        if len(self.parts) == 1:
            return {self.value: (outputs, self.mechanism.outputs)}
        return {name: (places.take(outputs), labels) for name, (places, labels) in self._separated.items()}

    @cached_property
    def _separated(self) -> Mapping[str, Written]:
        """Of each column of the value its outputs, once the columns are known."""
        return separated(self.mechanism.outputs, self.parts)

    def batches(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield each batch sanitised.

        Raises
        ------
        InputError
            after the last one, if there were unknown or missing cells that may not be dropped: with their number and
            the first of them. From the first such cell on no batch is yielded.
        """
        first = None
        for batch in batches:
            with telling("" if first is None else f"after {self.rows:,} rows: "):
                own = self.schema(batch.schema)
            if first is None:
                first = own
            elif own != first:
                raise InputError(self._changed(own, first))
            part = self._sanitised(batch, first)
            if part is not None:
                yield part
        self.finish()

    def finish(self) -> None:
        """Raise an InputError if rows were left out that may not be dropped."""
        if self.is_faulty:
            raise InputError([fault for found in self._found for fault in found.faults(dropped=False)])

    def warnings(self) -> list[str]:
        """Return in words what has to be known of what was released."""
        told = [KEPT.format(name) for name in self.hidden_kept]
        told += [KEPT_WEIGHT.format(name) for name in self.keep if name == self.mechanism.weight_column]
        return told + (self._kept.warnings() if self._kept else []) + self.never.warnings()

    def described(self) -> list[str]:
        """Return in words what the rows that were left out hold."""
        return [fault for found in self._found for fault in found.faults()]

    def outputs(self, values: Codes, profiles: Codes | None = None) -> npt.NDArray[np.unsignedinteger[Any]]:
        """Return the position of an output for each value and profile, given by their positions, all of them known."""
        self.never.add(values, profiles)
        if len(self._index) == 1 or profiles is None:
            rows = values if self._is_usual else self._index[0].take(values)
        else:
            places = profiles.astype(np.int64)
            places *= self._index.shape[1]
            places += values
            rows = self._index.ravel().take(places)
        return self._sampler.draw(rows, self._bits())

    def known(self, *columns: pa.Array | list[Any]) -> tuple[list[Codes], Integers | None]:
        """Return the codes of the values and, where given, of the profiles; of which rows, or None for all."""
        codes = [found.codes(column) for found, column in zip(self._found, columns, strict=True)]
        self.rows += len(codes[0])
        good = None
        if any(len(code) and code.min() < 0 for code in codes):
            good = np.flatnonzero(np.min(codes, axis=0) >= 0)
            codes = [code[good] for code in codes]
        self.released += len(codes[0])
        return codes, good

    def _sanitised(self, batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch | None:
        values = {name: batch.column(name) for name in self.parts}
        profiles = [batch.column(name) for name in self.coded[len(values) :]]
        codes, good = self.known(values if len(values) > 1 else values[self.value], *profiles)
        if self.is_faulty:
            return None  # only counting from here on
        columns = {name: picked(plain_column(batch.column(name)), good) for name in self.kept_plain}
        if self._kept is not None:
            self._kept.add(columns, codes, self._hidden(batch, good))
        if self.profile in self.keep:
            columns[self.profile] = column_of(codes[1], self.mechanism.profiles)
        for name, (places, labels) in self.written(self.outputs(*codes)).items():
            columns[name] = column_of(places, labels)
        return pa.RecordBatch.from_arrays([columns[name] for name in schema.names], schema=schema)

    def _hidden(self, batch: pa.RecordBatch, good: Integers | None) -> pa.Array | None:
        """Return the column that the profiles were made from, if it was read beside what is needed."""
        there = [name for name in self.read_if_there if name in batch.schema.names]
        return picked(batch.column(there[0]), good) if there else None

    def _changed(self, own: pa.Schema, first: pa.Schema) -> list[str]:
        return [
            f"column {shown(one.name)}: after {self.rows:,} rows expected {other.type} as before, found {one.type}"
            for one, other in zip(own, first, strict=True)
            if one.type != other.type
        ]


def _names(keep: Sequence[str]) -> tuple[str, ...]:
    if isinstance(keep, str) or not isinstance(keep, Iterable):
        raise InputError(f"keep: expected a list of columns, found {shown(keep)}")
    names = list(keep)
    for name in names:
        check_name("keep", name)
    return tuple(dict.fromkeys(names))


def check_name(what: str, name: Any) -> None:
    """Raise an InputError unless this can be the name of a column."""
    if not isinstance(name, str):
        raise InputError(f"{what}: expected the name of a column, found {shown(name)}")
