"""Solvers from outside, run as commands: what they answer is made exactly private, whatever it is worth."""

import json
import shlex
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from command import answer, refused, run
from oracles.divergence import assert_private

from mechdesign import (
    Design,
    ExpectedLoss,
    InputError,
    MaxOffDiagonal,
    SolverError,
    WorstLoss,
    check_certificate,
    design,
    profile_graph,
    read_graph,
    sweep,
)
from mechdesign.objective import Objective
from mechdesign.solver.linear_program import write_program

CHAIN = read_graph("categorical-chain")
TABLE = [[0, 7, 10, 10], [3, 0, 3, 8], [10, 3, 0, 3], [10, 9, 3, 0]]

HIGHS = """
import sys, highspy
highs = highspy.Highs()
highs.readModel(sys.argv[1])
highs.run()
"""
OWN_FORMAT = HIGHS + "highs.writeSolution(sys.argv[2], 0)"
PLAIN = (
    HIGHS
    + """
found = highs.getSolution()
with open(sys.argv[2], "w") as file:
    print("# what HiGHS found\\n", file=file)
    for i, value in enumerate(found.col_value):
        if value:
            print(highs.getColName(i)[1], value, file=file)
    for i, value in enumerate(found.row_dual if SIGN else []):
        print(highs.getRowName(i)[1], SIGN * value, file=file)
"""
)
NO_SOLVER = """
import sys
columns = [line.split()[0] for line in open(sys.argv[1]) if line.startswith("    entry_")]
answer = open(sys.argv[2], "w")
for name in dict.fromkeys(columns):
    print(name, ENTRY, file=answer)
print("level 1", file=answer)
print("read", sys.argv[1][-11:])
"""


def command(folder: Path, script: str, **names: object) -> str:
    """Return the command that runs a Python script, where these names stand for these values."""
    path = folder / "a solver.py"
    path.write_text("".join(f"{name} = {value!r}\n" for name, value in names.items()) + script)
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(path))} {{mps}} {{solution}}"


def assert_proved(result: Design) -> None:
    """The mechanism is private by an independent computation; the stranger's checker accepts the certificate."""
    assert_private(result.mechanism, CHAIN, Fraction(result.epsilon), result.delta)
    assert check_certificate(result.certificate) == (result.value, result.bound)


@pytest.mark.parametrize(
    ("script", "names", "any_optimum"),
    [(OWN_FORMAT, {}, False), (PLAIN, {"SIGN": 0}, True), (PLAIN, {"SIGN": 1}, False), (PLAIN, {"SIGN": -1}, True)],
    ids=["HiGHS' own format", "columns", "and multipliers", "of the other sign"],
)
def test_a_good_solver(tmp_path: Path, script: str, names: dict[str, int], any_optimum: bool) -> None:
    result = design(CHAIN, epsilon="0.5", command=command(tmp_path, script, **names), any_optimum=any_optimum)
    usual = design(CHAIN, epsilon="0.5")
    assert result.method == result.mechanism.notes["method"] == "command"
    assert float(result.value) == pytest.approx(float(usual.value), abs=1e-8)
    assert float(result.bound) == pytest.approx(float(usual.bound), abs=1e-8)
    assert_proved(result)


def test_the_multipliers_given_are_those_used(tmp_path: Path) -> None:
    """Without those of the privacy rows they prove nothing; with none at all the bound is our own."""
    lacking = PLAIN.replace("SIGN * value", "SIGN * value * ('objective' in highs.getRowName(i)[1])")
    result = design(CHAIN, epsilon="0.5", command=command(tmp_path, lacking, SIGN=1))
    assert result.bound == 0
    assert_proved(result)
    assert result.stats["own_multipliers"] == 0
    assert (result.warning or "").startswith("The bound is 100 % below the value: the command's answer is far from the")
    ours = design(CHAIN, epsilon="0.5", command=command(tmp_path, PLAIN, SIGN=0))
    assert ours.bound > Fraction(5, 100)
    assert (ours.stats["own_multipliers"], ours.warning) == (1, None)


@pytest.mark.parametrize("change", ["", "level 0.01\n", "\ufeff"], ids=["left out", "wrong", "after a byte order mark"])
def test_the_level_is_that_of_the_entries(tmp_path: Path, change: str) -> None:
    script = (
        PLAIN
        + f"""
text = "".join(line for line in open(sys.argv[2]) if not line.startswith("level"))
open(sys.argv[2], "w", encoding="utf-8").write({change!r} + text)
"""
    )
    result = design(CHAIN, epsilon="0.5", command=command(tmp_path, script, SIGN=1))
    assert result.bound <= result.value < result.bound + Fraction(1, 10**9)


