"""An answer for programs: one object of JSON."""

from collections.abc import Iterable, Sequence
from typing import Any

from mechdesign.graph.labels import Label
from mechdesign.show.answer import Answer, Column, Fact, Table
from mechdesign.show.fact_numbers import number_of


def as_json(answer: Answer) -> dict[str, Any]:
    """Return what JSON has of an answer.

    Examples
    --------
    >>> from mechdesign.show.fact_numbers import Exact, Up
    >>> as_json(Answer("Done.", facts=[Fact("value", "the value", Up(0.5)), Fact("by.hand", number=Exact(True))]))
    {'value': 0.5, 'by': {'hand': True}, 'sentence': 'Done.', 'warnings': []}
    """
    found = facts_of(answer) | {"sentence": answer.sentence, "warnings": list(answer.warnings)}
    return found | ({"error": answer.error} if answer.error else {})


def facts_of(answer: Answer) -> dict[str, Any]:
    """Return an object of the facts and tables alone, for one that has several answers."""
    found: dict[str, Any] = {}
    for fact in answer.facts:
        if fact.key:
            _put(found, fact.key, _values(fact.key.rpartition(".")[2], fact))
    for table in answer.tables:
        if table.key:
            name = table.key.rpartition(".")[2]
            rows = [_object(table.columns, row) for row in table.rows] if not table.by else _nested(table)
            _put(found, table.key, {name: rows})
    return found


def _put(found: dict[str, Any], key: str, values: dict[str, Any]) -> None:
    for name in key.split(".")[:-1]:
        found = found.setdefault(name, {})
    found.update(values)


def _values(name: str, fact: Fact) -> dict[str, Any]:
    if fact.number is None:
        return {name: fact.words}
    return fact.number.values(name) | ({f"{name}_exact": fact.number.exactly()} if fact.exact else {})


def _object(columns: Sequence[Column], row: Sequence[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for column, cell in zip(columns, row, strict=True):
        if column.key:
            found |= number_of(cell).values(column.key)
    return found


def _nested(table: Table) -> dict[str, Any]:
    """Return rows as objects within objects, by their first cells; one column that is left is no object."""
    columns, rows, by, found = table.columns, table.rows, table.by, dict[str, Any]()
    keys = [names_of(column) for column in zip(*(row[:by] for row in rows), strict=True)]
    for row in rows:
        *outer, last = (names[label] for names, label in zip(keys, row[:by], strict=True))
        inner = found
        for name in outer:
            inner = inner.setdefault(name, {})
        rest = _object(columns[by:], row[by:])
        inner[last] = next(iter(rest.values())) if len(columns) == by + 1 else rest
    return found


def names_of(labels: Iterable[Label]) -> dict[Label, str]:
    """Return labels as the keys of a JSON object; 1 and "1" are written so that they differ."""
    names = {label: str(label) for label in labels}
    return names if len(set(names.values())) == len(names) else {label: repr(label) for label in names}
