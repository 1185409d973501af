"""OpenDP's randomised response: `make_randomized_response` and `make_randomized_response_bool`.

The measurement keeps what it was made from. OpenDP samples in exact arithmetic: the truth with probability `prob`,
which is the rational that the double is, else one of the k - 1 other categories, all alike. So the matrix is rational,
its off-diagonal (1 - prob) / (k - 1) is exact, and no double decides anything more. OpenDP claims `measurement.map(1)`.
"""

from fractions import Fraction
from typing import Any

from adapters.draws import randomised_response
from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.mechanism.mechanism import Mechanism

BOOLEANS = ["False", "True"]


def from_opendp(measurement: Any) -> Mechanism:
    """Return the mechanism that an OpenDP randomised response is, exactly.

    Its inputs and outputs are the categories, or the words "False" and "True".

    Raises
    ------
    InputError
        if the measurement is no randomised response on a category, or does not say what it was made from.

    Examples
    --------
    >>> import opendp.prelude as dp                                                         # doctest: +SKIP
    >>> from_opendp(dp.m.make_randomized_response(["a", "b", "c"], prob=0.75)).row("a", "a")  # doctest: +SKIP
    (Fraction(3, 4), Fraction(1, 8), Fraction(1, 8))
    """
    made = getattr(measurement, "__opendp_dict__", {})
    made_by, arguments = made.get("__function__"), made.get("__kwargs__", {})
    if made_by not in ("make_randomized_response", "make_randomized_response_bool"):
        raise InputError(f"expected a measurement by OpenDP's make_randomized_response, found {shown(measurement)}")
    categories = BOOLEANS if made_by.endswith("bool") else list(dict.fromkeys(arguments["categories"]))
    return randomised_response(categories, Fraction(arguments["prob"]))