@pytest.mark.parametrize("objective", [MaxOffDiagonal(), ExpectedLoss(TABLE), WorstLoss(TABLE)], ids=lambda o: o.name)
@pytest.mark.parametrize("shared", [False, True])
def test_an_answer_to_the_whole_program(tmp_path: Path, objective: Objective, shared: bool) -> None:
    """Found elsewhere to the file that --mps writes: each of two components takes its own lines."""
    distributions = {"a": [4, 3, 2, 1], "c": [1, 1, 1, 7], "b": [1, 2, 3, 4], "d": [2, 2, 3, 3], "alone": [1, 1, 4, 4]}
    profiles = {name: [Fraction(one, 10) for one in masses] for name, masses in distributions.items()}
    graph = profile_graph(profiles, edges=[("a", "b"), ("c", "d")], categories=[1, 2, 3, 4])
    asked: dict[str, Any] = {"epsilon": "0.3", "delta": "0.02", "objective": objective, "shared": shared}
    program, answer = tmp_path / "program.mps", tmp_path / "answer.txt"
    write_program(graph, str(program), **asked)
    subprocess.run(
        shlex.split(command(tmp_path, PLAIN, SIGN=1).format(mps=program, solution=answer)),
        check=True,
        capture_output=True,
    )
    result = design(graph, command=f"cp {shlex.quote(str(answer))} {{solution}}", **asked)
    assert (result.stats["components"], result.stats["without_noise"], result.stats["own_multipliers"]) == (3, 1, 0)
    assert float(result.value) == pytest.approx(float(design(graph, **asked).value), rel=1e-6)
    assert float(result.bound) == pytest.approx(float(result.value), rel=1e-6)
    assert check_certificate(result.certificate) == (result.value, result.bound)


def test_a_bad_solver_is_private_all_the_same(tmp_path: Path) -> None:
    """It lets everybody report anything, which is private and far from optimal, as the bound tells."""
    result = design(CHAIN, epsilon="0.5", any_optimum=True, command=command(tmp_path, NO_SOLVER, ENTRY=0.25))
    assert result.value > Fraction(15, 100)
    assert float(result.bound) == pytest.approx(0.056684742, abs=1e-8)
    assert_proved(result)


def test_nothing_is_run_where_no_noise_is_needed(tmp_path: Path) -> None:
    assert design(CHAIN, epsilon=2, command=command(tmp_path, "import sys; sys.exit(3)")).value == 0


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("print('one\\ntwo'); sys.exit(3)", r"ended with status 3\n  its last lines:\n  one\n  two"),
        ("sys.exit(1)", "ended with status 1; it said nothing"),
        ("sys.exit('\\n'.join(map(str, range(99))))", r"status 1\n  its last lines:\n  94\n.*\n  98$"),
        ("1 / 0", "ZeroDivisionError"),
        ("print('no luck')", r"it wrote no solution\n  its last lines:\n  no luck"),
        ("answer('')", "the solution has no columns"),
        ("answer('total_0_0 1')", "the solution has no columns"),
        ("answer('entry_0_0_0 1\\nentry_9_0_0 1')", "line 2 .*expected the name of a column or row.*'entry_9_0_0 1'"),
        ("answer('entry_0_0_0 1\\nentry_0_0_0 1')", "line 2 of the solution: entry_0_0_0 is there twice"),
        ("answer('entry_0_0_0')", "line 1 .*expected the name of a column or row and a number"),
        ("answer('entry_0_0_0 nan')", "line 1 .*expected a finite number, found 'nan'"),
        ("answer('entry_0_0_0 1e999')", "expected a finite number, found '1e999'"),
        ("answer('entry_0_0_0 much')", "expected a finite number, found 'much'"),
        ("answer('entry_0_0_0 1')", "it violates the row total_0_1 by 1"),
        ("answer('# Primal solution values\\nNone\\n')", "the solution has no columns"),
        ("open(sys.argv[2], 'wb').write(b'\\xff\\xfe')", "expected the name of a column"),
        ("import os; os.mkdir(sys.argv[2])", "it wrote no solution"),
        ("import os; os.kill(os.getpid(), 9)", "the command was ended by SIGKILL; it said nothing"),
    ],
)
def test_answers_that_are_none(tmp_path: Path, script: str, words: str) -> None:
    helper = "import sys\ndef answer(text): open(sys.argv[2], 'w').write(text)\n"
    with pytest.raises(SolverError, match=f"(?s){words}"):
        design(CHAIN, epsilon="0.5", command=command(tmp_path, helper + script))


