"""How often intervals cover what is true, in many repetitions: not less often than they say, but for chance."""

from fractions import Fraction
from random import Random

import numpy as np
from intervals import coverage, decay, shares_of
from scipy.stats import binom
from surveys import CASES
from surveys import runs as covering

import mechdesign as md
from mechdesign.release.channels import Channel

CHANCE = 1e-9
"""Of coming out as seldom, where the level holds: so seldom that a year of attacks shows none."""
LEVEL = 0.93
"""Intervals of 95 % that rest on the normal distribution cover at least .946 in the table of benchmarks/README.md."""
RUNS = 2_000
OF_CLUSTERS = 0.88
"""Where ten clusters are all, or shares are rare, they cover at least .90 in the table of benchmarks/README.md."""


def of_estimates(rng: Random) -> str:
    size, rows, these_rows = rng.randint(2, 12), int(10 ** rng.uniform(2, 4)), rng.random() < 0.5
    epsilon = rng.choice([0.5, 1.0, 2.0, 3.0])
    ordered = rng.random() < 0.5
    channel = decay(size, epsilon, lambda steps: (steps if ordered else steps > 0).astype(np.float64))
    words = rng.choice(["one", "some zeros", "rare", "even"])
    draws = np.random.default_rng(rng.getrandbits(64))
    least, _, _, _ = coverage(draws, channel, shares_of(words, size), rows, RUNS, these_rows)
    chance = size * binom.cdf(round(least * RUNS), RUNS, LEVEL)
    assert chance > CHANCE, f"{least} of {RUNS}: {size} categories, {rows} rows, epsilon {epsilon}, {ordered}, {words}"
    return f"{'these rows' if these_rows else 'population'}, {words}"


def of_surveys(rng: Random) -> str:
    """Of a share in a design of strata and clusters, and of a difference between two groups in the same clusters."""
    case, clusters, rows, number = rng.choice(sorted(CASES)), rng.choice([10, 20, 40]), rng.choice([5, 20]), 150
    truly = rng.choice([1.0, 0.75])
    channel = Channel(np.array([[truly, 1 - truly], [1 - truly, truly]]), np.arange(2))
    draws = np.random.default_rng(rng.getrandbits(64))
    covered = np.array(list(covering(draws, channel, case, clusters, rows, number)))
    for what, hits in zip(("share", "difference"), covered[:, [0, 2]].sum(axis=0).tolist(), strict=True):
        assert binom.cdf(hits, number, OF_CLUSTERS) > CHANCE, f"{what}: {hits} of {number}: {case}, {clusters} clusters"
    return case


def of_bounds(rng: Random) -> str:
    """The bounds of a graph made of a sample hold all true profiles at once, with the confidence asked for."""
    size, confidence, runs = rng.randint(2, 4), rng.choice(["0.5", "0.8", "0.95"]), 40
    draws = np.random.default_rng(rng.getrandbits(64))
    categories = [f"c{x}" for x in range(size)]
    true = {name: draws.dirichlet(np.full(size, rng.choice([0.2, 1.0]))) for name in ("a", "b")}
    counts = {name: rng.choice([5, 20, 60]) for name in true}
    hits = 0
    for _ in range(runs):
        values = {name: draws.choice(categories, counts[name], p=law) for name, law in true.items()}
        rows = {
            "profile": [name for name in true for _ in values[name]],
            "value": [v for one in values.values() for v in one],
        }
        graph = md.graph_from_table(
            rows, profile="profile", value="value", categories=categories, confidence=confidence
        )
        hits += all(
            low <= Fraction(mass) <= high
            for name, law in true.items()
            for low, mass, high in zip(graph.nodes[name]["lower"], law, graph.nodes[name]["upper"], strict=True)
        )
    assert binom.cdf(hits, runs, float(confidence)) > CHANCE, f"{hits} of {runs} with confidence {confidence}"
    return f"confidence {confidence}"
