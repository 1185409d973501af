"""Plans that move at most a share t of each category to each other one, for many profiles at once.

Of all such plans there is one of least sum_(x != y) z_xy^2 / (2 t P(x)), and it is z_xy = t P(x) clip(p_x - p_y, 0, 1)
for some potentials p, one for each category: those at which as much leaves each category, net, as it has too much. They
maximise a concave function, piecewise quadratic, so that Newton's method finds them in a dozen steps. It needs no care
where t is the least that will do: the potentials on the two sides of what is full then differ by 1 or more.

The potentials are doubles. The plan is made of integers whose sums are just right whatever they are; only whether it
keeps to t depends on them, to about their last digits.
"""

import numpy as np
import numpy.typing as npt

from mechdesign.arrays import Exact, Floats, Integers
from mechdesign.exact.integers import floors
from mechdesign.objective.transport_plans import matched, monotone

BALANCED, MOST_STEPS = 1e-14, 60
"""Newton's method ends where nothing is out of balance by more than this share of what the largest category may give
for each category, or after so many steps. On rings of 20 and of 200 categories it takes up to 25."""

DAMPING, LEAST_DAMPING = 1e-3, 1e-12
"""What is added to the diagonal of Newton's matrix, as a share of what is out of balance, and at least: categories that
only full and empty arcs join leave it singular."""

HALVINGS, ENOUGH = 40, 1e-4
"""A step is halved, so often at most, until it gains this share of what its slope promises."""

ROUNDING = 1e-13
"""But for this share of the height, which doubles cannot tell. With less, a plan of 100 categories is out of balance by
1e-8 in the end."""


def capped_plans(supplies: Exact, demands: Exact, levels: Floats) -> Exact:
    """Return plans, n x d x d, that move at most about a share, the plan's level, of each category to each other one.

    Supplies and demands, n x d, are Python integers, so that nothing overflows; they are the sums of rows and columns,
    exactly. Where the plan that spreads each surplus over the deficits in proportion will do, which moves the least
    mass, it is that one.

    Examples
    --------
    >>> supplies, demands = np.array([[6, 2, 2]], dtype=object), np.array([[4, 3, 3]], dtype=object)
    >>> capped_plans(supplies, demands, np.array([0.2])).tolist()
    [[[4, 1, 1], [0, 2, 0], [0, 0, 2]]]
    """
    totals = supplies.sum(axis=1)[:, None]
    before = np.array(supplies / totals, dtype=np.float64)
    change = np.array((supplies - demands) / totals, dtype=np.float64)  # doubles would not tell what little moves
    surplus, deficit = np.maximum(change, 0.0), np.maximum(-change, 0.0)
    wanted = deficit.sum(axis=1)[:, None]
    parts = np.divide(deficit, wanted, out=np.zeros_like(deficit), where=wanted > 0)
    moves = surplus[:, :, None] * parts[:, None, :]
    caps = levels[:, None] * before
    above = np.flatnonzero((moves > caps[:, :, None]).any(axis=(1, 2)) & (caps > 0).any(axis=1))
    if len(above):
        potentials = balancing(caps[above], change[above])
        moves[above] = caps[above][:, :, None] * _flows(potentials)
    return _fitted(moves, supplies, demands)


def balancing(caps: Floats, surplus: Floats) -> Floats:
    """Return potentials, n x d, at which as much leaves each category, net, as it has too much.

    From x to y goes caps_x clip(p_x - p_y, 0, 1).
    """
    unit = caps.max(axis=1, keepdims=True)
    caps, surplus = caps / unit, surplus / unit
    d = caps.shape[1]
    found = np.where(surplus > 0, 0.5, 0.0)
    left = np.arange(len(caps))
    for _ in range(MOST_STEPS):
        potentials, own, wanted = found[left], caps[left], surplus[left]
        flows = own[:, :, None] * _flows(potentials)
        off = flows.sum(axis=2) - flows.sum(axis=1) - wanted
        worst = abs(off).max(axis=1)
        more = worst > BALANCED * d
        if not more.any():
            break
        left, potentials, own, wanted, off, worst = (one[more] for one in (left, potentials, own, wanted, off, worst))
        found[left] = potentials + _step(potentials, own, wanted, off, DAMPING * worst + LEAST_DAMPING)
    return found