def test_a_negative_entry_is_no_answer(tmp_path: Path) -> None:
    script = NO_SOLVER.replace("ENTRY", '{0: 1, 1: 0.5, 2: 0, 3: -0.5}[int(name.split("_")[3])]')
    with pytest.raises(SolverError, match=r"negative value, -0\.5\n  its last lines:\n  read program.mps"):
        design(CHAIN, epsilon="0.5", command=command(tmp_path, script))


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("solver {mps}", {}, "expected a command with {solution}, such as"),
        ("", {}, "expected a command with {solution}, such as 'solver {mps} {solution}'; found ''"),
        ("'{mps} {solution}", {}, "cannot be split into words: No closing quotation"),
        ("no-such-solver {mps} {solution}", {}, "there is no program 'no-such-solver'"),
        ("cp {mps} {solution}", {"method": "highs"}, 'found the method "highs" too'),
        (None, {"method": "command"}, 'method "command": expected a command too'),
    ],
)
def test_commands_that_are_none(text: str | None, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as error:
        design(CHAIN, epsilon=2, command=text, **options)
    assert words in str(error.value)


@pytest.mark.parametrize("given", [["cp", "a", "{solution}"], print], ids=["a list", "a function"])
def test_a_command_is_a_text(given: Any) -> None:
    with pytest.raises(InputError, match=r"command: expected one text such as 'solver {mps} {solution}', found "):
        design(CHAIN, epsilon=2, command=given)


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    """It is there and may be run, but is no program."""
    path = tmp_path / "solver"
    path.write_bytes(b"\x7fELF")
    path.chmod(0o755)
    with pytest.raises(InputError, match="cannot be run"):
        design(CHAIN, epsilon="0.5", command=f"{shlex.quote(str(path))} {{mps}} {{solution}}")


class TestCommandLine:
    def test_exit_statuses(self, tmp_path: Path) -> None:
        asked = ["design", "categorical-chain", "--epsilon", "0.5", "--method-command"]
        said = run(*asked, command(tmp_path, "import sys; sys.exit('no licence')"))
        assert said == (3, "", "mechdesign: the command ended with status 1\n  its last lines:\n  no licence\n")
        said = run(*asked, "solver")
        assert said.status == 2
        assert said.err.startswith("mechdesign: --method-command: expected a command with {solution}")

    @pytest.mark.slow
    def test_a_sweep_and_its_curve(self, tmp_path: Path) -> None:
        """One solver's points are not taken for another's, nor for our own."""
        curve, text = str(tmp_path / "curve.json"), command(tmp_path, PLAIN, SIGN=0)
        asked = ["design", "categorical-chain", "--epsilon", "0.5,2", "--curve", curve]
        found = answer(*asked, "--method-command", text)
        assert (found["method"], found["command"]) == ("command", text)
        here = [float(result.value) for result in sweep(CHAIN, "0.5,2", command=text)]
        assert [point["value"] for point in found["points"]] == pytest.approx(here, abs=1e-12)
        assert "command: " in refused(*asked, "--method-command", f"{text} --other")
        assert "method: 'command' there, 'auto' here" in refused(*asked)

    def test_mps(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        path = "chain.mps"
        asked = ["design", "categorical-chain", "--epsilon", "0.5", "--mps", path]
        said = run(*asked, "--json")
        assert said.status == 0
        found = json.loads(said.out)
        assert (found["mps"], found["map"]) == (path, f"{path}.map.json")
        assert {Path(path).exists(), Path(f"{path}.map.json").exists()} == {True}
        said = run(*asked)
        assert said.status == 0
        assert f"Written: {path}, {path}.map.json.\n" in said.out

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            (["--epsilon", "1,2", "--mps", "chain.mps"], "--mps: goes with one epsilon"),
            (["--epsilon", "1", "--mps", "chain.mps", "--method", "magic"], "found 'magic'"),
            (["--epsilon", "1", "--mps", "nowhere/chain.mps"], "nowhere/chain.mps: the folder does not exist"),
            (
                ["--epsilon", "1", "--mps", "m", "-o", "m.map.json"],
                "m.map.json: --mps would overwrite what --output",
            ),
        ],
    )
    def test_mps_files_that_are_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], words: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        said = run("design", "categorical-chain", *options)
        assert said.status == 2
        assert words in said.err
        assert list(tmp_path.iterdir()) == []
