"""What the results of the papers say to be printed, and what claimed."""

import re

from mechdesign.papers import Result

DIGITS = re.compile(r"\d+(\.\d+)?")


def stated(result: Result) -> tuple[int, int]:
    """Return how many rows are printed in the paper, all in digits, and how many are claimed there; none is both."""
    printed = [row for row in result.rows if row.published is not None]
    claimed = [row for row in result.rows if row.claimed is not None]
    assert all(isinstance(row.published, str) and DIGITS.fullmatch(row.published) for row in printed)
    assert not any(row in claimed for row in printed)
    return len(printed), len(claimed)
