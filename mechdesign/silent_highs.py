"""HiGHS without a word on standard output, which is the answer's."""

from collections.abc import Iterator
from contextlib import contextmanager

import highspy


class SilentHighs(highspy.Highs):  # type: ignore[misc]
    """HiGHS that is silent before its first step: HiGHS 1.16 introduces itself while its callbacks are set."""

    def enableCallbacks(self) -> None:  # noqa: D102, N802
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()


@contextmanager
def silent() -> Iterator[None]:
    """Make what another package starts of HiGHS silent, too."""
    theirs, highspy.Highs = highspy.Highs, SilentHighs
    try:
        yield
    finally:
        highspy.Highs = theirs
