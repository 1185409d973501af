"""The linear program of a certificate as a VIPR file, for checkers that others wrote: bound, value and their proof.

VIPR (Cheung, Gleixner and Steffy 2017, github.com/scipopt/vipr) is the format in which solvers of integer programs have
their results verified in exact arithmetic. The program has a variable for each entry A^i_xy, for what each profile
releases, q^i_y, for the excess s of each pair with a delta, and for the largest cost. In place of e^epsilon, which is
irrational, stands the rational above it: whatever is private is feasible, so that what is proved of the program holds.
The mechanism is its solution; one combination of its rows, with the certificate's multipliers, is the bound.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from mechdesign.certificate import checker
from mechdesign.certificate.check import text_of
from mechdesign.errors import InputError

FINE = 2**80
"""What multipliers of a certificate are over."""

Entries = Mapping[str, Fraction]


class LinearProgram:
    """Variables with their values, rows with their multipliers, and what is left of the objective without these."""

    def __init__(self, objective: Entries, values: Mapping[str, Fraction]) -> None:
        self.objective, self.values = objective, values
        self.numbers = {name: number for number, name in enumerate(values)}
        self.rows: list[str] = []
        self.multipliers: list[Fraction] = []
        self.left = defaultdict(Fraction, objective)

    def add(self, name: str, sense: str, right: Fraction | int, entries: Entries, multiplier: Fraction) -> None:
        """Add a row, so many times."""
        self.rows.append(f"{name} {sense} {right} {self.listed(entries)}")
        self.multipliers.append(multiplier)
        for variable, entry in entries.items() if multiplier else ():
            self.left[variable] -= multiplier * entry

    def listed(self, entries: Entries) -> str:
        """Return how many entries there are, and each with its number."""
        kept = [f"{self.numbers[name]} {entry}" for name, entry in entries.items() if entry]
        return " ".join([str(len(kept)), *kept])

    def text(self, bound: Fraction, value: Fraction) -> str:
        """Return the file."""
        used = [f"{number} {one}" for number, one in enumerate(self.multipliers) if one]
        lines = ["VER 1.0", f"VAR {len(self.values)}", *self.values, "INT 0", "OBJ min", self.listed(self.objective)]
        lines += [f"CON {len(self.rows)} 0", *self.rows, f"RTP range {bound} {value}"]
        lines += ["SOL 1", f"mechanism {self.listed(self.values)}"]
        lines += ["DER 1", f"bound G {bound} OBJ {{ lin {len(used)} {' '.join(used)} }} -1", ""]
        return "\n".join(lines)


def vipr_of(certificate: str | os.PathLike[str] | dict[str, Any]) -> str:
    """Return the VIPR file of a certificate, which is checked first.

    Raises
    ------
    InputError
        if it does not prove what it states, or is of no linear program.
    """
    try:
        c = checker.check(*text_of(certificate))
    except checker.Rejected as reason:
        raise InputError(f"expected a certificate: {reason}") from None
    if c.format != checker.CERTIFICATE or any(one.bounds for one in c.profiles):
        raise InputError("expected the certificate of a design, of profiles that are not known only within bounds")
    program = LinearProgram(_objective(c), dict(_values(c)))
    _costs(c, program)
    _privacy(c, program)
    _shares(c, program)
    for i, one in enumerate(c.profiles):
        for y in range(len(c.outputs)):
            parts = {f"A_{one.group}_{x}_{y}": -p for x, p in _masses(one)}
            program.add(f"is_q_{i}_{y}", "E", 0, {f"q_{i}_{y}": Fraction(1)} | parts, program.left[f"q_{i}_{y}"])
    for g, x, row in _rows(c):
        names = [f"A_{g}_{x}_{y}" for y in range(len(row))]
        least = min(program.left[name] for name in names)
        program.add(f"total_{g}_{x}", "E", 1, dict.fromkeys(names, Fraction(1)), least)
    for name in program.values:
        if name[0] != "q":
            program.add(f"least_{name}", "G", 0, {name: Fraction(1)}, program.left[name])
    return program.text(c.bound, c.value)


def _rows(c: Any) -> Iterator[tuple[int, int, list[int]]]:
    return ((g, x, row) for g, matrix in enumerate(c.matrices) for x, row in enumerate(matrix) if row)


def _masses(one: Any) -> list[tuple[int, Fraction]]:
    return [(x, Fraction(mass, one.total)) for x, mass in enumerate(one.masses) if mass]


def _pairs(c: Any) -> Iterator[tuple[int, int, int, int, Fraction, Fraction]]:
    """Yield each edge's number and way, who must not exceed whom, by which ratio and delta."""
    for n, (i, j, epsilon, delta) in enumerate(c.edges):
        for way, (a, b) in enumerate(((i, j), (j, i))):
            yield n, way, a, b, Fraction(c.above[epsilon], 2**c.bits), c.deltas[delta]


