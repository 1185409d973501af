"""Whether classes are what they seem, exactly: what a proof says of one pair of a class, it then says of all.

Classes of pairs (profile i, output y) are equitable if any two pairs of a class have

1. profiles of the same weight, and the same target;
2. in their profiles' rows equally many pairs of each class;
3. for what each edge of (i, j) asks, equally many neighbours j for which (j, y) is of each class; where delta > 0,
   edges are told apart by what pairs of classes there are at their ends;
4. for each loss, equally many categories that the profile gives each probability, and that stand in the same way to
   its outputs.

No hash plays a part here.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from mechdesign.arrays import Integers
from mechdesign.privacy.inequalities import Edges
from mechdesign.problem import Problem
from mechdesign.symmetry.colour_refinement import Given, joined

WORD = 62
"""Bits of an integer that counts of neighbours are packed into."""

MOST_WORDS = 16
"""With more integers than this for each pair, neighbours are sorted and compared in place of counted."""


def are_equitable(problem: Problem, edges: Edges, given: Given, classes: Integers, groups: Integers) -> bool:
    """Return whether the classes are equitable; `groups` are those of the profiles, as `profile_classes` has them."""
    _, first = np.unique(groups, return_index=True)
    like = first[groups]  # the profile that each is compared with
    return (
        _same_profiles(problem, given, classes, like)
        and _same_categories(problem, given, classes)
        and _same_neighbours(edges, classes, like)
    )


def profile_classes(classes: Integers) -> Integers | None:
    """Return the number of each profile's class, by the classes of its row; None if a class is in rows of two kinds.

    Examples
    --------
    >>> profile_classes(np.array([[0, 1, 1], [1, 0, 1], [2, 2, 2]])).tolist()
    [0, 0, 1]
    """
    numbers: dict[bytes, int] = {}
    rows = np.sort(classes, axis=1)
    groups = np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in rows])
    kinds = sum(len(np.unique(np.frombuffer(row, dtype=rows.dtype))) for row in numbers)
    return groups if kinds == len(np.unique(classes)) else None


def _same_profiles(problem: Problem, given: Given, classes: Integers, like: Integers) -> bool:
    """1: weights and targets."""
    if any(given.prior[i] != given.prior[other] for i, other in enumerate(like.tolist())):
        return False
    points, where = given.points
    kept = np.zeros(classes.shape, dtype=np.int64)
    kept[points, np.asarray(problem.free)[where]] = 1
    others = given.spread
    kept[others] = 2 + numbered([problem.target[i] for i in others.tolist()], classes.shape[1])
    return _constant(classes, kept)


def numbered(table: Sequence[Sequence[Fraction]], width: int) -> Integers:
    """Return numbers of the Fractions in rows of this width, equal where these are.

    Examples
    --------
    >>> numbered([[Fraction(1, 2), Fraction(1, 3)], [Fraction(1, 3), Fraction(2, 4)]], 2).tolist()
    [[0, 1], [1, 0]]
    """
    numbers: dict[Fraction, int] = {}
    found = [[numbers.setdefault(value, len(numbers)) for value in row] for row in table]
    return np.array(found, dtype=np.int64).reshape(len(table), width)


def _constant(classes: Integers, values: Integers) -> bool:
    """Return whether the values, one for each pair, are the same all over each class."""
    return bool((values == values.ravel()[first_places(classes)][classes]).all())


def first_places(classes: Integers) -> Integers:
    """Return the place of each class' first pair in the flattened table; classes are numbered from 0.

    Examples
    --------
    >>> first_places(np.array([[0, 1], [1, 2]])).tolist()
    [0, 1, 3]
    """
    first = np.zeros(int(classes.max()) + 1, dtype=np.int64)
    first[classes.ravel()[::-1]] = np.arange(classes.size)[::-1]
    return first


def _same_categories(problem: Problem, given: Given, classes: Integers) -> bool:
    """4: losses, and for profiles of several categories how these and the outputs stand to each other."""
    points, where = given.points
    seen = np.zeros(classes.shape, dtype=np.int64)
    seen[points] = given.kinds[where]
    others, kinds = given.spread, int(given.kinds.max(initial=0)) + 1
    if len(others):
        masses = numbered([problem.exact[i] for i in others.tolist()], len(given.kinds))
        # How each category stands to the outputs, then how each output stands to the categories so numbered.
        outputs = np.sort(given.kinds + kinds * classes[others][:, None, :], axis=2)
        categories = _numbered_rows(np.concatenate([masses[:, :, None], outputs], axis=2))
        there = given.kinds + kinds * categories[:, :, None]
        there[np.array([[mass == 0 for mass in problem.exact[i]] for i in others.tolist()])] = -1
        seen[others] = kinds + _numbered_rows(np.sort(there.transpose(0, 2, 1), axis=2))
    return _constant(classes, seen)


def _numbered_rows(table: Integers) -> Integers:
    """Return numbers of the rows along the last axis, equal where these are."""
    rows = table.reshape(-1, table.shape[-1])
    return np.unique(rows, axis=0, return_inverse=True)[1].reshape(table.shape[:-1])


def edge_classes(edges: Edges, classes: Integers) -> Integers:
    """Return a number for each edge: what it asks, and where delta > 0 also which classes are at its ends."""
    result = edges.label.copy()
    numbers: dict[tuple[int, bytes], int] = {}
    count = int(classes.max()) + 1
    for edge in np.flatnonzero(edges.loose).tolist():
        ends = np.sort(classes[edges.first[edge]] * count + classes[edges.second[edge]])
        key = int(edges.label[edge]), ends.tobytes()
        result[edge] = numbers.setdefault(key, len(edges.asked) + len(numbers))
    return result


def _same_neighbours(edges: Edges, classes: Integers, like: Integers) -> bool:
    """3: neighbours by class and edge."""
    kinds = np.unique(edge_classes(edges, classes), return_inverse=True)[1]
    bits = int(np.diff(edges.start).max()).bit_length()
    words = -(-(int(classes.max()) + 1) // (WORD // bits))
    count = int(kinds.max()) + 1
    if count * words <= MOST_WORDS:
        return _counted_alike(edges, kinds, classes, bits)
    return _sorted_alike(edges, kinds, classes, like)


def _counted_alike(edges: Edges, kinds: Integers, classes: Integers, bits: int) -> bool:
    """Compare the numbers of neighbours, those of several classes packed into one integer."""
    each = WORD // bits
    for kind in range(int(kinds.max()) + 1):
        chosen = (kinds == kind).astype(np.int64)
        for start in range(0, int(classes.max()) + 1, each):
            place = classes - start
            inside = (place >= 0) & (place < each)
            packed = np.where(inside, 1 << (bits * np.clip(place, 0, each - 1)), 0)
            if not _constant(classes, joined(edges, chosen, packed)):
                return False
    return True


def _sorted_alike(edges: Edges, kinds: Integers, classes: Integers, like: Integers) -> bool:
    """Compare the sorted lists of neighbours, for each profile with the one that it is like."""
    count = int(classes.max()) + 1
    degree = np.diff(edges.start)
    column = np.zeros(count, dtype=np.int64)
    for other in np.unique(like).tolist():
        listed = _listed(edges, kinds, classes, other)
        column[classes[other]] = np.arange(classes.shape[1])
        for i in np.flatnonzero(like == other).tolist():
            if degree[i] != degree[other]:
                return False
            if (_listed(edges, kinds, classes, i) != listed[:, column[classes[i]]]).any():
                return False
    return True


def _listed(edges: Edges, kinds: Integers, classes: Integers, i: int) -> Integers:
    own = slice(edges.start[i], edges.start[i + 1])
    count = int(classes.max()) + 1
    return np.sort(kinds[own][:, None] * count + classes[edges.second[own]], axis=0)
