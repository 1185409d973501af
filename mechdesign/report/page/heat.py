"""A matrix as a heat map: a table of shaded cells with their numbers in them; a picture where it is larger."""

from collections.abc import Sequence
from fractions import Fraction

from mechdesign.report.page.blocks import Block, Picture, Shape, Table
from mechdesign.report.page.numbers import NEAREST, level, probability

LARGEST = 12
"""Rows and columns up to which there are numbers in the map."""
LISTED = 40
"""Rows and columns up to which the table beside a picture has all; of a larger one it has the largest entries."""
LARGEST_ENTRIES = 200
WIDTH = 300.0
"""Of a picture, about."""

Row = Sequence[Fraction] | None
"""A row of probabilities; None where it is not known."""


def heat_map(title: str, inputs: Sequence[str], outputs: Sequence[str], rows: Sequence[Row]) -> Block:
    """Return a matrix of probabilities, a row for each input."""
    if len(inputs) <= LARGEST and len(outputs) <= LARGEST:
        return _table(title, inputs, outputs, rows, shaded=True)
    side = max(2.0, min(10.0, WIDTH / max(len(inputs), len(outputs))))
    shades: dict[int, list[str]] = {}
    for x, row in enumerate(rows):
        _runs(shades, row or (), x, side)
    shapes = [Shape("path", {"class": f"h{shade}", "d": "".join(parts)}) for shade, parts in sorted(shades.items())]
    width, height = side * len(outputs), side * len(inputs)
    shapes.append(Shape("path", {"class": "axis", "d": f"M0 0h{width:g}v{height:g}h{-width:g}z"}))
    words = f"{len(inputs)} true values by {len(outputs)} reported ones; the stronger the colour, the more probable"
    return Picture(title, words, (width, height), shapes, _listed(title, inputs, outputs, rows))


def _runs(shades: dict[int, list[str]], row: Sequence[Fraction], x: int, side: float) -> None:
    """Add a row's cells to the paths of their shades, neighbours of one shade together."""
    start = 0
    levels = [level(mass) for mass in row]
    for y in range(1, len(levels) + 1):
        if y == len(levels) or levels[y] != levels[start]:
            width = side * (y - start)
            part = f"M{side * start:.4g} {side * x:.4g}h{width:.4g}v{side:.4g}h-{width:.4g}z"
            shades.setdefault(levels[start], []).append(part)
            start = y


def _listed(title: str, inputs: Sequence[str], outputs: Sequence[str], rows: Sequence[Row]) -> Table:
    if len(inputs) <= LISTED and len(outputs) <= LISTED:
        return _table(title, inputs, outputs, rows, shaded=False)
    entries = [(mass, x, y) for x, row in enumerate(rows) for y, mass in enumerate(row or ()) if mass]
    entries.sort(key=lambda entry: (-entry[0], *entry[1:]))
    cells = [[inputs[x], outputs[y], probability(mass)] for mass, x, y in entries[:LARGEST_ENTRIES]]
    note = f"The largest {len(cells)} of {len(entries)} entries that are not 0. {NEAREST}"
    return Table(f"{title}: the numbers", ["true", "reported", "probability"], cells, folded=True, note=note)


def _table(title: str, inputs: Sequence[str], outputs: Sequence[str], rows: Sequence[Row], *, shaded: bool) -> Table:
    cells = [
        [name, *(["not known"] * len(outputs) if row is None else map(probability, row))]
        for name, row in zip(inputs, rows, strict=True)
    ]
    levels = [[0] * len(outputs) if row is None else [level(mass) for mass in row] for row in rows]
    caption = title if shaded else f"{title}: the numbers"
    return Table(caption, ["true ↓", *outputs], cells, levels=levels if shaded else (), folded=not shaded)
