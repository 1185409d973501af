"""Proofs of formulas that are made to keep their checker busy: each family of files, at any size.

`python tests/hostile_formulas.py 20` prints how long the checker is busy with files of 20 MB.
"""

import json
import random
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from mechdesign.certificate import formula_checker

Document = dict[str, Any]
LONG = 10**998 - 1
"""An integer of nearly as many digits as stand in a row."""


def plain(k: int = 1, m: int = 1, edges: int = 0, ends: Any = ("1", None)) -> Document:
    """Return the proof that nothing costs nothing: k profiles of one category, m outputs of no loss, edges of two."""
    pairs = [[i, j] for i in range(k) for j in range(i + 1, k)][:edges]
    spans = [{"from": a, "to": b, "denominator": [1]} for a, b in pairwise(ends)]
    primal = {"value": [], "matrices": [[[[1]] + [[]] * (m - 1)]] * k, "excess": [[[], []]] * edges}
    dual: Document = {
        "privacy": [[[], []]] * edges,
        "deltas": [[[], []]] * edges,
        "entries": [[[]]] * k,
        "levels": [[[]]] * k,
    }
    return {
        "format": "mechdesign-formula/2", "parameter": "epsilon", "root": 1,
        "labels": {"categories": ["x"], "outputs": list(range(m)), "profiles": list(range(k))},
        "profiles": [{"group": i, "masses": [1]} for i in range(k)], "edges": [[*pair, 0, 0] for pair in pairs],
        "powers": [1], "deltas": ["0"], "objective": "expected-loss",
        "loss": [[0] * m], "loss_unit": 1, "weights": [1] * k, "pieces": [one | {"numerator": []} for one in spans],
        "primal": [one | primal for one in spans], "dual": [one | dual | {"weights": []} for one in spans],
    }  # fmt: skip


