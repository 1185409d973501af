"""One at a time, and nothing left behind."""

import subprocess
import sys
from pathlib import Path

import pytest

from mechdesign.errors import InputError
from mechdesign.files.lock import locked

COUNTING = """
import sys
from pathlib import Path
from mechdesign.files.lock import locked
path = Path(sys.argv[1])
for _ in range(30):
    with locked(path):
        path.write_text(str(int(path.read_text()) + 1))
"""


def test_two_processes_count_right(tmp_path: Path) -> None:
    """The lock's file goes each time, while others wait for it."""
    path = tmp_path / "count"
    path.write_text("0")
    counting = [subprocess.Popen([sys.executable, "-c", COUNTING, str(path)]) for _ in range(2)]
    assert [process.wait(timeout=60) for process in counting] == [0] * 2
    assert path.read_text() == "60"
    assert [entry.name for entry in tmp_path.iterdir()] == ["count"]


def test_links_share_the_lock_of_their_file(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real" / "count")
    with locked(tmp_path / "link"):
        assert [entry.name for entry in (tmp_path / "real").iterdir()] == [".count.lock"]


def test_a_lock_that_is_not_let_go(tmp_path: Path) -> None:
    path = tmp_path / "count"
    words = r"count: another command has kept it locked for 0.01 seconds"
    with locked(path), pytest.raises(InputError, match=words), locked(path, patience=0.01):
        pytest.fail("two at once")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the folder does not exist"), locked(tmp_path / "nowhere" / "count"):
        pytest.fail("locked")
