"""The report of an audit: whether noise that is computed from the data hides each record, and what would."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from mechdesign.audit.auditor import Audit, Outcome
from mechdesign.audit.grid import OnGrid
from mechdesign.audit.neighbours import LEVEL
from mechdesign.audit.remedy import Mended
from mechdesign.exact.text import short
from mechdesign.report.page.lines import Curve, Mark, chart
from mechdesign.report.page.numbers import allowed, at_least, at_most, ratio
from mechdesign.show.blocks import Block, Commands, Page, Points, Section, Table, Text
from mechdesign.words import counted

LISTED = 200
POINTS = 161
SPREAD = 6
"""The picture reaches this many of the larger scale beyond the answers."""


def page_of_audit(audit: Audit, best: OnGrid | None, name: str, column: str, commands: Sequence[str]) -> Page:
    """Return the report of an audit of a column in a file of that name."""
    sections = [_in_short(audit), _facts(audit), _records(audit)]
    if audit.mended is not None:
        sections.append(_mended(audit.mended))
    if best is not None:
        sections.append(_grid(best))
    sections += [Section("What is not known from this", [Points(_unknown(audit, best))]), _check(commands)]
    asked = f"answered at epsilon {allowed(audit.epsilon)}"
    about = f"The {audit.query} of {counted(audit.n, 'record')} in {name}, column {column}, {asked}."
    return Page("Audit of noise computed from the data", about, sections)


def _in_short(audit: Audit) -> Section:
    epsilon = audit.epsilon
    items = [
        "What was examined: an answer with Laplace noise whose scale is the largest change that leaving one of these "
        "records out makes, divided by epsilon.",
        f"What private would mean: no noisy answer, or set of them, is more than e^epsilon = {ratio(epsilon)} times "
        f"(rounded up) "
        "as likely with a record as without it. Then nobody learns much of any one record.",
        "The verdict is decided exactly. Probabilities, ratios and deltas are computed in doubles and rounded to six "
        "digits.",
    ]
    secret = (
        "This page has the exact answers that noise was to hide: do not show it to anybody who may not see the data."
    )
    tone = "good" if audit.outcome is Outcome.PRIVATE else "bad"
    return Section("In short", [Text(audit.sentence(), tone), Points(items), Text(secret, "note")])


def _facts(audit: Audit) -> Section:
    tight = audit.tight_epsilon
    rows = [
        ["epsilon asked for", allowed(audit.epsilon)],
        ["least epsilon that holds here", "none" if tight == math.inf else allowed(tight)],
        ["least delta that holds with the epsilon asked for", short(audit.delta)],
        ["answer, without noise", short(audit.answer)],
        ["largest change by leaving out one record", short(audit.sensitivity)],
        ["scale of the noise", short(audit.scale)],
        ["noisy answer that is looked at", short(audit.response)],
        ["p1, the probability of an answer at least as large", short(audit.p1)],
    ]
    blocks: list[Block] = [Table("The answer", ["what", "is"], rows)]
    worst = int(audit.records.worst_first()[0])
    if (picture := _laws(audit, worst)) is not None:
        blocks.append(picture)
    return Section("The answer and its noise", blocks)


def _laws(audit: Audit, row: int) -> Block | None:
    """Return the two laws of the noisy answer, with all records and without one; None if either has no noise."""
    whole = float(audit.answer), float(audit.scale)
    rest = float(audit.records.answers[row]), float(audit.records.scales[row])
    widest, sharpest = max(whole[1], rest[1]), min(whole[1], rest[1])
    if not sharpest > 0 or not math.isfinite(widest) or widest / sharpest > 1e6:
        return None
    ends = min(whole[0], rest[0]) - SPREAD * widest, max(whole[0], rest[0]) + SPREAD * widest
    y = np.union1d(np.linspace(*ends, POINTS), (whole[0], rest[0]))
    named = ((f"with all {audit.n} records", "first", whole), (f"without row {row + 1}", "other", rest))
    laws = [
        (words, style, np.exp(-np.abs(y - centre) / scale) / (2 * scale)) for words, style, (centre, scale) in named
    ]
    curves = [
        Curve(style, words, [(float(x), float(mass), "") for x, mass in zip(y, masses, strict=True)], dots=False)
        for words, style, masses in laws
    ]
    some = range(0, len(y), max(1, len(y) // 40))
    rows = [[short(float(y[at])), *(short(float(masses[at])) for _, _, masses in laws)] for at in some]
    table = Table(
        "Densities of the noisy answer", ["noisy answer", *(words for words, _, _ in laws)], rows, folded=True
    )
    marks = [Mark(audit.response, "the noisy answer that is looked at")] if ends[0] <= audit.response <= ends[1] else []
    title = "How the noisy answer is distributed, with and without the record that gives itself away most"
    return chart(title, (f"noisy {audit.query}", "density"), curves, table, marks, from_zero=False)


def _records(audit: Audit) -> Section:
    found = audit.records
    rows = []
    for i in map(int, found.worst_first()[:LISTED]):
        numbers = (
            found.answers,
            found.scales,
            found.p2,
            found.p3,
            found.ratio_provider,
            found.ratio_intruder,
            found.delta,
        )
        rows.append([str(i + 1), *(short(float(column[i])) for column in numbers), _inferred(audit, i)])
    headings = ["row", "answer without it", "scale without it", "p2", "p3", "p1/p2, as the provider computes",
                "p1/p3, as an intruder computes", "delta", "so the record is"]  # fmt: skip
    note = (
        "p2 and p3 are as p1, without the record: with the scale of all records, and with that of those that are left."
    )
    if any(row[-1] for row in rows):
        note += f" So the record is: what moves the answer beyond the {LEVEL:.2%} quantile of what an intruder expects."
    if audit.n > LISTED:
        note = f"The worst {LISTED} of {audit.n}; --json has all. {note}"
    return Section(
        "Record by record",
        [Table("Without one record, the worst first", headings, rows, folded=len(rows) > 40, note=note)],
    )


def _inferred(audit: Audit, i: int) -> str:
    record = float(audit.records.inferred[i])
    if math.isnan(record):
        return ""
    return f"{'at least' if audit.response > audit.records.answers[i] else 'at most'} {short(record)}"


def _mended(mended: Mended) -> Section:
    low, high = (short(bound) for bound in mended.bounds)
    rows = [
        [f"n {who}: {part.what}", short(part.answer), short(part.scale), short(part.epsilon)]
        for who, part in [("public", mended.public), *(("private", part) for part in mended.private_count)]
    ]
    words = (
        f"Records are clipped to [{low}, {high}], bounds that are chosen without looking at the data, and the noise "
        f"is made for "
        f"whatever the data may be. Delta is then {short(mended.delta)}, whatever the data. Clipping moves the "
        f"{mended.public.what} by {short(mended.bias)}."
    )
    table = Table(
        "What is released instead", ["released", "answer, without noise", "scale of the noise", "epsilon"], rows
    )
    return Section("The remedy", [Text(words, "good"), table])


def _grid(best: OnGrid) -> Section:
    rows = [
        ["best private mechanism that sees the answer rounded", at_most(best.error), "rounded up"],
        ["no private one that sees it rounded is below", at_least(best.bound), "rounded down"],
        ["the best one, mean over all answers", at_most(best.rounded), "rounded up"],
        ["Laplace noise", short(best.laplace), "nearest"],
        ["Laplace noise, clamped to the grid's ends", short(best.clamped), "nearest"],
        ["the same, mean over all answers", short(best.clamped_anywhere), "nearest"],
    ]
    title = f"Expected absolute error on a grid of {len(best.values)} answers, {short(Fraction(best.step))} apart"
    return Section("The best there is", [Table(title, ["mechanism", "mean error", "how it is rounded"], rows)])


def _unknown(audit: Audit, best: OnGrid | None) -> list[str]:
    items = ["What holds for other data: only these records were left out, one by one." if not audit.private else
             "Who else has asked: each further answer about the same records adds its epsilon."]  # fmt: skip
    if audit.mended is None:
        items.append(
            "Which private answer to give instead: --bounds L,U tells, with bounds chosen without looking at the data."
        )
    elif best is None:
        items.append("How far Laplace noise is from the least possible error: --grid POINTS tells.")
    items.append("Whether another query gives this answer more exactly: mechdesign audit linked tells.")
    return items


def _check(commands: Sequence[str]) -> Section:
    return Section(
        "How to check it oneself", [Text("This command computes everything above anew:"), Commands(commands)]
    )
