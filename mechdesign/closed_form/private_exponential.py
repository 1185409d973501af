"""The exponential mechanism on a profile graph: its utility scaled as far as the edges allow, exactly."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact
from mechdesign.closed_form.exponential import exponential_mechanism, exponential_weight
from mechdesign.errors import InputError
from mechdesign.exact.exponentials import LARGEST_ABOVE
from mechdesign.exact.numbers import Epsilon, Number, over_common, parse_epsilon, parse_number
from mechdesign.exact.text import shown, shown_epsilon
from mechdesign.graph.checks import checked
from mechdesign.graph.distribution import support
from mechdesign.graph.labels import Label
from mechdesign.graph.uncertainty import is_robust
from mechdesign.mechanism.mechanism import Mechanism, check_outputs
from mechdesign.privacy.requirement import requirements
from mechdesign.size import check_size

MOST_ENTRIES = 1_000_000
"""A table of these takes a quarter of a minute to become exact."""

BITS = 80
"""Significant bits of each weight, where no edge uses up less than one of epsilon; otherwise more."""

MARGIN = Fraction(1, 2**56)
"""By this much, relatively, the scale is less than edges allow. Four weights rounded to `BITS` take less than that."""


def private_exponential(
    graph: nx.Graph,
    utility: npt.ArrayLike | Callable[[Any, Any], Number],
    *,
    epsilon: Number,
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
        the profiles; if they are not single values, every value of one neighbours every value of the other.
    utility
        a d x m table, one row for each category, one column for each output; or a function u(x, y) of their labels.
    epsilon
        what is asked, in nats; an edge's own epsilon and distance count.
    outputs
        default: the categories, or 0..m-1 for a table that is not square.

    Raises
    ------
    InputError
        if the table does not fit, holds what is no number, or no edge limits the scale.

    References
    ----------
    [HLM] Holohan, Leith and Mason, arXiv:1505.07254: Definition 3, (7), and the discussion of Theorem 4: if the
    normalising constant is the same for all databases, the factor two of McSherry and Talwar is not needed. That
    max - min does for any utility is from Dong, Durfee and Rogers, arXiv:1909.13830.

    Examples
    --------
    >>> from mechdesign.graph.values import counting_graph
    >>> mechanism = private_exponential(counting_graph(2), lambda x, y: -abs(x - y), epsilon=1)
    >>> [round(float(p), 4) for p in mechanism.row(0, 0)], mechanism.notes["scale"][:6]
    ([0.5065, 0.3072, 0.1863], '0.4999')
    """
    graph, nats = checked(graph), parse_epsilon(epsilon)
    categories = graph.graph["categories"]
    if callable(utility):
        labels = tuple(categories if outputs is None else outputs)
        check_size(len(categories) * len(labels), MOST_ENTRIES, "the mechanism would have {} entries", REMEDY)
        table, unit = _integers([[utility(x, y) for y in labels] for x in categories], len(categories))
    else:
        table, unit = _integers(utility, len(categories))
        square = table.shape[1] == len(categories)
        usual = tuple(categories) if square else tuple(range(table.shape[1]))
        labels = usual if outputs is None else tuple(outputs)
    check_outputs(labels)
    if len(labels) != table.shape[1]:
        raise InputError(f"outputs: expected {table.shape[1]}, one for each column, found {len(labels)}")
    scale, least = _scale(graph, _sensitivities(table), unit, nats)
    spread = scale * Fraction(int(-table.min()), unit)
    if spread > LARGEST_ABOVE:
        raise InputError(f"utility: scaled it spans {shown(spread)}, expected at most {LARGEST_ABOVE}")
    bits = BITS + max(0, least.denominator.bit_length() - least.numerator.bit_length() + 1)
    weights = {u: exponential_weight(scale * Fraction(u, unit), bits=bits) for u in set(table.ravel().tolist())}
    d, m = table.shape
    found = exponential_mechanism(range(d), range(m), lambda x, y: weights[table[x, y]])
    notes = {"method": "exponential", "epsilon": shown_epsilon(nats), "scale": str(float(scale))}
    return Mechanism(graph, labels, found.weights, np.broadcast_to(np.arange(d), (len(graph), d)), notes)


REMEDY = "merge categories, or give fewer outputs"


def _integers(table: Any, d: int) -> tuple[Exact, int]:
    """Return utilities as integers over a common denominator, with 0 for the best output of each row."""
    rows = np.asarray(table, dtype=object)
    if rows.ndim != 2 or len(rows) != d or rows.shape[1] == 0:
        expected = f"a table of {d} rows, one for each category, and at least one column"
        raise InputError(f"utility: expected {expected}, found shape {rows.shape}")
    check_size(rows.size, MOST_ENTRIES, "the mechanism would have {} entries", REMEDY)
    numbers: list[Fraction] = []
    faults = []
    for (x, y), value in np.ndenumerate(rows):
        try:
            numbers.append(parse_number(value))
        except InputError as error:
            faults.append(f"utility, row {x}, column {y}: {error.faults[0]}")
    if faults:
        raise InputError(faults)
    integers, unit = over_common(numbers, "the utilities")
    result = np.array(integers, dtype=object).reshape(rows.shape)
    return result - result.max(axis=1, keepdims=True), unit


def _sensitivities(table: Exact) -> Exact:
    """Return what each two rows' utilities differ by, d x d, in the sense that limits the scale."""
    low = int(table.min())
    small = table.astype(np.int64) if low > -(2**61) else table
    alike = (
        len({tuple(sorted(row)) for row in small.tolist()}) == 1
    )  # so the constants are the same, whatever the scale
    result = np.zeros((len(table), len(table)), dtype=object)
    for x, row in enumerate(small):
        differences = row - small
        high, deep = differences.max(axis=1), -differences.min(axis=1)
        result[x] = np.maximum(high, deep) if alike else high + deep
    return result


def _scale(graph: nx.Graph, sensitivities: Exact, unit: int, epsilon: Epsilon) -> tuple[Fraction, Fraction]:
    """Return the largest scale that every edge allows, less a margin; and the least epsilon that it uses up on an edge.

    Raises
    ------
    InputError
        if none limits it.
    """
    everything = list(range(len(sensitivities)))
    uncertain = is_robust(graph)
    possible = [
        everything if uncertain else [x for x, _ in support(attributes["distribution"])]
        for attributes in graph.nodes.values()
    ]
    farthest = [sensitivities[values].max(axis=0) for values in possible]
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
    exact = min(allowed * unit / need for need, allowed in needs.items())
    scale = exact * (1 - MARGIN)
    return scale, scale * Fraction(min(needs), unit)
