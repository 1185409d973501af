"""Integer transport plans: how the mass of each category moves so that just the wanted distribution is released.

`supply` and `demand` are integers of the same total. A plan is a table of integers >= 0 whose row sums are the supply
and whose column sums are the demand; row x of it is then row x of the mechanism.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

import networkx as nx
import numpy as np
import numpy.typing as npt

from mechdesign.program.matching import matched

CAP_TOLERANCE = 1 + Fraction(1, 2**36)
"""By what factor a plan found in doubles may exceed its caps: where masses are tiny, doubles can be off by more. On a
ring of 50 profiles and 20 categories 3 plans need a maximum flow; with a factor of 1 it is all 50."""

FIRST_RAISE, LEAST_RAISE = Fraction(1, 2**40), Fraction(1, 2**60)
"""Where a maximum flow does not carry everything, the cap is raised by this share of it, by twice as much each time;
and by no less than the second, so that a cap of 0 grows too."""

NO_CAP, NO_ROOM = 1e-200, 1e-300
"""Caps and sums of caps that doubles cannot be divided by; they help no deficit. Design
"bell 12 0.5 30 max-off-diagonal none" has such."""

FILLED = 1e-15
"""A deficit of less than this share of all mass is none. With 0 in its place 33 of those 50 plans need a flow."""

ROUNDED = 1e-10
"""By what share of its cap a category may give or keep too much, in doubles; `fitted` makes the plan exact. With 0 in
its place 20 of those 50 plans need a flow."""

PLAN_TOLERANCE = 1e-10
"""Errors that HiGHS may leave in the cheapest plan: the least that it allows."""

MUCH = 1e6
"""Categories with so many times what must move may give what they like: nothing near it ever goes by one of them."""

Plan = npt.NDArray[np.object_]


def monotone(supply: Sequence[int], demand: Sequence[int]) -> Plan:
    """Return the plan that keeps the order of the mass: the cheapest for the absolute loss.

    Examples
    --------
    >>> monotone([3, 1], [2, 2]).tolist()
    [[2, 1], [0, 1]]
    """
    plan = np.zeros((len(supply), len(demand)), dtype=object)
    for x, y, moved in matched(supply, demand):
        plan[x, y] += moved
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


def capped(supply: Sequence[int], demand: Sequence[int], level: float) -> Plan:
    """Return a plan that moves at most about the share `level` of each category to each other one.

    It is the proportional plan where that respects the cap; otherwise one found by `_in_turn`, in doubles; otherwise a
    maximum flow in integers, which takes much longer, with the cap raised until it carries everything.
    """
    plan = proportional(supply, demand)
    if _respects(plan, [math.ceil(Fraction(level) * here) for here in supply]):
        return plan
    if (shares := _in_turn(supply, demand, level)) is not None:
        plan = fitted(shares, supply, demand)
        if _respects(plan, [math.ceil(Fraction(level) * here * CAP_TOLERANCE) for here in supply]):
            return plan
    cap, more = Fraction(level), FIRST_RAISE
    while more <= 1:
        flow = _flow(supply, demand, [math.ceil(cap * here) for here in supply])
        if flow is not None:
            return flow
        cap, more = cap * (1 + more) + LEAST_RAISE, 2 * more
    return plan


def _respects(plan: Plan, caps: Sequence[int]) -> bool:
    return all(entry <= cap for x, cap in enumerate(caps) for y, entry in enumerate(plan[x]) if x != y)


def _in_turn(supply: Sequence[int], demand: Sequence[int], level: float) -> npt.NDArray[np.float64] | None:
    """Return a plan as shares of the total that moves at most `level` of each category to each other one, or None.

    The cap of a category is `level` times its mass: what it may give to each other one. Its surplus, counted in caps,
    is how many others it has to give to at least. Deficits are filled one after the other, in each step that which is
    the largest share of all the others' caps together, the most that it could be given. It is filled by the categories
    with the largest surplus, counted in caps, so that those that give less than their cap are left with equal ones. A
    surplus may fall below zero: this category is then a deficit itself, and passes on what it is given later. One that
    has been filled gives nothing any more.

    This is a heuristic: it may find no plan where there is one. At 50 categories it takes a twelfth of the time of a
    maximum flow (1.5 ms and 19 ms), and there is a plan for each profile.
    """
    before, after = (np.array([mass / sum(supply) for mass in side]) for side in (supply, demand))
    shares = np.zeros((len(before), len(before)))
    caps, spare = level * before, before - after
    giving = caps > NO_CAP  # less does not help anybody, and cannot be divided by
    while (spare < -FILLED).any():
        room = np.maximum(caps[giving].sum() - np.where(giving, caps, 0.0), NO_ROOM)
        y = int((-spare / room).argmax())
        givers = giving.copy()
        givers[y] = False
        if -spare[y] > room[y] * (1 + ROUNDED):
            return None
        units = spare[givers] / caps[givers]
        taken = np.clip(units - _common_level(units, caps[givers], -spare[y]), 0.0, 1.0) * caps[givers]
        shares[givers, y] += taken
        spare[givers] -= taken
        spare[y] = 0.0
        giving[y] = False
    np.fill_diagonal(shares, np.maximum(before - shares.sum(axis=1), 0.0))
    return shares if spare.max(initial=0.0) <= ROUNDED * level else None


def _common_level(units: npt.NDArray[np.float64], caps: npt.NDArray[np.float64], wanted: float) -> float:
    """Return the z with sum_x caps_x clip(units_x - z, 0, 1) = wanted: the sum falls, linear between the kinks."""
    kinks = np.sort(np.concatenate([units, units - 1.0]))
    taken = np.clip(units - kinks[:, None], 0.0, 1.0) @ caps
    return float(np.interp(-wanted, -taken, kinks))


def _flow(supply: Sequence[int], demand: Sequence[int], caps: Sequence[int]) -> Plan | None:
    """Return a plan with row x's moves capped by `caps[x]`; None if there is none.

    A category may pass on what it is given, but in all it must not give more than its own mass. Lemma: at an optimum it
    never does. The least t that is private is at most 1/d, since reporting each of the d categories equally often is
    private; so a category gives at most t of its mass to each of d - 1 others, less than all of it.
    """
    network = nx.DiGraph()
    network.add_nodes_from(("source", "sink"))
    change = [there - here for here, there in zip(supply, demand, strict=True)]
    for x, gain in enumerate(change):
        if gain < 0:
            network.add_edge("source", x, capacity=-gain)
        if gain > 0:
            network.add_edge(x, "sink", capacity=gain)
        for y in range(len(change)):
            if x != y and caps[x]:
                network.add_edge(x, y, capacity=caps[x])
    value, flow = nx.maximum_flow(network, "source", "sink", flow_func=nx.algorithms.flow.shortest_augmenting_path)
    if value < sum(gain for gain in change if gain > 0):
        return None
    plan = np.zeros((len(supply), len(demand)), dtype=object)
    for x, here in enumerate(supply):
        for y, moved in flow.get(x, {}).items():
            if y != "sink":
                plan[x, y] = moved
        plan[x, x] = here - sum(plan[x])
    return plan if all(plan[x, x] >= 0 for x in range(len(supply))) else None


def cheapest(supply: Sequence[int], demand: Sequence[int], loss: npt.NDArray[np.float64]) -> Plan:
    """Return a plan of nearly the least total loss: a linear program's, fitted to the integers."""
    from scipy.optimize import linprog  # loads slowly

    used = [x for x, here in enumerate(supply) if here]
    total = sum(supply)
    share = np.array([supply[x] / total for x in used])
    wanted = np.array([there / total for there in demand])
    m = len(demand)
    rows = np.kron(np.eye(len(used)), np.ones((1, m)))
    columns = np.kron(np.ones((1, len(used))), np.eye(m))
    sums, totals = np.vstack([rows, columns[:-1]]), np.concatenate([share, wanted[:-1]])
    accuracy = {"primal_feasibility_tolerance": PLAN_TOLERANCE, "dual_feasibility_tolerance": PLAN_TOLERANCE}
    found = linprog(loss[used].ravel(), A_eq=sums, b_eq=totals, method="highs-ds", options=accuracy)
    guess = np.zeros((len(supply), m)) if found.x is None else _spread(found.x.reshape(len(used), m), used, len(supply))
    return fitted(guess, supply, demand)


