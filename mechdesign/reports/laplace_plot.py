"""A picture of two Laplace laws, that of an answer with all records and that without one, and of their ratio."""

import numpy as np
from matplotlib.axes import Axes

from mechdesign.arrays import Floats
from mechdesign.audit.auditor import Audit
from mechdesign.errors import InputError
from mechdesign.reports.figure import AFTER, INK, Figure, without_frame

SPREAD = 8
"""The picture reaches this many of the larger scales beyond the centres."""

SHARPEST = 1e-250
"""Noise of a smaller scale is not drawn: its density is beyond what an axis can show."""


def plot_laws(audit: Audit) -> Figure:
    """Return the two laws for the record that gives itself away most, and their log ratio against epsilon.

    The provider compares laws of one scale; what is dashed is what it sees. A law without noise is an upright line.

    Raises
    ------
    InputError
        if there is noise of a scale below `SHARPEST`.

    Examples
    --------
    >>> from mechdesign.audit.auditor import audit_query
    >>> [axes.get_ylabel() for axes in plot_laws(audit_query([1, 2, 9], "mean", epsilon=1)).axes]
    ['density', 'log ratio, nats']
    """
    row = int(audit.records.worst_first()[0])
    whole = float(audit.exact_answer), float(audit.scale)
    rest = float(audit.records.answers[row]), float(audit.records.scales[row])
    widest = max(whole[1], rest[1]) or 1.0
    sharpest = float(min((scale for scale in (audit.scale, rest[1]) if scale > 0), default=widest))
    if sharpest < SHARPEST:
        raise InputError(f"plot: expected noise of a scale of at least {SHARPEST:g}")
    ends = min(whole[0], rest[0]) - SPREAD * widest, max(whole[0], rest[0]) + SPREAD * widest
    y = np.union1d(np.linspace(*ends, 801), (whole[0], rest[0]))
    figure = Figure(figsize=(8.4, 3.4), layout="constrained")
    laws, ratio = figure.subplots(1, 2)
    _law(laws, y, *whole, AFTER, f"all {audit.n} records")
    _law(laws, y, *rest, INK, f"without row {row + 1}")
    laws.set(yscale="log", ylabel="density", ylim=(np.exp(-SPREAD - 3) / widest, 2 / sharpest))
    for scale, name, style in ((whole[1], "provider", "--"), (rest[1], "intruder", "-")):
        if whole[1] > 0 and scale > 0:
            with np.errstate(invalid="ignore"):
                log_ratio = _log_density(y, *whole) - _log_density(y, rest[0], scale)
            ratio.plot(y, log_ratio, style, color=AFTER, label=f"as the {name} computes it")
            ratio.legend(fontsize=8, frameon=False)
    for bound in (-1, 1):
        ratio.axhline(bound * float(audit.epsilon), color=INK, linewidth=0.8, linestyle=":")
    ratio.set(ylabel="log ratio, nats")
    laws.legend(fontsize=8, frameon=False)
    for axes in (laws, ratio):
        axes.set_xlabel(f"noisy {audit.query}")
        without_frame(axes)
    return figure


def _law(axes: Axes, y: Floats, centre: float, scale: float, colour: str, label: str) -> None:
    if scale == 0:
        axes.axvline(centre, color=colour, label=f"{label}, no noise")
    else:
        axes.plot(y, np.exp(_log_density(y, centre, scale)), color=colour, label=label)


def _log_density(y: Floats, centre: float, scale: float) -> Floats:
    with np.errstate(over="ignore"):
        return np.asarray(-np.abs(y - centre) / scale - np.log(2 * scale))
