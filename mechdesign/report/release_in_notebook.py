"""What notebooks show of a mended mechanism, of a comparison, of several releases together, and of estimates."""

from collections.abc import Mapping

from mechdesign.graph.labels import Label
from mechdesign.release.estimates import Estimate, Estimates
from mechdesign.show.blocks import Block, Table, Text
from mechdesign.words import counted

MOST_TABLES, MOST_LINES, MOST_REMARKS = 6, 20, 5
"""Tables of a result, lines of each, and remarks, that are shown."""
ROUNDED = ["what", "number", "how it is rounded"]
BOUNDS = ["what", "at least (rounded down)", "at most (rounded up)"]


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
