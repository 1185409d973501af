"""What decides whether a target of `targets.py` is met."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mechdesign.bench.bench_answer import growths
from mechdesign.bench.outcome import Ending, Measurement
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


def within(*seconds: float, memory: float | None = None, gap: float | None = None, than: str = "") -> Judge:
    """Return the judge of rows that may take so many seconds each, none more MiB or with a larger certified gap.

    What else was run is told. Where it is the method `than`, it must have taken longer on the same problem.
    """

    def judge(rows: Sequence[Measurement]) -> Judgement:
        own, others = rows[: len(seconds)], rows[len(seconds) :]
        if not all(row.done for row in own):
            return _not_done(own)
        words = [f"{row.seconds:.3g} s" for row in own]
        met = all((row.seconds or 0.0) <= limit for row, limit in zip(own, seconds, strict=True))
        used = [row.memory for row in own if row.memory is not None]
        if memory is not None and used:
            words.append(f"{max(used) / GIB:.2f} GiB")
            met &= max(used) <= memory
        if gap is not None:
            gaps = [math.inf if row.excess is None else row.excess for row in own]
            words.append("gap not proved" if max(gaps) == math.inf else f"gap {max(gaps):.1e}")
            met &= max(gaps) <= gap
        words += [f"{_named(row)}: {_in_words(row)}" for row in others]
        slower = [_slower(row, own) for row in others if row.run.method == than]
        undecided = met and False not in slower and None in slower
        return Judgement("; ".join(words), None if undecided else met and False not in slower)

    return judge


def _named(row: Measurement) -> str:
    return f"{row.run.method} {'' if row.run.delta == '0' else f'delta {row.run.delta}'}{row.run.objective}".strip()


def _slower(peer: Measurement, own: Sequence[Measurement]) -> bool | None:
    """Return whether a peer took longer than we did on the same problem; None if it gave no answer."""
    ours = next(row.seconds or 0.0 for row in own if row.run.case == peer.run.case)
    if peer.outcome == Ending.TIMED_OUT:
        return (peer.limit or 0.0) >= ours or None
    return (peer.seconds or 0.0) > ours if peer.done else None


def grows(at_most: float) -> Judge:
    """Return the judge of rows at several sizes: the exponent of their seconds, for each family."""

    def judge(rows: Sequence[Measurement]) -> Judgement:
        if not all(row.done for row in rows):
            return _not_done(rows)
        found, first = growths(rows), {one.family: one for one in growths(rows, Measurement.first_stage)}
        words = [
            f"{one.family}: exponent {one.exponent:.2f} (first stage {first[one.family].exponent:.2f})"
            f" for k = {one.profiles[0]}..{one.profiles[-1]}"
            for one in found
        ]
        return Judgement("; ".join(words), all(one.exponent <= at_most for one in found))

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
