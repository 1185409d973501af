"""What each column and row of the textbook program is.

A key is a kind and positions: i, a, b of profiles, x of a category, y of an output. A name is a key with its parts
joined by "_". Profiles that share a matrix have its entries and totals under the position of the first of them.
Positions of profiles come first; in a component's program they are those in the whole graph, as in the whole program.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from mechdesign.objective.base import Key as Key
from mechdesign.problem import Problem
from mechdesign.program.program import directed
from mechdesign.program.transport import Layout

KINDS = {
    "entry": "column i x y: the probability with which profile i reports category x as output y",
    "level": "column: the objective, over objective_scale",
    "slack": "column a b y, where delta > 0: what q^a_y may exceed e^epsilon q^b_y by, over e^epsilon; q: released",
    "total": "row i x: the entries of profile i and category x are 1 together",
    "objective": "row: the mean loss is at most level; row i: profile i's loss is; row i x y: this entry is",
    "rise": "row i x: the probability of category x is at most level larger in what profile i releases than in itself",
    "fall": "row i x: it is at most level smaller",
    "privacy": "row a b y: e^-epsilon q^a_y <= q^b_y, plus the slack if there is one",
    "delta": "row a b: the slacks are at most e^-epsilon delta together",
}


PAIRS = ("slack", "privacy", "delta")
"""Kinds whose first two positions are of profiles; with others it is the first, if there are any."""

MOST_DIGITS = 9
"""Of a position: there are fewer profiles."""


def column_keys(problem: Problem, layout: Layout) -> Iterator[Key]:
    """Yield what the columns of `transport_program` are, in order."""
    outputs = range(problem.outputs)
    yield from (("entry", (i, x, y)) for i, x in _matrix_rows(layout) for y in outputs)
    yield ("level", ())
    _, loose = directed(problem.required)
    yield from (("slack", (a, b, y)) for a, b, _ in loose for y in outputs)


def row_keys(problem: Problem, layout: Layout) -> Iterator[Key]:
    """Yield what the rows of `transport_program` are, in order."""
    outputs, pairs = range(problem.outputs), _matrix_rows(layout)
    yield from (("total", (i, x)) for i, x in pairs)
    yield from problem.objective.row_keys(problem, pairs)
    strict, loose = directed(problem.required)
    yield from (("privacy", (a, b, y)) for a, b, _ in (*strict, *loose) for y in outputs)
    yield from (("delta", (a, b)) for a, b, _ in loose)


def name_of(key: Key) -> str:
    """Return the name of a column or row.

    Examples
    --------
    >>> name_of(("entry", (0, 3, 2)))
    'entry_0_3_2'
    """
    return "_".join(map(str, (key[0], *key[1])))


def placed(key: Key, members: Sequence[int]) -> Key:
    """Return a component's key with the positions that its profiles have in the whole graph.

    Examples
    --------
    >>> placed(("privacy", (0, 1, 3)), members=[4, 7])
    ('privacy', (4, 7, 3))
    """
    kind, positions = key
    count = 2 if kind in PAIRS else 1
    return kind, (*(members[i] for i in positions[:count]), *positions[count:])


def first_profile(name: str) -> int | None:
    """Return the position of the first profile that a name names; None if it is no such name.

    Examples
    --------
    >>> first_profile("entry_4_0_1"), first_profile("level"), first_profile("x_4")
    (4, None, None)
    >>> first_profile("entry_" + "9" * 5000)
    """
    kind, *positions = name.split("_")
    number = positions[0] if positions and len(positions[0]) <= MOST_DIGITS else ""
    return int(number) if kind in KINDS and number.isdecimal() else None


def _matrix_rows(layout: Layout) -> list[tuple[int, int]]:
    """Return profile and category of each matrix row that plays a part, in the order of their columns."""
    used = np.argwhere(layout.start >= 0)
    _, first = np.unique(layout.start[layout.start >= 0], return_index=True)
    return [(i, x) for i, x in used[first].tolist()]
