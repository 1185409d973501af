"""New examples for property tests: others each time, as many as asked, and a failure's own command finds it again."""

import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import drawn as plugin
import pytest

pytest_plugins = ["pytester"]

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
def run(pytester: pytest.Pytester, request: pytest.FixtureRequest) -> Iterator[Callable[..., str]]:
    """Run the file in this process; without the option for workers there would be some."""
    pytester.makepyfile(test_file=FILE)

    def printed(*words: str) -> str:
        line = ["-p", "drawn", "-p", "no:cacheprovider", "--rootdir=.", *words]
        return str(pytester.runpytest_inprocess(*line).stdout)

    yield printed
    plugin.pytest_configure(request.config)


def drawn() -> list[int]:
    """Return the examples that the first test of the file had."""
    found = [int(line) for line in Path("drawn").read_text().split()]
    Path("drawn").unlink()
    return found


def test_new_examples_each_time_only_if_asked(run: Callable[..., str]) -> None:
    found = []
    for words in ([], [], ["--random"], ["--random"]):
        run("-n0", "-k", "test_some", *words)
        found.append(drawn())
    assert found[0] == found[1]
    assert len(set(map(tuple, found))) == 3
    assert {len(one) for one in found} == {5}


@pytest.mark.slow
def test_a_failure_says_the_command_that_repeats_it(run: Callable[..., str]) -> None:
    said = run("-n0", "--random", "--examples=200")
    assert len(set(drawn())) == 200
    [command] = re.findall(r"^python -m pytest (.*)", said, re.MULTILINE)
    assert "number=12345" in run(*shlex.split(command))
    Path("test_file.py").write_text(FILE.replace("12345", "12346"))
    assert "DidNotReproduce" in run(*shlex.split(command))


@pytest.mark.slow
@pytest.mark.usefixtures("run")
def test_workers_are_told() -> None:
    line = [sys.executable, "-m", "pytest", "-p", "drawn", "-n1", "--random", "--examples=77"]
    said = subprocess.run(line, env={"PYTHONPATH": str(TESTS)}, capture_output=True, text=True).stdout
    assert len(set(drawn())) == 77
    assert re.search(r"^python -m pytest -n0 --repeat=", said, re.MULTILINE)
