"""[ND] Figure 5: how the average error depends on the probability that a record counts."""

from typing import TYPE_CHECKING

from mechdesign.papers.drawing import BASELINE, COLOURS, panels
from mechdesign.papers.nd import PAPER, compared, exact, simulated, simulation_agrees
from mechdesign.papers.result import Claim, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORDS = """\
The paper plots the average error of the posterior mean over p, for epsilon = 0.1, without numbers. Its claim \
holds: the error is least for p near 0 or 1, where the prior says most; p and 1 - p give the same. ERR-0.9: the \
posterior mean suits the absolute error so little that for skewed priors the constant np, which needs no \
answer at all, does better: for n = 100 if p is 0.01, 0.02 or 0.05, and even for p = 0.3 if epsilon is at most \
0.02. For n = 1 and p = 0.001 both have twice the error of the posterior median, which is never worse than \
either."""

EPSILON = 0.1
REFERENCE = {
    (100, 0.01): "0.75924948 0.73206468",
    (100, 0.05): "1.71649063 1.69383948",
    (100, 0.1): "2.30809528 2.29388596",
    (100, 0.2): "3.01719394 3.00759021",
    (100, 0.3): "3.39728256 3.38794858",
    (100, 0.4): "3.60575264 3.59656769",
    (100, 0.5): "3.67036960 3.66339601",
    (1000, 0.01): "2.40770278 2.39654729",
    (1000, 0.05): "4.77074028 4.75923821",
    (1000, 0.1): "6.01020231 5.99151393",
    (1000, 0.2): "7.14274017 7.11087715",
    (1000, 0.3): "7.64571706 7.60464814",
    (1000, 0.4): "7.87886072 7.83266489",
    (1000, 0.5): "7.94797017 7.90014573",
}
QUANTITIES = {
    "mean": lambda errors: errors.absolute.mean,
    "median": lambda errors: errors.absolute.median,
}
SKEWED = {
    (0.01, 0.1): "0.759249 0.732065",
    (0.02, 0.1): "1.101365 1.071783",
    (0.05, 0.1): "1.716491 1.710169",
    (0.3, 0.01): "3.655185 3.644922",
    (0.3, 0.02): "3.650881 3.644922",
    (0.3, 0.0118): "3.655428 3.644922",  # the largest error of the mean over all epsilon
}
"""For n = 100, p and epsilon: the errors of mean and constant, where the constant is better."""
ROUNDING = 1e-12
CURVE = [0.01, *(step / 20 for step in range(1, 20)), 0.99]
"""Where the curves are computed."""


def reproduce() -> Result:
    """Return mean absolute errors for epsilon = 0.1, over p.

    References
    ----------
    [ND] Figure 5, (12).

    Examples
    --------
    >>> f"{exact(100, 0.01, EPSILON).absolute.mean:.8f}", REFERENCE[100, 0.01]
    ('0.75924948', '0.75924948 0.73206468')
    """
    rows, distances = [], []
    for (n, p), references in REFERENCE.items():
        for (what, pick), reference in zip(QUANTITIES.items(), references.split(), strict=True):
            row, distance = compared(what, (n, p, EPSILON), pick, reference)
            rows.append(row)
            distances.append(distance)
    rows.append(simulation_agrees(distances))
    rows += [*_skewed(), *_symmetric()]
    return Result("nd-figure-5", "Average error over the predicate probability", PAPER, tuple(rows), WORDS, draw)


def _skewed() -> list[Claim]:
    rows, found = [], [exact(100, p, epsilon).absolute for p, epsilon in SKEWED]
    for (p, epsilon), references, absolute in zip(SKEWED, SKEWED.values(), found, strict=True):
        for name, reference in zip(("mean", "constant"), references.split(), strict=True):
            what = f"p {p:g}, epsilon {epsilon:g}: {name}"
            rows.append(Claim(what, getattr(absolute, name), reference=reference, note="n 100, ERR-0.9"))
    worse = any(absolute.median > absolute.constant * (1 + ROUNDING) for absolute in found)
    rows.append(Claim("the median is worse than np", worse, reference=False, note="never"))
    tiny = exact(1, 0.001, 0.01).absolute
    return [*rows, Claim("n 1, p 0.001: mean over median", tiny.mean / tiny.median, reference="2.0")]


def _symmetric() -> list[Claim]:
    apart = [
        abs(exact(n, p, EPSILON).absolute.mean - exact(n, 1 - p, EPSILON).absolute.mean)
        for n in (100, 1000)
        for p in (0.01, 0.2)
    ]
    return [Claim("difference between p and 1 - p", max(apart), reference=0.0)]


def draw() -> "Figure":
    """Return Figure 5: exact curves, with the simulated numbers as points."""
    figure, (axes,) = panels(["Figure 5: ε = 0.1"], across="predicate probability p", up="average error", width=5)
    axes.axhline(1 / EPSILON, color=BASELINE, label="naive")
    for n, colour in ((100, COLOURS[0]), (1000, COLOURS[1])):
        curve = [exact(n, p, EPSILON).absolute.mean for p in CURVE]
        axes.plot(CURVE, curve, color=colour, label=f"posterior mean, n = {n}")
        points = [p for size, p in REFERENCE if size == n]
        found = [simulated(n, p, EPSILON).found.absolute.mean for p in points]
        axes.plot(points, found, "o", color=colour, markersize=3, label="simulated")
    axes.set(xlim=(0, 1), ylim=(0, 14))
    axes.legend(ncols=2, fontsize=8, frameon=False)
    return figure