def wild(degree: int, digits: int, seed: int = 0) -> list[int]:
    """Return a polynomial, positive everywhere, of which some coefficients are negative, of so many digits or fewer."""
    draw = random.Random(seed)
    root = [draw.randrange(-(10 ** (digits // 2 - 1)), 10 ** (digits // 2 - 1)) for _ in range(degree // 2)] + [1]
    square = power(root, 2)
    return [square[0] + 1, *square[1:]]


def power(f: list[int], exponent: int) -> list[int]:
    total = [1]
    for _ in range(exponent):
        product = [0] * (len(total) + len(f) - 1)
        for k, a in enumerate(total):
            for n, b in enumerate(f):
                product[k + n] += a * b
        total = product
    return total


def one_row(entries: list[list[int]]) -> Document:
    """Return a proof with these entries in one row; its total is no matter."""
    document = plain(1, len(entries))
    document["primal"][0]["matrices"] = [[entries]]
    total = [sum(column) for column in zip(*entries, strict=True)]
    document["primal"][0]["denominator"] = total
    return document


def a_high_degree(size: int) -> Document:
    return one_row([[1] * (size // 4)])


def a_high_power(size: int) -> Document:
    return one_row([[0] * (size // 8) + [1]])


def many_high_degrees(size: int) -> Document:
    return one_row([wild(60, 5, seed) for seed in range(size // 1000)])


def long_coefficients(size: int) -> Document:
    return one_row([wild(60, 990, seed) for seed in range(max(1, size // 120_000))])


def multiple_roots(size: int) -> Document:
    return one_row([power([seed * seed + 2, -2 * seed - 2, 1], 40) for seed in range(1, max(2, size // 6000))])


def touching_roots(size: int) -> Document:
    """Each 0 at some n + 2/3, where no half of an interval is ever done."""
    return one_row([power([-5 - 3 * n, 3], 40) for n in range(max(1, size // 2000))])


def many_intervals(size: int) -> Document:
    return plain(ends=[*(str(1 + n) for n in range(size // 500)), None])


def many_profiles_and_outputs(size: int) -> Document:
    n = size // 100
    document = plain(n, n)
    document["primal"][0]["matrices"] = [[[]]] * n
    return document


def one_matrix_of_many_outputs(size: int) -> Document:
    """A polynomial for each profile and output, where one matrix is all that is given."""
    n = size // 24
    document = plain(1, n) | {"profiles": [{"group": 0, "masses": [1]}] * n, "weights": [1] * n}
    document["labels"]["profiles"] = list(range(n))
    return document


def many_edges_and_outputs(size: int) -> Document:
    k = int((size / 60) ** 0.5)
    return plain(k, max(2, size // 80), k * (k - 1) // 2)


def algebraic_ends(size: int) -> Document:
    """Each a root between two integers of a polynomial of its own, of degree 20 with long coefficients."""
    count = max(1, size // 120_000)
    ends = []
    for n in range(1, count + 1):
        f = wild(20, 900, n)
        f[0] -= sum(a * (2 * n) ** k for k, a in enumerate(f)) + 1  # negative there
        ends.append({"polynomial": f, "interval": [str(2 * n), str(2 * n + 1)]})
    return plain(ends=["1", *ends, None])


def signs_at_an_algebraic_end(size: int) -> Document:
    polynomial = wild(40, 300)
    polynomial[0] -= sum(a * 2**k for k, a in enumerate(polynomial)) + 1
    end = {"polynomial": polynomial, "interval": ["2", "3"]}
    document = plain(1, max(1, size // 4000), ends=["1", end, "4"])
    entries = [wild(30, 60, seed) for seed in range(max(1, size // 4000))]
    for part, row in zip(document["primal"], (entries, entries), strict=True):
        part["matrices"] = [[row]]
        part["denominator"] = [sum(column) for column in zip(*row, strict=True)]
    return document


def long_ends(size: int) -> Document:
    document = one_row([wild(30, 50, seed) for seed in range(max(1, size // 2000))])
    for name in ("pieces", "primal", "dual"):
        document[name][0]["from"] = f"{LONG}/{LONG - 10**990}"
    return document


def long_denominators(size: int) -> Document:
    k = max(1, size // 2200)
    document = plain(k)
    document["profiles"] = [{"group": i, "masses": [LONG - 7**i % 10**900]} for i in range(k)]
    return document


def long_deltas(size: int) -> Document:
    e = max(1, size // 1200)
    document = plain(e + 1, 1, e)
    document["deltas"] = [f"1/{LONG - 7**i % 10**900}" for i in range(e)]
    document["edges"] = [[*pair, 0, i] for i, (*pair, _, _) in enumerate(document["edges"])]
    return document


def many_categories_of_none(size: int) -> Document:
    """One category that each profile has, of many that are looked at for every output."""
    k, n = 20, max(2, size // 200)
    zeros: Any = [[[]] * n] * k
    document = plain(k, n) | {"objective": "max-off-diagonal", "loss": []}
    document["labels"]["categories"] = list(range(n))
    document["profiles"] = [{"group": i, "masses": [1] + [0] * (n - 1)} for i in range(k)]
    document["primal"][0]["matrices"] = [[[[1]] + [[]] * (n - 1)] + [[]] * (n - 1)] * k
    document["dual"][0] |= {"entries": zeros, "levels": zeros}
    return document


def colliding_polynomials(size: int) -> Document:
    """Positive, each another, of one hash value."""
    return one_row([[3 + (2**61 - 1) * n, -2, 1] for n in range(1, max(2, size // 40))])


FAMILIES: dict[str, Callable[[int], Document]] = {
    make.__name__: make
    for make in (
        a_high_degree,
        a_high_power,
        many_high_degrees,
        long_coefficients,
        multiple_roots,
        touching_roots,
        many_intervals,
        many_profiles_and_outputs,
        one_matrix_of_many_outputs,
        many_edges_and_outputs,
        algebraic_ends,
        signs_at_an_algebraic_end,
        long_ends,
        long_denominators,
        long_deltas,
        many_categories_of_none,
        colliding_polynomials,
    )
}


def main(megabytes: float, first: int = 0) -> None:
    """Print how long the checker is busy with a file of each family, from the first one on."""
    for name, make in list(FAMILIES.items())[first:]:
        text = json.dumps(make(int(10**6 * megabytes)), separators=(",", ":"))
        start = time.process_time()
        try:
            verdict = formula_checker.statement(formula_checker.check(text)).partition(":")[0].partition("\n")[0]
        except formula_checker.Rejected as reason:
            verdict = f"rejected: {reason}"
        print(f"{name:28} {len(text) / 1e6:6.1f} MB {time.process_time() - start:6.1f} s  {verdict[:70]}", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]), *map(int, sys.argv[2:]))
