"""What profiles release, before and after, and the matrices that do it."""

from fractions import Fraction

from mechdesign.report.page.bars import bars
from mechdesign.report.page.blocks import Block, Group, Pages, Section, Table, Text
from mechdesign.report.page.heat import LARGEST, heat_map
from mechdesign.report.page.numbers import NEAREST, probability
from mechdesign.report.page.subject import Subject
from mechdesign.words import counted

MOST_BARS = 12_000
"""Pairs of bars, and as many lines of tables, of one page: 2 MB."""
MOST_CELLS = 60_000
"""Entries of all matrices of one page: 1.5 MB."""
MOST_NAMES = 6
"""Profiles of one matrix that its heading names."""


def released(subject: Subject) -> Section:
    """Return what each profile releases, beside what it would without privacy."""
    mechanism = subject.mechanism
    title = "What each profile releases"
    outputs = list(map(str, mechanism.outputs))
    same = mechanism.outputs == mechanism.categories
    count = max(1, min(len(mechanism.profiles), MOST_BARS // len(outputs)))
    laws = []
    for profile in mechanism.profiles[:count]:
        before = list(mechanism.graph.nodes[profile]["distribution"]) if same else None
        laws.append((profile, before, mechanism.released(profile)))
    tallest = max(max((*(before or ()), *after)) for _, before, after in laws)
    groups: list[Group] = []
    for profile, before, after in laws:
        moved = "" if before is None else _moved(before, after)
        rows = [[name, *([] if before is None else [probability(before[y])]), probability(mass)]
                for y, (name, mass) in enumerate(zip(outputs, after, strict=True))]  # fmt: skip
        headings = ["value", *([] if before is None else ["before"]), "after"]
        table = Table(f"{profile}: the numbers", headings, rows, folded=len(groups) >= 12 or len(rows) > 12, note=moved)
        groups.append(Group([profile], [bars(str(profile), outputs, before, after, tallest, table)]))
    words = "Outlined: what would be released without privacy. Filled: what is released. All bars have one scale. "
    if not same:
        words = "How likely each output is, given the profile. All bars have one scale. "
    blocks: list[Block] = [Text(words + NEAREST), Pages(groups)]
    if count < len(mechanism.profiles):
        blocks.insert(
            1, Text(f"The first {count} of {counted(len(mechanism.profiles), 'profile')}; the file has all.", "note")
        )
    return Section(title, blocks)


def _moved(before: list[Fraction], after: tuple[Fraction, ...]) -> str:
    distance = sum((abs(p - q) for p, q in zip(before, after, strict=True)), Fraction(0)) / 2
    return f"Moved (total variation): {probability(distance)}"


def matrices(subject: Subject) -> Section:
    """Return the matrices, those that profiles share once."""
    mechanism = subject.mechanism
    inputs, outputs = (list(map(str, labels)) for labels in (mechanism.categories, mechanism.outputs))
    alike: dict[bytes, list[int]] = {}
    for i, rows in enumerate(mechanism.index):
        key = b"" if mechanism.one_matrix and subject.known.all() else rows.tobytes() + subject.known[i].tobytes()
        alike.setdefault(key, []).append(i)
    size = len(inputs) * len(outputs) if len(inputs) <= LARGEST and len(outputs) <= LARGEST else 1_500
    shown = list(alike.values())[: max(1, MOST_CELLS // size)]
    groups = []
    for members in shown:
        profiles = [mechanism.profiles[i] for i in members]
        names = ", ".join(map(str, profiles[:MOST_NAMES]))
        names += f" and {len(profiles) - MOST_NAMES} more" if len(profiles) > MOST_NAMES else ""
        title = "All profiles" if len(profiles) == len(mechanism.profiles) > 1 else names
        rows = [subject.row(members[0], x) for x in range(len(inputs))]
        groups.append(Group(profiles, [heat_map(title, inputs, outputs, rows)]))
    words = (
        "Each row says how one true value, on the left, is reported: with which probability as what is on top. The "
        "stronger the colour, the more probable. "
        "On the diagonal the value is reported as it is. " + NEAREST
    )
    if mechanism.outputs != mechanism.categories:
        words = words.replace("On the diagonal the value is reported as it is. ", "")
    blocks: list[Block] = [Text(words)]
    if not subject.known.all():
        blocks.append(Text(
            "A row is “not known” where the profile never has the value: a certificate leaves these out, the "
            "mechanism's "
            "file has them.", "note"))  # fmt: skip
    if len(shown) < len(alike):
        blocks.append(
            Text(f"The first {len(shown)} of {len(alike)} matrices; mechdesign export writes all as CSV.", "note")
        )
    return Section("The mechanism", [*blocks, Pages(groups, each=12)])
