"""How long users wait before anything happens: python benchmarks/start.py.

Each program is a fresh Python, run several times in turn with the others, so that other work on the machine slows all
of them alike; the median counts. The ratio to `import numpy, networkx` is what can be compared between machines.
"""

import subprocess
import sys
from statistics import median

from shared import Table, asked, timed

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
    with timed() as taken:
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return taken.clock


def main() -> None:
    """Print one row for each program."""
    runs = asked(__doc__, runs=9).runs
    taken: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for run in range(runs + 1):
        for name, arguments in PROGRAMS.items():
            once = seconds(arguments)
            if run:  # the first one reads files that are not yet in memory
                taken[name].append(once)
    bare = median(next(iter(taken.values())))
    shown = Table("program", "seconds", "ratio")
    for name, times in taken.items():
        shown.row(f"`{name}`", f"{median(times):.2f}", f"{median(times) / bare:.2f}")


if __name__ == "__main__":
    main()
