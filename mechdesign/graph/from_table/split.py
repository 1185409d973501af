"""`graphs_from_table`: a graph for each of several columns, each with its share of one epsilon."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

import networkx as nx

from mechdesign.errors import InputError
from mechdesign.exact.faults import Faults
from mechdesign.exact.numbers import Number, number, parse_number
from mechdesign.exact.text import format_number, shown
from mechdesign.files.tables import parts_of
from mechdesign.graph.cell_labels import Reading
from mechdesign.graph.from_table.alphabet import Alphabet
from mechdesign.graph.from_table.columns import Table, read_records, sorted_labels
from mechdesign.graph.from_table.distinct import Distinct, distinct_rows
from mechdesign.graph.from_table.making import graph_from_table
from mechdesign.graph.from_table.row_weights import weight_column


def graphs_from_table(frame: Any, *, value: str, split: Sequence[Number], **options: Any) -> list[nx.Graph]:
    """Return a profile graph for each of several columns; what is designed with each gets its share of an epsilon.

    The share is the edges' `distance`, by which the epsilon that is asked for is multiplied; an edge's own epsilon or
    delta is multiplied by it too. So is `noise`, and the probability that bounds miss (`confidence`). Designed for one
    epsilon, of which of two neighbours a person is the releases of all columns tell this epsilon together, if within a
    profile the columns are independent. If they are not, they may tell everything; the graph of exact counts says in
    `made` how far from it they are: `dependence`, the largest total variation t of a profile from independent columns.
    With it the guarantee of all holds at a delta that is larger by t (1 + e^epsilon).

    Parameters
    ----------
    frame
        as in `graph_from_table`.
    value
        the columns, between commas.
    split
        the share of each, in proportion: (2, 1) gives the first two thirds.
    options
        all else, as in `graph_from_table`; `categories` is a list for each column.

    Raises
    ------
    InputError
        as `graph_from_table` does; or if there is not a positive share for each column.

    Examples
    --------
    >>> records = {"job": ["clerk", "clerk", "cook"], "usage": ["low", "high", "low"], "shift": ["day", "day", "night"]}
    >>> graphs = graphs_from_table(records, profile="job", value="usage,shift", split=[2, 1])
    >>> [graph.edges["clerk", "cook"]["distance"] for graph in graphs]
    [Fraction(2, 3), Fraction(1, 3)]
    """
    named = [options.get(key) for key in ("profile", "count")]
    edges = options.get("edges")
    named.append(edges if isinstance(edges, str) and edges != "all" else None)
    weight = weight_column(options.get("weight"), options.get("weight_limit"))
    rows = distinct_rows(frame, [value, *(name for name in named if name is not None)], weight)
    columns = parts_of(value, rows.columns)
    shares = _shares(columns, split)
    own = options.pop("categories", None)
    Faults(Alphabet(columns).faults(Reading(), None, own)).check()
    lists = [None] * len(columns) if own is None else own
    graphs = []
    for name, categories, share in zip(columns, lists, shares, strict=True):
        its = {key: _part(key, given, share) for key, given in options.items()}
        graph = graph_from_table(rows, value=name, categories=categories, **its)
        for _, _, limits in graph.edges(data=True):
            _weaken(limits, share)
        graph.graph["made"]["split"] = {"columns": list(columns), "share": format_number(share)}
        graphs.append(graph)
    is_exact = all(options.get(key) is None for key in ("noise", "round_to"))
    is_exact = is_exact and parse_number(options.get("smoothing", 0)) == 0
    far = _dependence(rows, columns, options) if is_exact else None
    if far is not None:
        for graph in graphs:
            graph.graph["made"]["split"]["dependence"] = format_number(far)
    return graphs


def _shares(columns: Sequence[str], split: Sequence[Number]) -> list[Fraction]:
    """Return the shares, of total 1."""
    if len(columns) == 1:
        raise InputError(f"split: the value is one column, {shown(columns[0])}; name several: --value A,B")
    expected = f"{len(columns)} numbers > 0, one for each column"
    if isinstance(split, str) or len(split) != len(columns):
        raise InputError(f"split: expected {expected}, found {shown(','.join(map(str, split)))}")
    parts = [number("split", one, expected, above=0) for one in split]
    return [part / sum(parts) for part in parts]


def _part(key: str, given: Any, share: Fraction) -> Any:
    """Return what one column gets of an option: its share of the noise, and of how often bounds may miss.

    What is none of these is returned as it is: `graph_from_table` says so.
    """
    if given is None or key not in ("noise", "confidence"):
        return given
    whole = number(key, given)
    if key == "noise":
        return whole * share if whole > 0 else whole
    return 1 - (1 - whole) * share if 0 < whole < 1 else whole


def _weaken(limits: dict[str, Any], share: Fraction) -> None:
    """Multiply what an edge asks by a share."""
    if "epsilon" in limits:
        limits["epsilon"] = limits["epsilon"] * share
    else:
        limits["distance"] = limits.get("distance", Fraction(1)) * share
    if "delta" in limits:
        limits["delta"] = limits["delta"] * share


def _dependence(rows: Distinct, columns: Sequence[str], options: Mapping[str, Any]) -> Fraction | None:
    """Return the largest total variation of a profile's values from independent columns; None if values are missing."""
    rule = {key: options.get(key) for key in ("missing", "missing_profile", "missing_words")}
    table = Table(rows, Reading().changed(**rule))
    records = read_records(table, options["profile"], columns, options.get("count"), None)
    if any(table.missing[name] for name in columns):
        return None
    tally = records.tally(options.get("profiles") or sorted_labels(records.who))
    return max((_far(counter) for counter in tally.values()), default=Fraction(0))


def _far(counter: Counter[Any]) -> Fraction:
    """Return the total variation between a profile's values and the product of their marginals."""
    number, marginals = counter.total(), defaultdict[Any, int](int)
    for values, times in counter.items():
        for column, label in enumerate(values):
            marginals[column, label] += times
    far = Fraction(0)
    for values, times in counter.items():
        apart = prod(Fraction(marginals[column, label], number) for column, label in enumerate(values))
        far += max(Fraction(0), Fraction(times, number) - apart)
    return far
