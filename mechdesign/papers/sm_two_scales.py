"""[SM] Figure 1: the two laws, with one scale and with two; what epsilon and delta they have, exactly."""

import math
from typing import TYPE_CHECKING

import numpy as np

from mechdesign.audit import laplace_delta, laplace_epsilon
from mechdesign.papers.drawing import BASELINE, COLOURS, panels
from mechdesign.papers.result import Claim, Result
from mechdesign.papers.sm import PAPER, TERRY, claims_audit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WORDS = """\
The exact statement behind Figure 1: of two Laplace laws with different scales the wider has heavier tails, so its \
ratio to the other is unbounded and no epsilon holds; at each epsilon the laws are apart by a delta that has a \
formula. The paper is right about that, and right that Table 2 shows no ratio beyond e^2 but for Terry Gross; still \
the other 29 neighbours too need a positive delta. ERR-4.7: but the mechanism is not Dwork's. Dwork's equation \
(2) takes the largest difference over all pairs of neighbouring databases (global sensitivity); "computed from the \
data" is the paper's reading (local sensitivity), and what it refutes is its own. ERR-4.3: the text speaks of \
Figures 3a and 3b, the captions of 2a and 2b."""

DELTAS = {
    0: ("0.967226", "0.967226"),
    0.5: ("0.964575", "0.950323"),
    1: ("0.961914", "0.925261"),
    2: ("0.956561", "0.835659"),
    3: ("0.951159", "0.658446"),
    5: ("0.940176", "0.027273"),
    10: ("0.911302", "0"),
    20: ("0.843803", "0"),
    40: ("0.632307", "0"),
}


def reproduce() -> Result:
    """Return delta of the two laws over epsilon, both ways, and of the other 29 neighbours.

    References
    ----------
    [SM] Figure 1; theory.md 4.3.

    Examples
    --------
    >>> result = reproduce()
    >>> round(result.rows[6].computed, 6), result.rows[6].agrees
    (0.956561, True)
    """
    whole, rest = (law(position) for position in (None, TERRY))
    rows = []
    for epsilon, (there, back) in DELTAS.items():
        with_her, without_her = laplace_delta(*whole, *rest, epsilon), laplace_delta(*rest, *whole, epsilon)
        rows.append(Claim(f"delta({epsilon}), with over without her", float(with_her), reference=there))
        rows.append(Claim(f"delta({epsilon}), without her over with", float(without_her), reference=back))
    largest = float(laplace_epsilon(*rest, *whole))
    rows += [
        Claim("with over without her: no epsilon holds", math.isinf(laplace_epsilon(*whole, *rest)), reference=True),
        Claim("without her over with: largest log ratio", largest, reference="5.253778"),
        *_others(),
    ]
    return Result("sm-two-scales", "Two Laplace laws", PAPER, tuple(rows), WORDS, draw)


def law(left_out: int | None) -> tuple[float, float]:
    """Return centre and scale of the noisy mean.

    Parameters
    ----------
    left_out
        the position of the record that is left out; None for none.

    Examples
    --------
    >>> law(None)
    (13.312333333333333, 1.4946149425287356)
    """
    audit = claims_audit()
    if left_out is None:
        return float(audit.answer), float(audit.scale)
    return float(audit.records.answers[left_out]), float(audit.records.scales[left_out])


def _others() -> list[Claim]:
    whole, found = law(None), claims_audit().records
    others = found.answers[:TERRY], found.scales[:TERRY]
    both_ways = laplace_delta(*whole, *others, 0.1), laplace_delta(*others, *whole, 0.1)
    at_two = float(found.delta[:TERRY].max())
    return [
        Claim("largest delta(2) of the other 29, in 10^-27", at_two * 1e27, reference="6.4", note="positive"),
        Claim("largest delta(0.1) of the other 29", float(np.max(both_ways)), reference="0.0215"),
        Claim("any of the 30 neighbours has the same scale", bool(found.same_scale.any()), reference=False),
    ]


def draw() -> "Figure":
    """Return Figure 1: the laws with and without the last record, with b_n for both, and each with its own scale."""
    (centre, scale), (centre_without, scale_without) = law(None), law(TERRY)
    titles = ["1a: evaluation based on $b_n$", "1b: evaluation based on $b_{n-1}$"]
    figure, axes = panels(titles, across="noisy mean", up="density")
    y = np.union1d(np.linspace(6, 20, 701), (centre, centre_without))
    for one, its in zip(axes, (scale, scale_without), strict=True):
        one.plot(y, np.exp(-abs(y - centre) / scale) / (2 * scale), color=COLOURS[0], label="all 30")
        one.plot(y, np.exp(-abs(y - centre_without) / its) / (2 * its), color=COLOURS[1], label="without her")
        one.axvline(claims_audit().response, color=BASELINE, linewidth=0.8, linestyle=":", label="response")
        one.set(yscale="log", ylim=(1e-4, 20))
    axes[-1].legend(fontsize=8, frameon=False)
    return figure
