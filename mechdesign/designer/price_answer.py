"""What is told of what the edges of a design cost."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from mechdesign.designer.designed import Designed
from mechdesign.designer.edge_prices import SHARED_OTHERWISE, Price
from mechdesign.exact.text import brief
from mechdesign.graph.document import plain
from mechdesign.show.answer import Answer, Column, Fact, Table, sentences
from mechdesign.show.fact_numbers import Down, Exact, Near


def price_answer(design: Designed) -> Answer:
    """Return the price of each edge, the dearest first, and of the epsilon and delta asked for."""
    prices = design.prices()
    total, by_delta, asked, asked_delta = (
        sum((getattr(price, key) for price in prices), Fraction(0))
        for key in ("epsilon", "delta", "asked_epsilon", "asked_delta")
    )
    columns = [Column("edge"), Column("epsilon"), Column("delta")]
    listed = [[Exact(plain(price.edge)), Down(price.epsilon), Down(price.delta)] for price in prices]
    facts = [Fact("prices_asked.epsilon", number=Down(asked)), Fact("prices_asked.delta", number=Down(asked_delta))]
    found = Answer(facts=facts, tables=[Table("prices", "", columns, listed)])
    if not (total or by_delta):
        nothing = "No edge costs anything: the optimum would not fall if one of them asked for less."
        return found.then(Answer(facts=sentences(nothing)))
    return found.then(Answer(tables=[_dearest(design, prices, total, by_delta, asked)]))


def _dearest(design: Designed, prices: Sequence[Price], total: Fraction, by_delta: Fraction, asked: Fraction) -> Table:
    headings = ["edge", "by its epsilon", "share", "distance", "by its delta"]
    rows: list[list[Any]] = [["all edges", _rate(total, total), "", "", _rate(by_delta, by_delta)]]
    for price in sorted(prices, key=lambda price: -price.epsilon):
        share = f"{float(price.epsilon / total):.1%}" if total else "-"
        rates = _rate(price.epsilon, total), _rate(price.delta, by_delta)
        rows.append([" – ".join(map(str, price.edge)), rates[0], share, _distance(design, price), rates[1]])
    note = f"how fast the {design.objective.words} falls as the edge's own epsilon, or its own delta, grows."
    if asked:
        what = "multiple" if design.scale_own else "epsilon"
        note += f" As the {what} asked for grows it falls by {_rate(asked, total).words()} {_per(design)}."
    note += f" Edges {SHARED_OTHERWISE}" if len(prices) > 1 else ""
    note += " From delta 0 on it falls by this much per delta at most." if design.delta == 0 else ""
    return Table("", "What each edge costs", [Column(words=one) for one in headings], rows, note=note, totals=1)


def _distance(design: Designed, price: Price) -> str:
    own = design.graph.edges[price.edge]
    return "own epsilon" if "epsilon" in own else brief(own["distance"], 8, 4) if "distance" in own else "-"


def _per(design: Designed) -> str:
    """Return per unit of what, and how often each edge counts."""
    if design.scale_own:
        return "per unit: each edge counts its own epsilon times"
    edges = [attributes for _, _, attributes in design.graph.edges(data=True)]
    counts = "its distance times" if any("distance" in own for own in edges) else "once"
    counts += "; one with an epsilon of its own, not at all" if any("epsilon" in own for own in edges) else ""
    return f"per nat: each edge counts {counts}"


def _rate(rate: Fraction, total: Fraction) -> Near:
    """Return a rate to the place of the sixth digit of the total: what is below is solvers' noise."""
    return Near(rate, 6 if not total else max(0, 6 - math.ceil(math.log10(total))))
