"""A matrix as a heat map: a table of shaded cells with their numbers in them; a picture where it is larger."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from mechdesign.report.page.numbers import NEAREST, level, probability
from mechdesign.show.blocks import Block, Picture, Table

if TYPE_CHECKING:
    from mechdesign.report.figure import Figure

LARGEST = 12
"""Rows and columns up to which there are numbers in the map."""
LISTED = 40
"""Rows and columns up to which the table beside a picture has all; of a larger one it has the largest entries."""
LARGEST_ENTRIES = 200

Row = Sequence[Fraction] | None
"""A row of probabilities; None where it is not known."""


def largest_of(rows: Iterable[Row]) -> Fraction:
    """Return the largest probability there is, which has the strongest colour."""
    return max((max(row, default=Fraction(0)) for row in rows if row is not None), default=Fraction(0))


def heat_map(
    title: str, inputs: Sequence[str], outputs: Sequence[str], rows: Sequence[Row], largest: Fraction
) -> Block:
    """Return a matrix of probabilities, a row for each input; `largest` has the strongest colour."""
    if len(inputs) <= LARGEST and len(outputs) <= LARGEST:
        return _table(title, inputs, outputs, rows, largest)

    def draw() -> "Figure":
        from mechdesign.report.plots import plot_heat  # matplotlib loads slowly

        return plot_heat(rows, len(outputs), largest)

    size = f"{len(inputs)} true values by {len(outputs)} reported ones"
    words = f"{size}; the stronger the colour, the more probable, up to {probability(largest)}"
    return Picture(title, words, draw, _listed(title, inputs, outputs, rows))


def _listed(title: str, inputs: Sequence[str], outputs: Sequence[str], rows: Sequence[Row]) -> Table:
    if len(inputs) <= LISTED and len(outputs) <= LISTED:
        return _table(title, inputs, outputs, rows)
    entries = [(mass, x, y) for x, row in enumerate(rows) for y, mass in enumerate(row or ()) if mass]
    entries.sort(key=lambda entry: (-entry[0], *entry[1:]))
    cells = [[inputs[x], outputs[y], probability(mass)] for mass, x, y in entries[:LARGEST_ENTRIES]]
    note = f"The largest {len(cells)} of {len(entries)} entries that are not 0. {NEAREST}"
    return Table(f"{title}: the numbers", ["true", "reported", "probability"], cells, folded=True, note=note)


def _table(
    title: str, inputs: Sequence[str], outputs: Sequence[str], rows: Sequence[Row], largest: Fraction | None = None
) -> Table:
    """Return a matrix as a table, shaded if it is said what is the largest; folded beside a picture if not."""
    cells = [
        [name, *(["not known"] * len(outputs) if row is None else map(probability, row))]
        for name, row in zip(inputs, rows, strict=True)
    ]
    headings = ["true ↓", *outputs]
    if largest is None:
        return Table(f"{title}: the numbers", headings, cells, folded=True)
    levels = [[0] * len(outputs) if row is None else [level(mass, largest) for mass in row] for row in rows]
    return Table(title, headings, cells, levels=levels)
