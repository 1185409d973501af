"""multi-freq-ldpy's generalised randomised response, `GRR_Client`.

A function and not an object, so it is given by its arguments. It tells the truth with
p = e^epsilon / (e^epsilon + k - 1), computed in doubles, else one of the other values, all alike. The coin is
`numpy.random.binomial`, compiled by numba; it is taken to fall with exactly the p that it is given.
"""

import math
from fractions import Fraction

from adapters.draws import randomised_response
from mechdesign.exact.numbers import Number
from mechdesign.mechanism.mechanism import Mechanism


def from_multi_freq_ldpy(k: int, epsilon: Number) -> Mechanism:
    """Return the mechanism that `GRR_Client(value, k, epsilon)` is, exactly, but for its coin.

    Examples
    --------
    >>> float(from_multi_freq_ldpy(2, 0).row(0, 0)[0])
    0.5
    """
    power = math.exp(float(epsilon))
    return randomised_response(range(k), Fraction(power / (power + k - 1)))
