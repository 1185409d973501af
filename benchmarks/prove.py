"""How long it takes to design a mechanism, to write its certificate, and to check it: python benchmarks/prove.py.

The check runs checker.py as a stranger would, in a process of its own.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from shared import Table, asked, size_of, timed

from mechdesign import design
from mechdesign.bench.families import graph_of_family
from mechdesign.certificate import checker
from mechdesign.files.documents import write_json


def prove(profiles: int, categories: int, epsilon: float) -> tuple[float, float, float, float, int]:
    """Return seconds to design, to write the certificate, to check it; the relative gap; and the file's size."""
    graph = graph_of_family("ring", profiles, categories, seed=1)
    with timed() as designing:
        result = design(graph, epsilon=epsilon)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "certificate.json"
        with timed() as writing:
            write_json(result.certificate, path)
        command = [sys.executable, "-I", str(Path(checker.__file__)), str(path)]
        with timed() as checking:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        gap = float((result.value - result.bound) / result.value)
        return designing.clock, writing.clock, checking.clock, gap, path.stat().st_size


def main() -> None:
    """Print one row for each size."""
    given = asked(__doc__, epsilon=0.5, sizes=("20x10", "50x20", "100x20"))
    steps = ("design (s)", "certificate (s)", "check (s)")
    shown = Table("profiles x categories", *steps, "relative gap", "certificate (MB)")
    for size in map(size_of, given.sizes):
        *seconds, gap, length = prove(*size, given.epsilon)
        taken = (f"{one:.2f}" for one in seconds)
        shown.row(f"{size[0]} x {size[1]}", *taken, f"{gap:.1e}", f"{length / 1e6:.2f}")


if __name__ == "__main__":
    main()
