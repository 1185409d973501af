"""[GC] Observation 9: the printed bound on the flip probability beside the solution of (4)."""

import math
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Floats
from mechdesign.closed_form.two_profiles import two_profiles
from mechdesign.designer.design import design
from mechdesign.designer.method import Method
from mechdesign.exact.exponentials import exp_below
from mechdesign.formulas import formula
from mechdesign.graph.profile_graph import profile_graph
from mechdesign.papers.derived import NOTHING, Form, derived
from mechdesign.papers.drawing import COLOURS, panels
from mechdesign.papers.gc import PAPER, bernoulli_couplet
from mechdesign.papers.result import Claim, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORDS = """\
With N1 = p_j - e^eps p_i, N2 = 1 - p_i - e^eps (1 - p_j) and c = e^eps - 1, the paper bounds the solution \
of (4) by max{0, N1/(2 N1 + c), N2/(2 N2 + c)}. ERR-3.1: that is not the solution itself. Where 2 N + c < 0 a \
fraction exceeds 1/2 and says nothing: on (1 - e^-eps)/2 of all pairs p_i <= p_j, among them all with p_i = \
p_j (but 1/2), where no bit need be flipped. Everywhere else it is exact. With positive parts it is always \
exact: N/(2 N + c) for N = max(0, N1, N2); derived by machine, for all eps at once, is the same. \
ERR-3.2: the condition "p_i <= p_j <= e^eps p_j" says nothing on \
its right; p_i <= p_j is all that is needed with positive parts, and adding e^eps p_i <= p_j does not mend \
the second fraction. ERR-3.3, lost or misread in the text at hand: where that has eps^eps after the bound, read \
e^eps. ERR-3.4: the denominator of (3) should have A(b_j, P_j), an index that the text at hand may have \
misread, and (4) lacks alpha <= 1/2, which does no harm. Beyond two categories the solution has a formula \
too, a theorem of this project (mechdesign.closed_form.two_profiles): for one matrix for both profiles, which \
for two categories is N/(2 N + c) again, and for a matrix each, which asks for less. Linear programs agree."""

ERR_3_1 = {
    ("9/10", "9/10"): "1.125000",
    ("3/10", "3/10"): "1.750000",
    ("4/5", "17/20"): "1.422846",
    ("1/10", "3/20"): "1.279056",
}
ERR_3_2 = {("0", "1/10"): "1.231417"}
SOLUTION = {("0", "1/10"): "0.052130"}
VACUOUS = {"1/10": "0.0476", "1/2": "0.1967", "1": "0.3161", "2": "0.4323"}
DERIVED = (("3/10", "3/10"), ("4/5", "17/20"), ("1/10", "3/20"), ("0", "1/10"), ("1/5", "4/5"))
WIDER = (2, 3, 5, 8)
CELLS = 1000
HALVINGS = 50


def reproduce() -> Result:
    """Return the printed bound, the solution of (4) found by bisection, and how often the bound says nothing.

    References
    ----------
    [GC] Observation 9, (4).
    """
    rows = []
    for (p, q), printed in (ERR_3_1 | ERR_3_2).items():
        pair, ratio = (Fraction(p), Fraction(q)), exp_below(Fraction(1))
        solution = SOLUTION.get((p, q), "0.000000")
        note = f"{'ERR-3.1' if (p, q) in ERR_3_1 else 'ERR-3.2'}: above 1/2, it says nothing"
        bound = printed_bound(*pair, ratio)
        rows.append(Claim(f"the printed bound, p = {p}, {q}, epsilon 1", bound, note=note, claimed=printed))
        rows.append(Claim("the solution of (4) there", least_flip(*pair, ratio), reference=solution))
    for epsilon, share in VACUOUS.items():
        what = f"share of p_i <= p_j where the bound exceeds 1/2, epsilon {epsilon}"
        rows.append(Claim(what, vacuous_share(float(Fraction(epsilon))), reference=share))
    for epsilon in VACUOUS:
        what = f"largest distance from the solution elsewhere, epsilon {epsilon}"
        rows.append(Claim(what, _distance_elsewhere(exp_below(Fraction(epsilon))), reference=0.0))
    for p, q in DERIVED:
        graph = bernoulli_couplet(Fraction(p), Fraction(q))
        what = f"(4), p = {p}, {q}"
        rows += derived(what, formula(graph, shared=True), corrected(Fraction(p), Fraction(q)))
    for shared in (True, False):
        for categories in WIDER:
            what = f"its formula, m = {categories}, {'one matrix' if shared else 'a matrix each'}, epsilon 1/2"
            level, program = _wider(categories, shared)
            rows.append(Claim(what, level, reference=program))
    return Result("gc-observation-9", "The one-bit bound", PAPER, tuple(rows), WORDS, draw)


