"""Property tests have the same examples every time, unless new ones are asked for; files follow their schemas.

And what keeps the start of a thousand files short: they are compiled once, and not looked through for garbage.
"""

import gc
import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from schemas import check_written

from mechdesign.files import documents
from mechdesign.files.writing import Write

pytest_plugins = ["drawn"]

# Compiled once, also where the environment says otherwise: the workers and every process that a test starts load a
# thousand files of ours. It is half of the time that collecting takes, and of that in which a command starts.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A process for each core: the threads of a matrix product would only wait for one another, and take that core's time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

gc.disable()  # while tests are collected: what is made then is kept, and looking through it took a third of the time


def pytest_collection_finish() -> None:
    """Leave out of each later look for garbage what was collected: eleven thousand tests, and all that is imported."""
    gc.freeze()
    gc.enable()


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
        yield
