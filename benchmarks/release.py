"""How many rows a second go through a mechanism, in which memory, and by which law: python benchmarks/release.py.

Parts: arrays (codes in memory, beside other packages' randomised response in the same run), files (the commands, each
run a process of its own, in turn with one of the tree --against) and law (Pearson's statistic of every row of a table).
Rates in memory are given by the clock, which depends on what else the machine does, and by processor time.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyarrow import csv, parquet
from scipy.stats import chi2
from shared import Table, asked, fastest

import mechdesign as md
from mechdesign.privacy.stored_rows import Rows
from mechdesign.release.bits import fresh_bits
from mechdesign.release.sampling import Sampler

CHUNK = 1_000_000
TOTAL = 3 << 56


def table(rows: int, outputs: int, generator: np.random.Generator, zeros: float = 0.0) -> npt.NDArray[np.object_]:
    """Return rows of weights of the size that certified mechanisms have; a share of them 0."""
    laws = generator.dirichlet(np.full(outputs, 0.5), rows)
    laws[generator.random(laws.shape) < zeros] = 0
    weights = np.array([[int(mass * TOTAL) for mass in law] for law in laws], dtype=object)
    weights[:, 0] += TOTAL - weights.sum(axis=1)
    return weights


def rate(work: Callable[[], object], rows: int, repeats: int = 5) -> tuple[str, ...]:
    """Return millions of rows a second by the clock, and of processor time: the best of some runs."""
    best = fastest(work, repeats)
    return tuple(f"{rows / one / 1e6:.4g}" for one in (best.clock, best.processor))


def arrays(rows: int) -> None:
    """Print one line for each size of table, and one for each other package."""
    generator = np.random.default_rng(0)
    shown = Table("what", "million rows a second", "a second of processor time")
    for inputs, outputs in ((20, 20), (50, 200), (400, 20), (1000, 1000)):
        sampler = Sampler(Rows(table(inputs, outputs, generator)))
        codes = generator.integers(0, inputs, rows).astype(np.int32)
        drawn = rate(lambda sampler=sampler, codes=codes: sampler.draw(codes, fresh_bits()), rows)  # type: ignore[misc]
        shown.row(f"draw, {inputs} rows x {outputs} outputs, guide table of {sampler.bits} bits", *drawn)
    mechanism = md.k_ary(range(20), epsilon=1)
    for name, data in (
        ("integers", generator.integers(0, 20, rows)),
        ("text", pa.array(map(str, range(20))).take(pa.array(generator.integers(0, 20, rows)))),
    ):
        whole = rate(lambda data=data: md.sanitise(mechanism, data), rows, 3)  # type: ignore[misc]
        shown.row(f"md.sanitise, 20 x 20, {name}", *whole)
    for peer, measured in (("OpenDP randomised response, 20 categories", opendp), ("multi-freq-ldpy GRR_Client", ldpy)):
        try:
            shown.row(peer, *measured())
        except ImportError:
            shown.row(peer, "not installed", "")


def opendp() -> tuple[str, ...]:
    """Return millions of rows a second of OpenDP's randomised response, row by row, as it is called."""
    dp = import_module("opendp.prelude")
    dp.enable_features("contrib")
    release = dp.m.make_randomized_response([str(x) for x in range(20)], prob=0.5)
    return rate(lambda: [release("3") for _ in range(2000)], 2000)


def ldpy() -> tuple[str, ...]:
    """Return millions of rows a second of multi-freq-ldpy's compiled client, row by row, as it is called."""
    client = import_module("multi_freq_ldpy.pure_frequency_oracles.GRR").GRR_Client
    client(3, 20, 1.0)
    return rate(lambda: [client(3, 20, 1.0) for _ in range(100_000)], 100_000)


def made(folder: Path, rows: int) -> tuple[Path, Path]:
    """Return a Parquet and a CSV file of so many rows: an id, one of 20 profiles, one of 20 categories."""
    names = folder / f"{rows}.parquet", folder / f"{rows}.csv"
    generator = np.random.default_rng(0)
    texts = {name: pa.array([f"{name}-{i:02d}" for i in range(20)]) for name in ("profile", "value")}
    schema = pa.schema([("id", pa.int64()), *((name, pa.string()) for name in texts)])
    unquoted = csv.WriteOptions(quoting_style="none")
    with (
        parquet.ParquetWriter(names[0], schema, compression="zstd") as one,
        csv.CSVWriter(names[1], schema, write_options=unquoted) as other,
    ):
        for start in range(0, rows, CHUNK):
            count = min(CHUNK, rows - start)
            drawn = [text.take(pa.array(generator.integers(0, 20, count))) for text in texts.values()]
            part = pa.table([pa.array(np.arange(start, start + count)), *drawn], schema=schema)
            one.write_table(part)
            other.write_table(part)
    return names


