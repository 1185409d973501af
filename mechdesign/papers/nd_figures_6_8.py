"""[ND] Figures 6-8: the probability that the posterior mean is nearer to the truth than the answer itself."""

import math
from functools import partial
from typing import TYPE_CHECKING

from scipy.optimize import minimize_scalar

from mechdesign.papers.drawing import COLOURS, panels
from mechdesign.papers.nd import PAPER, compared, deviation_of, exact, simulated, simulation_agrees
from mechdesign.papers.nd_figures_1_4 import P
from mechdesign.papers.result import Claim, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORDS = """\
The paper plots the probability that the posterior mean is nearer, over the noise (Figure 6), the privacy level \
(Figure 7) and p (Figure 8). That it exceeds 1/2 is true in every case tried. ERR-0.8: that the two are close \
"just when" epsilon is high is not so: the probability is least at epsilon = 1.34 (n = 100) or 0.76 (n = 1000) \
and then rises again, to 0.91 at epsilon = 5, since the posterior mean snaps to whole numbers. Without any \
prior information (n to infinity) it is 1/(1 + e^(-epsilon/2)). Figure 8 has its least value at p = 1/2, as \
claimed."""

BY_LEVEL = {
    (100, P, 0.01): ".96526341",
    (100, P, 0.05): ".85465958",
    (100, P, 0.1): ".76087853",
    (100, P, 0.2): ".65339640",
    (100, P, 0.5): ".54726717",
    (100, P, 1.0): ".51585998",
    (100, P, 2.0): ".56690142",
    (100, P, 3.0): ".741891",
    (100, P, 5.0): ".912488",
    (1000, P, 0.01): ".90023933",
    (1000, P, 0.05): ".68859342",
    (1000, P, 0.1): ".59061739",
    (1000, P, 0.2): ".53107725",
    (1000, P, 0.5): ".50536058",
    (1000, P, 1.0): ".50852761",
    (1000, P, 2.0): ".65176219",
}
BY_CHANCE = {
    (100, 0.01, 0.1): ".93333425",
    (100, 0.05, 0.1): ".86180694",
    (100, 0.1, 0.1): ".82203195",
    (100, 0.2, 0.1): ".78134277",
    (100, 0.4, 0.1): ".75067085",
    (100, 0.5, 0.1): ".74761667",
    (1000, 0.01, 0.1): ".81564735",
    (1000, 0.05, 0.1): ".69660871",
    (1000, 0.1, 0.1): ".64741370",
    (1000, 0.2, 0.1): ".60738408",
    (1000, 0.4, 0.1): ".58300035",
    (1000, 0.5, 0.1): ".58080996",
}
CURVE = [0.02 * 250 ** (step / 32) for step in range(33)]
CHANCES = [0.01, *(step / 20 for step in range(1, 20)), 0.99]
"""The epsilons, and the p, at which the curves are computed."""
LEAST = {100: ("1.34066", ".51359402"), 1000: (".75879", ".5031958")}


def reproduce() -> Result:
    """Return the probabilities of (13).

    References
    ----------
    [ND] Figures 6-8, (13).
    """
    rows, distances = [], []
    for point, reference in (BY_LEVEL | BY_CHANCE).items():
        row, distance = compared("P(better)", point, lambda one: one.probability_better, reference)
        rows.append(row)
        distances.append(distance)
    rows.append(simulation_agrees(distances))
    better = all(exact(*point).probability_better > 0.5 for point in BY_LEVEL | BY_CHANCE)
    rows.append(Claim("more often than not, in all these", better, claimed=True))
    for n, (level, value) in LEAST.items():
        found = float(minimize_scalar(partial(_better, n), bounds=(0.4, 2), options={"xatol": 1e-6}).x)
        rows.append(Claim(f"n {n}: least at epsilon", round(found, 5), reference=level, note="ERR-0.8"))
        rows.append(Claim(f"n {n}: the least value", _better(n, found), reference=value))
    rising = exact(100, P, 3.0).probability_better < exact(100, P, 5.0).probability_better
    rows.append(Claim("it falls as epsilon grows", not rising, reference=False, note="ERR-0.8", claimed=True))
    wide = exact(10**5, 0.5, 4.0).probability_better
    rows.append(Claim("n 10^5, p 0.5, epsilon 4", wide, reference=f"{flat(4.0):.2f}", note="flat prior"))
    return Result("nd-figures-6-8", "Probability of Bayes improvement", PAPER, tuple(rows), WORDS, draw)


def _better(n: int, epsilon: float) -> float:
    return exact(n, P, epsilon).probability_better


def flat(epsilon: float) -> float:
    """Return 1 / (1 + e^(-epsilon/2)), the probability where the prior says nothing.

    Parameters
    ----------
    epsilon
        in nats.

    Examples
    --------
    >>> flat(0.0)
    0.5
    """
    return 1 / (1 + math.exp(-epsilon / 2))


def draw() -> "Figure":
    """Return Figures 6-8: exact curves, with the simulated numbers as points."""
    figure, axes = panels(["Figure 6", "Figure 7", "Figure 8: ε = 0.1"], across="", up="P(mean is nearer)")
    for n, colour in ((100, COLOURS[0]), (1000, COLOURS[1])):
        by_level = [exact(n, P, level).probability_better for level in CURVE]
        points = [epsilon for size, _, epsilon in BY_LEVEL if size == n and epsilon >= CURVE[0]]
        found = [simulated(n, P, epsilon).found.probability_better for epsilon in points]
        for one, across in ((axes[0], deviation_of), (axes[1], float)):
            one.plot(list(map(across, CURVE)), by_level, color=colour, label=f"n = {n}")
            one.plot(list(map(across, points)), found, "o", color=colour, markersize=3, label="simulated")
        by_chance = [exact(n, p, 0.1).probability_better for p in CHANCES]
        axes[2].plot(CHANCES, by_chance, color=colour)
        points = [p for size, p, _ in BY_CHANCE if size == n]
        found = [simulated(n, p, 0.1).found.probability_better for p in points]
        axes[2].plot(points, found, "o", color=colour, markersize=3)
    axes[0].set(xlabel="standard deviation of the noise", xlim=(0, 30), ylim=(0.5, 1))
    axes[1].set(xlabel="privacy level ε", xlim=(5, 0))
    axes[2].set(xlabel="predicate probability p", xlim=(0, 1))
    axes[1].legend(loc="upper center", fontsize=8, frameon=False)
    return figure
