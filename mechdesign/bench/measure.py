"""One run in this process: its time by phases, its memory, and what holds exactly of what it returns.

As a process of its own: python -m mechdesign.bench.measure RUN.json ROW.json.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from mechdesign.bench.families import graph_of_family, objective_of
from mechdesign.bench.methods import method
from mechdesign.bench.outcome import Ending, Measurement, Run, record
from mechdesign.bench.task import Found, Task
from mechdesign.certificate.check import check_certificate
from mechdesign.certifier.certify import certify
from mechdesign.errors import InputError, SolverError
from mechdesign.exact.bounds import float_above
from mechdesign.exact.numbers import parse_number
from mechdesign.files.documents import write_json
from mechdesign.packages import MissingPackageError, load
from mechdesign.stopwatch import Stopwatch

QUICK = 1.0
"""A run is repeated, and the fastest counts, until so many seconds have passed or it was run five times."""


def measured(run: Run, *, certificate: bool, report: Callable[[Measurement], object]) -> None:
    """Run a method and call `report` with the row: when the answer is there, and again when it has been examined.

    Whatever another package may raise is a row that says so.
    """
    graph = graph_of_family(run.family, run.profiles, run.categories, run.seed)
    objective = objective_of(run.family, len(graph.graph["categories"]), run.objective)
    task = Task(graph, objective, parse_number(run.epsilon), parse_number(run.delta), run.command)
    row = Measurement(run, Ending.DONE, edges=graph.number_of_edges(), unknowns=task.unknowns())
    try:
        found, timed, seconds = _fastest(run, task)
    except MissingPackageError as error:
        report(replace(row, outcome=Ending.MISSING, words=str(error)))
    except InputError as error:
        report(replace(row, outcome=Ending.UNFIT, words=str(error)))
    except SolverError as error:
        report(replace(row, outcome=Ending.NO_OPTIMUM, words=str(error)))
    except Exception as error:  # another package's
        report(replace(row, outcome=Ending.FAILED, words=f"{type(error).__name__}: {error}"))
    else:
        row = replace(row, phases=timed.seconds, seconds=seconds, memory=peak_memory(children=bool(run.command)))
        report(row)
        report(_examined(row, task, found, certificate))


def _fastest(run: Run, task: Task) -> tuple[Found, Stopwatch, float]:
    """Return the answer with the time of each phase and in all."""
    way = method(run.method)
    if way.module:
        load(way.module, needs=way.needs)
    results: list[tuple[Found, Stopwatch, float]] = []
    while not results or (len(results) < 5 and sum(seconds for *_, seconds in results) < QUICK):
        timed, start = Stopwatch(), time.perf_counter()
        found = way.solve(task, timed)
        results.append((found, timed, time.perf_counter() - start))
    return min(results, key=lambda result: result[2])


def _examined(row: Measurement, task: Task, found: Found, certificate: bool) -> Measurement:
    """Return the row with the exact value and epsilon; with a certificate made and checked, if asked."""
    value = task.objective.value(found.mechanism) if found.value is None else found.value
    row = replace(row, value=float_above(value), bound_exact=None if found.bound is None else str(found.bound))
    row = replace(
        row, true_epsilon=certify(found.mechanism, task.graph, epsilon=task.epsilon, delta=task.delta).epsilon[1]
    )
    if certificate and found.certificate is not None:
        start = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "certificate.json"
            write_json(found.certificate(), path)
            if check_certificate(path) != (found.value, found.bound):
                raise SolverError("the certificate states another value or bound")
        row = replace(row, certificate=time.perf_counter() - start)
    return row


def peak_memory(*, children: bool = False) -> float | None:
    """Return the largest resident size of this process so far, in MiB; None where the system does not tell.

    With `children`, of those that it has waited for too: of all, the largest.
    """
    if children and sys.platform != "win32":
        import resource

        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        return max(peak_memory() or 0.0, most / (2**20 if sys.platform == "darwin" else 2**10))
    status = Path("/proc/self/status")
    if status.exists():  # getrusage would count what the parent had when it started this process
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) / 2**10
    if sys.platform == "win32":
        return None
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    asked = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))

    def report(row: Measurement) -> None:
        """Write what is known so far: the time limit may end this process any moment."""
        write_json(record(row), sys.argv[2])

    measured(Run(**asked["run"]), certificate=asked["certificate"], report=report)
