"""What profiles release, before and after."""

from fractions import Fraction

from mechdesign.mechanism.mechanism import Mechanism
from mechdesign.report.drawable import MOST_BARS
from mechdesign.report.page.budget import bytes_of, fitting
from mechdesign.report.page.subject import Subject
from mechdesign.report.plots import MOST_RELEASED, plot_released
from mechdesign.show.blocks import Block, Group, Pages, Picture, Section, Table, Text
from mechdesign.words import counted

OPEN = 12
"""Tables of up to so many lines are not folded, of the first so many profiles."""
A_PROFILE, A_LINE = 700, 80
"""Bytes of HTML that a profile's frame, and a line of its table, take without names."""


def released(subject: Subject) -> Section:
    """Return what each profile releases, beside what it would without privacy."""
    mechanism = subject.mechanism
    title = "What each profile releases"
    outputs = list(map(str, mechanism.outputs))
    each = sum(A_LINE + bytes_of(name) for name in outputs)
    count = fitting(A_PROFILE + each + 6 * bytes_of(profile) for profile in mechanism.profiles)
    words = before_and_after(subject)
    blocks: list[Block] = [
        Text(f"{words} {NEAREST}"),
        *picture(mechanism),
        Pages(groups(mechanism, count, open_tables=OPEN)),
    ]
    if count < len(mechanism.profiles):
        blocks.insert(
            -1, Text(f"The first {count} of {counted(len(mechanism.profiles), 'profile')}; the file has all.", "note")
        )
    return Section(title, blocks)


def before_and_after(subject: Subject) -> str:
    """Return how the bars of profiles are to be read."""
    if subject.mechanism.outputs != subject.mechanism.categories:
        return "How likely each output is, given the profile. All bars have one scale."
    if subject.mended:
        return (
            "Grey: what stands in the certificate, for a mended mechanism the row that was given. Blue: the row as it "
            "is. All bars have one scale."
        )
    return "Grey: what would be released without privacy. Blue: what is released. All bars have one scale."


def picture(mechanism: Mechanism) -> list[Block]:
    """Return bars for the first profiles; nothing where there are more than can be drawn."""
    if min(len(mechanism.profiles), MOST_RELEASED) * len(mechanism.outputs) > MOST_BARS:
        return []
    title, words = "What profiles release, before and after", "bars for each profile; the tables have the numbers"
    return [Picture(title, words, lambda: plot_released(mechanism))]


def groups(mechanism: Mechanism, count: int, *, open_tables: int) -> list[Group]:
    """Return the numbers of so many profiles, the tables of the first few of them open."""
    outputs = list(map(str, mechanism.outputs))
    same = mechanism.outputs == mechanism.categories
    laws = []
    for profile in mechanism.profiles[:count]:
        before = list(mechanism.graph.nodes[profile]["distribution"]) if same else None
        laws.append((profile, before, mechanism.released(profile)))
    found: list[Group] = []
    for profile, before, after in laws:
        moved = "" if before is None else _moved(before, after)
        rows = [[name, *([] if before is None else [probability(before[y])]), probability(mass)]
                for y, (name, mass) in enumerate(zip(outputs, after, strict=True))]  # fmt: skip
        headings = ["value", *([] if before is None else ["before"]), "after"]
        folded = len(found) >= open_tables or len(rows) > OPEN
        table = Table(f"{profile}: the numbers", headings, rows, folded=folded, note=moved)
        found.append(Group([profile], [table]))
    return found


def _moved(before: list[Fraction], after: tuple[Fraction, ...]) -> str:
    distance = sum((abs(p - q) for p, q in zip(before, after, strict=True)), Fraction(0)) / 2
    return f"The share of the mass that is elsewhere than before (total variation distance): {probability(distance)}"
