"""Pairs of profiles that must not be told apart: drawn, and as a table of what each allows and needs."""

from fractions import Fraction
from functools import partial

import networkx as nx

from mechdesign.exact.bounds import at_most_kept, double_above
from mechdesign.graph.labels import Label
from mechdesign.graph.positions import on_map
from mechdesign.graph.properties import has_point_masses
from mechdesign.reports.drawable import MOST_EDGES, MOST_PROFILES, edges_are_drawn
from mechdesign.reports.graph_plot import plot_graph
from mechdesign.reports.page.budget import pairs_fitting
from mechdesign.reports.page.subject import Subject
from mechdesign.reports.page.written_numbers import limit, needed, surest
from mechdesign.show.blocks import Block, Picture, Section, Table, Text
from mechdesign.show.fact_numbers import Down, Exact, Up
from mechdesign.show.language import Language

MOST_LISTED, FOLDED, MOST_DRAWN = 400, 30, 3_000
"""Pairs up to which each is listed, up to which the list is not folded, and which are drawn."""


def pairs(subject: Subject, say: Language) -> Section:
    """Return the pairs that are protected."""
    graph = subject.graph
    assert graph is not None
    edges = sorted(graph.edges, key=lambda edge: (-_gain(subject, edge), -_used(subject, graph, edge)))
    blocks: list[Block] = [*drawn(subject, graph, say)]
    blocks.append(_table(subject, graph, edges, say))
    if not subject.needs:
        blocks.append(Text(say("pairs.unmeasured")))
    return Section(say("pairs.title"), blocks)


def drawn(subject: Subject, graph: nx.Graph, say: Language) -> list[Block]:
    """Return the graph as a picture, or a sentence where it is too large; of places a map, before and after."""
    told, mechanism = subject.told, subject.mechanism
    if told is not None and len(told) <= MOST_PROFILES and _on_one_map(told, subject):
        draw = partial(plot_graph, told, mechanism)
        return [Picture(say("pairs.map"), say("pairs.description_map"), draw)]
    if graph.number_of_edges() > MOST_DRAWN or len(graph) > MOST_PROFILES:
        return [Text(say("pairs.too_many", n=graph.number_of_edges()))]
    draw = partial(plot_graph, graph, prices=subject.edge_prices)
    return [Picture(say("pairs.title"), say("pairs.description"), draw)]


def _on_one_map(told: nx.Graph, subject: Subject) -> bool:
    """Return whether the mechanism releases places, and each has its own on a map that can be drawn."""
    mechanism = subject.mechanism
    if mechanism.outputs != mechanism.categories or list(told) != list(mechanism.profiles):
        return False
    small = told.number_of_edges() <= MOST_EDGES or not edges_are_drawn(told)
    return small and on_map(told) and has_point_masses(told)


def _table(subject: Subject, graph: nx.Graph, edges: list[tuple[Label, Label]], say: Language) -> Table:
    headings = [say("pairs.first"), say("pairs.second"), "epsilon", "delta", say("pairs.sure")]
    if subject.needs:
        headings += [say("pairs.needed", way="→"), say("pairs.needed", way="←"), say("pairs.used")]
    if subject.prices:
        headings.append(say("pairs.gain"))
    listed = min(MOST_LISTED, pairs_fitting(edges))
    rows = [_row(subject, graph, edge) for edge in edges[:listed]]
    notes = [say("pairs.kept")] * bool(subject.needs)
    notes += [say("pairs.binding")] * (bool(subject.needs) and subject.observed is None)
    notes += [say("pairs.gains")] * bool(subject.prices)
    caption = say.count("pairs.caption", len(edges))
    if len(edges) > listed:
        caption = say("pairs.some", listed=listed, all=len(edges))
        notes.append(say("pairs.all"))
    return Table(caption, headings, rows, profiles=2, note=" ".join(notes), folded=len(rows) > FOLDED)


def _row(subject: Subject, graph: nx.Graph, edge: tuple[Label, Label]) -> list[str | Exact | Up | Down]:
    own = graph.edges[edge]
    row: list[str | Exact | Up | Down] = [*map(str, edge), limit(own["epsilon"]), limit(own["delta"])]
    row.append(surest(own["epsilon"], own["delta"]))
    if subject.needs:
        row += [_needed(subject, own["epsilon"], pair) for pair in (edge, edge[::-1])]
        used = _used(subject, graph, edge)
        row.append(Up(used * 100, 2) if used >= 0 else "-")
    return [*row, Down(_gain(subject, edge))] if subject.prices else row


def _gain(subject: Subject, edge: tuple[Label, Label]) -> Fraction:
    return subject.prices.get(frozenset(edge), Fraction(0))


def _used(subject: Subject, graph: nx.Graph, edge: tuple[Label, Label]) -> Fraction:
    """Return which share of its epsilon an edge needs at most; -1 where that is not known or says nothing."""
    allowed: Fraction = graph.edges[edge]["epsilon"]
    if not subject.needs or not allowed:
        return Fraction(-1)
    most = max(Fraction(_needed(subject, allowed, pair).value) for pair in (edge, edge[::-1]))
    return min(Fraction(1), most / allowed)


def _needed(subject: Subject, allowed: Fraction, pair: tuple[Label, Label]) -> Exact:
    """Return a bound of the epsilon that an edge needs one way: what it is allowed is proved to be enough."""
    upper = at_most_kept(subject.needs[pair][1], allowed)
    return Exact(needed(upper), double_above(upper))
