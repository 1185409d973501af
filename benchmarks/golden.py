"""Freeze what designs come to, and compare them later: python benchmarks/golden.py freeze FOLDER, then compare FOLDER.

To change how designs are found without changing what is found: freeze on the tree before, compare on the tree after.
`compare` designs everything again and prints, design by design, where value or bound are farther apart than
`AGREE`, where what is released moved, where a gap grew, and the ten largest ratios of processor time; then the
totals. It exits with 1 if a value or a bound disagrees or a design fails that did not. The designs are the shipped
graphs, the strained designs of `ablate.py`, and every family of `mechdesign bench` with every objective, with and
without a delta, one matrix each or shared; their names are those of `strained.py`.
"""

import argparse
import json
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from ablate import DESIGNS, LARGE, LIMIT, give_up
from strained import strained

from mechdesign.bench.families import FAMILIES
from mechdesign.graph.shipped import shipped_graphs

AGREE = 2e-9
"""Two values or bounds of the same design agree if they are this close, relative to the larger, or to a thousandth."""

MOVED = 1e-6
"""A released probability that differs by more has moved."""

OBJECTIVES = (
    "max-off-diagonal none",
    "expected-loss hamming",
    "expected-loss absolute",
    "worst-loss hamming",
    "worst-loss random",
)

Outcome = dict[str, Any]


def names() -> Iterator[str]:
    """Yield every design."""
    yield from (*DESIGNS, *LARGE)
    yield from (f"extreme {seed}" for seed in range(60))
    yield from (f"various {seed}" for seed in range(30))
    for graph, objective, delta, shared in product(shipped_graphs(), OBJECTIVES[:4], ("0", "0.05"), ("", " shared")):
        yield f"shipped {graph} {objective} 0.5 {delta}{shared}"
    for family, objective, delta, shared in product(FAMILIES, OBJECTIVES, ("0", "0.05"), ("", " shared")):
        yield f"{family} 9x5 {objective} 0.5 {delta}{shared}"
    for family, objective in product(FAMILIES, OBJECTIVES[:4]):
        yield f"{family} 36x12 {objective} 0.5 0"
    for family, objective, delta in product(("ring", "complete", "sparse"), OBJECTIVES[:4], ("0", "0.05")):
        yield f"within 1/50 {family} 6x4 {objective} 0.5 {delta}"


def outcome_of(name: str) -> tuple[Outcome, np.ndarray[Any, Any] | None]:
    """Return what comes of a design and what it releases; a failure is told in words."""
    asked = strained(name)
    signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    start = time.process_time()
    try:
        made = asked.design()
        seconds = time.process_time() - start
        released = np.array([[float(mass) for mass in one.fractions()] for one in made.mechanism.all_released()])
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}", "seconds": time.process_time() - start}, None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    told = {"value": str(made.value), "bound": str(made.bound), "seconds": seconds}
    return told | {"any_optimum": made.stats["any_optimum"], "way": made.stats.get("way", {})}, released


def all_outcomes(chosen: list[str], processes: int) -> Iterator[tuple[str, Outcome, np.ndarray[Any, Any] | None]]:
    """Yield every design with its outcome, as they come."""
    with ProcessPoolExecutor(processes) as executor:
        for number, (name, found) in enumerate(zip(chosen, executor.map(outcome_of, chosen), strict=True), 1):
            print(f"\r{number} of {len(chosen)}", end="", file=sys.stderr, flush=True)
            yield name, *found
    print(file=sys.stderr)


def freeze(folder: Path, processes: int, only: str) -> None:
    """Write outcomes and what is released."""
    folder.mkdir(parents=True, exist_ok=True)
    outcomes, releases = {}, {}
    for name, outcome, released in all_outcomes([name for name in dict.fromkeys(names()) if only in name], processes):
        outcomes[name] = outcome
        if released is not None:
            releases[name] = released
    (folder / "outcomes.json").write_text(json.dumps(outcomes, indent=1), encoding="utf-8")
    np.savez_compressed(folder / "released.npz", allow_pickle=False, **releases)
    print(f"{len(outcomes)} designs, {sum('failed' in one for one in outcomes.values())} fail")


def apart(first: str, other: str) -> float:
    """Return how far two values are apart, as a share of the larger or of a thousandth."""
    a, b = Fraction(first), Fraction(other)
    return float(abs(a - b) / max(abs(a), abs(b), Fraction(1, 1000)))


def gap(outcome: Outcome) -> float:
    """Return how far a value is above its bound, as a share of it or of a thousandth."""
    return apart(outcome["value"], outcome["bound"])


def faults(name: str, old: Outcome, new: Outcome) -> Iterator[str]:
    """Yield in words what is worse than it was."""
    if "failed" in new or "failed" in old:
        if "failed" not in old:
            yield f"{name}: fails: {new['failed']}"
        return
    for key in ("value", "bound"):
        if (far := apart(old[key], new[key])) > AGREE:
            yield f"{name}: {key} {float(Fraction(old[key])):.12g}, now {float(Fraction(new[key])):.12g} ({far:.1e})"


def compare(folder: Path, processes: int, only: str) -> bool:
    """Print how the tree differs from what was frozen; return whether all agree."""
    outcomes = json.loads((folder / "outcomes.json").read_text(encoding="utf-8"))
    releases = np.load(folder / "released.npz")
    moves: dict[str, float] = {}
    lost: list[str] = []
    gained: list[str] = []
    ratios: list[tuple[float, str]] = []
    ways: Counter[str] = Counter()
    wrong = 0
    seconds = [0.0, 0.0]
    for name, new, released in all_outcomes([name for name in outcomes if only in name], processes):
        old = outcomes[name]
        for words in faults(name, old, new):
            print(f"\r{words}")
            wrong += 1
        ways.update(new.get("way", {}))
        seconds = [seconds[0] + old["seconds"], seconds[1] + new["seconds"]]
        if old["seconds"] + new["seconds"] > 0.2:
            ratios.append((new["seconds"] / old["seconds"], f"{name}: {old['seconds']:.2f}, {new['seconds']:.2f}"))
        if "any_optimum" in old and "any_optimum" in new and (change := new["any_optimum"] - old["any_optimum"]):
            (lost if change > 0 else gained).append(name)
        if released is None or name not in releases:
            continue
        if (move := float(abs(released - releases[name]).max())) > MOVED:
            moves[name] = move
        if gap(new) > max(1e-8, 2 * gap(old)):
            print(f"\r{name}: gap {gap(old):.1e}, now {gap(new):.1e}")
    for words, some in (("no longer", lost), ("now", gained)):
        print(f"{len(some)} {words} the one design that is defined: {'; '.join(some)}")
    for name, move in sorted(moves.items(), key=lambda item: -item[1]):
        print(f"moved by {move:.1e}: {name}")
    for ratio, words in sorted(ratios, reverse=True)[:10]:
        print(f"{ratio:.2f} times the seconds of {words}")
    print(f"{wrong} disagree, {len(moves)} moved, {seconds[0]:.1f} s then, {seconds[1]:.1f} s now")
    for way, count in ways.most_common():
        print(f"{count:6d}  {way}")
    return not wrong


def main() -> None:
    """Freeze or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("freeze", "compare"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", default="", metavar="TEXT", help="designs whose names contain a text")
    given = parser.parse_args()
    work = partial(freeze if given.what == "freeze" else compare, given.folder, given.processes, given.only)
    sys.exit(1 if work() is False else 0)


if __name__ == "__main__":
    main()
