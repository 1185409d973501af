"""The optimum of [GC] (5) on the chain of Table I: a formula beside three solvers."""

import math
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from mechdesign.designer.design import design
from mechdesign.designer.method import Method
from mechdesign.formulas import Formula, formula
from mechdesign.formulas.pieces import nats
from mechdesign.papers.derived import NOTHING, Form, derived
from mechdesign.papers.drawing import BASELINE, COLOURS, panels
from mechdesign.papers.gc import PAPER, categorical_chain, worst_ratio
from mechdesign.papers.result import Claim, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORDS = """\
The paper states the program (5) and no optimum. On its chain the least possible maximum off-diagonal entry \
is t*(eps) = max(0, (3 - E)/(9 (1 + E)), (4 - E^2)/(12 + 9 E^2)) with E = e^eps, derived by machine and proved for \
all eps. By hand: the path P1-P2-P3 binds below eps = ln(4/3), 0.4 - 1.2 t = E^2 (0.1 + 0.9 t) of category 3 at its \
ends, then the edge P2-P3, 0.3 - 0.9 t = E (0.1 + 0.9 t), and from eps = ln 3 on nothing need be changed. k-ary \
randomised response has 1/(E + 3). \
ERR-3.4: where the text at hand, whose indices may be misread, has "i in [n]" in (5), \
read "i in [k]", and P_i A^i for P_i^{j,h}."""

REFERENCE = {
    "0": "0.142857143",
    "1/20": "0.131903676",
    "1/10": "0.120847327",
    "1/4": "0.087608454",
    "1/2": "0.056684742",
    "3/4": "0.031476134",
    "1": "0.008418409",
    "21/20": "0.004100045",
}
BY_HAND = (
    Form([4, 0, -1], [12, 0, 9], Fraction(4, 3)),
    Form([3, -1], [9, 9], Fraction(3)),
    NOTHING,
)
METHODS = (Method.STRUCTURED, Method.HIGHS, Method.REFERENCE)


def reproduce() -> Result:
    """Return the optimum as a formula that is derived, its values, and what each method of `design` finds.

    References
    ----------
    [GC] (5), Table I.
    """
    graph, found = categorical_chain(), _formula()
    rows = derived("t*", found, BY_HAND)
    values = {epsilon: optimum(float(Fraction(epsilon))) for epsilon in REFERENCE}
    rows += [Claim(f"t*, epsilon {epsilon}", t, reference=REFERENCE[epsilon]) for epsilon, t in values.items()]
    for epsilon, t in values.items():
        for method in METHODS:
            made = design(graph, epsilon=epsilon, method=method)
            rows.append(Claim(f"by {method}, epsilon {epsilon}", made.value, reference=t))
            rows.append(Claim(f"proved bound by {method}, epsilon {epsilon}", made.bound, reference=t))
    crossing = nats(found.breakpoints[0], 1)
    rows.append(Claim("epsilon where the edge P2-P3 takes over from the path", crossing, reference="0.287682072"))
    masses = [graph.nodes[profile]["distribution"] for profile in graph]
    identity = math.log(worst_ratio([(masses[0], masses[1]), (masses[1], masses[2])]))
    rows.append(Claim("epsilon of the profiles as they are", identity, reference="1.098612", note="ln 3"))
    return Result("gc-optimum", "Categorical-Chain: the optimum of (5)", PAPER, tuple(rows), WORDS, draw)


def optimum(epsilon: float) -> float:
    """Return t*(epsilon), the least maximum off-diagonal entry on the chain.

    Parameters
    ----------
    epsilon
        in nats.

    Examples
    --------
    >>> optimum(0.0) == 1 / 7
    True
    """
    return _formula()(epsilon)


@cache
def _formula() -> Formula:
    return formula(categorical_chain())


def draw() -> "Figure":
    """Return the optimum against epsilon, with what two solvers find."""
    figure, (axes,) = panels(["optimum of (5)"], across="privacy level ε", up="largest off-diagonal entry")
    levels = [step / 100 for step in range(126)]
    axes.plot(levels, [1 / (math.exp(level) + 3) for level in levels], color=BASELINE, label="k-ary response, 1/(E+3)")
    axes.plot(levels, [optimum(level) for level in levels], color=COLOURS[0], label="derived, t*(ε)")
    graph = categorical_chain()
    for method, marker, colour in ((Method.HIGHS, "o", COLOURS[1]), (Method.STRUCTURED, "x", COLOURS[2])):
        sweep = [step / 8 for step in range(11)]
        found = [float(design(graph, epsilon=epsilon, method=method).value) for epsilon in sweep]
        axes.plot(sweep, found, marker, color=colour, fillstyle="none", clip_on=False, label=f"method {method}")
    axes.set(xlim=(0, 1.25), ylim=(0, 0.27))
    axes.legend(fontsize=8, frameon=False)
    return figure
