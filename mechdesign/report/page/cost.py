"""What privacy costs: the objective in words, its value, the bound that nothing private is below, and the gap."""

from fractions import Fraction

from mechdesign.certificate.claim import Claim
from mechdesign.exact.bounds import decimal_below, digits_above
from mechdesign.exact.text import brief
from mechdesign.report.page.guarantee import SAFE
from mechdesign.report.page.heat import LISTED
from mechdesign.report.page.subject import Proved, Subject
from mechdesign.report.page.written_numbers import at_least, at_most
from mechdesign.show.blocks import Block, Section, Table, Text

OBJECTIVES = {
    "max-off-diagonal": (
        "largest off-diagonal entry",
        "the largest probability, of all profiles and the values that they may have, with which one value is reported "
        "as one particular other value",
    ),
    "expected-loss": ("expected loss", "the mean, over all profiles and their values, of what a report loses"),
    "worst-loss": ("worst profile's expected loss", "the mean of what a report loses, for the profile that loses most"),
}
"""What a certificate's objective is called, and what it means."""
MENDED = {
    "expected-loss": (
        "mean distance of the rows",
        "how far each row is from the one in the certificate, for what was mended the one that was given",
    ),
    "worst-loss": (
        "largest distance of a row",
        "how far it is from the one in the certificate, for what was mended the one that was given",
    ),
}
"""The same where the certificate is about the rows of a matrix, as `mechdesign mend` writes it."""
LONGEST = 40
"""Characters of a fraction that is written out."""


def in_short(subject: Subject, proved: Proved) -> list[Block]:
    """Return in a sentence what it costs."""
    if not proved.distortion:
        return [Text("What it costs is not in this certificate: it proves privacy alone.", "note")]
    c = proved.claim
    name, meaning = _words(subject, c)
    bound, gap = at_least(c.bound), digits_above(c.value - c.bound, 3)
    none = f"no {_such(c)} has less than {bound} (rounded down), so at most {gap} is lost against the best possible one"
    nothing = "" if c.value else "Nothing had to change: " if subject.mended else "No noise is needed: "
    return [
        Text(
            f"{nothing}{'the' if nothing else 'The'} {name} is at most {at_most(c.value)} (rounded up): {meaning}. "
            f"And {none}."
        )
    ]


def in_values(subject: Subject) -> list[Block]:
    """Return how many of the values are reported as they are, which everybody understands."""
    kept = subject.unchanged
    if not kept:
        return []
    fewest, least, most = min(kept, key=kept.__getitem__), min(kept.values()), max(kept.values())
    share = f"{decimal_below(100 * least, 1)} %"
    if least == most:
        return [Text(f"Of the values that go in, {share} are reported as they are; the others are changed.")]
    of = f"{share} (of {fewest}) to {decimal_below(100 * most, 1)} %, by profile, are reported as they are"
    return [Text(f"Of the values that go in, {of}; the others are changed.")]


def _such(c: Claim) -> str:
    """Return of which mechanisms the bound is."""
    added = c.robust and any(c.deltas)
    such = "mechanism that is proved private in this way" if added else "private mechanism"
    if c.matrices == len(c.profiles):
        return such
    return f"{such} of one matrix" if c.matrices == 1 else f"{such} that shares its matrices like this one"


def cost(subject: Subject) -> Section:
    """Return the cost as a table, with the exact numbers, profile by profile, and the losses it is made of."""
    assert subject.proved is not None
    c = subject.proved.claim
    name, meaning = _words(subject, c)
    blocks: list[Block] = [
        Text(f"What is made as small as possible: the {name}, that is {meaning}. {_loss(subject, c)}".strip())
    ]
    gap = c.value - c.bound
    rows = [
        ["value", at_most(c.value), "rounded up", _exact(c.value)],
        [f"bound: no {_such(c)} is below", at_least(c.bound), "rounded down", _exact(c.bound)],
        ["gap: what could still be gained, at most", digits_above(gap, 6), "rounded up", _exact(gap)],
    ]
    blocks.append(Table("Value, bound and gap", ["what", "number", "how it is rounded", "exactly"], rows, note=SAFE))
    costs = [[str(profile), at_most(own)] for profile, own in _costs(subject)]
    headings, kept = ["profile", "cost, rounded up"], subject.unchanged
    if kept:
        headings.append("values reported as they are, %, rounded down")
        costs = [[*row, decimal_below(100 * share, 1)] for row, share in zip(costs, kept.values(), strict=True)]
    blocks.append(Table("Each profile's own cost", headings, costs, profiles=1, folded=len(costs) > 12))
    if c.losses and not _is_zero_one(c) and len(c.losses) <= LISTED and len(c.losses[0]) <= LISTED:
        blocks.append(_losses(subject, c))
    return Section("What it costs", blocks)


def _exact(value: Fraction) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else f"{len(text)} characters, in the file"


def _words(subject: Subject, c: Claim) -> tuple[str, str]:
    return MENDED.get(c.objective, OBJECTIVES[c.objective]) if subject.mended else OBJECTIVES[c.objective]


def _loss(subject: Subject, c: Claim) -> str:
    if not c.losses:
        return ""
    if subject.mended and _is_zero_one(c):
        return "It is their total variation distance: the share of answers that change."
    if subject.mended:
        return "The table below says what it costs to move an answer; the distance is the least that leads to the row."
    if _is_zero_one(c):
        return "A report loses 1 if it is not the true value, 0 if it is: so this is the probability of a wrong report."
    return "The table below says what each report loses."


def _is_zero_one(c: Claim) -> bool:
    return c.categories == c.outputs and all(
        loss == (x != y) for x, row in enumerate(c.losses) for y, loss in enumerate(row)
    )


def _losses(subject: Subject, c: Claim) -> Table:
    mechanism = subject.mechanism
    rows = [
        [str(name), *(brief(loss, 12, 6) for loss in losses)]
        for name, losses in zip(mechanism.categories, c.losses, strict=True)
    ]
    headings = ["true ↓", *map(str, mechanism.outputs)]
    return Table("What a report loses", headings, rows, folded=len(rows) > 12)


def _costs(subject: Subject) -> list[tuple[object, Fraction]]:
    """Return each profile's largest off-diagonal entry, or expected loss; of the rows that are known."""
    assert subject.proved is not None
    c, found = subject.proved.claim, []
    for i, (profile, node) in enumerate(subject.mechanism.graph.nodes.items()):
        rows = [(x, subject.row(i, x)) for x in range(len(c.categories))]
        if not c.losses:
            entries = [mass for x, row in rows for y, mass in enumerate(row or ()) if x != y]
            found.append((profile, max(entries, default=Fraction(0))))
            continue
        terms = [
            node["distribution"][x] * mass * loss
            for x, row in rows
            if row is not None
            for mass, loss in zip(row, c.losses[x], strict=True)
        ]
        found.append((profile, sum(terms, Fraction(0))))
    return found
