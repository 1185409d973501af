"""The epsilon of releases together, beside dp-accounting's and the exact one: python benchmarks/composition.py.

Random pairs of laws of two to five outputs; the exact epsilon is that of the full table of one, two or three releases.
mechdesign's is that on its grid alone, which `compose` takes where tables are large and delta is positive.
"""

import math
from fractions import Fraction
from itertools import product

import numpy as np
from dp_accounting.pld import privacy_loss_distribution
from shared import Table, asked, timed

from mechdesign.exact.exponentials import log_bounds
from mechdesign.privacy.needed import needed
from mechdesign.privacy.released import Released
from mechdesign.release.joint import CELLS, SPARE
from mechdesign.release.privacy_losses import losses_of

DELTAS = (Fraction(0), Fraction(1, 100), Fraction(1, 10**6), Fraction(1, 10**10))


def table(one: Released, times: int) -> Released:
    """Return the law of so many releases."""
    weights = [math.prod(map(int, part)) for part in product(one.weights, repeat=times)]
    return Released(np.array(weights, dtype=object), one.total**times)


def google(first: Released, second: Released, times: int, delta: Fraction) -> float:
    """Return dp-accounting's epsilon, its estimate called pessimistic."""
    logs = [{y: math.log(mass) for y, mass in enumerate(law.fractions()) if mass} for law in (second, first)]
    losses = privacy_loss_distribution.from_two_probability_mass_functions(*logs)
    return float(losses.self_compose(times).get_epsilon_for_delta(float(delta)))


def ours(first: Released, second: Released, times: int, delta: Fraction) -> float:
    """Return the bound from above on the grid."""
    spare = float(delta) * SPARE / times
    one = losses_of(first, second, above=True, cells=CELLS, spare=spare)
    return one.times(times, cells=CELLS, spare=spare).epsilon(delta)


def main() -> None:
    """Print how often each is below the exact epsilon, and how far above it at most."""
    given = asked(__doc__, pairs=85)
    rng = np.random.default_rng(1)
    found: dict[str, list[tuple[float, float, float]]] = {"mechdesign": [], "dp-accounting": []}
    for _ in range(given.pairs):
        rows = rng.integers(1, 60, (2, rng.integers(2, 6)))
        first, second = (Released(row.astype(object), int(row.sum())) for row in rows)
        for times, delta in product((1, 2, 3), DELTAS):
            ratio = needed(table(first, times), table(second, times), delta).ratio
            low, exact = (math.inf, math.inf) if ratio is None else log_bounds(ratio)
            if exact == 0:
                continue
            for name, way in (("mechdesign", ours), ("dp-accounting", google)):
                with timed() as taken:
                    epsilon = way(first, second, times, delta)
                found[name].append((epsilon - low, epsilon / exact - 1, taken.clock))
    columns = ("below the exact epsilon", "furthest below", "furthest above, relatively", "median above", "seconds")
    shown = Table("", *columns)
    for name, cells in found.items():
        gaps, above, seconds = map(np.array, zip(*cells, strict=True))
        above = above[np.isfinite(above)]
        far = (f"{one:.1e}" for one in (max(0.0, -gaps.min()), above.max(), np.median(above)))
        shown.row(name, f"{(gaps < 0).sum()} of {len(gaps)}", *far, f"{np.median(seconds):.3f}")


if __name__ == "__main__":
    main()
