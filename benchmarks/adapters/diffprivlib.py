"""diffprivlib's finite mechanisms: Binary, ExponentialCategorical, ExponentialHierarchical and GeometricTruncated.

Each of their samplers draws one uniform double u and compares it, scaled in doubles, with sums or logarithms in
doubles. No formula says what those roundings amount to, so the sampler itself is asked: it is run on chosen u in place
of its random source, and the u that give each output are counted (`adapters.draws`).
"""

import copy
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from adapters.draws import NUMBERS, counted
from mechdesign.errors import InputError
from mechdesign.exact.text import shown
from mechdesign.graph.labels import Label
from mechdesign.mechanism.from_matrix import mechanism_from_matrix
from mechdesign.mechanism.mechanism import Mechanism

LARGEST = 1000
"""Inputs of a truncated geometric mechanism that are still counted."""

ERROR = "error"
"""The output of a draw that ends in an exception: the geometric sampler takes the logarithm of 0 at u = 1/2."""


def from_diffprivlib(mechanism: Any) -> Mechanism:
    """Return the mechanism that a diffprivlib mechanism's sampler is, exactly.

    Its inputs are the labels or integers it takes; its outputs are the same, and "error" where a draw can fail.

    Raises
    ------
    InputError
        if it is none of the mechanisms above, or does not draw exactly one number from its random source.

    Examples
    --------
    >>> from diffprivlib.mechanisms import Binary                                       # doctest: +SKIP
    >>> from_diffprivlib(Binary(epsilon=1, value0="no", value1="yes")).row("no", "no")  # doctest: +SKIP
    (Fraction(205774696519006, 281474976710656), Fraction(75700280191650, 281474976710656))
    """
    inputs = _inputs(mechanism)
    source = _Source()
    sampler = copy.copy(mechanism)
    sampler._rng = source

    def draw(value: Label, u: float) -> Label:
        source.number, source.asked = u, 0
        try:
            output: Label = sampler.randomise(value)
        except OverflowError:
            output = ERROR
        if source.asked != 1:
            raise InputError(f"expected a sampler that draws one number, found one that draws {source.asked}")
        return output

    with np.errstate(divide="ignore"):  # the logarithm of 0 that ends in "error"
        rows = [counted(partial(draw, value)) for value in inputs]
    outputs = [*inputs, ERROR] if any(ERROR in row for row in rows) else inputs
    shares = [[Fraction(row[y], NUMBERS) for y in outputs] for row in rows]
    return mechanism_from_matrix(shares, inputs=inputs, outputs=outputs)  # type: ignore[arg-type]


class _Source:
    """A random source that returns the number it was told to, and counts how often it was asked."""

    number = 0.0
    asked = 0

    def random(self) -> float:
        self.asked += 1
        return self.number


def _inputs(mechanism: Any) -> list[Label]:
    kinds = {kind.__name__ for kind in type(mechanism).__mro__}
    if "Binary" in kinds:
        return [mechanism.value0, mechanism.value1]
    if "ExponentialCategorical" in kinds:
        return list(dict.fromkeys(value for pair in mechanism.utility_list for value in pair[:2]))
    if "GeometricTruncated" in kinds:
        if not 0 < mechanism.upper - mechanism.lower < LARGEST:
            raise InputError(f"expected bounds with at most {LARGEST} integers between, and at least two")
        return list(range(mechanism.lower, mechanism.upper + 1))
    known = "Binary, ExponentialCategorical, ExponentialHierarchical or GeometricTruncated"
    raise InputError(f"expected diffprivlib's {known}, found {shown(mechanism)}")
