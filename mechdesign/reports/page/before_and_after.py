"""What profiles release, before and after."""

from collections.abc import Sequence
from fractions import Fraction

import networkx as nx

from mechdesign.graph.labels import Label
from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.reports.drawable import MOST_BARS
from mechdesign.reports.page.budget import bytes_of, fitting
from mechdesign.reports.page.subject import Subject
from mechdesign.reports.page.written_numbers import PLACES, chance
from mechdesign.reports.plots import MOST_RELEASED, plot_released
from mechdesign.show.blocks import Block, Cell, Group, Pages, Picture, Section, Table, Text
from mechdesign.show.fact_numbers import Down, Up
from mechdesign.show.language import Language

OPEN = 12
"""Tables of up to so many lines are not folded, of the first so many profiles."""
A_PROFILE, A_LINE = 700, 80
"""Bytes of HTML that a profile's frame, and a line of its table, take without names."""


def released(subject: Subject, say: Language) -> Section:
    """Return what each profile releases, beside what it would without privacy."""
    mechanism = subject.mechanism
    each = sum(A_LINE + bytes_of(str(name)) for name in mechanism.outputs)
    count = fitting(A_PROFILE + each + 6 * bytes_of(profile) for profile in mechanism.profiles)
    blocks: list[Block] = [Text(f"{before_and_after(subject, say)} {say('matrix.rounded')}"), *picture(mechanism, say)]
    if count < len(mechanism.profiles):
        blocks.append(Text(say("released.first", n=count, all=len(mechanism.profiles)), "note"))
    return Section(say("released.title"), [*blocks, Pages(groups(mechanism, count, say, open_tables=OPEN))])


def observed(graph: nx.Graph, say: Language) -> Section:
    """Return what was observed of each profile of a sample, with the bounds around it."""
    each = sum(A_LINE + bytes_of(str(name)) for name in graph.graph["categories"])
    count = fitting(A_PROFILE + each + 6 * bytes_of(profile) for profile in graph)
    blocks: list[Block] = [Text(say("observed.words"))]
    if count < len(graph):
        blocks.append(Text(say("released.first", n=count, all=len(graph)), "note"))
    headings = [say("table.value"), *(say(f"observed.{name}") for name in ("share", "least", "most"))]
    tables = {profile: Table(str(profile), headings, _shares(graph, profile)) for profile in list(graph)[:count]}
    found = [Group([profile], [table]) for profile, table in tables.items()]
    return Section(say("observed.title"), [*blocks, Pages(found)])


def _shares(graph: nx.Graph, profile: Label) -> list[list[Cell]]:
    node = graph.nodes[profile]
    shares = zip(graph.graph["categories"], *(node[key] for key in ("distribution", "lower", "upper")), strict=True)
    return [[str(name), chance(share), Down(low, PLACES), Up(high, PLACES)] for name, share, low, high in shares]


def before_and_after(subject: Subject, say: Language) -> str:
    """Return how the bars of profiles are to be read."""
    if subject.mechanism.outputs != subject.mechanism.categories:
        return say("released.outputs")
    return say("released.mended" if subject.mended else "released.designed")


def picture(mechanism: Mechanism, say: Language) -> list[Block]:
    """Return bars for the first profiles; nothing where there are more than can be drawn."""
    if min(len(mechanism.profiles), MOST_RELEASED) * len(mechanism.outputs) > MOST_BARS:
        return []
    return [Picture(say("released.picture"), say("released.description"), lambda: plot_released(mechanism))]


def groups(mechanism: Mechanism, count: int, say: Language, *, open_tables: int) -> list[Group]:
    """Return the numbers of so many profiles, the tables of the first few of them open."""
    found: list[Group] = []
    for profile in mechanism.profiles[:count]:
        columns = {say("released.after"): mechanism.released(profile)}
        moved = ""
        if mechanism.outputs == mechanism.categories:
            before, after = mechanism.graph.nodes[profile]["distribution"], columns[say("released.after")]
            columns = {say("released.before"): before} | columns
            moved = say("released.moved", share=chance(total_variation(before, after)))
        masses = zip(mechanism.outputs, *columns.values(), strict=True)
        rows: list[list[Cell]] = [[str(name), *map(chance, pair)] for name, *pair in masses]
        folded = len(found) >= open_tables or len(rows) > OPEN
        caption = say("table.numbers", title=str(profile))
        table = Table(caption, [say("table.value"), *columns], rows, folded=folded, note=moved)
        found.append(Group([profile], [table]))
    return found


def total_variation(before: Sequence[Fraction], after: Sequence[Fraction]) -> Fraction:
    """Return the share of the mass that is elsewhere."""
    return sum((abs(p - q) for p, q in zip(before, after, strict=True)), Fraction(0)) / 2
