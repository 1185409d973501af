"""Proofs of formulas written by hand, from closed forms: what formula_checker.py has to accept."""

from fractions import Fraction
from math import lcm
from typing import Any

F = Fraction
Document = dict[str, Any]
Polynomial = list[Fraction]
OBJECTIVES = ("max-off-diagonal", "expected-loss", "worst-loss")


def add(*terms: Polynomial) -> Polynomial:
    total = [sum((f[k] for f in terms if k < len(f)), F(0)) for k in range(max(map(len, terms), default=0))]
    while total and not total[-1]:
        total.pop()
    return total


def times(f: Polynomial, g: Polynomial | Fraction | int) -> Polynomial:
    if not isinstance(g, list):
        return add([a * g for a in f])
    return add(*([F(0)] * k + [a * b for b in g] for k, a in enumerate(f)))


def numbers(value: Any) -> list[Fraction]:
    return [one for part in value for one in numbers(part)] if isinstance(value, list) else [F(value)]


def interval(start: Any, end: Any, **polynomials: Any) -> Document:
    """Return an interval with all its polynomials times one integer, so that they have integers."""
    unit = lcm(*(number.denominator for number in numbers(list(polynomials.values()))))

    def whole(value: Any) -> Any:
        return list(map(whole, value)) if isinstance(value, list) else int(value * unit)

    return {"from": start, "to": end, **{key: whole(value) for key, value in polynomials.items()}}


def setting(parameter: str, edges: list[list[int]], ratio: Any, delta: Any, root: int = 1) -> tuple[Document, Any, Any]:
    """Return the fields of edges with one ratio (a power of z, or a number) and delta, and both as polynomials."""
    e = len(edges)
    deltas = {"edges": [[*pair, n, n] for n, pair in enumerate(edges)], "deltas": [str(delta[0])] * e}
    if parameter == "epsilon":
        own = {"parameter": parameter, "root": root, "powers": [ratio] * e}
        return deltas | own, [F(0)] * ratio + [F(1)], add([F(delta[0])])
    own = {"parameter": parameter, "ratios": [str(ratio)] * e, "slopes": [str(delta[1])] * e}
    return deltas | own, [F(ratio)], add([F(part) for part in delta])


def local(
    k: int,
    objective: str,
    *,
    parameter: str = "epsilon",
    ratio: Any = 1,
    delta: Any = (0, 0),
    shared: bool = False,
    root: int = 1,
) -> Document:
    """k values, all pairs neighbours; off the diagonal (1 - delta)/(ratio + k - 1) while that is >= 0."""
    pairs = [[i, j] for i in range(k) for j in range(i + 1, k)]
    fields, R, delta_ = setting(parameter, pairs, ratio, delta, root)
    labels = [f"v{x}" for x in range(k)]
    zeros: list[Any] = [[]] * k
    off = add([F(1)], times(delta_, -1))
    D = add(R, [F(k - 1)])
    diagonal = add(D, times(off, 1 - k))
    costly = objective != "max-off-diagonal"
    factor = F(k - 1 if costly else 1)
    rows = [[diagonal if x == y else off for y in range(k)] for x in range(k)]
    matrices = [[rows[x] if shared or x == i else [] for x in range(k)] for i in range(1 if shared else k)]
    over = times(delta_, D)

    def each_way(value: Polynomial) -> list[Any]:
        """Of a direction (a, b), for output a alone."""
        return [[[value if y == a else [] for y in range(k)] for a in pair] for pair in pairs]

    U = times(D, k * (1 if costly else k - 1))  # what multipliers of 1 are over
    prices = [[D if y != x else [] for y in range(k)] for x in range(k)]
    entries = [[prices[x] if shared or x == i else zeros for x in range(k)] for i in range(1 if shared else k)]
    levels = [[[F(k - 1)] if shared or x == i else [] for x in range(k)] for i in range(1 if shared else k)]
    least = "1" if parameter == "epsilon" else "0"
    ends: list[Any] = [least, None] if len(delta_) < 2 else [least, str((1 - delta_[0]) / delta_[1])]
    dual = {"deltas": [[[F(1)]] * 2] * len(pairs), "weights": [D] * k if objective == "worst-loss" else []}
    document = {
        "format": "mechdesign-formula/2",
        "labels": {"categories": labels, "outputs": labels, "profiles": [f"p{i}" for i in range(k)]},
        "profiles": [{"group": 0 if shared else i, "masses": [int(x == i) for x in range(k)]} for i in range(k)],
        "objective": objective,
        "loss": [[2 * (x != y) for y in range(k)] for x in range(k)] if costly else [], "loss_unit": 2 if costly else 1,
        "weights": [3] * k, **fields,
        "pieces": [interval(*ends, numerator=times(off, factor), denominator=D)],
        "primal": [interval(*ends, denominator=D, value=times(off, factor), matrices=matrices, excess=each_way(over))],
        "dual": [interval(*ends, denominator=U, privacy=each_way([F(1)]), levels=levels,
                          entries=[[[]] * k] * len(matrices) if costly else entries, **dual)],
    }  # fmt: skip
    if ends[1] is not None:  # from there on nobody asks for anything
        rest = [ends[1], None]
        rows = [[[F(x == y)] if x == y else [] for y in range(k)] for x in range(k)]
        matrices = [[rows[x] if shared or x == i else [] for x in range(k)] for i in range(len(matrices))]
        none = [[zeros, zeros]] * len(pairs)
        document["pieces"].append(interval(*rest, numerator=[], denominator=[F(1)]))
        document["primal"].append(
            interval(*rest, denominator=[F(1)], value=[], matrices=matrices, excess=each_way([F(1)]))
        )
        document["dual"].append(
            interval(*rest, denominator=[F(k)], privacy=none, deltas=[[[], []]] * len(pairs),
                     entries=[[[]] * k] * len(matrices), weights=[[F(1)]] * k if objective == "worst-loss" else [],
                     levels=[[[]] * k] * len(matrices))
        )  # fmt: skip
    return document


