"""What privacy costs: how many values stay as they are, and how close that is to the least possible."""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial

from mechdesign.certificate.claim import Claim
from mechdesign.errors import InputError
from mechdesign.exact.text import cut
from mechdesign.graph.labels import Label
from mechdesign.release.plan import plan_rows
from mechdesign.reports.figure import AFTER, BEFORE, INK, Figure
from mechdesign.reports.page.matrices import LISTED
from mechdesign.reports.page.subject import MOST_MEASURED, Subject
from mechdesign.show.blocks import Block, Picture, Section, Table, Text
from mechdesign.show.fact_numbers import Down, Exact, Up
from mechdesign.show.language import Language

LONGEST = 40
"""Characters of a fraction that is written out."""
MARGIN, WITHOUT = Fraction(1, 50), 2401
"""What counts are to be good to, and how many true answers that takes."""
MOST_NAMED, MOST_LETTERS = 16, 14
"""Values whose names stand below the bars, and the letters of a name that are shown."""


def in_short(subject: Subject, say: Language) -> Section:
    """Return how many values stay true, in words and a picture."""
    blocks: list[Block] = []
    if by_profile := stays_by_profile(subject):
        fewest, most = min(by_profile, key=by_profile.__getitem__), max(by_profile.values())
        low, high = (Down(100 * share, 1) for share in (by_profile[fewest], most))
        alike = "every" if low.value == 100 else "alike" if low.words() == high.words() else f"range.{subject.kind}"
        blocks.append(Text(say(f"cost.stay.{alike}", low=low, high=high, fewest=str(fewest))))
    if subject.proved is not None:
        blocks.append(Text(_optimum(subject, subject.proved.claim, say)))
        if subject.proved.claim.shares:
            blocks.append(Text(say("cost.kept")))
    if by_category := stays_by_category(subject):
        blocks.append(_picture(by_category, say, subject.kind))
    return Section(say("cost.title"), blocks)


def _optimum(subject: Subject, c: Claim, say: Language) -> str:
    """Return how close the cost is to the least possible, in a sentence."""
    if c.is_of_privacy_alone:
        return say("cost.unknown")
    if not c.value:
        return say("cost.nothing")
    unit = 100 if not c.losses or is_zero_one(c) else 1
    values = {"value": Up(unit * c.value, 2 if unit > 1 else 6), "bound": Down(unit * c.bound, 2 if unit > 1 else 6)}
    return say(f"cost.{_what(subject, c)}.short", **values, such=_such(c, say))


def _what(subject: Subject, c: Claim) -> str:
    """Return which sentences there are of an objective."""
    return ("mended." if subject.mended else "") + c.objective + ("-share" if c.losses and is_zero_one(c) else "")


def _such(c: Claim, say: Language) -> str:
    """Return of which mechanisms the bound is."""
    if c.shares:
        return say("cost.such.kept")
    if c.matrices == len(c.profiles):
        return say("cost.such.added" if c.robust and any(c.deltas) else "cost.such.any")
    return say("cost.such.one" if c.matrices == 1 else "cost.such.shared")


def stays_by_profile(subject: Subject) -> dict[Label, Fraction]:
    """Return the share of its values that each profile reports as they are; nothing where no value can stay."""
    return {
        profile: sum((mass * stay for mass, stay in stays.values()), Fraction(0))
        for profile, stays in _stays(subject).items()
    }


def stays_by_category(subject: Subject) -> dict[Label, Fraction]:
    """Return how much of each category stays, in the profile where it is least; of those that a profile has."""
    least: dict[Label, Fraction] = {}
    for stays in _stays(subject).values():
        for category, (_, stay) in stays.items():
            least[category] = min(stay, least.get(category, stay))
    return {category: least[category] for category in subject.whole.categories if category in least}


def _stays(subject: Subject) -> dict[Label, dict[Label, tuple[Fraction, Fraction]]]:
    """Return for each profile and category that it has how probable that is, and that it stays as it is."""
    mechanism = subject.whole
    outputs = {output: y for y, output in enumerate(mechanism.outputs)}
    if subject.refuted or mechanism.index.size > MOST_MEASURED or not set(mechanism.categories) <= set(outputs):
        return {}
    found: dict[Label, dict[Label, tuple[Fraction, Fraction]]] = {}
    for i, (profile, node) in enumerate(mechanism.graph.nodes.items()):
        own = found.setdefault(profile, {})
        for x, (category, mass) in enumerate(zip(mechanism.categories, node["distribution"], strict=True)):
            if mass:
                weights = mechanism.rows.exact(mechanism.index[i, x])
                own[category] = mass, Fraction(int(weights[outputs[category]]), int(weights.sum()))
    return found


def _picture(stays: dict[Label, Fraction], say: Language, kind: str) -> Block:
    rows = [[str(category), Down(100 * share, 1)] for category, share in stays.items()]
    title = say(f"cost.picture.{kind}")
    table = Table(say("cost.numbers"), [say("table.value"), say("cost.stays")], rows, folded=True)
    return Picture(title, say("cost.description"), partial(plot_stays, stays), table)


