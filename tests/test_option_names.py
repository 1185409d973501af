"""Messages of the command line name its options, those of Python its arguments."""

from pathlib import Path

import click
import pytest
from command import run

import mechdesign as md
from mechdesign.cli.option_names import in_options
from mechdesign.errors import InputError, Remark

SPOKEN = [
    (["count", "posterior", "--n", "10", "--p", "2", "--epsilon", "1", "--answer=3"], "--p: expected a probability"),
    (["count", "posterior", "--n", "1.5", "--p", "1", "--epsilon", "1", "--answer=3"], "--n: expected a positive"),
    (["count", "release", "--true-count", "7", "--n", "5", "--epsilon", "1"], "--true-count: expected a count in 0..5"),
    (["graph", "counting", "0", "-o", "g.json"], "N: expected a positive integer, found 0"),
    (["graph", "counting", "2", "--p", "beta:x,1", "-o", "g.json"], "--p: alpha: expected a number > 0, found 'x'"),
    (["graph", "grid", "0", "3", "-o", "g.json"], "ROWS: expected a positive integer, found 0"),
    (["graph", "grid", "2", "3", "--spacing", "x", "-o", "g.json"], "--spacing: expected a number > 0"),
    (["graph", "values", "a", "b", "--metric", "absolute", "-o", "g.json"], "VALUES: a difference is one of numbers"),
    (["graph", "database", "a,b", "--rows", "0", "-o", "g.json"], "--rows: expected a positive integer, found 0"),
    (["mechanism", "k-ary", "a,b", "--ratio", "0.5", "-o", "m.json"], "; --epsilon takes what is in nats"),
    (["formula", "hobbies", "--ratio", "0.5"], "--ratio: expected e^epsilon, a number >= 1"),
    (["bench", "--families", "nope"], "--families: expected some of chain, ring"),
]


@pytest.mark.parametrize(("words", "message"), SPOKEN, ids=[" ".join(words[:4]) for words, _ in SPOKEN])
def test_a_message_names_the_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert message in err
    assert not list(tmp_path.iterdir())


def test_of_a_table_too(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("job,use\na,x\nb,y\n")
    named = ["--profile", "job", "--value", "use", "-o", str(tmp_path / "g.json")]
    err = run("graph", "from-table", str(table), *named, "--round", "0", "--public", "--noise", "1")[2]
    assert "  --round: expected a positive integer, found 0\n" in err
    assert "give either --public or --noise" in err
    assert "give both --categories and --profiles, not" in err


def test_python_names_its_arguments() -> None:
    with pytest.raises(InputError, match=r"^expected one of epsilon= \(in nats\) and ratio= "):
        md.k_ary(["a", "b"])


def test_what_stands_in_a_file_is_no_option() -> None:
    """Nor is a remark, a word that only ends so, or what no option of the command is called."""
    faults: list[str] = ["rows: 3", Remark("rows: likely", 7), "more rows: 3", "rows=3, x-rows=, columns=True of rows="]
    rest = ["rows: likely", "more rows: 3", "rows=3, x-rows=, columns=True of --rows"]
    command = click.Command("product", params=[click.Option(["--rows"])])
    with click.Context(command):
        told = [in_options(InputError(faults, source="m.json")), in_options(InputError(faults), "m.json")]
    assert [one.faults for one in told] == [["rows: 3", *rest], ["--rows: 3", *rest]]
    assert [(one.source, one.count) for one in told] == [("m.json", 10)] * 2


@pytest.mark.parametrize("source", ["", "m.json"])
def test_remedies_are_options_on_the_command_line(source: str) -> None:
    """In Python an argument with its value; also in a remark."""
    remedies: list[str] = ['missing_profile="drop" does', Remark("normalise=True does"), "name others= or else=True"]
    params: list[click.Parameter] = [click.Option([name]) for name in ("--missing-profile", "--normalise", "--others")]
    with click.Context(click.Command("sanitise", params=params)):
        told = in_options(InputError(remedies, source=source)).faults
    assert told == ["--missing-profile drop does", "--normalise does", "name --others or else=True"]


@pytest.mark.parametrize(
    "words",
    [
        ["design", "categorical-chain", "--epsilon", "0.5"],
        ["mechanism", "k-ary", "a,b", "--epsilon", "1"],
        ["graph", "values", "a,b"],
        ["graph", "grid", "2", "2"],
    ],
    ids=" ".join,
)
def test_an_ending_says_what_is_written(tmp_path: Path, words: list[str]) -> None:
    """As of mend: JSON is not written to a file whose name says that it is a table."""
    said = run(*words, "-o", str(tmp_path / "out.csv"))
    assert said.status == 2
    assert "out.csv: --output: expected a name that ends in .json" in said.err
    assert run(*words, "-o", str(tmp_path / "out")).status == 0
