"""Property tests have the same examples every time, unless new ones are asked for; files follow their schemas.

And what keeps the start of a thousand files short: they are compiled once, and not looked through for garbage.
"""

import gc
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from schemas import check_written

from mechdesign import design, write_certificate, write_mechanism
from mechdesign.files import documents
from mechdesign.files.writing import Write

HOMES, NUMBERS = pytest.StashKey[Path](), count()

pytest_plugins = ["drawn"]

# Programs that need another extra; pytest would import them to look for doctests.
collect_ignore = ["mutants.py", "website.py"]

# Compiled once, also where the environment says otherwise: the workers and every process that a test starts load a
# thousand files of ours. It is half of the time that collecting takes, and of that in which a command starts.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ.pop("PYTHONUNBUFFERED", None)  # processes print as a user's do: what a full disk does not take is kept

# A process for each core: the threads of a matrix product would only wait for one another, and take that core's time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

gc.disable()  # while tests are collected: what is made then is kept, and looking through it took a third of the time


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let snapshots be renewed."""
    parser.addoption("--renew", action="store_true", help="write down anew what the pages of tests/snapshots show")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let each test be a user's first: what was sanitised before is noted among the user's own files."""
    os.environ["XDG_STATE_HOME"] = str(item.config.stash[HOMES] / str(next(NUMBERS)))


def pytest_configure(config: pytest.Config) -> None:
    """Have a folder for users' own files, which is there once a test writes one."""
    config.stash[HOMES] = Path(tempfile.gettempdir()) / f"users-{secrets.token_hex(8)}"


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave none of them behind, and what is in memory to the system: to look through it again takes seconds."""
    shutil.rmtree(config.stash[HOMES], ignore_errors=True)
    gc.freeze()


def pytest_collection_finish() -> None:
    """Leave out of each later look for garbage what was collected: eleven thousand tests, and all that is imported."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def coin(tmp_path: Path) -> str:
    path = tmp_path / "coin.csv"
    path.write_text("3/4,1/4\n1/4,3/4\n")
    return str(path)


@pytest.fixture
def designed(tmp_path: Path) -> dict[str, Path]:
    """The files of a design, private at epsilon 0.5 on two of three pairs."""
    result = design("categorical-chain", epsilon="0.5")
    write_mechanism(result.mechanism, tmp_path / "mechanism.json")
    write_certificate(result.certificate, tmp_path / "certificate.json")
    return {name: tmp_path / f"{name}.json" for name in ("mechanism", "certificate")}


@pytest.fixture(autouse=True, scope="session")
def written_files_follow_their_schemas() -> Iterator[None]:
    """Hold every JSON file that a test has mechdesign write in this process against its schema."""
    writer = documents._writer

    def checked(value: Any, path: Any, packed: bool) -> Write:
        write = writer(value, path, packed)  # which refuses what JSON cannot hold
        check_written(value)
        return write

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "_writer", checked)
        patch.setattr(os, "fsync", lambda _: None)  # no test loses power, and each would wait for the disk
        yield
