"""What `mechdesign audit laplace` prints for people."""

import math

from rich.console import Console
from rich.table import Table

from mechdesign.audit.auditor import Audit
from mechdesign.audit.grid import MOST_POINTS, OnGrid
from mechdesign.audit.neighbours import LEVEL
from mechdesign.audit.remedy import Mended
from mechdesign.exact.bounds import decimal_above, decimal_below
from mechdesign.exact.text import short
from mechdesign.show.terminal import table, table_of
from mechdesign.words import counted

LONGEST = 10
"""As many records are shown; --json has them all."""


def print_audit(out: Console, where: str, audit: Audit, best: OnGrid | None) -> None:
    """Print an audit for people."""
    answer, scale, response = (short(part) for part in (audit.answer, audit.scale, audit.response))
    out.print(f"{where}: {counted(audit.n, 'record')}; the {audit.query}, epsilon {short(audit.epsilon)}")
    out.print(audit.sentence())
    out.print(f"\nAnswer {answer}, noise of scale {scale}; p1 = P(noisy answer >= {response}) = {audit.p1:.4g}.\n")
    out.print(_records_table(audit))
    are = "is" if audit.n == LONGEST + 1 else "are"
    rest = f" {counted(audit.n - LONGEST, 'more row')} {are} not worse than these."
    more = rest if audit.n > LONGEST else ""
    out.print(f"The provider computes with the scale of all records, the intruder with that of the records left.{more}")
    if any(_inferred(audit, i) for i in _shown(audit)):
        out.print(
            f"So the record is: what moves the answer to the {LEVEL:.2%} quantile of the intruder's law (at most: the "
            f"{1 - LEVEL:.2%} one), beyond which the noisy answer {response} lies."
        )
    if audit.mended is not None:
        _print_mended(out, audit.mended)
    if best is not None:
        _print_grid(out, best)


def _records_table(audit: Audit) -> Table:
    found = audit.records
    headings = "answer", "scale", "p2", "p3", "p1/p2 provider", "p1/p3 intruder", "delta", "so the record is"
    columns = found.scales, found.p2, found.p3, found.ratio_provider, found.ratio_intruder, found.delta
    lines = []
    for i in _shown(audit):
        cells = (f"{column[i]:.4g}" for column in columns)
        lines.append([str(i + 1), short(found.answers[i]), *cells, _inferred(audit, i)])
    return table_of("Without one record, the worst first", ["row", *headings], lines)


def _shown(audit: Audit) -> list[int]:
    return [int(i) for i in audit.records.worst_first()[:LONGEST]]


def _inferred(audit: Audit, i: int) -> str:
    record = audit.records.inferred[i]
    if math.isnan(record):
        return ""
    return f"{'at least' if audit.response > audit.records.answers[i] else 'at most'} {record:.5g}"


def _print_mended(out: Console, mended: Mended) -> None:
    low, high = (short(bound) for bound in mended.bounds)
    rows = table(f"Mended: records clipped to [{low}, {high}]", "released", "answer", "noise of scale", "epsilon")
    for who, part in [("public", mended.public), *(("private", part) for part in mended.private_count)]:
        rows.add_row(f"n {who}: {part.what}", *(short(number) for number in (part.answer, part.scale, part.epsilon)))
    out.print()
    out.print(rows)
    out.print(
        f"delta {mended.delta:g}, whatever the data; clipping moves the {mended.public.what} by {short(mended.bias)}."
    )


def _print_grid(out: Console, best: OnGrid) -> None:
    title = f"Expected absolute error, on a grid of {len(best.values)} answers, {short(best.step)} apart"
    rows = table(title, "", "mean over the grid", "mean over all answers")
    rows.add_row(
        "best mechanism that sees the answer rounded", decimal_above(best.error, 6), decimal_above(best.rounded, 6)
    )
    rows.add_row("no private one that sees it rounded is below", decimal_below(best.bound, 6), "")
    rows.add_row("Laplace noise", short(best.laplace), short(best.laplace))
    rows.add_row("Laplace noise, clamped to the grid's ends", short(best.clamped), short(best.clamped_anywhere))
    out.print()
    out.print(rows)
    low, high = short(best.values[0]), short(best.values[-1])
    out.print(
        f"All answers: spread evenly over [{low}, {high}]; the best mechanism's error then includes that of rounding."
    )
    out.print(_about_rounding(best))


def _about_rounding(best: OnGrid) -> str:
    """Return what rounding costs in privacy, whether Laplace noise is better for it, and which grid to try."""
    apart, rounded = short(best.sensitivity), short(best.step * best.reach)
    words = [f"Neighbours' answers are up to {apart} apart, rounded to this grid up to {rounded}."]
    where = [" over the grid"] * (best.clamped < best.error) + [" over all answers"] * (
        best.clamped_anywhere < best.rounded
    )
    if where:
        words.append(f"Clamped Laplace noise, which sees the answer itself, is better here,{' and'.join(where)}.")
    points, fitting = len(best.values), best.fitting
    finer = [other for other in fitting if other > points]
    if points not in fitting and fitting:
        nearest = min(reversed(fitting), key=lambda other: abs(other - points))
        words.append(f"Take --grid {nearest}: its step divides {apart}.")
    elif points not in fitting:
        words.append(f"No step of at most {MOST_POINTS} answers divides {apart}.")
    elif where and finer:
        words.append(f"--grid {finer[0]} may do better.")
    return " ".join(words)
