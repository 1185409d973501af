"""A matrix as a heat map: a table of shaded cells with their numbers in them; a picture where it is larger."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from mechdesign.report.page.written_numbers import NEAREST, level, probability
from mechdesign.show.blocks import Block, Picture, Shape, Table

LARGEST = 12
"""Rows and columns up to which there are numbers in the map."""
LISTED = 40
"""Rows and columns up to which the table beside a picture has all; of a larger one it has the largest entries."""
LARGEST_ENTRIES = 200
WIDTH = 300.0
"""Of a picture, about."""

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
    side = max(2.0, min(10.0, WIDTH / max(len(inputs), len(outputs))))
    shades: dict[int, list[str]] = {}
    for x, row in enumerate(rows):
        _runs(shades, [level(mass, largest) for mass in row or ()], x, side)
    shapes = [Shape("path", {"class": f"h{shade}", "d": "".join(parts)}) for shade, parts in sorted(shades.items())]
    width, height = side * len(outputs), side * len(inputs)
    shapes.append(Shape("path", {"class": "axis", "d": f"M0 0h{width:g}v{height:g}h{-width:g}z"}))
    size = f"{len(inputs)} true values by {len(outputs)} reported ones"
    words = f"{size}; the stronger the colour, the more probable, up to {probability(largest)}"
    return Picture(title, words, (width, height), shapes, _listed(title, inputs, outputs, rows))


def _runs(shades: dict[int, list[str]], levels: Sequence[int], x: int, side: float) -> None:
    """Add a row's cells to the paths of their shades, neighbours of one shade together."""
    start = 0
    for y in range(1, len(levels) + 1):
        if y == len(levels) or levels[y] != levels[start]:
            width = side * (y - start)
            part = f"M{side * start:.4g} {side * x:.4g}h{width:.4g}v{side:.4g}h-{width:.4g}z"
            shades.setdefault(levels[start], []).append(part)
            start = y


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
