"""JSON files, and writing: whole or not at all, one at a time, and nothing left behind."""

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mechdesign.errors import InputError
from mechdesign.files.documents import _no_duplicates, json_writer, read_json, write_json
from mechdesign.files.writing import check_folder, locked, made_folder, write_together


def written(folder: Path, content: str | bytes) -> Path:
    path = folder / "input.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("", "line 1, column 1"),
        ('{"a": [1,\n 2', "line 2, column 3"),  # cut short
        ("name,value\n", "line 1, column 1"),
        ('{"a": 1}\n}', "line 2, column 1"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "binary"),
        ('{"a": 1, "b": {"x": 1, "y": 2, "x": 3}}', '"x" is given twice'),
        ("[" * 101 + "]" * 101, "nested too deeply"),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "nested too deeply"),
        ("[" * 100_000, "nested too deeply"),
        ("[" + "9" * 5000 + "]", "too many digits"),
    ],
    ids=["empty", "truncated", "csv", "trailing", "binary", "duplicate", "101 deep", "objects", "deep", "digits"],
)
def test_what_cannot_be_read(tmp_path: Path, content: str | bytes, fault: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(InputError) as caught:
        read_json(path)
    assert str(caught.value).startswith(str(path))
    assert fault in str(caught.value)


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.json: no such file"):
        read_json(tmp_path / "nowhere.json")
    with pytest.raises(InputError, match="cannot be read"):
        read_json(tmp_path)
    with pytest.raises(InputError, match="cannot be written"):
        write_json([], tmp_path / "no folder" / "out.json")


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt(), ValueError("a bug")])
def test_a_writer_that_fails_leaves_the_old_file(tmp_path: Path, error: BaseException) -> None:
    target = tmp_path / "out.json"
    target.write_text("old")

    def fail_half_way(beside: Path) -> None:
        beside.write_text("half of the n")
        raise error

    with pytest.raises((InputError, type(error))) as caught:
        write_together((target, fail_half_way))
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]
    if isinstance(error, OSError):
        assert str(caught.value) == f"{target}: cannot be written: No space left on device"


def test_a_folder_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "out.json").mkdir()
    with pytest.raises(InputError, match="cannot be written"):
        write_json([], tmp_path / "out.json")
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_a_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    """In its own folder; also where there is no such file yet."""
    (tmp_path / "real").mkdir()
    for name in ("there", "new"):
        target, link = tmp_path / "real" / f"{name}.json", tmp_path / f"{name}.json"
        link.symlink_to(Path("real") / target.name)
        if name == "there":
            target.write_text("old")
        write_json([1], link)
        assert link.is_symlink()
        assert read_json(target) == [1]
    assert {path.name for path in (tmp_path / "real").iterdir()} == {"there.json", "new.json"}


def test_a_folder_through_a_link_is_made(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("real")
    check_folder(str(tmp_path / "link"), "for the test")
    made_folder(tmp_path / "link")
    assert (tmp_path / "real").is_dir()
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("fails", [0, 1])
def test_files_are_written_together_or_not_at_all(tmp_path: Path, fails: int) -> None:
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path in paths:
        path.write_text("old")
    values: list[Any] = [1, 2]
    values[fails] = {3}
    with pytest.raises(InputError, match=f"{paths[fails].name}: cannot be written"):
        write_together(*((path, json_writer(value, path)) for value, path in zip(values, paths, strict=True)))
    assert [path.read_text() for path in sorted(tmp_path.iterdir())] == ["old", "old"]
    write_together(*((path, json_writer(value, path)) for value, path in zip([1, 2], paths, strict=True)))
    assert [path.read_text() for path in sorted(tmp_path.iterdir())] == ["1\n", "2\n"]


def test_what_was_renamed_before_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = Path.replace

    def refuse(path: Path, target: str) -> Path:
        if target.endswith("b.json"):  # as where another's file is in a folder for all
            raise PermissionError(1, "Operation not permitted")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(InputError, match=r"b.json: cannot be written: Operation not permitted; .*a.json was written"):
        write_together(*((path, json_writer(1, path)) for path in (tmp_path / "a.json", tmp_path / "b.json")))
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_the_new_file_has_the_usual_rights_and_ending(tmp_path: Path) -> None:
    seen: list[str] = []

    def write(beside: Path) -> None:
        seen.append(beside.suffix)
        beside.write_text("new")

    write_together((tmp_path / "out.svg", write))
    plain = tmp_path / "plain"
    plain.write_text("")
    assert seen == [".svg"]
    assert stat.S_IMODE((tmp_path / "out.svg").stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    assert (tmp_path / "out.svg").read_text() == "new"


@pytest.mark.skipif(sys.platform == "win32", reason="has no such rights")
@pytest.mark.parametrize("rights", [0o600, 0o640, 0o444])
def test_what_replaces_a_file_has_its_rights(tmp_path: Path, rights: int) -> None:
    """And nobody else may read it before; the rights of new files are asked of nobody, as another thread may write."""
    path, meanwhile = tmp_path / "out.json", []
    path.write_text("old")
    path.chmod(rights)

    def write(beside: Path) -> None:
        meanwhile.append(stat.S_IMODE(beside.stat().st_mode))
        beside.write_text("new")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "umask", lambda mask: pytest.fail(f"the whole process now has the umask {mask}"))
        write_together((path, write))
    assert (path.read_text(), meanwhile) == ("new", [0o600])
    assert stat.S_IMODE(path.stat().st_mode) == rights


def test_bytes_are_on_the_disk_before_the_name_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    replace = Path.replace

    def renamed(path: Path, new: str) -> Path:
        done.append("rename")
        return replace(path, new)

    monkeypatch.setattr(os, "fsync", lambda _: done.append("sync"))
    monkeypatch.setattr(Path, "replace", renamed)
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    write_together(*((path, json_writer(1, path)) for path in paths), before_renaming=lambda: done.append("before"))
    assert done == ["sync", "sync", "before", "rename", "rename"]


class Key(str):
    """A key that counts how often any of its kind is compared."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other: object) -> bool:
        Key.compared += 1
        return str.__eq__(self, str(other))

    __hash__ = str.__hash__


def test_a_key_given_twice_among_thousands_is_found_in_linear_time() -> None:
    pairs: list[tuple[str, Any]] = [(Key(f"key {number}"), number) for number in [*range(2000), 1999]]
    Key.compared = 0
    with pytest.raises(InputError, match='"key 1999" is given twice'):
        _no_duplicates(pairs)
    assert Key.compared < 3 * len(pairs)


COUNTING = """
import sys
from pathlib import Path
from mechdesign.files.writing import locked
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
