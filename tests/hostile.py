"""Certificates that are made to keep a checker busy: each family of files, at any size.

`python tests/hostile.py 20` prints how long the checker is busy with files of 20 MB.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from mechdesign.certificate import checker

Document = dict[str, Any]
LONG = 10**998 - 1
"""An integer of nearly as many digits as stand in a row."""


def plain(k: int, d: int, rows: list[list[int]], pairs: list[list[int]]) -> Document:
    """Return a certificate of k profiles with the same rows and distribution, private on any pairs at epsilon 0."""
    m = len(rows[0])
    return {
        "format": checker.CERTIFICATE,
        "labels": {"categories": list(range(d)), "outputs": list(range(m)), "profiles": list(range(k))},
        "profiles": [{"group": i, "masses": [1] * d} for i in range(k)],
        "matrices": [rows] * k,
        "edges": [[*pair, 0, 0] for pair in pairs],
        "bits": 0,
        "epsilons": ["0"],
        "deltas": ["0"],
        "objective": "worst-loss",
        "loss": [[0] * m] * d,
        "loss_unit": 1,
        "weights": [1] * k,
        "value": "0",
        "bound": "0",
        "privacy": [],
        "entries": [],
    }


def path(k: int) -> list[list[int]]:
    return [[i, i + 1] for i in range(k - 1)]


def all_pairs(k: int) -> list[list[int]]:
    return [[i, j] for i in range(k) for j in range(i + 1, k)]


def colliding_groups(size: int) -> Document:
    """Numbers of groups with one hash value."""
    k = size // 60
    return plain(k, 1, [[1]], []) | {"profiles": [{"group": i * (2**61 - 1), "masses": [1]} for i in range(k)]}


def long_weights_on_many_edges(size: int) -> Document:
    k = int((size / 50) ** 0.5)
    return plain(k, 1, [[LONG - 1, LONG]], all_pairs(k))


def many_outputs_on_many_edges(size: int) -> Document:
    m = max(2, size // 2000)
    return plain(20, 1, [[10**99 - i for i in range(m)]], all_pairs(20))


def long_ratios(size: int) -> Document:
    """Prices as long as a ratio above, for every output of every row of a long total."""
    m = 400
    e = max(1, size // (2 * 1000 + 4 * m + 3 * m))
    document = plain(e + 1, 1, [[LONG] + [1] * (m - 1)], path(e + 1))
    return document | {"epsilons": ["700"], "bits": 320, "privacy": multipliers(e, m, 1)}


def long_losses(size: int) -> Document:
    """Losses that take a tenth of the file, for profiles of short rows and long totals and weights."""
    m = max(2, size // 10_000)
    k = max(1, size // (3 * m + 2000))
    document = plain(k, 1, [[LONG] + [1] * (m - 1)], [])
    loss = 10**990
    value = f"{(m - 1) * loss}/{LONG + m - 1}"
    return document | {"loss": [[0] + [loss] * (m - 1)], "weights": [LONG] * k, "value": value}


def long_loss_of_short_profiles(size: int) -> Document:
    """One long loss and a long unit for it: a fraction to be reduced for each profile."""
    k = size // 60
    return plain(k, 1, [[1]], []) | {"loss": [[LONG]], "loss_unit": LONG - 2, "value": f"{LONG}/{LONG - 2}"}


def distinct_epsilons(size: int) -> Document:
    k = max(2, size // 45)
    epsilons = [f"0.{i:06}" for i in range(k - 1)]
    return plain(k, 1, [[1]], [[0, 1]]) | {"epsilons": epsilons}


def fine_epsilons(size: int) -> Document:
    """Each by as many bits as there may be, and long besides."""
    epsilons = [f"1/{10**998 + i}" for i in range(size // 1300)]
    return plain(2, 1, [[1]], [[0, 1]]) | {"epsilons": epsilons, "bits": 320}


def one_matrix_for_all(size: int) -> Document:
    """Many short profiles with one matrix, of long rows."""
    m = max(2, size // 100_000)
    k = max(1, size // (2 * m + 60))
    document = plain(k, 1, [[LONG - y for y in range(m)]], []) | {"matrices": [[[LONG - y for y in range(m)]]]}
    return document | {"profiles": [{"group": 0, "masses": [1]}] * k}


def coprime_totals(size: int) -> Document:
    """One profile whose rows have no total in common."""
    d = max(2, size // 1100)
    return plain(1, d, [[LONG - i, 7**i % 10**900] for i in range(d)], [])


def many_entries(size: int) -> Document:
    document = plain(2, 2, [[1, 1], [1, 1]], [[0, 1]])
    return document | {
        "objective": "max-off-diagonal",
        "loss": [],
        "value": "1/2",
        "entries": [[0, 0, 1, 1]] * (size // 13),
    }


def long_denominators(size: int) -> Document:
    """A mean over profiles whose totals have nothing in common."""
    k = size // 2200
    document = plain(k, 1, [[1, 1]], []) | {"objective": "expected-loss", "loss": [[0, 1]]}
    document["matrices"] = [[[LONG - 7**i % 10**900, 5**i % 10**900]] for i in range(k)]
    return document


def long_shares(size: int) -> Document:
    """Shares of long weights that are kept, since nothing is changed, with long multipliers."""
    k = size // 6000
    document = plain(k, 2, [[1, 0], [0, 1]], []) | {"objective": "expected-loss", "loss": [[0, 1], [1, 0]]}
    document["labels"] = document["labels"] | {"outputs": [0, 1]}
    document["profiles"] = [{"group": i, "masses": [LONG - i, LONG]} for i in range(k)]
    return document | {"shares": {"weights": [LONG - i for i in range(k)], "multipliers": [LONG, -LONG]}}


def shares_of_long_denominators(size: int) -> Document:
    """Shares that are not kept, of profiles whose totals have nothing in common."""
    k = size // 6000
    document = long_shares(size)
    document["matrices"] = [[[LONG, 0], [LONG - 7**i % 10**900, 5**i % 10**900]] for i in range(k)]
    document["weights"] = [1] + [0] * (k - 1)
    return document | {"objective": "worst-loss", "loss": [[0, 0], [0, 0]]}


def many_multipliers(size: int) -> Document:
    """As many as go into a file, of one edge."""
    m = size // 40
    return plain(2, 1, [[1] * m], [[0, 1]]) | {"privacy": multipliers(1, m, 1)}


def multipliers(edges: int, outputs: int, weight: int) -> list[list[int]]:
    """Return the same multiplier for every edge, both ways, and every output."""
    return [[edge, way, y, weight] for edge in range(edges) for way in (0, 1) for y in range(outputs)]


def bounded(document: Document, unit: int, radius: int) -> Document:
    """Return a certificate for any distribution within a total variation distance of the one it has, all alike."""
    d, m = (len(document["labels"][key]) for key in ("categories", "outputs"))
    bounds = {"lower": [0] * d, "upper": [unit] * d, "radius": radius, "thresholds": [[0] * 4] * m, "worst": []}
    own = {"masses": [unit // d] * d, "bounds": bounds}
    return document | {"profiles": [one | own for one in document["profiles"]]}


def long_units(size: int) -> Document:
    """Rows of long weights, all the same, for categories that are shared out in long units."""
    m = 20
    d = max(2, size // (m * 1000 + 3000))
    unit = d * (LONG // d)
    return bounded(plain(1, d, [[LONG - y for y in range(m)]] * d, []), unit, unit // 3)


def long_worst(size: int) -> Document:
    """Distributions of long masses for every output, with long multipliers."""
    m = 20
    d = max(2, size // (4 * m * 1000))
    unit = d * (LONG // d)
    document = bounded(plain(2, d, [[1] * m] * d, [[0, 1]]), unit, unit)
    places = [{"output": y, "side": side, "masses": [unit // d] * d} for y in range(m) for side in (0, 1)]
    for one in document["profiles"]:
        one["bounds"] = one["bounds"] | {"worst": places}
    return document | {"privacy": multipliers(1, m, LONG), "epsilons": ["700"], "bits": 320}


def single_values(size: int) -> Document:
    """As many categories as profiles, of which each has one."""
    k = max(2, int((size / 20) ** 0.5))
    own = [{"group": i, "masses": [int(x == i) for x in range(k)]} for i in range(k)]
    matrices = [[[1] * (x == i) for x in range(k)] for i in range(k)]
    return plain(k, k, [[1]] * k, path(k)) | {"profiles": own, "matrices": matrices}


def wide_rows_of_single_values(size: int) -> Document:
    """The same, of many outputs: where all rows were as long as these, it would be a cube."""
    k = max(2, int((size / 20) ** 0.5))
    document = single_values(size) | {"loss": [[0] * k] * k}
    document["labels"] = document["labels"] | {"outputs": list(range(k))}
    return document | {"matrices": [[[1] * k * (x == i) for x in range(k)] for i in range(k)]}


def single_values_of_one_matrix(size: int) -> Document:
    """The same with one matrix for all: where all had all of its rows, it would be a cube."""
    document = wide_rows_of_single_values(size)
    k = len(document["profiles"])
    return document | {"profiles": [one | {"group": 0} for one in document["profiles"]], "matrices": [[[1] * k] * k]}


def colliding_set(size: int) -> Document:
    """Outputs that there are not, of one hash value, in a refutation."""
    document = plain(2, 1, [[1]], [[0, 1]]) | {"format": checker.REFUTATION}
    return document | {"set": [i * (2**61 - 1) for i in range(size // 21)]}


def values_within_bounds(size: int) -> Document:
    """As many categories as outputs, and bounds for each."""
    n = max(2, int((size / 4) ** 0.5))
    return bounded(plain(1, n, [[1] * n] * n, []), n, n)


def many_labels(size: int) -> Document:
    document = plain(1, 1, [[1]], [])
    return document | {"labels": document["labels"] | {"outputs": [y / 10 for y in range(size // 7)]}}


def many_rationals(size: int) -> Document:
    return plain(1, 1, [[1]], []) | {"deltas": [f"1/{n}" for n in range(10**5, 10**5 + size // 11)]}


def many_empty_lists(size: int) -> Document:
    return plain(1, 1, [[1]], []) | {"matrices": [[[]] * (size // 3)]}


def many_profiles(size: int) -> Document:
    """Objects, which take more room in memory than all else."""
    return plain(size // 27, 1, [[1]], []) | {
        "matrices": [[[1]]],
        "profiles": [{"group": 0, "masses": [1]}] * (size // 27),
    }


def long_results(size: int) -> Document:
    """Long masses of short rows: what is released takes more room than the file."""
    m = 50
    k = max(1, size // 1200)
    return plain(k, 1, [[1] * m], []) | {"profiles": [{"group": i, "masses": [LONG]} for i in range(k)]}


FAMILIES: dict[str, Callable[[int], Document]] = {
    make.__name__: make
    for make in (
        colliding_groups,
        long_weights_on_many_edges,
        many_outputs_on_many_edges,
        long_ratios,
        long_losses,
        long_loss_of_short_profiles,
        distinct_epsilons,
        fine_epsilons,
        one_matrix_for_all,
        coprime_totals,
        many_entries,
        long_denominators,
        long_shares,
        shares_of_long_denominators,
        many_multipliers,
        long_units,
        long_worst,
        single_values,
        wide_rows_of_single_values,
        single_values_of_one_matrix,
        colliding_set,
        values_within_bounds,
        many_labels,
        many_rationals,
        many_empty_lists,
        many_profiles,
        long_results,
    )
}


def main(megabytes: int) -> None:
    """Print how long the checker is busy with a file of each family."""
    for name, make in FAMILIES.items():
        text = json.dumps(make(10**6 * megabytes), separators=(",", ":"))
        start = time.perf_counter()
        try:
            verdict = checker.statement(checker.check(text)).partition(":")[0]
        except checker.Rejected as reason:
            verdict = f"rejected: {reason}"
        print(f"{name:28} {len(text) / 1e6:6.1f} MB {time.perf_counter() - start:6.1f} s  {verdict[:70]}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
