"""Random bits that nobody can foresee: AES-256 in counter mode, with a key for one batch alone.

A generator that lives on repeats its stream where it was forked or pickled, and two outputs from the same bits tell
about each other's inputs. So there is none here that lives on: `fresh_bits` takes a new key from the operating system
(7 microseconds), and the batch is done with it.
"""

import os
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

KEY = 32
"""Bytes of a key of AES-256."""

PIECE = 1 << 18
"""Bytes enciphered at once. Tuned on 64 MiB: as fast as any larger one (8 GB/s), and it stays in the cache."""

_ZEROS = bytes(PIECE)


class Bits(Protocol):
    """A stream of random bits."""

    def words(self, count: int, kind: type[np.unsignedinteger[Any]]) -> npt.NDArray[Any]:
        """Return the next so many words of the width of this type, uniform and independent."""
        ...


class KeyStream:
    """The bits of one key: AES-256 in counter mode, NIST SP 800-38A 6.5, the counter from 0.

    Examples
    --------
    >>> KeyStream(bytes(32)).words(2, np.uint16).dtype
    dtype('uint16')
    """

    def __init__(self, key: bytes) -> None:
        self._cipher = Cipher(algorithms.AES256(key), modes.CTR(bytes(16))).encryptor()

    def words(self, count: int, kind: type[np.unsignedinteger[Any]]) -> npt.NDArray[Any]:
        """Return the next so many words of the width of this type."""
        words: npt.NDArray[Any] = np.empty(count, kind)
        space = words.data.cast("B")
        for start in range(0, len(space), PIECE):
            piece = space[start : start + PIECE]
            self._cipher.update_into(_ZEROS[: len(piece)], piece)
        return words


def fresh_bits() -> Bits:
    """Return bits of a new key from the operating system: for one batch, here and now, in this process."""
    return KeyStream(os.urandom(KEY))


def seeded_bits(seed: int) -> Callable[[], Bits]:
    """Return what gives batch after batch its bits, the same for the same seed: not for release.

    Examples
    --------
    >>> one, other = seeded_bits(1), seeded_bits(1)
    >>> bool((one().words(9, np.uint64) == other().words(9, np.uint64)).all())
    True
    """
    batches = 0

    def bits() -> Bits:
        nonlocal batches
        batches += 1
        return KeyStream(sha256(f"mechdesign, not for release: {seed}, {batches}".encode()).digest())

    return bits
