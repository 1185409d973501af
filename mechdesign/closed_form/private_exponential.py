"""The exponential mechanism on a profile graph: its utility scaled as far as the edges allow, exactly."""

import math
import os
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact
from mechdesign.closed_form.exponential import exponential_mechanism, exponential_weight
from mechdesign.errors import InputError
from mechdesign.exact.exponentials import LARGEST_ABOVE
from mechdesign.exact.faults import Faults
from mechdesign.exact.flags import with_flags
from mechdesign.exact.numbers import Epsilon, Number, over_common, parse_delta, parse_entry, parse_epsilon
from mechdesign.exact.text import format_number, short, shown, shown_epsilon
from mechdesign.graph.distribution import support
from mechdesign.graph.graph_file import as_graph
from mechdesign.graph.labels import Label, check_in_order
from mechdesign.graph.uncertainty import is_robust
from mechdesign.mechanism.mechanism import Mechanism, check_outputs
from mechdesign.privacy.gaps import unmet
from mechdesign.privacy.requirement import Requirement, requirements
from mechdesign.size import check_size

MOST_ENTRIES = 250_000
"""A table of 160,000 takes three quarters of a minute to become a mechanism, file and losses included."""

LARGEST_SMALL = 2**61
"""Differences of differences of integers up to this fit into 64 bits."""


def check_entries(count: int) -> None:
    """Raise an InputError, before the time is gone, if a mechanism would have more entries than `MOST_ENTRIES`."""
    remedy = "merge categories, or give fewer outputs"
    check_size(count, MOST_ENTRIES, "the mechanism would have {} entries", remedy)


def integer_utilities(table: npt.ArrayLike, d: int) -> tuple[Exact, int]:
    """Return utilities as integers over a common denominator, with 0 for the best output of each row.

    Raises
    ------
    InputError
        if the table has not d rows, or holds what is no number.

    Examples
    --------
    >>> utilities, unit = integer_utilities([["0.5", 0], [1, 2]], 2)
    >>> utilities.tolist(), unit
    ([[0, -1], [-2, 0]], 2)
    """
    rows = np.asarray(table, dtype=object)
    if rows.ndim != 2 or len(rows) != d or rows.shape[1] == 0:
        expected = f"a table of {d} rows, one for each category, and at least one column"
        raise InputError(f"utility: expected {expected}, found shape {rows.shape}")
    check_entries(rows.size)
    faults = Faults()
    places = ((f"utility, row {x}, column {y}", value) for (x, y), value in np.ndenumerate(rows))
    numbers = [faults.number(place, value, parse=parse_entry) for place, value in places]
    faults.check()
    integers, unit = over_common(numbers, "the utilities")
    result = np.array(integers, dtype=object).reshape(rows.shape)
    return result - result.max(axis=1, keepdims=True), unit


def sensitivities(table: Exact) -> Exact:
    """Return what each two rows of integer utilities differ by, d x d, in the sense that limits their scale.

    It is the maximum less the minimum of their difference; where all rows have the same utilities in some order, so
    that their exponentials have one sum whatever the scale, the largest absolute value of their difference.

    Examples
    --------
    >>> import numpy as np
    >>> sensitivities(np.array([[0, -1, -2], [-1, 0, -1]], dtype=object)).tolist()
    [[0, 2], [2, 0]]
    >>> sensitivities(np.array([[0, -1], [-1, 0]], dtype=object)).tolist()
    [[0, 1], [1, 0]]
    """
    small = table.astype(np.int64) if int(table.min()) > -LARGEST_SMALL else table
    one_sum = len({tuple(sorted(row)) for row in small.tolist()}) == 1
    result = np.zeros((len(table), len(table)), dtype=object)
    for x, row in enumerate(small):
        differences = row - small
        high, low = differences.max(axis=1), differences.min(axis=1)
        result[x] = np.maximum(high, -low) if one_sum else high - low
    return result


BITS = 80
"""Significant bits of each weight, where scaled utilities are multiples of one; otherwise more."""

