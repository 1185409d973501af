"""A solver from outside, run as a command: method "command".

It is given the textbook program of each component that needs noise, [GC] (5), as an MPS file whose columns and rows
are named as `mechdesign.program.names` says, and it writes a solution file, see `mechdesign.solver.command`. An
answer that was found elsewhere, to the program of the whole graph, need only be copied. What is answered is a guess, as
any solver's: it is made exactly private, and if it gives no multipliers the bound is proved with our own solver's.
"""

import math
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.errors import InputError, SolverError
from mechdesign.exact.text import shown
from mechdesign.problem import Problem
from mechdesign.program.names import column_keys, first_profile, name_of, placed, row_keys
from mechdesign.program.program import Program
from mechdesign.program.transport import Layout, transport_program
from mechdesign.solution import Solution
from mechdesign.solver.full import solution_of
from mechdesign.solver.mps import write_mps

PRIMAL, DUAL = "# Primal solution values", "# Dual solution values"

WRONG = 1e-3
"""An answer that violates a row by more is no answer; what first-order solvers leave is less."""

SHOWN = 5
"""Last lines of what a command said that an error repeats."""


def read_solution(
    path: Path, columns: Sequence[str], rows: Sequence[str], others: Container[int] = ()
) -> tuple[Floats, Floats | None]:
    """Return the values of the columns and the multipliers of the rows, None if the file has none.

    Lines about profiles at the positions `others`, which are in other components, are passed over.

    Raises
    ------
    SolverError
        naming the line that cannot be used.
    """
    lines = list(enumerate(path.read_text(encoding="utf-8-sig", errors="replace").splitlines(), start=1))
    found: tuple[dict[str, float], dict[str, float]] = {}, {}
    names = (set(columns), set(rows))
    for number, line in _of_highs(lines) if any(line.strip() == PRIMAL for _, line in lines) else lines:
        words, where = line.split(), f"line {number} of the solution"
        if not words or words[0].startswith("#"):
            continue
        name, kind = words[0], 0 if words[0] in names[0] else 1
        if len(words) == 2 and first_profile(name) in others:
            continue
        if len(words) != 2 or name not in names[kind]:
            raise SolverError(f"{where}: expected the name of a column or row and a number, found {shown(line)}")
        if name in found[kind]:
            raise SolverError(f"{where}: {name} is there twice")
        found[kind][name] = _number(words[1], where)
    if not found[0]:
        raise SolverError("the solution has no columns: expected lines such as entry_0_0_0 0.75")
    values = np.array([found[0].get(name, 0.0) for name in columns])
    return values, np.array([found[1].get(name, 0.0) for name in rows]) if found[1] else None


