"""Integer transport plans: how the mass of each category moves so that just the wanted distribution is released.

`supply` and `demand` are integers of the same total. A plan is a table of integers >= 0 whose row sums are the supply
and whose column sums are the demand; row x of it is then row x of the mechanism.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, TypeVar

import numpy as np

from mechdesign.arrays import Exact, Floats

Weight = TypeVar("Weight", int, float)

PLAN_TOLERANCE = 1e-10
"""Errors that HiGHS may leave in the cheapest plan: the least that it allows."""

MUCH = 1e6
"""Categories with so many times what must move may give what they like: nothing near it ever goes by one of them."""

Plan: TypeAlias = Exact


def matched(supply: Sequence[Weight], demand: Sequence[Weight]) -> Iterator[tuple[int, int, Weight]]:
    """Yield (source, sink, how much): each source goes to the first sinks that are not filled yet.

    Of two lists of integers of one total, all is matched; of doubles, what rounding leaves over is not.

    Examples
    --------
    >>> list(matched([3, 0, 1], [2, 2]))
    [(0, 0, 2), (0, 1, 1), (2, 1, 1)]
    """
    left, wanted = list(supply), list(demand)
    x = y = 0
    while x < len(left) and y < len(wanted):
        amount = min(left[x], wanted[y])
        if amount > 0:
            yield x, y, amount
        left[x] -= amount
        wanted[y] -= amount
        if left[x] <= wanted[y]:
            x += 1
        else:
            y += 1


def plan_each(supplies: Exact, demands: Exact, plan: Callable[[list[int], list[int]], Plan]) -> Exact:
    """Return the plans of many profiles, n x d x m, made one by one."""
    pairs = zip(supplies.tolist(), demands.tolist(), strict=True)
    return np.array([plan(supply, demand) for supply, demand in pairs], dtype=object)


def monotone(supply: Sequence[Weight], demand: Sequence[Weight], start: int = 0) -> Plan:
    """Return the plan that keeps the order of the mass: the cheapest for losses that count steps.

    The order begins at `start`, and goes on from the last place to the first.

    Examples
    --------
    >>> monotone([3, 1], [2, 2]).tolist()
    [[2, 1], [0, 1]]
    >>> monotone([0, 1, 1], [1, 1, 0], start=2).tolist()
    [[0, 0, 0], [0, 1, 0], [1, 0, 0]]
    """
    plan = np.zeros((len(supply), len(demand)), dtype=object)
    for x, y, moved in matched([*supply[start:], *supply[:start]], [*demand[start:], *demand[:start]]):
        plan[(x + start) % len(supply), (y + start) % len(demand)] += moved
    return plan


def proportional(supply: Sequence[int], demand: Sequence[int]) -> Plan:
    """Return the plan that keeps what it can in place and spreads each surplus over the deficits in proportion.

    It moves the least mass, so it is the cheapest for the Hamming loss.

    Examples
    --------
    >>> proportional([6, 2, 2], [4, 3, 3]).tolist()
    [[4, 1, 1], [0, 2, 0], [0, 0, 2]]
    """
    plan = np.zeros((len(supply), len(demand)), dtype=object)
    kept = [min(here, there) for here, there in zip(supply, demand, strict=True)]
    wanted = [there - stay for there, stay in zip(demand, kept, strict=True)]
    for x, stay in enumerate(kept):
        plan[x, x] = stay
        surplus = supply[x] - stay
        if surplus:
            shares = _apportion(surplus, wanted)
            plan[x] += np.array(shares, dtype=object)
            wanted = [want - share for want, share in zip(wanted, shares, strict=True)]
    return plan


def _apportion(amount: int, wanted: Sequence[int]) -> list[int]:
    """Split `amount` in proportion to `wanted`, no share above what is wanted."""
    total = sum(wanted)
    shares = [amount * want // total for want in wanted]
    rest = amount - sum(shares)
    by_remainder = sorted(range(len(wanted)), key=lambda y: (-(amount * wanted[y] % total), y))
    for y in by_remainder[:rest]:
        shares[y] += 1
    return shares


def cheapest(supply: Sequence[int], demand: Sequence[int], loss: Floats) -> Plan:
    """Return a plan of nearly the least total loss, of any table d x m, for a supply of which most can stay.

    Mass stays at its category's output of least loss, unless it is moved. The linear program has the moves alone, in
    units of what must move: so its errors are a share of that, however little it is. To an output as much comes as goes
    from there, but for the change; and of a category no more goes than it has.

    Examples
    --------
    >>> squares = np.array([[abs(x - y) ** 2 for y in range(3)] for x in range(3)], dtype=float)
    >>> cheapest([10**20, 10**20, 10**20], [10**20 - 1, 10**20, 10**20 + 1], squares).tolist()[0]
    [99999999999999999999, 1, 0]
    """
    stays = _stays(loss)
    plan, left, wanted = np.zeros(loss.shape, dtype=object), list(supply), list(demand)
    for a, b, amount in _moves(supply, demand, loss, stays):
        plan[a, b] = min(amount, left[a], wanted[b])
        left[a] -= plan[a, b]
        wanted[b] -= plan[a, b]
    for a, b in enumerate(stays):
        kept = min(left[a], wanted[b])
        plan[a, b] += kept
        left[a] -= kept
        wanted[b] -= kept
    return np.array(plan + monotone(left, wanted), dtype=object)


def _stays(loss: Floats) -> list[int]:
    """Return each category's output of least loss: itself, where it is one."""
    own = np.diagonal(loss)
    least = loss.argmin(axis=1)
    least[: len(own)] = np.where(own == loss.min(axis=1)[: len(own)], np.arange(len(own)), least[: len(own)])
    return [int(y) for y in least]


def _moves(
    supply: Sequence[int], demand: Sequence[int], loss: Floats, stays: Sequence[int]
) -> list[tuple[int, int, int]]:
    """Return the cheapest moves (category, output, amount) from where mass stays; none if the program has no answer."""
    from scipy.optimize import linprog  # loads slowly

    d, m = loss.shape
    change = list(demand)
    for here, y in zip(supply, stays, strict=True):
        change[y] -= here
    moved = sum(max(more, 0) for more in change)
    if not moved:
        return []
    home = np.array(stays)
    source, output = np.nonzero((home[:, None] != np.arange(m)) & (np.array(supply, dtype=object) > 0)[:, None])
    gone = np.equal.outer(np.arange(d), source).astype(float)
    net = np.equal.outer(np.arange(m), output).astype(float) - np.equal.outer(np.arange(m), home[source])
    found = linprog(
        loss[source, output] - loss[source, home[source]],
        A_ub=gone,
        b_ub=np.array([min(here / moved, MUCH) for here in supply]),
        A_eq=net[:-1],
        b_eq=np.array([more / moved for more in change[:-1]]),
        method="highs-ds",
        options={"primal_feasibility_tolerance": PLAN_TOLERANCE, "dual_feasibility_tolerance": PLAN_TOLERANCE},
    )
    amounts = [] if found.x is None else [max(_nearest(share, moved), 0) for share in found.x.tolist()]
    return list(zip(source.tolist(), output.tolist(), amounts, strict=False))


def _nearest(share: float, total: int) -> int:
    """Return the integer nearest to a share of a total: a cheapest plan's entries are integers, known in doubles."""
    part, unit = share.as_integer_ratio()
    return (2 * part * total + unit) // (2 * unit)