HIGHEST_POWER = 16
"""Up to this power weights are powers of one number: they tie as utilities do, but have this many times the bits."""

DOUBLINGS = 8
"""How far a scale may be raised: 256-fold. Where more would be private, hardly anything is left to gain."""

HALVINGS = 20
"""Steps by which the largest private scale is found, to a millionth of the last doubling."""

MARGIN = Fraction(1, 2**56)
"""By this much, relatively, the scale is less than edges allow. Four weights rounded to `BITS` take less than that."""


@with_flags
def private_exponential(
    graph: nx.Graph | str | os.PathLike[str],
    utility: npt.ArrayLike | Callable[[Any, Any], Number],
    *,
    epsilon: Number,
    delta: Number = 0,
    tight: bool = False,
    outputs: Sequence[Label] | None = None,
) -> Mechanism:
    """Return the exponential mechanism of a utility, private on a graph's edges: P(y | x) is as e^(s u(x, y)).

    The scale s is the largest for which this follows from how much utilities differ: for neighbouring values x and x',
    s (max - min over y of u(x, y) - u(x', y)) <= epsilon of their edge. Where the sums over y of e^(s u(x, y)) are the
    same for all x, the maximum of the absolute value takes the place of max - min: half as much for symmetric
    utilities. Rounding e^(s u) is allowed for: the mechanism is exactly private, and its notes say what the scale is.

    Parameters
    ----------
    graph
        the profiles; if they are not single values, every value of one neighbours every value of the other. The graph,
        its name or the path of its file.
    utility
        a d x m table, one row for each category, one column for each output; or a function u(x, y) of their labels.
    epsilon
        what is asked, in nats; an edge's own epsilon and distance count.
    delta
        in [0, 1), with `tight`.
    tight
        whether to raise the scale further, as far as the mechanism is private by exact computation, to six digits: what
        follows from the differences alone is often far from it.
    outputs
        default: the categories, or 0..m-1 for a table that is not square.

    Raises
    ------
    InputError
        if the table does not fit, holds what is no number, or no edge limits the scale; for a delta without `tight`, or
        `tight` with profiles that are known only within bounds.

    References
    ----------
    [HLM] Holohan, Leith and Mason, arXiv:1505.07254: Definition 3, (7), and the discussion of Theorem 4: if the
    normalising constant is the same for all databases, the factor two of McSherry and Talwar is not needed. That
    max - min does for any utility is from Dong, Durfee and Rogers, arXiv:1909.13830.

    Examples
    --------
    >>> from mechdesign.graph.values import counting_graph
    >>> mechanism = private_exponential(counting_graph(2), lambda x, y: -abs(x - y), epsilon=1)
    >>> [round(float(p), 4) for p in mechanism.row(0, 0)], mechanism.notes["scale"]
    ([0.5065, 0.3072, 0.1863], '0.5')
    """
    graph, nats, allowed = as_graph(graph), parse_epsilon(epsilon), parse_delta(delta)
    if tight and is_robust(graph):
        raise InputError("tight: goes with profiles that are known exactly, not within bounds")
    if allowed and not tight:
        raise InputError(f"delta: expected 0 without tight, found {shown(allowed)}; only then is use made of it")
    categories = graph.graph["categories"]
    check_in_order(outputs, "outputs")
    labels = None if outputs is None else tuple(outputs)
    if callable(utility):
        labels = tuple(categories) if labels is None else labels
        check_entries(len(categories) * len(labels))
        utility = np.array([[utility(x, y) for y in labels] for x in categories], dtype=object)
    table, unit = integer_utilities(utility, len(categories))
    if labels is None:
        labels = tuple(categories) if table.shape[1] == len(categories) else tuple(range(table.shape[1]))
    check_outputs(labels)
    if len(labels) != table.shape[1]:
        raise InputError(f"outputs: expected {table.shape[1]}, one for each column, found {len(labels)}")
    scale = _scale(graph, sensitivities(table), unit, nats)
    made = partial(_mechanism, graph, labels, table, unit)
    mechanism = made(scale)
    if tight:
        most = LARGEST_ABOVE * unit / -int(table.min())  # two rows differ, so not all entries are 0
        scale, mechanism = _raised(made, requirements(graph, nats, allowed), (scale, most), mechanism)
    mechanism.notes.update(epsilon=shown_epsilon(nats), delta=format_number(allowed), method="exponential")
    mechanism.notes["scale"] = str(float(scale))
    return mechanism


