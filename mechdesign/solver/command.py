"""A solver from outside, run as a command: method "command".

It is given the textbook program of each component that needs noise, [GC] (5), as an MPS file whose columns and rows are
named as `mechdesign.program.names` says, by positions within the component, and it writes a solution file, see
`mechdesign.solver.solution_file`. What it answers is a guess, as any solver's: it is made exactly private, and if it
gives no multipliers the bound is proved with those of our own solver.
"""

import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from mechdesign.arrays import Floats
from mechdesign.errors import InputError, SolverError
from mechdesign.exact.text import shown
from mechdesign.problem import Problem, Solution
from mechdesign.program.names import column_keys, name_of, row_keys
from mechdesign.program.program import Program
from mechdesign.program.transport import transport_program
from mechdesign.solver.full import solution_of
from mechdesign.solver.mps import write_mps
from mechdesign.solver.solution_file import read_solution

WRONG = 1e-3
"""An answer that violates a row by more is no answer; what first-order solvers leave is less."""

SHOWN = 5
"""Last lines of what a command said that an error repeats."""


def words_of(command: str) -> list[str]:
    """Return a command's words, as a shell would split them; no shell is used.

    Raises
    ------
    InputError
        if it cannot be split, lacks a placeholder, or there is no such program.

    Examples
    --------
    >>> words_of("cp 'my answer.txt' {mps} {solution}")
    ['cp', 'my answer.txt', '{mps}', '{solution}']
    """
    where = "--method-command"
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"{where}: cannot be split into words: {error}") from None
    lacking = [part for part in ("{mps}", "{solution}") if not any(part in word for word in words)]
    if lacking:
        example = "such as 'solver {mps} {solution}'"
        raise InputError(f"{where}: expected a command with {' and '.join(lacking)}, {example}; found {shown(command)}")
    if shutil.which(words[0]) is None:
        raise InputError(f"{where}: there is no program {shown(words[0])}, or it may not be run")
    return words


def solve_command(problem: Problem, command: str) -> Solution:
    """Return what a command answers to the textbook program, with multipliers if it gives any; no time limit.

    Raises
    ------
    InputError
        if the command cannot be run.
    SolverError
        if it fails, or its answer cannot be used; with its last lines.
    """
    program, layout = transport_program(problem)
    columns = list(map(name_of, column_keys(problem, layout)))
    rows = list(map(name_of, row_keys(problem, layout)))
    scale = float(problem.loss_unit)
    with tempfile.TemporaryDirectory() as scratch:
        mps, solution, said = (Path(scratch, name) for name in ("program.mps", "solution.txt", "said.txt"))
        write_mps(program, mps, scale=scale, columns=columns, rows=rows)
        _run(words_of(command), mps, solution, said)
        try:
            if not solution.exists():
                raise SolverError("it wrote no solution")
            x, duals = read_solution(solution, columns, rows)
            _check(program, x, rows)
        except SolverError as error:
            raise SolverError(f"the command's answer cannot be used: {error}{_last_lines(said)}") from None
    return solution_of(problem, program, layout, x, None if duals is None else _multipliers(program, duals) / scale)


def _run(words: list[str], mps: Path, solution: Path, said: Path) -> None:
    """Run a command; what it says goes to a file."""
    given = [word.replace("{mps}", str(mps)).replace("{solution}", str(solution)) for word in words]
    with said.open("wb") as log:
        try:
            done = subprocess.run(given, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, check=False)
        except OSError as error:
            raise InputError(f"--method-command: {words[0]} cannot be run: {error.strerror}") from None
    if done.returncode:
        raise SolverError(f"the command ended with status {done.returncode}{_last_lines(said)}")


def _last_lines(said: Path) -> str:
    """Return a command's last lines for the end of an error."""
    with said.open("rb") as log:
        log.seek(max(0, said.stat().st_size - 2000))
        lines = [line for line in log.read().decode(errors="replace").splitlines() if line.strip()]
    return "".join(f"\n  {line}" for line in ["its last lines:", *lines[-SHOWN:]]) if lines else "; it said nothing"


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
