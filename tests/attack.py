"""Long attacks, with new draws each time: `python tests/attack.py --minutes 20`.

It prints what was tried and what broke, and exits with 1 if anything did. A round is an attack and a number, which
`--repeat "certificates 17"` runs again. Each file of `attacks/` says what it tries.
"""

import argparse
import multiprocessing
import secrets
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from itertools import count
from pathlib import Path
from random import Random

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))  # as pytest does

from attacks import ATTACKS

LONGEST = 300
"""Seconds after which a round hangs."""


def play(name: str, number: int) -> tuple[str, str]:
    """Return what was tried in a round, and what broke, if anything did."""
    try:
        return ATTACKS[name](Random(f"{name} {number}")), ""
    except Exception:
        return "BROKEN", traceback.format_exc(limit=-4)


def attack(name: str, first: int, seconds: float) -> tuple[str, Counter[str]]:
    """Play rounds for as long as that, at least one; print what breaks as it comes."""
    warnings.simplefilter("error")
    signal.signal(signal.SIGALRM, _hangs)
    end, found = time.monotonic() + seconds, Counter[str]()
    for number in count(first):
        signal.alarm(LONGEST)
        tried, broken = play(name, number)
        signal.alarm(0)
        found[tried] += 1
        if broken:
            print(f'--repeat "{name} {number}"\n{broken}', flush=True)
        if time.monotonic() > end:
            return name, found
    raise AssertionError


def _hangs(*_: object) -> None:
    raise TimeoutError(f"{LONGEST} seconds were not enough")


def main(words: list[str]) -> int:
    """Play all attacks, or those named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=f"of {', '.join(ATTACKS)} [all]")
    parser.add_argument("--minutes", type=float, default=20.0, help="for all of them together [20]")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--repeat", metavar="ROUND", help="one round alone, such as 'certificates 17'")
    asked = parser.parse_args(words)
    if asked.repeat:
        name, number = asked.repeat.split()
        return int("BROKEN" in attack(name, int(number), 0)[1])
    names = asked.attacks or list(ATTACKS)
    seconds = 60 * asked.minutes * asked.processes / len(names)
    is_broken = False
    with multiprocessing.Pool(asked.processes, maxtasksperchild=1) as pool:
        jobs = [pool.apply_async(attack, (name, secrets.randbits(32), seconds)) for name in names]
        for job in jobs:
            name, found = job.get()
            is_broken |= "BROKEN" in found
            tried = "; ".join(f"{number:,} {what}" for what, number in found.most_common())
            print(f"{name}: {found.total():,} rounds: {tried}", flush=True)
    return int(is_broken)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