def own_rows(folder: Path) -> Path:
    """Return the file of a mechanism of 20 profiles with 20 x 20 matrices of their own."""
    profiles, categories = ([f"{name}-{i:02d}" for i in range(20)] for name in ("profile", "value"))
    graph = md.profile_graph(dict.fromkeys(profiles, [1] + [0] * 19), edges=[], categories=categories)
    index = np.arange(400).reshape(20, 20)
    mechanism = md.Mechanism(graph, tuple(categories), table(400, 20, np.random.default_rng(0)), index)
    md.write_mechanism(mechanism, folder / "mechanism.json")
    return folder / "mechanism.json"


PEAK = """
import re, sys
from pathlib import Path
from mechdesign.cli.main import main
assert main(sys.argv[1:]) == 0
print(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text()).group(1))
"""
"""What runs in a process of its own: the command, then its peak memory (Linux)."""

ONCE = 50_000_000
"""From so many rows on, a command runs once; else three times, and the median is told."""


def files(sizes: list[int], folder: Path, against: str | None) -> None:
    """Print one line for each size and kind of file, and command: `sanitise`, `graph from-table` and `estimate`."""
    mechanism, here = own_rows(folder), str(Path(__file__).parent.parent)
    beside = [] if against is None else ["processor, times the other tree's", "memory"]
    shown = Table("command", "rows", "kind", "seconds of processor", "peak memory, MB", *beside)
    for rows in sizes:
        for source in made(folder, rows):
            out, graph = folder / f"out{source.suffix}", folder / "graph.json"
            columns = ["--value", "value", "--profile", "profile"]
            commands: dict[str, list[str | Path]] = {
                "sanitise": ["sanitise", mechanism, source, *columns, "--keep", "profile", "--keep-anyway", "-o", out],
                "graph from-table": ["graph", "from-table", source, *columns, "-o", graph],
                "estimate": ["estimate", mechanism, out, *columns],
            }
            for name, words in commands.items():
                trees = [here] if against is None else [here, against]
                runs = np.array([[measured(words, tree) for tree in trees] for _ in range(1 if rows >= ONCE else 3)])
                (own, memory), *other = np.median(runs, axis=0)
                told = [cell for busy, peak in other for cell in (f"{own / busy:.2f}", f"{memory / peak:.2f}")]
                shown.row(name, f"{rows:,}", source.suffix[1:], f"{own:.2f}", f"{memory:.0f}", *told)
            source.unlink()
            out.unlink()


def measured(words: list[str | Path], tree: str) -> tuple[float, float]:
    """Return what a command of a tree takes, with Python's start: seconds of processor, and MB."""
    command, before = [sys.executable, "-c", PEAK, *map(str, words), "--json"], os.times()
    ran = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": tree})
    after = os.times()
    busy = after.children_user + after.children_system - before.children_user - before.children_system
    return busy, int(ran.stdout.splitlines()[-1]) / 1024


def law(draws: int) -> None:
    """Print the least p-value of any row of a 20 x 20 table, and how often outputs of weight 0 occurred."""
    generator = np.random.default_rng(1)
    weights = table(20, 20, generator, zeros=0.2)
    sampler = Sampler(Rows(weights))
    least, forbidden = 1.0, 0
    for row, weight in enumerate(weights):
        counts = np.zeros(20, np.int64)
        for start in range(0, draws, CHUNK):
            outputs = sampler.draw(np.full(min(CHUNK, draws - start), row), fresh_bits())
            counts += np.bincount(outputs, minlength=20)
        expected = np.array([draws * int(one) / int(weight.sum()) for one in weight])
        seen = expected > 5
        forbidden += int(counts[expected == 0].sum())
        statistic = ((counts[seen] - expected[seen]) ** 2 / expected[seen]).sum()
        least = min(least, float(chi2.sf(statistic, int(seen.sum()) - 1)))
    zeros = int((weights == 0).sum())
    print(f"{draws:,} draws of each of 20 rows: least p-value {least:.3f}, of 20 uniform ones one expects 0.048;")
    print(f"outputs of weight 0 ({zeros} of 400 entries) occurred {forbidden} times in {20 * draws:,} draws")


def main() -> None:
    """Run the parts asked for."""
    given = asked(__doc__, parts=("arrays", "files", "law"), rows=2.0**24, sizes=(1e6, 1e7), draws=1e7, against=None)
    if "arrays" in given.parts:
        arrays(int(given.rows))
    if "files" in given.parts:
        with tempfile.TemporaryDirectory() as folder:
            files([int(size) for size in given.sizes], Path(folder), given.against)
    if "law" in given.parts:
        law(int(given.draws))


if __name__ == "__main__":
    main()
