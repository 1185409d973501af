"""Starts the command `mechdesign`; outside the package, whose imports take long enough to be interrupted."""

import os
import signal


def main() -> int:
    """Run the command line and return its exit status."""
    usual = signal.getsignal(signal.SIGINT)
    if usual is signal.default_int_handler:  # in the background of a shell interruptions are ignored
        signal.signal(signal.SIGINT, _leave)
    from mechdesign.cli.main import main as run

    signal.signal(signal.SIGINT, usual)
    return run()


def _leave(*_: object) -> None:
    """End the process at once: of a KeyboardInterrupt, numpy's imports make advice on how to install numpy."""
    os.write(2, b"mechdesign: interrupted; nothing was written\n")
    os._exit(130)
