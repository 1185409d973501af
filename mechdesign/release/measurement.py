"""A mechanism as a measurement of OpenDP, with the epsilon that was certified. Needs OpenDP: the extra `opendp`."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from mechdesign.certifier.certify import certify
from mechdesign.errors import InputError
from mechdesign.exact.bounds import float_above
from mechdesign.exact.numbers import Number, parse_delta
from mechdesign.exact.text import format_number
from mechdesign.graph.labels import Label
from mechdesign.mechanism.from_matrix import mechanism_from_matrix
from mechdesign.mechanism.mechanism import Mechanism, check_mechanism
from mechdesign.packages import load
from mechdesign.release.bits import fresh_bits
from mechdesign.release.codebook import Codebook
from mechdesign.release.sampling import Sampler
from mechdesign.words import counted

NEEDS = "opendp>=0.16"


def opendp_measurement(mechanism: Mechanism, *, delta: Number = 0) -> Any:
    """Return a mechanism as OpenDP's user-defined measurement on single values, for its chains and compositions.

    Its input is one of the mechanism's categories, its input metric the discrete distance: any two values are
    neighbours, as in local differential privacy. Its privacy map is the least epsilon at which all pairs of values
    hold at this delta, certified in exact arithmetic and rounded up. The output measure is the max divergence, or with
    a delta > 0 the approximate one.

    OpenDP asks for its features "contrib" and "honest-but-curious" to be enabled: it cannot prove what it did not make.

    Parameters
    ----------
    mechanism
        all of whose profiles have the same table: OpenDP's metrics are about values, not about who has them.
    delta
        in [0, 1).

    Raises
    ------
    InputError
        if profiles have tables of their own, or no finite epsilon holds at this delta.
    MissingPackageError
        if OpenDP is not installed.

    Examples
    --------
    >>> import opendp.prelude as dp                                             # doctest: +SKIP
    >>> dp.enable_features("contrib", "honest-but-curious")                     # doctest: +SKIP
    >>> opendp_measurement(k_ary(["a", "b", "c"], epsilon=1)).map(d_in=1)       # doctest: +SKIP
    1.0
    """
    check_mechanism(mechanism)
    if not mechanism.one_matrix:
        k = counted(len(mechanism.profiles), "profile")
        raise InputError(
            f"expected one table for all profiles, found one for each of {k}; see design(..., shared=True)"
        )
    allowed = parse_delta(delta)
    epsilon = _certified(mechanism, allowed)
    dp = load("opendp.prelude", needs=NEEDS)
    known = set(mechanism.categories)
    approximate = allowed > 0
    loss, none = ((epsilon, float_above(allowed)), (0.0, 0.0)) if approximate else (epsilon, 0.0)
    return dp.m.make_user_measurement(
        dp.user_domain(f"mechdesign's {counted(len(known), 'category')}", lambda value: value in known),
        dp.discrete_distance(),
        output_measure=dp.approximate(dp.max_divergence()) if approximate else dp.max_divergence(),
        function=_drawing(mechanism),
        privacy_map=lambda distance: loss if distance else none,
    )


def _certified(mechanism: Mechanism, delta: Fraction) -> float:
    """Return the least epsilon for every pair of values, rounded up."""
    rows: Any = [mechanism.row(mechanism.profiles[0], value) for value in mechanism.categories]
    values = mechanism_from_matrix(rows, inputs=mechanism.categories, outputs=mechanism.outputs)
    epsilon = certify(values, delta=delta, all_pairs=True).epsilon[1]
    if epsilon == math.inf:
        raise InputError(f"no finite epsilon holds for every pair of values at delta {format_number(delta)}")
    return epsilon


def _drawing(mechanism: Mechanism) -> Callable[[Any], Label]:
    """Return what draws one output for one value, with bits of its own."""
    book, sampler, rows = Codebook(mechanism.categories, "categories"), Sampler(mechanism.rows), mechanism.index[0]

    def drawn(value: Any) -> Label:
        x = book.code(value)
        if x < 0:
            raise InputError(f"unknown value: expected one of the {counted(len(book.names), 'category')}")
        return mechanism.outputs[int(sampler.draw(np.array([rows[x]]), fresh_bits())[0])]

    return drawn
