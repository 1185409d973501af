"""How long users wait before anything happens: python benchmarks/start.py.

Each program is a fresh Python, run several times in turn with the others, so that other work on the machine slows all
of them alike; the median counts. The ratio to `import numpy, networkx` is what can be compared between machines.
"""

import argparse
import subprocess
import sys
import time
from statistics import median

BARE = "import numpy, networkx"
PROGRAMS = {
    f'python -c "{BARE}"': ["-c", BARE],
    'python -c "import mechdesign"': ["-c", "import mechdesign"],
    'python -c "from mechdesign import certify, design"': ["-c", "from mechdesign import certify, design"],
    "mechdesign --help": ["-m", "mechdesign", "--help"],
    "mechdesign design categorical-chain --epsilon 0.5": [
        *("-m", "mechdesign", "design", "categorical-chain", "--epsilon", "0.5")
    ],
}


def seconds(arguments: list[str]) -> float:
    """Return how long a fresh Python takes."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Print one row for each program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    runs = parser.parse_args().runs
    taken: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for run in range(runs + 1):
        for name, arguments in PROGRAMS.items():
            once = seconds(arguments)
            if run:  # the first one reads files that are not yet in memory
                taken[name].append(once)
    bare = median(next(iter(taken.values())))
    print("| program | seconds | ratio |")
    print("|---|---|---|")
    for name, times in taken.items():
        print(f"| `{name}` | {median(times):.2f} | {median(times) / bare:.2f} |")


if __name__ == "__main__":
    main()
