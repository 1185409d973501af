"""How long it takes to design a mechanism, to write its certificate, and to check it: python benchmarks/prove.py.

The check runs checker.py as a stranger would, in a process of its own.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mechdesign import design
from mechdesign.bench.families import graph_of_family
from mechdesign.certificate import checker
from mechdesign.files.documents import write_json


def prove(profiles: int, categories: int, epsilon: float) -> tuple[float, float, float, float, int]:
    """Return seconds to design, to write the certificate, to check it; the relative gap; and the file's size."""
    graph = graph_of_family("ring", profiles, categories, seed=1)
    start = time.perf_counter()
    result = design(graph, epsilon=epsilon)
    designed = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.json"
        write_json(result.certificate, path)
        written = time.perf_counter()
        subprocess.run(
            [sys.executable, "-I", str(Path(checker.__file__)), str(path)], check=True, stdout=subprocess.DEVNULL
        )
        checked = time.perf_counter()
        gap = float((result.value - result.bound) / result.value)
        return designed - start, written - designed, checked - written, gap, path.stat().st_size


def main() -> None:
    """Print one row for each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epsilon", type=float, default=0.5)
    parser.add_argument("--sizes", nargs="+", default=["20x10", "50x20", "100x20"], metavar="PROFILESxCATEGORIES")
    arguments = parser.parse_args()
    print("| profiles x categories | design (s) | certificate (s) | check (s) | relative gap | certificate (MB) |")
    print("|---|---|---|---|---|---|")
    for size in arguments.sizes:
        profiles, categories = map(int, size.split("x"))
        designing, writing, checking, gap, length = prove(profiles, categories, arguments.epsilon)
        seconds = f"{designing:.2f} | {writing:.2f} | {checking:.2f}"
        print(f"| {profiles} x {categories} | {seconds} | {gap:.1e} | {length / 1e6:.2f} |")


if __name__ == "__main__":
    main()
