"""What of the counts may be seen: all of them (public or not), noised ones, or rounded frequencies."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mechdesign.exact.faults import Faults
from mechdesign.exact.text import format_number

EXACT = "the distributions are exact frequencies of records that nobody declared public"
ROUNDED = "the distributions are rounded frequencies, which guarantees nothing, of records that nobody declared public"

GUARANTEE = (
    "differential privacy of records: if one is added, removed or replaced by another, the probability of any outcome"
    " changes by a factor of e^epsilon at most; which profiles, categories and edges there are counts as public"
)
"""What noised distributions promise; a row that stands for n records is n of them."""


SIZES_PUBLIC = (
    "differential privacy of values: if one record's is replaced by another, the probability of any outcome changes by"
    " a factor of e^epsilon at most, and by e^(2 epsilon) if two people change places; how many records a profile has"
    " counts as public, and so does which profiles, categories and edges there are"
)
"""What they promise where the sizes are public: a profile that changes with its value needs another that makes room."""


@dataclass(frozen=True)
class Release:
    """What of the counts may be seen.

    Attributes
    ----------
    public
        whether the table is public anyway.
    noise
        the epsilon of the noised counts; None for exact ones.
    steps
        probabilities are multiples of 1 / steps; None: as they are.
    public_sizes
        whether the profiles' numbers of records are public, though their values are not.
    """

    public: bool = False
    noise: Fraction | None = None
    steps: int | None = None
    public_sizes: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether the numbers of records may be written beside the distributions."""
        return self.noise is None and self.steps is None

    def faults(self, *, declared: bool) -> list[str]:
        """Return what stands against it; `declared` says whether categories and profiles were given."""
        faults = Faults()
        if self.noise is not None:
            faults.number("noise", self.noise, "an epsilon > 0", above=0)
        if self.noise is not None and not declared:
            remedy = "give both categories= and profiles=, not from these records"
            faults.append(f"noise: which categories and profiles occur would tell about the records; {remedy}")
        if self.noise is not None and self.public:
            faults.append("noise: a table that is public needs none; give either public= or noise=")
        if self.steps is not None:
            faults.whole("round_to", self.steps)
        return faults

    def described(self, units: int) -> dict[str, Any]:
        """Return what the graph says of it, in its attribute `made`; a record changes a count by `units` at most."""
        made: dict[str, Any] = {"public": True} if self.public else {}
        if self.noise is not None:
            each = "count" if units == 1 else f"sum of weights in units of 1/{units} of their limit"
            law = f"two-sided geometric on each {each}, probability of z proportional to e^(-epsilon |z| / {2 * units})"
            made["noise"] = {
                "epsilon": format_number(self.noise),
                "added_or_removed": format_number(self.noise / 2),
                "sizes": "public" if self.public_sizes else "noised",
                "of_one_person": format_number(self.noise * (2 if self.public_sizes else 1)),
                "law": law,
                "guarantee": SIZES_PUBLIC if self.public_sizes else GUARANTEE,
            }
        if self.steps is not None:
            made["round"] = self.steps
        if self.noise is None and not self.public:
            made["warning"] = EXACT if self.steps is None else ROUNDED
        return made
