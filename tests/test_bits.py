"""Random bits: each batch has a key of its own, also in a process that was forked; the cipher is the standard's."""

import subprocess
import sys

import numpy as np
import pytest

from mechdesign.release.bits import PIECE, KeyStream, fresh_bits, seeded_bits

FORK = """
import os
import numpy as np
from mechdesign.release.bits import fresh_bits
fresh_bits().words(9, np.uint64)
read, write = os.pipe()
child = os.fork()
mine = fresh_bits().words(4, np.uint64).tobytes().hex()
if child == 0:
    os.write(write, mine.encode())
    os._exit(0)
os.waitpid(child, 0)
print(mine, os.read(read, 1000).decode())
"""


def test_the_keystream_is_that_of_the_standard() -> None:
    """NIST SP 800-38A F.5.5 has its counter elsewhere; the block of zeros under the key of zeros is FIPS 197's own."""
    assert KeyStream(bytes(32)).words(16, np.uint8).tobytes().hex() == "dc95c078a2408989ad48a21492842087"


def test_words_go_on_where_the_last_ones_ended() -> None:
    whole, parts = KeyStream(bytes(32)), KeyStream(bytes(32))
    count = PIECE + 100
    words = whole.words(count, np.uint16)
    assert len(words) == count
    again = np.concatenate([parts.words(100, np.uint16), parts.words(PIECE, np.uint16)])
    assert (words == again).all()
    assert len(np.unique(words)) > 60_000


def test_two_batches_have_different_bits() -> None:
    assert (fresh_bits().words(99, np.uint64) != fresh_bits().words(99, np.uint64)).all()


@pytest.mark.skipif(sys.platform == "win32", reason="has no fork")
def test_a_fork_has_different_bits() -> None:
    out = subprocess.run([sys.executable, "-c", FORK], check=True, capture_output=True, text=True).stdout.split()
    assert len(out) == 2
    assert len(out[0]) == len(out[1]) == 64
    assert out[0] != out[1]


def test_a_seed_gives_each_batch_other_bits_and_the_same_each_time() -> None:
    one, again, other = seeded_bits(1), seeded_bits(1), seeded_bits(2)
    first, second = one().words(9, np.uint64), one().words(9, np.uint64)
    assert (first == again().words(9, np.uint64)).all()
    assert (second == again().words(9, np.uint64)).all()
    assert (first != second).all()
    assert (first != other().words(9, np.uint64)).all()
