"""One attack in each file: `attack(rng)` tries something drawn from rng, says in a word what came of it, or fails."""

from collections.abc import Callable
from random import Random

from attacks import certificates, coverage, designs, draws, formula_proofs, readers

ATTACKS: dict[str, Callable[[Random], str]] = {
    "certificates": certificates.attack,
    "formula-proofs": formula_proofs.attack,
    "designs": designs.attack,
    "estimates": coverage.of_estimates,
    "surveys": coverage.of_surveys,
    "bounds-from-tables": coverage.of_bounds,
    "draws": draws.attack,
    "readers": readers.attack,
}