def counts(subject: Subject, say: Language) -> Section | None:
    """Return how many answers it takes to know shares well; None of counts, or where the files do not tell."""
    mechanism = subject.whole
    size = mechanism.index.size * len(mechanism.outputs)
    if subject.steps or subject.refuted or (subject.given is None and not subject.known.all()) or size > MOST_MEASURED:
        return None
    try:
        plan = plan_rows(mechanism, MARGIN)
    except InputError:  # probabilities beyond doubles
        return None
    margin = {"margin": Exact(100 * MARGIN), "without": Exact(WITHOUT)}
    if plan.rows is None:
        undetermined = [name for name, rows in plan.profiles.items() if rows is None]
        some = len(undetermined) < len(plan.profiles)
        words = say("counts.some", groups=say.few(undetermined, 4)) if some else say("counts.never")
    elif len(plan.profiles) == 1:
        words = say("counts.rows", rows=plan.rows, **margin)
    else:
        least = min(rows for rows in plan.profiles.values() if rows is not None)
        words = say("counts.by_group", least=least, most=plan.rows, **margin)
    return Section(say("counts.title"), [Text(words)])


def reviewed(subject: Subject, c: Claim, say: Language) -> Section:
    """Return the cost for reviewers: exact numbers, profile by profile, and the losses it is made of."""
    own = c.objective + (".mended" if subject.mended else ".designed")
    blocks: list[Block] = [Text(f"{say(f'objective.{own}')} {_loss(subject, c, say)}".strip())]
    rows = [
        [say("cost.value"), Up(c.value), _exactly(c.value, say)],
        [say("cost.bound", such=_such(c, say)), Down(c.bound), _exactly(c.bound, say)],
        [say("cost.gap"), Up(c.value - c.bound), _exactly(c.value - c.bound, say)],
    ]
    blocks.append(Table(say("cost.caption"), [say("table.what"), say("table.number"), say("table.exactly")], rows))
    costs = [[str(profile), Up(cost)] for profile, cost in _costs(subject, c)]
    headings = [say("table.group"), say("cost.own")]
    if stays := {} if subject.mended else stays_by_profile(subject):
        headings.append(say("cost.stays"))
        costs = [[*row, Down(100 * share, 1)] for row, share in zip(costs, stays.values(), strict=True)]
    blocks.append(Table(say("cost.each"), headings, costs, profiles=1, folded=len(costs) > 12))
    if c.losses and not is_zero_one(c) and len(c.losses) <= LISTED and len(c.losses[0]) <= LISTED:
        blocks.append(_losses(subject, c, say))
    return Section(say("cost.reviewed"), blocks)


def _exactly(value: Fraction, say: Language) -> str:
    text = str(value)
    return text if len(text) <= LONGEST else say("cost.long", n=len(text))


def _loss(subject: Subject, c: Claim, say: Language) -> str:
    if not c.losses:
        return ""
    return say(f"loss.{'share' if is_zero_one(c) else 'table'}.{'mended' if subject.mended else 'designed'}")


def is_zero_one(c: Claim) -> bool:
    """Return whether a report loses 1 where it is not the true value, else nothing."""
    return c.categories == c.outputs and all(
        loss == (x != y) for x, row in enumerate(c.losses) for y, loss in enumerate(row)
    )


def _losses(subject: Subject, c: Claim, say: Language) -> Table:
    mechanism = subject.mechanism
    rows = [[str(name), *map(Exact, losses)] for name, losses in zip(mechanism.categories, c.losses, strict=True)]
    headings = [say("table.true"), *map(str, mechanism.outputs)]
    return Table(say("loss.caption"), headings, rows, folded=len(rows) > 12)


def _costs(subject: Subject, c: Claim) -> list[tuple[object, Fraction]]:
    """Return each profile's largest off-diagonal entry, or expected loss; of the rows that are known."""
    found = []
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


def plot_stays(stays: Mapping[Label, Fraction]) -> Figure:
    """Return for each value a bar of how many of 100 stay as they are, before a bar of all 100."""
    figure = Figure(figsize=(6.6, 1.5), layout="constrained")
    axes = figure.add_subplot()
    places, shares = range(len(stays)), [float(100 * share) for share in stays.values()]
    axes.bar(places, [100] * len(shares), 0.7, color=BEFORE)
    axes.bar(places, shares, 0.7, color=AFTER)
    axes.set(ylim=(0, 100), yticks=(0, 50, 100), xlim=(-0.6, max(len(shares), 6) - 0.4))
    axes.set_xticks([])
    if len(shares) <= MOST_NAMED:
        names = [cut(str(name), MOST_LETTERS) for name in stays]
        axes.set_xticks(places, names)
        for place, share in zip(places, shares, strict=True):
            axes.text(
                place, 3, f"{int(share)}", ha="center", va="bottom", fontsize=8, color="white" if share > 15 else INK
            )
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    return figure
