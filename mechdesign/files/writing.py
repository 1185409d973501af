"""Writing that never leaves half a file, is refused before any work where it cannot succeed, and waits for its turn."""

import contextlib
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from mechdesign.errors import InputError

Write: TypeAlias = Callable[[Path], object]
"""What writes a file whole, given where."""


def check_file(name: str) -> None:
    """Raise an InputError, before any work is done, unless a file can be written there; links are followed."""
    if name == "-":
        raise InputError("expected a file's name: what is written goes to a file, not to the screen", source=name)
    path = Path(os.path.realpath(name))
    if not path.parent.is_dir():
        raise InputError("the folder does not exist; nothing was computed", source=name)
    if path.exists() and not path.is_file():
        raise InputError("cannot be written: this is no regular file", source=name or "the file to write")


def check_folder(folder: str, purpose: str) -> None:
    """Raise an InputError, before any work is done, unless a folder is there or `made_folder` can make it."""
    path = Path(os.path.realpath(folder))
    if not path.is_dir() and (path.exists() or not path.parent.is_dir()):
        raise InputError(f"expected a folder, {purpose}; nothing was computed", source=folder)


def made_folder(folder: str | os.PathLike[str]) -> Path:
    """Return a folder's path; it is made if it was not there.

    Raises
    ------
    InputError
        if it cannot be made.
    """
    path = Path(folder)
    try:
        Path(os.path.realpath(path)).mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", source=str(folder)) from None
    return path


def write_together(
    *files: tuple[str | os.PathLike[str], Write], before_renaming: Callable[[], object] = lambda: None
) -> None:
    """Call each `write` with a file beside its path; only when all are whole are they renamed, in this order.

    An interruption leaves the old files as they were. Each new one has the rights of the one that it replaces, or those
    that new files have. Where a path is a symbolic link, the file that it leads to is replaced, and the link stays.

    Parameters
    ----------
    before_renaming
        called when all are whole; if it raises, none is renamed.

    Raises
    ------
    InputError
        if a folder does not exist or cannot be written.
    """
    written: list[str] = []
    with contextlib.ExitStack() as stack:
        beside = [stack.enter_context(_beside(path, write)) for path, write in files]
        before_renaming()
        for new, (path, _) in zip(beside, files, strict=True):
            try:
                new.replace(os.path.realpath(path))
            except OSError as error:  # such as another's file in a folder for all
                rest = f"; {', '.join(written)} was written" if written else ""
                raise InputError(f"cannot be written: {error.strerror}{rest}", source=str(path)) from None
            written.append(str(path))


@contextlib.contextmanager
def _beside(path: str | os.PathLike[str], write: Write) -> Iterator[Path]:
    """Yield a new file, written, in the folder of the one that `path` leads to; it goes unless it was renamed."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise InputError("cannot be written: this is no regular file", source=str(path) or "the file to write")
    beside = target.with_name(f".{target.stem}-{secrets.token_hex(8)}{target.suffix}")
    try:  # from before it is there, since an interruption may come at once
        try:
            rights = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
            # Nobody else may read what replaces a file before it has the rights of that one.
            os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666 if rights is None else 0o600))
            write(beside)
            _sync(beside)
            if rights is not None:
                beside.chmod(rights)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", source=str(path)) from None
        yield beside
    finally:
        with contextlib.suppress(FileNotFoundError):
            beside.unlink()


def _sync(path: Path) -> None:
    """Return when a file's bytes are on the disk, so that a name never leads to what was lost with the power."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


PATIENCE = 60.0
"""Seconds to wait for another command, which needs less than one to read and write thousands of points."""


@contextmanager
def locked(path: str | os.PathLike[str], *, patience: float = PATIENCE) -> Iterator[None]:
    """Keep every other command that asks for the same file out while this one reads and writes it.

    The lock is a hidden file beside it. It is removed while it is still held: who waited for it sees that it has no
    name any more, and asks again for the one that has. So none is left behind, and two never hold one each.

    Raises
    ------
    InputError
        if the folder cannot be written, or another command does not let go of the file.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with locked(folder / "curve.json"):
    ...     [entry.name for entry in folder.iterdir()]
    ['.curve.json.lock']
    >>> list(folder.iterdir())
    []
    """
    from filelock import FileLock, Timeout  # loads slowly

    target = Path(os.path.realpath(path))
    beside = target.with_name(f".{target.name}.lock")
    if not target.parent.is_dir():  # it would be made
        raise InputError("the folder does not exist", source=str(path))
    lock = FileLock(beside, timeout=patience, poll_interval=0.01)
    try:
        lock.acquire()
    except Timeout:
        advice = f"if none is running, delete {beside}"
        raise InputError(
            f"another command has kept it locked for {patience:g} seconds; {advice}", source=str(path)
        ) from None
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", source=str(path)) from None
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # another system may not let go of the name of an open file
            beside.unlink()
        lock.release()
