"""[GC] Figure 1(b): what k-ary randomised response costs each category of the chain."""

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from mechdesign.designer.baseline import baseline, category_costs
from mechdesign.objective import MaxOffDiagonal
from mechdesign.papers.drawing import COLOURS, panels
from mechdesign.papers.gc import PAPER, categorical_chain
from mechdesign.papers.result import Claim, Result
from mechdesign.privacy.requirement import requirements

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORDS = """\
The paper plots the cost (6) of k-ary randomised response for each of the four categories. The four curves \
are one: a category of probability P becomes (1 + P (e^eps - 1)) / (e^eps + 3), so its cost is max_i |4 P - \
1| / (e^eps + 3), and every category of Table I has a profile in which its probability is 0.1 or 0.4, at \
distance 0.15 from 1/4: the cost is 0.6 / (e^eps + 3). It prints no numbers. ERR-3.4: in (6) the text at \
hand has |P_i^i - ...|, an index perhaps misread; read |P^i_j - (P^i A^i)_j|."""

REFERENCE = {
    "0": "0.150000",
    "1/20": "0.148102",
    "1/4": "0.140055",
    "1/2": "0.129068",
    "3/4": "0.117256",
    "1": "0.104927",
}


def reproduce() -> Result:
    """Return the costs (6) of k-ary randomised response on the chain.

    References
    ----------
    [GC] Figure 1(b), (6).

    Examples
    --------
    >>> result = reproduce()
    >>> f"{float(result.rows[0].computed):.6f}", result.rows[0].agrees
    ('0.150000', True)
    """
    rows = []
    for epsilon, reference in REFERENCE.items():
        for category, cost in enumerate(response_costs(Fraction(epsilon)), start=1):
            rows.append(Claim(f"cost of category {category}, epsilon {epsilon}", cost, reference=reference))
    largest = [float(max(response_costs(Fraction(step, 10)))) for step in range(21)]
    off = max(abs(cost - formula(step / 10)) for step, cost in enumerate(largest))
    rows.append(Claim("distance from 0.6/(e^eps + 3), epsilon 0 to 2", off, reference=0.0))
    return Result("gc-figure-1b", "Categorical-Chain: costs of k-ary response", PAPER, tuple(rows), WORDS, draw)


def response_costs(epsilon: Fraction) -> list[Fraction]:
    """Return the cost (6) of each category under k-ary randomised response, computed from its matrix.

    Parameters
    ----------
    epsilon
        in nats.

    Examples
    --------
    >>> response_costs(Fraction(0))[0]
    Fraction(3, 20)
    """
    graph, delta = categorical_chain(), Fraction(0)
    response = baseline(graph, requirements(graph, epsilon, delta), MaxOffDiagonal(), epsilon, delta)
    costs = category_costs(response)
    assert costs is not None
    return costs


def formula(epsilon: float) -> float:
    """Return 0.6 / (e^epsilon + 3).

    Parameters
    ----------
    epsilon
        in nats.

    Examples
    --------
    >>> round(formula(0.0), 9)
    0.15
    """
    return 0.6 / (math.exp(epsilon) + 3)


def draw() -> "Figure":
    """Return Figure 1(b)."""
    figure, (axes,) = panels(["k-ary randomised response"], across="privacy level ε", up="maximum absolute error (6)")
    levels = [step / 20 for step in range(25)]
    costs = [response_costs(Fraction(step, 20)) for step in range(25)]
    for category, colour in enumerate(COLOURS):
        # The curves lie on one another: thinner ones on top let the lower ones be seen.
        curve = [float(cost[category]) for cost in costs]
        axes.plot(levels, curve, color=colour, linewidth=8 - 2.2 * category, label=f"category {category + 1}")
    axes.set(xlim=(0, 1.2), ylim=(0, 0.2))
    axes.legend(loc="lower left", fontsize=8, frameon=False)
    return figure