def pair(
    p: Fraction,
    objective: str,
    *,
    parameter: str = "epsilon",
    ratio: Any = 1,
    delta: Any = (0, 0),
    end: Any = None,
    root: int = 1,
) -> Document:
    """Two profiles (1 - p, p) and (p, 1 - p), p < 1/2.

    Each matrix moves t = (1 - p - ratio p - delta)/((1 - p)(1 + ratio)) of the larger category, down to 0 at `end`.
    """
    fields, R, delta_ = setting(parameter, [[0, 1]], ratio, delta, root)
    costly = objective != "max-off-diagonal"
    large = 1 - p
    D = times(add([F(1)], R), large)
    move = add([large], times(R, -p), times(delta_, -1))
    stay = add(D, times(move, -1))
    factor = large if costly else F(1)
    least = "1" if parameter == "epsilon" else "0"
    over = times(delta_, D)
    price = times(add([F(1)], R), 1 if costly else large)  # of half of what is over this
    dual = {
        "privacy": [[[[F(1)], []], [[], [F(1)]]]], "deltas": [[[F(1)], [F(1)]]],
        "levels": [[[large], times(R, -p)], [times(R, -p), [large]]],
        "entries": [[[]] * 2] * 2 if costly else [[[[], price], []], [[], [price, []]]],
        "weights": [price] * 2 if objective == "worst-loss" else [],
    }  # fmt: skip
    pieces = [interval(least, end, numerator=times(move, factor), denominator=D)]
    matrices, excess = [[[stay, move], [[], D]], [[D, []], [move, stay]]], [[[over, []], [[], over]]]
    primal = [interval(least, end, denominator=D, value=times(move, factor), matrices=matrices, excess=excess)]
    duals = [interval(least, end, denominator=times(price, 2), **dual)]
    one, masses = [F(1)], [(1 - p).numerator, p.numerator]
    pieces.append(interval(end, None, numerator=[], denominator=one))
    over = add([large], times(R, -p)) if parameter == "delta" else delta_  # the identity needs no more of delta
    matrices, excess = [[[one, []], [[], one]]] * 2, [[[over, []], [[], over]]]
    primal.append(interval(end, None, denominator=one, value=[], matrices=matrices, excess=excess))
    duals.append(interval(end, None, denominator=[F(2)], privacy=[[[], []]], deltas=[[[], []]], entries=[[[]] * 2] * 2,
                          weights=[one] * 2 if objective == "worst-loss" else [], levels=[[[], []]] * 2))  # fmt: skip
    return {
        "format": "mechdesign-formula/2",
        "labels": {"categories": ["x", "y"], "outputs": ["x", "y"], "profiles": ["a", "b"]},
        "profiles": [{"group": 0, "masses": masses}, {"group": 1, "masses": masses[::-1]}], "objective": objective,
        "loss": [[0, 1], [1, 0]] if costly else [], "loss_unit": 1, "weights": [1, 1], **fields,
        "pieces": pieces, "primal": primal, "dual": duals,
    }  # fmt: skip


ROOT_3 = {"polynomial": [-3, 0, 1], "interval": ["17/10", "9/5"]}
"""Where z^2 = 3."""

MADE: dict[str, Document] = {
    **{f"local, {objective}": local(3, objective) for objective in OBJECTIVES},
    "local, shared, delta": local(3, "max-off-diagonal", delta=("1/10", 0), shared=True),
    "local, in delta": local(3, "worst-loss", parameter="delta", ratio=F(3, 2), delta=("1/10", "2")),
    "local, root 2": local(2, "expected-loss", ratio=3, root=2, delta=("1/7", 0)),
    **{f"pair, {objective}": pair(F(1, 4), objective, end="3") for objective in OBJECTIVES},
    "pair, root of 3": pair(F(1, 4), "max-off-diagonal", ratio=2, end=ROOT_3),
    "pair, delta": pair(F(1, 4), "worst-loss", delta=("1/10", 0), end="13/5"),
    **{
        f"pair, in delta, {objective}": pair(
            F(1, 4), objective, parameter="delta", ratio=F(3, 2), delta=(0, 1), end="3/8"
        )
        for objective in OBJECTIVES
    },
    "pair, in delta": pair(F(1, 4), "expected-loss", parameter="delta", ratio=2, delta=(0, 1), end="1/4"),
}
