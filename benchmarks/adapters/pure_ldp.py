"""pure-ldp's clients for direct and unary encoding (k-ary randomised response; RAPPOR's bits).

Direct encoding tells the truth when `random.random() < p`, else one of the other values, all alike; its `q` is used by
the server only. Unary encoding sends d bits: `numpy.random.choice` sets each with q, then the bit of the value is set
anew when `random.random() < p`. So p and q are the doubles that decide, each counted over the 2^53 numbers u.
"""

import copy
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import numpy as np

from adapters.draws import heads, randomised_response
from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.mechanism.from_matrix import mechanism_from_matrix
from mechdesign.mechanism.mechanism import Mechanism

LARGEST = 12
"""Bits of a unary encoding whose 2^d outputs are still listed."""


def from_pure_ldp(client: Any) -> Mechanism:
    """Return the mechanism that a `DEClient` or `UEClient` is, exactly.

    Its inputs are 0..d-1, after the client's index mapper; the outputs of unary encoding are texts of d bits.

    Raises
    ------
    InputError
        if it is another client, or one of more than 12 bits.

    Examples
    --------
    >>> from pure_ldp.frequency_oracles.direct_encoding import DEClient     # doctest: +SKIP
    >>> from_pure_ldp(DEClient(epsilon=1, d=2)).outputs                     # doctest: +SKIP
    (0, 1)
    """
    kind = type(client).__name__
    if kind == "DEClient":
        return randomised_response(range(client.d), heads(client.p))
    if kind == "UEClient":
        return unary_encoding(client.d, client.p, client.q, clears=_clears(client))
    raise InputError(f"expected pure-ldp's DEClient or UEClient, found {shown(client)}")


def unary_encoding(d: int, p: float, q: float, *, clears: bool) -> Mechanism:
    """Return unary encoding of d values on 2^d outputs, as the client with these p and q draws it.

    Parameters
    ----------
    clears
        whether the value's bit is cleared before it is set with p, as it is since version 1.2.0; before, it was 1 with
        p + q - pq, which is more than the claimed epsilon allows (pure-LDP's issue 11).

    Raises
    ------
    InputError
        if there are more than 12 bits.
    """
    if d > LARGEST:
        raise InputError(f"d: at most {LARGEST} bits are listed one by one, found {d}")
    cumulative = np.cumsum([q, 1 - q])  # as numpy.random.choice compares u with them
    other, own = heads(float(cumulative[0] / cumulative[-1])), heads(p)
    if not clears:
        own = 1 - (1 - own) * (1 - other)
    outputs = list(product((0, 1), repeat=d))
    rows = [[_bits(bits, [own if bit == x else other for bit in range(d)]) for bits in outputs] for x in range(d)]
    names = ["".join(map(str, bits)) for bits in outputs]
    return mechanism_from_matrix(rows, inputs=range(d), outputs=names)  # type: ignore[arg-type]


def _bits(bits: Sequence[int], ones: Sequence[Fraction]) -> Fraction:
    """Return the probability of independent bits, each 1 with its own probability."""
    return prod((one if bit else 1 - one for bit, one in zip(bits, ones, strict=True)), start=Fraction(1))


def _clears(client: Any) -> bool:
    """Return whether the client clears the value's bit: with q = 1 and p = 0 nothing else can."""
    probe = copy.copy(client)
    probe.p, probe.q = 0.0, 1.0
    return bool(probe._perturb(0)[0] == 0)
