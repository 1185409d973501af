"""A matrix as a heat map: a table of shaded cells with their numbers in them; a picture where it is larger."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from mechdesign import reports
from mechdesign.reports.page.written_numbers import chance, level
from mechdesign.show.blocks import Block, Cell, Picture, Table
from mechdesign.show.language import Language

LARGEST = 12
"""Rows and columns up to which there are numbers in the map."""
LISTED = 40
"""Rows and columns up to which the table beside a picture has all; of a larger one it has the largest entries."""
LARGEST_ENTRIES = 200

Row = Sequence[Fraction] | None
"""A row of probabilities; None where it is not known."""


def largest_of(rows: Iterable[Row]) -> Fraction:
    """Return the largest probability there is, which has the strongest colour in a picture."""
    return max((max(row, default=Fraction(0)) for row in rows if row is not None), default=Fraction(0))


def heat_map(
    title: str, inputs: Sequence[str], outputs: Sequence[str], rows: Sequence[Row], largest: Fraction, say: Language
) -> Block:
    """Return a matrix of probabilities, a row for each input.

    Shades of a table are those of 0 to 1, so that they mean the same in two pages. In a picture, of a matrix so large
    that its entries may all be small, `largest` has the strongest colour, and it says so.
    """
    if len(inputs) <= LARGEST and len(outputs) <= LARGEST:
        return _table(title, inputs, outputs, rows, say, shaded=True)

    words = say("matrix.picture", inputs=len(inputs), outputs=len(outputs), largest=chance(largest))
    return Picture(
        title, words, lambda: reports.plot_heat(rows, len(outputs), largest), _listed(title, inputs, outputs, rows, say)
    )


def _listed(title: str, inputs: Sequence[str], outputs: Sequence[str], rows: Sequence[Row], say: Language) -> Table:
    if len(inputs) <= LISTED and len(outputs) <= LISTED:
        return _table(title, inputs, outputs, rows, say)
    entries = [(mass, x, y) for x, row in enumerate(rows) for y, mass in enumerate(row or ()) if mass]
    entries.sort(key=lambda entry: (-entry[0], *entry[1:]))
    cells = [[inputs[x], outputs[y], chance(mass)] for mass, x, y in entries[:LARGEST_ENTRIES]]
    note = say("matrix.largest", n=len(cells), all=len(entries))
    headings = [say(f"matrix.{name}") for name in ("from", "to", "probability")]
    return Table(say("table.numbers", title=title), headings, cells, folded=True, note=note)


def _table(
    title: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    rows: Sequence[Row],
    say: Language,
    *,
    shaded: bool = False,
) -> Table:
    """Return a matrix as a table, shaded, or folded beside a picture."""
    cells: list[list[Cell]] = [
        [name, *([say("matrix.not_known")] * len(outputs) if row is None else map(chance, row))]
        for name, row in zip(inputs, rows, strict=True)
    ]
    headings = [say("table.true"), *outputs]
    if not shaded:
        return Table(say("table.numbers", title=title), headings, cells, folded=True)
    levels = [[0] * len(outputs) if row is None else list(map(level, row)) for row in rows]
    return Table(title, headings, cells, levels=levels)
