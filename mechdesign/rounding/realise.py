"""Exact rows: what is released is repaired before, then each profile's mass moves there by integer plans."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Floats, Integers
from mechdesign.exact.integers import shortened, shortest
from mechdesign.graph.distribution import support
from mechdesign.privacy.cover import violated
from mechdesign.privacy.released import Released, mixed
from mechdesign.problem import Problem

ENTRIES = 2**17
"""So many entries of plans are looked at together: their tables stay in a processor's cache."""

Block: TypeAlias = tuple[Integers, Exact | Integers]
"""Pairs (profile, category), and a row of weights for each."""


@dataclass(frozen=True, eq=False)
class NoisyRows:
    """Rows of integer weights, and who uses which: `profiles` at `categories` the rows of these `numbers`.

    The table is in 64 bits where that holds each total, which is 2^62 at most.
    """

    profiles: Integers
    categories: Integers
    numbers: Integers
    table: Exact | Integers

    @classmethod
    def of_each(cls, users: Sequence[tuple[int, int]] | Integers, table: Exact | Integers) -> "NoisyRows":
        """Return rows of which each has one user, a profile and a category."""
        profiles, categories = np.array(users, dtype=np.int64).reshape(-1, 2).T
        return cls(profiles, categories, np.arange(len(table)), table)

    def __len__(self) -> int:
        return len(self.profiles)


NO_ROWS = NoisyRows.of_each([], np.array([], dtype=np.int64))
"""Where every category keeps its free output, or nothing is found."""


def realised(problem: Problem, released: Sequence[Released]) -> list[NoisyRows]:
    """Return for each part, by positions in it, rows through which its profiles release this, nearly or just so.

    By the transport plans that are cheapest for the objective. Rows of totals above 2^62 are rounded to that total, and
    all of a part kept in 64 bits, if what is released then is still private; else they are as long as it takes.
    """
    of, found, short, changed = problem.part_of, list(released), list[Block](), False
    planned = partial(_planned, problem, released, _levels(problem, released))
    kept = list(planned()) if problem.profiles.size * problem.outputs <= ENTRIES else None
    for users, weights in kept or planned():
        table, rounded = shortened(weights)
        short.append((users, table))
        if rounded:
            changed = True
            _release(problem, users, table, found)
    broken = _broken(problem, found) if changed else np.zeros(problem.parts, dtype=bool)
    long = []
    for users, weights in (kept or planned()) if broken.any() else ():
        chosen = broken[of[users[:, 0]]]
        long.append((users[chosen], shortest(weights[chosen])))
    return [_of_part(long if broken[part] else short, of == part) for part in range(problem.parts)]


def _levels(problem: Problem, released: Sequence[Released]) -> Floats:
    """Return for each profile the level that plans of its part keep to."""
    if all(len(support(masses)) == 1 for masses in problem.exact):  # these have one plan, at any level
        return np.zeros(len(problem.exact))
    shares = np.array([one.doubles for one in released])
    return problem.objective.levels(problem.profiles, shares, problem.part_of)


def _broken(problem: Problem, found: Sequence[Released]) -> npt.NDArray[np.bool_]:
    """Return which parts are not private, or do not keep the shares, once their rows are rounded."""
    broken = np.full(problem.parts, problem.kept is not None)
    for i in () if broken.all() else violated(found, problem.cover):
        broken[problem.part_of[i]] = True
    return broken


def _of_part(blocks: Sequence[Block], inside: npt.NDArray[np.bool_]) -> NoisyRows:
    chosen = [(users, table, inside[users[:, 0]]) for users, table in blocks]
    users = np.concatenate([users[here] for users, _, here in chosen])
    users[:, 0] -= inside.argmax()
    return NoisyRows.of_each(users, np.concatenate([table[here] for _, table, here in chosen]))


def _planned(problem: Problem, released: Sequence[Released], levels: Floats) -> Iterator[tuple[Integers, Exact]]:
    """Yield (profile, category) and rows of weights, of whole profiles and of some thousands of entries at a time."""
    counts, units = problem.counts
    possible = counts > 0
    many = np.count_nonzero(possible, axis=1) > 1
    for some in _blocks(np.flatnonzero(~many), problem.outputs):
        demands = np.array([released[i].weights for i in some], dtype=object)
        yield np.stack([some, possible[some].argmax(axis=1)], axis=1), demands
    for some in _blocks(np.flatnonzero(many), problem.outputs * counts.shape[1]):
        supplies = counts[some] * np.array([[released[i].total // units[i]] for i in some], dtype=object)
        demands = np.array([released[i].weights for i in some], dtype=object)
        plans = problem.objective.plans(problem, supplies, demands, levels[some])
        place, x = np.nonzero(possible[some])
        yield np.stack([some[place], x], axis=1), plans[place, x]


def _blocks(profiles: Integers, entries: int) -> Iterator[Integers]:
    size = max(1, ENTRIES // entries)
    return (profiles[start : start + size] for start in range(0, len(profiles), size))


def _release(problem: Problem, users: Integers, table: Integers, found: list[Released]) -> None:
    """Put down what the profiles of these rows release through them, exactly."""
    counts, units = problem.counts
    some, first, place = np.unique(users[:, 0], return_index=True, return_inverse=True)
    slot = np.arange(len(users)) - first[place]
    masses = np.zeros((len(some), slot.max() + 1), dtype=object)
    rows = np.zeros((*masses.shape, table.shape[1]), dtype=object)
    masses[place, slot], rows[place, slot] = counts[users[:, 0], users[:, 1]], table
    over = np.array([[units[i]] for i in some], dtype=object)
    for i, one in zip(some.tolist(), mixed(masses, over, rows), strict=True):
        found[i] = one


def reached(problem: Problem, rows: NoisyRows) -> float:
    """Return the component's objective with these rows, in doubles, over the problem's `loss_unit`."""
    shares = (rows.table / rows.table.sum(axis=1, keepdims=True)).astype(np.float64)
    return problem.objective.reached(problem, rows.profiles, rows.categories, shares[rows.numbers])
