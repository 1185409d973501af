"""Runs one after the other, each in a process of its own with a time limit."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TypeAlias

from mechdesign.bench.families import family
from mechdesign.bench.methods import COMMAND, method
from mechdesign.bench.outcome import Ending, Measurement, Run, measurement_of, with_excess
from mechdesign.files.documents import write_json

Keep: TypeAlias = Callable[[Measurement], object]
"""Called with each row as it comes; its excess is not known yet."""
Progress: TypeAlias = Callable[[int, int], object]
"""Called with how many runs are done, of how many."""


def runs_of(
    families: Iterable[str],
    sizes: Iterable[tuple[int, int]],
    methods: Sequence[str],
    *,
    epsilon: str = "0.5",
    seed: int = 1,
    command: str = "",
) -> list[Run]:
    """Return every method on every family's graph of every size, each graph once; "command" runs the command.

    Raises
    ------
    InputError
        if there is no such family or method.

    Examples
    --------
    >>> [(run.profiles, run.categories) for run in runs_of(["counting", "ring"], [(4, 2), (4, 3)], ["scipy"])]
    [(4, 4), (4, 2), (4, 3)]
    """
    for name in methods:
        method(name)
    cases = dict.fromkeys((name, *family(name).size(*size)) for name in families for size in sizes)
    commands = {COMMAND: command}
    return [Run(*case, name, epsilon, seed, command=commands.get(name, "")) for case in cases for name in methods]


def carried_out(
    runs: Sequence[Run],
    *,
    limit: float,
    certificate: bool = False,
    keep: Keep = lambda row: None,
    progress: Progress = lambda done, everything: None,
) -> list[Measurement]:
    """Return the rows of all runs, each given so many seconds, examination included; certificates checked, if asked."""
    rows = []
    for done, run in enumerate(runs):
        progress(done, len(runs))
        rows.append(run_apart(run, limit=limit, certificate=certificate))
        keep(rows[-1])
    progress(len(runs), len(runs))
    return with_excess(rows)


def run_apart(run: Run, *, limit: float, certificate: bool = False) -> Measurement:
    """Return the row of a run in a process of its own.

    Examples
    --------
    >>> run_apart(Run("chain", 3, 2, "structured"), limit=0.001).words
    'no answer within 0.001 s'
    """
    with tempfile.TemporaryDirectory() as folder:
        asked, answered = Path(folder) / "run.json", Path(folder) / "row.json"
        write_json({"run": asdict(run), "certificate": certificate}, asked)
        command = [sys.executable, "-m", "mechdesign.bench.measure", str(asked), str(answered)]
        try:
            ended = within_limit(command, limit)
            outcome, why = Ending.FAILED, _why(ended)
        except subprocess.TimeoutExpired:
            outcome, why = Ending.TIMED_OUT, f"no answer within {limit:g} s"
        text = answered.read_text(encoding="utf-8") if answered.exists() else None
        row = Measurement(run, outcome, why) if text is None else measurement_of(json.loads(text))
    if row.done and row.true_epsilon is None:  # answered, but stopped while the answer was examined
        late = outcome == Ending.TIMED_OUT
        row = replace(row, outcome=Ending.DONE if late else outcome, words=f"not examined: {why}")
    return replace(row, limit=limit)


def within_limit(command: list[str], limit: float) -> subprocess.CompletedProcess[bytes]:
    """Return how a process ended; at the limit, or if interrupted, it is ended with all that it has started.

    Raises
    ------
    subprocess.TimeoutExpired
        at the limit.

    Examples
    --------
    >>> within_limit([sys.executable, "-c", "raise SystemExit(3)"], limit=60).returncode
    3
    """
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        try:
            _, said = process.communicate(timeout=limit)
        except BaseException:
            if sys.platform == "win32":
                process.kill()
            else:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(command, process.returncode, stderr=said)


def _why(ended: subprocess.CompletedProcess[bytes]) -> str:
    """Return how a process ended that wrote no answer."""
    if ended.returncode < 0:
        return f"ended by {signal.Signals(-ended.returncode).name}"
    lines = ended.stderr.decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else f"ended with status {ended.returncode}"
