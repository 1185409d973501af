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

NEARLY = 1 + Fraction(1, 2**36)
"""By what factor a plan found in doubles may exceed its caps: where masses are tiny, doubles can be off by more."""

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

    The proportional plan where it respects the cap; otherwise one that fills the deficits in turn from the surpluses
    that take longest; otherwise a maximum flow, with the cap raised until it carries everything: at first by a part in
    a million million, then by twice as much each time.
    """
    plan = proportional(supply, demand)
    if _respects(plan, [math.ceil(Fraction(level) * here) for here in supply]):
        return plan
    if (shares := _in_turn(supply, demand, level)) is not None:
        plan = fitted(shares, supply, demand)
        if _respects(plan, [math.ceil(Fraction(level) * here * NEARLY) for here in supply]):
            return plan
    cap, more = Fraction(level), Fraction(1, 2**40)
    while more <= 1:
        flow = _flow(supply, demand, [math.ceil(cap * here) for here in supply])
        if flow is not None:
            return flow
        cap, more = cap * (1 + more) + Fraction(1, 2**60), 2 * more
    return plan


def _respects(plan: Plan, caps: Sequence[int]) -> bool:
    return all(entry <= cap for x, cap in enumerate(caps) for y, entry in enumerate(plan[x]) if x != y)


def _in_turn(supply: Sequence[int], demand: Sequence[int], level: float) -> npt.NDArray[np.float64] | None:
    """Return shares of the total to move, at most `level` of each category to each other one; None if it finds none.

    Count what a category has to spare in units of its cap, `level` times its mass: it takes at least so many others to
    spread it over. Fill one deficit after the other, the one nearest to what all caps together allow first. Each takes
    from those that have most to spare, down to one common level; below zero they pass on what they are given later. One
    that is filled gives nothing any more.
    """
    before, after = (np.array([mass / sum(supply) for mass in side]) for side in (supply, demand))
    shares = np.zeros((len(before), len(before)))
    caps, spare = level * before, before - after
    giving = caps > 1e-200  # less does not help anybody, and cannot be divided by
    while (spare < -1e-15).any():
        room = np.maximum(caps[giving].sum() - np.where(giving, caps, 0.0), 1e-300)
        y = int((-spare / room).argmax())
        givers = giving.copy()
        givers[y] = False
        if -spare[y] > room[y] * (1 + 1e-10):
            return None
        units = spare[givers] / caps[givers]
        taken = np.clip(units - _common_level(units, caps[givers], -spare[y]), 0.0, 1.0) * caps[givers]
        shares[givers, y] += taken
        spare[givers] -= taken
        spare[y] = 0.0
        giving[y] = False
    np.fill_diagonal(shares, np.maximum(before - shares.sum(axis=1), 0.0))
    return shares if spare.max(initial=0.0) <= 1e-10 * level else None


def _common_level(units: npt.NDArray[np.float64], caps: npt.NDArray[np.float64], wanted: float) -> float:
    """Return the z with sum_x caps_x clip(units_x - z, 0, 1) = wanted: the sum falls, linear between the kinks."""
    kinks = np.sort(np.concatenate([units, units - 1.0]))
    taken = np.clip(units - kinks[:, None], 0.0, 1.0) @ caps
    return float(np.interp(-wanted, -taken, kinks))


def _flow(supply: Sequence[int], demand: Sequence[int], caps: Sequence[int]) -> Plan | None:
    """Return a plan with row x's moves capped by `caps[x]`; None if there is none.

    Moves go between categories directly; a category may pass on what it receives as long as its own mass lasts, which
    it does, since at the optimum d - 1 caps never exceed the supply.
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
    accuracy = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    found = linprog(loss[used].ravel(), A_eq=sums, b_eq=totals, method="highs-ds", options=accuracy)
    guess = np.zeros((len(supply), m)) if found.x is None else _spread(found.x.reshape(len(used), m), used, len(supply))
    return fitted(guess, supply, demand)


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
