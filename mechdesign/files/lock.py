"""A file that several commands write at once: whoever changes it holds a lock from reading it to writing it."""

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mechdesign.errors import InputError

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
