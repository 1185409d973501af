"""The matrices of a mechanism, those that profiles share once, as heat maps: shaded tables, or pictures if large."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from mechdesign import reports
from mechdesign.reports.page.budget import bytes_of, fitting
from mechdesign.reports.page.subject import Subject
from mechdesign.reports.page.written_numbers import chance, level
from mechdesign.show.blocks import Block, Cell, Group, Pages, Picture, Section, Table, Text
from mechdesign.show.language import Language

LARGEST = 12
"""Rows and columns up to which there are numbers in the map."""
LISTED = 40
"""Rows and columns up to which the table beside a picture has all; of a larger one it has the largest entries."""
LARGEST_ENTRIES = 200
A_MATRIX, A_CELL = 1_400, 30
"""Bytes of HTML that a matrix without entries, and an entry, take without names."""
MOST_DRAWN = 12
"""Large matrices that are drawn; of further ones there are the numbers alone."""

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


def matrices(subject: Subject, say: Language) -> Section:
    """Return the matrices; where each profile is one value, the one matrix of all values."""
    mechanism = subject.mechanism
    inputs, outputs = (list(map(str, labels)) for labels in (mechanism.categories, mechanism.outputs))
    words = ["matrix.each", *["matrix.diagonal"] * (mechanism.outputs == mechanism.categories), "matrix.rounded"]
    blocks: list[Block] = [Text(" ".join(map(say, words)))]
    if subject.inputs_alone:
        return Section(say("matrix.title"), [*blocks, matrix_of_values(subject, say)])
    alike = sharing(subject)
    shown = alike[: fitting(_size(subject, members, inputs, outputs) for members in alike)]
    maps = matrices_of(subject, shown, say)
    groups = [Group([mechanism.profiles[i] for i in members], [own]) for members, own in zip(shown, maps, strict=True)]
    if not subject.known.all():
        blocks.append(Text(say("matrix.unknown"), "note"))
    if len(shown) < len(alike):
        blocks.append(Text(say("matrix.first", n=len(shown), all=len(alike)), "note"))
    return Section(say("matrix.title"), [*blocks, Pages(groups, each=12)])


def matrices_of(subject: Subject, alike: Sequence[list[int]], say: Language) -> list[Block]:
    """Return the matrices of profiles that have the same one; a colour means the same in all of them."""
    inputs, outputs = (list(map(str, names)) for names in (subject.mechanism.categories, subject.mechanism.outputs))
    own = [[subject.row(members[0], x) for x in range(len(inputs))] for members in alike]
    largest = largest_of(row for rows in own for row in rows)
    titles = [_title(subject, members, say) for members in alike]
    maps = [heat_map(title, inputs, outputs, rows, largest, say) for title, rows in zip(titles, own, strict=True)]
    return [
        one.table if number >= MOST_DRAWN and isinstance(one, Picture) and one.table else one
        for number, one in enumerate(maps)
    ]


def matrix_of_values(subject: Subject, say: Language) -> Block:
    """Return the one matrix where each profile is one value."""
    names, outputs = (list(map(str, names)) for names in (subject.mechanism.profiles, subject.mechanism.outputs))
    rows = _own_rows(subject)
    return heat_map(say("matrix.values"), names, outputs, rows, largest_of(rows), say)


def _own_rows(subject: Subject) -> list[Row]:
    """Return for each profile that is one value how that is reported."""
    nodes = subject.mechanism.graph.nodes.values()
    places = [next(x for x, mass in enumerate(node["distribution"]) if mass) for node in nodes]
    return [subject.row(i, x) for i, x in enumerate(places)]


def sharing(subject: Subject) -> list[list[int]]:
    """Return the positions of the profiles, those of one matrix together."""
    mechanism, alike = subject.mechanism, dict[bytes, list[int]]()
    for i, rows in enumerate(mechanism.index):
        key = b"" if mechanism.one_matrix and subject.known.all() else rows.tobytes() + subject.known[i].tobytes()
        alike.setdefault(key, []).append(i)
    return list(alike.values())


def _title(subject: Subject, members: list[int], say: Language) -> str:
    names = list(map(str, subject.mechanism.profiles))
    if len(members) == len(names) > 1:
        return say("matrix.all")
    return say.few([names[i] for i in members])


def _size(subject: Subject, members: list[int], inputs: list[str], outputs: list[str]) -> int:
    """Return about how many bytes a matrix takes: as a table, or as a picture with a table of its largest entries."""
    entries = min(len(inputs) * len(outputs), LISTED * LISTED) * (1 if max(len(inputs), len(outputs)) <= LARGEST else 2)
    names = sum(map(bytes_of, (*inputs, *outputs)))
    return A_MATRIX + A_CELL * entries + 2 * names + sum(bytes_of(subject.mechanism.profiles[i]) for i in members)
