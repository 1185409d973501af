"""How often intervals cover what is true, in many repetitions: not less often than they say, but for chance."""

from fractions import Fraction
from random import Random

import numpy as np
from intervals import coverage, decay, shares_of
from scipy.stats import binom

import mechdesign as md

CHANCE = 1e-9
"""Of coming out as seldom, where the level holds: so seldom that a year of attacks shows none."""
LEVEL = 0.93
"""Intervals of 95 % that rest on the normal distribution cover at least .946 in the table of benchmarks/README.md."""
RUNS = 2_000


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
