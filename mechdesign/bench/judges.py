"""What decides whether a target is met."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mechdesign.bench.growth import growths
from mechdesign.bench.measurement import Ending, Measurement
from mechdesign.words import counted

GIB = 1024
"""In MiB."""


@dataclass(frozen=True)
class Judgement:
    """What was measured, in words, and whether the target is met; None if that could not be decided."""

    measured: str
    met: bool | None


Judge: TypeAlias = Callable[[Sequence[Measurement]], Judgement]


def ratio(at_least: float, *, first_stage: bool = True) -> Judge:
    """Return the judge of (a peer, ours): its seconds over ours, of the first stage or in all."""

    def judge(rows: Sequence[Measurement]) -> Judgement:
        peer, own = rows
        if not own.done or peer.outcome not in (Ending.DONE, Ending.TIMED_OUT):
            return _not_done(rows, met=None if own.done else False)
        ours, theirs = (row.first_stage() if first_stage else row.seconds or 0.0 for row in (own, peer))
        late = peer.outcome == Ending.TIMED_OUT
        theirs = peer.limit or 0.0 if late else theirs
        words = f"{'more than ' * late}{theirs:.3g} s / {ours:.3g} s = {theirs / ours:.3g}"
        if first_stage:
            words += f"; exact and proved after {own.seconds:.3g} s"
        return Judgement(words, theirs / ours >= at_least or (None if late else False))

    return judge


def within(*seconds: float, memory: float | None = None, gap: float | None = None) -> Judge:
    """Return the judge of rows that may take so many seconds each; the first so many MiB and such a certified gap."""

    def judge(rows: Sequence[Measurement]) -> Judgement:
        own, others = rows[: len(seconds)], rows[len(seconds) :]
        if not all(row.done for row in own):
            return _not_done(own)
        first = rows[0]
        words = [f"{row.seconds:.3g} s" for row in own]
        met = all((row.seconds or 0.0) <= limit for row, limit in zip(own, seconds, strict=True))
        if memory is not None and first.memory is not None:
            words.append(f"{first.memory / GIB:.2f} GiB")
            met &= first.memory <= memory
        if gap is not None:
            words.append("gap not proved" if first.excess is None else f"gap {first.excess:.1e}")
            met &= first.excess is not None and first.excess <= gap
        words += [f"{row.run.method}: {_in_words(row)}" for row in others]
        return Judgement("; ".join(words), met)

    return judge


def grows(at_most: float) -> Judge:
    """Return the judge of rows of one family at several sizes: the exponent of their seconds."""

    def judge(rows: Sequence[Measurement]) -> Judgement:
        if not all(row.done for row in rows):
            return _not_done(rows)
        (whole,), (first,) = growths(rows), growths(rows, Measurement.first_stage)
        k = whole.profiles
        words = f"exponent {whole.exponent:.2f} (first stage {first.exponent:.2f}) for k = {k[0]}..{k[-1]}"
        return Judgement(words, whole.exponent <= at_most)

    return judge


def proved(gap: float) -> Judge:
    """Return the judge of rows that must all have an accepted certificate and a gap no larger than this."""

    def judge(rows: Sequence[Measurement]) -> Judgement:
        if not all(row.done and row.excess is not None for row in rows):
            return _not_done(rows)
        checked = sum(row.certificate is not None for row in rows)
        largest = max(rows, key=lambda row: row.excess or 0.0)
        where = f"{largest.run.family} {largest.run.profiles} x {largest.run.categories}"
        words = f"largest {largest.excess:.1e} ({where}); {checked} of {counted(len(rows), 'certificate')} accepted"
        return Judgement(words, (largest.excess or 0.0) <= gap and checked == len(rows))

    return judge


def _not_done(rows: Sequence[Measurement], *, met: bool | None = False) -> Judgement:
    missing = [row for row in rows if not row.done]
    words = [f"{row.run.method} {row.run.profiles} x {row.run.categories}: {_in_words(row)}" for row in missing]
    return Judgement("; ".join(words), met)


def _in_words(row: Measurement) -> str:
    if not row.done:
        return f"{row.outcome}{f' ({row.words})' if row.words else ''}"
    return f"{row.seconds:.3g} s, true epsilon {row.true_epsilon!r}"