def cheapest_change(supply: Sequence[int], demand: Sequence[int], loss: npt.NDArray[np.float64]) -> Plan:
    """Return a plan of nearly the least total loss where most stays, as the loss of staying is 0.

    The linear program has the moves alone, z_xy for x != y, in units of what must move: so its errors are a share of
    that, however little it is. In a category as much comes as goes, but for the change; and no more goes than is there.

    Examples
    --------
    >>> squares = np.array([[abs(x - y) ** 2 for y in range(3)] for x in range(3)], dtype=float)
    >>> cheapest_change([10**20, 10**20, 10**20], [10**20 - 1, 10**20, 10**20 + 1], squares).tolist()[0]
    [99999999999999999999, 1, 0]
    """
    from scipy.optimize import linprog  # loads slowly

    m = len(supply)
    x, y = np.nonzero(~np.eye(m, dtype=bool) & (np.array(supply, dtype=object) > 0)[:, None])
    moved = sum(max(there - here, 0) for here, there in zip(supply, demand, strict=True))
    if not moved:
        return np.diag(np.array(supply, dtype=object))
    gone = np.equal.outer(np.arange(m), x).astype(float)
    change = np.array([(there - here) / moved for here, there in zip(supply, demand, strict=True)])
    most = np.array([min(here / moved, MUCH) for here in supply])
    accuracy = {"primal_feasibility_tolerance": PLAN_TOLERANCE, "dual_feasibility_tolerance": PLAN_TOLERANCE}
    come = np.equal.outer(np.arange(m), y).astype(float)
    found = linprog(
        loss[x, y], A_ub=gone, b_ub=most, A_eq=(come - gone)[:-1], b_eq=change[:-1], method="highs-ds", options=accuracy
    )
    plan, left, wanted = np.zeros((m, m), dtype=object), list(supply), list(demand)
    for a, b, share in zip(x.tolist(), y.tolist(), [] if found.x is None else found.x.tolist(), strict=False):
        part, unit = share.as_integer_ratio()
        plan[a, b] = min(max((2 * part * moved + unit) // (2 * unit), 0), left[a], wanted[b])
        left[a] -= plan[a, b]
        wanted[b] -= plan[a, b]
    for a, here in enumerate(left):
        plan[a, a] = min(here, wanted[a])
        left[a], wanted[a] = here - plan[a, a], wanted[a] - plan[a, a]
    return np.array(plan + monotone(left, wanted), dtype=object)


def _spread(table: npt.NDArray[np.float64], used: Sequence[int], d: int) -> npt.NDArray[np.float64]:
    result = np.zeros((d, table.shape[1]))
    result[list(used)] = table
    return result


def fitted(guess: npt.NDArray[np.float64], supply: Sequence[int], demand: Sequence[int]) -> Plan:
    """Return a plan near `guess` (shares of the total, in doubles) with just the wanted row and column sums."""
    total = sum(supply)
    left, wanted = list(supply), list(demand)
    plan = np.zeros(guess.shape, dtype=object)
    for x, y in zip(*np.nonzero(guess > 0), strict=True):
        share, unit = float(guess[x, y]).as_integer_ratio()
        moved = min(share * total // unit, left[x], wanted[y])
        plan[x, y] = moved
        left[x] -= moved
        wanted[y] -= moved
    plan += monotone(left, wanted)
    return plan
