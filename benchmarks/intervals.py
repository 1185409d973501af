"""Coverage of the 95 % intervals of `estimate`: python benchmarks/intervals.py. And beside a plain Wald interval.

For each mechanism, true shares and number of rows, data are drawn again and again; a cell is the least coverage over
the categories, with the standard error of so many repetitions. Categories that `estimate` bounds by linear programs are
covered whenever the released probabilities lie in their boxes, so that is counted for them.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from shared import Table, asked

import mechdesign as md
from mechdesign.release.channels import Channel, channel_of
from mechdesign.release.intervals import QUANTILE, intervals, largest_spread, limits, spread, standard_errors
from mechdesign.release.undetermined import chernoff, clopper_pearson

Floats = npt.NDArray[np.float64]

ROWS = (200, 1_000, 10_000)
SLACK = 1e-12
"""0.1 + 0.2 is not 0.3."""
SHARES = {
    "one": [1.0],
    "some zeros": [0.5, 0.3, 0.15, 0.05],
    "rare": [0.9, 0.05, 0.03, 0.01, 0.005, 0.005],
    "even": None,
}
"""True shares of the first categories, the others 0; "even" has none at 0."""


def decay(size: int, epsilon: float, ratio: Callable[[npt.NDArray[np.int64]], Floats]) -> Channel:
    """Return the channel whose rows are proportional to e^(-epsilon ratio(distance))."""
    place = np.arange(size)
    rows = np.exp(-epsilon * ratio(np.abs(place[:, None] - place)))
    return Channel(rows / rows.sum(axis=1, keepdims=True), place)


def smooth_categorical(epsilon: str) -> Channel:
    """Return how the last profile of the paper's chain is released."""
    return channel_of(md.design("categorical-chain", epsilon=epsilon).mechanism, "P3")


def mechanisms() -> dict[str, Channel]:
    """Return the mechanisms by name."""

    def differs(distance: npt.NDArray[np.int64]) -> Floats:
        return np.asarray(distance > 0, dtype=np.float64)

    def steps(distance: npt.NDArray[np.int64]) -> Floats:
        return np.asarray(distance, dtype=np.float64)

    wide = decay(10, 1.0, steps).matrix
    return {
        "k-ary, 10, epsilon 1": decay(10, 1.0, differs),
        "k-ary, 10, epsilon 3": decay(10, 3.0, differs),
        "k-ary, 50, epsilon 3": decay(50, 3.0, differs),
        "geometric, 10, epsilon 1": decay(10, 1.0, steps),
        "geometric, 10, epsilon 3": decay(10, 3.0, steps),
        "geometric and a coin, 10 to 20": Channel(np.hstack([0.7 * wide, 0.3 * np.eye(10)]), np.arange(10)),
        "Smooth Categorical, chain, epsilon 0.5": smooth_categorical("0.5"),
        "Smooth Categorical, chain, epsilon 0.1": smooth_categorical("0.1"),
        "nearly singular: geometric, 10, epsilon 0.3": decay(10, 0.3, steps),
        "nearly singular: k-ary, 10, epsilon 0.1": decay(10, 0.1, differs),
    }


def shares_of(words: str, size: int) -> Floats:
    """Return the true shares of that name."""
    first = SHARES[words]
    if first is None:
        return np.full(size, 1 / size)
    kept = first if len(first) <= size else [*first[: size - 1], sum(first[size - 1 :])]
    return np.array([*kept, *[0.0] * (size - len(kept))])


def drawn(
    rng: np.random.Generator, channel: Channel, shares: Floats, rows: int, runs: int, these_rows: bool
) -> tuple[Floats, Floats]:
    """Return counts of the outputs, and of the rows themselves, of so many runs."""
    people = rng.multinomial(rows, shares, runs)
    if not these_rows:
        return rng.multinomial(rows, shares @ channel.matrix, runs).astype(np.float64), people / rows
    counts = sum(rng.multinomial(people[:, x], row) for x, row in enumerate(channel.matrix))
    return np.asarray(counts, dtype=np.float64), people / rows


def coverage(
    rng: np.random.Generator, channel: Channel, shares: Floats, rows: int, runs: int, these_rows: bool
) -> tuple[float, float, float, float]:
    """Return the least coverage over the categories, of `estimate`, of standard errors alone, and of plain Wald.

    And the share of the categories that are bounded.
    """
    counts, people = drawn(rng, channel, shares, rows, runs, these_rows)
    true = people if these_rows else np.broadcast_to(shares, people.shape)
    found = intervals(channel, counts, these_rows=these_rows)
    plain = np.sqrt(np.maximum(spread(channel, counts / rows, these_rows=these_rows), 0.0) / rows)
    smooth = standard_errors(channel, counts, these_rows=these_rows)
    bounded = ~channel.determined | (largest_spread(channel, these_rows=these_rows) * QUANTILE**2 >= rows)
    ends = [(found.low, found.high), limits(found.unbiased, smooth), limits(found.unbiased, plain)]
    inside = [(low <= true + SLACK) & (true <= high + SLACK) for low, high in ends]
    if bounded.any():
        inside[0][:, bounded] = in_boxes(channel, counts, true, these_rows)[:, None]
    least = [float(each.mean(axis=0).min()) for each in inside]
    return least[0], least[1], least[2], float(bounded.mean())


def in_boxes(channel: Channel, counts: Floats, true: Floats, these_rows: bool) -> npt.NDArray[np.bool_]:
    """Return of each run whether all released probabilities lie in their boxes."""
    low, high = (chernoff if these_rows else clopper_pearson)(counts)
    released = true @ channel.matrix
    return np.asarray(((low <= released + SLACK) & (released <= high + SLACK)).all(axis=1))


def main() -> None:
    """Print one row for each mechanism and shares, one column for each number of rows."""
    arguments = asked(__doc__, runs=20_000, these_rows=False)
    rng = np.random.default_rng(1)
    titles = [f"n = {rows:,}" for rows in ROWS]
    table = Table("mechanism", "true shares", *titles, "standard errors alone", "plain Wald", "bounded")
    least = 1.0
    for name, channel in mechanisms().items():
        for words in SHARES:
            shares = shares_of(words, channel.categories)
            cells = [coverage(rng, channel, shares, rows, arguments.runs, arguments.these_rows) for rows in ROWS]
            found, alone, plain, bounded = zip(*cells, strict=True)
            least = min(least, *found)
            shown = (f"{one:.3f}" for one in (*found, min(alone), min(plain)))
            table.row(name, words, *shown, " / ".join(f"{one:.0%}" for one in bounded))
    error = (0.93 * 0.07 / arguments.runs) ** 0.5
    print(f"\nleast {least:.4f}; {arguments.runs:,} runs each, standard error {error:.4f}")


if __name__ == "__main__":
    main()