def _wider(categories: int, shared: bool) -> tuple[Fraction, Fraction]:
    """Return what two profiles, one rising and one a peak, ask for by formula, and what a linear program finds."""
    rising = [Fraction(2 * x + 1, categories**2) for x in range(categories)]
    peak = [Fraction(x + 1 if x < categories // 2 else categories - x) for x in range(categories)]
    pair = [rising, [height / sum(peak) for height in peak]]
    graph = profile_graph(dict(enumerate(pair)), edges=[(0, 1)], categories=list(range(categories)))
    found = design(graph, epsilon="1/2", method=Method.HIGHS, shared=shared)
    return two_profiles(*pair, epsilon="1/2", shared=shared), found.value


def printed_bound(p: Fraction, q: Fraction, ratio: Fraction) -> Fraction:
    """Return the bound as it is printed, for p <= q.

    Parameters
    ----------
    p, q
        the means of the two bits.
    ratio
        e^epsilon.

    Examples
    --------
    >>> printed_bound(Fraction(0), Fraction(1), Fraction(3))
    Fraction(1, 4)
    """
    c = ratio - 1
    first, second = q - ratio * p, p - ratio * q + c
    fractions = (first / (2 * first + c), second / (2 * (p - ratio * q) + c))
    return max(Fraction(0), *fractions)


def corrected(p: Fraction, q: Fraction) -> list[Form]:
    """Return the bound with positive parts, N/(2 N + c), as a function of E = e^epsilon, for p <= q.

    For E >= 1 the larger of N1 = q - E p and N2 = 1 - p - E (1 - q) is the one that falls more slowly: at E = 1 both
    are q - p.

    Parameters
    ----------
    p, q
        the means of the two bits.

    Examples
    --------
    >>> corrected(Fraction(0), Fraction(1))
    [Form(numerator=[Fraction(1, 1), Fraction(0, 1)], denominator=[Fraction(1, 1), Fraction(1, 1)], high=None)]
    """
    if p == q:
        return [NOTHING]
    start, fall = (q, p) if p <= 1 - q else (1 - p, 1 - q)
    form = Form([start, -fall], [2 * start - 1, 1 - 2 * fall], start / fall if fall else None)
    return [form] if form.high is None else [form, NOTHING]


def least_flip(p: Fraction, q: Fraction, ratio: Fraction) -> Fraction:
    """Return the least flip probability that (4) allows, by bisection.

    1/2 is allowed, and what is allowed is an interval.

    Parameters
    ----------
    p, q
        the means of the two bits.
    ratio
        e^epsilon.

    Examples
    --------
    >>> float(least_flip(Fraction(0), Fraction(1), Fraction(3)))
    0.25
    """
    low, high = Fraction(0), Fraction(1, 2)
    if _allowed(low, p, q, ratio):
        return low
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if _allowed(middle, p, q, ratio) else (middle, high)
    return high


def _allowed(flip: Fraction, p: Fraction, q: Fraction, ratio: Fraction) -> bool:
    """Return whether both outputs keep their ratio, the constraints of (4)."""
    one, other = (mean * (1 - flip) + (1 - mean) * flip for mean in (p, q))
    return all(a <= ratio * b for a, b in ((one, other), (other, one), (1 - one, 1 - other), (1 - other, 1 - one)))


def vacuous_share(epsilon: float) -> float:
    """Return the share of the pairs p_i <= p_j whose printed bound exceeds 1/2, by counting small cells.

    Parameters
    ----------
    epsilon
        in nats.

    Examples
    --------
    >>> round(vacuous_share(1.0), 3), round((1 - math.exp(-1)) / 2, 3)
    (0.316, 0.316)
    """
    middles = (np.arange(CELLS) + 0.5) / CELLS
    vacuous = _is_vacuous(middles[:, None], middles[None, :], math.exp(epsilon))
    weight = np.triu(np.ones((CELLS, CELLS))) - 0.5 * np.identity(CELLS)  # half of a cell on the diagonal counts
    return float((vacuous * weight).sum() / weight.sum())


def _is_vacuous(p: Floats, q: Floats, ratio: float) -> npt.NDArray[np.bool_]:
    """Return whether one of the two printed fractions exceeds 1/2."""
    c = ratio - 1
    first, second = q - ratio * p, p - ratio * q + c
    return (first / (2 * first + c) > 0.5) | (second / (2 * second - c) > 0.5)


def _distance_elsewhere(ratio: Fraction) -> Fraction:
    """Return the largest |printed bound - solution| over a grid of pairs where the bound is at most 1/2."""
    grid = [Fraction(step, 11) for step in range(12)]  # misses the pairs at which a denominator is zero
    pairs = list(combinations_with_replacement(grid, 2))
    bounds = [(printed_bound(p, q, ratio), least_flip(p, q, ratio)) for p, q in pairs]
    return max(abs(bound - solution) for bound, solution in bounds if bound <= Fraction(1, 2))


def draw() -> "Figure":
    """Return where the printed bound says nothing, among all pairs p_i <= p_j."""
    titles = [f"ε = {float(Fraction(epsilon)):g}: {vacuous_share(float(Fraction(epsilon))):.1%}" for epsilon in VACUOUS]
    figure, axes = panels(titles, across="$p_i$", up="$p_j$", width=2.6)
    for one, epsilon in zip(axes, VACUOUS, strict=True):
        E = math.exp(Fraction(epsilon))
        one.fill([0, 0, 1], [0, 1, 1], color=COLOURS[0], alpha=0.15, linewidth=0, label="the bound is exact")
        for x, y in (((0.5, (E + 1) / (2 * E), 1), (0.5, 1, 1)), ((0.5, 0, 0), (0.5, (E - 1) / (2 * E), 0))):
            one.fill(x, y, color=COLOURS[1], linewidth=0, label="the bound exceeds 1/2" if x[1] else None)
        one.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    axes[0].legend(loc="lower right", fontsize=8, frameon=False)
    return figure
