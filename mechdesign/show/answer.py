"""`Answer`: what anybody is told, as plain data; `as_json`, `terminal`, `as_blocks` and `render` show it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Literal

from mechdesign.show.fact_numbers import Exact, Number, Within

Tone = Literal["good", "bad", "note", ""]


@dataclass(frozen=True)
class Fact:
    """One thing that is told.

    Attributes
    ----------
    key
        its name in JSON, with dots where it stands within others; without one it is for people alone.
    words
        what it is called; without a number they are a sentence. Without words it is for programs alone.
    note
        how the number was found.
    exact
        whether JSON has it exactly too, as text under the key with `_exact`.
    under
        the heading that it shares with the facts beside it.
    copied
        what stands behind the words and can be copied, such as a command.
    """

    key: str = ""
    words: str = ""
    number: Number | None = None
    note: str = ""
    exact: bool = False
    under: str = ""
    copied: str = ""


@dataclass(frozen=True)
class Column:
    """A column: its name in JSON, and its heading; one of them may be missing, as in a fact."""

    key: str = ""
    words: str = ""


class Rows(Sequence[Sequence[Any]]):
    """Rows that are made when they are shown.

    Examples
    --------
    >>> rows = Rows(1000, lambda i: [i, i * i])
    >>> len(rows), rows[:2]
    (1000, [[0, 0], [1, 1]])
    """

    def __init__(self, number: int, make: Callable[[int], Sequence[Any]]) -> None:
        self.number, self.make = number, make

    def __len__(self) -> int:
        return self.number

    def __getitem__(self, place: Any) -> Any:
        places = range(self.number)[place]
        return self.make(places) if isinstance(places, int) else [self.make(one) for one in places]


@dataclass(frozen=True)
class Table:
    """Rows of typed cells: numbers, and names as they are. In JSON a list of objects, or with `by` an object.

    Attributes
    ----------
    key
        its name in JSON; without one it is for people alone.
    title
        what it shows; without one it is for programs alone.
    by
        so many columns at the start are keys of objects within each other.
    note
        said below it.
    whole
        whether people see all rows of it on a terminal, however many.
    totals
        so many rows at the start sum the others up, and are not counted with them.
    """

    key: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    by: int = 0
    note: str = ""
    whole: bool = False
    totals: int = 0


class OfShown(str):
    """A warning of what is shown: where nothing is, there is nothing to warn of."""


@dataclass(frozen=True)
class Answer:
    """What is told of a result.

    Attributes
    ----------
    status
        the exit status of a command that ends with it.
    sentence
        all in short.
    about
        what was asked, or what it is about.
    tone
        whether that is good.
    warnings
        what has to be known before the rest is believed.
    figures
        what they show, and what draws them.
    error
        why there is no more: a command says it on standard error.
    is_drawn
        whether the sentence is what was drawn at random: another time it would be another, so that it is always told.
    """

    sentence: str = ""
    about: str = ""
    status: int = 0
    tone: Tone = ""
    facts: Sequence[Fact] = ()
    tables: Sequence[Table] = ()
    warnings: Sequence[str] = ()
    figures: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    error: str = ""
    is_drawn: bool = False

    def then(self, *others: "Answer") -> "Answer":
        """Return this one with the facts, tables and figures of others after its own, and each warning once."""
        parts = (self, *others)
        return replace(
            self,
            facts=[fact for part in parts for fact in part.facts],
            tables=[table for part in parts for table in part.tables],
            warnings=list(dict.fromkeys(warning for part in parts for warning in part.warnings)),
            figures={name: draw for part in parts for name, draw in part.figures.items()},
        )

    def unsaid(self) -> "Answer":
        """Return the same for programs alone."""
        facts = [replace(fact, words="") for fact in self.facts if fact.key]
        return replace(self, facts=facts, tables=[replace(table, title="") for table in self.tables])

    def within(self, key: str) -> "Answer":
        """Return the same with all that JSON has of it within an object of this name."""
        facts = [replace(fact, key=f"{key}.{fact.key}") if fact.key else fact for fact in self.facts]
        tables = [replace(table, key=f"{key}.{table.key}") if table.key else table for table in self.tables]
        return replace(self, facts=facts, tables=tables)


def sentences(*words: str | None) -> list[Fact]:
    """Return facts that are sentences, for people; what is None or empty is left out."""
    return [Fact(words=one) for one in words if one]


def for_people(title: str, headings: Sequence[str], rows: Sequence[Sequence[Any]], note: str = "") -> Table:
    """Return a table for people alone."""
    return Table("", title, [Column(words=heading or " ") for heading in headings], rows, note=note)


def for_programs(values: Mapping[str, Any]) -> list[Fact]:
    """Return facts for programs alone."""
    return [Fact(key, number=Exact(value)) for key, value in values.items()]


def shown(facts: Iterable[Fact]) -> list[list[Fact]]:
    """Return what people see of facts, those together that make one table or one paragraph."""
    seen = [fact for fact in facts if fact.words]
    return [list(group) for _, group in groupby(seen, lambda fact: (_shape(fact), fact.under))]


def _shape(fact: Fact) -> str:
    """Return whether a fact is a sentence, a number, or one that has two ends."""
    return "sentence" if fact.number is None else "range" if isinstance(fact.number, Within) else "number"
