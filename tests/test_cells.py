"""Messages say where a cell of data stands and of what kind it is; what it is they say on a terminal alone."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

import mechdesign as md
from mechdesign.audit.exact_columns import parse_records
from mechdesign.cli.main import main
from mechdesign.exact.cells import cells_shown, shown_cell
from mechdesign.files.numerals import column_with_points
from mechdesign.graph.from_table import distinct

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


def spoilt(text: str, **options: Any) -> Callable[[Path], Any]:
    """Return what sanitises a file of CSV on the command line."""

    def call(folder: Path) -> Any:
        (folder / "data.csv").write_text(text)
        md.write_mechanism(SWAP, folder / "m.json")
        given = [f"--{name}={value}" for name, value in options.items()]
        main(["sanitise", str(folder / "m.json"), str(folder / "data.csv"), "-o", str(folder / "out.csv"), *given])

    return call


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
    "a file": spoilt(f"what\nno\n{SECRET}\n", value="what"),
    "what is left out": spoilt(f"what\nno\n{SECRET}\n", value="what", unknown="drop"),
    "an uneven file": spoilt(f"who,what\nBob,no\nAnn,no,{SECRET}\n", value="what"),
}


@pytest.mark.parametrize("name", CALLS)
def test_no_message_has_a_cell(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        CALLS[name](tmp_path)
    except md.InputError as error:
        messages = [str(error), repr(error), *error.faults, *map(str, error.args)]
    else:
        messages = list(capsys.readouterr())
    assert any(messages)
    for message in messages:
        assert not [secret for secret in SECRETS if secret in message], message
        assert "did you mean" not in message


@pytest.mark.parametrize(("streams", "is_seen"), [("out err", True), ("err", False), ("out", False), ("", False)])
@pytest.mark.parametrize("name", ["a file", "what is left out"])
def test_a_terminal_shows_it(
    name: str,
    streams: str,
    is_seen: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for stream in streams.split():
        monkeypatch.setattr(getattr(sys, f"std{stream}"), "isatty", lambda: True)
    CALLS[name](tmp_path)
    assert (SECRET in "".join(capsys.readouterr())) == is_seen


def test_what_programs_read_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    (tmp_path / "data.csv").write_text(f"who,what\nAnn,{SECRET}\n")
    asked = ["graph", "from-table", str(tmp_path / "data.csv"), "--profile", "who", "--value", "what", "--json"]
    assert main([*asked, "--categories", "no", "-o", str(tmp_path / "g.json")]) == 2
    assert "text is not one of the categories, in row 1;" in json.loads(capsys.readouterr().out)["error"]


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
