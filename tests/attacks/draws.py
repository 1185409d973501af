"""What is drawn has the law of its row: Pearson's statistic at a level that chance hardly ever reaches."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import chi2

from mechdesign.privacy.stored_rows import Rows
from mechdesign.release.bits import seeded_bits
from mechdesign.release.sampling import Sampler

DRAWS = 100_000
CHANCE = 1e-9


def assert_law(outputs: npt.NDArray[Any], weights: Sequence[int], chance: float = CHANCE) -> None:
    """Require that outputs were drawn by these weights; what is expected less than five times is taken together."""
    counts = np.bincount(outputs, minlength=len(weights))
    total, draws = sum(weights), len(outputs)
    expected = np.array([float(Fraction(one, total)) for one in weights]) * draws
    assert len(counts) == len(weights)
    assert counts[[not one for one in weights]].sum() == 0, "an output of probability 0"
    seen = expected > 5
    rest = expected[~seen].sum()
    statistic = ((counts[seen] - expected[seen]) ** 2 / expected[seen]).sum()
    statistic += (counts[~seen].sum() - rest) ** 2 / rest if rest > 5 else 0
    assert statistic <= chi2.ppf(1 - chance, max(int(seen.sum()), 1)), f"{statistic}: {counts}, not {expected}"


def attack(rng: Random) -> str:
    rows, outputs = rng.randint(1, 5), rng.choice([1, 2, 3, 7, 20, 300])
    largest = rng.choice([1, 9, 2**16, 2**64 + 1, 7**80])
    weights = [[rng.choice([0, rng.randint(0, largest)]) for _ in range(outputs - 1)] for _ in range(rows)]
    for row in weights:
        row.insert(rng.randrange(outputs), rng.randint(1, largest))
    bits = rng.choice([None, 0, 1, 5, 15, 16])
    sampler, stream = Sampler(Rows(np.array(weights, dtype=object)), bits=bits), seeded_bits(rng.getrandbits(63))
    for which, row in enumerate(weights):
        assert_law(sampler.draw(np.full(DRAWS, which), stream()), row)
    return f"{outputs} outputs"
