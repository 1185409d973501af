"""Designs that strain doubles: private by the definition, near their bound, and the exact optimum between both."""

from fractions import Fraction
from random import Random

from oracles.divergence import assert_private
from oracles.optimum import optimum_of
from strained import strained

from mechdesign import check_certificate
from mechdesign.bench.families import FAMILIES

LARGEST = 60
"""Profiles times categories times outputs, up to which the exact program is solved too."""
LARGEST_WITHIN = 20
"""Where every vertex of what is known of a profile counts; there are n! n of n categories."""


def attack(rng: Random) -> str:
    kind = rng.choice(["various", "extreme", "family", "within"])
    name = (
        f"{kind} {rng.randrange(10**6)}"
        if kind in ("various", "extreme")
        else of_family(rng, 5 if kind == "within" else 9)
    )
    try:
        return holds(f"within 1/{rng.randint(10, 1000)} {name}" if kind == "within" else name, kind)
    except Exception as error:
        error.add_note(name)
        raise


def of_family(rng: Random, most: int) -> str:
    objective = rng.choice(["max-off-diagonal none", *(f"{o} {loss}" for o in GOALS for loss in LOSSES)])
    epsilon, delta = rng.choice(["0.05", "0.5", "2", "5"]), rng.choice(["0", "0.01", "0.1"])
    shared = " shared" * (rng.random() < 0.3)
    return f"{rng.choice(list(FAMILIES))} {rng.randint(3, most)} {objective} {epsilon} {delta}{shared}"


GOALS = ("expected-loss", "worst-loss")
LOSSES = ("hamming", "absolute", "random")


def holds(name: str, kind: str) -> str:
    """Require of a design what is promised."""
    one = strained(name)
    made, asked = one.design(), {"shared": False, "delta": 0} | one.arguments
    epsilon, delta = Fraction(asked["epsilon"]), Fraction(asked["delta"])
    assert check_certificate(made.certificate) == (made.value, made.bound)
    assert_private(made.mechanism, one.graph, epsilon, delta)
    near = max(Fraction(1, 10**9), made.value / 10**8)
    assert 0 <= made.value - made.bound <= near, f"a gap of {float(made.value - made.bound)}"
    size = len(one.graph) * len(one.graph.graph["categories"]) ** 2
    if size > (LARGEST if kind != "within" else LARGEST_WITHIN):
        return kind
    best = optimum_of(one.graph, epsilon, delta, asked["objective"], shared=asked["shared"])
    assert made.bound <= best <= made.value, f"the optimum is {float(best)}"
    return f"{kind}, by the exact optimum"
