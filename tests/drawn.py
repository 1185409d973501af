"""The examples of property tests: the same every time, or new ones with `pytest --random`; and one that failed, again.

Hypothesis has no deadline, since machines differ, and keeps no file of what failed: the command holds the example.
"""

import re
import shlex
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, reproduce_failure, settings

EXAMPLES = settings(max_examples=12, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", EXAMPLES, derandomize=True)
settings.register_profile("random", EXAMPLES, derandomize=False, print_blob=True)

FAILED = re.compile(r"@reproduce_failure\('([\d.]+)', b'([^']+)'\)")
"""What hypothesis says of an example that failed: its own version, and the choices that were drawn."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("examples of property tests")
    group.addoption("--random", action="store_true", help="new examples, not the same every time")
    group.addoption("--examples", type=int, metavar="N", help="how many for each test, whatever it says itself")
    group.addoption("--repeat", metavar="EXAMPLE", help="this example alone, as a failure with --random names it")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("random" if config.getoption("random") else "same")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    number, example = config.getoption("examples"), config.getoption("repeat")
    for test in {item.function for item in items if isinstance(item, pytest.Function)}:
        if number and is_hypothesis_test(test):
            own = test._hypothesis_internal_use_settings  # what its decorator says: there is no other way to reach it
            test._hypothesis_internal_use_settings = settings(own, max_examples=number)
        if example and is_hypothesis_test(test):
            version, choices = example.split(":")
            reproduce_failure(version, choices.encode())(test)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Add to a failure the commands that repeat it."""
    report = yield
    for version, choices in FAILED.findall(report.longreprtext):
        command = ["python", "-m", "pytest", "-n0", f"--repeat={version}:{choices}", "-m", "", item.nodeid]
        report.sections.append(("to repeat this example", shlex.join(command)))
    return report
