"""Beyond [ND]: what any private mechanism can achieve for its count and prior, found in two ways."""

from fractions import Fraction
from typing import TYPE_CHECKING

from mechdesign.count import least_error, prior_graph
from mechdesign.designer.design import design
from mechdesign.formulas import formula
from mechdesign.graph.values import counting_graph
from mechdesign.objective import ExpectedLoss, WorstLoss
from mechdesign.papers.derived import Form, derived
from mechdesign.papers.drawing import BASELINE, COLOURS, panels
from mechdesign.papers.nd import PAPER, exact
from mechdesign.papers.result import Claim, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORDS = """\
The paper compares two estimates of one noisy answer. Below both lies the posterior median, and below every \
estimate from Laplace noise the least error of any epsilon-private mechanism: that of the posterior median of a \
count with geometric noise (Ghosh, Roughgarden and Sundararajan 2012). A linear program over all mechanisms, \
solved with an exact lower bound, gives the same. For small epsilon Laplace noise and a median lose next to \
nothing; for epsilon = 2 their error is half as large again. The least probability of a wrong count among 0..n \
has a closed form, derived by machine for all epsilon: with E = e^epsilon it is 2 n/((n + 1)(1 + E)) on average, \
that of geometric noise, and 1 - 1/S, S = sum_y E^-|y - c| about a middle count c, for the worst count: if each y is \
kept with probability p or more, c is reported as y with p E^-|y - c| or more, and these sum to p S <= 1."""

POINTS = ((5, "3/10", "1"), (10, "3/10", "1/10"), (10, "3/10", "1"), (10, "1/2", "3"), (20, "1/100", "1/10"))
"""n, p, epsilon."""
COUNTS = range(2, 6)
"""n for which the least probability of a wrong count is derived."""

CURVE = [0.01 * 300 ** (step / 24) for step in range(25)]
"""The epsilons at which the curves are computed."""
LADDER = ("naive", "clipped", "mean", "median")
REFERENCE = {
    (100, 0.1): "10.000000 9.718827 3.397283 3.387949 3.387282",
    (100, 1.0): "1.000000 1.000000 0.980482 0.933343 0.847666",
    (1000, 2.0): "0.500000 0.500000 0.483576 0.425023 0.275721",
}
"""n and epsilon, for p = 0.3: the ladder and the least error."""


def reproduce() -> Result:
    """Return the least error by formula and by linear program, and the ladder from the answer down to it.

    References
    ----------
    Ghosh, Roughgarden, Sundararajan, SIAM J. Comput. 41 (2012), arXiv:0811.2841.

    Examples
    --------
    >>> all(row.agrees for row in reproduce().rows)
    True
    """
    rows = _wrong_counts()
    for n, p, level in POINTS:
        floor = least_error(n, p, level)
        found = design(prior_graph(n, p), epsilon=level, objective=ExpectedLoss("absolute"))
        where = f"n {n}, p {p}, epsilon {level}"
        rows.append(
            Claim(f"{where}: least error, by linear program", found.value, reference=f"{floor:.6f}", note="by formula")
        )
        slack = Fraction(1, 10**12)
        between = found.bound <= Fraction(floor) * (1 + slack) and Fraction(floor) * (1 - slack) <= found.value
        rows.append(Claim(f"{where}: between exact bound and value", between, reference=True))
    for (n, epsilon), references in REFERENCE.items():
        errors = exact(n, 0.3, epsilon)
        steps = [getattr(errors.absolute, name) for name in LADDER] + [errors.optimal]
        where = f"n {n}, p 0.3, epsilon {epsilon:g}"
        for name, step, digits in zip((*LADDER, "optimal"), steps, references.split(), strict=True):
            rows.append(Claim(f"{where}: {name}", step, reference=digits))
        rows.append(Claim(f"{where}: each step is lower", steps == sorted(steps, reverse=True), reference=True))
    return Result("nd-floor", "From the noisy answer to the best mechanism", PAPER, tuple(rows), WORDS, draw)


def _wrong_counts() -> list[Claim]:
    """Derive the least probability of a wrong count, on average and for the worst count, for every epsilon."""
    rows = []
    for n in COUNTS:
        graph, middle = counting_graph(n), n // 2
        powers = [n - middle - abs(y - middle) for y in range(n + 1)]
        about = [powers.count(power) for power in range(n - middle + 1)]  # S times E^(n - c)
        forms = {
            "mean": (ExpectedLoss(), Form([2 * n], [n + 1, n + 1])),
            "worst": (WorstLoss(), Form([*about[:-1], 0], about)),
        }
        for name, (objective, form) in forms.items():
            rows += derived(f"wrong count of 0..{n}, {name}", formula(graph, objective=objective), [form])
    return rows


def draw() -> "Figure":
    """Return the errors of the estimates over that of the best mechanism."""
    titles = [f"n = {n}, p = 0.3" for n in (100, 1000)]
    figure, axes = panels(titles, across="privacy level ε", up="mean absolute error over the least")
    for n, one in zip((100, 1000), axes, strict=True):
        found = [exact(n, 0.3, level) for level in CURVE]
        for name, colour in zip(LADDER, (BASELINE, *COLOURS), strict=False):
            one.plot(
                CURVE, [getattr(errors.absolute, name) / errors.optimal for errors in found], color=colour, label=name
            )
        one.set(xscale="log", ylim=(0.9, 5))
    axes[0].legend(fontsize=8, frameon=False)
    return figure