def _values(c: Any) -> Iterable[tuple[str, Fraction]]:
    """Yield each variable with its value for the certificate's mechanism."""
    for g, x, row in _rows(c):
        yield from ((f"A_{g}_{x}_{y}", Fraction(weight, c.units[g])) for y, weight in enumerate(row))
    q = [[Fraction(part, over) for part in parts] for parts, _, over in c.released]
    for i, parts in enumerate(q):
        yield from ((f"q_{i}_{y}", part) for y, part in enumerate(parts))
    for n, way, a, b, ratio, delta in _pairs(c):
        if delta:
            yield from (
                (f"s_{n}_{way}_{y}", max(q[a][y] - ratio * q[b][y], Fraction(0))) for y in range(len(c.outputs))
            )
    if c.objective != "expected-loss":
        yield "cost", c.value


def _lost(c: Any) -> Iterator[tuple[dict[str, Fraction], Fraction]]:
    """Yield what each profile's entries cost, and its share of the weights."""
    losses, total = [[Fraction(loss, c.loss_unit) for loss in row] for row in c.loss], sum(c.weights)
    for one, weight in zip(c.profiles, c.weights, strict=True):
        costs = ((x, y, p * loss) for x, p in _masses(one) for y, loss in enumerate(losses[x]))
        yield {f"A_{one.group}_{x}_{y}": cost for x, y, cost in costs}, Fraction(weight, total)


def _objective(c: Any) -> Entries:
    if c.objective != "expected-loss":
        return {"cost": Fraction(1)}
    objective: defaultdict[str, Fraction] = defaultdict(Fraction)
    for costs, share in _lost(c):
        for name, cost in costs.items():
            objective[name] += cost * share
    return objective


def _costs(c: Any, program: LinearProgram) -> None:
    """Add the rows by which the cost is the largest of some."""
    largest = {"cost": Fraction(1)}
    if c.objective == "worst-loss":
        for i, (costs, share) in enumerate(_lost(c)):
            program.add(f"cost_{i}", "G", 0, largest | {name: -cost for name, cost in costs.items()}, share)
    elif c.objective == "max-off-diagonal":
        prices = {(g, x, y): Fraction(price, FINE) for g, x, y, price in c.entries}
        for g, x, y in ((g, x, y) for g, x, row in _rows(c) for y in range(len(row)) if y != x):
            entry = {f"A_{g}_{x}_{y}": Fraction(-1)}
            program.add(f"cost_{g}_{x}_{y}", "G", 0, largest | entry, prices.get((g, x, y), Fraction(0)))


def _privacy(c: Any, program: LinearProgram) -> None:
    """Add E q^b_y - q^a_y + s_y >= 0, and - sum_y s_y >= -delta where there is a delta."""
    prices = {(n, way, y): Fraction(price, FINE) for n, way, y, price in c.privacy}
    for n, way, a, b, ratio, delta in _pairs(c):
        own = [prices.get((n, way, y), Fraction(0)) for y in range(len(c.outputs))]
        for y, price in enumerate(own):
            excess = {f"s_{n}_{way}_{y}": Fraction(1)} if delta else {}
            entries = {f"q_{b}_{y}": ratio, f"q_{a}_{y}": Fraction(-1)} | excess
            program.add(f"private_{n}_{way}_{y}", "G", 0, entries, price)
        if delta:
            names = [f"s_{n}_{way}_{y}" for y in range(len(c.outputs))]
            program.add(f"delta_{n}_{way}", "G", -delta, dict.fromkeys(names, Fraction(-1)), max(own))


def _shares(c: Any, program: LinearProgram) -> None:
    """Add sum_i w_i q^i_y = sum_i w_i P_i(y), where the overall shares are kept."""
    for y, nu in enumerate(c.shares.multipliers) if c.shares else ():
        weights = [Fraction(weight, sum(c.shares.weights)) for weight in c.shares.weights]
        right = sum(w * Fraction(one.masses[y], one.total) for w, one in zip(weights, c.profiles, strict=True))
        program.add(f"share_{y}", "E", right, {f"q_{i}_{y}": w for i, w in enumerate(weights)}, Fraction(-nu, FINE))
