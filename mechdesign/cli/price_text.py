"""What the edges of a design cost, as text and as JSON."""

import math
from fractions import Fraction
from typing import Any

from rich.console import Console

from mechdesign.designer.edge_prices import SHARED_OTHERWISE, Price
from mechdesign.designer.result import Design
from mechdesign.exact.bounds import float_below
from mechdesign.exact.text import brief
from mechdesign.graph.document import plain
from mechdesign.show.terminal import table_of
from mechdesign.words import counted

DEAREST = 20
"""Edges that the table lists."""


def prices_in_json(result: Design) -> dict[str, Any]:
    """Return the price of each edge and, under `prices_asked`, of the epsilon and delta asked for; rounded down."""
    prices = result.prices()
    return {
        "prices": [
            {"edge": plain(price.edge), "epsilon": float_below(price.epsilon), "delta": float_below(price.delta)}
            for price in prices
        ],
        "prices_asked": {
            "epsilon": float_below(sum((price.asked_epsilon for price in prices), Fraction(0))),
            "delta": float_below(sum((price.asked_delta for price in prices), Fraction(0))),
        },
    }


def print_prices(out: Console, result: Design) -> None:
    """Print the dearest edges, and what all of them cost together."""
    prices = sorted(result.prices(), key=lambda price: -price.epsilon)
    total = sum((price.epsilon for price in prices), Fraction(0))
    out.print()
    if not any(price.epsilon or price.delta for price in prices):
        out.print("No edge costs anything: the optimum would not fall if one of them asked for less.")
        return
    spent = {key: sum((getattr(price, key) for price in prices), Fraction(0)) for key in ("delta", "asked_epsilon")}
    cells = [_cells(price, result, total, spent["delta"]) for price in prices[:DEAREST]]
    cells.append(["all edges", _rate(total, total), "", "", _rate(spent["delta"], spent["delta"])])
    rows = table_of("What each edge costs", ["edge", "by its epsilon", "share", "distance", "by its delta"], cells)
    rows.caption = f"how fast the {result.objective.words} falls as the edge's own epsilon, or its own delta, grows"
    rows.caption_justify = "left"
    out.print(rows)
    if others := prices[DEAREST:]:
        share = _share(sum((price.epsilon for price in others), Fraction(0)), total)
        out.print(f"The other {counted(len(others), 'edge')}: {share} of what all cost by their epsilons.")
    rate = _rate(spent["asked_epsilon"], total)
    if spent["asked_epsilon"] and result.scale_own:
        out.print(
            f"As the multiple asked for grows it falls by {rate} per unit: each edge counts its own epsilon times."
        )
    elif spent["asked_epsilon"]:
        edges = [attributes for _, _, attributes in result.graph.edges(data=True)]
        counts = "its distance times" if any("distance" in own for own in edges) else "once"
        counts += "; one with an epsilon of its own, not at all" if any("epsilon" in own for own in edges) else ""
        out.print(f"As the epsilon asked for grows it falls by {rate} per nat: each edge counts {counts}.")
    if len(prices) > 1:
        out.print(f"Edges {SHARED_OTHERWISE}")
    if result.delta == 0:
        out.print("From delta 0 on it falls by this much per delta at most.")


def _cells(price: Price, result: Design, total: Fraction, by_delta: Fraction) -> list[str]:
    own = result.graph.edges[price.edge]
    distance = "own epsilon" if "epsilon" in own else brief(own["distance"], 8, 4) if "distance" in own else "-"
    edge = " – ".join(map(str, price.edge))
    return [edge, _rate(price.epsilon, total), _share(price.epsilon, total), distance, _rate(price.delta, by_delta)]


def _rate(rate: Fraction, total: Fraction) -> str:
    """Return a rate to the place of the sixth digit of the total: what is below is solvers' noise."""
    places = 6 if not total else max(0, 6 - math.ceil(math.log10(total)))
    return f"{float(rate):.{places}f}"


def _share(part: Fraction, total: Fraction) -> str:
    return f"{float(part / total):.1%}" if total else "-"
