"""Both checkers as a stranger runs them: the file alone, by any Python from 3.9 on, whatever becomes of the answer."""

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from command import alone
from formulas import MADE
from test_checker import CLAIMS, HOSTILE, MAX, WORST, _certificate, around

from mechdesign.certificate import checker, formula_checker

CERTIFICATE, FORMULA = Path(checker.__file__), Path(formula_checker.__file__)
GOOD: dict[Path, Callable[[], str]] = {
    CERTIFICATE: lambda: _certificate(MAX),
    FORMULA: lambda: json.dumps(MADE["local, max-off-diagonal"]),
}
BOTH = pytest.mark.parametrize("file", GOOD, ids=["certificate", "formula"])
MODULES = pytest.mark.parametrize("by", [checker, formula_checker], ids=["certificate", "formula"])


def run_alone(python: str, file: Path, *arguments: str, options: str = "-I", **streams: Any) -> Any:
    """Run a copy of the file, isolated and without site packages."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    command = [python, options, "-S", str(file), *arguments]
    done = subprocess.run(command, text=True, timeout=60, env={"PATH": os.environ["PATH"]}, **streams)
    assert "Traceback" not in (done.stderr or "")
    return done


def pythons() -> list[str]:
    """Return the interpreters from 3.9 on that are installed."""
    names = [f"python3.{minor}" for minor in range(9, 16)]
    found = [path for path in map(shutil.which, names) if path]
    kept = Path.home() / ".pyenv" / "versions"
    return [sys.executable, *found, *(str(path) for name in names for path in sorted(kept.glob(f"*/bin/{name}")))]


def of_version(version: str) -> str:
    asking = "import sys; print('3.%d' % sys.version_info[1])"
    for python in pythons():
        answer = subprocess.run([python, "-I", "-S", "-c", asking], capture_output=True, text=True)
        if version == "this" or answer.stdout.strip() == version:
            return python
    pytest.skip(f"no Python {version} here")


@pytest.fixture
def files(tmp_path: Path, file: Path) -> tuple[str, str]:
    """What the checker accepts, and what it rejects."""
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(GOOD[file]())
    bad.write_text("{}")
    return str(good), str(bad)


@pytest.mark.slow
@pytest.mark.parametrize("version", ["this", "3.9", "3.13"])
def test_a_certificate(version: str, tmp_path: Path) -> None:
    python, path = of_version(version), tmp_path / "certificate.json"
    path.write_text(_certificate(WORST))
    done = run_alone(python, CERTIFICATE, str(path))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(
        "accepted: private at epsilon 0.5 to 0.5, delta at most 0, on 2 of 3 pairs; nothing is proved of the others\n"
    )
    value, bound = map(float, CLAIMS.findall(done.stdout)[0])
    assert bound <= value <= bound + 1e-9
    for status, key, spoiled in ((2, "matrices", None), (16, "value", "1"), (18, "bound", "1")):
        path.write_text(json.dumps(json.loads(_certificate(WORST)) | {key: spoiled}))
        done = run_alone(python, CERTIFICATE, str(path))
        assert (done.returncode, done.stdout) == (status, "")
    for kind in ("10 MB of [", "deep labels", "deeper labels", "deep edges", "a long integer", "not UTF-8"):
        path.write_bytes(HOSTILE[kind]())
        done = run_alone(python, CERTIFICATE, str(path))
        assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.slow
@pytest.mark.parametrize("version", ["this", "3.9", "3.13"])
def test_a_formula(version: str, tmp_path: Path) -> None:
    python, path, proof = of_version(version), tmp_path / "proof.json", json.dumps(MADE["pair, root of 3"])
    path.write_text(proof)
    done = run_alone(python, FORMULA, str(path))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "accepted: the optimum is exactly this function of E = e^epsilon",
        "E from 1 to the root of -3 + x^2 between 17/10 and 9/5: (3 - E^2)/(3 + 3 E^2)",
        "E from the root of -3 + x^2 between 17/10 and 9/5 to infinity: 0",
        "profiles 2, categories 2; matrices 2, each profile's own; max-off-diagonal",
        "private at 2 times epsilon, delta 0, on 1 of 1 pairs",
    ]
    path.write_text(proof.replace("[3, 0, -1]", "[3, 0, -2]"))
    done = run_alone(python, FORMULA, str(path))
    assert (done.returncode, done.stdout) == (13, "")
    assert done.stderr.startswith("rejected: primal, 0: group 0, row 0: ")


@pytest.mark.slow
def test_a_python_that_reads_few_digits(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_bytes(around("loss_unit", "9" * 900))
    command = [sys.executable, "-S", "-X", "int_max_str_digits=640", str(CERTIFICATE), str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("rejected: ")


@MODULES
def test_what_is_no_file(by: ModuleType, tmp_path: Path) -> None:
    for arguments in ([], ["a", "b"], [str(tmp_path)], [str(tmp_path / "none")], ["a\0b"]):
        assert alone(by, *arguments).status == 2


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
@MODULES
def test_a_device_without_an_end(by: ModuleType) -> None:
    said = alone(by, "/dev/zero")
    assert said.status == 2
    assert said.err.startswith("rejected: longer than any ")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("options", ["-I", "-Iu"], ids=["with buffers", "without"])
@BOTH
def test_no_space_for_the_answer(file: Path, options: str, files: tuple[str, str]) -> None:
    """It is said of no good proof that it is rejected; nor does a rejection end in a traceback."""
    with Path("/dev/full").open("w") as full:
        done = run_alone(sys.executable, file, files[0], options=options, stdout=full)
        assert (done.returncode, done.stderr.partition(":")[0]) == (3, "accepted")
        assert "could not be written to standard output: [Errno 28] No space left on device" in done.stderr
        assert "rejected" not in done.stderr
        assert run_alone(sys.executable, file, files[0], options=options, stdout=full, stderr=full).returncode == 3
        assert run_alone(sys.executable, file, files[1], options=options, stderr=full).returncode == 2


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="closed by the shell of POSIX")
@BOTH
def test_nobody_wants_the_answer(file: Path, files: tuple[str, str]) -> None:
    """Where output is closed on purpose the exit status says it, and it alone."""
    good, bad = files
    for path, closed, status in ((good, ">&-", 0), (good, ">&- 2>&-", 0), (bad, ">&- 2>&-", 2)):
        script = f'"$0" -I "$1" "$2" {closed}'
        done = subprocess.run(["sh", "-c", script, sys.executable, file, path], capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (status, "", "")


@MODULES
@pytest.mark.parametrize(("error", "words"), [(MemoryError(), "out of memory"), (TypeError("a fault"), "a fault")])
def test_whatever_goes_wrong_nothing_is_accepted_or_confirmed(
    by: ModuleType, error: Exception, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python itself would end with 1, which is the status of a refutation that is confirmed."""

    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(by, "check", fails)
    path = tmp_path / "certificate.json"
    path.write_text("{}")
    assert alone(by, str(path)) == (2, "", f"rejected: {words}\n")


STANDARD = {
    *("collections", "decimal", "fractions", "gc", "gzip", "io", "json", "math", "operator", "os"),
    *("re", "sys", "types", "typing"),
}


@BOTH
def test_it_needs_only_the_standard_library_of_3_9(file: Path) -> None:
    tree = ast.parse(file.read_text(), feature_version=(3, 9))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    froms = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {"json", "fractions"} < imported | froms <= STANDARD
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not used & {"__import__", "import_module", "bit_count"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, float)]
