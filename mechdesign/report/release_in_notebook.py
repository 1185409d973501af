"""What notebooks show of a mended mechanism, of a comparison, of several releases together, and of estimates."""

from collections.abc import Mapping

from mechdesign.exact.bounds import digits_above, double_above
from mechdesign.graph.labels import Label
from mechdesign.mender.mended import Mended
from mechdesign.objective.parsed_loss import kind_of
from mechdesign.release.composition import Composition
from mechdesign.release.estimates import Estimate, Estimates
from mechdesign.report.page.numbers import allowed, at_least, at_most, ends
from mechdesign.show.blocks import Block, Table, Text
from mechdesign.words import counted

MOST_TABLES, MOST_LINES, MOST_REMARKS = 6, 20, 5
"""Tables of a result, lines of each, and remarks, that are shown."""
ROUNDED = ["what", "number", "how it is rounded"]
BOUNDS = ["what", "at least (rounded down)", "at most (rounded up)"]


def of_mended(value: Mended) -> list[Block]:
    """Return how far a mended mechanism is from the one given, how private both are, and which rows change."""
    asked = f"epsilon {allowed(value.epsilon)}, delta {allowed(value.delta)}"
    blocks: list[Block] = [Text(f"Private at {asked} on {value.asked.said(value.after.protected)}.")]
    if value.warning is not None:
        blocks.append(Text(value.warning, "note"))
    if value.unchanged:
        blocks.append(Text("It was private already: nothing is changed.", "good"))
    which = "Mean" if value.objective.additive else "Largest"
    distance = kind_of(value.objective.loss).distance
    distances = [
        ["this mechanism", at_most(value.value), "rounded up"],
        ["no private one is nearer than", at_least(value.bound), "rounded down"],
        ["gap, at most", digits_above(value.value - value.bound, 3), "rounded up"],
    ]
    blocks.append(Table(f"{which} {distance} from the given rows", ROUNDED, distances))
    verdicts = value.before, value.after
    private = [
        ["epsilon to ask for", *(double_above(one.epsilon[1]) for one in verdicts)],
        ["delta", *(double_above(one.delta[1]) for one in verdicts)],
    ]
    blocks.append(Table("What is tight (rounded up)", ["what", "before", "after"], private))
    changed = sorted((change for change in value.changes.items() if change[1]), key=lambda change: -change[1])
    if changed:
        rows = [[str(profile), at_most(far)] for profile, far in changed[:MOST_LINES]]
        caption = f"Rows that change: {len(changed)} of {len(value.changes)}"
        blocks.append(Table(caption, ["row", "distance (rounded up)"], rows, note=_first(MOST_LINES, len(changed))))
    return blocks


def of_composition(value: Composition) -> list[Block]:
    """Return which epsilon several releases satisfy together."""
    delta = allowed(value.delta)
    if value.worst is None:
        return [Text("There are no links, so nobody is protected.", "note")]
    blocks: list[Block] = [
        Text(f"{counted(value.releases, 'release')} together, each of new data, at delta {delta} of all of them."),
        Text(f"The links are {value.protected.words()}."),
    ]
    if value.claimed is not None:
        holds = "satisfies" if value.private else "does NOT satisfy"
        said = f"Each release {holds} the epsilon that is claimed of it, {allowed(value.claimed)}."
        blocks.append(Text(said, "good" if value.private else "bad"))
    about = "" if value.exact else "The lower end is that of an approximation; the upper end is proved. "
    worst = f"The epsilon is largest for {value.worst[0]} against {value.worst[1]}."
    rows = [["epsilon to ask for", *ends(value.epsilon)], ["by basic composition", *ends(value.basic)]]
    return [*blocks, Table("What all releases satisfy together", BOUNDS, rows, note=f"{about}{worst}")]


def of_estimates(value: Estimates) -> list[Block]:
    """Return the shares of the first profiles."""
    whom = "the rows at hand" if value.these_rows else "the population they were drawn from"
    blocks: list[Block] = [
        Text(f"Shares estimated from {counted(sum(value.rows.values()), 'row')}; intervals of 95 % for {whom}.")
    ]
    blocks += [Text(remark, "note") for remark in value.remarks[:MOST_REMARKS]]
    if len(value.remarks) > MOST_REMARKS:
        blocks.append(Text(_first(MOST_REMARKS, len(value.remarks), "remarks"), "note"))
    for profile, shares in list(value.profiles.items())[:MOST_TABLES]:
        blocks.append(_shares(f"{profile} ({counted(value.rows[profile], 'row')})", shares))
    if len(value.profiles) > MOST_TABLES:
        blocks.append(Text(f"{_first(MOST_TABLES, len(value.profiles), 'profiles')} to_frame lists all."))
    return blocks


def _shares(caption: str, shares: Mapping[Label, Estimate]) -> Table:
    headings = ["category", "estimate", "unbiased", "standard error", "from", "to", "what these are"]
    rows = []
    for category, one in list(shares.items())[:MOST_LINES]:
        numbers = [one.estimate, one.unbiased, one.se, one.low, one.high]
        cells = ["not determined" if number is None else f"{number:.4f}" for number in numbers]
        rows.append([str(category), *cells, "bounds" if one.bounded else "interval"])
    note = f"Rounded to four decimal places. {_first(MOST_LINES, len(shares), 'categories')}".strip()
    return Table(caption, headings, rows, note=note)


def _first(most: int, everything: int, what: str = "rows") -> str:
    """Say that not all is shown, if it is not."""
    return f"The first {most} of {everything} {what}." if everything > most else ""
