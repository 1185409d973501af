"""New examples for property tests: others each time, as many as asked, and a failure's own command finds it again."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
FILE = """
from pathlib import Path
from hypothesis import example, given, settings, strategies as st

@settings(max_examples=5)
@given(st.integers(0, 10**9))
def test_some(number):
    with Path("drawn").open("a") as file:
        print(number, file=file)

class TestOne:
    @given(st.integers(0, 10**9))
    def test_small(self, number):
        assert number < 12345
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("test_file.py")
    path.write_text(FILE)
    return path


def run(*words: str) -> str:
    line = [sys.executable, "-m", "pytest", "-p", "drawn", "-p", "no:cacheprovider", "--rootdir=.", *words]
    return subprocess.run(line, env={"PYTHONPATH": str(TESTS)}, capture_output=True, text=True).stdout


def drawn(*words: str) -> list[int]:
    """Return the examples that the first test of the file had."""
    run("-k", "test_some", *words)
    found = [int(line) for line in Path("drawn").read_text().split()]
    Path("drawn").unlink()
    return found


@pytest.mark.usefixtures("file")
def test_new_examples_each_time_only_if_asked() -> None:
    same, random = [drawn("-n0") for _ in range(2)], [drawn("-n0", "--random") for _ in range(2)]
    assert same[0] == same[1]
    assert len({tuple(same[0]), *map(tuple, random)}) == 3
    assert {len(one) for one in same + random} == {5}


@pytest.mark.usefixtures("file")
@pytest.mark.parametrize("workers", ["-n0", "-n1"])
def test_as_many_as_asked(workers: str) -> None:
    assert len(set(drawn(workers, "--random", "--examples=77"))) == 77


@pytest.mark.parametrize("workers", ["-n0", "-n2"])
def test_a_failure_says_the_command_that_repeats_it(file: Path, workers: str) -> None:
    said = run("--random", "--examples=200", workers)
    [command] = re.findall(r"^python -m pytest (.*)", said, re.MULTILINE)
    assert "number=12345" in run(*shlex.split(command))
    file.write_text(FILE.replace("12345", "12346"))
    assert "DidNotReproduce" in run(*shlex.split(command))
