"""[GC] Figure 1(a): how often a bit is flipped, against how far the two profiles are apart."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from mechdesign.closed_form.one_bit_cluster import flip_probability
from mechdesign.exact.exponentials import exp_below
from mechdesign.papers.drawing import BASELINE, COLOURS, panels
from mechdesign.papers.gc import PAPER
from mechdesign.papers.result import Claim, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORDS = """\
The paper finds that the flip probability grows with the difference of the two parameters and stays below \
that of Warner's randomised response. Both are right for every pairing whose parameters move apart. It does \
not say which pairs it plots; of all pairs with the same difference, p_i = 0 needs the most noise and a \
pair symmetric about 1/2 the least, so its curve lies between the two drawn here. It prints no numbers: \
those here are checked against the definition (4). ERR-3.3, lost or misread in the text at hand: where that \
has 1/(1 + eps^eps) for Warner's probability, read 1/(1 + e^eps)."""

Pairing: TypeAlias = Callable[[Fraction], tuple[Fraction, Fraction]]

TABLE = {
    ("1", "p_i = 0"): ("0.094416", "0.158838", "0.205600", "0.241089", "0.268941"),
    ("1", "symmetric"): ("0.000000", "0.000000", "0.114902", "0.211177", "0.268941"),
    ("1/2", "p_i = 0"): ("0.190708", "0.276106", "0.324549", "0.355758", "0.377541"),
    ("1/2", "symmetric"): ("0.000000", "0.193852", "0.295901", "0.346926", "0.377541"),
    ("1/10", "symmetric"): ("0.375104", "0.437552", "0.458368", "0.468776", "0.475021"),
}
WARNER = {"1": "0.268941", "1/2": "0.377541", "1/10": "0.475021"}


def reproduce() -> Result:
    """Return the flip probabilities of One Bit Cluster, and Warner's.

    References
    ----------
    [GC] Figure 1(a), Observation 9.

    Examples
    --------
    >>> result = reproduce()
    >>> f"{float(result.rows[2].computed):.6f}", result.rows[2].agrees
    ('0.205600', True)
    """
    rows = []
    for (epsilon, name), references in TABLE.items():
        for step, reference in enumerate(references, start=1):
            difference = Fraction(step, 5)
            flip = flip_at(Fraction(epsilon), *PAIRINGS[name](difference))
            rows.append(Claim(f"flip, {name}, difference {step / 5}, epsilon {epsilon}", flip, reference=reference))
    for epsilon, reference in WARNER.items():
        flip = warner(Fraction(epsilon))
        rows.append(Claim(f"flip of Warner's response, epsilon {epsilon}", flip, reference=reference))
    for epsilon in WARNER:
        rows += _claims(epsilon)
    return Result("gc-figure-1a", "Bernoulli-Couplet: flip probability", PAPER, tuple(rows), WORDS, draw)


def _claims(epsilon: str) -> list[Claim]:
    differences = [Fraction(step, 50) for step in range(51)]
    curves = [[flip_at(Fraction(epsilon), *pair(d)) for d in differences] for pair in PAIRINGS.values()]
    grows = all(before <= after for curve in curves for before, after in pairwise(curve))
    below = all(flip <= warner(Fraction(epsilon)) for curve in curves for flip in curve)
    return [
        Claim(f"the flip probability grows with the difference, epsilon {epsilon}", grows, claimed=True),
        Claim(f"it stays at or below Warner's, epsilon {epsilon}", below, note="equal only for 0 and 1", claimed=True),
    ]


def flip_at(epsilon: Fraction, p: Fraction, q: Fraction) -> Fraction:
    """Return the flip probability of two bits of means p and q.

    Parameters
    ----------
    epsilon
        in nats.
    p, q
        the means.

    Examples
    --------
    >>> f"{float(flip_at(Fraction(1), Fraction(0), Fraction(1))):.6f}"
    '0.268941'
    """
    return flip_probability(p, q, epsilon=epsilon)


def warner(epsilon: Fraction) -> Fraction:
    """Return the flip probability of Warner's randomised response, 1 / (1 + e^epsilon).

    Parameters
    ----------
    epsilon
        in nats.

    Examples
    --------
    >>> warner(Fraction(0))
    Fraction(1, 2)
    """
    return 1 / (1 + exp_below(epsilon))


def _from_zero(difference: Fraction) -> tuple[Fraction, Fraction]:
    return Fraction(0), difference


def _symmetric(difference: Fraction) -> tuple[Fraction, Fraction]:
    return (1 - difference) / 2, (1 + difference) / 2


PAIRINGS: dict[str, Pairing] = {"p_i = 0": _from_zero, "symmetric": _symmetric}


def draw() -> "Figure":
    """Return Figure 1(a), one panel per epsilon, with the whole range of pairings."""
    titles = [f"ε = {float(Fraction(epsilon)):g}" for epsilon in WARNER]
    figure, axes = panels(titles, across="difference of the parameters, $p_j - p_i$", up="flip probability", width=3.3)
    differences = [Fraction(step, 100) for step in range(101)]
    x = [float(difference) for difference in differences]
    for one, epsilon in zip(axes, WARNER, strict=True):
        most, least = ([float(flip_at(Fraction(epsilon), *pair(d))) for d in differences] for pair in PAIRINGS.values())
        one.axhline(float(warner(Fraction(epsilon))), color=BASELINE, linewidth=1.2, label="Warner's response (local)")
        one.fill_between(x, least, most, color=COLOURS[0], alpha=0.12, linewidth=0, label="every other pair")
        one.plot(x, most, color=COLOURS[0], label="$p_i = 0$")
        one.plot(x, least, color=COLOURS[0], linestyle="--", label="symmetric about 1/2")
        one.set(xlim=(0, 1), ylim=(0, 0.5))
    axes[-1].legend(loc="lower right", fontsize=8, frameon=False)
    return figure
