"""Messages of the command line name its options, those of Python its arguments."""

import click
import pytest

import mechdesign as md
from mechdesign.cli.option_names import in_options
from mechdesign.errors import InputError, Remark


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
