"""Messages say where a cell of data stands and of what kind it is; what it is they say on a terminal alone."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from command import Said, run

import mechdesign as md
from mechdesign.audit.exact_columns import parse_records
from mechdesign.exact.text import cells_shown, shown_cell
from mechdesign.files.numerals import column_with_points
from mechdesign.graph.from_table.distinct import distinct

SWAP = md.mechanism_from_matrix([[0, 1], [1, 0]], inputs=["no", "yes"])
CHAIN = md.design("categorical-chain", epsilon=0.5).mechanism
SECRET = "HIV positive"
NEAR = "yess"
"""A hint at the category that was meant would say what the cell is."""

SECRETS = (SECRET, NEAR, "Ann", "1,234", "777")


def table(**columns: Any) -> dict[str, Any]:
    return {"who": ["Ann", "Ann", "Bob"], "what": ["no", "yes", SECRET], **columns}


def from_table(frame: Any = None, **options: Any) -> Any:
    return md.graph_from_table(table() if frame is None else frame, profile="who", value="what", **options)


FILES = {
    "a file": (f"what\nno\n{SECRET}\n", "--value=what"),
    "what is left out": (f"what\nno\n{SECRET}\n", "--value=what", "--unknown=drop"),
    "an uneven file": (f"who,what\nBob,no\nAnn,no,{SECRET}\n", "--value=what"),
}


def sanitised(name: str, folder: Path, terminals: str = "") -> Said:
    """Return what the command says of a file of CSV."""
    text, *options = FILES[name]
    (folder / "data.csv").write_text(text)
    md.write_mechanism(SWAP, folder / "m.json")
    paths = [str(folder / file) for file in ("m.json", "data.csv", "out.csv")]
    return run("sanitise", *options, *paths[:2], "-o", paths[2], terminals=terminals)


CALLS: dict[str, Callable[[Path], Any]] = {
    "a list": lambda _: md.sanitise(SWAP, ["no", SECRET]),
    "nearly a label": lambda _: md.sanitise(SWAP, ["no", NEAR]),
    "a table": lambda _: md.sanitise(SWAP, pa.table({"what": [SECRET]}), value="what"),
    "integers": lambda _: md.sanitise(SWAP, pa.array([777])),
    "a profile": lambda _: md.sanitise(CHAIN, ["1"], profile=["Ann"]),
    "batches": lambda _: list(md.sanitise_batches(SWAP, [pa.record_batch({"a": [SECRET]})], value="a")),
    "no kind of table": lambda _: md.sanitise(SWAP, {"what": [SECRET]}, value="what"),
    "no kind of column": lambda _: md.sanitise(SWAP, {"what": [SECRET]}),
    "estimates": lambda _: md.estimate(SWAP, ["no", SECRET]),
    "estimates of no table": lambda _: md.estimate(SWAP, 777, value="what"),
    "estimates by profile": lambda _: md.estimate(CHAIN, ["1"], profile=["Ann"]),
    "a category": lambda _: from_table(categories=["no", "yes"]),
    "nearly a category": lambda _: from_table(table(what=["no", "no", NEAR]), categories=["no", "yes"]),
    "a profile that was not given": lambda _: from_table(profiles=["Bob"]),
    "profiles that are two things": lambda _: from_table(table(town=[SECRET, "x", "y"]), edges="town"),
    "of a large table": lambda _: from_table(
        distinct([pa.record_batch(table(town=[SECRET, "x", "y"]))], ["who", "what", "town"]), edges="town"
    ),
    "counts": lambda _: from_table(table(n=["1,234", "5", "6"]), count="n"),
    "counts in two ways": lambda _: from_table(table(n=["77,7", "7.77", "777"]), count="n"),
    "no table": lambda _: from_table([SECRET]),
    "records": lambda _: parse_records([1, SECRET, 3]),
    "no records": lambda _: parse_records(SECRET),
    "numbers": lambda _: column_with_points(["1,234"]),
    "a count": lambda _: md.count.release(777, 100, 1),
} | {name: partial(sanitised, name) for name in FILES}


@pytest.mark.parametrize("name", CALLS)
def test_no_message_has_a_cell(name: str, tmp_path: Path) -> None:
    try:
        said = CALLS[name](tmp_path)
    except md.InputError as error:
        messages = [str(error), repr(error), *error.faults, *map(str, error.args)]
    else:
        messages = [said.out, said.err]
    assert any(messages)
    for message in messages:
        assert not [secret for secret in SECRETS if secret in message], message
        assert "did you mean" not in message


@pytest.mark.parametrize(("streams", "is_seen"), [("out err", True), ("err", False), ("out", False), ("", False)])
@pytest.mark.parametrize("name", ["a file", "what is left out"])
def test_a_terminal_shows_it(name: str, streams: str, is_seen: bool, tmp_path: Path) -> None:
    said = sanitised(name, tmp_path, streams)
    assert (SECRET in said.out + said.err) == is_seen


def test_what_programs_read_does_not(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text(f"who,what\nAnn,{SECRET}\n")
    asked = ["graph", "from-table", str(tmp_path / "data.csv"), "--profile", "who", "--value", "what", "--json"]
    said = run(*asked, "--categories", "no", "-o", str(tmp_path / "g.json"), terminals="out err")
    assert said.status == 2
    assert "text is not one of the categories, in row 1;" in json.loads(said.out)["error"]


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        (SECRET, "text"),
        (" ", "blank text"),
        (3, "a number"),
        (float("nan"), "a number that is not finite"),
        (1j, "a number"),
        (None, "no value"),
        (True, "data of type bool"),
        (pd.Series([SECRET]), "data of type Series"),
    ],
)
def test_kinds(cell: Any, kind: str) -> None:
    assert shown_cell(cell) == kind
    with cells_shown():
        assert shown_cell(SECRET) == repr(SECRET)
    assert shown_cell(SECRET) == "text"
