"""Integer transport plans: how the mass of each category moves so that just the wanted distribution is released.

`supply` and `demand` are integers of the same total. A plan is a table of integers >= 0 whose row sums are the supply
and whose column sums are the demand; row x of it is then row x of the mechanism.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from mechdesign.program.matching import matched

PLAN_TOLERANCE = 1e-10
"""Errors that HiGHS may leave in the cheapest plan: the least that it allows."""

MUCH = 1e6
"""Categories with so many times what must move may give what they like: nothing near it ever goes by one of them."""

Plan = npt.NDArray[np.object_]


def monotone(supply: Sequence[int], demand: Sequence[int], start: int = 0) -> Plan:
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
        plan[a, b] = min(max(_nearest(share, moved), 0), left[a], wanted[b])
        left[a] -= plan[a, b]
        wanted[b] -= plan[a, b]
    for a, here in enumerate(left):
        plan[a, a] = min(here, wanted[a])
        left[a], wanted[a] = here - plan[a, a], wanted[a] - plan[a, a]
    return np.array(plan + monotone(left, wanted), dtype=object)


def _nearest(share: float, total: int) -> int:
    """Return the integer nearest to a share of a total: a cheapest plan's entries are integers, known in doubles."""
    part, unit = share.as_integer_ratio()
    return (2 * part * total + unit) // (2 * unit)


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
        plan[x, y] = min(_nearest(float(guess[x, y]), total), left[x], wanted[y])
        left[x] -= plan[x, y]
        wanted[y] -= plan[x, y]
    plan += monotone(left, wanted)
    return plan