def _number(text: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise SolverError(f"{where}: expected a finite number, found {shown(text)}")
    return value


def _of_highs(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the lines of HiGHS' own format that are columns' values and rows' multipliers."""
    part, wanted = "", False
    for number, line in lines:
        if line.startswith(("# Columns ", "# Rows ")):
            wanted = line.startswith({PRIMAL: "# Columns ", DUAL: "# Rows "}.get(part, "neither"))
        elif line.startswith("#"):
            part, wanted = line.strip(), False
        elif wanted:
            yield number, line


def words_of(command: str) -> list[str]:
    """Return a command's words, as a shell would split them; no shell is used.

    Raises
    ------
    InputError
        if it is no text, cannot be split, lacks the place of the solution, or there is no such program.

    Examples
    --------
    >>> words_of("cp 'my answer.txt' {solution}")
    ['cp', 'my answer.txt', '{solution}']
    """
    where = "--method-command"
    if not isinstance(command, str):
        example = "one text such as 'solver {mps} {solution}'"
        raise InputError(f"command: expected {example}, found {shown(command)}")
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"{where}: cannot be split into words: {error}") from None
    if not any("{solution}" in word for word in words):
        example = "such as 'solver {mps} {solution}'"
        raise InputError(f"{where}: expected a command with {{solution}}, {example}; found {shown(command)}")
    if shutil.which(words[0]) is None:
        raise InputError(f"{where}: there is no program {shown(words[0])}, or it may not be run")
    return words


def solve_command(
    problem: Problem, command: str, *, members: Sequence[int] | None = None, others: Container[int] = ()
) -> Solution:
    """Return what a command answers to the textbook program, with multipliers if it gives any; no time limit.

    `members` are the positions that the profiles have in the whole graph, `others` those of all others there.

    Raises
    ------
    InputError
        if the command cannot be run.
    SolverError
        if it fails, or its answer cannot be used; with its last lines.
    """
    program, layout = transport_program(problem)
    scale = float(problem.loss_unit)
    x, duals = answer_of(problem, program, layout, command, members=members, others=others)
    multipliers = None if duals is None else _multipliers(program, duals) / scale
    return replace(solution_of(problem, program, layout, x, multipliers), way="command")


def answer_of(
    problem: Problem,
    program: Program,
    layout: Layout,
    command: str,
    *,
    members: Sequence[int] | None = None,
    others: Container[int] = (),
) -> tuple[Floats, Floats | None]:
    """Return what a command answers as the values of columns and the multipliers of rows, None if it gives none.

    Raises
    ------
    InputError, SolverError
        as `solve_command` does.
    """
    members = range(len(problem.exact)) if members is None else members
    columns = [name_of(placed(key, members)) for key in column_keys(problem, layout)]
    rows = [name_of(placed(key, members)) for key in row_keys(problem, layout)]
    with tempfile.TemporaryDirectory() as scratch:
        mps, solution, said = (Path(scratch, name) for name in ("program.mps", "solution.txt", "said.txt"))
        write_mps(program, mps, scale=float(problem.loss_unit), columns=columns, rows=rows)
        _run(words_of(command), mps, solution, said)
        try:
            if not solution.is_file():
                raise SolverError("it wrote no solution")
            x, duals = read_solution(solution, columns, rows, others)
            x[layout.entries] = _level(program, x, layout.entries)
            _check(program, x, rows)
        except SolverError as error:
            raise SolverError(f"the command's answer cannot be used: {error}{_last_lines(said)}") from None
    return x, duals


def _run(words: list[str], mps: Path, solution: Path, said: Path) -> None:
    """Run a command; what it says goes to a file."""
    given = [word.replace("{mps}", str(mps)).replace("{solution}", str(solution)) for word in words]
    with said.open("wb") as log:
        try:
            done = subprocess.run(given, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, check=False)
        except OSError as error:
            raise InputError(f"--method-command: {words[0]} cannot be run: {error.strerror}") from None
    if done.returncode:
        raise SolverError(f"the command {_ended(done.returncode)}{_last_lines(said)}")


def _ended(code: int) -> str:
    """Return in words how a command ended.

    Examples
    --------
    >>> _ended(1), _ended(-9), _ended(-1000)
    ('ended with status 1', 'was ended by SIGKILL', 'ended with status -1000')
    """
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"ended with status {code}"


def _last_lines(said: Path) -> str:
    """Return a command's last lines for the end of an error."""
    with said.open("rb") as log:
        log.seek(max(0, said.stat().st_size - 2000))
        lines = [line for line in log.read().decode(errors="replace").splitlines() if line.strip()]
    return "".join(f"\n  {line}" for line in ["its last lines:", *lines[-SHOWN:]]) if lines else "; it said nothing"


def _level(program: Program, x: Floats, column: int) -> float:
    """Return the least level with which the other columns meet the program, whatever the answer says of it."""
    level = program.matrix[:, [column]].toarray().ravel()
    rest = program.matrix @ np.where(np.arange(len(x)) == column, 0.0, x)
    bounding = (level < 0) & np.isfinite(program.upper)
    return float(np.max((rest - program.upper)[bounding] / -level[bounding]))


def _check(program: Program, x: Floats, rows: list[str]) -> None:
    """Raise a SolverError if x is far from meeting the program."""
    if (below := float(np.max(program.floor - x))) > WRONG:
        raise SolverError(f"it has a negative value, {-below:.3g}")
    activity = program.matrix @ x
    excess = np.maximum(activity - program.upper, program.lower - activity)
    worst = int(np.argmax(excess))
    if excess[worst] > WRONG:
        raise SolverError(f"it violates the row {rows[worst]} by {excess[worst]:.3g}")


def _multipliers(program: Program, duals: Floats) -> Floats:
    """Return multipliers >= 0 of upper bounds, in whichever of the two signs a solver gives them."""
    above = np.where(program.lower == program.upper, 0.0, duals)
    return np.maximum(0.0, above if above.sum() > 0 else -above)
