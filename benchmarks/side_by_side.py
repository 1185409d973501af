"""Methods side by side, from what `mechdesign bench -o` wrote: python benchmarks/side_by_side.py --rows rows.json.

A table of seconds, a row for each graph; then, over all graphs of the file, each method's largest memory, how far its
true epsilon is above the one asked for, and its least and largest excess over the certified bound.
"""

import json
from pathlib import Path

from shared import Table, asked

from mechdesign.bench.outcome import Measurement, measurement_of


def seconds(rows: list[Measurement], methods: list[str]) -> None:
    """Print the table of seconds; what gave no answer is empty."""
    shown = Table("graph", *methods)
    for case in dict.fromkeys(row.run.case for row in rows):
        taken = {row.run.method: f"{row.seconds:.3f}" for row in rows if row.run.case == case and row.done}
        family, profiles, categories, *_ = case
        shown.row(f"{family} {profiles} x {categories}", *(taken.get(method, "") for method in methods))


def worth(rows: list[Measurement], methods: list[str]) -> None:
    """Print what the answers are worth."""
    shown = Table("method", "MiB", "epsilon furthest above", "excess, least", "excess, most")
    for method in methods:
        done = [row for row in rows if row.done and row.run.method == method]
        above = [row.true_epsilon - float(row.run.epsilon) for row in done if row.true_epsilon is not None]
        excess = [row.excess for row in done if row.excess is not None]
        if done and excess:
            ends = (f"{min(excess):.1e}", f"{max(excess):.1e}")
            far = max(0.0, *above)
            memory = max(row.memory or 0 for row in done)
            shown.row(method, f"{memory:.0f}", f"{far:.0e}" if far else "0", *ends)


def main() -> None:
    """Print both tables."""
    text = Path(asked(__doc__, rows="rows.json").rows).read_text(encoding="utf-8")
    rows = [measurement_of(row) for row in json.loads(text)["rows"]]
    methods = list(dict.fromkeys(row.run.method for row in rows))
    seconds(rows, methods)
    print()
    worth(rows, methods)


if __name__ == "__main__":
    main()