def _mechanism(graph: nx.Graph, outputs: tuple[Label, ...], table: Exact, unit: int, scale: Fraction) -> Mechanism:
    """Return the exponential mechanism of integer utilities over `unit`, multiplied by a scale."""
    spread = scale * Fraction(int(-table.min()), unit)
    if spread > LARGEST_ABOVE:
        raise InputError(f"utility: scaled it spans {short(spread)}, expected at most {LARGEST_ABOVE}")
    weights = _weights(set(table.ravel().tolist()), scale / unit)
    d, m = table.shape
    found = exponential_mechanism(range(d), range(m), lambda x, y: weights[table[x, y]])
    return Mechanism(graph, outputs, found.weights, np.broadcast_to(np.arange(d), (len(graph), d)))


def _weights(utilities: set[int], scale: Fraction) -> dict[int, Fraction]:
    """Return a rational for e^(scale u) of each utility u <= 0: powers of one where they are low, so that ratios tie.

    The logarithm of what two differ by is then wrong by less than `MARGIN` of it.
    """
    step = math.gcd(*utilities)
    least = scale * step
    bits = BITS + max(0, least.denominator.bit_length() - least.numerator.bit_length() + 1)
    if -min(utilities) <= HIGHEST_POWER * step:
        base = exponential_weight(-least, bits=bits)
        return {u: base ** (-u // step) if u else Fraction(1) for u in utilities}
    return {u: exponential_weight(scale * u, bits=bits) for u in utilities}


def _raised(
    made: Callable[[Fraction], Mechanism],
    required: Sequence[Requirement],
    scales: tuple[Fraction, Fraction],
    mechanism: Mechanism,
) -> tuple[Fraction, Mechanism]:
    """Return a scale that is nearly the largest for which the mechanism is private, and that mechanism, exactly judged.

    Given are one for which it is, and one above which none is tried. By doubling and halving; what is returned has been
    found private, whether or not all smaller scales are.
    """
    low, most = scales
    high = min(2 * low, most)
    if low == high:
        return low, mechanism
    for _ in range(DOUBLINGS):
        other = made(high)
        if unmet(other.all_released(), required) is not None:
            break
        low, mechanism, high = high, other, min(2 * high, most)
    for _ in range(HALVINGS if low < high else 0):
        middle = (low + high) / 2
        other = made(middle)
        if unmet(other.all_released(), required) is None:
            low, mechanism = middle, other
        else:
            high = middle
    return low, mechanism


def _scale(graph: nx.Graph, differing: Exact, unit: int, epsilon: Epsilon) -> Fraction:
    """Return the largest scale that every edge allows, less a margin.

    Raises
    ------
    InputError
        if none limits it.
    """
    everything = list(range(len(differing)))
    uncertain = is_robust(graph)
    possible = [
        everything if uncertain else [x for x, _ in support(attributes["distribution"])]
        for attributes in graph.nodes.values()
    ]
    farthest = [differing[values].max(axis=0) for values in possible]
    needs: dict[int, Fraction] = {}
    for required in requirements(graph, epsilon, Fraction(0)):
        need = int(farthest[required.first][possible[required.second]].max())
        if need:
            needs[need] = min(required.epsilon, needs.get(need, required.epsilon))
    if not needs:
        raise InputError(
            "utility: no edge of a finite epsilon joins values whose utilities differ, so nothing limits how far they "
            "are scaled"
        )
    return min(allowed * unit / need for need, allowed in needs.items()) * (1 - MARGIN)
