"""An answer is told once: JSON, a terminal and a notebook have the same numbers, caveats and names."""

from fractions import Fraction

import pytest

import mechdesign as md
from mechdesign.show.answer import Answer, Column, Fact, Rows, Table, sentences
from mechdesign.show.as_blocks import blocks_of, table_of
from mechdesign.show.as_json import as_json
from mechdesign.show.blocks import Table as Shown
from mechdesign.show.blocks import Text
from mechdesign.show.fact_numbers import Down, Exact, Near, Number, Up, Within
from mechdesign.show.terminal import LISTED, print_answer

F = Fraction
COIN = [["3/4", "1/4"], ["1/4", "3/4"]]
THIRD = F(1, 3)


def printed(answer: Answer, capsys: pytest.CaptureFixture[str]) -> list[str]:
    print_answer(answer)
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("number", "values", "words"),
    [
        (Up(THIRD), {"x": 0.33333333333333337}, "0.333333334"),
        (Down(THIRD), {"x": 0.3333333333333333}, "0.333333333"),
        (Up(F(0)), {"x": 0.0}, "0"),
        (Up(THIRD / 10**20), {"x": pytest.approx(3.3333e-21, rel=1e-4)}, "3.33334e-21"),
        (Down(THIRD / 10**20), {"x": pytest.approx(3.3333e-21, rel=1e-4)}, "3.33333e-21"),
        (Up(float("inf")), {"x": None}, "inf"),
        (Near(F(1, 10**400)), {"x": 5e-324}, "0.000000"),
        (Near(F(-1, 10**400)), {"x": -5e-324}, "0.000000"),
        (Near(None), {"x": None}, "-"),
        (Within(None, None), {"x_lower": None, "x_upper": None}, "- to -"),
        (Exact(None), {"x": None}, "-"),
        (Exact(False), {"x": False}, "no"),
        (Exact(2**53), {"x": float(2**53)}, "9.0072e+15"),
        (Exact(10**400), {"x": None}, "1.00000e+400"),
    ],
    ids=range(14),
)
def test_the_type_alone_decides_how_a_number_is_rounded(number: Number, values: dict[str, object], words: str) -> None:
    assert number.values("x") == values
    assert number.words() == words


def test_bounds_stay_on_their_side() -> None:
    for value in (F(1, 3), F(2, 3), F(1, 10), F(10**400, 3)):
        above, below = Up(value).values("x")["x"], Down(value).values("x")["x"]
        assert above is None or F(repr(above)) >= value
        assert F(repr(below)) <= value
        assert F(Up(value).words()) >= value >= F(Down(value).words())


def test_names_are_text_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    name = "[bold]<b>a</b>:cat:[/bold]"
    answer = Answer(f"About {name}.", tables=[Table("t", name, [Column("a", "who")], [[name]])], warnings=[name])
    assert printed(answer, capsys) == [name, f"About {name}.", "", name, "who", name]
    assert as_json(answer) == {"t": [{"a": name}], "sentence": f"About {name}.", "warnings": [name]}
    assert blocks_of(answer)[0] == Text(name, "note")


def test_sentences_stand_together_and_tables_apart(capsys: pytest.CaptureFixture[str]) -> None:
    facts = [Fact("a", "first", Up(F(1, 2)), "by hand", under="size"), Fact("b", "other", Down(F(1, 4)), under="size")]
    answer = Answer("Done.", about="Asked.", facts=[*sentences("One.", None, "Two."), *facts, *sentences("Three.")])
    rows = ["size", "first    0.500000000    by hand", "other    0.250000000"]
    assert printed(answer, capsys) == ["Asked.", "Done.", "One.", "Two.", "", *rows, "", "Three."]
    assert as_json(answer) == {"a": 0.5, "b": 0.25, "sentence": "Done.", "warnings": []}
    (table,) = (block for block in blocks_of(answer) if isinstance(block, Shown))
    assert table.rows[0] == ["first", Up(F(1, 2)), "rounded up", "by hand"]


def test_of_a_long_table_the_first_rows_are_made(capsys: pytest.CaptureFixture[str]) -> None:
    made = []

    def row(i: int) -> list[object]:
        made.append(i)
        return [i, Within(0.5, 1.0)]

    columns = [Column("at", "at"), Column("x", "x")]
    lines = printed(Answer("Many.", tables=[Table("t", "All", columns, Rows(10**9, row))]), capsys)
    assert lines[3] == "at    x: at least    at most"
    assert lines[-1] == f"the first {LISTED} of 1,000,000,000; --json has all"
    assert made
    assert max(made) < LISTED


@pytest.mark.parametrize("note", ["one phrase", "One sentence."])
def test_what_a_long_table_says_of_itself_goes_on(note: str) -> None:
    table = Table("t", "All", [Column("at", "at")], [[0], [1]], note=note)
    assert table_of(table, 1).note == f"{note.removesuffix('.')}; the first 1 of 2; --json has all"
    assert table_of(table, 2).note == note


def test_rows_become_objects_within_objects() -> None:
    columns = [Column("profile"), Column("category"), Column("share")]
    table = Table("shares", "", columns, [[1, "no", Near(0.5)], ["1", "no", Near(0.25)]], by=2)
    assert as_json(Answer(tables=[table]))["shares"] == {"1": {"no": 0.5}, "'1'": {"no": 0.25}}
    empty = Table("shares", "", columns, [], by=2)
    assert as_json(Answer(tables=[empty]))["shares"] == {}


def test_results_answer() -> None:
    graph = md.read_graph("categorical-chain")
    design = md.design(graph, epsilon="0.5")
    results = [
        design,
        md.certify(design, epsilon="0.5"),
        md.compare_with_optimal_product(md.mechanism_from_matrix(COIN), epsilon=1),
        md.mend(COIN, epsilon=1),
        md.compose(COIN, releases=2),
        md.estimate(COIN, [0] * 70 + [1] * 30),
        md.count.posterior(45, 100, "0.3", "0.1"),
        md.count.errors(20, "0.3", "0.1"),
        md.plan_rows(COIN, "0.01"),
    ]
    for result in results:
        told = result.answer()  # type: ignore[union-attr]
        assert told.sentence or told.facts
        assert as_json(told)["warnings"] == list(told.warnings)
        assert result._repr_html_().count("<table") == sum(  # type: ignore[union-attr]
            isinstance(block, Shown) for block in blocks_of(told)
        ) + (3 if result is design else 0)  # the pictures of a design have a table each


def test_what_is_not_protected_is_said_to_a_program_too() -> None:
    told = md.design("categorical-chain", epsilon="inf").answer()
    assert as_json(told)["warnings"] == [
        "Nothing is protected: no edge requires anything, as every epsilon is infinite."
    ]


def test_what_labels_do_to_a_terminal_is_seen_and_not_done(capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody's file could else rewrite a verdict."""
    label, seen = "a\x1b[2K\r\u202eb", r"a\x1b[2K\r\u202eb"
    answer = Answer(f"About {label}.", tables=[Table("t", label, [Column("a", label)], [[label]])], warnings=[label])
    print_answer(answer)
    assert capsys.readouterr().out.split("\n") == [seen, f"About {seen}.", "", seen, seen, seen, ""]
