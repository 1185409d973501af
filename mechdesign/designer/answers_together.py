"""Many small components solved, made exact and proved together: as one problem, of which each is a part."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from mechdesign.certificate.bound import proved
from mechdesign.designer.component import Answer, Component
from mechdesign.rounding.exact_rows import as_good, rows_of_parts
from mechdesign.rounding.realise import ENTRIES, NoisyRows
from mechdesign.solver.stopping import Until
from mechdesign.solver.together import Both, solve_together, suited_together
from mechdesign.stopwatch import Stopwatch, announce

WAY = "pairs that decide; projection"


def answers_together(parts: Sequence[Component], until: Until) -> list[Answer | None]:
    """Return what is found together for components without classes; None for those that go the way they would alone."""
    problems = [part.problem for part in parts]
    chosen = suited_together(problems, lambda i: parts[i].remap is None and parts[i].by_classes is None)
    if not chosen:
        return [None] * len(parts)
    both = zip(chosen, solve_together([parts[i].problem for i in chosen], until.over), strict=True)
    found, timed = {i: one for i, one in both if one is not None}, Stopwatch()
    with timed("repair"):
        good = {i: one for some in _blocks(parts, list(found)) for i, one in _exact(parts, found, some)}
    with timed("bound"):
        answers = _proved(parts, found, good)
    for i in list(answers)[:1]:
        answers[i] = replace(answers[i], seconds=answers[i].seconds | timed.seconds)
    return [answers.get(i) for i in range(len(parts))]


def _blocks(parts: Sequence[Component], chosen: Sequence[int]) -> Iterator[list[int]]:
    """Yield those chosen, so many at a time that their plans have no more than `ENTRIES` entries in all."""
    some, size = list[int](), 0
    for i in chosen:
        entries = parts[i].problem.profiles.size * parts[i].problem.outputs
        if some and size + entries > ENTRIES:
            yield some
            some, size = [], 0
        some, size = [*some, i], size + entries
    if some:
        yield some


def _exact(
    parts: Sequence[Component], found: Mapping[int, Both], some: Sequence[int]
) -> Iterator[tuple[int, tuple[float, NoisyRows]]]:
    """Yield exact rows, after their value, of those of these components whose rows are as good as their optimum."""
    made = rows_of_parts([parts[i].problem for i in some], [found[i].released for i in some])
    if isinstance(made, str):
        announce(f"solve {len(some)} components one by one: {made}")
        return
    for i, (value, rows) in zip(some, made, strict=True):
        if as_good(value, found[i].optimum.value):
            yield i, (value, rows)


def _proved(
    parts: Sequence[Component], found: Mapping[int, Both], good: Mapping[int, tuple[float, NoisyRows]]
) -> dict[int, Answer]:
    """Return the answers, the largest value first, with bounds proved until no other can have a larger one.

    A bound is no more than the value, and of the largest entry of all components that of the largest bound alone is
    asked for: of the others nothing is proved.
    """
    answers: dict[int, Answer] = {}
    best = nothing = proved(parts[0].problem, None, parts[0].prior)
    for i in sorted(good, key=lambda i: -good[i][0]):
        (value, rows), (optimum, _, seconds) = good[i], found[i]
        proof = nothing
        if value > float(best.least):
            proof = proved(parts[i].problem, optimum.multipliers(), parts[i].prior)
            best = max(best, proof, key=attrgetter("least"))
        answers[i] = Answer(rows, proof, True, True, value, {"canonical": seconds}, way=WAY)
    return answers
