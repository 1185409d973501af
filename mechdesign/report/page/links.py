"""The profile graph: drawn, and as a table of links with what each allows, needs and costs."""

from fractions import Fraction
from functools import partial

import networkx as nx

from mechdesign.designer.edge_prices import SHARED_OTHERWISE
from mechdesign.exact.bounds import at_most_kept, decimal_above, double_above
from mechdesign.exact.numbers import parse_number
from mechdesign.graph.labels import Label
from mechdesign.report.drawable import MOST_PROFILES
from mechdesign.report.graph_plot import plot_graph
from mechdesign.report.page.budget import pairs_fitting
from mechdesign.report.page.numbers import allowed, at_least, ratio
from mechdesign.report.page.subject import Subject
from mechdesign.show.blocks import Block, Picture, Section, Table, Text
from mechdesign.words import counted, first_of

MOST_LISTED = 400
MOST_DRAWN = 3_000
"""Links up to which each is listed, and is drawn."""
PRICE = "what it costs: how fast the optimum falls as the link's own epsilon grows (rounded down)"


def links(subject: Subject) -> Section:
    """Return who is protected from being told from whom."""
    graph = subject.graph
    assert graph is not None
    title = "Who is protected from whom"
    if not graph.number_of_edges():
        return Section(title, [Text("Nobody: there are no links.", "bad")])
    edges = sorted(graph.edges, key=lambda edge: (-_price(subject, edge), -_used(subject, graph, edge)))
    table = _table(subject, graph, edges)
    if len(edges) <= MOST_DRAWN and len(graph) <= MOST_PROFILES:
        said = f"{counted(len(graph), 'profile')}, {counted(len(edges), 'link')} between them"
        draw = partial(plot_graph, graph, prices=subject.edge_prices)
        blocks: list[Block] = [Picture("Who is protected from being told from whom", said, draw, table)]
    else:
        blocks = [
            Text(f"{counted(len(edges), 'link')} are too many to be drawn so that anybody could tell them apart."),
            table,
        ]
    alone = [str(profile) for profile in graph if not graph.degree(profile)]
    if alone:
        verb = "is" if len(alone) == 1 else "are"
        who = f"{counted(len(alone), 'profile')} {verb} linked to none, and so not protected"
        blocks.append(Text(f"{who}: {first_of(alone, 100)}.", "note"))
    if not subject.measurable:
        blocks.append(
            Text("What each link needs was not measured, there are too many; mechdesign certify --all lists it.")
        )
    return Section(title, blocks)


def _table(subject: Subject, graph: nx.Graph, edges: list[tuple[Label, Label]]) -> Table:
    headings = ["profile", "linked to", "epsilon", "delta", "ratio e^epsilon (rounded up)"]
    if subject.needs:
        headings += ["epsilon needed → (rounded up)", "epsilon needed ← (rounded up)", "used, % (rounded up)"]
    if subject.prices:
        headings.append("price (rounded down)")
    rows = []
    listed = min(MOST_LISTED, pairs_fitting(edges))
    for a, b in edges[:listed]:
        own = graph.edges[a, b]
        row = [str(a), str(b), allowed(own["epsilon"]), allowed(own["delta"]), ratio(own["epsilon"])]
        if subject.needs:
            row += [double_above(_needed(subject, own["epsilon"], pair)) for pair in ((a, b), (b, a))]
            used = _used(subject, graph, (a, b))
            row.append(decimal_above(used * 100, 2) if used >= 0 else "-")
        if subject.prices:
            row.append(at_least(_price(subject, (a, b))))
        rows.append(row)
    note = (
        "Every link keeps its epsilon: that is proved. One that uses 100 % is tight: it is one of those that keep the "
        "mechanism from distorting less. "
    )
    note = note if subject.needs else ""
    note += f"Price: {PRICE}. Links {SHARED_OTHERWISE} " if subject.prices else ""
    caption = f"{counted(len(edges), 'link')}"
    if len(edges) > listed:
        order = "dearest" if subject.prices else "tightest" if subject.needs else "first"
        caption = f"The {listed} {order} of {len(edges)} links"
        note += "mechdesign check --json says how many there are; the certificate has all."
    return Table(caption, headings, rows, profiles=2, note=note.strip(), folded=len(rows) > 30)


def _price(subject: Subject, edge: tuple[Label, Label]) -> Fraction:
    return subject.prices.get(frozenset(edge), Fraction(0))


def _used(subject: Subject, graph: nx.Graph, edge: tuple[Label, Label]) -> Fraction:
    """Return which share of its epsilon an edge needs at most; -1 where that is not known or says nothing."""
    allowed: Fraction = graph.edges[edge]["epsilon"]
    if not subject.needs or not allowed:
        return Fraction(-1)
    most = max(_needed(subject, allowed, pair) for pair in (edge, edge[::-1]))
    return min(Fraction(1), parse_number(most) / allowed)


def _needed(subject: Subject, allowed: Fraction, pair: tuple[Label, Label]) -> float:
    """Return a bound of the epsilon that an edge needs one way: what it is allowed is proved to be enough."""
    return at_most_kept(subject.needs[pair][1], allowed)
