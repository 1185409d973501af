"""[GC] Figure 1(c): what Smooth Categorical costs each category of the chain."""

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from mechdesign.designer.design import design
from mechdesign.papers.drawing import BASELINE, COLOURS, panels
from mechdesign.papers.gc import PAPER, categorical_chain
from mechdesign.papers.gc_figure_1b import formula
from mechdesign.papers.gc_uniqueness import cost_ranges, least_squares_costs
from mechdesign.papers.result import Claim, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORDS = """\
The paper plots the cost (6) of each category under Smooth Categorical and finds that categories which tell \
less of the profile cost less, and that k-ary randomised response performs worse. It prints no numbers, and \
none would be determined: (5) has many optima with different costs (ERR-3.5, see gc-uniqueness). Shown is \
the one that mechdesign returns, whose released distributions are closest to the profiles. The first claim \
is about the optimum that the paper plots, which we do not have. It holds for one optimum at least, that with \
the least squared off-diagonal entries. For the optimum chosen here it holds too, but for epsilon between \
0.358 and ln(3/2) = 0.405, where category 2 costs a little more than category 1; that is no error of the \
paper. From there on categories 1, 2 and 4 cost the same. The second claim fails for epsilon < 0.095 \
(ERR-3.6, see gc-small-epsilon). ERR-3.4: in (6) the text at hand has |P_i^i - ...|, an index perhaps \
misread; read |P^i_j - (P^i A^i)_j|."""

REFERENCE = {
    "0": "0.104762 0.061905 0.171429 0.028571",
    "1/10": "0.081279 0.054036 0.145017 0.024240",
    "1/4": "0.048659 0.035190 0.105130 0.028236",
    "19/50": "0.022122 0.022282 0.062451 0.019605",
    "1/2": "0.017005 0.017005 0.051016 0.017005",
    "3/4": "0.009443 0.009443 0.028329 0.009443",
    "1": "0.002526 0.002526 0.007577 0.002526",
}
INFORMATIVE = (3, 1, 0, 2)
"""The categories by how much their probability differs between the profiles: by 0, 0.1, 0.2, 0.3."""
CURVE = [Fraction(step, 40) for step in range(49)]
"""The epsilons at which the curves are computed."""
TIE = 1e-9
"""Costs this close are equal."""
CROSSED = (Fraction("0.358"), Fraction("0.405"))
"""Between these, category 2 costs a little more than category 1."""
BREAK_EVEN = Fraction("0.094971877")
"""The epsilon below which k-ary response costs less: see `gc_small_epsilon`."""


def reproduce() -> Result:
    """Return the costs (6) of the optimum that `design` returns, and whether they lie among those of all optima.

    References
    ----------
    [GC] Figure 1(c), (6).
    """
    rows = []
    for epsilon, references in REFERENCE.items():
        costs = smooth_costs(Fraction(epsilon))
        for category, (cost, reference) in enumerate(zip(costs, references.split(), strict=True), start=1):
            rows.append(Claim(f"cost of category {category}, epsilon {epsilon}", cost, reference=reference))
        rows += _claims(epsilon, [float(cost) for cost in costs])
    return Result("gc-figure-1c", "Categorical-Chain: costs of Smooth Categorical", PAPER, tuple(rows), WORDS, draw)


def _claims(epsilon: str, costs: list[float]) -> list[Claim]:
    level = Fraction(epsilon)
    ranges = cost_ranges(categorical_chain(), level)
    inside = all(low - TIE <= cost <= high + TIE for cost, (low, high) in zip(costs, ranges, strict=True))
    first, second = "less informative categories cost less", "k-ary response costs more in each category"
    chosen = not CROSSED[0] < level < CROSSED[1]
    possible = _ascending(costs) or _ascending(least_squares_costs(categorical_chain(), level))
    worse, large = max(costs) < formula(float(level)), level > BREAK_EVEN
    note = "" if large else "ERR-3.6"
    return [
        Claim(f"they are costs of an optimum of (5), epsilon {epsilon}", inside, reference=True),
        Claim(f"{first}, epsilon {epsilon}", possible, note="for some optimum", claimed=True),
        Claim(f"so for the optimum chosen here, epsilon {epsilon}", _ascending(costs), reference=chosen, note="ours"),
        Claim(f"{second}, epsilon {epsilon}", worse, reference=large, note=note, claimed=True),
    ]


def _ascending(costs: list[float]) -> bool:
    """Return whether categories that tell less of the profile cost no more."""
    return all(costs[low] <= costs[high] + TIE for low, high in pairwise(INFORMATIVE))


def smooth_costs(epsilon: Fraction) -> list[Fraction]:
    """Return the cost (6) of each category under the optimum that `design` returns, exactly.

    Parameters
    ----------
    epsilon
        in nats.

    Examples
    --------
    >>> [f"{float(cost):.6f}" for cost in smooth_costs(Fraction(1, 2))]
    ['0.017005', '0.017005', '0.051016', '0.017005']
    """
    costs = design(categorical_chain(), epsilon=epsilon).category_costs
    assert costs is not None
    return costs


def draw() -> "Figure":
    """Return Figure 1(c), with the baseline of Figure 1(b)."""
    figure, (axes,) = panels(["Smooth Categorical"], across="privacy level ε", up="maximum absolute error (6)")
    levels = [float(level) for level in CURVE]
    costs = [smooth_costs(level) for level in CURVE]
    baseline = [formula(level) for level in levels]
    axes.plot(levels, baseline, color=BASELINE, linestyle="--", label="k-ary response, every category")
    for category, colour in enumerate(COLOURS):
        # Categories 1, 2 and 4 become equal: thinner curves on top let the lower ones be seen.
        curve = [float(cost[category]) for cost in costs]
        axes.plot(levels, curve, color=colour, linewidth=4 - 0.8 * category, label=f"category {category + 1}")
    axes.set(xlim=(0, 1.2), ylim=(0, 0.2))
    axes.legend(loc="upper right", fontsize=8, frameon=False)
    return figure
