"""Places that no edge joins: at how many times their distance paths of edges protect them, if at all."""

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats
from mechdesign.exact.text import shown
from mechdesign.graph.labels import Label
from mechdesign.words import counted


def unjoined(far: Floats, joined: npt.NDArray[np.bool_], labels: list[Label]) -> str | None:
    """Return in words how the pairs are protected that are not joined, by their distances; None if all are joined.

    Examples
    --------
    >>> corner = np.array([[0, 1, 1.5], [1, 0, 1], [1.5, 1, 0]])
    >>> unjoined(corner, corner == 1, ["a", "b", "c"])
    "1 of 3 pairs is joined by no edge: along paths it is protected at up to 1.33 times its distance ('a' and 'c')"
    """
    i, j = np.nonzero(np.triu(~joined, 1))
    if not len(i):
        return None
    from scipy.sparse import csr_array  # here, because it loads slowly and few need it
    from scipy.sparse.csgraph import dijkstra

    paths = dijkstra(csr_array(np.where(joined, far, 0.0)), directed=False)[i, j]
    reached = np.isfinite(paths)
    count, pairs = len(i), len(labels) * (len(labels) - 1) // 2
    its, are = ("it is", "is") if count == 1 else ("they are", "are")
    words = f"{count:,} of {counted(pairs, 'pair')} {are} joined by no edge:"
    if not reached.any():
        return f"{words} no path joins {'it, and it is' if count == 1 else 'them, and they are'} not protected"
    times = np.where(reached, paths, 0.0) / far[i, j]
    worst = int(times.argmax())
    most = f"up to {times[worst]:.3g} times {'its' if count == 1 else 'their'} distance"
    ends = f"{shown(labels[i[worst]])} and {shown(labels[j[worst]])}"
    apart = "" if reached.all() else f"; {int((~reached).sum()):,} of them are joined by no path, and not protected"
    return f"{words} along paths {its} protected at {most} ({ends}){apart}"
