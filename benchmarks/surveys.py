"""Coverage of `estimate`'s intervals of 95 % with weights, strata and clusters: python benchmarks/surveys.py.

Two strata, of which one has twice the weight; in each the clusters' shares vary by a beta distribution around their
mean; answers go through randomised response. Beside what the design's intervals cover is what those do that know
of the weights alone, and what those of the difference between two groups do, who live in the same clusters.
"""

from collections.abc import Iterator

import numpy as np
from shared import Table, asked

from mechdesign.arrays import Floats, Integers
from mechdesign.release.channels import Channel
from mechdesign.release.estimating import group_differences
from mechdesign.release.samples import Design, Drawn
from mechdesign.release.shares import Shares

CASES = {
    "alike": (0.25, 0.6, 1e6),
    "varied": (0.25, 0.6, 8.0),
    "very varied": (0.25, 0.6, 1.0),
    "rare": (0.01, 0.03, 20.0),
}
"""The shares in both strata, and how little clusters vary: the sum of the parameters of their beta distribution."""

SLACK = 1e-12


def sample_of(design: Design, units: Integers, outputs: Integers, weights: Floats) -> Drawn:
    """Return rows, added up by unit and output."""
    keys, place = np.unique(2 * units + outputs, return_inverse=True)
    sums = np.array([np.bincount(place, one) for one in (weights**0, weights, weights**2)], np.float64)
    return Drawn.of(design, 2, keys // 2, keys % 2, sums)


def runs(
    rng: np.random.Generator, channel: Channel, case: str, clusters: int, rows: int, number: int, alpha: float = 0.05
) -> Iterator[tuple[bool, bool, bool]]:
    """Yield whether intervals cover: of the design, of weights alone, of a difference; with so many rows a cluster."""
    one, two, kept = CASES[case]
    true = (one + 2 * two) / 3
    strata = np.repeat([0, 1], clusters // 2)
    units = np.repeat(np.arange(clusters), rows)
    weights, groups = 1.0 + strata[units], np.arange(len(units)) % 2
    means = np.where(strata, two, one)
    design, plain = Design(strata, np.bincount(strata), True), Design(np.zeros(1, int), np.array([len(units)]), False)
    for _ in range(number):
        shares = rng.beta(kept * means, kept * (1 - means))[units]
        truth = np.where(rng.random(len(units)) < shares, 0, 1)
        outputs = (rng.random((len(units), 1)) > channel.matrix[truth].cumsum(axis=1)).sum(axis=1)
        known, blind = (
            Shares(channel, sample_of(kind, which, outputs, weights), alpha, False).ends(0)
            for kind, which in ((design, units), (plain, 0 * units))
        )
        parts = [
            Shares(channel, sample_of(design, units[mine], outputs[mine], weights[mine]), alpha, False)
            for mine in (groups == 0, groups == 1)
        ]
        apart = next(iter(group_differences(*parts)))
        yield (
            known[0] - SLACK <= true <= known[1] + SLACK,
            blind[0] - SLACK <= true <= blind[1] + SLACK,
            apart.low <= 0 <= apart.high,
        )


def main() -> None:
    """Print a row for each mechanism, case and number of clusters."""
    arguments = asked(__doc__, runs=2_000)
    rng = np.random.default_rng(1)
    table = Table("answers told truly", "clusters", "number", "the design", "weights alone", "difference")
    for told in (1.0, 0.75):
        channel = Channel(np.array([[told, 1 - told], [1 - told, told]]), np.arange(2))
        for case in CASES:
            for clusters in (10, 40):
                found = np.mean(list(runs(rng, channel, case, clusters, 20, arguments.runs)), axis=0)
                table.row(f"{told:.0%}", case, f"{clusters}", *(f"{one:.3f}" for one in found))


if __name__ == "__main__":
    main()
