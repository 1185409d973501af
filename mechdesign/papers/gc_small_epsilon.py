"""[GC] §VII: for small epsilon, k-ary randomised response has the lower largest cost (6) on the chain."""

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import networkx as nx
from scipy.optimize import brentq

from mechdesign.designer.design import design
from mechdesign.objective import LargestCost
from mechdesign.papers.drawing import BASELINE, COLOURS, panels
from mechdesign.papers.gc import PAPER, categorical_chain
from mechdesign.papers.gc_figure_1b import formula
from mechdesign.papers.gc_optimum import optimum
from mechdesign.papers.gc_uniqueness import cost_ranges
from mechdesign.papers.result import Claim, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORDS = """\
The paper says that "the local differential privacy baseline [...] performs worse". ERR-3.6: not for small \
epsilon. Where the path P1-P2-P3 binds, every optimum of (5) costs category 3 just 1.2 t*, which exceeds \
the 0.6/(E + 3) of k-ary randomised response iff 2 E^3 + 15 E^2 - 8 E - 12 < 0, that is for epsilon < \
0.094971877. This does not contradict Theorem 8: (5) minimises the off-diagonal entries, not the costs (6). \
The profile-private mechanism best for the largest cost is never worse than k-ary response."""

SMALL = {"0": ("0.171429", "0.150000"), "1/20": ("0.158284", "0.148102")}
BEST = {
    "0": "0.150000",
    "1/20": "0.137510",
    "1/10": "0.125083",
    "1/4": "0.088770",
    "1/2": "0.051016",
    "3/4": "0.028329",
    "1": "0.007577",
}


def reproduce() -> Result:
    """Return where the baseline wins, and the least possible largest cost.

    References
    ----------
    [GC] §VII.B, (6).

    Examples
    --------
    >>> result = reproduce()
    >>> f"{result.rows[0].computed:.9f}", result.rows[0].agrees
    ('0.094971877', True)
    """
    graph = categorical_chain()
    root = float(brentq(lambda epsilon: 1.2 * optimum(epsilon) - formula(epsilon), 0.0, 0.25, xtol=1e-14))
    E = math.exp(root)
    rows = [
        Claim("epsilon below which k-ary response costs less", root, reference="0.094971877"),
        Claim("2 E^3 + 15 E^2 - 8 E - 12 there", 2 * E**3 + 15 * E**2 - 8 * E - 12, reference=0.0),
    ]
    for epsilon, (ours, theirs) in SMALL.items():
        least = cost_ranges(graph, Fraction(epsilon))[2][0]
        response = formula(float(Fraction(epsilon)))
        rows.append(Claim(f"least cost of category 3 among the optima, epsilon {epsilon}", least, reference=ours))
        rows.append(Claim(f"its cost under k-ary response, epsilon {epsilon}", response, reference=theirs))
        what, worse = f"k-ary response is worse, epsilon {epsilon}", response > least
        rows.append(Claim(what, worse, reference=False, note="ERR-3.6", claimed=True))
    for epsilon, best in BEST.items():
        cost = least_largest_cost(graph, Fraction(epsilon))
        no_better = formula(float(Fraction(epsilon))) >= cost - 1e-9
        rows.append(Claim(f"least possible largest cost, epsilon {epsilon}", cost, reference=best))
        what = f"k-ary response is no better than that, epsilon {epsilon}"
        rows.append(Claim(what, no_better, reference=True, note="by Theorem 8"))
    return Result("gc-small-epsilon", "Categorical-Chain: where k-ary wins", PAPER, tuple(rows), WORDS, draw)


def least_largest_cost(graph: nx.Graph, epsilon: Fraction) -> float:
    """Return the least max_j cost_j, (6), that any profile-private mechanism has.

    Parameters
    ----------
    graph
        the profiles.
    epsilon
        in nats.

    Examples
    --------
    >>> round(least_largest_cost(categorical_chain(), Fraction(0)), 9)
    0.15
    """
    return float(design(graph, epsilon=epsilon, objective=LargestCost(), any_optimum=True).value)


def draw() -> "Figure":
    """Return the largest cost against epsilon: the optima of (5), k-ary response, and the best possible."""
    graph = categorical_chain()
    levels = [step / 100 for step in range(29)]  # up to ln(4/3) every optimum costs 1.2 t*
    figure, (axes,) = panels(["category 3 of the chain"], across="privacy level ε", up="cost (6)")
    best = [least_largest_cost(graph, Fraction(step, 100)) for step in range(29)]
    axes.plot(levels, [formula(level) for level in levels], color=BASELINE, label="k-ary response")
    axes.plot(levels, [1.2 * optimum(level) for level in levels], color=COLOURS[2], label="every optimum of (5)")
    axes.plot(levels, best, color=COLOURS[2], linestyle="--", label="best for the largest cost")
    axes.axvline(0.094971877, color=COLOURS[1], linewidth=0.8, label="ε = 0.095")
    axes.set(xlim=(0, 0.28), ylim=(0, 0.18))
    axes.legend(loc="lower left", fontsize=8, frameon=False)
    return figure
