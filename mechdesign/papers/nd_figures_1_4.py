"""[ND] Figures 1-4: the average error of the answer itself and of the posterior mean, over noise and privacy level."""

from functools import partial
from typing import TYPE_CHECKING

from scipy.optimize import minimize_scalar

from mechdesign.papers.drawing import BASELINE, COLOURS, panels
from mechdesign.papers.nd import PAPER, compared, deviation_of, exact, simulated, simulation_agrees
from mechdesign.papers.result import Claim, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORDS = """\
The paper simulates 100,000 answers for each point and prints curves without numbers. Here the averages are exact, \
integrals between all kinks, with the same simulation beside them. That of the answer itself is 1/epsilon, as (14) \
says. The posterior mean is better throughout, as claimed. Its error "levels off, though continuing a very slow \
growth" with the noise. The growth ends at epsilon .0118 for n = 100 and .00119 for n = 1000, a noise of standard \
deviation 119 and 1189; beyond, the error falls again, by 0.3% and 0.03%, to the mean absolute deviation of the \
binomial count (3.644922 and 11.558822). ERR-0.9: the estimator is the posterior mean, best for the squared error, \
but what is measured is the absolute error, for which the posterior median is best; it is never worse, see the rows. \
ERR-0.7: "the accuracy improvement represents a clear sign that the overall level of privacy may be vulnerable": the \
estimate is made from the private answer and from n and p, which are public; so it is as private as the answer. \
ERR-0.4: (13) uses M without a bar, which is not defined; read |Q - Q-hat|."""

P = 0.3
REFERENCE = {
    (100, 0.01): "3.65518482 3.64492232 20.958104",
    (100, 0.05): "3.57352987 3.56788780 20.141836",
    (100, 0.1): "3.39728256 3.38794858 18.290889",
    (100, 0.2): "2.93611980 2.91989257 13.990279",
    (100, 0.5): "1.79574596 1.76208128 5.691841",
    (100, 1.0): "0.98048164 0.93334344 1.823108",
    (100, 2.0): "0.48238098 0.42113349 0.486621",
    (1000, 0.01): "11.45514207 11.45267240 206.243853",
    (1000, 0.05): "9.91767378 9.90258397 157.782352",
    (1000, 0.1): "7.64571706 7.60464814 98.280275",
    (1000, 0.2): "4.70410471 4.65244929 40.087447",
    (1000, 0.5): "1.99003432 1.95974507 7.705702",
    (1000, 1.0): "0.99693255 0.95685715 1.980977",
    (1000, 2.0): "0.48357619 0.42502288 0.497331",
}
QUANTITIES = {
    "mean": lambda errors: errors.absolute.mean,
    "median": lambda errors: errors.absolute.median,
    "squared": lambda errors: errors.squared.mean,
}
GROWTH = {100: ("3.655428", "0.0118", "119"), 1000: ("11.562228", "0.00119", "1189")}
"""n: the largest error of the mean over all epsilon, the epsilon where it is found, the noise's deviation there."""
CURVE = [0.02 * 100 ** (step / 24) for step in range(25)]
"""The epsilons at which the curves are computed."""
CLIPPED = {0.01: "38.064843", 0.05: "17.399696", 0.1: "9.718827"}


def reproduce() -> Result:
    """Return the mean absolute errors for p = 0.3, n = 100 and 1000.

    References
    ----------
    [ND] Figures 1-4, (12), (14).
    """
    rows, distances = [], []
    for (n, epsilon), references in REFERENCE.items():
        naive = exact(n, P, epsilon).absolute.naive
        rows.append(Claim(f"n {n}, p {P}, epsilon {epsilon:g}: naive", naive, claimed=1 / epsilon))
        for (what, pick), reference in zip(QUANTITIES.items(), references.split(), strict=True):
            row, distance = compared(what, (n, P, epsilon), pick, reference)
            rows.append(row)
            distances.append(distance)
    for epsilon, reference in CLIPPED.items():
        rows.append(compared("clipped", (100, P, epsilon), lambda one: one.absolute.clipped, reference)[0])
    for n, reference in ((100, "3.644922"), (1000, "11.558822")):
        rows.append(Claim(f"n {n}: constant np", exact(n, P, 0.1).absolute.constant, reference=reference))
    rows += _end_of_growth()
    rows.append(simulation_agrees(distances))
    return Result("nd-figures-1-4", "Average error over noise and privacy level", PAPER, tuple(rows), WORDS, draw)


def _end_of_growth() -> list[Claim]:
    """Find where the error of the mean no longer grows with the noise."""
    rows = []
    for n, (error, level, deviation) in GROWTH.items():
        found = minimize_scalar(partial(_minus_mean, n), bounds=(0.1 / n, 5 / n), options={"xatol": 1e-4 / n})
        rows += [
            Claim(f"n {n}: largest error of the mean", -float(found.fun), reference=error),
            Claim(f"n {n}: found at epsilon", float(found.x), reference=level),
            Claim(f"n {n}: standard deviation of the noise there", deviation_of(float(found.x)), reference=deviation),
        ]
    return rows


def _minus_mean(n: int, epsilon: float) -> float:
    return -exact(n, P, epsilon).absolute.mean


def draw() -> "Figure":
    """Return Figures 1-4: exact curves, with the simulated numbers as points."""
    figure, axes = panels(
        [f"Figure {1 + place}: n = {(100, 1000)[place % 2]}" for place in range(4)], across="", up="average error"
    )
    for place, one in enumerate(axes):
        n = (100, 1000)[place % 2]
        found = [exact(n, P, level).absolute for level in CURVE]
        points = [epsilon for size, epsilon in REFERENCE if size == n and epsilon >= CURVE[0]]
        across = deviation_of if place < 2 else float
        one.plot(list(map(across, CURVE)), [errors.naive for errors in found], color=BASELINE, label="naive")
        one.plot(list(map(across, CURVE)), [errors.mean for errors in found], color=COLOURS[0], label="posterior mean")
        simulations = [simulated(n, P, epsilon).found.absolute.mean for epsilon in points]
        one.plot(list(map(across, points)), simulations, "o", color=COLOURS[1], markersize=3, label="simulated")
        one.set_xlabel("standard deviation of the noise" if place < 2 else "privacy level ε")
        one.set(ylim=(0, 25), xlim=(0, deviation_of(CURVE[0])) if place < 2 else (2, 0))
    axes[0].legend(fontsize=8, frameon=False)
    return figure