def _flows(potentials: Floats) -> Floats:
    return np.array(np.clip(potentials[:, :, None] - potentials[:, None, :], 0.0, 1.0))


def _step(potentials: Floats, caps: Floats, surplus: Floats, off: Floats, damping: Floats) -> Floats:
    """Return Newton's steps, shortened where the function of `_height` would not fall enough."""
    gaps = potentials[:, :, None] - potentials[:, None, :]
    matrix = np.where((gaps >= 0) & (gaps <= 1), -caps[:, :, None], 0.0)
    matrix += matrix.transpose(0, 2, 1)
    places = np.arange(caps.shape[1])
    matrix[:, places, places] = 0.0
    matrix[:, places, places] = damping[:, None] - matrix.sum(axis=2)
    step = -np.linalg.solve(matrix, off[:, :, None])[:, :, 0]
    slope = (off * step).sum(axis=1)
    height = _height(potentials, caps, surplus)
    length = np.ones((len(step), 1))
    short = np.arange(len(step))
    for _ in range(HALVINGS):
        there = _height((potentials + length * step)[short], caps[short], surplus[short])
        allowed = height[short] + ENOUGH * length[short, 0] * slope[short] + ROUNDING * (1 + abs(height[short]))
        short = short[there > allowed]
        if not len(short):
            break
        length[short] /= 2
    return length * step


def _height(potentials: Floats, caps: Floats, surplus: Floats) -> Floats:
    """Return the function whose slopes are what is out of balance: sum caps_x h(p_x - p_y) - surplus_x p_x.

    h is the integral of clip: u^2 / 2 from 0 to 1.
    """
    gaps = np.maximum(potentials[:, :, None] - potentials[:, None, :], 0.0)
    inside = np.minimum(gaps, 1.0)
    heights = (caps * (inside * (gaps - inside / 2)).sum(axis=2)).sum(axis=1)
    return np.array(heights - (surplus * potentials).sum(axis=1))


def _given_by_one(plans: Exact, less: Exact, more: Exact, order: Integers) -> npt.NDArray[np.bool_]:
    """Take from each column what it has too much, of the first row in order that gives it all; return where there is.

    It goes to the columns that have too little, in turn.
    """
    gives: npt.NDArray[np.bool_] = np.take_along_axis(plans, order[:, :, None], axis=1) >= less[:, None, :]
    first = gives.argmax(axis=1)
    alone, giver = (gives.sum(axis=1) > 0).all(axis=1), np.take_along_axis(order, first, axis=1)
    i, y = np.nonzero((less > 0) & alone[:, None])
    ends, fills = less.cumsum(axis=1)[i, y][:, None], more.cumsum(axis=1)[i]
    given = np.minimum(ends, fills) - np.maximum(ends - less[i, y][:, None], fills - more[i])
    np.add.at(plans, (i, giver[i, y]), np.maximum(given, 0))
    plans[i, giver[i, y], y] -= less[i, y]
    return np.array(alone, dtype=bool)


def _fitted(moves: Floats, supplies: Exact, demands: Exact) -> Exact:
    """Return plans whose moves off the diagonal are nearly these shares of the total, with exact sums.

    The moves are rounded down, and the diagonal takes what is left of each row. What a column then has too much goes to
    those that have too little, in the rows of the largest categories that give to it.
    """
    places = np.arange(supplies.shape[1])
    moves[:, places, places] = 0.0
    plans = floors(moves, supplies.sum(axis=1)[:, None, None])
    plans[:, places, places] = supplies - plans.sum(axis=2)
    missing = demands - plans.sum(axis=1)
    less, more, order = np.maximum(-missing, 0), np.maximum(missing, 0), np.argsort(-supplies, axis=1, kind="stable")
    for i in np.flatnonzero(~_given_by_one(plans, less, more, order)).tolist():
        plan, places = plans[i].tolist(), order[i].tolist()
        for y, other, amount in matched(less[i].tolist(), more[i].tolist()):
            for place, _, part in matched([max(plan[x][y], 0) for x in places], [amount]):
                row = plan[places[place]]
                row[y] -= part
                row[other] += part
        plans[i] = plan
    for i in np.flatnonzero((plans < 0).any(axis=(1, 2))).tolist():  # the moves are nonsense
        plans[i] = monotone(supplies[i].tolist(), demands[i].tolist())
    return plans
