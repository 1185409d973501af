"""How much fits on a page that is to stay below 5 MB."""

from collections.abc import Iterable
from itertools import accumulate

from markupsafe import escape

MOST_BYTES = 2_250_000
"""Of HTML for all that is released, and as much for the matrices."""
MOST_BYTES_LISTED = 150_000
"""Of HTML for a list of links, or of pairs of profiles."""
A_LINE = 240
"""Bytes of a line without names."""


def bytes_of(name: object) -> int:
    """Return how long a name is in HTML.

    Examples
    --------
    >>> bytes_of("<b>"), bytes_of(17)
    (9, 2)
    """
    return len(escape(str(name)).encode(errors="backslashreplace"))


def fitting(sizes: Iterable[int], most: int = MOST_BYTES) -> int:
    """Return how many parts of these sizes there is room for: one at least.

    Examples
    --------
    >>> fitting([1_000_000] * 5), fitting([10**9])
    (2, 1)
    """
    return max(1, sum(1 for total in accumulate(sizes) if total <= most))


def pairs_fitting(pairs: Iterable[tuple[object, object]]) -> int:
    """Return how many lines about pairs of profiles there is room for."""
    return fitting((A_LINE + 2 * (bytes_of(a) + bytes_of(b)) for a, b in pairs), MOST_BYTES_LISTED)
